"""What happened, in words that everybody at the table may read."""

from __future__ import annotations

from firmware_host.table import Event
from firmware_host.texts import TEXTS


def words(event: Event, language: str) -> list[str]:
    """An event as lines that everybody may read."""
    record = event.record
    if event.kind == "move" and record is not None:
        game, state = record.game, record.line[-2].state
        lines = []
        for act in event.acts:
            lines.append(game.told(state, act.move, act.by, None).in_(language))
            state = game.play(state, act.move, act.by)
        return lines
    if event.kind == "over" and record is not None:
        outcome = record.game.outcome(record.state)
        return [(outcome.text if outcome else TEXTS("abandoned")).in_(language)]
    if event.kind == "undo":
        return [TEXTS("undone").in_(language)]
    if event.kind == "begin" and record is not None:
        return [TEXTS("begun", game=record.game.title).in_(language)]
    return [event.text.in_(language)] if event.text is not None else []

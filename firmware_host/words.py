"""What happened, in words that everybody at the table may read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware_host.snapshot import Event
from firmware_host.texts import TEXTS, in_a_row
from game_logic.core import Act, Game, Text


def words(event: Event, language: str) -> list[str]:
    """An event as lines that everybody may read."""
    return [text.in_(language) for text in texts(event)]


def texts(event: Event) -> list[Text]:
    record = event.record
    if event.kind == "move" and record is not None:
        return told(record.game, record.line[-2].state, event.acts)
    if event.kind == "over" and record is not None:
        outcome = record.game.outcome(record.state)
        return [outcome.text if outcome else TEXTS("abandoned")]
    if event.kind == "correction":
        return [TEXTS("corrected")]
    if event.kind == "undo":
        return [TEXTS("undone")]
    if event.kind == "begin" and record is not None:
        return [TEXTS("begun", game=record.game.title)]
    return [event.text] if event.text is not None else []


def told(game: Game[Any], state: Any, acts: Sequence[Act]) -> list[Text]:
    """The acts as everybody may read them."""
    lines = []
    for act in acts:
        lines.append(game.told(state, act.move, act.by, None))
        state = game.play(state, act.move, act.by)
    return lines


def in_one(game: Game[Any], state: Any, acts: Sequence[Act]) -> Text:
    return in_a_row(told(game, state, acts))

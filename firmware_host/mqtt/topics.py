"""What is said, as topics below `cavale/<table>/` and JSON. Pure functions of the public table:
views, tracks, image, prompt and log as anybody may read them, and nothing else of the state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.health import DeviceHealth, as_json
from firmware_host.snapshot import Event, Snapshot
from firmware_host.texts import TEXTS
from firmware_host.words import texts
from game_logic.core import Rolled, Text, encode

VERSION = 1  # of the payloads: raised when a field changes its meaning or goes
STATUS, EVENT, COMMAND, REPLY = "status", "event", "command", "reply"
ONLINE, OFFLINE = "online", "offline"
# What a refused hand tried is nobody's matter.
TOLD = ("begin", "move", "undo", "correction", "over", "trouble")


def base(table: str) -> str:
    return f"cavale/{table}"


def slug(name: str) -> str:
    """A name as one level of a topic: "screen 0x3c" -> "screen_0x3c". Two names give two."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)


def both(text: Text) -> dict[str, str]:
    return {"fr": text.fr, "en": text.en}


def payload(**fields: Any) -> bytes:
    return encode({"v": VERSION, **fields})


def game(shot: Snapshot) -> dict[str, bytes]:
    """Everything retained about the game, by topic.

    Of the snapshot's other fields none is said: an invitation's code lets people in, sentences of
    notices and questions may name what a hand tried, a deadline is by a clock that nobody else has.
    """
    if shot.record is None:
        nothing = both(TEXTS("no_game"))
        return {
            "game": payload(game=None, title=nothing),
            "turn": payload(game=None, to_act=(), prompt=nothing),
            "board": payload(game=None, spaces={}),
        }
    record, rules, state = shot.record, shot.record.game, shot.record.state
    at = {"game": record.id, "seq": record.seq}
    outcome = rules.outcome(state)
    view = rules.view(state, None)
    said = {
        "game": payload(
            **at,
            rules=rules.id,
            title=both(rules.title),
            over=record.ended is not None,
            paused=shot.paused,
            outcome=outcome
            and {
                "winners": outcome.winners,
                "reason": outcome.reason,
                "scores": outcome.scores,
                "text": both(outcome.text),
            },
            view=view,
        ),
        "turn": payload(
            **at,
            to_act=rules.to_act(state),
            prompt=both(outcome.text if outcome else rules.prompt(state, None)),
            attention=_attention(shot),
            awaited=shot.awaited,
        ),
        "board": payload(**at, spaces=rules.image(state)),
    }
    for track in rules.tracks(state):
        said[f"tracks/{track.id}"] = payload(
            **at,
            label=both(track.label),
            value=track.value,
            maximum=track.maximum,
            danger=track.danger,
            seat=track.seat,
        )
    return said


def _attention(shot: Snapshot) -> str | None:
    """Does the table wait for something other than a move? Only of which kind."""
    if shot.question is not None:
        return shot.question.kind
    return shot.notice.kind if shot.notice is not None else None


def health(healths: Iterable[DeviceHealth]) -> dict[str, bytes]:
    return {f"health/{slug(h.name)}": payload(**as_json(h)) for h in healths}


def event(run: str, number: int, event: Event) -> bytes:
    """`run` and `number` tell a subscriber what it missed; `game` and `seq` where it stands."""
    record = event.record
    return payload(
        run=run,
        n=number,
        game=record and record.id,
        seq=record and record.seq,
        kind=event.kind,
        text=[both(text) for text in texts(event)],
        dice=dice(event),
        latency_ms=None if event.latency is None else round(event.latency * 1000, 1),
    )


def dice(event: Event) -> list[Mapping[str, Any]]:
    """The faces that everybody saw."""
    record = event.record
    if event.kind != "move" or record is None:
        return []
    rules, state = record.game, record.line[-2].state
    seen: list[Mapping[str, Any]] = []
    for act in event.acts:
        chance = rules.chance(state)
        if isinstance(act.move, Rolled) and chance is not None and chance.sees is None:
            seen.append({"die": act.move.die, "face": act.move.face})
        state = rules.play(state, act.move, act.by)
    return seen

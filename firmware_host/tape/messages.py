"""Messages of the inbox as JSON. Replies are not kept, nor what is nothing to the game."""

from __future__ import annotations

from typing import Any

import msgspec

from firmware_host import inbox
from firmware_host.inbox import Correct, Intend, Message, Propose
from game_logic.core import Game, Text, decode_act, decode_state

_KEPT = {
    kind.__name__: kind
    for kind in (
        *(inbox.Intend, inbox.Pick, inbox.TakeBack, inbox.Begin, inbox.Close, inbox.Correct),
        *(inbox.TakeOver, inbox.Press, inbox.Pause, inbox.Set, inbox.Propose),
    )
}


def as_json(message: Message) -> dict[str, Any] | None:
    """None: not kept. Simulated hands and faults are seen by the sensors, like real ones."""
    name = type(message).__name__
    if name not in _KEPT:
        return None
    if isinstance(message, Propose):
        wish = as_json(message.wish)
        return wish and {"is": name, "text": message.text, "wish": wish}
    fields = {f: getattr(message, f) for f in message.__slots__ if f not in ("reply", "key")}
    return {"is": name, **msgspec.to_builtins(fields)}


def from_json(data: dict[str, Any], game: Game[Any] | None) -> Message:
    """`game`: the one that is open, which alone can read its moves and states."""
    fields = {key: value for key, value in data.items() if key != "is"}
    kind = _KEPT[data["is"]]
    if kind is Propose:
        return Propose(Text(*fields["text"]), from_json(fields["wish"], game))  # type: ignore[arg-type]
    if kind is Intend and game is not None:
        fields["acts"] = tuple(decode_act(game, act) for act in fields["acts"])
    if kind is Correct and game is not None:
        fields["state"] = decode_state(game, fields["state"])
    message: Message = kind(**fields)
    return message

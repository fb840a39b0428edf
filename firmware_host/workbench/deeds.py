"""What can be done at the workbench, as JSON: `{"do": "press", "button": "undo"}`."""

from __future__ import annotations

import msgspec


class _Deed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    pass


class Lift(_Deed, frozen=True):
    """Into the hand: the `n`th piece from below with all that stands on it, or one from the box."""

    space: str | None = None
    n: int = 0
    kind: str | None = None
    id: str | None = None


class Slide(_Deed, frozen=True):
    """What is in the hand slides over a space."""

    space: str


class Lower(_Deed, frozen=True):
    """Out of the hand: onto a space, onto a piece there, or (None) into the box."""

    space: str | None = None
    on: int | None = None


class Push(_Deed, frozen=True):
    """A knot through an opening of the wall: from the hand, or of this kind from the box."""

    opening: str
    kind: str | None = None


class Hold(_Deed, frozen=True):
    """To a pad and away again: a card by its sign, a piece from the box, or what the hand holds."""

    card: str | None = None
    kind: str | None = None
    id: str | None = None
    pad: str | None = None


class Throw(_Deed, frozen=True):
    """Dice into the tower, each with its face or (None) as chance gives it."""

    dice: dict[str, int | None] = {}


class Cock(_Deed, frozen=True):
    """A die comes to lie askew."""

    die: str


class Remove(_Deed, frozen=True):
    """A die is taken out of the tray."""

    die: str


class Press(_Deed, frozen=True):
    """A finger on a button."""

    button: str


class Order(_Deed, frozen=True):
    """A fault, in words: "nack expander 0x20 p=0.05"."""

    order: str


class Mend(_Deed, frozen=True):
    """This fault of this target is over; None: any."""

    fault: str | None = None
    target: str | None = None


class PutRight(_Deed, frozen=True, tag="put_right"):
    """A helping hand puts every piece where the game has it."""


Deed = Lift | Slide | Lower | Push | Hold | Throw | Cock | Remove | Press | Order | Mend | PutRight

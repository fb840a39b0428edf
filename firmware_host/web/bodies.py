"""What requests say: each a form of JSON, and nothing beside it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from firmware_host.config_parts import Language, Luck

Seat = Annotated[int, Meta(ge=0, le=15)]
Name = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[^\x00-\x1f\x7f]+\Z")]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Intent(Body, frozen=True):
    """Moves of a seat, all or none, in answer to a decision of this game; or (no seat) what the
    dice or the card have shown, at this entry."""

    game: int
    moves: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=32)]
    seat: Seat | None = None
    decision: int | None = None
    seq: int | None = None


class Picked(Body, frozen=True):
    question: str
    at: Annotated[int, Meta(ge=0, le=999)]


class Button(Body, frozen=True):
    button: Literal["confirm", "next"]


class Undo(Body, frozen=True):
    game: int
    seq: int
    agreed: bool = False  # also past what has come to light, if the table agrees


class Switch(Body, frozen=True):
    on: bool


class Code(Body, frozen=True):
    code: Annotated[str, Meta(min_length=8, max_length=24)]


class Place(Body, frozen=True):
    seat: Seat | None = None  # None: the host


class NewGame(Body, frozen=True):
    game: str
    seats: Annotated[tuple[Name, ...], Meta(max_length=8)]
    options: dict[str, Any] = {}
    abandon: bool = False


class Change(Body, frozen=True):
    path: Annotated[tuple[str | int, ...], Meta(min_length=1, max_length=8)]
    value: int | str


class Moved(Body, frozen=True):
    """A piece that stands elsewhere; None: beside the board."""

    kind: str
    id: str | None
    at: str | None
    to: str | None


class Correction(Body, frozen=True):
    game: int
    seq: int
    changes: Annotated[tuple[Change, ...], Meta(max_length=32)] = ()
    pieces: Annotated[tuple[Moved, ...], Meta(max_length=32)] = ()


class Settings(Body, frozen=True):
    language: Language | None = None
    mute: bool | None = None
    luck: Luck | None = None


class Successor(Body, frozen=True):
    seat: Seat
    name: Name | None = None


class Empty(Body, frozen=True):
    pass

"""The lines of a tape, as typed values."""

from __future__ import annotations

from typing import Any

import msgspec

from firmware_host.config_parts import Luck
from firmware_host.sighting import Sighting
from game_logic.core import Piece

VERSION = 1
ENTRIES = ("begin", "move", "undo", "correction", "over")  # events that are entries of the journal


class Head(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the table is made of, and the game that was open: its entries as in the journal."""

    tape: int
    language: str
    buttons: tuple[str, ...] = ()
    dice: tuple[str, ...] | None = None  # the tower's; None: there is none
    entries: tuple[msgspec.Raw, ...] = ()
    page: bool = False  # was there one? The table's menu has more in it then
    luck: Luck = "house"


class Dice(msgspec.Struct, frozen=True):
    """A report of the tower."""

    cocked: bool
    mark: tuple[str, int]
    dice: tuple[tuple[str, int | None], ...]
    at: float


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came in at one step; `entry` and `acts`: what was accepted. The rest is as the names of
    `Senses`, `Parts` and the inbox have it."""

    at: float
    message: dict[str, Any] | None = None
    press: tuple[str, ...] = ()
    spaces: dict[str, Sighting | None] = {}  # those that have changed; None: blind
    signs: tuple[str, ...] = ()  # those that came
    sensed: tuple[str, ...] | None = None  # all that can come, when that has changed
    shaken: bool = False  # a sensor has been out
    cards: tuple[str, ...] | None = None  # signs of cards, when those that can come have changed
    change: float | None = None
    settled: float | None = None
    held: tuple[Piece, ...] = ()
    games: tuple[str, ...] = ()
    dice: Dice | None = None
    thrown: float | None = None
    tower: str | None = None  # its health, when that has changed
    lot: int | None = None  # what the house's own die gave
    entry: str | None = None
    acts: tuple[Any, ...] = ()


encode = msgspec.json.Encoder().encode
decode_head = msgspec.json.Decoder(Head).decode
decode_line = msgspec.json.Decoder(Line).decode

"""What the journal holds: entries, in the order of their numbers, and never by the clock."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, NamedTuple

import msgspec

from game_logic.core import Act, Malformed, Outcome, State, Text, encode


class Entry(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    """Base of every entry: its number in its game, and the version of the rules it was made by."""

    seq: int
    version: int


class Start(Entry, frozen=True):
    """Entry 0: all that is needed to make the game and its first state again."""

    game: str
    digest: str
    seats: tuple[str, ...]
    options: dict[str, Any]
    deck: dict[str, str]


class Intent(Entry, frozen=True, omit_defaults=True):
    """Moves that were accepted together; those by CHANCE are what the dice and piles gave.

    `roll` is the tower's name for the report they came from, so that after a power cut the same
    report is not taken for another roll.
    """

    acts: tuple[Act, ...]
    roll: tuple[str, int] | None = None


class Undo(Entry, frozen=True):
    """The state after entry `to` again. `confirmed`: the table agreed to go past a closed undo."""

    to: int
    confirmed: bool = False


class Correction(Entry, frozen=True):
    """A whole state given by hand."""

    state: msgspec.Raw


class Resumed(Entry, frozen=True):
    """Other rules or data went on from the newest state; nothing before it can be taken back."""

    digest: str
    state: msgspec.Raw
    why: Text


class End(Entry, frozen=True):
    """The game is closed: with its outcome, or abandoned."""

    outcome: Outcome | None = None


_decoder = msgspec.json.Decoder(Start | Intent | Undo | Correction | Resumed | End)


def decode(body: bytes) -> Entry:
    """Moves and states in it are still plain JSON: only their game can read them."""
    try:
        entry: Entry = _decoder.decode(body)
        return entry
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"not a journal entry: {error}") from None


def raw(state: State) -> msgspec.Raw:
    return msgspec.Raw(encode(state))


def seal(key: bytes, body: bytes, state: bytes) -> bytes:
    """The keyed hash of an entry and of the state after it.

    Keyed, because a plain hash of a state gives a secret bet away to anyone who tries all bets; and
    with the entry's number in it, so that the same bet made again does not show either.
    """
    return hmac.digest(key, body + b"\n" + state, hashlib.sha256)


class Row(NamedTuple):
    """An entry as it is stored. `at` is for people to read."""

    entry: Entry
    body: bytes
    seal: bytes
    at: str


class Saved(NamedTuple):
    """A stored game: all its entries and its newest state, as yet read by no rules."""

    id: int
    key: bytes
    state: bytes
    rows: tuple[Row, ...]

    @property
    def start(self) -> Start:
        start = self.rows[0].entry
        assert isinstance(start, Start)
        return start

    @property
    def ended(self) -> End | None:
        last = self.rows[-1].entry
        return last if isinstance(last, End) else None

    def same(self, entry: Entry, state: State) -> bool:
        """Is this the state that was noted with that entry?"""
        row = self.rows[entry.seq]
        return hmac.compare_digest(row.seal, seal(self.key, row.body, encode(state)))

    def flaw(self) -> str | None:
        """What shows, without any rules, that this is not what was written."""
        if not self.rows or not isinstance(self.rows[0].entry, Start):
            return f"game {self.id} has no start"
        if [row.entry.seq for row in self.rows] != list(range(len(self.rows))):
            return f"game {self.id} lacks entries"
        last = self.rows[-1]
        if not hmac.compare_digest(last.seal, seal(self.key, last.body, self.state)):
            return f"the newest state of game {self.id} is not the one that was written"
        return None

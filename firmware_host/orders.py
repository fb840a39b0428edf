"""What changes a game besides the hands at the table: what was ordered -> the next record."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host import house
from firmware_host.decks import Decks
from firmware_host.inbox import Begin, Close, Correct, Intend, TakeBack, TakeOver
from firmware_host.journal import Record
from firmware_host.menu import names
from firmware_host.texts import TEXTS
from game_logic import load
from game_logic.core import Act, Illegal, Malformed, Text

LONGEST_NAME = 32


class Change(NamedTuple):
    """The next record, a draft until it is written, and what kind of thing has happened."""

    record: Record
    kind: str
    acts: tuple[Act, ...] = ()


def begun(order: Begin, decks: Decks) -> Change:
    """A new game. Raises Illegal where it cannot be begun so."""
    try:
        deck = decks.files(order.game)
        game = load(order.game, deck)
        record = Record.begin(game, order.seats, order.options, deck, key=order.key)
    except Malformed as error:
        raise Illegal("cannot_begin", Text(str(error), str(error))) from None
    return Change(record, "begin")


def changed(record: Record | None, order: Intend | TakeBack | Close | Correct | TakeOver) -> Change:
    """The game after an order. Raises Illegal where the rules refuse it."""
    if record is None:
        raise Illegal("no_game", TEXTS("no_game"))
    match order:
        case Intend(acts):
            return Change(record.intent(acts), "move", acts)
        case TakeBack(confirmed):
            return Change(record.undo(confirmed=confirmed), "undo")
        case Close():
            return Change(record.end(), "over")
        case Correct(state):
            return Change(record.correct(state), "correction")
        case TakeOver(seat, name):
            return Change(_taken_over(record, seat, name), "correction")


def _taken_over(record: Record, seat: int, name: str | None) -> Record:
    called = names(record)
    name = house.NAME if name is None else name.strip()
    if not 0 <= seat < len(called):
        raise Illegal("no_such_seat", TEXTS("no_such_seat"))
    if not 0 < len(name) <= LONGEST_NAME or (name in called and name != house.NAME):
        raise Illegal("name_taken", TEXTS("name_taken"))
    return record.correct(record.game.renamed(record.state, seat, name))

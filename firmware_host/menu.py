"""The table's own menu: what is about the evening and not about the game.

Pages of items for three buttons: *next* goes on, *confirm* chooses, *undo* leaves. An item orders
something, with the messages that page and broker use too, or leads to another page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from firmware_host.config_parts import Language, Luck
from firmware_host.inbox import Begin, Close, Intend, Invite, Message, Pause, Set, TakeOver
from firmware_host.journal import Record
from firmware_host.notices import Question
from firmware_host.texts import TEXTS
from game_logic import GAMES
from game_logic.core import Act, Game, Text


class Item(NamedTuple):
    text: Text
    does: Message | Menu | None = None  # None: back to where people were


class Menu(NamedTuple):
    title: Text
    items: tuple[Item, ...]
    at: int = 0

    @property
    def question(self) -> Question:
        return Question("table", self.title, tuple(item.text for item in self.items), (), self.at)

    def next(self) -> Menu:
        return self._replace(at=(self.at + 1) % len(self.items))


class Evening(NamedTuple):
    """What the menu is about."""

    record: Record | None
    language: Language
    mute: bool
    page: bool  # may phones join?
    first: str  # the game that is offered first
    load: Callable[[str], Game[Any]]
    luck: Luck = "house"

    @property
    def playing(self) -> Record | None:
        return None if self.record is None or self.record.ended else self.record


def menu(evening: Evening) -> Menu:
    """Where it begins: with the games, where none is open."""
    if evening.playing is None:
        return Menu(TEXTS("menu_which_game"), (*_games(evening), *_settings(evening)))
    items = [Item(TEXTS("menu_back")), Item(TEXTS("menu_pause"), Pause(True))]
    if told := tuple(_moves(evening.playing)):
        items.append(Item(TEXTS("menu_by_hand"), Menu(TEXTS("menu_by_hand"), told)))
    items.append(Item(TEXTS("menu_leave"), _leaving(evening.playing, evening.language)))
    items.append(Item(TEXTS("menu_other_game"), Menu(TEXTS("menu_ends_this"), _games(evening))))
    items.append(Item(TEXTS("menu_end"), Menu(TEXTS("menu_end_sure"), _sure(Close()))))
    return Menu(TEXTS("menu"), (*items, *_settings(evening)))


def chosen(evening: Evening, id: str) -> Menu | Begin:
    """A game was picked, perhaps by its tag: how many play? Unless that is plain."""
    game = evening.load(id)
    fewest, most = game.seats
    begins = [_begin(evening, game, seats) for seats in range(fewest, most + 1)]
    if len(begins) == 1 and evening.playing is None:
        return begins[0]
    title = TEXTS("menu_how_many", game=game.title)
    if evening.playing is not None:
        title = Text(*(" ".join(both) for both in zip(TEXTS("menu_ends_this"), title, strict=True)))
    items = (Item(TEXTS("menu_players", n=len(begin.seats)), begin) for begin in begins)
    return Menu(title, (*items, Item(TEXTS("menu_back"))))


def anew(record: Record) -> Begin:
    """The same people at the same game, from the beginning."""
    return Begin(record.game.id, names(record), record.options, abandon=True)


def names(record: Record) -> tuple[str, ...]:
    """Who sits where now."""
    return tuple(record.game.view(record.state, None)["seats"])


def _begin(evening: Evening, game: Game[Any], seats: int) -> Begin:
    """With the people of the last game, if they are as many; else by what their pieces are."""
    before = names(evening.record) if evening.record is not None else ()
    called = [game.seat_name(seat).in_(evening.language) for seat in range(seats)]
    people = before if len(before) == seats else called
    return Begin(game.id, people, secrets(game, page=evening.page), abandon=True)


def secrets(game: Game[Any], *, page: bool) -> dict[str, object]:
    """Hands and bets stay at the table, on paper, where there is no page to keep them on."""
    return {} if page or "secrets" not in game.options else {"secrets": "table"}


def _games(evening: Evening) -> tuple[Item, ...]:
    last = evening.record
    ids = (evening.first, *(id for id in GAMES if id != evening.first))
    items = (Item(evening.load(id).title, chosen(evening, id)) for id in ids)
    if last is None:
        return tuple(items)
    return (Item(TEXTS("menu_again", game=last.game.title), anew(last)), *items)


def _moves(record: Record) -> Iterator[Item]:
    """Every move that may be offered to all: for one that the sensors have missed."""
    game, state = record.game, record.state
    for seat in game.to_act(state):
        for move in game.moves(state, seat) if seat >= 0 else ():
            if not game.hidden(state, move, seat):
                yield Item(game.offered(state, move, seat), Intend((Act(seat, move),)))


def _leaving(record: Record, language: Language) -> Menu:
    called = names(record)

    def pages() -> Iterator[Item]:
        for seat, name in enumerate(called):
            person = _other(record.game.seat_name(seat).in_(language), called)
            items = (
                Item(TEXTS("menu_person"), TakeOver(seat, person)),
                Item(TEXTS("menu_house"), TakeOver(seat, None)),
                Item(TEXTS("menu_end"), Close()),
                Item(TEXTS("menu_back")),
            )
            yield Item(Text(name, name), Menu(TEXTS("menu_instead", name=name), items))

    return Menu(TEXTS("menu_who_leaves"), (*pages(), Item(TEXTS("menu_back"))))


def _other(name: str, taken: Sequence[str]) -> str:
    """A name that nobody at the table has: "Rouge", "Rouge 2"."""
    tries = [name, *(f"{name} {n}" for n in range(2, len(taken) + 3))]
    return next(each for each in tries if each not in taken)


def _sure(does: Message) -> tuple[Item, ...]:
    return Item(TEXTS("proposal_no")), Item(TEXTS("proposal_yes"), does)


def _settings(evening: Evening) -> Iterator[Item]:
    if evening.page:
        record = evening.playing
        seats = names(record) if record is not None else ()
        items = [Item(Text(name, name), Invite(seat)) for seat, name in enumerate(seats)]
        items += [Item(TEXTS("menu_host"), Invite(None)), Item(TEXTS("menu_back"))]
        yield Item(TEXTS("menu_phone"), Menu(TEXTS("menu_who_joins"), tuple(items)))
        boxed = evening.luck == "box"
        does = Set(luck="house" if boxed else "box")
        yield Item(TEXTS("menu_luck_house" if boxed else "menu_luck_box"), does)
    other: Language = "en" if evening.language == "fr" else "fr"
    yield Item(TEXTS("menu_language"), Set(language=other))
    yield Item(
        TEXTS("menu_sound_on" if evening.mute else "menu_sound_off"), Set(mute=not evening.mute)
    )

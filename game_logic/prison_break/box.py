"""What is in the box: people, objects, guards, tools and cards, all checked on loading."""

from __future__ import annotations

from typing import Annotated, Literal, NoReturn

import msgspec
from msgspec import Meta

from game_logic.core import Illegal, Text
from game_logic.data import Data, DataError
from game_logic.pile import Pile, bag
from game_logic.prison_break.board import DEVICES, Board
from game_logic.prison_break.state import BLANK, EXTERNALS, LEADERS, UNKNOWN

ROLES = ("leader",) * len(LEADERS) + ("external",) * len(EXTERNALS) + ("captive",)
CHANCE_CARD = "chance"  # the back of a drawn chance card, all that others see of it

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
Some = Annotated[int, Meta(ge=1)]
Any_ = Annotated[int, Meta(ge=0)]


class _Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Counts(_Read, frozen=True):
    squares: int
    escape_cards: int
    cards: int
    object_tokens: int
    guards: int
    escape_tokens: Any_


class Person(_Read, frozen=True):
    id: Id
    role: Literal["leader", "external", "captive"]
    start: str
    wants: tuple[str, ...] = ()


class Kind(_Read, frozen=True):
    id: Id
    tokens: Any_
    guards: Any_


class Objects(_Read, frozen=True):
    blanks: Any_
    spaces: tuple[str, ...]
    kinds: Annotated[tuple[Kind, ...], Meta(min_length=1)]


class Tool(_Read, frozen=True):
    id: Id
    space: str


class _Tools(_Read, frozen=True):
    camera: Tool
    tower: Tool


class _Box(_Read, frozen=True):
    counts: Counts
    people: tuple[Person, ...]
    objects: Objects
    tools: _Tools


Handicap = Literal[
    "camera",
    "tower",
    "guards",
    "guilt",
    "lose_object",
    "lose_turn",
    "isolation",
    "captive_to_isolation",
    "lockdown",
    "riot",
    "roll_call",
]
Chance = Literal[
    "camera_off",
    "tower_off",
    "good_conduct",
    "short_cut",
    "favour",
    "diversion",
    "second_wind",
    "tip",
]
HITS_DRAWER = ("lose_object", "lose_turn", "isolation")


class Card(_Read, frozen=True):
    id: Id
    copies: Some
    effect: Handicap | Chance
    n: Any_ = 0


class _Handicap(Card, frozen=True):
    effect: Handicap


class _Chance(Card, frozen=True):
    effect: Chance


class _Cards(_Read, frozen=True):
    handicap: tuple[_Handicap, ...]
    chance: tuple[_Chance, ...]


class _Plan(_Read, frozen=True):
    id: Id
    externals: tuple[str, str]
    route: Annotated[tuple[str, ...], Meta(min_length=1)]
    perimeter: str


class _Plans(_Read, frozen=True):
    plans: tuple[_Plan, ...]


class Plan:
    """An escape card: whom to recruit, the places to mark, the exit, what to put out of order."""

    def __init__(self, board: Board, people: dict[str, int], plan: _Plan) -> None:
        where = f"plans, {plan.id}"
        for external in plan.externals:
            if people.get(external) not in EXTERNALS:
                _wrong("plans.toml", f"{where}: there is no external {external!r}")
        for place in plan.route:
            if place not in board.place_index:
                _wrong("plans.toml", f"{where}: there is no place {place!r}")
        if len({*plan.externals}) < 2 or len({*plan.route}) < len(plan.route):
            _wrong("plans.toml", f"{where}: an external or a place is there twice")
        kind, _, number = plan.perimeter.partition("_")
        if kind not in DEVICES or number not in map(str, range(1, len(board.sites[_of(kind)]))):
            _wrong("plans.toml", f"{where}: there is no {plan.perimeter!r} to put out of order")
        self.id = plan.id
        self.externals = tuple(sorted(people[e] for e in plan.externals))
        self.route = tuple(board.place_index[place] for place in plan.route)
        self.exit = board.place_squares[self.route[-1]]
        self.device = _of(kind)
        self.number = int(number)


def _of(kind: str) -> int:
    return DEVICES.index(kind) if kind in DEVICES else 0


class Box:
    def __init__(self, data: Data) -> None:
        self.board = Board(data)
        self.texts = data.texts()
        self.names = data.texts("names.toml")
        box = data.read("box.toml", _Box)
        cards = data.read("cards.toml", _Cards)
        plans = data.read("plans.toml", _Plans)
        self.counts = box.counts
        self.tools = (box.tools.camera, box.tools.tower)
        self._meet(box)
        self._unpack(box.objects)
        self._shuffle(cards)
        self.plans = {plan.id: Plan(self.board, self.person, plan) for plan in plans.plans}
        self._count(box, cards, plans)
        self._name()

    def _meet(self, box: _Box) -> None:
        if tuple(person.role for person in box.people) != ROLES:
            _wrong("box.toml", "people: four leaders, three externals and one captive, in order")
        self.people = tuple(person.id for person in box.people)
        self.person = {id: n for n, id in enumerate(self.people)}
        kinds = [kind.id for kind in box.objects.kinds]
        for person in box.people:
            where = f"people, {person.id}"
            if person.start not in self.board.index:
                _wrong("box.toml", f"{where}: there is no square {person.start!r}")
            if len(person.wants) != (6 if person.role == "external" else 0):
                _wrong("box.toml", f"{where}: an external, and nobody else, wants six objects")
            for kind in person.wants:
                if kind not in kinds:
                    _wrong("box.toml", f"{where}: there is no object {kind!r}")
        if len(self.person) != len(self.people):
            _wrong("box.toml", "people: an id is there twice")
        self.starts = tuple(self.board.index[person.start] for person in box.people)
        if any(self.starts.count(start) > 2 for start in self.starts):
            _wrong("box.toml", "people: more than two start on one square (R28)")
        self.wants = tuple(person.wants for person in box.people)

    def _unpack(self, objects: Objects) -> None:
        self.kinds = tuple(kind.id for kind in objects.kinds)
        self.kind = {id: n for n, id in enumerate(self.kinds)}
        if len(self.kind) != len(self.kinds) or {BLANK, UNKNOWN} & set(self.kinds):
            _wrong("box.toml", f"objects: ids differ, and none is {BLANK!r} or {UNKNOWN!r}")
        for space in (*objects.spaces, *(tool.space for tool in self.tools)):
            if space not in self.board.index:
                _wrong("box.toml", f"objects and tools: there is no square {space!r}")
        self.spaces = tuple(self.board.index[space] for space in objects.spaces)
        self.space_at = {square: n for n, square in enumerate(self.spaces)}
        if len(self.space_at) != len(self.spaces):
            _wrong("box.toml", "objects: two object spaces on one square")
        self.tool_spaces = tuple(self.board.index[tool.space] for tool in self.tools)
        tokens = [kind.id for kind in objects.kinds for _ in range(kind.tokens)]
        self.tokens = Pile(bag((*tokens, *(BLANK,) * objects.blanks)))
        self.copies = {kind.id: kind.tokens for kind in objects.kinds}
        self.guards = tuple(kind.guards for kind in objects.kinds)

    def _shuffle(self, cards: _Cards) -> None:
        every: tuple[Card, ...] = (*cards.handicap, *cards.chance)
        self.cards = {card.id: card for card in every}
        self.chances = tuple(card.id for card in cards.chance)
        if len(self.cards) != len(every) or CHANCE_CARD in self.cards:
            _wrong("cards.toml", f"card ids differ, and none is {CHANCE_CARD!r}")
        self.deck = Pile(bag(card.id for card in every for _ in range(card.copies)))
        if sum(card.copies for card in cards.handicap) < 2:
            _wrong("cards.toml", "two handicap cards at least: chance cards may all be kept")
        for card in every:
            if card.effect in DEVICES and not 1 <= card.n < len(
                self.board.watched[_of(card.effect)]
            ):
                _wrong("cards.toml", f"{card.id}: there is no {card.effect} {card.n}")
            needs = ("guards", "guilt", "lockdown", "roll_call", "good_conduct", "short_cut", "tip")
            if card.effect in needs and not card.n:
                _wrong("cards.toml", f"{card.id}: {card.effect} needs a number n of 1 or more")

    def _count(self, box: _Box, cards: _Cards, plans: _Plans) -> None:
        """The counts of the box are those of the data."""
        counts = box.counts
        for file, what, wanted, found in (
            ("board.toml", "squares", counts.squares, len(self.board.squares)),
            ("plans.toml", "escape cards", counts.escape_cards, len(self.plans)),
            ("cards.toml", "handicap and chance cards", counts.cards, len(self.deck)),
            ("box.toml", "object tokens", counts.object_tokens, len(self.tokens)),
            ("box.toml", "object spaces", counts.object_tokens, len(self.spaces)),
            ("box.toml", "guards", counts.guards, sum(self.guards)),
        ):
            if found != wanted:
                _wrong(file, f"{found} {what}; box.toml counts {wanted}")
        if len(self.plans) != len(plans.plans):
            _wrong("plans.toml", "an escape card is there twice")

    def _name(self) -> None:
        """Every thing that people read about has a name in both languages."""
        board = self.board
        indoors = board.squares[board.outdoors.bit_length() :]
        zones = [f"z{n}" for n in range(1, 6)]
        guards = [f"guard_{kind}" for kind in self.kinds]
        tools = [tool.id for tool in self.tools]
        things = (*self.people, *self.kinds, *guards, *tools, *self.cards, *board.places)
        for id in (*things, *indoors, *zones, BLANK, "bellick"):
            if id not in self.names:
                _wrong("names.toml", f"there is no name for {id!r}")

    # -- words ------------------------------------------------------------------------------------

    def name(self, id: str) -> Text:
        return self.names(id)

    def no(self, code: str, **fields: object) -> Illegal:
        """The refusal of that code, in the words of texts.toml."""
        return Illegal(code, self.texts(f"no_{code}", **fields))


def _wrong(file: str, why: str) -> NoReturn:
    raise DataError(f"prison_break/{file}", why)

"""What is in the box: tiles, tokens, cards and numbers, read from data/*.toml and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from game_logic.alcatraz.moves import CASH, Ready
from game_logic.alcatraz.state import FACES, FULL, PLACES, UNKNOWN
from game_logic.core import Text
from game_logic.data import Data, DataError, Texts

PARTS = "ABCDEF"
TASKS_A_PART = 5
CARDS = 11
TOKENS = 26

Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
T = TypeVar("T")


class Function(Struct, frozen=True, forbid_unknown_fields=True):
    """One face of a tile (R56): what using it does, and the object spaces printed on it."""

    does: Literal[
        "discard_blackmail", "take_blackmail", "draw_blackmail",
        "move_guards", "gain_stamina", "gain_cash", "take",
    ]  # fmt: skip
    fr: str
    en: str
    amount: Positive = 1
    keep: Positive | None = None  # of the cards drawn; None: all
    pays: bool = False
    free: bool = False
    spaces: dict[str, Positive] = {}

    @property
    def text(self) -> Text:
        return Text(self.fr, self.en)


class Location(Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    id: str
    fr: str
    en: str
    silver: Function
    alternative: Function


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of object. A wild one stands for any other in a task (R46)."""

    id: str
    count: Positive
    fr: str
    en: str
    returns: tuple[str, ...]
    wild: bool = False


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    part: Literal["A", "B", "C", "D", "E", "F"]
    fr: str
    en: str
    objects: tuple[str, ...]
    prisoners: Positive
    guards: Count

    @property
    def text(self) -> Text:
        return Text(self.fr, self.en)


Effect = Literal[
    "lockdown", "body_search", "tip_off", "roll_call", "punishment_duty", "extortion",
    "counter_order", "no_supper", "double_watch", "confiscation", "plan_blown",
]  # fmt: skip


class BlackmailCard(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    effect: Effect
    fr: str
    en: str
    does_fr: str
    does_en: str

    @property
    def text(self) -> Text:
        return Text(self.fr, self.en)


class Grid(Struct, frozen=True, forbid_unknown_fields=True):
    cols: Positive
    rows: Positive


class ActionPoints(Struct, frozen=True, forbid_unknown_fields=True):
    p3: Positive
    p4: Positive


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    players_min: Literal[3]
    players_max: Literal[4]
    pawns: tuple[str, ...]
    grid: Grid
    ap: ActionPoints
    scapegoat_bonus: Annotated[tuple[Positive, ...], Meta(min_length=1)]
    guard_passes: tuple[Annotated[int, Meta(ge=1, le=PLACES)], ...]
    guards_total: Positive
    guards_danger: Positive
    tasks_in_play: Annotated[int, Meta(ge=1, le=len(PARTS))]
    object_slots: Positive
    stamina_start: Count
    cash_start: Count
    stamina_per_turn: Count
    blackmail_hand_max: Positive
    roll_call: str
    tip_off_guards: Positive


class _Locations(Struct, forbid_unknown_fields=True):
    location: tuple[Location, ...]


class _Objects(Struct, forbid_unknown_fields=True):
    object: tuple[Kind, ...]


class _Tasks(Struct, forbid_unknown_fields=True):
    task: tuple[Task, ...]


class _Cards(Struct, forbid_unknown_fields=True):
    card: tuple[BlackmailCard, ...]


class Box:
    """The data in the shape the rules ask for it: by place, by face, by id."""

    def __init__(self, data: Data) -> None:
        self.settings = data.read("settings.toml", Settings)
        locations = sorted(
            data.read("locations.toml", _Locations).location, key=lambda tile: tile.number
        )
        objects = data.read("objects.toml", _Objects).object
        tasks = data.read("tasks.toml", _Tasks).task
        cards = data.read("blackmail.toml", _Cards).card
        self.texts: Texts = data.texts()

        self.places = tuple(tile.id for tile in locations)
        self.index = {id: place for place, id in enumerate(self.places)}
        self.functions = tuple((tile.silver, tile.alternative) for tile in locations)
        self.kinds = {kind.id: kind for kind in objects}
        self.tasks = {task.id: task for task in tasks}
        self.cards = {card.id: card for card in cards}
        _check(self, locations, objects, tasks, cards)

        self.place_names = tuple(Text(tile.fr, tile.en) for tile in locations)
        self.wild = frozenset(kind.id for kind in objects if kind.wild)
        self.spaces = tuple(
            tuple(_icons(face.spaces) for face in faces) for faces in self.functions
        )
        self.returns = {
            kind.id: tuple(self.index[place] for place in kind.returns) for kind in objects
        }
        self.roll_call = self.index[self.settings.roll_call]
        self.ready = Ready(self.places, self.kinds, self.cards, self.settings.players_max)
        self._near: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {}

    def neighbours(self, layout: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """By place: the places around it, diagonals included (R29)."""
        if layout not in self._near:
            self._near[layout] = self._around(layout)
        return self._near[layout]

    def _around(self, layout: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        at = {place: divmod(cell, self.settings.grid.cols) for cell, place in enumerate(layout)}
        return tuple(
            tuple(
                other
                for other in range(PLACES)
                if other != place
                and all(abs(a - b) <= 1 for a, b in zip(at[place], at[other], strict=True))
            )
            for place in range(PLACES)
        )

    def laid_out(self, faces: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        """The objects on the board at the start (R4)."""
        return tuple(self.spaces[place][face] for place, face in enumerate(faces))

    def put_back(
        self, lying: tuple[tuple[str, ...], ...], faces: Sequence[int], kind: str
    ) -> tuple[tuple[str, ...], ...]:
        """A discarded object goes to the first of its places with a free space (R52, R53)."""
        for place in self.returns[kind]:
            there = lying[place]
            if there.count(kind) < self.spaces[place][faces[place]].count(kind):
                return swap(lying, place, added(there, kind))
        raise AssertionError(f"{kind} has no free space, though each token has its own (A2)")


def swap(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def added(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return tuple(sorted((*items, item)))


def without(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def _icons(spaces: dict[str, int]) -> tuple[str, ...]:
    return tuple(sorted(kind for kind, n in spaces.items() for _ in range(n)))


# -- checks at load -----------------------------------------------------------------------------


def _check(
    box: Box,
    locations: Sequence[Location],
    objects: Sequence[Kind],
    tasks: Sequence[Task],
    cards: Sequence[BlackmailCard],
) -> None:
    """Refuses a deck that cannot be played, with the file and the reason."""
    for file, wrongs in (
        ("locations.toml", _locations(box, locations)),
        ("objects.toml", _objects(box, objects)),
        ("tasks.toml", _tasks(box, tasks)),
        ("blackmail.toml", _cards(cards)),
        ("settings.toml", _settings(box)),
    ):
        for wrong in wrongs:
            raise DataError(f"alcatraz/{file}", wrong)


def _twice(what: str, ids: Iterable[str]) -> Iterator[str]:
    for id, times in Counter(ids).items():
        if times > 1:
            yield f"{what} {id!r} is there {times} times"


def _locations(box: Box, locations: Sequence[Location]) -> Iterator[str]:
    if [tile.number for tile in locations] != list(range(1, PLACES + 1)):
        yield "the tiles are not numbered 1 to 12, each number once"
    yield from _twice("location", (tile.id for tile in locations))
    for tile, faces in zip(locations, box.functions, strict=True):
        for name, face in zip(FACES, faces, strict=True):
            where = f"{tile.id}, {name} face"
            for kind in face.spaces:
                if kind not in box.kinds:
                    yield f"{where}: spaces for {kind!r}, but objects.toml has no such object"
            if face.does == "take" and not face.spaces:
                yield f"{where}: one takes objects there, but it has no object spaces"
            if face.keep is not None and face.does != "draw_blackmail":
                yield f"{where}: keep is for draw_blackmail only"


def _objects(box: Box, objects: Sequence[Kind]) -> Iterator[str]:
    yield from _twice("object", (kind.id for kind in objects))
    if total := sum(kind.count for kind in objects) - TOKENS:
        yield f"there are {TOKENS + total} tokens, and the box has {TOKENS}"
    for kind in objects:
        if kind.id == CASH:
            yield f"{CASH!r} is money, not an object"
        printed = {
            id: max(face.spaces.get(kind.id, 0) for face in faces)
            for id, faces in zip(box.places, box.functions, strict=True)
        }
        if sum(printed.values()) != kind.count:
            yield (
                f"{kind.id}: {kind.count} tokens, but {sum(printed.values())} spaces for them "
                "in locations.toml; every token needs a place of its own"
            )
        homes = {id for id, n in printed.items() if n}
        if set(kind.returns) != homes or len(kind.returns) != len(homes):
            yield f"{kind.id}: returns must name each of {', '.join(sorted(homes))} once"


def _tasks(box: Box, tasks: Sequence[Task]) -> Iterator[str]:
    yield from _twice("task", (task.id for task in tasks))
    if len(tasks) != len(PARTS) * TASKS_A_PART:
        yield f"there are {len(tasks)} tasks, and there must be {len(PARTS) * TASKS_A_PART}"
    for part in PARTS:
        n = sum(task.part == part for task in tasks)
        if n != TASKS_A_PART:
            yield f"part {part} has {n} tasks, and every part has {TASKS_A_PART}"
    for task in tasks:
        for kind in task.objects:
            if kind not in box.kinds:
                yield f"{task.id} asks for {kind!r}, but objects.toml has no such object"
        if not task.objects:
            yield f"{task.id} asks for no object"
        if task.prisoners > box.settings.players_min:
            yield f"{task.id} asks for {task.prisoners} prisoners, more than a game may have"


def _cards(cards: Sequence[BlackmailCard]) -> Iterator[str]:
    yield from _twice("card", (card.id for card in cards))
    if len(cards) != CARDS:
        yield f"there are {len(cards)} blackmail cards, and there must be {CARDS}"
    if any(card.id == UNKNOWN for card in cards):
        yield f"{UNKNOWN!r} stands for a card that nobody has shown: no card may be called so"


def _settings(box: Box) -> Iterator[str]:
    s = box.settings
    if s.grid.cols * s.grid.rows != PLACES:
        yield f"grid: {s.grid.cols} by {s.grid.rows} does not hold {PLACES} tiles"
    if len(set(s.pawns)) != len(s.pawns) or len(s.pawns) < s.players_max:
        yield f"pawns: {s.players_max} different colours are needed"
    if list(s.scapegoat_bonus) != sorted(set(s.scapegoat_bonus)):
        yield "scapegoat_bonus: each bonus must be greater than the one before"
    if not sum(s.guard_passes) < s.guards_total <= PLACES * FULL:
        yield "guards_total: more than the first guards, and not more than the tiles hold"
    if len(s.guard_passes) > FULL:
        yield "guard_passes: more passes than guards on a tile"
    if s.roll_call not in box.index:
        yield f"roll_call: locations.toml has no {s.roll_call!r}"
    drawn = max(
        (f.amount for faces in box.functions for f in faces if f.does == "draw_blackmail"),
        default=0,
    )
    if s.players_max * s.blackmail_hand_max + drawn > CARDS:
        yield f"blackmail_hand_max: full hands and {drawn} cards drawn are more than {CARDS} cards"

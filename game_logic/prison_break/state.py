"""The state of a game, and the stack of what is still to be done.

People are numbers in the order of data/box.toml: four leaders, three externals, Lincoln. Squares,
object spaces and places are numbers in the order of the board.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from game_logic.core import State, Value
from game_logic.pile import Pile
from game_logic.prison_break.moves import Final

T = TypeVar("T")

SCOFIELD = 0
LEADERS = range(4)
EXTERNALS = range(4, 7)
LINCOLN = 7
PEOPLE = range(8)
BELLICK = -1  # as the drawer of a card

NOWHERE = -1
NOBODY = -1
UNKNOWN = "unknown"  # face down, or in somebody's hand: the house does not know it
BLANK = "blank"


class Options(Value, frozen=True, gc=False):
    secrets: Literal["house", "table"]
    days: Annotated[int, Meta(ge=1, le=30)]
    guilt_limit: Annotated[int, Meta(ge=1, le=30)]
    max_move: Annotated[int, Meta(ge=1, le=6)]
    min_move: Annotated[int, Meta(ge=0, le=1)]
    guard_move: Annotated[int, Meta(ge=1, le=6)]
    persons_per_square: Annotated[int, Meta(ge=2, le=4)]
    guards_per_square: Annotated[int, Meta(ge=1, le=2)]
    tools_in_phase1: bool
    objects_per_player: Annotated[int, Meta(ge=1, le=6)]
    escape_cards_drawn: Annotated[int, Meta(ge=1, le=10)]
    order: Literal["harmful_first", "free"]
    contact: Literal["always", "guard_moves"]
    card_surveillance: Literal["while_active", "until_moved"]
    lit_exit: Literal["building_door", "zone_gate"]
    guards_in_strategic: bool
    trade: bool
    win: Literal["lincoln_at_exit", "missions_only"]


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class Task(Value, frozen=True, gc=False, tag_field="task", tag=_snake):
    """Something still to be done; the last of the stack is done first."""


class FirstRoll(Task, frozen=True, gc=False):
    """Who chooses first: these seats roll one after the other (R15)."""

    seats: tuple[int, ...]
    faces: tuple[int, ...] = ()


class Casting(Task, frozen=True, gc=False):
    """These seats still choose a leader, the first of them now (R15)."""

    seats: tuple[int, ...]


class Planning(Task, frozen=True, gc=False):
    """Scofield draws escape cards and keeps one (R16)."""

    cards: tuple[str, ...] = ()


class Announcing(Task, frozen=True, gc=False):
    """R18."""


class WishRoll(Task, frozen=True, gc=False):
    """R19."""


class Turn(Task, frozen=True, gc=False):
    """A prisoner's or external's turn: what he has still to do."""

    who: int
    harm: bool
    escapes: int = 1
    fresh: bool = True  # nothing done yet: Scofield may declare
    short_cut: int = 0  # squares that a card lets him go


class BellickTurn(Task, frozen=True, gc=False):
    """R44."""


class Marking(Task, frozen=True, gc=False):
    """The walker may mark places; each way is a set of places that one walk may have entered."""

    who: int
    ways: tuple[int, ...]


class FollowUp(Task, frozen=True, gc=False):
    """What a walker may do where he stopped, each thing once (A7)."""

    who: int
    at: int
    done: tuple[str, ...] = ()


class Looking(Task, frozen=True, gc=False):
    """Somebody looks at the object token of a space and decides (R29)."""

    who: int
    space: int


class Lot(Task, frozen=True, gc=False):
    """A token nobody has looked at yet comes out of the bag, for one seat's eyes."""

    who: int
    space: int


class Tip(Task, frozen=True, gc=False):
    """Tokens to look at (card c08), and those looked at already."""

    who: int
    left: int
    spaces: tuple[int, ...] = ()


class Wrap(Task, frozen=True, gc=False):
    """The end of a team action: Lincoln joins a walker, the escape succeeds (A36)."""

    who: int
    at: int = NOWHERE


class Claim(Task, frozen=True, gc=False):
    """Is one of these fulfilled escape cards the one in Scofield's hand?"""

    plans: tuple[str, ...]


class CardDraw(Task, frozen=True, gc=False):
    who: int


class ChanceCard(Task, frozen=True, gc=False):
    """A chance card was drawn: to be used or kept (R8). Empty: which one is still to be seen."""

    who: int
    card: str = ""


class Naming(Task, frozen=True, gc=False):
    """Bellick names "the drawer" of the active card (A25)."""


class Losing(Task, frozen=True, gc=False):
    """A card takes one object of his choice (h16)."""

    who: int


class GuardRoll(Task, frozen=True, gc=False):
    """The die says where a guard comes (R23)."""

    who: int
    tries: int = 0


class GuardPlacing(Task, frozen=True, gc=False):
    who: int
    face: int


class Contact(Task, frozen=True, gc=False):
    """A member has met a guard (R45)."""

    who: int
    guard: int


class Expulsion(Task, frozen=True, gc=False):
    """A member stands in an area that has just become watched (R48)."""

    who: int
    tries: int = 0


class Refuge(Task, frozen=True, gc=False):
    """The die has spoken; he chooses the square (R48)."""

    who: int
    face: int


class Voting(Task, frozen=True, gc=False):
    """R36, A15."""


class TieBreak(Task, frozen=True, gc=False):
    seats: tuple[int, ...]


class Surrender(Task, frozen=True, gc=False):
    """The eliminated player lays down what the house does not know (A17)."""

    who: int


class Warned(Task, frozen=True, gc=False):
    """This cannot be made good again: is it meant (A27, A42)?"""

    move: Final


AnyTask = (
    FirstRoll
    | Casting
    | Planning
    | Announcing
    | WishRoll
    | Turn
    | BellickTurn
    | Marking
    | FollowUp
    | Looking
    | Lot
    | Tip
    | Wrap
    | Claim
    | CardDraw
    | ChanceCard
    | Naming
    | Losing
    | GuardRoll
    | GuardPlacing
    | Contact
    | Expulsion
    | Refuge
    | Voting
    | TieBreak
    | Surrender
    | Warned
)


class Break(State, frozen=True, gc=False):
    seats: tuple[str, ...]
    options: Options
    todo: tuple[AnyTask, ...]
    # people
    cast: tuple[int, ...]  # seat -> leader, NOBODY until chosen
    where: tuple[int, ...]  # person -> square
    team: tuple[int, ...]  # who acts for the prisoners, in order
    skips: tuple[int, ...]  # person -> turns to lose
    # what is known, hidden, and out of the game
    hands: tuple[tuple[str, ...], ...]  # person -> objects
    kept: tuple[tuple[str, ...], ...]  # person -> chance cards
    ground: tuple[str, ...]  # object space -> token, "" where none lies
    seen: tuple[int, ...]  # object space -> the seats that know the token, one bit each
    bag: Pile  # the tokens that are UNKNOWN wherever they lie
    gone: tuple[str, ...]  # tokens out of the game
    pile: Pile  # handicap and chance cards; also those that are UNKNOWN in a hand
    discard: tuple[str, ...]
    # guards, tools, cameras and towers
    spare: tuple[int, ...]  # guards at the side, by logo
    guards: tuple[tuple[int, int], ...] = ()  # (square, logo), sorted
    tools: tuple[int, int] = (NOBODY, NOBODY)  # who carries the camera's, the tower's tool
    broken: tuple[int, int] = (0, 0)  # the camera, the tower that is out of order
    lit: tuple[int, int] = (0, 0)  # the camera, the tower that is on
    by_card: tuple[bool, bool] = (False, False)  # lit by the active card
    active: str = ""
    # the plan
    plan: str = ""  # Scofield's escape card
    wanted: tuple[int, ...] = ()  # the externals it names
    wish: int = 0  # the die of R19
    route: tuple[int, ...] = ()  # the places with an escape token
    declined: tuple[str, ...] = ()  # fulfilled escape cards that are not Scofield's
    # time
    phase: int = 1
    day: int = 1
    slot: int = -1  # whose turn of the day
    guilt: int = 0
    votes: tuple[int, ...] = ()
    bellick: int = NOBODY  # seat
    over: Literal["", "escaped", "guilt", "days"] = ""

    @property
    def house(self) -> bool:
        return self.options.secrets == "house"

    @property
    def scofield(self) -> int:
        """Scofield's seat."""
        return self.cast.index(SCOFIELD)

    def seat_of(self, who: int) -> int:
        """Who decides for this person: Scofield for the externals and Lincoln (A13)."""
        if who == BELLICK:
            return self.bellick
        return self.cast.index(who if who in LEADERS else SCOFIELD)

    def turn_of(self, who: int) -> Turn | None:
        """This person's turn, if it is on: it lies under whatever came up in it."""
        turn = self.todo[0]
        return turn if isinstance(turn, Turn) and turn.who == who else None

    def has(self, who: int, kind: str) -> bool:
        """May this person hold this object, for all the house knows?"""
        hand = self.hands[who]
        return kind in hand or (UNKNOWN in hand and kind != BLANK and holds(self.bag, kind))

    def keeps(self, who: int, card: str) -> bool:
        kept = self.kept[who]
        return card in kept or (UNKNOWN in kept and holds(self.pile, card))

    def hidden_cards(self) -> int:
        """How many cards of the pile are in people's hands."""
        return sum(kept.count(UNKNOWN) for kept in self.kept)


def holds(pile: Pile, card: str) -> bool:
    return any(name == card for name, _ in pile.rest)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    return (*values[:at], value, *values[at + 1 :])


def without(values: tuple[T, ...], value: T) -> tuple[T, ...]:
    at = values.index(value)
    return values[:at] + values[at + 1 :]


def push(state: Break, *tasks: AnyTask, **changes: Any) -> Break:
    """More to do before the rest; the first named is done first."""
    return replace(state, todo=state.todo + tasks[::-1], **changes)


def swap(state: Break, *tasks: AnyTask, **changes: Any) -> Break:
    """The present task is done, and these come in its place, the first named first."""
    return replace(state, todo=state.todo[:-1] + tasks[::-1], **changes)

"""The state of a game at Blackgate: who holds what, whose turn it is, and what is still to be done.

A hand is the cards the house can name, and a number of others. With secrets = "house" it can name
all of them. With secrets = "table" it can name those that everybody saw taken (from the face-up
piles), until an unseen card leaves or enters that hand; the others, like the order of the search
pile, are `loose`: somewhere among the unknown hand cards and the pile.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from game_logic.core import State, Value
from game_logic.dig_your_way_out.tasks import AnyTask
from game_logic.pile import Bag, Pile

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


class Options(Value, frozen=True, gc=False):
    secrets: Literal["house", "table"]
    michel: Literal["none", "michel", "michelle"]
    teams: bool
    use_solitary: bool
    turn_limit: Count
    target: Count
    actions_per_turn: Positive
    start_hand: Annotated[int, Meta(ge=0, le=12)]
    hand_limit: Positive
    search_per_turn: Count
    racket_per_turn: Count
    careful_move_cost: Positive


class Prisoner(Value, frozen=True, gc=False):
    """One player: pawn, hand, board and the cards beside it."""

    place: str
    hand: tuple[str, ...] = ()  # the cards the house can name, sorted
    unknown: int = 0  # and how many more there are
    cigarettes: int = 0
    beatings: int = 0
    gang: str = ""  # the gang card, if any
    passive: str = ""  # empty while only its owner knows it
    revealed: bool = False
    dug: tuple[str, ...] = ()
    points: int = 0

    @property
    def cards(self) -> int:
        return len(self.hand) + self.unknown


class Turn(Value, frozen=True, gc=False):
    """Whose turn it is and what of it is used up."""

    seat: int
    number: int
    actions: int
    searches: int = 0
    rackets: int = 0
    cheap_sneak: bool = False  # the careful move at a reduced price has been made
    free_walks: int = 0
    greeted: tuple[int, ...] = ()  # who has already drawn for an arrival this turn
    fresh: str = ""  # what was done just now: the moment of some passives


class Blackgate(State, frozen=True, gc=False):
    seats: tuple[str, ...]
    options: Options
    prisoners: tuple[Prisoner, ...]
    turn: Turn
    stock: tuple[int, ...]  # left of spoons, pickaxes, shovels, shivs
    loose: Bag  # the search pile, and the hand cards nobody has named
    pile: int  # cards in the search pile
    discard: tuple[str, ...]  # the top one last
    gangs: tuple[Pile, ...]
    passives: Bag  # not dealt, or not yet known
    michel_place: str = ""  # empty when nobody prowls
    michel_pile: Bag = ()
    michel_discard: tuple[str, ...] = ()
    todo: tuple[AnyTask, ...] = ()  # what is under way, the innermost last
    end: str = ""  # why the game is over
    winners: tuple[int, ...] = ()


def with_prisoner(state: Blackgate, seat: int, prisoner: Prisoner) -> Blackgate:
    all_ = state.prisoners
    return replace(state, prisoners=(*all_[:seat], prisoner, *all_[seat + 1 :]))


def push(state: Blackgate, *tasks: AnyTask) -> Blackgate:
    """These tasks come next, in the order given."""
    return replace(state, todo=(*state.todo, *reversed(tasks)))


def pop(state: Blackgate) -> Blackgate:
    return replace(state, todo=state.todo[:-1])


def swap(state: Blackgate, *tasks: AnyTask) -> Blackgate:
    """The innermost task goes; these come in its place, in the order given."""
    return replace(state, todo=(*state.todo[:-1], *reversed(tasks)))


def clockwise(state: Blackgate, start: int) -> tuple[int, ...]:
    """Every seat, from `start` on."""
    n = len(state.seats)
    return tuple((start + step) % n for step in range(n))


def team(state: Blackgate, seat: int) -> int:
    """Teams sit alternately (A45); without teams each seat is its own."""
    return seat % 2 if state.options.teams else seat


def others_here(state: Blackgate, seat: int) -> tuple[int, ...]:
    """Everybody else in the seat's place, clockwise."""
    place = state.prisoners[seat].place
    return tuple(s for s in clockwise(state, seat)[1:] if state.prisoners[s].place == place)


def opponents_here(state: Blackgate, seat: int) -> tuple[int, ...]:
    """Every "other player in your place": in team mode the opponents (A45)."""
    mine = team(state, seat)
    return tuple(s for s in others_here(state, seat) if team(state, s) != mine)

"""How a step is played: who acts, what is legal, why the rest is not, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from msgspec.structs import replace

from game_logic.alcatraz.box import Box, added, swap, without
from game_logic.alcatraz.moves import CASH
from game_logic.alcatraz.state import Prison, Turn
from game_logic.alcatraz.steps import Acting, Step
from game_logic.core import CHANCE, Chance, Move, Part

P = TypeVar("P", bound=Step)

ACTING = Acting()


class Handler(Generic[P]):
    """One kind of step. `moves` alone decides what is legal; `explain` only finds the words."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def who(self, s: Prison, step: P) -> tuple[int, ...]:
        return (s.turn.seat,)

    def moves(self, s: Prison, step: P, seat: int) -> Sequence[Move]:
        raise NotImplementedError

    def legal(self, s: Prison, step: P, move: Move, seat: int) -> bool:
        return move in self.moves(s, step, seat)

    def explain(self, s: Prison, step: P, move: Move, seat: int) -> str:
        """The code of the refusal of a move that is not legal."""
        return "not_now"

    def after(self, s: Prison, step: P, move: Move, seat: int) -> Prison:
        raise NotImplementedError

    def chance(self, s: Prison, step: P) -> Chance | None:
        return None


class Draw(Handler[P]):
    """A step that chance plays. `odds` are its only moves."""

    def kind(self, s: Prison) -> str:
        """Which part of the table may supply it (core.Chance)."""
        return "draw"

    def who(self, s: Prison, step: P) -> tuple[int, ...]:
        return (CHANCE,)

    def odds(self, s: Prison, step: P) -> Part:
        raise NotImplementedError

    def sees(self, s: Prison, step: P) -> tuple[int, ...] | None:
        return None

    def moves(self, s: Prison, step: P, seat: int) -> Sequence[Move]:
        return [move for move, _ in self.odds(s, step).odds]

    def explain(self, s: Prison, step: P, move: Move, seat: int) -> str:
        return "not_drawn"

    def chance(self, s: Prison, step: P) -> Chance | None:
        return Chance(self.kind(s), (self.odds(s, step),), self.sees(s, step))


def evenly(id: str, moves: Sequence[Move]) -> Part:
    return Part(id, tuple((move, 1) for move in moves))


def moved_guard(guards: tuple[int, ...], origin: int, to: int) -> tuple[int, ...]:
    moved = list(guards)
    moved[origin] -= 1
    moved[to] += 1
    return tuple(moved)


def changed(s: Prison, seat: int, **changes: object) -> Prison:
    """The prison with something new on one player's sheet."""
    return replace(s, prisoners=swap(s.prisoners, seat, replace(s.prisoners[seat], **changes)))


def discarded(box: Box, s: Prison, seat: int, what: str) -> Prison:
    """An object goes from a player's sheet back to the board (R51)."""
    lying = box.put_back(s.lying, s.faces, what)
    return replace(changed(s, seat, objects=without(s.prisoners[seat].objects, what)), lying=lying)


def handed_over(s: Prison, giver: int, taker: int, what: str) -> Prison:
    """One object or 1 Cash changes hands."""
    has, gets = s.prisoners[giver], s.prisoners[taker]
    if what == CASH:
        return changed(changed(s, giver, cash=has.cash - 1), taker, cash=gets.cash + 1)
    s = changed(s, giver, objects=without(has.objects, what))
    return changed(s, taker, objects=added(gets.objects, what))


class Action:
    """One kind of action on a turn: legal is what `each` lists while nothing bars the kind."""

    kind: type[Move]

    def __init__(self, box: Box) -> None:
        self.box = box

    def bar(self, s: Prison) -> str | None:
        """The code of why no such action is possible now."""
        raise NotImplementedError

    def each(self, s: Prison) -> Sequence[Move]:
        raise NotImplementedError

    def explain(self, s: Prison, move: Move) -> str:
        """The code of why just this one is refused."""
        return "not_now"

    def after(self, s: Prison, move: Move) -> Prison:
        raise NotImplementedError

    def price(self, s: Prison) -> int | None:
        """In AP; None: not an action one pays for."""
        return 0


def paid(s: Prison, ap: int) -> Turn:
    return replace(s.turn, ap=s.turn.ap - ap)

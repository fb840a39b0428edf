"""How a task is carried out: who acts, what they may do, what comes of it.

Each rule names its legal moves and refuses the rest by the same predicates, so that what is listed
is what is accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from game_logic.core import CHANCE, Chance, Drawn, Illegal, Move, Part, Rolled
from game_logic.prison_break.box import Box
from game_logic.prison_break.state import Break, Task

T = TypeVar("T", bound=Task)

_FACES = tuple(Rolled("die", face) for face in range(1, 7))
_DIE = Chance("dice", (Part("die", tuple((face, 1) for face in _FACES)),))
_BY_CHANCE = (CHANCE,)


class Rule(Generic[T]):
    """What one kind of task asks of people or of chance."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.board = box.board

    def skip(self, state: Break, task: T) -> Break | None:
        """The state after a task that needs nobody; None where somebody must act."""
        return None

    def actors(self, state: Break, task: T) -> tuple[int, ...]:
        return (state.seat_of(task.who),)  # type: ignore[attr-defined]

    def moves(self, state: Break, task: T, seat: int) -> Sequence[Move]:
        raise NotImplementedError

    def play(self, state: Break, task: T, move: Move, seat: int) -> Break:
        raise NotImplementedError

    def chance(self, state: Break, task: T) -> Chance | None:
        return None

    def no(self, code: str, **fields: Any) -> Illegal:
        """The refusal of that code."""
        return self.box.no(code, **fields)


class Roll(Rule[T]):
    """A task for the die."""

    def actors(self, state: Break, task: T) -> tuple[int, ...]:
        return _BY_CHANCE

    def chance(self, state: Break, task: T) -> Chance | None:
        return _DIE

    def moves(self, state: Break, task: T, seat: int) -> Sequence[Move]:
        return _FACES

    def play(self, state: Break, task: T, move: Move, seat: int) -> Break:
        if move not in _FACES:
            raise self.no("roll_awaited")
        assert isinstance(move, Rolled)
        return self.rolled(state, task, move.face)

    def rolled(self, state: Break, task: T, face: int) -> Break:
        raise NotImplementedError


class Draw(Rule[T]):
    """A task for a pile of cards or a bag of tokens."""

    pile: str

    def actors(self, state: Break, task: T) -> tuple[int, ...]:
        return _BY_CHANCE

    def odds(self, state: Break, task: T) -> tuple[tuple[str, int], ...]:
        raise NotImplementedError

    def sees(self, state: Break, task: T) -> tuple[int, ...] | None:
        return None

    def chance(self, state: Break, task: T) -> Chance | None:
        odds = tuple((Drawn(self.pile, card), n) for card, n in self.odds(state, task))
        kind = "lot" if state.house else "draw"
        return Chance(kind, (Part(self.pile, odds),), self.sees(state, task))

    def moves(self, state: Break, task: T, seat: int) -> Sequence[Move]:
        return [Drawn(self.pile, card) for card, _ in self.odds(state, task)]

    def play(self, state: Break, task: T, move: Move, seat: int) -> Break:
        if not isinstance(move, Drawn) or move.pile != self.pile:
            raise self.no("draw_awaited")
        if all(move.card != card for card, _ in self.odds(state, task)):
            raise self.no("not_in_the_box")
        return self.drawn(state, task, move.card)

    def drawn(self, state: Break, task: T, card: str) -> Break:
        raise NotImplementedError

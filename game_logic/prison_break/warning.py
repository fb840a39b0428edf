"""What cannot be made good again is said before it is done (A27, A42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from game_logic.core import Move
from game_logic.prison_break.box import Box
from game_logic.prison_break.crowd import dooms
from game_logic.prison_break.moves import (
    Bribe,
    Confirm,
    Final,
    LoseObject,
    PlaceTool,
    Reconsider,
    Recruit,
)
from game_logic.prison_break.rule import Rule
from game_logic.prison_break.state import Break, Warned, swap

_CHOICES = (Confirm(), Reconsider())


def final(move: Move, box: Box, state: Break) -> TypeGuard[Final]:
    """Is this move asked twice? A lost object where all can count that it makes the game
    impossible; a tool always, since only the prisoners know which place is the right one."""
    match move:
        case PlaceTool():
            return True
        case LoseObject(kind) | Bribe(kind):
            return dooms(box, state, kind)
        case Recruit(external):
            who = box.person[external]
            return dooms(box, state, box.wants[who][state.wish - 1], recruiting=who)
    return False


class WarnedRule(Rule[Warned]):
    def __init__(self, box: Box, rules: Mapping[type[Any], Rule[Any]]) -> None:
        super().__init__(box)
        self._rules = rules

    def actors(self, state: Break, task: Warned) -> tuple[int, ...]:
        below = state.todo[-2]
        return self._rules[type(below)].actors(state, below)

    def moves(self, state: Break, task: Warned, seat: int) -> Sequence[Move]:
        return _CHOICES

    def play(self, state: Break, task: Warned, move: Move, seat: int) -> Break:
        before = swap(state)
        if isinstance(move, Reconsider):
            return before
        if not isinstance(move, Confirm):
            raise self.no("sure_first")
        below = before.todo[-1]
        return self._rules[type(below)].play(before, below, task.move, seat)

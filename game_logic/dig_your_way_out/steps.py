"""How a task is answered. Each kind of task has one Step; legality is asked in one place only:
`moves` lists the options that `refusal` lets pass, and `play` asks the same `refusal`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from game_logic.core import Chance, Move
from game_logic.dig_your_way_out.box import Box
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate
from game_logic.dig_your_way_out.tasks import Task

T = TypeVar("T", bound=Task)


class Step(Generic[T]):
    takes: ClassVar[tuple[type[Move], ...]] = ()  # the moves it may be answered with

    def settle(self, box: Box, state: Blackgate, task: T) -> Blackgate | None:
        """What happens without anybody's doing; None when the task has to wait."""
        return None

    # -- a seat answers

    def options(self, now: Now, task: T) -> Iterable[Move]:
        """The answers worth looking at; those that `refusal` lets pass are legal."""
        return ()

    def refusal(self, now: Now, task: T, move: Any) -> Code | None:
        """Why not this answer, one of the kinds it takes."""
        return None

    def do(self, now: Now, task: T, move: Any) -> Blackgate:
        raise NotImplementedError

    # -- chance answers

    def chance(self, box: Box, state: Blackgate, task: T) -> Chance:
        raise NotImplementedError

    def luck(self, box: Box, state: Blackgate, task: T, move: Any) -> Blackgate | None:
        """The state after this roll or draw; None if it cannot have come."""
        raise NotImplementedError


Steps = Mapping[type[Task], Step[Any]]


def settled(steps: Steps, box: Box, state: Blackgate) -> Blackgate:
    """Everything that happens by itself, up to the next question or the end of the game."""
    while state.todo and not state.end:
        task = state.todo[-1]
        after = steps[type(task)].settle(box, state, task)
        if after is None:
            break
        state = after
    return state

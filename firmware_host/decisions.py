"""Since when each seat has been deciding what it decides now.

A phone answers a decision, not a state: while three people vote, one vote changes the state and
makes nobody else's stale; and a vote that comes too late is not taken for the next one.
"""

from __future__ import annotations

from firmware_host.journal import Record
from game_logic.core import Act, Move, Text


class Decisions:
    def __init__(self) -> None:
        self._open: dict[int, tuple[int, Text, tuple[Move, ...]]] = {}

    def follow(self, record: Record | None, acts: tuple[Act, ...]) -> None:
        """This is the state now, after these acts; none: after an undo, or at a start."""
        before, self._open = (self._open if acts else {}), {}
        if record is None:
            return
        game, state = record.game, record.state
        acted = {act.by for act in acts}
        for seat in game.to_act(state):
            if seat >= 0:
                is_ = (game.prompt(state, seat), game.moves(state, seat))
                kept = seat in before and seat not in acted and before[seat][1:] == is_
                self._open[seat] = before[seat] if kept else (record.seq, *is_)

    def since(self, seat: int) -> int | None:
        return self._open[seat][0] if seat in self._open else None

    def all(self) -> tuple[tuple[int, int], ...]:
        return tuple((seat, since) for seat, (since, _, _) in self._open.items())

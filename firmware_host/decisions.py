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
        actors = [seat for seat in game.to_act(state) if seat >= 0]
        # A prompt may name those who are still missing: only where something has come to light
        # may the same moves, asked for in other words, be another decision.
        quiet = not record.steps[-1].closes or actors == [s for s in before if s not in acted]
        for seat in actors:
            words, moves = game.prompt(state, seat), game.moves(state, seat)
            kept = (
                seat in before
                and seat not in acted
                and moves == before[seat][2]
                and (quiet or words == before[seat][1])
            )
            self._open[seat] = (before[seat][0] if kept else record.seq, words, moves)

    def since(self, seat: int) -> int | None:
        return self._open[seat][0] if seat in self._open else None

    def all(self) -> tuple[tuple[int, int], ...]:
        return tuple((seat, since) for seat, (since, _, _) in self._open.items())

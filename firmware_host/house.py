"""The house plays for seats where nobody sits: those that go by its name."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.journal import Record
from firmware_host.menu import names
from game_logic.core import Act

NAME = "Cavale"
THINKS = 1.5  # s, so that people can follow what it does


class House:
    def __init__(self, below: Callable[[int], int]) -> None:
        self._below = below
        self._seats: frozenset[int] = frozenset()
        self._ready = 0.0

    def follow(self, record: Record | None, now: float) -> None:
        """This is the state now."""
        called = names(record) if record is not None else ()
        self._seats = frozenset(seat for seat, name in enumerate(called) if name == NAME)
        self._ready = now + THINKS

    def due(self, record: Record | None) -> float:
        """When it acts; never, where it is not its turn."""
        if record is None or not self._seats or record.ended:
            return float("inf")
        turn = self._seats.intersection(record.game.to_act(record.state))
        return self._ready if turn else float("inf")

    def act(self, record: Record, now: float) -> Act | None:
        """A legal move of a seat that it plays for, once it has thought."""
        if now < self.due(record):
            return None
        seat = min(self._seats.intersection(record.game.to_act(record.state)))
        moves = record.game.moves(record.state, seat)
        return Act(seat, moves[self._below(len(moves))])

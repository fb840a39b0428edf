"""What the simulated world will do by itself, and when: pulses that end, contacts that bounce."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from drivers.clock import Clock


class Agenda:
    """Actions waiting for their time. They run, in order, whenever the world is looked at."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._entries: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    @property
    def next_due(self) -> float | None:
        return self._entries[0][0] if self._entries else None

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self.at(self.clock.now() + seconds, action)

    def at(self, instant: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._entries, (instant, next(self._order), action))

    def spend(self, seconds: float) -> None:
        """Let so much time pass, and do what is due meanwhile at its own instant."""
        entries, clock = self._entries, self.clock
        end = clock.now() + seconds
        if not entries or entries[0][0] > end:  # by far the most: a few bits on the wire
            clock.spend(seconds)
            return
        while entries and entries[0][0] <= end:
            instant, _, action = heapq.heappop(entries)
            if (wait := instant - clock.now()) > 0:
                clock.spend(wait)
            action()
        if (rest := end - clock.now()) > 0:
            clock.spend(rest)

    def run(self) -> None:
        """Do all that is due by now."""
        entries = self._entries
        while entries and entries[0][0] <= self.clock.now():
            heapq.heappop(entries)[2]()

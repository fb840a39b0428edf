"""A beat of the table's clock."""

from __future__ import annotations


class Beat:
    """Counts periods since its start. A period of 0 never ends."""

    def __init__(self, period: float) -> None:
        self.due = float("inf")
        self._period = period
        self._count = 0

    def start(self, now: float) -> None:
        self._count = 0
        self.due = now + self._period if self._period else float("inf")

    def count(self, now: float) -> int:
        if now >= self.due:
            passed = int((now - self.due) // self._period) + 1
            self._count += passed
            self.due += passed * self._period
        while now >= self.due:  # what rounding has left
            self._count += 1
            self.due += self._period
        return self._count

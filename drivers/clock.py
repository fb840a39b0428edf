"""Time, injected: the one clock that the loop, the drivers and the simulated wire share."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since some fixed instant; never goes back."""
        ...

    def spend(self, seconds: float) -> None:
        """Let pass what something on the wire takes."""
        ...


class RealClock:
    """The machine's own time."""

    def now(self) -> float:
        return time.monotonic()

    def spend(self, seconds: float) -> None:
        time.sleep(seconds)


class ScaledClock:
    """Real time, `factor` times as fast: an hour of play in a minute with factor 60."""

    def __init__(self, factor: float) -> None:
        if factor <= 0:
            raise ValueError(f"a clock cannot run at {factor} times real time: take more than 0")
        self.factor = factor
        self._start = time.monotonic()

    def now(self) -> float:
        return (time.monotonic() - self._start) * self.factor

    def spend(self, seconds: float) -> None:
        time.sleep(seconds / self.factor)


class FreeClock:
    """Virtual time that moves only when told to, so that every run and latency repeats exactly."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError(f"time does not go back ({seconds} s)")
        self._now += seconds

    spend = advance

    def advance_to(self, instant: float) -> None:
        """Go to `instant`; an instant already past changes nothing."""
        self._now = max(self._now, instant)

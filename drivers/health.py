"""How a device is doing, and what to try next when it is not.

Drivers watch *progress*, not liveness: what counts is the last valid answer. All of them mend
their device the same way: re-initialise, then reset, then set it aside and try again ever more
seldom, so that a dead device never slows the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

State = Literal["starting", "ok", "failing", "failed"]


@dataclass(slots=True)
class Health:
    """One device's record, read by everyone who reports on the table."""

    name: str
    state: State = "starting"
    reads: int = 0  # exchanges that did what they should
    misses: int = 0  # silent or senseless answers
    errors: int = 0  # exchanges that broke on the way
    resets: int = 0  # times it was set up again, the first time not counted
    last_error: str = ""
    last_ok: float | None = None  # clock time of the last progress


class Care(Enum):
    """What a driver does with its device at this moment."""

    WORK = "work"
    REINIT = "re-initialise"
    RESET = "reset"
    WAIT = "wait"


class Recovery:
    """Decides when a device is worked with, set up again, reset or left alone.

    >>> care = recovery.due(now)      # WAIT: leave it alone
    >>> ...                           # REINIT or RESET: set it up, then recovery.renewed()
    >>> recovery.worked(now)          # or recovery.missed(now, error)
    """

    def __init__(
        self,
        health: Health,
        *,
        patience: int = 3,
        has_reset: bool = False,
        ready: bool = False,
        first: float = 0.25,
        cap: float = 5.0,
    ) -> None:
        self.health = health
        self.patience = patience  # misses in a row before anything is done about them
        self.has_reset = has_reset
        self.first = first
        self.cap = cap
        self.next_due: float | None = None if ready else float("-inf")
        """When the next remedy is due; None while there is nothing to mend. A new device wants to
        be set up, unless it comes ready."""
        self._remedies = 0  # tried since the last progress
        self._in_row = 0

    def due(self, now: float) -> Care:
        if self.next_due is None:
            return Care.WORK
        if now < self.next_due:
            return Care.WAIT
        return Care.RESET if self._remedies and self.has_reset else Care.REINIT

    def renewed(self) -> None:
        """It has been set up again. Whether that helped, only progress can tell."""
        self._count_remedy()
        self.next_due = None
        self._in_row = 0

    def worked(self, now: float) -> None:
        health = self.health
        health.reads += 1
        health.last_ok = now
        health.state = "ok"
        self._remedies = self._in_row = 0
        self.next_due = None

    def missed(self, now: float, why: Exception | str, *, at_once: bool = False) -> None:
        """No valid answer; `at_once` when it is clear that only setting it up again helps."""
        if isinstance(why, Exception):
            self.health.errors += 1
        else:
            self.health.misses += 1
        self.health.last_error = str(why)
        if self.health.state == "ok":
            self.health.state = "failing"
        if self.next_due is not None:  # the remedy itself did not get through
            self._count_remedy()
            self.next_due = now + self._delay()
            return
        self._in_row += 1
        if at_once or self._in_row >= self.patience:
            self.next_due = now + self._delay()

    def _count_remedy(self) -> None:
        if self.health.state != "starting":
            self.health.resets += 1
        self._remedies += 1
        if self._remedies > 1 + self.has_reset:
            self.health.state = "failed"

    def _delay(self) -> float:
        if not self._remedies:
            return 0.0
        return float(min(self.cap, self.first * 2 ** min(self._remedies - 1, 32)))

"""Takes drafts to the journal, one at a time, and tries again what the disk would not take."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from drivers.tower_protocol import Mark
from firmware_host.journal import InlineWriter, Record, Ticket, Writer
from game_logic.core import Act, Image, Text

RETRY = 2.0  # s between two attempts to write what the disk would not take
SLOW = 0.05  # s of writing after which people are shown meanwhile what was seen


class Draft(NamedTuple):
    """A draft on its way to the disk. Nothing new is accepted meanwhile."""

    ticket: Ticket
    kind: str
    acts: tuple[Act, ...] = ()
    board: Image | None = None
    rest: float | None = None  # when the pieces came to rest, if sensors saw it
    roll: Mark | None = None  # the tower's report, which it may then forget


class Clerk:
    def __init__(self, writer: Writer | InlineWriter, now: Callable[[], float]) -> None:
        self.trouble: Text | None = None  # the disk's
        self._writer = writer
        self._now = now
        self._draft: Draft | None = None
        self._slow_at = float("inf")
        self._retry_at = float("inf")

    @property
    def busy(self) -> bool:
        return self._draft is not None

    def submit(
        self,
        record: Record,
        kind: str,
        acts: tuple[Act, ...] = (),
        board: Image | None = None,
        rest: float | None = None,
        roll: Mark | None = None,
    ) -> None:
        self._draft = Draft(self._writer.submit(record), kind, acts, board, rest, roll)
        self._slow_at = self._now() + SLOW

    def slow(self, now: float) -> Draft | None:
        """What sensors saw and the disk has still not taken. Nothing else is shown before it is
        kept: what the house drew could come out otherwise after a power cut."""
        draft = self._draft
        return draft if draft and draft.rest is not None and now >= self._slow_at else None

    def finish(self, now: float) -> Draft | None:
        """What has reached the disk since, if anything has."""
        draft = self._draft
        if draft is None or not draft.ticket.done:
            return None
        error = draft.ticket.error
        if error is None:
            self._draft = self.trouble = None
            self._retry_at = float("inf")
            return draft
        if self.trouble is None:
            self.trouble = error.text
            self._retry_at = now + RETRY
        elif now >= self._retry_at:
            self._retry_at = now + RETRY
            self._draft = draft._replace(ticket=self._writer.submit(draft.ticket.draft))
        return None

    def due(self, now: float) -> float:
        """When to look again; a writer with a thread of its own wakes the loop instead."""
        if self._draft is None:
            return float("inf")
        ticket = self._draft.ticket
        if ticket.done:
            return now if self.trouble is None else self._retry_at
        done = float("inf") if ticket.due is None else ticket.due
        return min(done, self._slow_at) if now < self._slow_at else done

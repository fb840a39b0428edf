"""Who writes: a thread that owns the journal, or, in free time, the loop itself. Same calls."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from firmware_host.journal.errors import JournalError, plainly
from firmware_host.journal.journal import Journal
from firmware_host.journal.record import Record


class Keeper(Protocol):
    """What a journal is to who writes in it."""

    @property
    def path(self) -> Path: ...

    def append(self, record: Record) -> Record: ...

    def close(self) -> None: ...


class Ticket:
    """A draft on its way to the disk.

    Once `done`, either `record` is the accepted one, or `error` says why not: nothing has changed
    then, and `draft` can be submitted again. `due` is when it will be done, where that is known
    (free time); where it is not, the writer wakes the loop.
    """

    def __init__(self, draft: Record) -> None:
        self.draft = draft
        self.due: float | None = None
        self.record: Record | None = None
        self.error: JournalError | None = None
        self._written = False

    @property
    def done(self) -> bool:
        return self._written

    def _write(self, journal: Keeper) -> None:
        try:
            self.record = journal.append(self.draft)
        except Exception as error:  # a move that is not kept is to be told, whatever the reason
            self.error = plainly(journal.path, error)
        self._written = True


class _TimedTicket(Ticket):
    def __init__(self, draft: Record, due: float, clock: Callable[[], float]) -> None:
        super().__init__(draft)
        self.due: float = due
        self._clock = clock

    @property
    def done(self) -> bool:
        return self._clock() >= self.due


class Writer:
    """Writes in a thread of its own, one draft at a time.

    From here on it owns the journal; who wants to read goes through `Journal.read`.
    `on_done` is called in that thread when a ticket is done: it is to wake the loop, and no more.
    """

    def __init__(self, journal: Journal, on_done: Callable[[], None]) -> None:
        self._journal = journal
        self._on_done = on_done
        self._tickets: queue.SimpleQueue[Ticket | None] = queue.SimpleQueue()
        self._newest: Ticket | None = None
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def submit(self, draft: Record) -> Ticket:
        _refuse_second(self._newest)
        self._newest = Ticket(draft)
        self._tickets.put(self._newest)
        return self._newest

    def under_way(self) -> Ticket | None:
        """What is being written, or waits for it."""
        return None if self._newest is None or self._newest.done else self._newest

    def close(self) -> None:
        """Ends when what was under way is written."""
        self._tickets.put(None)
        self._thread.join()
        self._journal.close()

    def _work(self) -> None:
        while (ticket := self._tickets.get()) is not None:
            ticket._write(self._journal)
            self._on_done()


class InlineWriter:
    """Writes at once, in the caller's thread, and lets the clock say when that would be done.

    `cost` gives the seconds that a commit takes; an SD card's long tail can be drawn there.
    """

    def __init__(
        self, journal: Keeper, clock: Callable[[], float], cost: Callable[[], float] = lambda: 0.02
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._cost = cost
        self._newest: Ticket | None = None

    def submit(self, draft: Record) -> Ticket:
        _refuse_second(self._newest)
        self._newest = _TimedTicket(draft, self._clock() + self._cost(), self._clock)
        self._newest._write(self._journal)
        return self._newest

    def close(self) -> None:
        self._journal.close()


def _refuse_second(under_way: Ticket | None) -> None:
    if under_way is not None and not under_way.done:
        raise RuntimeError("a move is still being written: nothing new is accepted before it is")

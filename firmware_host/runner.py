"""Drives the loop: in free time as fast as it goes, in real time waiting on the inbox."""

from __future__ import annotations

from collections.abc import Callable

from drivers.clock import Clock, FreeClock
from drivers.sim.agenda import Agenda
from firmware_host.table import Table

SPINS = 20_000  # steps without time passing that no honest loop makes


class Stalled(RuntimeError):
    """The loop asks to be stepped again and again, and time does not pass: a bug, not a wait."""


def run_free(
    table: Table,
    clock: FreeClock,
    agenda: Agenda,
    *others: Callable[[], float],
    until: Callable[[], bool],
    most: float = float("inf"),
) -> None:
    """Step everyone, and go straight to when somebody is next needed, or is woken through the
    inbox. `most`: seconds at most."""
    end = clock.now() + most
    spins = 0
    while not until() and not table.stopped and clock.now() < end:
        before = clock.now()
        agenda.run()
        due = min(end, table.step())
        for step in others:
            due = min(due, step())
        while not table.inbox.waiting:
            following = agenda.next_due
            if following is None or following > due:
                break
            clock.advance_to(following)  # the world goes on by itself
            agenda.run()
        if not table.inbox.waiting:
            if due == float("inf"):
                return  # nobody will ever be needed again
            clock.advance_to(due)
        spins = spins + 1 if clock.now() == before else 0
        if spins > SPINS:
            raise Stalled(f"{SPINS} steps at {before:.3f} s")


def run_real(
    table: Table,
    clock: Clock,
    agenda: Agenda | None = None,
    *others: Callable[[], float],
    factor: float = 1.0,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Until it is stopped. `factor`: how much faster than real time the clock runs."""
    while not table.stopped and not until():
        if agenda is not None:
            agenda.run()
        due = min([table.step(), *(step() for step in others)])
        if agenda is not None and agenda.next_due is not None:
            due = min(due, agenda.next_due)
        if not table.stopped:
            table.inbox.wait(min(1.0, (due - clock.now()) / factor))

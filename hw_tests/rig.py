"""A whole simulated table for tests: chips, board, loop and journal, in free time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from drivers.clock import FreeClock
from firmware_host import wall
from firmware_host.config import Config, profile
from firmware_host.front import Door
from firmware_host.inbox import Begin, Inbox
from firmware_host.journal import InlineWriter, Journal
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event, Snapshot
from firmware_host.table import Table
from game_logic.core import Act

KNOTS = ("knot_red", "knot_blue")


class Rig:
    """`rig.push(3, "left")` and `rig.wait()`; then look at `rig.shot`, `rig.state`, `rig.texts`."""

    def __init__(
        self,
        folder: Path,
        config: Config | str = "wall",
        *,
        seed: int = 7,
        begin: str | None = "breakout",
        journal: Journal | None = None,
        cost: Callable[[], float] = lambda: 0.02,
        door: Door | None = None,
    ) -> None:
        self.config = profile(config) if isinstance(config, str) else config
        self.clock = FreeClock(1000.0)
        inbox = Inbox()
        self.sim = SimulatedTable(self.config, self.clock, inbox.wake, seed)
        self.journal = journal or Journal.open(folder / "cavale.db")
        self.events: list[Event] = []
        self.ears: list[Callable[[Event], object]] = [self.events.append]
        record = self.journal.open_game()
        self.table = Table(
            self.sim.parts,
            InlineWriter(self.journal, self.clock.now, cost),
            self.clock,
            below=random.Random(seed).randrange,
            listen=lambda event: [ear(event) for ear in self.ears],
            record=record,
            door=door,
            inbox=inbox,
        )
        if begin and record is None:
            self.table.inbox.put(Begin(begin, ("Ana", "Bo")))
        self.wait()

    def wait(self, seconds: float = 2.0) -> Snapshot:
        run_free(self.table, self.clock, self.sim.agenda, until=lambda: False, most=seconds)
        return self.shot

    def push(self, row: int, side: str, seat: int | None = None) -> Snapshot:
        """A knot of that seat (default: whose turn it is) goes in; then the table has its time."""
        seat = self.turn if seat is None else seat
        wall.push(self.sim.world, row, side, KNOTS[seat])
        return self.wait()

    def press(self, *buttons: str) -> Snapshot:
        for button in buttons:
            self.sim.press(button)
            self.wait(1.0)
        return self.shot

    @property
    def shot(self) -> Snapshot:
        return self.table.snapshot

    @property
    def record(self):
        assert self.shot.record is not None
        return self.shot.record

    @property
    def state(self):
        return self.record.state

    @property
    def turn(self) -> int:
        (seat,) = self.record.game.to_act(self.state)
        return seat

    @property
    def view(self):
        return self.record.game.view(self.state, None)

    @property
    def moves(self) -> list[Act]:
        return [act for event in self.events if event.kind == "move" for act in event.acts]

    def at_rest(self) -> bool:
        """Nothing asked, nothing wrong."""
        return self.shot.notice is None and self.shot.question is None

"""A table with a dice tower, in free time: a loop that journals rolls, and can be killed."""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers.clock import FreeClock
from drivers.sim.agenda import Agenda
from drivers.sim.faults import Faults
from drivers.sim.serial_line import MemoryLine
from drivers.sim.tower import SimTower
from drivers.sim.tower_firmware import TowerFirmware
from drivers.tower import Tower
from drivers.tower_protocol import Die, Event, Hello, Mark, Roll

DICE = {"red": 6, "blue": 6, "white": 6}


@dataclass
class DiceTable:
    """`journal` and `stored` are on its disk and outlive it."""

    disk: float = 0.02  # s that a commit takes
    poll: float = 0.25
    clock: FreeClock = field(default_factory=lambda: FreeClock(1000.0))
    journal: list[tuple[Mark, tuple[Die, ...]]] = field(default_factory=list)
    stored: Mark | None = None
    dies_after_journal: bool = False
    program: type[TowerFirmware] = TowerFirmware

    def __post_init__(self) -> None:
        self.agenda = Agenda(self.clock)
        self.line = MemoryLine(self.agenda)
        self.sim = SimTower(self.agenda, self.line, DICE, seed=5, program=self.program)
        self.faults = Faults(self.agenda, seed=3)
        self.faults.targets["tower"] = self.sim
        self.events: list[tuple[float, Event]] = []
        self.settled: dict[Mark, tuple[Die, ...]] = {}  # what the tower has taken for a throw
        self.forgotten: set[Mark] = set()  # what it had in its memory when it lost it
        self._writing: list[tuple[float, Roll]] = []
        self._last = self.sim.firmware
        self.start()

    def start(self) -> None:
        self._writing.clear()
        self.tower = Tower(self.line.open, self.clock, acked=self.stored, poll=self.poll)

    def restart(self) -> None:
        """The daemon is killed; the kernel closes its port."""
        if self.line.port is not None:
            self.line.port.close()
        self.start()

    def run(self, seconds: float) -> list[Event]:
        until, first = self.clock.now() + seconds, len(self.events)
        steps = 0
        while self.clock.now() < until:
            self.agenda.run()
            self._watch()
            now = self.clock.now()
            for event in self.tower.step(now):
                self.events.append((now, event))
                if isinstance(event, Roll):
                    self._writing.append((now + self.disk, event))
            self._commit()
            due = min([self.tower.next_due, *(at for at, _ in self._writing), until])
            self.clock.advance_to(min(due, self.agenda.next_due or until))
            steps += 1
            assert steps < 20_000 * seconds, "the loop spins"
        return [event for _, event in self.events[first:]]

    def _commit(self) -> None:
        while self._writing and self._writing[0][0] <= self.clock.now():
            _, roll = self._writing.pop(0)
            self.journal.append((roll.mark, roll.dice))
            self.stored = roll.mark
            if self.dies_after_journal:
                self.dies_after_journal = False
                self.restart()
                return
            self.tower.ack(roll.mark)

    def _watch(self) -> None:
        firmware = self.sim.firmware
        if firmware is not self._last:
            if self._last is not None:
                self.forgotten |= {
                    Mark(self._last.boot, number) for number, _, _ in self._last.waiting
                }
            self._last = firmware
        if firmware is not None:
            for number, _, tray in firmware.waiting:
                self.settled[Mark(firmware.boot, number)] = tuple(Die(*die) for die in tray)

    @property
    def rolls(self) -> list[dict[str, int | None]]:
        return [dict(dice) for _, dice in self.journal]

    @property
    def hellos(self) -> list[Hello]:
        return [event for _, event in self.events if isinstance(event, Hello)]

"""Simulated hands play a whole game through the chips, in free time: an evening in seconds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple

from drivers.clock import FreeClock, ScaledClock
from firmware_host.config import Config
from firmware_host.inbox import Begin, Inbox
from firmware_host.journal import InlineWriter, Journal, Record
from firmware_host.mqtt import Link
from firmware_host.people import Hands
from firmware_host.runner import run_free, run_real
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.table import Table
from firmware_host.tape import Recorder
from game_logic import load
from game_logic.core import CHANCE

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")
LONGEST = 24 * 3600.0  # s of virtual time that no game takes
PACE = 20.0  # times real time, where something real attached forbids free time
UNTAGGED = ("guard",)  # too many to tag, and too close to each other
COMMIT = 0.02  # s that the disk takes for a move
MEMORY = "/dev/shm"  # where Linux keeps files that need not outlive anything
START = 1_000_000.0  # a clock that starts at 0 hides mistakes


class Demo(NamedTuple):
    """How it went. `wrong`: moves that the table took otherwise than hands made them; `lost`: what
    it never noticed; `again`: how often people had to do something once more."""

    record: Record
    moves: int
    seconds: float
    latencies: tuple[float, ...]
    rolls: tuple[float, ...]
    mistakes: dict[str, int]
    wrong: tuple[str, ...]
    lost: tuple[str, ...]
    again: int

    @property
    def disagreements(self) -> tuple[str, ...]:
        return (*self.wrong, *self.lost)


class Unfinished(RuntimeError):
    """The game did not come to its end; the message says where it stopped."""


class Evening:
    """A simulated table with simulated people at it: in free time, or `pace` times real time."""

    def __init__(
        self,
        config: Config,
        game: str,
        journal: Journal,
        *,
        seed: int,
        seats: int | None = None,
        mistakes: float = 0.0,
        faults: str = "",
        listen: Callable[[Event, SimulatedTable], None] = lambda event, sim: None,
        pace: float | None = None,
        tape: IO[bytes] | None = None,
        options: Mapping[str, object] | None = None,
        cost: Callable[[], float] = lambda: COMMIT,
    ) -> None:
        """A game that is open in the journal goes on, with the pieces where they were left.
        `tape`: what the sensors see is recorded there."""
        rng = random.Random(seed)
        if pace is None and config.mqtt is not None:
            pace = PACE
        self.clock = FreeClock(START) if pace is None else ScaledClock(pace)
        self._start = self.clock.now()
        inbox = Inbox()
        self.sim = SimulatedTable(config, self.clock, inbox.wake, seed)
        self.sim.open_box(load(game), UNTAGGED if config.reader else ())
        self.sim.order(faults)
        self.moves = 0
        self.over = False  # and told
        self.latencies: list[float] = []  # s from pieces at rest to the screen; provisional counts
        self.rolls: list[float] = []  # the same of dice, half a second of it the tower's own
        self._listen = listen
        self._link = Link(config, self.sim.parts.healths) if config.mqtt else None
        record = journal.open_game()
        parts = self.sim.parts
        below: Callable[[int], int] = rng.randrange
        self._tape: Recorder | None = None
        if tape is not None:
            self._tape = Recorder(
                tape, parts, inbox, below, self.clock.now, record=record, language=config.language
            )
            parts, inbox, below = self._tape.parts, self._tape.inbox, self._tape.below
        self.table = Table(
            parts,
            InlineWriter(journal, self.clock.now, cost),
            self.clock,
            below=below,
            language=config.language,
            listen=self._heard,
            record=record,
            inbox=inbox,
        )
        self.hands = Hands(self.table, self.sim, self.clock.now, rng.randrange, mistakes)
        names = NAMES[: seats or load(game).seats[0]]
        key = rng.randbytes(32)
        if record is None:
            self.table.inbox.put(Begin(game, names, options or {}, key=key))
        else:
            self.sim.world.arrange(record.game.image(record.state))
            self.hands.truth = record.state
        if self._link is not None:
            self._link.open(self.table)

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    def _heard(self, event: Event) -> None:
        self.hands.heard(event)
        if self._tape is not None:
            self._tape.heard(event)
        self.over = self.over or event.kind == "over"
        self.moves += len(event.acts) if event.kind == "move" else 0
        if event.latency is not None:
            dice = bool(event.acts) and event.acts[-1].by == CHANCE
            # A reader sees a piece some time after it has come to rest, which counts too.
            rest = min(event.at - event.latency, self.sim.world.rested)
            (self.rolls if dice else self.latencies).append(event.at - rest)
        self._listen(event, self.sim)
        if self._link is not None:
            self._link.heard(event)

    def run(self, until: Callable[[], bool] = lambda: False, most: float = LONGEST) -> None:
        """Until the game is over, or `until` says so, or so many seconds have passed."""

        def stop() -> bool:
            return self.over or until()

        if isinstance(self.clock, FreeClock):
            run_free(
                self.table, self.clock, self.sim.agenda, self.hands.step, until=stop, most=most
            )
            return
        end = self.clock.now() + most
        run_real(
            self.table,
            self.clock,
            self.sim.agenda,
            self.hands.step,
            factor=self.clock.factor,
            until=lambda: stop() or self.clock.now() >= end,
        )

    def result(self) -> Demo:
        shot = self.table.snapshot
        if shot.record is None or not self.over:
            said = shot.question or shot.notice or shot.trouble
            seconds = self.clock.now() - self._start
            raise Unfinished(f"after {seconds:.0f} s the table waits with: {said}")
        return Demo(
            shot.record,
            self.moves,
            self.clock.now() - self._start,
            tuple(self.latencies),
            tuple(self.rolls),
            self.hands.made,
            tuple(self.hands.wrong),
            tuple(self.hands.lost),
            self.hands.again,
        )


def demo(
    config: Config,
    game: str,
    *,
    seed: int,
    seats: int | None = None,
    mistakes: float = 0.0,
    faults: str = "",
    journal: Path | None = None,
    listen: Callable[[Event, SimulatedTable], None] = lambda event, sim: None,
    pace: float | None = None,
    tape: IO[bytes] | None = None,
    options: Mapping[str, object] | None = None,
    cost: Callable[[], float] = lambda: COMMIT,
    order: Callable[[SimulatedTable], None] = lambda sim: None,
    most: float = LONGEST,
) -> Demo:
    """Play one game to its end. Without a journal file it is kept in a temporary one, in memory
    if there is a place for that: its syncs would only wait for a disk, and wear it out.

    `order` may order faults at the table before anybody sits down. A broker in the configuration
    hears of it, and then time is scaled: anything real attached forbids free time.
    """
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        book = Journal.open(journal or Path(folder) / "demo.db")
        try:
            evening = Evening(
                config,
                game,
                book,
                seed=seed,
                seats=seats,
                mistakes=mistakes,
                faults=faults,
                listen=listen,
                pace=pace,
                tape=tape,
                options=options,
                cost=cost,
            )
            order(evening.sim)
            try:
                evening.run(most=most)
                return evening.result()
            finally:
                evening.close()
        finally:
            book.close()

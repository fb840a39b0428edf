"""Simulated hands play a whole game through the chips, in free time: an evening in seconds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from drivers.clock import FreeClock
from firmware_host.config import Config
from firmware_host.hands import Hands
from firmware_host.inbox import Begin
from firmware_host.journal import InlineWriter, Journal, Record
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.table import Event, Table
from game_logic import load

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")
LONGEST = 24 * 3600.0  # s of virtual time that no game takes
START = 1_000_000.0  # a clock that starts at 0 hides mistakes


class Demo(NamedTuple):
    """How it went. `disagreements` are moves that the table took otherwise than hands made them."""

    record: Record
    moves: int
    seconds: float
    latencies: tuple[float, ...]
    mistakes: dict[str, int]
    disagreements: tuple[str, ...]


class Unfinished(RuntimeError):
    """The game did not come to its end; the message says where it stopped."""


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
) -> Demo:
    """Play one game to its end. Without a journal file it is kept in a temporary one."""
    with TemporaryDirectory() as folder:
        book = Journal.open(journal or Path(folder) / "demo.db")
        try:
            return _play(config, game, seed, seats, mistakes, faults, book, listen)
        finally:
            book.close()


def _play(
    config: Config,
    game: str,
    seed: int,
    seats: int | None,
    mistakes: float,
    faults: str,
    journal: Journal,
    listen: Callable[[Event, SimulatedTable], None],
) -> Demo:
    rng = random.Random(seed)
    clock = FreeClock(START)
    sim = SimulatedTable(config, clock, seed=seed)
    sim.order(faults)
    latencies: list[float] = []
    moves = 0

    def heard(event: Event) -> None:
        nonlocal moves
        hands.heard(event)
        moves += len(event.acts) if event.kind == "move" else 0
        if event.latency is not None:
            latencies.append(event.latency)
        listen(event, sim)

    table = Table(
        sim.parts,
        InlineWriter(journal, clock.now),
        clock,
        below=rng.randrange,
        language=config.language,
        listen=heard,
    )
    hands = Hands(table, sim, clock.now, rng.randrange, mistakes)
    names = NAMES[: seats or load(game).seats[0]]
    table.inbox.put(Begin(game, names, key=rng.randbytes(32)))

    def over() -> bool:
        record = table.snapshot.record
        return record is not None and record.ended is not None

    run_free(table, clock, sim.agenda, hands.step, until=over, most=LONGEST)
    record = table.snapshot.record
    if record is None or not over():
        shot = table.snapshot
        said = shot.question or shot.notice or shot.trouble
        raise Unfinished(f"after {clock.now() - START:.0f} s the table waits with: {said}")
    return Demo(
        record,
        moves,
        clock.now() - START,
        tuple(latencies),
        hands.made,
        tuple(hands.disagreements),
    )

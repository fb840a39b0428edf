"""Many games by simulated hands, with every kind of fault in turn: what was taken wrongly, and what
was lost. The figures that a table is judged by."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from drivers.mcp23017 import WIDTH
from drivers.sim.contacts import Contacts
from drivers.sim.faults import KINDS, Faults, Kind
from drivers.sim.pins import SimPins
from firmware_host.config import PROFILES, Config, profile
from firmware_host.demo import Unfinished, demo
from firmware_host.simulated import SimulatedTable
from firmware_host.workers import spread
from game_logic import load

SOUND = "none"  # no fault at all
ALL = "all"  # every kind at once
EPISODE = 2.0  # s that a fault without a probability lasts
STRIKE = 60.0  # s, on average, between two moments without power, or two restarts of a tower
FIRST = 40.0  # s within which the first episode begins, so that short games have one too
SUDDEN = ("brownout", "tower_reboot")  # over in an instant
HEARD = ("weak_tag",)  # p is the share of calls that are heard, not of those that are not
LONGEST = 4 * 3600.0  # s of table time after which a game will not end any more
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "dig_your_way_out": {"target": 2},  # by random hands, twelve tunnel points take all evening
}


class Trial(msgspec.Struct, frozen=True):
    """So many games of one title at one table with one kind of fault."""

    game: str
    table: str
    fault: str
    games: int
    finished: int
    moves: int
    wrong: int
    lost: int
    again: int
    mistakes: dict[str, int]
    p50_ms: float | None
    p99_ms: float | None
    why: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return self.finished == self.games and not self.wrong and not self.lost


def tables(game: str) -> tuple[str, ...]:
    """The ready-made tables for a game: made for it, or for any."""
    return tuple(
        name for name in PROFILES if profile(name).game == game or not _for_one_game(profile(name))
    )


def _for_one_game(config: Config) -> bool:
    return bool(config.inputs) or any(reader.space for reader in config.reader)


def faults(config: Config, game: str) -> tuple[str, ...]:
    """The kinds that can befall something at this table."""
    sim = SimulatedTable(config, _Clock())
    if config.reader:
        sim.open_box(load(game))
    return tuple(
        name
        for name, kind in sorted(KINDS.items())
        if any(isinstance(target, kind.befalls) for target in sim.faults.targets.values())
    )


class _Clock:
    """Time stands still where chips are only counted."""

    def now(self) -> float:
        return 0.0

    def spend(self, seconds: float) -> None:
        pass


def befall(sim: SimulatedTable, name: str, share: float, seed: int) -> None:
    """Order a kind of fault for all that it can befall: with this probability where it has one,
    else in episodes, so that it is under way for this share of the time. What bounces always
    does."""
    rng = random.Random(seed)
    names = sorted(KINDS) if name == ALL else [name]
    for each in names:
        kind = KINDS[each]
        for target, victim in sim.faults.targets.items():
            if isinstance(victim, kind.befalls):
                _order(sim.faults, kind, target, victim, share, rng)


def _order(
    faults: Faults, kind: Kind, target: str, victim: object, share: float, rng: random.Random
) -> None:
    takes = signature(kind.befall).parameters
    if "p" in takes:
        faults.order(kind.name, target, p=1 - share if kind.name in HEARD else share)
    elif kind.name == "flickering_tag":
        faults.order(kind.name, target, ms=120.0, every=120.0 / share)
    elif kind.name == "bounce":
        for number in _inputs(victim):
            faults.order(kind.name, target, input=number)
    elif kind.name == "dead":
        _episodes(faults, kind, target, share, rng, lambda: {"input": rng.choice(_inputs(victim))})
    else:
        _episodes(faults, kind, target, share, rng, dict)


def _inputs(victim: object) -> Sequence[int]:
    assert isinstance(victim, Contacts)
    return victim.used if isinstance(victim, SimPins) else range(WIDTH)


def _episodes(
    faults: Faults,
    kind: Kind,
    target: str,
    share: float,
    rng: random.Random,
    params: Callable[[], dict[str, Any]],
) -> None:
    """One after the other, as long as the game lasts."""
    gap = STRIKE if kind.name in SUDDEN else EPISODE / share

    def begin(wait: float) -> None:
        faults.order(kind.name, target, after=wait, lasting=EPISODE, **params())
        faults.after(wait + EPISODE, lambda: begin(rng.expovariate(1 / gap)))

    begin(rng.uniform(1.0, FIRST))


class Case(NamedTuple):
    """So many games, from this seed on."""

    game: str
    table: str
    fault: str
    config: Config
    games: int
    seed: int
    mistakes: float
    share: float
    seats: int | None = None


class Played(NamedTuple):
    """What a trial keeps of one game."""

    finished: bool
    why: tuple[str, ...] = ()
    moves: int = 0
    wrong: int = 0
    lost: int = 0
    again: int = 0
    mistakes: Mapping[str, int] = {}
    latencies: tuple[float, ...] = ()


def trials(
    cases: Sequence[Case],
    jobs: int = 1,
    progress: Callable[[Case], None] = lambda case: None,
) -> Generator[Trial, None, None]:
    """Play them all, so many games at a time; each case's figures in turn, once all its games are
    played. `progress` hears of each game."""
    tasks = [(case, seed) for case in cases for seed in range(case.seed, case.seed + case.games)]
    played: dict[int, Played] = {}
    first, waiting = 0, list(cases)
    with closing(spread(_play, tasks, jobs, _died)) as done:
        for number, one in done:
            played[number] = one
            progress(tasks[number][0])
            while waiting and all(n in played for n in range(first, first + waiting[0].games)):
                case = waiting.pop(0)
                yield _tally(case, [played.pop(first + n) for n in range(case.games)])
                first += case.games


def trial(
    game: str,
    table: str,
    fault: str,
    *,
    games: int,
    seed: int,
    mistakes: float,
    share: float,
    seats: int | None = None,
    config: Config | None = None,
) -> Trial:
    """One case, here and now."""
    config = config or profile(table)
    (only,) = trials([Case(game, table, fault, config, games, seed, mistakes, share, seats)])
    return only


def _play(task: tuple[Case, int]) -> Played:
    """One game. Whatever goes wrong in it is its own affair, and not that of the other games."""
    case, seed = task
    try:
        one = demo(
            case.config,
            case.game,
            seed=seed,
            seats=case.seats,
            mistakes=case.mistakes,
            options=OPTIONS.get(case.game),
            order=_ordering(case.fault, case.share, seed),
            most=LONGEST,
        )
    except Unfinished as error:
        return Played(False, (f"seed {seed}: {error}",))
    except Exception as error:
        return Played(False, (f"seed {seed}: crashed with {_last_line(error)}",))
    return Played(
        True,
        tuple(f"seed {seed}: {what}" for what in one.disagreements),
        one.moves,
        len(one.wrong),
        len(one.lost),
        one.again,
        one.mistakes,
        one.latencies,
    )


def _died(task: tuple[Case, int], why: str) -> Played:
    return Played(False, (f"seed {task[1]}: {why}",))


def _last_line(error: Exception) -> str:
    """Of its traceback, and where that was."""
    *_, where = traceback.extract_tb(error.__traceback__)
    said = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    return f"{said} ({Path(where.filename).name}:{where.lineno})"


def _tally(case: Case, played: Sequence[Played]) -> Trial:
    made = sum((Counter(one.mistakes) for one in played), Counter[str]())
    latencies = sorted(latency for one in played for latency in one.latencies)
    return Trial(
        case.game,
        case.table,
        case.fault,
        case.games,
        sum(one.finished for one in played),
        sum(one.moves for one in played),
        sum(one.wrong for one in played),
        sum(one.lost for one in played),
        sum(one.again for one in played),
        dict(made),
        quantile(latencies, 0.5),
        quantile(latencies, 0.99),
        tuple(why for one in played for why in one.why),
    )


def _ordering(fault: str, share: float, seed: int) -> Callable[[SimulatedTable], None]:
    def order(sim: SimulatedTable) -> None:
        if fault != SOUND:
            befall(sim, fault, share, seed)

    return order


def quantile(latencies: Sequence[float], share: float) -> float | None:
    """In milliseconds; the latencies are sorted."""
    if not latencies:
        return None
    at = min(len(latencies) - 1, int(len(latencies) * share))
    return round(latencies[at] * 1000, 1)

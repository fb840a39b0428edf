"""Many games by simulated hands, with every kind of fault in turn: what was taken wrongly, and what
was lost. The figures that a table is judged by."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

import msgspec

from drivers.mcp23017 import WIDTH
from drivers.sim.contacts import Contacts
from drivers.sim.faults import KINDS, Faults, Kind
from drivers.sim.pins import SimPins
from firmware_host.config import PROFILES, Config, profile
from firmware_host.demo import Demo, Unfinished, demo
from firmware_host.simulated import SimulatedTable
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
    "dig_your_way_out": {"target": 4},  # by random hands, twelve tunnel points take all evening
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
    progress: Callable[[], None] = lambda: None,
) -> Trial:
    """Play them all; `progress` hears of each game."""
    config = config or profile(table)
    played: list[Demo] = []
    why: list[str] = []
    for n in range(seed, seed + games):
        order = _ordering(fault, share, n)
        try:
            one = demo(
                config,
                game,
                seed=n,
                seats=seats,
                mistakes=mistakes,
                options=OPTIONS.get(game),
                order=order,
                most=LONGEST,
            )
        except Unfinished as error:
            why.append(f"seed {n}: {error}")
        else:
            played.append(one)
            why += [f"seed {n}: {what}" for what in one.disagreements]
        progress()
    made = sum((Counter(one.mistakes) for one in played), Counter[str]())
    latencies = sorted(latency for one in played for latency in one.latencies)
    return Trial(
        game,
        table,
        fault,
        games,
        len(played),
        sum(one.moves for one in played),
        sum(len(one.wrong) for one in played),
        sum(len(one.lost) for one in played),
        sum(one.again for one in played),
        dict(made),
        quantile(latencies, 0.5),
        quantile(latencies, 0.99),
        tuple(why),
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

"""How often the readers and switches of a table are looked at, and how much bus that takes.

All in virtual time, on simulated chips: beside what the bus and the radio allow at best, and
beside Adafruit's driver, which asks the same readers one after the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import combinations
from math import ceil, dist
from typing import Any

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.mcp23017 import Inputs, Mcp23017
from drivers.pn532 import Pn532
from drivers.pn532_frames import ACK, AROUND, command, list_size
from drivers.readers import Gone, Readers, Seen
from drivers.sim.bus import SimBus
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.pn532 import SimPn532
from drivers.sim.radio import JAMMING, Radio, Tag
from drivers.sim.tca9548a import SimTca9548a
from drivers.tca9548a import Muxes
from firmware_host.bench import Case
from firmware_host.bench.circuitpython import CircuitPythonBus, virtual_time

SPEEDS = (100_000, 400_000)
TABLES = {1: 1, 6: 3, 12: 4, 64: 8}  # readers: in a row
PITCH = 80.0  # mm between them
TAGGED = 3  # every so many readers has a tag on it
SECONDS = 5.0
PATIENCE = 0.05  # of Adafruit's driver: the least in which it finds a tag that lies there
SQUARES = 61


class Places:
    """A table of so many readers, all its chips simulated; a tag lies on every third of them."""

    def __init__(self, count: int, hz: int, *, most: int = 4, seed: int = 1) -> None:
        self.most = most  # tags that are looked for on each
        self.clock = FreeClock()
        self.sim = SimBus(self.clock, hz)
        self.bus = Bus(self.sim, self.clock)
        self.radio = Radio(self.sim.agenda, seed)
        self.muxes = [SimTca9548a(0x70 + n) for n in range(ceil(count / 8) if count > 1 else 0)]
        for mux in self.muxes:
            self.sim.attach(mux)
        self.known = Muxes(self.bus, self.clock, {mux.address: mux.reset for mux in self.muxes})
        self.chips: dict[str, SimPn532] = {}
        self.tags: dict[str, Tag] = {}
        readers = []
        for n in range(count):
            row, column = divmod(n, TABLES[count])
            name = f"{row + 1}.{column + 1}"
            antenna = self.radio.antenna(PITCH * column, PITCH * row)
            chip = self.chips[name] = SimPn532(self.sim.agenda, antenna)
            if self.muxes:
                self.muxes[n // 8].channels[n % 8].attach(chip)
            else:
                self.sim.attach(chip)
            wire = self.known.channel(0x70 + n // 8, n % 8) if self.muxes else self.bus
            readers.append(Pn532(wire, self.clock, name, most=most))
            if n % TAGGED == 0:
                self.tags[name] = Tag(bytes((4, n, *b"place")))
                self.radio.put(self.tags[name], antenna.place)
        self.conflicts = [
            (one, other)
            for one, other in combinations(self.chips, 2)
            if dist(self.chips[one].antenna.place, self.chips[other].antenna.place) <= JAMMING
        ]
        self.readers = Readers(readers, self.clock, conflicts=self.conflicts)

    def run(self, seconds: float) -> list[Seen | Gone]:
        events: list[Seen | Gone] = []
        end = self.clock.now() + seconds
        while self.clock.now() < end:
            events += self.readers.step(self.clock.now())
            self.clock.advance_to(self.readers.next_due)
        return events

    @property
    def wrong(self) -> float:
        """The share of readers whose tags we know wrongly at this moment."""
        there = {name: [self.tags[name].uid.hex()] for name in self.tags}
        wrong = [
            self.readers.present(name) != frozenset(there.get(name, ())) for name in self.chips
        ]
        return sum(wrong) / len(wrong)

    def rounds(self, seconds: float) -> tuple[float, float]:
        """(rounds a second, share of the bus): in a round every reader is looked at."""
        before = [health.reads for health in self.readers.healths]
        used, began = self.bus.traffic.seconds, self.clock.now()
        self.run(seconds)
        passed = self.clock.now() - began
        looks = [
            health.reads - reads for health, reads in zip(self.readers.healths, before, strict=True)
        ]
        return min(looks) / passed, (self.bus.traffic.seconds - used) / passed


def limit(places: Places) -> float:
    """Rounds a second that nothing can exceed.

    The bytes of all readers share one bus. And in a group of readers that may not be on together,
    each has the air for itself from its command until its field is off again: the time of its
    radio, and of the bytes that cross before and after it.
    """
    costs = {name: _look_cost(name in places.tags, places) for name in places.chips}
    bus = sum(octets for octets, _ in costs.values())
    neighbours: dict[str, set[str]] = {name: set() for name in places.chips}
    for one, other in places.conflicts:
        neighbours[one].add(other)
        neighbours[other].add(one)
    return 1 / max(bus, *(sum(costs[each][1] for each in group) for group in _groups(neighbours)))


def _look_cost(tagged: bool, places: Places) -> tuple[float, float]:
    """(seconds of bus, seconds of air) of one look, at best."""
    timing, hz = places.chips[next(iter(places.chips))].timing, places.sim.hz

    def crossing(*sizes: int) -> float:  # each a transaction with its START, address and STOP
        return sum(2 + 9 * (1 + size) for size in sizes) / hz

    call, ack = len(command(0x4A, 1, 0)), 1 + len(ACK)
    release, release_answer = len(command(0x52, 0)), 1 + AROUND + 1
    off = len(command(0x32, 1, 0))
    uid = len(places.tags[next(iter(places.tags))].uid)
    select = [1] if places.muxes else []
    empty, full = 1 + list_size(None), 1 + list_size(uid)
    begin, nobody = timing.ack + timing.think, (1 + _retries(places)) * timing.attempt
    field, found = begin + timing.power_up, timing.select * ceil(uid / 4)
    if not tagged:
        air = crossing(call, empty, off) + field + nobody
        return crossing(*select, call, ack, empty, off, ack), air
    if places.most == 1:
        air = crossing(call, full, off) + field + found
        return crossing(*select, call, ack, full, off, ack), air
    air = crossing(call, full, release, release_answer, call, empty, off)
    air += field + found + begin + timing.halt + begin + nobody
    exchanges = (call, ack, full, release, ack, release_answer, call, ack, empty)
    return crossing(*select, *exchanges, off, ack), air


def _retries(places: Places) -> int:
    return next(iter(places.chips.values())).retries


def _groups(neighbours: dict[str, set[str]]) -> Iterator[frozenset[str]]:
    """All the groups in which each disturbs each, and that no further reader can join."""

    def grow(group: frozenset[str], able: set[str], done: set[str]) -> Iterator[frozenset[str]]:
        if not able and not done:
            yield group
        for name in sorted(able):
            yield from grow(group | {name}, able & neighbours[name], done & neighbours[name])
            able = able - {name}
            done = done | {name}

    return grow(frozenset(), set(neighbours), set())


class Adafruit:
    """Adafruit's driver asking the readers of a table one by one."""

    def __init__(self, places: Places, *, field_off: bool) -> None:
        """Raises ImportError where it is not installed."""
        pn532: Any = import_module("adafruit_pn532.i2c")
        tca9548a: Any = import_module("adafruit_tca9548a")
        self._places = places
        self._field_off = field_off
        i2c = CircuitPythonBus(places.sim)
        muxes = [tca9548a.TCA9548A(i2c, mux.address) for mux in places.muxes]
        with virtual_time(places.clock):
            self._readers = {
                name: pn532.PN532_I2C(muxes[n // 8][n % 8] if muxes else i2c)
                for n, name in enumerate(places.chips)
            }

    def rounds(self, count: int) -> tuple[float, float]:
        """(rounds a second, share of readings that are wrong)"""
        places, wrong = self._places, 0
        began = places.clock.now()
        with virtual_time(places.clock):
            for _ in range(count):
                for name, reader in self._readers.items():
                    found = reader.read_passive_target(timeout=PATIENCE)
                    there = places.tags[name].uid if name in places.tags else None
                    wrong += (bytes(found) if found else None) != there
                    if self._field_off:
                        reader.call_function(0x32, params=[0x01, 0x00])
        passed = places.clock.now() - began
        return count / passed, wrong / count / len(self._readers)


def hot_latencies(hz: int, times: int = 300) -> list[float]:
    """Seconds from a tag put down to its reading, on the hot spaces of twelve."""
    places = Places(12, hz)
    rng = random.Random(2)
    hot = ["1.2", "2.1", "2.3", "3.4"]
    places.readers.hot(hot)
    places.run(1.0)
    tag, found = Tag(bytes((4, 255, *b"moved"))), []
    for _ in range(times):
        places.run(rng.uniform(0.0, 0.3))
        reader, put = rng.choice(hot), places.clock.now()
        places.radio.put(tag, places.chips[reader].antenna.place)
        found.append(_until(places, lambda event: isinstance(event, Seen), tag) - put)
        places.radio.take(tag)
        _until(places, lambda event: isinstance(event, Gone), tag)
    return found


def _until(places: Places, told: Callable[[Seen | Gone], bool], tag: Tag) -> float:
    end = places.clock.now() + 5.0
    while places.clock.now() < end:
        for event in places.run(0.0005):
            if told(event) and event.uid == tag.uid.hex():
                return event.at
    raise AssertionError("a tag was put down or taken, and nobody noticed")


def switch_latencies(hz: int, *, wired: bool, times: int = 300) -> list[float]:
    """Seconds from a switch to its reading, on a board of squares; with interrupt lines or not."""
    clock = FreeClock()
    sim = SimBus(clock, hz)
    bus = Bus(sim, clock)
    chips = [SimMcp23017(0x20 + n, sim.agenda) for n in range(ceil(SQUARES / 16))]
    for chip in chips:
        sim.attach(chip)
    expanders = [Mcp23017(bus, chip.address, clock) for chip in chips]
    lines = [chip.interrupt_a.asserted for chip in chips] if wired else ()
    inputs = Inputs(expanders, clock, lines=lines)
    rng, found = random.Random(3), []
    inputs.step(clock.now())
    for _ in range(times):
        _advance(inputs, clock, clock.now() + rng.uniform(0.02, 0.3))
        square = rng.randrange(SQUARES)
        chip, closed = chips[square // 16], clock.now()
        chip.set_input(square % 16, False)
        edge = _edge(inputs, clock, square, until=closed + 1.0)
        found.append(edge - closed)
        _advance(inputs, clock, clock.now() + 0.05)
        chip.set_input(square % 16, None)
        _edge(inputs, clock, square, until=clock.now() + 1.0)
    return found


def _advance(inputs: Inputs, clock: FreeClock, until: float) -> None:
    while clock.now() < until:
        inputs.step(clock.now())
        clock.advance_to(min(until, inputs.next_due))


def _edge(inputs: Inputs, clock: FreeClock, square: int, until: float) -> float:
    while clock.now() < until:
        for edge in inputs.step(clock.now()):
            if edge.input == square:
                return edge.at
        clock.advance(0.0005)  # as soon as the loop comes round
    raise AssertionError("a switch has moved, and nobody noticed")


def p99(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[ceil(0.99 * len(ordered)) - 1]


def cases(seconds: float = SECONDS) -> Iterator[Case]:
    for count in TABLES:
        for hz in SPEEDS:
            yield from _readers(count, hz, seconds)
    for hz in SPEEDS:
        slowest = 1000 * p99(hot_latencies(hz))
        yield _case(f"tag to reading, hot, 12 readers, {hz // 1000} kHz, p99", slowest, "ms")
        for wired, how in ((False, "polled"), (True, "with interrupt lines")):
            slowest = 1000 * p99(switch_latencies(hz, wired=wired))
            what = f"switch to reading, {SQUARES} squares {how}, {hz // 1000} kHz, p99"
            yield _case(what, slowest, "ms")


def _readers(count: int, hz: int, seconds: float) -> Iterator[Case]:
    what = f"{count} reader{'s' if count > 1 else ''}, {hz // 1000} kHz"
    places = Places(count, hz)
    places.run(3.0)
    ours, share = places.rounds(seconds)
    yield _case(f"{what}, up to 4 tags each, beside the limit", ours, "rounds/s", limit(places))
    yield _case(f"{what}, up to 4 tags each, share of the bus", 100 * share, "%")
    # Adafruit's driver finds one tag on a reader: that is what it is compared in.
    single = Places(count, hz, most=1)
    single.run(3.0)
    ours, _ = single.rounds(seconds)
    yield _case(f"{what}, one tag each, beside the limit", ours, "rounds/s", limit(single))
    try:
        theirs, _ = Adafruit(Places(count, hz), field_off=True).rounds(5)
        _, wrong = Adafruit(Places(count, hz), field_off=False).rounds(5)
    except ImportError:
        note = "Adafruit's driver is not installed: pip install 'cavale[test]'"
        yield _case(f"{what}, one tag each ({note})", ours, "rounds/s")
        return
    yield _case(f"{what}, one tag each, beside Adafruit's driver", ours, "rounds/s", theirs)
    told = f"{what}, wrong readings, beside Adafruit's driver with all fields left on"
    yield _case(told, 100 * single.wrong, "%", 100 * wrong)


def _case(what: str, ours: float, unit: str, peer: float | None = None) -> Case:
    return Case(
        bench="bus",
        case=what,
        ours=round(ours, 2),
        peer=round(peer, 2) if peer is not None else None,
        unit=unit,
        ratio=round(ours / peer, 3) if peer else None,
    )

"""Buses and chips: is it there, is it what it should be, does it always answer?

The chips are used through the drivers that the daemon uses, for long enough that a loose contact
shows. A bus that is stuck costs one timeout, and its chips are not asked.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from drivers.bus import Bus, BusError, BusStuck, NoAnswer, Wire
from drivers.clock import Clock
from drivers.health import Health
from drivers.mcp23017 import Mcp23017
from drivers.pn532 import ADDRESS, FIRMWARE
from drivers.pn532_frames import ACK, AROUND, Answer, command, decode
from drivers.tca9548a import CHANNELS, Mux, MuxStuck
from firmware_host.config import Config
from firmware_host.config_parts import ReaderPart
from firmware_host.doctor.findings import Finding, State, finding
from firmware_host.parts import open_muxes, open_readers, reset_of, wire

ADDRESSES = range(0x08, 0x78)
ROUNDS = 100  # times that a chip is asked
TRIES = 5  # in vain, before it is given up
PAUSE = 0.3  # s after a failure: longer than a driver sets its chip aside for at first
PATIENCE = 3.0  # s for a chip that fails again and again
LOOKS = 10  # of every reader
LOOKING = 4.0  # s for all the readers of a bus together
ANSWERING = 0.05  # s that a reader has for its version
NOP = b"\x00\xe3"  # to a screen
FIELD_OFF = command(0x32, 0x01, 0x00)

Verdict = tuple[str, dict[str, object]]  # the code of a finding, and what its sentences tell


class Chips:
    """The chips of a table. `idle` lets so many seconds pass."""

    def __init__(
        self, config: Config, clock: Clock, resets: dict[int, Any], idle: Callable[[float], None]
    ) -> None:
        self._config = config
        self._clock = clock
        self._resets = resets
        self._idle = idle

    def examine(self, number: int, bus: Bus | None) -> Iterator[Finding]:
        """All that is on a bus; None for one that cannot be opened."""
        what, where = f"bus {number}", f"i2c-{number}"
        blocked = what if bus is None else ""
        found: dict[int, bool] = {}
        if bus is not None:
            try:
                found = {n: held for n in ADDRESSES if (held := _probe(bus, n)) is not None}
            except BusError as error:
                blocked = what
                yield finding("stuck", what, where, detail=str(error))
            else:
                chips = _list(found)
                yield finding("bus" if found else "bus_empty", what, where, chips=chips)
            for address in (address for address, held in found.items() if held):
                yield finding("held", f"chip 0x{address:02x}", what)
        lost: set[str] = set()
        for name, address, check in self._checks(number):
            if bus is None or blocked:
                yield finding("unasked", name, what, why=blocked)
                continue
            try:
                code, fields = check(bus, address)
            except NoAnswer as error:
                others = _list(found.keys() - self._addresses(number))
                code = "missing_others" if others else "missing"
                fields = {"others": others, "detail": str(error)}
            except BusStuck as error:
                blocked = what
                yield finding("stuck", what, where, detail=str(error))
                code, fields = "unasked", {"why": blocked}
            told = finding(code, name, what, **fields)
            yield told
            if told.state is State.SICK:
                lost.add(name)
            if code.endswith("hung"):
                blocked = name  # it is in the way of everything behind the others
        yield from self._readers(number, bus, lost, blocked)

    def _checks(self, number: int) -> Iterator[tuple[str, int, Callable[[Bus, int], Verdict]]]:
        """What is on the bus itself: name, address, and how it is examined."""
        config = self._config
        if config.expanders and config.expanders.bus == number:
            for address in config.expanders.addresses:
                yield f"expander 0x{address:02x}", address, self._expander
        for screen in config.screen:
            if screen.bus == number:
                yield f"screen 0x{screen.address:02x}", screen.address, self._screen
        for mux in config.mux:
            if mux.bus == number:
                yield f"mux 0x{mux.address:02x}", mux.address, self._mux

    def _addresses(self, number: int) -> set[int]:
        """Those that somebody in table.toml answers at."""
        readers = {ADDRESS for part in self._config.reader if part.bus == number}
        return readers | {address for _, address, _ in self._checks(number)}

    # -- how each is examined: NoAnswer is missing, BusStuck is no longer its own matter ---------

    def _expander(self, bus: Bus, address: int) -> Verdict:
        chip = Mcp23017(bus, address, self._clock)
        before = (bus.traffic.transactions, bus.traffic.errors)
        until = self._clock.now() + PATIENCE
        for n in range(ROUNDS):
            if chip.poll() is None:
                self._idle(PAUSE)
            if n + 1 == TRIES and not chip.health.reads:
                _answering(lambda: bus.read(address, 1))
                if chip.health.misses:
                    return "not_mcp23017", {"detail": chip.health.last_error, "health": chip.health}
            if self._clock.now() >= until:
                break
        return _asked(bus, before, "MCP23017", chip.health)

    def _screen(self, bus: Bus, address: int) -> Verdict:
        (part,) = [p for p in self._config.screen if (f"{p.bus}", p.address) == (bus.name, address)]
        flaky = _flaky(lambda: bus.write(address, NOP, attempts=1))
        return flaky or ("chip", {"chip": part.kind.upper()})

    def _mux(self, bus: Bus, address: int) -> Verdict:
        (part,) = [p for p in self._config.mux if (f"{p.bus}", p.address) == (bus.name, address)]
        reset = reset_of(part, self._resets)
        mux = Mux(bus, address, self._clock, reset)
        before = (bus.traffic.transactions, bus.traffic.errors)
        hung, failed = "", 0  # in a row
        until = self._clock.now() + PATIENCE
        for n in range(ROUNDS):
            if self._clock.now() >= until:
                break
            try:
                mux.doubt()  # so that it is read back each time
                mux.open(n % CHANNELS)
            except BusStuck:
                raise
            except BusError as error:
                hung = str(error) if isinstance(error, MuxStuck) else hung
                failed += 1
                if failed == TRIES and hung:
                    code = "mux_hung" if reset is None else "mux_still_hung"
                    return code, {"pin": part.reset, "detail": hung, "health": mux.health}
                if failed == TRIES and not mux.health.reads:
                    raise
                self._idle(PAUSE)
            else:
                failed = 0
        with suppress(NoAnswer):
            mux.close()
        if hung:
            return "mux_freed", {"detail": hung, "health": mux.health}
        return _asked(bus, before, "TCA9548A", mux.health)

    # -- readers ----------------------------------------------------------------------------------

    def _readers(
        self, number: int, bus: Bus | None, lost: set[str], blocked: str
    ) -> Iterator[Finding]:
        parts = {part.name: part for part in self._config.reader if part.bus == number}
        verdicts: dict[str, Verdict] = {}
        wires: dict[str, Wire] = {}
        versions: dict[str, str] = {}
        if bus is not None and parts:
            muxes = open_muxes(self._config, self._clock, bus, number, self._resets)
            wires = {name: wire(part, bus, muxes) for name, part in parts.items()}
        for name, part in parts.items():
            mux = f"mux 0x{part.mux:02x}" if part.mux is not None else ""
            if bus is None or blocked or mux in lost:
                verdicts[name] = "unasked", {"why": blocked or mux}
                continue
            try:
                flaky = _flaky(partial(wires[name].read, ADDRESS, 1, attempts=1))
                if flaky:
                    verdicts[name] = flaky
                else:
                    versions[name] = self._version(wires[name])
            except BusStuck as error:
                blocked = f"bus {number}"
                yield finding("stuck", blocked, f"i2c-{number}", detail=str(error))
                verdicts[name] = "unasked", {"why": blocked}
            except BusError as error:
                verdicts[name] = "missing", {"detail": str(error)}
        asked = {name: wires[name] for name in parts if name not in verdicts}
        verdicts |= self._looked(asked, versions)
        for name, part in parts.items():
            code, fields = verdicts[name]
            yield finding(code, f"reader {name}", _place(part), **fields)

    def _looked(self, wires: dict[str, Wire], versions: dict[str, str]) -> dict[str, Verdict]:
        """Let all of them look at once, as at the table, for long enough to know them."""
        readers = open_readers(self._config, self._clock, wires, self._resets)
        until = self._clock.now() + LOOKING
        while any(health.reads < LOOKS for health in readers.healths):
            now = self._clock.now()
            if now >= until:
                break
            readers.step(now)
            self._idle(max(0.0, min(readers.next_due, until) - self._clock.now()))
        verdicts: dict[str, Verdict] = {}
        for name, health in zip(wires, readers.healths, strict=True):
            broken, tags = health.misses + health.errors, readers.present(name)
            fields: dict[str, object] = {"detail": health.last_error, "health": health}
            fields["broken"] = broken
            if not health.reads:
                verdicts[name] = "reader_deaf", fields
            elif broken:
                verdicts[name] = "reader_flaky", {"messages": health.reads + broken, **fields}
            else:
                verdicts[name] = (
                    "reader",
                    {
                        "version": versions[name],
                        "tags": len(tags or ()),
                        "health": health,
                    },
                )
            with suppress(BusError):
                wires[name].write(ADDRESS, FIELD_OFF)
        return verdicts

    def _version(self, wire: Wire) -> str:
        """As the chip itself tells it; "?" if it does not."""
        until = self._clock.now() + ANSWERING
        _answering(partial(wire.write, ADDRESS, command(FIRMWARE)))
        for size in (len(ACK), AROUND + 4):
            answer = b""
            while not answer and self._clock.now() < until:
                self._idle(0.001)
                with suppress(NoAnswer):  # it is busy
                    if wire.read(ADDRESS, 1)[0] & 1:
                        answer = wire.read(ADDRESS, 1 + size)[1:]
        got = decode(answer)
        if isinstance(got, Answer) and got.command == FIRMWARE and len(got.data) == 4:
            return f"{got.data[1]}.{got.data[2]}"
        return "?"


def _probe(bus: Bus, address: int) -> bool | None:
    """None if nobody answers; else whether a kernel driver holds the address."""
    held = False
    try:
        return False if bus.probe(address) else None
    except BusStuck:
        raise
    except BusError as error:
        # Some controllers (a Pi 5's) cannot send a bare address: then a byte is read instead.
        number = getattr(error.__cause__, "errno", None)
        held = number == errno.EBUSY
        if not held and number != errno.EOPNOTSUPP:
            raise
    try:
        bus.read(address, 1, attempts=1)
    except NoAnswer:
        return True if held else None
    return held


def _answering(exchange: Callable[[], object]) -> None:
    """Try until it answers; NoAnswer if it never does. One that sleeps is woken by the first."""
    for left in reversed(range(TRIES)):
        try:
            exchange()
            return
        except NoAnswer:
            if not left:
                raise


def _flaky(exchange: Callable[[], object]) -> Verdict | None:
    """Does it answer each time, once it has answered at all?"""
    _answering(exchange)
    broken = 0
    for _ in range(ROUNDS):
        try:
            exchange()
        except NoAnswer:
            broken += 1
    return ("flaky", {"broken": broken, "messages": ROUNDS}) if broken else None


def _asked(bus: Bus, before: tuple[int, int], chip: str, health: Health) -> Verdict:
    """What became of the messages since."""
    messages, broken = bus.traffic.transactions - before[0], bus.traffic.errors - before[1]
    if broken:
        return "flaky", {"broken": broken, "messages": messages, "health": health}
    return "chip", {"chip": chip, "health": health}


def _place(part: ReaderPart) -> str:
    if part.mux is None:
        return f"bus {part.bus}"
    return f"bus {part.bus}, mux 0x{part.mux:02x}.{part.channel}"


def _list(addresses: Iterable[int]) -> str:
    return ", ".join(f"0x{address:02x}" for address in sorted(addresses))

"""`cavale doctor`: every bus, chip, pin, port and permission: found, healthy, how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from drivers.bus import Bus, BusError
from drivers.clock import Clock, FreeClock, RealClock
from drivers.panel import Panel, PinError
from firmware_host.config import Config
from firmware_host.doctor import machine
from firmware_host.doctor.chips import Chips
from firmware_host.doctor.findings import Finding, State, finding
from firmware_host.doctor.tower import ping
from firmware_host.parts import Sources, open_panel, open_resets
from firmware_host.parts import machine as of_the_machine
from firmware_host.simulated import SimulatedTable

__all__ = ["Finding", "State", "examine", "examine_simulated"]


def examine(config: Config, journal: Path) -> Iterator[Finding]:
    """The table that is wired to this machine."""
    clock = RealClock()
    yield from machine.software()
    yield from machine.groups(config)
    yield from machine.journal(journal)
    yield from machine.two_pin_libraries()
    for number in config.buses():
        yield machine.speed(number, config.hz(number))
    yield from _devices(config, clock, of_the_machine(clock), clock.spend)


def examine_simulated(sim: SimulatedTable, clock: FreeClock, journal: Path) -> Iterator[Finding]:
    """A table of simulated chips, in free time. Its `parts` must not be open."""

    def idle(seconds: float) -> None:
        until = clock.now() + seconds
        while (due := sim.agenda.next_due) is not None and due <= until:
            clock.advance_to(due)
            sim.agenda.run()
        clock.advance_to(until)

    yield from machine.software()
    yield from machine.journal(journal)
    yield from _devices(sim.config, clock, sim.sources, idle)


def _devices(
    config: Config, clock: Clock, sources: Sources, idle: Callable[[float], None]
) -> Iterator[Finding]:
    yield from machine.spaces(config)
    panel: Panel | None = None
    resets: dict[int, Any] = {}
    buses: dict[int, Bus] = {}
    try:
        if any(config.pins()):
            code = "pins_none"
            try:
                pins = sources.pins()
                code = "pins_taken"
                panel = open_panel(config, clock, pins, lambda: None)
                resets = open_resets(config, pins)
                used = len({pin for _, pin in config.pins()})
                yield finding("pins", "pins", library=type(pins).__name__, count=used)
            except PinError as error:
                yield finding(code, "pins", detail=str(error))
        if panel is not None:
            yield from _buttons(config, panel, clock)
        for number in config.buses():
            try:
                buses[number] = sources.bus(number)
            except BusError as error:
                yield _closed(number, error)
        chips = Chips(config, clock, resets, idle)
        read = config.expanders is not None
        for number in config.buses():
            for each in chips.examine(number, buses.get(number)):
                yield each
                read = read and not (each.what.startswith("expander") and each.state is State.SICK)
        # One that was not read may hold the line with good reason.
        if panel and read and config.expanders and config.expanders.interrupt is not None:
            code = "line_low" if panel.interrupted() else "line"
            pin = config.expanders.interrupt
            yield finding(code, "interrupt", f"GPIO{pin}", pin=pin)
        if config.tower:
            yield ping(config.tower, sources, clock, idle)
    finally:
        for device in (panel, *resets.values(), *buses.values()):
            if device is not None:
                device.close()


def _buttons(config: Config, panel: Panel, clock: Clock) -> Iterator[Finding]:
    for press in panel.step(clock.now()):
        pin = getattr(config.panel, press.name)
        yield finding("button_closed", f"button {press.name}", f"GPIO{pin}", pin=pin)


def _closed(number: int, error: BusError) -> Finding:
    path = f"/dev/i2c-{number}"
    match error.__cause__:
        case FileNotFoundError():
            code = "bus_none"
        case PermissionError():
            code = "bus_not_ours"
        case _:
            code = "bus_odd"
    return finding(code, f"bus {number}", path, detail=str(error), path=path, number=number)

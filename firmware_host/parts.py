"""The devices of one table, opened: from the machine itself on a Pi, from simulated chips else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gpiozero import DigitalOutputDevice

from drivers.bus import Bus, Wire, open_bus
from drivers.clock import Clock
from drivers.health import Health
from drivers.mcp23017 import Inputs, Mcp23017
from drivers.panel import Panel, PinError, Pins, open_factory
from drivers.pn532 import Pn532, ResetLine
from drivers.readers import Readers
from drivers.ssd1306 import Screen
from drivers.tca9548a import Muxes
from drivers.tower import Tower, open_tower
from drivers.tower_protocol import Cocked, Mark, Roll
from firmware_host.config import Config
from firmware_host.config_parts import DisplayPart, MuxPart, ReaderPart
from firmware_host.health import spoken
from firmware_host.senses import Senses
from firmware_host.texts import TEXTS
from game_logic.core import Text

PAUSE = 0.36  # s between two looks at a space where no legal move happens next,
HOT_PAUSE = 0.12  # and where one may: so often that people do not notice


@dataclass(frozen=True)
class Sources:
    """Where devices come from: the machine, or a simulated table."""

    bus: Callable[[int], Bus]
    pins: Callable[[], Any]  # gpiozero's factory
    tower: Callable[[str, Mark | None], Tower]  # where, and the last roll that was taken


def machine(clock: Clock) -> Sources:
    return Sources(
        bus=lambda number: open_bus(number, clock),
        pins=open_factory,
        tower=lambda where, acked: open_tower(where, clock, acked=acked),
    )


@dataclass
class Parts:
    """What there is. A device that fails is in `healths`, and never stops the others."""

    senses: Senses
    screens: Sequence[Screen] = ()
    panel: Panel | None = None
    readers: Readers | None = None
    tower: Tower | None = None
    tower_dice: tuple[str, ...] = ()
    healths: list[Health] = field(default_factory=list)
    closing: list[Callable[[], None]] = field(default_factory=list)
    dice: Roll | Cocked | None = None
    """The tower's last report. A roll that is not acknowledged is followed by no other."""
    thrown: float | None = None
    """When dice last fell through the beam."""
    noticed: float = float("-inf")
    """When a hand was last noticed: at a button, on the board, by the dice."""
    display: DisplayPart = field(default_factory=DisplayPart)
    """How bright the screens are, and when they rest."""

    def trouble(self, now: float) -> Text | None:
        """The first device that does not answer, by name; or what sensors cannot make out."""
        for health in self.healths:
            if health.state == "failed":
                return TEXTS("not_answering", name=spoken(health.name))
        return self.senses.trouble(now)

    def step(self, now: float) -> list[str]:
        """Let everything look that looks; the buttons that were pressed. What has been seen is in
        `senses`, `readers`, `dice` and `thrown`."""
        pressed = []
        for press in self.panel.step(now) if self.panel else ():
            self.noticed = press.at
            if press.name == "beam":
                self.thrown = press.at
            else:
                pressed.append(press.name)
        self.senses.step(now)
        for event in self.tower.step(now) if self.tower else ():
            if isinstance(event, Roll | Cocked):
                self.dice = event
                self.noticed = now
        self.noticed = max(self.noticed, self.senses.noticed)
        return pressed

    @property
    def has_buttons(self) -> bool:
        """Can people go through a menu?"""
        return self.panel is not None and self.panel.has("next") and self.panel.has("confirm")

    @property
    def next_due(self) -> float:
        due = self.senses.next_due
        if self.panel is not None:
            due = min(due, self.panel.next_due)
        return min(due, self.tower.next_due) if self.tower is not None else due

    @property
    def news(self) -> tuple[object, ...]:
        """Other than before: something was sensed."""
        return (self.senses.news, self.dice, self.thrown, self.noticed)

    def close(self, now: float) -> None:
        """Dark and silent, as far as the devices still listen."""
        for screen in self.screens:
            screen.off()
            screen.step(now)
        for close in self.closing:
            close()


def open_parts(
    config: Config,
    clock: Clock,
    wake: Callable[[], None],
    sources: Sources | None = None,
    *,
    acked: Mark | None = None,
) -> Parts:
    """All devices that the configuration names. `acked`: the tower's last roll in the journal."""
    sources = sources or machine(clock)
    pins = sources.pins() if any(config.pins()) else None
    buses = {number: sources.bus(number) for number in config.buses()}
    panel = open_panel(config, clock, pins, wake)
    chips, inputs = _inputs(config, clock, buses, panel)
    screens = [
        Screen(buses[part.bus], part.address, clock, kind=part.kind, rotate=part.rotate)
        for part in config.screen
    ]
    resets = open_resets(config, pins)
    muxes = {
        number: open_muxes(config, clock, bus, number, resets) for number, bus in buses.items()
    }
    wires = {part.name: wire(part, buses[part.bus], muxes[part.bus]) for part in config.reader}
    readers = open_readers(config, clock, wires, resets) if config.reader else None
    tower = sources.tower(config.tower.port, acked) if config.tower else None
    healths = [*(b.health for b in buses.values()), *(c.health for c in chips)]
    healths += [screen.health for screen in screens]
    healths += [health for each in muxes.values() for health in each.healths]
    healths += readers.healths if readers else ()
    healths += [tower.health] if tower else []
    closing: list[Callable[[], None]] = [panel.close, *(line.close for line in resets.values())]
    closing += [tower.close] if tower else []
    closing += [bus.close for bus in buses.values()]
    dice = config.tower.dice if config.tower else ()
    senses = Senses(config, inputs, readers)
    return Parts(
        senses,
        screens,
        panel,
        readers,
        tower,
        dice,
        healths,
        closing,
        display=config.display,
    )


def open_panel(config: Config, clock: Clock, pins: Any, wake: Callable[[], None]) -> Panel:
    names = Pins(**{f: getattr(config.panel, f) for f in config.panel.__struct_fields__})
    interrupt = config.expanders.interrupt if config.expanders else None
    return Panel(names, clock, factory=pins, wake=wake, interrupt=interrupt)


def open_resets(config: Config, pins: Any) -> dict[int, Any]:
    """The RESET lines of multiplexers and readers, by pin: on is low."""
    lines: dict[int, Any] = {}
    for key, pin in config.pins():
        if not key.endswith(".reset") or pin in lines:
            continue
        try:
            lines[pin] = DigitalOutputDevice(pin, active_high=False, pin_factory=pins)
        except Exception as error:  # pin libraries have errors of their own
            for line in lines.values():
                line.close()
            raise PinError(
                f"a reset line cannot have GPIO{pin}: {error}. "
                "Is it taken by another program or a dtoverlay?"
            ) from error
    return lines


def open_muxes(
    config: Config, clock: Clock, bus: Bus, number: int, resets: dict[int, Any]
) -> Muxes:
    """All the multiplexers of one bus."""
    parts = [part for part in config.mux if part.bus == number]
    return Muxes(bus, clock, {part.address: reset_of(part, resets) for part in parts})


def reset_of(part: MuxPart, resets: dict[int, Any]) -> Callable[[bool], None] | None:
    """How a multiplexer is reset: called with True to hold it low; None where that cannot be."""
    line = None if part.reset is None else resets.get(part.reset)
    return None if line is None else partial(_pull, line)


def wire(part: ReaderPart, bus: Bus, muxes: Muxes) -> Wire:
    """What a reader is on: a channel of a multiplexer, or the bus itself."""
    if part.mux is None or part.channel is None:
        return bus
    return muxes.channel(part.mux, part.channel)


def open_readers(
    config: Config, clock: Clock, wires: dict[str, Wire], resets: dict[int, Any]
) -> Readers:
    """Those readers whose wire is given."""
    lines: dict[int | None, ResetLine] = {
        pin: ResetLine(partial(_pull, line)) for pin, line in resets.items()
    }
    readers = [
        Pn532(wires[part.name], clock, part.name, reset=lines.get(part.reset))
        for part in config.reader
        if part.name in wires
    ]
    pairs = [pair for pair in config.conflicts() if set(pair) <= wires.keys()]
    return Readers(readers, clock, conflicts=sorted(pairs), pause=PAUSE, hot_pause=HOT_PAUSE)


def _pull(line: Any, low: bool) -> None:
    line.value = low


def _inputs(
    config: Config, clock: Clock, buses: dict[int, Bus], panel: Panel
) -> tuple[list[Mcp23017], Inputs | None]:
    part = config.expanders
    if part is None:
        return [], None
    chips = [Mcp23017(buses[part.bus], address, clock) for address in part.addresses]
    line = panel.interrupted if part.interrupt is not None else None
    inputs = Inputs(
        chips,
        clock,
        lines=[line] * len(chips),
        slow=part.poll_ms / 1000,
        lockout=part.debounce_ms / 1000,
    )
    return chips, inputs

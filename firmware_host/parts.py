"""The devices of one table, opened: from smbus2 and gpiozero on a Pi, from simulated chips else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from drivers.bus import Bus, open_bus
from drivers.clock import Clock
from drivers.health import Health
from drivers.mcp23017 import Inputs, Mcp23017
from drivers.panel import Panel, Pins
from drivers.ssd1306 import Screen
from firmware_host.config import Config
from firmware_host.senses import Senses
from firmware_host.texts import TEXTS
from game_logic.core import Text


@dataclass
class Parts:
    """What there is. A device that fails is in `healths`, and never stops the others."""

    senses: Senses
    screens: Sequence[Screen] = ()
    panel: Panel | None = None
    buses: Sequence[Bus] = ()
    healths: list[Health] = field(default_factory=list)

    def trouble(self) -> Text | None:
        """The first device that does not answer, by name."""
        for health in self.healths:
            if health.state == "failed":
                return TEXTS("not_answering", name=health.name)
        return None

    def close(self, now: float) -> None:
        """Dark and silent, as far as the devices still listen."""
        for screen in self.screens:
            screen.off()
            screen.step(now)
        if self.panel is not None:
            self.panel.close()
        for bus in self.buses:
            bus.close()


def open_parts(
    config: Config,
    clock: Clock,
    wake: Callable[[], None],
    *,
    open: Callable[[int], Bus] | None = None,
    pin_factory: Any = None,
) -> Parts:
    """All devices that the configuration names. `open` and `pin_factory` stand for the real ones
    where chips are simulated."""
    buses: dict[int, Bus] = {}

    def bus(number: int) -> Bus:
        if number not in buses:
            buses[number] = open(number) if open else open_bus(number, clock)
        return buses[number]

    chips: list[Mcp23017] = []
    panel_pins = Pins(**{f: getattr(config.panel, f) for f in config.panel.__struct_fields__})
    interrupt = config.expanders.interrupt if config.expanders else None
    panel = Panel(panel_pins, clock, factory=pin_factory, wake=wake, interrupt=interrupt)
    inputs = None
    if config.expanders:
        part = config.expanders
        chips = [Mcp23017(bus(part.bus), address, clock) for address in part.addresses]
        line = panel.interrupted if interrupt is not None else None
        inputs = Inputs(
            chips,
            clock,
            lines=[line] * len(chips),
            slow=part.poll_ms / 1000,
            lockout=part.debounce_ms / 1000,
        )
    screens = [
        Screen(bus(part.bus), part.address, clock, kind=part.kind, rotate=part.rotate)
        for part in config.screen
    ]
    healths = [*(b.health for b in buses.values()), *(c.health for c in chips)]
    healths += [screen.health for screen in screens]
    return Parts(Senses(config, inputs), screens, panel, tuple(buses.values()), healths)

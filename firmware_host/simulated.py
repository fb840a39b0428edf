"""A whole table of simulated chips, wired as a configuration says."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from drivers.bus import TIMEOUT, Bus
from drivers.clock import Clock
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.pins import SimPins
from drivers.sim.ssd1306 import SimSh1106, SimSsd1306
from firmware_host.config import Config
from firmware_host.parts import Parts, open_parts
from firmware_host.world import World


class BadOrder(ValueError):
    """A fault that cannot be ordered: the message says what can."""


class SimulatedTable:
    """The chips, the board on them, and the parts that the daemon has opened on the chips."""

    def __init__(
        self, config: Config, clock: Clock, wake: Callable[[], None] = lambda: None, seed: int = 0
    ) -> None:
        self.config = config
        self.agenda = Agenda(clock)
        self.buses: dict[int, SimBus] = {}
        self.faults = Faults(self.agenda, seed)
        self.pins = SimPins(self.agenda)
        self.expanders: list[SimMcp23017] = []
        self.oleds: list[SimSsd1306 | SimSh1106] = []
        self._clock = clock
        if config.expanders:
            bus = self._bus(config.expanders.bus)
            for address in config.expanders.addresses:
                chip = SimMcp23017(address, self.agenda)
                bus.attach(chip)
                self.expanders.append(chip)
                self.faults.targets[f"expander 0x{address:02x}"] = chip
            if config.expanders.interrupt is not None:
                self.pins.join(config.expanders.interrupt, [c.interrupt_a for c in self.expanders])
        for part in config.screen:
            oled = (SimSh1106 if part.kind == "sh1106" else SimSsd1306)(part.address)
            self._bus(part.bus).attach(oled)
            self.oleds.append(oled)
            self.faults.targets[f"screen 0x{part.address:02x}"] = oled
        self.world = World(config, self.expanders, self.agenda)
        self.parts: Parts = open_parts(
            config, clock, wake, open=self._opened, pin_factory=self.pins.factory
        )

    def press(self, button: str) -> None:
        """A finger on a button of the panel, for as long as fingers stay."""
        pin = getattr(self.config.panel, button)
        if pin is not None:
            self.pins.press(pin)

    def order(self, faults: str) -> None:
        """Faults in words: "nack expander 0x20 p=0.05; missing screen 0x3c after=5 lasting=9"."""
        for order in filter(None, (part.strip() for part in faults.split(";"))):
            name, *words = order.split()
            params = dict(word.split("=", 1) for word in words if "=" in word)
            target = " ".join(word for word in words if "=" not in word)
            try:
                self.faults.order(name, target, **{k: _value(v) for k, v in params.items()})
            except ValueError as error:
                raise BadOrder(f"fault {order!r}: {error}") from None

    def pictures(self) -> list[Image.Image]:
        """What the screens show: the pixels in the simulated chips."""
        return [oled.image() for oled in self.oleds]

    def _bus(self, number: int) -> SimBus:
        if number not in self.buses:
            self.buses[number] = SimBus(
                self._clock, self.config.hz(number), timeout=TIMEOUT, agenda=self.agenda
            )
            self.faults.targets[f"bus {number}"] = self.buses[number]
        return self.buses[number]

    def _opened(self, number: int) -> Bus:
        return Bus(self._bus(number), self._clock, str(number))


def _value(word: str) -> float | int | bool:
    if word in ("true", "false"):
        return word == "true"
    try:
        return int(word)
    except ValueError:
        return float(word)

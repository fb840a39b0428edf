"""A whole table of simulated chips, wired as a configuration says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

from gpiozero.pins.mock import MockPWMPin
from PIL import Image

from drivers.bus import TIMEOUT, Bus
from drivers.clock import Clock
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.pins import SimPins
from drivers.sim.pn532 import SimPn532
from drivers.sim.radio import Radio
from drivers.sim.serial_line import MemoryLine
from drivers.sim.ssd1306 import SimSh1106, SimSsd1306
from drivers.sim.tca9548a import SimTca9548a
from drivers.sim.tower import SimTower
from drivers.tower import Tower
from drivers.tower_protocol import Mark
from firmware_host.config import Config
from firmware_host.parts import Parts, Sources, open_parts
from firmware_host.tags import Tags
from firmware_host.world import World
from game_logic.core import Game

FACES = 6  # of every die
APART = 1000.0  # mm from any other reader, where the table does not say where one lies


class BadOrder(ValueError):
    """A fault that cannot be ordered: the message says what can."""


class _ResetPin(MockPWMPin):  # type: ignore[misc]
    """An output of the Pi, and the RESET pins of the chips that it is wired to."""

    def __init__(self, factory: Any, info: Any, resets: Sequence[Callable[[bool], None]]) -> None:
        self._resets = resets
        super().__init__(factory, info)

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        for reset in self._resets:
            reset(not value)


class SimulatedTable:
    """The chips, the board on them, and the parts that the daemon opens on the chips."""

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
        self.radio = Radio(self.agenda, seed)
        self.muxes: dict[tuple[int, int], SimTca9548a] = {}
        self.readers: dict[str, SimPn532] = {}
        self.tower: SimTower | None = None
        self._clock = clock
        self._wake = wake
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
        self._wire_readers()
        if config.tower:
            self._line = MemoryLine(self.agenda)
            dice = dict.fromkeys(config.tower.dice, FACES)
            self.tower = SimTower(self.agenda, self._line, dice, seed=seed)
            self.faults.targets["tower"] = self.tower
        self.faults.targets["pins"] = self.pins
        self.world = World(config, self.expanders, self.agenda, self.radio)

    @cached_property
    def parts(self) -> Parts:
        return open_parts(self.config, self._clock, self._wake, self.sources)

    @property
    def sources(self) -> Sources:
        return Sources(self._opened, lambda: self.pins.factory, self._tower)

    def press(self, button: str) -> None:
        """A finger on a button of the panel, for as long as fingers stay."""
        pin = getattr(self.config.panel, button)
        if pin is not None:
            self.pins.press(pin)

    def break_beam(self) -> None:
        """Dice fall down the chute of a tower that does not see them."""
        if self.config.panel.beam is not None:
            self.pins.press(self.config.panel.beam)

    def open_box(self, game: Game[Any], without: Collection[str] = ()) -> None:
        """The pieces and cards of a game, each with a tag that the table knows; `without`: kinds
        of pieces that carry none."""
        tags = Tags.simulated(game)
        for uid, thing in tags.things(game).items():
            if thing.piece is not None and thing.piece.kind in without:
                tags = tags.forget(uid)
        self.parts.senses.tags = tags
        self.world.open_box([(t, bytes.fromhex(uid)) for uid, t in tags.things(game).items()])
        for name, tag in self.world.tags.items():
            self.faults.targets[f"tag {name}"] = tag

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

    def _wire_readers(self) -> None:
        """Muxes, the readers on them, and the lines that reset either."""
        resets: dict[int, list[Callable[[bool], None]]] = {}
        for mux in self.config.mux:
            chip = self.muxes[mux.bus, mux.address] = SimTca9548a(mux.address)
            self._bus(mux.bus).attach(chip)
            self.faults.targets[f"mux 0x{mux.address:02x}"] = chip
            if mux.reset is not None:
                resets.setdefault(mux.reset, []).append(chip.reset)
        for n, part in enumerate(self.config.reader, 1):
            antenna = self.radio.antenna(*(part.at or (-n * APART, -n * APART)))
            reader = self.readers[part.name] = SimPn532(self.agenda, antenna)
            if part.mux is None or part.channel is None:
                self._bus(part.bus).attach(reader)
            else:
                self.muxes[part.bus, part.mux].channels[part.channel].attach(reader)
            self.faults.targets[f"reader {part.name}"] = reader
            if part.reset is not None:
                resets.setdefault(part.reset, []).append(reader.reset)
        for pin, chips in resets.items():
            self.pins.factory.pin(pin, pin_class=_ResetPin, resets=chips)

    def _tower(self, where: str, acked: Mark | None) -> Tower:
        return Tower(self._line.open, self._clock, acked=acked)

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

"""Simulated GPIO: gpiozero's mock pins, with fingers on the buttons and chips on the lines."""

from __future__ import annotations

from collections.abc import Sequence

from gpiozero.pins.mock import MockFactory, MockPWMPin

from drivers.sim.agenda import Agenda
from drivers.sim.contacts import Contacts
from drivers.sim.lines import Line

PRESS = 0.12  # s that a finger stays on a button
FALLING = 0.012  # s that a die takes through a beam
APART = 0.06  # s between two dice of a throw


class _Pin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that knows what drives it, also before a device is opened on it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.factory.contacts.changed(int(self.info.name.removeprefix("GPIO")))


class SimPins(Contacts):
    """The header of a simulated Pi; inputs are BCM numbers. Give `factory` to gpiozero."""

    def __init__(self, agenda: Agenda) -> None:
        super().__init__(agenda)
        self.factory = MockFactory(pin_class=_Pin)
        self.factory.contacts = self

    def changed(self, input: int) -> None:
        pin = self.factory.pin(input)
        if pin.function != "input":
            return
        level = self.driven(input)
        if level is None:
            level = {"up": True, "down": False}.get(pin.pull)
        if level is not None:
            (pin.drive_high if level else pin.drive_low)()

    @property
    def used(self) -> tuple[int, ...]:
        """The pins that something is opened on as an input."""
        opened = [pin for pin in self.factory.pins.values() if pin.function == "input"]
        return tuple(sorted(int(pin.info.name.removeprefix("GPIO")) for pin in opened))

    def press(self, pin: int, seconds: float = PRESS) -> None:
        """A finger on a button between a pin and ground."""
        self.pulse(pin, seconds)

    def drop(self, pin: int, dice: int = 1) -> None:
        """Dice fall through a break-beam, one shortly after the other."""
        for n in range(dice):
            self._agenda.after(n * APART, lambda: self.pulse(pin, FALLING))

    def join(self, pin: int, lines: Sequence[Line]) -> None:
        """Wire the open-drain outputs of chips, all together, to a pin."""

        def follow(_: bool) -> None:
            self.set_input(pin, None if all(line.level for line in lines) else False)

        for line in lines:
            line.watch(follow)

    def level(self, pin: int) -> float:
        """What a pin is at: an LED's brightness, a buzzer, an input."""
        return float(self.factory.pin(pin).state)

    def close(self) -> None:
        """Forget all pins and who had them."""
        self.factory.reset()

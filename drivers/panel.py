"""Buttons, a break-beam, status light, buzzer and interrupt lines on GPIO, through gpiozero.

gpiozero sets values and hears edges; nothing timed is left to it (its `bounce_time` drops real
edges, its `blink` and `when_held` start threads of their own). Edges come in on its threads, wait
in a queue, and are debounced by `step` on the table's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from queue import SimpleQueue
from typing import Any, NamedTuple

from gpiozero import PWMLED, DigitalInputDevice, DigitalOutputDevice

from drivers.clock import Clock
from drivers.debounce import Debounce

LOCKOUT = 0.03  # s that a button may bounce
THROW = 1.0  # s that the chute is empty between two throws
FACTORIES = {"lgpio": "LGPIOFactory", "rpigpio": "RPiGPIOFactory"}


class PinError(Exception):
    """A pin, or all of them, cannot be used."""


@dataclass(frozen=True, slots=True)
class Pins:
    """BCM numbers. Every part is optional."""

    confirm: int | None = None
    undo: int | None = None
    next: int | None = None
    beam: int | None = None  # in the chute of a tower that does not see its dice
    red: int | None = None
    green: int | None = None
    blue: int | None = None
    buzzer: int | None = None

    def of(self, *names: str) -> dict[str, int]:
        return {name: pin for name in names if (pin := getattr(self, name)) is not None}


class Press(NamedTuple):
    """A button has been pressed; or, by the name of `beam`, dice have been thrown."""

    name: str
    at: float


class Throws:
    """A beam across a chute: the first die that breaks it is the throw, and those that follow are
    of the same throw until the chute has been empty for `pause`."""

    due = None  # a throw counts when it begins

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._broken = True  # a beam that has never been whole is no throw, but out of line
        self._whole_since = float("-inf")

    def sample(self, level: bool, at: float) -> bool:
        """Take a level seen at `at`, low while the beam is broken; True if a throw begins."""
        if level and self._broken:
            self._broken, self._whole_since = False, at
        elif not level and not self._broken:
            self._broken = True
            return at - self._whole_since >= self._pause
        return False


class Panel:
    """What is soldered to the header. `wake` is called, on any thread, when `step` has work."""

    def __init__(
        self,
        pins: Pins,
        clock: Clock,
        *,
        factory: Any = None,
        wake: Callable[[], None] = lambda: None,
        interrupt: int | None = None,
        lockout: float = LOCKOUT,
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._edges: SimpleQueue[tuple[str, bool, float]] = SimpleQueue()
        self._factory = factory
        self._opened: list[Any] = []
        self._buttons: dict[str, Any] = {}
        try:
            for name, pin in pins.of("confirm", "undo", "next", "beam").items():
                self._buttons[name] = self._button(name, pin)
            self._light = {
                name: self._open(PWMLED, name, pin)
                for name, pin in pins.of("red", "green", "blue").items()
            }
            self._buzzer = (
                None
                if pins.buzzer is None
                else self._open(DigitalOutputDevice, "buzzer", pins.buzzer)
            )
            self._interrupt = None
            if interrupt is not None:
                self._interrupt = self._open(
                    DigitalInputDevice, "interrupt", interrupt, pull_up=True
                )
                self._interrupt.when_activated = wake
        except BaseException:
            self.close()
            raise
        self._contacts: dict[str, Debounce | Throws] = {
            name: Throws(THROW) if name == "beam" else Debounce(lockout) for name in self._buttons
        }

    @property
    def next_due(self) -> float:
        soonest = float("inf")
        for contact in self._contacts.values():
            if contact.due is not None and contact.due < soonest:
                soonest = contact.due
        return soonest

    def has(self, name: str) -> bool:
        """Is there such a button, or a beam?"""
        return name in self._buttons

    def step(self, now: float) -> list[Press]:
        """The presses since the last step, in the order they came."""
        presses: list[Press] = []
        seen = []
        while not self._edges.empty():
            seen.append(self._edges.get_nowait())
        for name, button in self._buttons.items():  # an edge may have been lost on the way
            seen.append((name, bool(button.pin.state), now))  # low while it is pressed
        for name, level, at in seen:
            if self._contacts[name].sample(level, at) and not level:
                presses.append(Press(name, at))
        return presses

    def interrupted(self) -> bool:
        """Does a chip pull the interrupt line low?"""
        return self._interrupt is not None and bool(self._interrupt.is_active)

    def light(self, red: float, green: float, blue: float) -> None:
        """Brightness from 0 to 1 of the colours that are wired."""
        for name, value in (("red", red), ("green", green), ("blue", blue)):
            if name in self._light:
                self._light[name].value = value

    def sound(self, on: bool) -> None:
        if self._buzzer is not None:
            self._buzzer.value = on

    def close(self) -> None:
        """Dark, silent, and the pins free for others."""
        for device in self._opened:
            device.close()
        self._opened.clear()

    def _button(self, name: str, pin: int) -> Any:
        button = self._open(DigitalInputDevice, name, pin, pull_up=True)

        def heard(level: bool) -> Callable[[], None]:
            def put() -> None:
                self._edges.put((name, level, self._clock.now()))
                self._wake()

            return put

        button.when_activated, button.when_deactivated = heard(False), heard(True)
        return button

    def _open(self, kind: Any, name: str, pin: int, **how: Any) -> Any:
        if self._factory is None:
            self._factory = open_factory()
        try:
            device = kind(pin, pin_factory=self._factory, **how)
        except Exception as error:  # pin libraries have errors of their own
            raise PinError(
                f"{name} cannot have GPIO{pin}: {error}. "
                "Is the pin given twice, or taken by another program or a dtoverlay?"
            ) from error
        self._opened.append(device)
        return device


def open_factory(kind: str = "auto") -> Any:
    """gpiozero's way to real pins: lgpio on every current Pi, RPi.GPIO where only that is there."""
    if kind != "auto" and kind not in FACTORIES:
        raise PinError(f"no pin library {kind!r}; known are: auto, {', '.join(FACTORIES)}")
    reasons = []
    for name in FACTORIES if kind == "auto" else (kind,):
        try:
            return getattr(import_module(f"gpiozero.pins.{name}"), FACTORIES[name])()
        except Exception as error:  # import errors, wrong boards, missing rights: all differ
            reasons.append(f"{name}: {error}")
    if _installed("RPi.GPIO") and _installed("rpi-lgpio"):
        reasons.append(
            "RPi.GPIO and rpi-lgpio are both installed and hide each other: uninstall RPi.GPIO"
        )
    raise PinError(
        f"no pin library works here ({'; '.join(reasons)}). Install lgpio "
        "(pip install 'cavale[pi]') and be in the group gpio; RPi.GPIO does not run on a Pi 5"
    )


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True

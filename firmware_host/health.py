"""How the devices are doing, in one form for doctor, MQTT and page.

Drivers count in `drivers.health.Health` at every exchange; what others get to see is an immutable
copy, made anew only when there is news, so that nobody redraws or publishes at every read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from drivers.health import Health, State
from firmware_host.texts import TEXTS
from game_logic.core import Text, Value

SPOKEN = ("reader", "expander", "mux", "screen", "tower")


class DeviceHealth(Value, frozen=True, gc=False, rename={"name": "device"}):
    """One device. `error` is what ails it now; `last_error` also what it got over."""

    name: str
    state: State
    reads: int
    misses: int
    errors: int
    resets: int
    error: str | None
    last_error: str | None

    @classmethod
    def of(cls, health: Health) -> DeviceHealth:
        last = health.last_error or None
        ails = health.state in ("failing", "failed")
        return cls(
            health.name,
            health.state,
            health.reads,
            health.misses,
            health.errors,
            health.resets,
            last if ails else None,
            last,
        )


def as_json(health: DeviceHealth) -> dict[str, Any]:
    """The one JSON form."""
    form: dict[str, Any] = msgspec.to_builtins(health)
    return form


def spoken(name: str) -> Text:
    """A device's name as people say it: "lecteur 7" for "reader 7"."""
    kind, _, which = name.partition(" ")
    return TEXTS(f"device_{kind}", which=which) if kind in SPOKEN else Text(name, name)


class HealthWatch:
    """The devices as they were at the last news: a state, a reset, or failures that doubled."""

    def __init__(self, healths: Sequence[Health]) -> None:
        self._healths = healths
        self._known: list[tuple[State, int, int]] = []  # and how many failures would be doubled
        self._copy: tuple[DeviceHealth, ...] = ()

    def look(self) -> tuple[DeviceHealth, ...]:
        """The same tuple as before while nothing is new."""
        if self._is_news():
            self._known = [
                (h.state, h.resets, 1 << (h.misses + h.errors).bit_length()) for h in self._healths
            ]
            self._copy = tuple(DeviceHealth.of(health) for health in self._healths)
        return self._copy

    def _is_news(self) -> bool:
        if len(self._known) != len(self._healths):
            return True
        for health, (state, resets, twice) in zip(self._healths, self._known, strict=True):
            if (
                health.state != state
                or health.resets != resets
                or health.misses + health.errors >= twice
            ):
                return True
        return False

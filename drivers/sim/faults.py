"""Faults that can be ordered by name: what goes wrong at real tables, on demand and repeatable."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from drivers.sim.agenda import Agenda
from drivers.sim.bus import Chip, SimBus
from drivers.sim.contacts import Contacts

Mend = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A fault by name: what it befalls, and how; `befall` gives back how it is mended."""

    name: str
    befalls: type
    befall: Callable[..., Mend]
    apart: tuple[str, ...]  # parameters that tell two such faults of one target apart


KINDS: dict[str, Kind] = {}


def fault(
    name: str, befalls: type, *apart: str
) -> Callable[[Callable[..., Mend]], Callable[..., Mend]]:
    """Register a fault: a function of (target, rng, **params) that gives back its mending."""

    def register(befall: Callable[..., Mend]) -> Callable[..., Mend]:
        KINDS[name] = Kind(name, befalls, befall, apart)
        return befall

    return register


class Faults:
    """The faults of one simulated table. Targets have the names that people order by."""

    def __init__(self, agenda: Agenda, seed: int = 0) -> None:
        self.targets: dict[str, Any] = {}
        self._agenda = agenda
        self._rng = random.Random(seed)
        self._active: dict[tuple[Any, ...], Mend] = {}

    @property
    def active(self) -> tuple[tuple[Any, ...], ...]:
        """(fault, target, input or the like) of all that is wrong now."""
        return tuple(self._active)

    def order(
        self,
        name: str,
        target: str,
        *,
        after: float = 0.0,
        lasting: float | None = None,
        **params: Any,
    ) -> None:
        """Let a fault befall a target, now or `after` seconds, for good or `lasting` seconds.

        Ordered again, a fault replaces itself with its new parameters.
        """
        kind = _known("fault", name, KINDS)
        victim = _known("target", target, self.targets)
        if not isinstance(victim, kind.befalls):
            fitting = [t for t, each in self.targets.items() if isinstance(each, kind.befalls)]
            raise ValueError(
                f"{name} cannot befall {target}; it befalls: {', '.join(fitting) or 'nothing here'}"
            )
        try:
            signature(kind.befall).bind(victim, self._rng, **params)
        except TypeError as error:
            raise ValueError(f"{name} does not take these parameters: {error}") from error
        key = (name, target, *(params.get(word) for word in kind.apart))

        def befall() -> None:
            self._mend(key)
            rng = random.Random(self._rng.random())
            self._active[key] = kind.befall(victim, rng, **params)
            if lasting is not None:
                self._agenda.after(lasting, lambda: self._mend(key))

        if after:
            self._agenda.after(after, befall)
        else:
            befall()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """In the world's own time: for whoever orders faults one after the other."""
        self._agenda.after(seconds, action)

    def mend(self, name: str | None = None, target: str | None = None) -> None:
        """Mend this fault of this target; without one or the other, all of them."""
        for key in self.active:
            if name in (None, key[0]) and target in (None, key[1]):
                self._mend(key)

    def _mend(self, key: tuple[Any, ...]) -> None:
        if key in self._active:
            self._active.pop(key)()


def _known(what: str, name: str, known: dict[str, Any]) -> Any:
    if name not in known:
        raise ValueError(
            f"no {what} {name!r}; known are: {', '.join(sorted(known)) or 'none at all'}"
        )
    return known[name]


@fault("nack", Chip)
def _nack(chip: Chip, rng: random.Random, *, p: float = 0.05) -> Mend:
    """Any message may go unacknowledged, at its address or anywhere in it."""
    chip.refuses = lambda length: rng.randint(0, length) if rng.random() < p else None
    return lambda: setattr(chip, "refuses", None)


@fault("missing", Chip)
def _missing(chip: Chip, rng: random.Random) -> Mend:
    """Unplugged; plugged in again, it has forgotten everything."""
    chip.plugged = False
    chip.power_cycle()
    return lambda: setattr(chip, "plugged", True)


@fault("brownout", Chip)
def _brownout(chip: Chip, rng: random.Random) -> Mend:
    """A moment without power, that nobody on the bus notices."""
    chip.power_cycle()
    return lambda: None


@fault("stuck", SimBus)
def _stuck(bus: SimBus, rng: random.Random) -> Mend:
    bus.stuck = True
    return lambda: setattr(bus, "stuck", False)


@fault("bounce", Contacts, "input")
def _bounce(
    contacts: Contacts, rng: random.Random, *, input: int, ms: float = 4.0, times: int = 3
) -> Mend:
    contacts.bounce[input] = (ms / 1000, times)
    return lambda: contacts.bounce.__delitem__(input)


@fault("dead", Contacts, "input")
def _dead(contacts: Contacts, rng: random.Random, *, input: int, level: bool = True) -> Mend:
    contacts.stick(input, level)
    return lambda: contacts.stick(input, None)

"""A simulated dice tower: chute, tray and dice, the program in it, and what befalls its line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from drivers.sim.agenda import Agenda
from drivers.sim.faults import Mend, fault
from drivers.sim.serial_line import Line
from drivers.sim.tower_firmware import TowerFirmware

BOOTING = 1.2  # s
APART = 0.06  # s between two dice of a throw in the chute
TUMBLING = (0.3, 0.9)  # s that a die takes to lie still

Disturbance = Callable[[bytes], bytes]


@dataclass(slots=True, eq=False)
class _Fall:
    """One die on its way to lie on a face, or askew (None)."""

    face: int | None


class SimTower:
    """Hands call `drop`, `cock` and `remove`. One die of each colour."""

    def __init__(
        self,
        agenda: Agenda,
        line: Line,
        dice: Mapping[str, int],
        *,
        seed: int = 0,
        program: type[TowerFirmware] = TowerFirmware,
    ) -> None:
        """`program` is what its board runs."""
        self.line = line
        self._program = program
        self.dice = dict(dice)  # colour: number of faces
        self.firmware: TowerFirmware | None = None  # None: without power, or booting
        self.to_host: dict[str, Disturbance] = {}
        self.to_tower: dict[str, Disturbance] = {}
        self.late = 0.0  # s that its answers wait
        self.reboot_at_fall = False
        self._agenda = agenda
        self._rng = random.Random(seed)
        self._tray: dict[str, int | None] = {}
        self._tumbling: dict[str, _Fall] = {}
        self._booted_at = 0.0
        self._power = object()  # this very supply of power
        self._woken_at = float("inf")
        line.hear = self._hear
        self._boot()

    # Hands.

    def drop(self, dice: Mapping[str, int] | Iterable[str]) -> dict[str, int]:
        """Throw these dice; without faces, chance gives them. They lie still after a while."""
        if isinstance(dice, Mapping):
            faces = dict(dice)
        else:
            faces = self.chance(dice)
        self.remove(*faces)
        for n, (colour, face) in enumerate(faces.items()):
            fall = self._tumbling[colour] = _Fall(face)
            self._agenda.after(n * APART, self._pass)
            tumbling = n * APART + self._rng.uniform(*TUMBLING)
            self._agenda.after(tumbling, partial(self._land, colour, fall))
        return faces

    def cock(self, colour: str) -> None:
        """A die that tumbles will come to lie askew; one that lies is pushed askew."""
        if colour in self._tumbling:
            self._tumbling[colour].face = None
        elif colour in self._tray:
            self._tray[colour] = None
            self._look()
        else:
            raise ValueError(f"the {colour} die is not in the tray: drop it first")

    def remove(self, *colours: str) -> None:
        """Take dice out of the tray."""
        for colour in colours:
            self._tray.pop(colour, None)
            self._tumbling.pop(colour, None)
        self._look()

    def chance(self, dice: Iterable[str]) -> dict[str, int]:
        """What these dice would show, thrown by an honest hand."""
        return {colour: self._rng.randint(1, self.dice[colour]) for colour in dice}

    def lay(self, tray: Mapping[str, int | None]) -> None:
        """Dice lie in the tray as they were left there, the askew ones without a face."""
        self._tray.update(tray)
        self._look()

    @property
    def in_tray(self) -> tuple[str, ...]:
        return (*self._tray, *self._tumbling)

    @property
    def tray(self) -> Mapping[str, int | None]:
        """What lies there, and on which face; None: askew."""
        return self._tray.copy()

    @property
    def falling(self) -> tuple[str, ...]:
        return tuple(self._tumbling)

    def _pass(self) -> None:
        """Something breaks the beam in the chute."""
        if self.firmware is not None:
            self.firmware.fell(self._ms)
        if self.reboot_at_fall:
            self.reboot_at_fall = False
            self.reboot()
        self._look()

    def _land(self, colour: str, fall: _Fall) -> None:
        if self._tumbling.get(colour) is fall:
            del self._tumbling[colour]
            self._tray[colour] = fall.face
            self._look()

    # Power.

    def reboot(self, booting: float = BOOTING) -> None:
        """It starts anew, and has forgotten all that it had not delivered."""
        self.firmware = None
        power = self._power = object()
        self._agenda.after(booting, lambda: self._boot() if self._power is power else None)

    def unplug(self) -> None:
        """The cable is its power, too."""
        self.firmware = None
        self._power = object()
        self.line.unplug()

    def plug(self) -> None:
        self.line.plug()
        self.reboot()

    def _boot(self) -> None:
        self._booted_at = self._agenda.clock.now()
        boot = f"{self._rng.getrandbits(32):08x}"
        self.firmware = self._program(boot, list(self.dice.items()))
        self._look()

    # Its program.

    @property
    def _ms(self) -> int:
        return round((self._agenda.clock.now() - self._booted_at) * 1000)

    def _look(self) -> None:
        if self.firmware is not None:
            self.firmware.look(self._ms, list(self._tray.items()), bool(self._tumbling))
            self._run()

    def _hear(self, data: bytes) -> None:
        for disturb in self.to_tower.values():
            data = disturb(data)
        if self.firmware is not None:
            self.firmware.receive(self._ms, data)
            self._run()

    def _run(self) -> None:
        if self.firmware is None:
            return
        self.firmware.tick(self._ms)
        data = self.firmware.bytes_to_send()
        for disturb in self.to_host.values():
            data = disturb(data)
        if data:
            self.line.send(data, self.late)
        due = self._booted_at + self.firmware.due() / 1000
        if not self._agenda.clock.now() < self._woken_at <= due:
            self._woken_at = due
            self._agenda.after(max(0.0, due - self._agenda.clock.now()), lambda: self._wake(due))

    def _wake(self, due: float) -> None:
        if due == self._woken_at:  # else another call was asked for since
            self._woken_at = float("inf")
            self._run()


def _disturb(name: str, tower: SimTower, disturb: Disturbance, *, both: bool = True) -> Mend:
    tower.to_host[name] = disturb
    if both:
        tower.to_tower[name] = disturb

    def mend() -> None:
        tower.to_host.pop(name, None)
        tower.to_tower.pop(name, None)

    return mend


@fault("serial_noise", SimTower)
def _noise(tower: SimTower, rng: random.Random, *, p: float = 0.01) -> Mend:
    """Any byte may become another, and others come between."""

    def disturb(data: bytes) -> bytes:
        heard = bytearray()
        for byte in data:
            if rng.random() < p:
                heard += rng.randbytes(rng.randint(1, 3))
            else:
                heard.append(byte)
        return bytes(heard)

    return _disturb("serial_noise", tower, disturb)


@fault("dropped_bytes", SimTower)
def _dropped(tower: SimTower, rng: random.Random, *, p: float = 0.01) -> Mend:
    return _disturb(
        "dropped_bytes", tower, lambda data: bytes(byte for byte in data if rng.random() >= p)
    )


@fault("half_frame", SimTower)
def _half(tower: SimTower, rng: random.Random, *, p: float = 0.3) -> Mend:
    """Any frame may break off."""

    def disturb(data: bytes) -> bytes:
        frames = data.splitlines(keepends=True)
        return b"".join(
            each[: rng.randrange(len(each))] if rng.random() < p else each for each in frames
        )

    return _disturb("half_frame", tower, disturb)


@fault("duplicated_frames", SimTower)
def _duplicated(tower: SimTower, rng: random.Random, *, p: float = 0.3) -> Mend:
    def disturb(data: bytes) -> bytes:
        frames = data.splitlines(keepends=True)
        return b"".join(each * (1 + (rng.random() < p)) for each in frames)

    return _disturb("duplicated_frames", tower, disturb)


@fault("silent_tower", SimTower)
def _silent(tower: SimTower, rng: random.Random) -> Mend:
    """Not a word comes from it, not even a heartbeat; it does not know that."""
    return _disturb("silent_tower", tower, lambda data: b"", both=False)


@fault("late_tower", SimTower)
def _late(tower: SimTower, rng: random.Random, *, ms: float = 400.0) -> Mend:
    tower.late = ms / 1000
    return lambda: setattr(tower, "late", 0.0)


@fault("tower_reboot", SimTower)
def _reboot(tower: SimTower, rng: random.Random, *, mid_roll: bool = False) -> Mend:
    """It starts anew: at once, or when the next die falls."""
    if mid_roll:
        tower.reboot_at_fall = True
    else:
        tower.reboot()
    return lambda: setattr(tower, "reboot_at_fall", False)


@fault("unplugged", SimTower)
def _unplugged(tower: SimTower, rng: random.Random) -> Mend:
    tower.unplug()
    return tower.plug

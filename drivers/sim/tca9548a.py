"""A simulated TCA9548A: one register, eight pieces of bus, switched at STOP."""

from __future__ import annotations

import random

from drivers.sim.bus import Chip, Lane
from drivers.sim.faults import Mend, fault


class SimTca9548a(Chip):
    def __init__(self, address: int = 0x70) -> None:
        super().__init__(address)
        self.channels = tuple(Lane() for _ in range(8))
        self._switched = [
            tuple(x for n, x in enumerate(self.channels) if mask >> n & 1) for mask in range(256)
        ]
        self.stuck = False  # its switches no longer follow its register
        self.power_cycle()

    def power_cycle(self) -> None:
        self.mask = self._wanted = 0
        self.lanes = ()

    def reset(self, low: bool) -> None:
        """The RESET pin: everything disconnected, and a hung chip is itself again."""
        if low:
            self.stuck = False
            self.power_cycle()

    def write(self, data: bytes) -> int:
        if data:
            self._wanted = data[-1]
        return len(data)

    def read(self, count: int) -> bytes:
        return bytes((self.mask if self.stuck else self._wanted,)) * count

    def stop(self) -> None:
        if self.stuck:
            self._wanted = self.mask
        if self.mask != self._wanted:
            self.mask = self._wanted
            self.lanes = self._switched[self.mask]


@fault("stuck_channel", SimTca9548a)
def _stuck_channel(mux: SimTca9548a, rng: random.Random) -> Mend:
    """It stays with the channel it has; its RESET frees it."""
    mux.stuck = True
    return lambda: setattr(mux, "stuck", False)

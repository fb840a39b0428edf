"""Adafruit's drivers beside ours: CircuitPython's I²C calls, and its time, on a simulated bus."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from smbus2 import i2c_msg

from drivers.clock import Clock
from drivers.sim.bus import SimBus


class CircuitPythonBus:
    """What a `busio.I2C` offers to drivers."""

    def __init__(self, sim: SimBus) -> None:
        self._sim = sim
        self._locked = False

    def try_lock(self) -> bool:
        if self._locked:
            return False
        self._locked = True
        return True

    def unlock(self) -> None:
        self._locked = False

    def scan(self) -> list[int]:
        return [address for address in range(0x08, 0x78) if self.probe(address)]

    def probe(self, address: int) -> bool:
        try:
            self._sim.write_quick(address)
        except OSError:
            return False
        return True

    def writeto(self, address: int, buffer: Any, *, start: int = 0, end: int | None = None) -> None:
        self._sim.i2c_rdwr(i2c_msg.write(address, bytes(buffer[start:end])))

    def readfrom_into(
        self, address: int, buffer: Any, *, start: int = 0, end: int | None = None
    ) -> None:
        answer = i2c_msg.read(address, len(buffer[start:end]))
        self._sim.i2c_rdwr(answer)
        buffer[start : start + len(answer)] = bytes(answer)

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: Any,
        in_buffer: Any,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        answer = i2c_msg.read(address, len(in_buffer[in_start:in_end]))
        self._sim.i2c_rdwr(i2c_msg.write(address, bytes(out_buffer[out_start:out_end])), answer)
        in_buffer[in_start : in_start + len(answer)] = bytes(answer)


class _Time:
    """Stands where a driver has imported the module `time`."""

    def __init__(self, clock: Clock) -> None:
        self.sleep = clock.spend
        self.monotonic = clock.now


@contextmanager
def virtual_time(clock: Clock) -> Iterator[None]:
    """Let the drivers of Adafruit that are imported by now wait in the bench's time."""
    waiting = [
        module
        for name, module in sys.modules.items()
        if name.startswith("adafruit_") and getattr(module, "time", None) is time
    ]
    for module in waiting:
        vars(module)["time"] = _Time(clock)
    try:
        yield
    finally:
        for module in waiting:
            vars(module)["time"] = time

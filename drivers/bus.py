"""One I²C bus: bounded in time, few retries, errors with names, and a count of what it costs."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from smbus2 import SMBus, i2c_msg

from drivers.clock import Clock
from drivers.health import Care, Health, Recovery

I2C_RETRIES = 0x0701  # ioctl numbers of <linux/i2c-dev.h> that smbus2 does not offer
I2C_TIMEOUT = 0x0702  # in units of 10 ms
TIMEOUT = 0.1  # s; longer than the longest message we send, 129 bytes at 100 kHz (12 ms)

NOBODY = {errno.ENXIO, errno.EREMOTEIO, errno.EIO}
STUCK = {errno.ETIMEDOUT, errno.EAGAIN}


class BusError(Exception):
    """An exchange on the bus broke."""

    astray = False
    """May other chips have got what was said to this one a moment ago?"""


class NoAnswer(BusError):
    """The chip did not acknowledge: missing, unpowered, wrong address or disturbed."""


class BusStuck(BusError):
    """The bus itself does not move: a line held low, or arbitration lost."""


class Wire(Protocol):
    """What a driver needs of a bus. A channel of a multiplexer offers the same."""

    def write(self, address: int, data: bytes, *, attempts: int | None = None) -> None: ...

    def read(self, address: int, count: int, *, attempts: int | None = None) -> bytes: ...

    def write_read(
        self, address: int, data: bytes, count: int, *, attempts: int | None = None
    ) -> bytes: ...


@dataclass(slots=True)
class Traffic:
    """What the bus has carried. Bytes are those on the wire, addresses included."""

    transactions: int = 0
    bytes: int = 0
    errors: int = 0
    seconds: float = 0.0


class Bus:
    """The owner of one bus. A stuck bus is set aside: calls fail at once until it is tried again.

    Freeing a stuck line with nine clock pulses is the kernel driver's job (it does so where the
    hardware allows); ours is to open the bus anew and to keep the loop going meanwhile.
    """

    def __init__(
        self,
        smbus: Any,
        clock: Clock,
        name: str = "1",
        *,
        attempts: int = 3,
        reopen: Callable[[], Any] | None = None,
    ) -> None:
        self.name = name
        self.attempts = attempts
        self.traffic = Traffic()
        self.health = Health(f"i2c-{name}")
        self._smbus = smbus
        self._readings: dict[tuple[int, int], tuple[Any, Any]] = {}
        self._clock = clock
        self._reopen = reopen
        self._recovery = Recovery(self.health, patience=1, ready=True)

    def write(self, address: int, data: bytes, *, attempts: int | None = None) -> None:
        self._transfer(address, 1 + len(data), (_writing(address, data),), attempts)

    def read(self, address: int, count: int, *, attempts: int | None = None) -> bytes:
        answer, buffer = self._reading(address, count)
        self._transfer(address, 1 + count, (answer,), attempts)
        got: bytes = buffer[:count]
        return got

    def write_read(
        self, address: int, data: bytes, count: int, *, attempts: int | None = None
    ) -> bytes:
        """Both in one transaction: nothing can come between the register and its value."""
        answer, buffer = self._reading(address, count)
        size = 2 + len(data) + count
        self._transfer(address, size, (_writing(address, data), answer), attempts)
        got: bytes = buffer[:count]
        return got

    def probe(self, address: int) -> bool:
        """Is there a chip? Asked with its bare address, as `i2cdetect` does."""
        try:
            self._transfer(address, 1, (), attempts=1)
        except NoAnswer:
            return False
        return True

    def close(self) -> None:
        self._smbus.close()

    def _reading(self, address: int, count: int) -> tuple[Any, Any]:
        """A message to read so much, and where its bytes come to lie. Drivers ask for the same few
        things again and again, and what they were told is copied before anybody asks again."""
        known = self._readings.get((address, count))
        if known is None:
            answer = i2c_msg.read(address, count)
            known = self._readings[address, count] = answer, answer.buf
        return known

    def _transfer(
        self, address: int, size: int, messages: tuple[Any, ...], attempts: int | None
    ) -> None:
        """These messages, or the bare address; again, if nobody answers."""
        clock, traffic = self._clock, self.traffic
        left = attempts or self.attempts
        while True:
            left -= 1
            start = clock.now()
            care = self._recovery.due(start)
            if care is not Care.WORK:
                self._mend(start, address, care)
            traffic.transactions += 1
            traffic.bytes += size
            try:
                if messages:
                    self._smbus.i2c_rdwr(*messages)
                else:
                    self._smbus.write_quick(address)
            except OSError as error:
                traffic.seconds += clock.now() - start
                traffic.errors += 1
                named = self._named(error, address)
                if not left or not isinstance(named, NoAnswer):
                    raise named from error
            else:
                end = clock.now()
                traffic.seconds += end - start
                self._recovery.worked(end)
                return

    def _mend(self, now: float, address: int, care: Care) -> None:
        if care is Care.WAIT:
            raise BusStuck(
                f"bus {self.name} is set aside, 0x{address:02x} was not asked: "
                f"{self.health.last_error}"
            )
        if self._reopen is not None:
            try:
                self._smbus.close()
                self._smbus = self._reopen()
            except (OSError, BusError) as error:
                self._recovery.missed(now, error)
                raise BusStuck(f"bus {self.name} cannot be opened again: {error}") from error
        self._recovery.renewed()

    def _named(self, error: OSError, address: int) -> BusError:
        now = self._clock.now()
        what = errno.errorcode.get(error.errno or 0, str(error))
        if error.errno in NOBODY:
            self._recovery.worked(now)  # the bus moves; it is the chip that is silent
            return NoAnswer(
                f"no answer from 0x{address:02x} on bus {self.name} ({what}): "
                "check its power, its wires and its address"
            )
        if error.errno in STUCK:
            stuck = BusStuck(
                f"bus {self.name} is stuck ({what}, while asking 0x{address:02x}): "
                "a chip or a short holds SDA or SCL low; unplug the chips one by one"
            )
            self._recovery.missed(now, stuck)
            return stuck
        if error.errno == errno.EBUSY:
            return BusError(
                f"0x{address:02x} on bus {self.name} belongs to a kernel driver: "
                "take its dtoverlay out of config.txt"
            )
        broken = BusError(f"bus {self.name} failed while asking 0x{address:02x}: {error}")
        self._recovery.missed(now, broken)
        return broken


@lru_cache(maxsize=1024)  # registers and commands come again and again; pictures seldom do
def _writing(address: int, data: bytes) -> Any:
    return i2c_msg.write(address, data)


def open_bus(number: int | str, clock: Clock, *, timeout: float = TIMEOUT) -> Bus:
    """The real bus `/dev/i2c-<number>` (or a path), with its calls bounded by `timeout`."""
    path = number if isinstance(number, str) else f"/dev/i2c-{number}"

    def opened() -> Any:
        try:
            smbus: Any = SMBus(path)
            # smbus2 sets no bounds, and the kernel's own is about a second a call.
            fcntl.ioctl(smbus.fd, I2C_TIMEOUT, max(1, round(timeout * 100)))
            fcntl.ioctl(smbus.fd, I2C_RETRIES, 0)  # retries are ours, and counted
        except FileNotFoundError as error:
            raise BusError(
                f"{path} does not exist: switch I²C on (sudo raspi-config nonint do_i2c 0, "
                "or dtparam=i2c_arm=on in config.txt) and restart"
            ) from error
        except PermissionError as error:
            raise BusError(
                f"{path} may not be opened by this user: "
                "sudo usermod -aG i2c $USER, then log in again"
            ) from error
        except OSError as error:
            raise BusError(f"{path} is no I²C bus ({error}): check the bus number") from error
        return smbus

    name = os.path.basename(path).removeprefix("i2c-")
    return Bus(opened(), clock, name, reopen=opened)

"""A simulated I²C bus with `smbus2.SMBus`'s own methods, exact to the bit in the time it takes."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from smbus2.smbus2 import I2C_M_RD

from drivers.clock import Clock
from drivers.sim.agenda import Agenda

KERNEL_TIMEOUT = 1.0  # what the kernel waits when nobody has told it otherwise
BLOCK_MAX = 32  # of an SMBus block
MESSAGE_MAX = 8192  # of one i2c_rdwr message


class Chip:
    """Something with an address. Subclasses say what its bytes mean."""

    lanes: tuple[Lane, ...] = ()
    """The pieces of bus that this chip connects to its own at this moment."""

    def __init__(self, address: int) -> None:
        if not 0x08 <= address <= 0x77:
            raise ValueError(f"0x{address:02x} is no address for a chip: 0x08 to 0x77")
        self.address = address
        self.plugged = True
        self.refuses: Callable[[int], int | None] | None = None
        """Given a message's length, which byte it does not take: 0 is the address, None none."""

    def start(self, reading: bool) -> bool:
        """START, or a repeated one, with our address. True acknowledges."""
        return True

    def write(self, data: bytes) -> int:
        """Take bytes; give back how many were acknowledged."""
        raise NotImplementedError

    def read(self, count: int) -> bytes:
        raise NotImplementedError

    def stop(self) -> None:
        """STOP, after a transaction in which we were addressed."""

    def power_cycle(self) -> None:
        """Everything it was told is forgotten."""


class Lane:
    """Chips on the same two wires."""

    def __init__(self) -> None:
        self.chips: list[Chip] = []

    def attach(self, chip: Chip) -> None:
        if any(other.address == chip.address for other in self.chips):
            raise ValueError(f"there is a chip at 0x{chip.address:02x} already")
        self.chips.append(chip)

    def detach(self, chip: Chip) -> None:
        self.chips.remove(chip)

    def listening(self, address: int) -> list[Chip]:
        found: list[Chip] = []
        for chip in self.chips:
            if chip.plugged:
                if chip.address == address:
                    found.append(chip)
                for lane in chip.lanes:
                    found += lane.listening(address)
        return found


class SimBus(Lane):
    """Stands where an opened `smbus2.SMBus` would."""

    def __init__(
        self,
        clock: Clock,
        hz: int = 100_000,
        *,
        timeout: float = KERNEL_TIMEOUT,
        agenda: Agenda | None = None,
    ) -> None:
        super().__init__()
        self.clock = clock
        self.hz = hz
        self.timeout = timeout
        self.agenda = agenda if agenda is not None else Agenda(clock)
        self.stuck = False
        self.opened = True
        self.octets = 0  # bytes that have crossed, addresses included

    # The wire itself.

    def _transaction(self, messages: Sequence[tuple[int, bytes | int]]) -> list[bytes]:
        """Messages of (address, bytes to write | count to read), repeated STARTs, one STOP."""
        self.agenda.run()
        if not self.opened:
            _raise(errno.EBADF)
        if self.stuck:
            self.agenda.spend(self.timeout)
            _raise(errno.ETIMEDOUT)
        addressed: list[Chip] = []
        answers = []
        try:
            for address, what in messages:
                chips = self.listening(address)
                addressed = _together(addressed, chips) if addressed else chips
                answers.append(self._message(chips, what))
        finally:
            self.agenda.spend(1 / self.hz)
            for chip in addressed:
                chip.stop()
        return answers

    def _message(self, chips: list[Chip], what: bytes | int) -> bytes:
        reading = isinstance(what, int)
        length = what if isinstance(what, int) else len(what)
        taken = length
        for chip in chips:
            if chip.refuses is not None and (refused := chip.refuses(length)) is not None:
                # When a chip is the one that talks, only its address can go unacknowledged.
                taken = min(taken, -1 if reading else refused - 1)
        present = [chip for chip in chips if taken >= 0 and chip.start(reading)]
        octets = 1
        if present:
            octets += length if reading else min(taken + 1, length)
        self.octets += octets
        self.agenda.spend((1 + 9 * octets) / self.hz)  # a START, and a bit acknowledges each byte
        if not present:
            _raise(errno.EREMOTEIO)
        if isinstance(what, int):
            answer = _exactly(present[0].read(length), length)
            for chip in present[1:]:  # open-drain lines: with several talkers a zero wins
                answer = _both(answer, _exactly(chip.read(length), length))
            return answer
        for chip in present:
            taken = min(taken, chip.write(what[:taken]))
        if taken < length:
            _raise(errno.EREMOTEIO)
        return b""

    # smbus2's methods.

    def open(self, bus: int | str) -> None:
        self.opened = True

    def close(self) -> None:
        self.opened = False

    def __enter__(self) -> SimBus:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        wanted: list[tuple[int, bytes | int]] = []
        reading = False
        for message in i2c_msgs:
            length = message.len
            if length > MESSAGE_MAX:
                _raise(errno.EINVAL)
            if message.flags & I2C_M_RD:
                wanted.append((message.addr, length))
                reading = True
            else:
                wanted.append((message.addr, message.buf[:length]))
        answers = self._transaction(wanted)
        if reading:
            for message, answer in zip(i2c_msgs, answers, strict=True):
                ctypes.memmove(message.buf, answer, len(answer))

    def write_quick(self, i2c_addr: int, force: bool | None = None) -> None:
        self._transaction([(i2c_addr, b"")])

    def read_byte(self, i2c_addr: int, force: bool | None = None) -> int:
        return self._transaction([(i2c_addr, 1)])[0][0]

    def write_byte(self, i2c_addr: int, value: int, force: bool | None = None) -> None:
        self._transaction([(i2c_addr, bytes((value,)))])

    def read_byte_data(self, i2c_addr: int, register: int, force: bool | None = None) -> int:
        return self._register(i2c_addr, register, 1)[0]

    def write_byte_data(
        self, i2c_addr: int, register: int, value: int, force: bool | None = None
    ) -> None:
        self._transaction([(i2c_addr, bytes((register, value)))])

    def read_word_data(self, i2c_addr: int, register: int, force: bool | None = None) -> int:
        return int.from_bytes(self._register(i2c_addr, register, 2), "little")

    def write_word_data(
        self, i2c_addr: int, register: int, value: int, force: bool | None = None
    ) -> None:
        self._transaction([(i2c_addr, bytes((register, *value.to_bytes(2, "little"))))])

    def process_call(
        self, i2c_addr: int, register: int, value: int, force: bool | None = None
    ) -> int:
        sent = bytes((register, *value.to_bytes(2, "little")))
        return int.from_bytes(self._transaction([(i2c_addr, sent), (i2c_addr, 2)])[1], "little")

    def read_i2c_block_data(
        self, i2c_addr: int, register: int, length: int, force: bool | None = None
    ) -> list[int]:
        if length > BLOCK_MAX:
            raise ValueError(f"an SMBus block holds {BLOCK_MAX} bytes, not {length}")
        return list(self._register(i2c_addr, register, length))

    def write_i2c_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> None:
        if len(data) > BLOCK_MAX:
            raise ValueError(f"an SMBus block holds {BLOCK_MAX} bytes, not {len(data)}")
        self._transaction([(i2c_addr, bytes((register, *data)))])

    def write_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> None:
        if len(data) > BLOCK_MAX:
            raise ValueError(f"an SMBus block holds {BLOCK_MAX} bytes, not {len(data)}")
        self._transaction([(i2c_addr, bytes((register, len(data), *data)))])

    def read_block_data(self, i2c_addr: int, register: int, force: bool | None = None) -> list[int]:
        _raise(errno.EOPNOTSUPP)  # as on a Pi, whose controller cannot

    def block_process_call(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> list[int]:
        _raise(errno.EOPNOTSUPP)

    def _register(self, address: int, register: int, count: int) -> bytes:
        return self._transaction([(address, bytes((register,))), (address, count)])[1]


def _raise(number: int) -> NoReturn:
    raise OSError(number, os.strerror(number))


def _together(some: list[Chip], others: list[Chip]) -> list[Chip]:
    return some + [chip for chip in others if chip not in some]


def _exactly(data: bytes, count: int) -> bytes:
    """Nobody drives the lines after a chip's last byte: they read as ones."""
    return data if len(data) == count else data[:count].ljust(count, b"\xff")


def _both(one: bytes, other: bytes) -> bytes:
    return bytes(a & b for a, b in zip(one, other, strict=True))

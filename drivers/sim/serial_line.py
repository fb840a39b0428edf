"""A simulated serial line: in memory with pyserial's calls, or a real pseudo-terminal.

In memory, bytes take the time that they take on the wire, and a line can be used in free time.
On a pseudo-terminal they take what the kernel likes, and time has to be real.
"""

from __future__ import annotations

import errno
import os
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from serial import PortNotOpenError, SerialException

from drivers.sim.agenda import Agenda

BYTE = 10 / 115200  # s: start, eight bits, stop
EARLY = 1e-9  # s; instants that are sums of byte times do not compare exactly
PUMP = 0.005  # s between two looks at a pseudo-terminal

Hear = Callable[[bytes], None]


class Line(Protocol):
    """What the device at the far end sees of its line."""

    hear: Hear
    """Called with what the host has sent."""

    def send(self, data: bytes, late: float = 0.0) -> None: ...

    def unplug(self) -> None: ...

    def plug(self) -> None: ...


class MemoryLine:
    """`open` gives the host's end."""

    def __init__(self, agenda: Agenda) -> None:
        self.agenda = agenda
        self.hear: Hear = lambda data: None
        self.plugged = True
        self.port: SimSerial | None = None
        self._free_at = 0.0  # when the wire to the tower has carried all

    def open(self) -> SimSerial:
        if not self.plugged:
            raise SerialException(errno.ENOENT, "could not open port: it is not plugged in")
        if self.port is not None and self.port.is_open:
            raise SerialException(errno.EBUSY, "could not open port: it is open already")
        self.port = SimSerial(self)
        return self.port

    def send(self, data: bytes, late: float = 0.0) -> None:
        if self.port is not None and self.port.is_open:  # nobody keeps what nobody reads
            self.port.take(data, late)

    def carry(self, data: bytes) -> None:
        """From the host to the far end."""
        now = self.agenda.clock.now()
        self._free_at = max(now, self._free_at) + len(data) * BYTE
        self.agenda.after(self._free_at - now, lambda: self._arrive(data))

    def _arrive(self, data: bytes) -> None:
        if self.plugged:
            self.hear(data)

    def unplug(self) -> None:
        self.plugged = False
        if self.port is not None:
            self.port.gone = True

    def plug(self) -> None:
        self.plugged = True


class SimSerial:
    """Stands where an opened `serial.Serial(timeout=0)` would."""

    def __init__(self, line: MemoryLine) -> None:
        self.is_open = True
        self.gone = False  # unplugged while open: it stays so, whatever is plugged in later
        self._line = line
        self._arriving: deque[tuple[float, int]] = deque()
        self._free_at = 0.0

    @property
    def in_waiting(self) -> int:
        self._check()
        if not self._arriving:
            return 0
        now = self._line.agenda.clock.now() + EARLY
        return sum(at <= now for at, _ in self._arriving)

    @property
    def out_waiting(self) -> int:
        self._check()
        return 0

    def read(self, size: int = 1) -> bytes:
        return bytes(self._arriving.popleft()[1] for _ in range(min(size, self.in_waiting)))

    def write(self, data: bytes) -> int:
        self._check()
        if data:
            self._line.carry(bytes(data))
        return len(data)

    def flush(self) -> None:
        self._check()

    def reset_input_buffer(self) -> None:
        self.read(self.in_waiting)

    def reset_output_buffer(self) -> None:
        self._check()

    def close(self) -> None:
        self.is_open = False

    def take(self, data: bytes, late: float) -> None:
        """From the far end."""
        agenda = self._line.agenda
        now = agenda.clock.now()
        self._free_at = max(now + late, self._free_at)
        for byte in data:
            self._free_at += BYTE
            self._arriving.append((self._free_at, byte))
        agenda.after(self._free_at - now, lambda: None)  # wakes whoever reads

    def _check(self) -> None:
        if not self.is_open:
            raise PortNotOpenError
        if self.gone:
            raise SerialException(errno.EIO, "device disconnected")


class PtyLine:
    """A pseudo-terminal, at `path` for as long as it is plugged in; looked at by the agenda."""

    def __init__(self, agenda: Agenda, path: Path) -> None:
        self.agenda = agenda
        self.path = path
        self.hear: Hear = lambda data: None
        self._free_at = 0.0
        self._master = self._slave = -1
        self.plug()
        self._pump()

    def plug(self) -> None:
        # Ours stays open at both ends: the far end does not notice whether anybody reads.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path.symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        if self._master >= 0:
            self.path.unlink()
            os.close(self._slave)
            os.close(self._master)
            self._master = self._slave = -1

    def send(self, data: bytes, late: float = 0.0) -> None:
        # What is late makes what follows late: bytes do not overtake each other.
        self._free_at = max(self.agenda.clock.now() + late, self._free_at)
        self.agenda.at(self._free_at, lambda: self._write(data))

    def _write(self, data: bytes) -> None:
        try:
            if self._master >= 0:
                os.write(self._master, data)
        except BlockingIOError:
            pass  # nobody reads, and the buffer is full: as on USB, it is lost

    def _pump(self) -> None:
        try:
            data = os.read(self._master, 4096) if self._master >= 0 else b""
        except BlockingIOError:
            data = b""
        if data:
            self.hear(data)
        self.agenda.after(PUMP, self._pump)

"""The dice tower on its serial port: found by USB id or path, and opened again for ever.

The loop calls `step` whenever it comes by; nothing here waits. What the bytes mean is known to
`tower_protocol.py` alone.
"""

from __future__ import annotations

import errno
import re
import termios
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import serial
from serial.tools import list_ports

from drivers.clock import Clock
from drivers.health import Care, Health, Recovery
from drivers.tower_frames import Counts
from drivers.tower_protocol import SILENCE, Event, Hello, Mark, TowerProtocol

BAUD = 115200
READ_MAX = 4096  # bytes a step: a line that babbles does not keep the loop
WRITE_TIMEOUT = 0.02  # s; with 0, pyserial spins for as long as the line takes nothing

USB_ID = re.compile(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:\S+)?")
REMEDIES: dict[int | None, str] = {
    errno.ENOENT: "plug the tower in, or name it by its USB id (lsusb)",
    errno.EACCES: "sudo usermod -aG dialout $USER, then log in again",
    errno.EAGAIN: "another program has it open; close that one",
    errno.EBUSY: "another program has it open; close that one",
}

_BROKEN = (OSError, termios.error)  # pyserial's own errors are OSErrors, but it lets these through


class PortError(OSError):
    """The port is not there, or not for us."""


class Tower:
    """`open` gives an opened pyserial port, or raises OSError."""

    def __init__(
        self,
        open: Callable[[], Any],
        clock: Clock,
        *,
        acked: Mark | None = None,
        poll: float = 0.02,
        health: Health | None = None,
    ) -> None:
        self.health = health or Health("tower")
        self.poll = poll  # s between two looks at the line, if nothing else wakes the loop
        self._open = open
        self._clock = clock
        self._protocol = TowerProtocol(acked)
        self._recovery = Recovery(self.health)
        self._port: Any = None
        self._opened_at = 0.0
        self._looked_at = float("-inf")
        self._unsent = b""
        self._spoilt = 0  # frames already counted in health

    @property
    def hello(self) -> Hello | None:
        """What the tower there, or the last one, has said of itself."""
        return self._protocol.hello

    @property
    def counts(self) -> Counts:
        return self._protocol.counts

    @property
    def next_due(self) -> float:
        if self._port is None:
            due = self._recovery.next_due
            return float("-inf") if due is None else due
        return min(self._looked_at + self.poll, self._protocol.next_due, self._silent_at)

    @property
    def _silent_at(self) -> float:
        heard_at = self._protocol.heard_at
        return max(self._opened_at, heard_at if heard_at is not None else 0.0) + SILENCE

    def step(self, now: float) -> list[Event]:
        """Open what is to be opened, read what has come, send what is to be said."""
        self._looked_at = now
        if self._port is None and not self._connect(now):
            return []
        events: list[Event] = []
        try:
            waiting = self._port.in_waiting
            if waiting:
                events = self._receive(self._port.read(min(waiting, READ_MAX)), now)
            self._protocol.tick(now)
            self._send()
        except _BROKEN as error:
            self._lose(error, now)
            return events
        if now >= self._silent_at:
            why = self._protocol.problem or (
                f"not a word from the tower for {now - self._silent_at + SILENCE:.1f} s: "
                "check its power and its cable, and that it is the tower which is on this port"
            )
            self._lose(why, now)
        return events

    def ack(self, mark: Mark) -> None:
        """This roll is dealt with and in the journal. The tower hears of it at the next step."""
        self._protocol.ack(mark)

    def close(self) -> None:
        if self._port is None:
            return
        port, self._port = self._port, None
        # Unsent bytes go first: the kernel may wait half a minute for a dead line to take them.
        for farewell in (port.reset_output_buffer, port.close):
            with suppress(*_BROKEN):  # a port that is gone is closed
                farewell()

    def _connect(self, now: float) -> bool:
        if self._recovery.due(now) is Care.WAIT:
            return False
        try:
            self._port = self._open()
        except _BROKEN as error:
            self._recovery.missed(now, error)
            return False
        self._recovery.renewed()
        self._opened_at = now
        self._unsent = b""
        self._protocol.opened(now)
        return True

    def _receive(self, data: bytes, now: float) -> list[Event]:
        if not data:
            return []
        events = self._protocol.receive(data, now)
        if self._protocol.heard_at == now:
            self._recovery.worked(now)
        spoilt = self.counts.frames_spoilt
        if spoilt > self._spoilt:
            self.health.errors += spoilt - self._spoilt
            self.health.last_error = self._protocol.problem or (
                f"frames came spoilt ({self.counts}): check the cable, then the tower's firmware"
            )
            self._spoilt = spoilt
        return events

    def _send(self) -> None:
        self._unsent += self._protocol.bytes_to_send()
        if self._unsent:
            self._unsent = self._unsent[self._port.write(self._unsent) :]

    def _lose(self, why: Exception | str, now: float) -> None:
        self._recovery.missed(now, why, at_once=True)
        self.close()


def open_tower(where: str, clock: Clock, *, acked: Mark | None = None) -> Tower:
    """The tower at a path, "/dev/ttyACM0", or by USB id, "2e8a:000a", if need be with the serial
    number of the one that is meant, "2e8a:000a:E6614103E73F2B29"."""
    if not ("/" in where or USB_ID.fullmatch(where)):
        raise ValueError(
            f"{where!r} is no place for a tower: give a path (/dev/ttyACM0) or a USB id "
            "(2e8a:000a, as lsusb shows it)"
        )

    def opened() -> Any:
        path = find_port(where)
        try:
            return serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_TIMEOUT, exclusive=True)
        except _BROKEN as error:
            remedy = REMEDIES.get(getattr(error, "errno", None), "unplug it and plug it in again")
            raise PortError(f"{path} cannot be opened ({error}): {remedy}") from error

    return Tower(opened, clock, acked=acked)


def find_port(where: str, ports: Callable[[], Iterable[Any]] = list_ports.comports) -> str:
    """The path of the port meant by `where`, at this moment."""
    if "/" in where:
        return where
    there = {}  # by path, which has numbers: the same one each time
    for port in sorted(ports(), key=lambda port: str(port.device)):
        if port.vid is not None:
            number = port.serial_number or ""
            there[str(port.device)] = f"{port.vid:04x}:{port.pid:04x}:{number}".lower()
    for path, id in there.items():
        if f"{id}:".startswith(f"{where.lower()}:"):
            return path
    found = ", ".join(f"{id} ({path})" for path, id in there.items())
    raise PortError(
        f"no tower with USB id {where}: plug it in; on USB there is {found or 'no serial port'}"
    )

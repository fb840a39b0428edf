"""What the service manager hears of the daemon: that it is up, that it goes on, that it stops.

systemd gives a datagram socket in $NOTIFY_SOCKET and the watchdog's patience in $WATCHDOG_USEC. The
loop feeds the watchdog by coming by, so that one that hangs is restarted.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Mapping

from drivers.clock import Clock

# As in syslog(3), which is what the journal reads at the start of a line.
PRIORITIES = {"CRITICAL": 2, "ERROR": 3, "WARNING": 4, "INFO": 6, "DEBUG": 7}


class Notifier:
    """A stepper of the loop. Without a service manager it says nothing to nobody."""

    def __init__(self, clock: Clock, environment: Mapping[str, str] = os.environ) -> None:
        self._clock = clock
        self._socket: socket.socket | None = None
        self._ready = False
        self._fed_at = 0.0
        address = environment.get("NOTIFY_SOCKET", "")
        if address.startswith(("/", "@")):
            self._address = address.replace("@", "\0", 1) if address[0] == "@" else address
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self._every = _patience(environment) / 2 if self._socket else float("inf")

    def step(self) -> float:
        """After each step of the table: ready after the first, alive every half of the patience."""
        now = self._clock.now()
        if not self._ready:
            self._ready = True
            self._fed_at = now
            self._say("READY=1")
        elif now >= self._fed_at + self._every:
            self._fed_at = now
            self._say("WATCHDOG=1")
        return self._fed_at + self._every

    def stopping(self) -> None:
        self._say("STOPPING=1")
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _say(self, word: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(word.encode(), self._address)
        except OSError as error:  # a manager that is gone or swamped; the game goes on
            logging.getLogger("cavale").debug("%s not said to the service manager: %s", word, error)


def _patience(environment: Mapping[str, str]) -> float:
    """Seconds without a sign of life after which we are taken for hung; infinite if nobody asks."""
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    usec = environment.get("WATCHDOG_USEC", "")
    return int(usec) / 1e6 if mine and usec.isdecimal() and int(usec) else float("inf")


class _ForTheJournal(logging.Formatter):
    """Each line with its priority, which the journal takes off: `journalctl -p warning` works."""

    def format(self, record: logging.LogRecord) -> str:
        mark = f"<{PRIORITIES.get(record.levelname, 6)}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def log_to_stderr() -> None:
    """With priorities if stderr leads to the journal, with levels in words if not."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(levelname)s %(message)s")
    handler.setFormatter(_ForTheJournal("%(message)s") if _journalled() else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _journalled() -> bool:
    """Is it our stderr, and not that of a parent, which $JOURNAL_STREAM names?"""
    try:
        at = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{at.st_dev}:{at.st_ino}"

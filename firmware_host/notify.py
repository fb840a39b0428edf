"""What the service manager hears of the daemon: that it is up, that it goes on, that it stops.

systemd gives a datagram socket in $NOTIFY_SOCKET and the watchdog's patience in $WATCHDOG_USEC. The
loop feeds the watchdog by coming by, and only while what it waits for makes progress: one that
hangs, or whose disk does, is restarted.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping

from drivers.clock import Clock


class Notifier:
    """A stepper of the loop. Without a service manager it says nothing to nobody."""

    def __init__(
        self,
        clock: Clock,
        under_way: Callable[[], object | None] = lambda: None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        """`under_way` is the work that others do for the loop, such as a move being written; the
        same one for half of the watchdog's patience is no progress."""
        self._clock = clock
        self._under_way = under_way
        self._waits_for: object | None = None
        self._socket: socket.socket | None = None
        self._ready = False
        self._looked_at = 0.0
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
            self._looked_at = now
            self._say("READY=1")
        elif now >= self._looked_at + self._every:
            self._looked_at = now
            before, self._waits_for = self._waits_for, self._under_way()
            if before is None or before is not self._waits_for:
                self._say("WATCHDOG=1")
        return self._looked_at + self._every

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

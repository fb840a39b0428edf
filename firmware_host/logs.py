"""Where the daemon's log goes: to the journal with fields that can be asked for, or to stderr."""

from __future__ import annotations

import logging
import os
import socket
import sys
from pathlib import Path

# As in syslog(3), which is what the journal sorts by.
PRIORITIES = {"CRITICAL": 2, "ERROR": 3, "WARNING": 4, "INFO": 6, "DEBUG": 7}
SOCKET = Path("/run/systemd/journal/socket")
LARGEST = 48 * 1024  # bytes of one entry: a datagram must hold it


def open_log(at: Path = SOCKET) -> None:
    """Entries with fields where a journal reads us, lines with the level in words elsewhere."""
    stderr = logging.StreamHandler(sys.stderr)
    if not _journalled():
        stderr.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        logging.basicConfig(level=logging.INFO, handlers=[stderr])
        return
    stderr.setFormatter(_WithPriority("%(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[ToJournal(at, stderr)])


class ToJournal(logging.Handler):
    """In the journal's own form. `extra={"fields": {"event": "move"}}` becomes CAVALE_EVENT=move;
    what it does not take goes to `otherwise`, so that no line is lost."""

    def __init__(self, at: Path, otherwise: logging.Handler) -> None:
        super().__init__()
        self._at = str(at)
        self._otherwise = otherwise
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._socket.sendto(self._entry(record), self._at)
        except (OSError, ValueError):
            self._otherwise.handle(record)

    def close(self) -> None:
        self._socket.close()
        super().close()

    def _entry(self, record: logging.LogRecord) -> bytes:
        fields: dict[str, object] = {
            "MESSAGE": self.format(record),
            "PRIORITY": PRIORITIES.get(record.levelname, 6),
            "SYSLOG_IDENTIFIER": "cavale",
            "CAVALE_PART": record.name.removeprefix("cavale").lstrip(".") or "daemon",
        }
        for name, value in getattr(record, "fields", {}).items():
            if value is not None:
                fields[f"CAVALE_{name.upper()}"] = value
        entry = b"".join(_field(name, str(value)) for name, value in fields.items())
        if len(entry) > LARGEST:
            raise ValueError("too long for a datagram")
        return entry


def _field(name: str, value: str) -> bytes:
    """A value of several lines needs its length before it."""
    data = value.encode("utf-8", "replace")
    if b"\n" not in data:
        return name.encode() + b"=" + data + b"\n"
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"


class _WithPriority(logging.Formatter):
    """Each line with its priority, which the journal takes off: `journalctl -p warning` works."""

    def format(self, record: logging.LogRecord) -> str:
        mark = f"<{PRIORITIES.get(record.levelname, 6)}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def _journalled() -> bool:
    """Is it our stderr, and not that of a parent, which $JOURNAL_STREAM names?"""
    try:
        at = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{at.st_dev}:{at.st_ino}"

"""Who holds which key. A phone gets in by a code that the table shows once, and keeps a cookie;
we keep only the cookie's hash. One role, one key: whoever joins as a seat that somebody holds must
be let in by the table, and the old key dies.

A key belongs to a person rather than to a chair: in the next game it is where that name sits, and
it is forgotten once nobody of that name plays.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from firmware_host import files

log = logging.getLogger("cavale.page")

ALPHABET = "3479ACDEFGHJKMNPQRTUVWXY"  # nothing that looks like something else on 64 pixels
LENGTH = 8
LIFE = 600.0  # s that a code is good for
HOST = "host"


class Key(NamedTuple):
    """What a request may do: the seats it holds in this game, and whether it is the host's."""

    hash: str = ""
    seats: tuple[int, ...] = ()
    host: bool = False

    def __bool__(self) -> bool:
        return bool(self.seats or self.host)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    v: int
    holders: dict[str, str]


def roles(names: Sequence[str]) -> tuple[str, ...]:
    """A role for each seat: its name, and which of that name it is."""
    return tuple(f"seat {names[:n].count(name)} {name}" for n, name in enumerate(names))


def hashed(token: str) -> str:
    """Tokens are long and random, so that a plain hash tells nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def normal(code: str) -> str:
    """As people type it: in small letters, with spaces or dashes."""
    return code.upper().replace(" ", "").replace("-", "")


class Keys:
    """May be called on any thread."""

    def __init__(self, file: Path | None, now: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._now = now
        self._lock = Lock()
        self._codes: dict[str, tuple[str, float]] = {}  # code -> role, until
        self._holders = self._read()

    # -- codes ----------------------------------------------------------------------------------

    def invite(self, role: str) -> str:
        """A new code for the role; one that was shown before is no good any more."""
        with self._lock:
            now = self._now()
            self._codes = {
                code: (who, until)
                for code, (who, until) in self._codes.items()
                if who != role and until > now
            }
            code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
            self._codes[code] = (role, now + LIFE)
            return code

    def redeem(self, code: str) -> str | None:
        """The role that the code is for, once."""
        with self._lock:
            role, until = self._codes.pop(normal(code), (None, 0.0))
            return role if until > self._now() else None

    # -- keys -----------------------------------------------------------------------------------

    def of(self, token: str | None, names: Sequence[str]) -> Key:
        """What the holder of this token may do, with these people at the table."""
        if not token:
            return Key()
        mark = hashed(token)
        with self._lock:
            held = {role for role, holder in self._holders.items() if holder == mark}
        seats = tuple(n for n, role in enumerate(roles(names)) if role in held)
        return Key(mark, seats, HOST in held)

    def holder(self, role: str) -> str | None:
        with self._lock:
            return self._holders.get(role)

    def give(self, role: str, mark: str) -> None:
        """From now on this is the role's only key."""
        with self._lock:
            self._holders[role] = mark
            self._write()

    def take(self, role: str) -> None:
        with self._lock:
            if self._holders.pop(role, None) is not None:
                self._write()

    def keep(self, names: Sequence[str]) -> None:
        """These people play now: forget everybody else's key."""
        with self._lock:
            known = {HOST, *roles(names)}
            if not known.issuperset(self._holders):
                self._holders = {r: mark for r, mark in self._holders.items() if r in known}
                self._write()
            self._codes = {code: is_ for code, is_ in self._codes.items() if is_[0] in known}

    # -- the file -------------------------------------------------------------------------------

    def _read(self) -> dict[str, str]:
        if self._file is None:
            return {}
        try:
            return dict(msgspec.json.decode(self._file.read_bytes(), type=_File).holders)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            log.warning("%s: cannot be used (%s); phones must join anew", self._file, error)
            return {}

    def _write(self) -> None:
        """All of it or nothing, whatever happens meanwhile; readable by us alone."""
        if self._file is None:
            return
        try:
            files.write(self._file, msgspec.json.encode(_File(1, self._holders)).decode(), 0o600)
        except OSError as error:
            log.warning("%s: not written (%s); phones must join anew later", self._file, error)

"""The whole journal as one file elsewhere, and back from there."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from firmware_host.journal.errors import JournalError, plainly
from firmware_host.journal.journal import Journal
from firmware_host.journal.store import set_aside


def back_up(path: Path, to: Path) -> int:
    """A sound copy, also while a daemon writes; how many games are in it. Nothing is overwritten,
    and what is there under that name is whole."""
    if to.exists():
        raise JournalError("in_the_way", path=to)
    with closing(Journal.read(path)) as journal:
        games = len(journal.games())
    beside = to.with_name(f"{to.name}.part")
    try:
        beside.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as source:
            source.execute("VACUUM INTO ?", (str(beside),))
        _sync(beside)
        os.replace(beside, to)
        _sync(to.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise _plainly(to, error) from error
    return games


def restore(backup: Path, path: Path) -> tuple[int, Path | None]:
    """The backup becomes the journal: how many games it holds, and where the one before it lies
    now. Raises JournalError for a file that is no sound journal, or while a daemon has it open."""
    with closing(Journal.read(backup)) as journal:
        games = len(journal.games())
    if path.exists():
        _alone_with(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.part")
        shutil.copyfile(backup, beside)
        _sync(beside)
        aside = set_aside(path, "replaced") if path.exists() else None
        os.replace(beside, path)
        _sync(path.parent)
    except OSError as error:
        raise _plainly(path, error) from error
    return games, aside


def _alone_with(path: Path) -> None:
    """Nobody else may have it open: what a daemon has not written yet would be lost."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0.5)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise JournalError("in_use", path=path) from error
        # One that cannot even be read is set aside like any other.


def _plainly(path: Path, error: Exception) -> JournalError:
    if isinstance(error, OSError):
        return JournalError("cannot_open", path=path, detail=error.strerror or error)
    return plainly(path, error)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)

"""The database: opening, checking and setting aside the file, and one transaction an entry.

Several processes may read while one writes (WAL). Everything goes through `execute`, which sqlite3
and apsw connections share, so that tests can put a disk of their own under it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from firmware_host.journal.entries import Row, Saved, decode
from firmware_host.journal.errors import Damaged, JournalError, plainly, sentence
from game_logic.core import Malformed, Text

# Each brings the file from the version that is its index to the next one (PRAGMA user_version).
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # `state` is the newest one: what an open game goes on from when the rules have changed.
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL,
            ended INTEGER NOT NULL DEFAULT 0,
            state BLOB NOT NULL
        ) STRICT""",
        "CREATE UNIQUE INDEX one_open_game ON games (ended) WHERE ended = 0",
        """CREATE TABLE entries (
            game INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            body BLOB NOT NULL,
            seal BLOB NOT NULL,
            PRIMARY KEY (game, seq)
        ) STRICT, WITHOUT ROWID""",
    ),
)
APPLICATION = int.from_bytes(b"CVLE", "big")
CHECKED_PAGES = 25_000  # 100 MB, some thousand games: a larger file is not read whole at each start
BUSY_MS = 2_000


class Connection(Protocol):
    """What sqlite3's and apsw's connections have in common."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Any: ...

    def close(self) -> Any: ...


Connect = Callable[[str], Connection]


def sqlite3_connect(address: str) -> Connection:
    """The owner may be another thread than the one that opens: the writer's."""
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


class Store:
    """An open journal file. Errors come out as JournalError; a failed write has written nothing."""

    def __init__(self, path: Path, connection: Connection, notice: Text | None = None) -> None:
        self.path = path
        self.notice = notice
        self._connection = connection

    @classmethod
    def open(cls, path: Path, connect: Connect) -> Store:
        """To write. What is not a sound journal is set aside, and `notice` says where."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError("cannot_open", path=path, detail=error) from error
        try:
            return cls(path, _writable(path, connect))
        except Damaged as damage:
            aside = set_aside(path)
            notice = sentence("set_aside", path=path, aside=aside, detail=damage.detail)
            return cls(path, _writable(path, connect), notice)

    @classmethod
    def read(cls, path: Path, connect: Connect) -> Store:
        """Only to read, beside the daemon or without it; leaves no trace."""
        if _is_empty(path):
            raise JournalError("missing", path=path)
        return cls(path, _checked(path, connect, read_only=True))

    def close(self) -> None:
        with self._plainly():
            self._connection.close()

    # -- reading --------------------------------------------------------------------------------

    def ids(self) -> list[int]:
        return [id for (id,) in self._rows("SELECT id FROM games ORDER BY id")]

    def open_id(self) -> int | None:
        return next((id for (id,) in self._rows("SELECT id FROM games WHERE ended = 0")), None)

    def ends(self, id: int) -> tuple[Row, Row, int]:
        """The first and the last entry of a game, and how many intents it holds."""
        rows = self._rows(
            "SELECT body, seal, at FROM entries WHERE game = ?1 AND seq IN"
            " (0, (SELECT max(seq) FROM entries WHERE game = ?1)) ORDER BY seq",
            (id,),
        )
        if not rows:
            raise Damaged(self.path, f"game {id} has no entries")
        count = "SELECT count(*) FROM entries WHERE game = ? AND kind = 'intent'"
        ((intents,),) = self._rows(count, (id,))
        return self._row(*rows[0]), self._row(*rows[-1]), intents

    def saved(self, id: int) -> Saved:
        """A whole game; Damaged if it is visibly not what was written."""
        games = self._rows("SELECT key, state FROM games WHERE id = ?", (id,))
        if not games:
            raise JournalError("no_game", path=self.path, id=id)
        ((key, state),) = games
        rows = self._rows("SELECT body, seal, at FROM entries WHERE game = ? ORDER BY seq", (id,))
        saved = Saved(id, key, state, tuple(self._row(*row) for row in rows))
        flaw = saved.flaw()
        if flaw:
            raise Damaged(self.path, flaw)
        return saved

    def _row(self, body: bytes, seal: bytes, at: str) -> Row:
        try:
            return Row(decode(body), body, seal, at)
        except Malformed as error:
            raise Damaged(self.path, str(error)) from None

    # -- writing --------------------------------------------------------------------------------

    def append(
        self, id: int | None, key: bytes, row: Row, kind: str, state: bytes, *, ends: bool
    ) -> int:
        """One entry and the state after it, on the disk when this returns. Gives the game's id.

        Writing the same entry again does nothing, so that a write whose end is in doubt can be
        repeated.
        """
        with self._transaction():
            if id is None:
                id = self._begun(key)
            seq = row.entry.seq
            newest = self._rows(
                "SELECT seq, seal FROM entries WHERE game = ? ORDER BY seq DESC LIMIT 1", (id,)
            )
            if newest == [(seq, row.seal)]:
                return id
            if [n for n, _ in newest] != ([seq - 1] if seq else []):
                raise JournalError("conflict", path=self.path, id=id, seq=seq)
            self._run(
                "INSERT INTO entries (game, seq, at, kind, body, seal) VALUES (?, ?, ?, ?, ?, ?)",
                (id, seq, row.at, kind, row.body, row.seal),
            )
            self._run("UPDATE games SET state = ?, ended = ? WHERE id = ?", (state, int(ends), id))
            return id

    def _begun(self, key: bytes) -> int:
        """The row of a new game; one that was begun with the same key is that game."""
        for id, other in self._rows("SELECT id, key FROM games WHERE ended = 0"):
            if other != key:
                raise JournalError("game_open", path=self.path, id=id)
            return int(id)
        self._run("INSERT INTO games (key, state) VALUES (?, ?)", (key, b""))
        ((id,),) = self._rows("SELECT last_insert_rowid()")
        return int(id)

    # -- plumbing -------------------------------------------------------------------------------

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._plainly():
            return list(self._connection.execute(sql, parameters))

    def _run(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        self._rows(sql, parameters)

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        with _plain(self.path):
            yield

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _plain(self.path), _transaction(self._connection):
            yield


@contextmanager
def _plain(path: Path, *, checking: bool = False) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise plainly(path, error, checking=checking) from error


@contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        try:
            connection.execute("ROLLBACK")
        except Exception:  # SQLite rolls back by itself after some errors, a full disk among them
            pass
        raise


# -- opening ------------------------------------------------------------------------------------


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise JournalError("cannot_open", path=path, detail=error) from error


def _is_empty(path: Path) -> bool:
    """As SQLite sees it; and beside an empty database it deletes the WAL, even if only reading."""
    return _size(path) <= 1


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _address(path: Path, *, read_only: bool) -> str:
    """As SQLite's URI. Without a WAL nobody writes, and the file can be read as it is: a reader of
    its own right would leave files behind that the daemon's user may not be able to open."""
    uri = path.absolute().as_uri()
    if not read_only:
        return uri
    return f"{uri}?mode=ro" if _size(_beside(path, "-wal")) else f"{uri}?immutable=1"


def _checked(path: Path, connect: Connect, *, read_only: bool) -> Connection:
    """A connection that can only read, to a sound journal: a damaged file stays as it is, byte for
    byte, whereas closing a writing connection would fold the WAL into it."""
    with _plain(path, checking=True):
        connection = connect(_address(path, read_only=True))
        try:
            _check(path, connection, read_only=read_only)
        except BaseException:
            connection.close()
            raise
        return connection


def _check(path: Path, connection: Connection, *, read_only: bool) -> None:
    def ask(sql: str) -> Any:
        ((answer,),) = connection.execute(sql)
        return answer

    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}").close()
    tables = ask("SELECT count(*) FROM sqlite_master")
    version = ask("PRAGMA user_version")
    if tables and ask("PRAGMA application_id") != APPLICATION:
        raise JournalError("foreign", path=path)
    if version < (1 if tables else 0):
        raise Damaged(path, f"its version cannot be {version}")
    if version > len(MIGRATIONS):
        raise JournalError("newer", path=path, found=version, known=len(MIGRATIONS))
    if ask("PRAGMA page_count") <= CHECKED_PAGES:
        verdict = ask("PRAGMA quick_check(1)")
        if verdict != "ok":
            raise Damaged(path, verdict)
    if version == len(MIGRATIONS):
        ask("SELECT count(*) FROM (SELECT id, key, ended, state FROM games LIMIT 1)")
        ask("SELECT count(*) FROM (SELECT game, seq, at, kind, body, seal FROM entries LIMIT 1)")
        store = Store(path, connection)
        open_id = store.open_id()
        if open_id is not None:
            store.saved(open_id)
    elif read_only:
        raise JournalError("older", path=path, found=version)


def _writable(path: Path, connect: Connect) -> Connection:
    fresh = _is_empty(path)
    if fresh and (_size(path) or _size(_beside(path, "-wal"))):
        raise Damaged(path, "its content is gone")
    # A rollback journal is only there when the making of the file was cut short: SQLite mends that.
    if not fresh and not _size(_beside(path, "-journal")):
        with _plain(path):
            _checked(path, connect, read_only=False).close()
    with _plain(path):
        connection = connect(_address(path, read_only=False))
        try:
            _prepare(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _prepare(path: Path, connection: Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}").close()
    ((mode,),) = connection.execute("PRAGMA journal_mode = WAL")
    if mode != "wal":
        raise JournalError("no_wal", path=path, detail=mode)
    # FULL: the WAL is synced at every commit. With NORMAL a pulled plug forgets the last ones.
    connection.execute("PRAGMA synchronous = FULL").close()
    ((version,),) = connection.execute("PRAGMA user_version")
    # Also with nothing to migrate: this commit syncs what a killed process had written but not yet
    # synced. SQLite takes that for committed; shown on start, it must outlast the plug too.
    with _transaction(connection):
        for script in MIGRATIONS[version:]:
            for statement in script:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def set_aside(path: Path, why: str = "damaged") -> Path:
    """Rename the file, with what belongs to it, to a name that is free. Nothing is overwritten."""
    suffixes = ("", "-wal", "-shm", "-journal")
    number = 1
    while any(_beside(path, f".{why}-{number}{suffix}").exists() for suffix in suffixes):
        number += 1
    aside = _beside(path, f".{why}-{number}")
    try:
        for suffix in suffixes:
            if (file := _beside(path, suffix)).exists():
                file.rename(_beside(aside, suffix))
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise JournalError("cannot_open", path=path, detail=error) from error
    return aside

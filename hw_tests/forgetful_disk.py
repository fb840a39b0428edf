"""A disk that forgets what was not synced: a SQLite VFS, through APSW, over a folder of real files.

The real files are what running programs see (the page cache). Beside them the disk keeps what has
been synced, and every write since. When the plug is pulled, `left` makes what the next start finds:

- each write since the file's last sync is kept, lost, or torn, one 512-byte sector at a time and in
  no order, as a card's controller does; bytes that were not written are never harmed;
- a truncation that was not synced happened or did not; a hole reads as zeros;
- a file made or deleted is so for certain only once its folder is synced. SQLite syncs the folder
  with the first sync of a new WAL or rollback journal, and with a deletion that asks for it, and
  so does this disk; until then each name may be there or not. (Syncing a database file alone does
  not keep its name: stricter than ext4.)

The WAL's shared memory is the real one: it lasts no longer than the power, and is not kept.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
_numbers = itertools.count(1)


def fault(code: int) -> Exception:
    """As SQLite would report it."""
    error: Exception = apsw.exception_for(code)
    return error


class Inode:
    """A file's content on the platter, and what was done to it since."""

    def __init__(self, content: bytes = b"") -> None:
        self.synced = bytearray(content)
        self.pending: list[tuple[int, bytes | None]] = []  # a write, or a truncation (None)
        self.syncs_folder = False

    def sync(self) -> None:
        self.synced = bytearray(self.left(lambda: "kept", random.Random(0)))
        self.pending.clear()

    def left(self, fate: Any, rng: random.Random) -> bytes:
        content = bytearray(self.synced)
        for offset, data in self.pending:
            if data is None:
                if fate() != "lost":
                    del content[offset:]
                    content.extend(bytes(offset - len(content)))
                continue
            at = 0
            while at < len(data):
                end = min(len(data), at + SECTOR - (offset + at) % SECTOR)
                what = fate()
                upto = {"kept": end, "lost": at}.get(what) or rng.randrange(at, end)
                if upto > at:
                    content.extend(bytes(max(0, offset + at - len(content))))
                    content[offset + at : offset + upto] = data[at:upto]
                at = end
        return bytes(content)


class ForgetfulDisk(apsw.VFS):
    """`pull_at`: the plug is pulled within that operation (write, sync, truncate or delete).

    `room`: bytes by which files may still grow. `fault`: an error that every such operation meets.
    """

    def __init__(self, folder: Path, pull_at: int | None = None) -> None:
        self.folder = folder
        self.pull_at = pull_at
        self.operations = 0
        self.off = False
        self.room: int | None = None
        self.fault: Exception | None = None
        self.files = {f.name: Inode(f.read_bytes()) for f in folder.iterdir() if f.is_file()}
        self.known = dict(self.files)  # the folder, as synced
        self.vfs_name = f"forgetful-{next(_numbers)}"
        super().__init__(self.vfs_name, "unix")

    def connect(self, address: str) -> Any:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        kind = _Reader if "?mode=ro" in address else apsw.Connection
        return kind(address, flags=flags, vfs=self.vfs_name)

    def process_died(self, pull_at: int | None = None) -> None:
        """It was not the plug, only the process: the page cache is still there, synced or not."""
        self.off = False
        self.pull_at = None if pull_at is None else self.operations + pull_at

    def left(self, rng: random.Random) -> dict[str, bytes]:
        """What the next start finds: nothing of what was not synced, all of it, or a part."""
        fates = rng.choice(
            (("lost",), ("kept",), ("kept", "lost", "torn"), ("kept",) * 9 + ("lost",))
        )

        def fate() -> str:
            return rng.choice(fates)

        names = {
            name: self.known.get(name) if fate() == "lost" else self.files.get(name)
            for name in sorted(self.known.keys() | self.files.keys())
        }
        return {name: inode.left(fate, rng) for name, inode in names.items() if inode}

    @contextmanager
    def operation(self) -> Iterator[None]:
        """The plug is pulled within it: begun, and never reported as done."""
        if self.off:
            raise fault(apsw.SQLITE_IOERR)
        if self.fault:
            raise self.fault
        self.operations += 1
        self.off = self.operations == self.pull_at
        yield
        if self.off:
            raise fault(apsw.SQLITE_IOERR)

    def sync_folder(self) -> None:
        self.known = dict(self.files)

    # -- what SQLite calls ----------------------------------------------------------------------

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _File(self, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:
        with self.operation():
            super().xDelete(name, sync_folder)
            self.files.pop(Path(name).name, None)
            if sync_folder and not self.off:
                self.sync_folder()

    def excepthook(self, *_: Any) -> None:
        """Errors where SQLite can tell nobody, as when a dead disk's files are closed."""


class _Reader(apsw.Connection):
    """On close SQLite tries to lock the file for a checkpoint, which a file opened to read refuses;
    SQLite takes that as it is, but APSW reports it."""

    def close(self, force: bool = False) -> None:
        with suppress(apsw.IOError):
            super().close(force)


class _File(apsw.VFSFile):
    def __init__(self, disk: ForgetfulDisk, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.disk = disk
        super().__init__("unix", name, flags)
        key = Path(path).name
        if key not in disk.files:
            disk.files[key] = Inode()
            logs = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
            disk.files[key].syncs_folder = bool(flags[0] & logs)
        self.inode = disk.files[key]

    def xWrite(self, data: bytes, offset: int) -> None:
        disk = self.disk
        growth = offset + len(data) - super().xFileSize()
        if disk.room is not None and growth > disk.room:
            raise fault(apsw.SQLITE_FULL)
        with disk.operation():
            super().xWrite(data, offset)
            self.inode.pending.append((offset, bytes(data)))
        if disk.room is not None:
            disk.room -= max(0, growth)

    def xTruncate(self, size: int) -> None:
        with self.disk.operation():
            super().xTruncate(size)
            self.inode.pending.append((size, None))

    def xSync(self, flags: int) -> None:
        with self.disk.operation():
            if self.disk.off:
                return
            self.inode.sync()
            if self.inode.syncs_folder:
                self.inode.syncs_folder = False
                self.disk.sync_folder()

    def excepthook(self, *_: Any) -> None:
        pass

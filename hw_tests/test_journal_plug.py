"""The plug is pulled at any instant: what was acknowledged is there, and the log folds."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firmware_host.journal import JournalError, Record, Resumed
from game_logic.core import Illegal
from hw_tests.forgetful_disk import ForgetfulDisk
from hw_tests.journal_games import GAME, some_act, toy_journal

Settings = Callable[[str], str]


def ours(sql: str) -> str:
    return sql


def careless(level: str) -> Settings:
    """The product's own settings, but for one."""
    return lambda sql: sql.replace("synchronous = FULL", f"synchronous = {level}")


class Tuned:
    """A connection whose WAL is folded in often, so that pulls hit checkpoints too."""

    def __init__(self, connection: Any, settings: Settings) -> None:
        self.connection = connection
        self.settings = settings
        connection.execute("PRAGMA wal_autocheckpoint = 12").close()

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        return self.connection.execute(self.settings(sql), parameters)

    def close(self) -> None:
        self.connection.close()


class Acknowledged(NamedTuple):
    id: int
    seq: int
    hash: str


def some_next(record: Record, rng: random.Random) -> Record:
    """A move, now and then an undo, at last the end."""
    if rng.random() < 0.1:
        try:
            return record.undo(confirmed=True)
        except Illegal:
            pass
    if not GAME.to_act(record.state) or record.seq > 30:
        return record.end()
    return record.intent((some_act(record, rng),))


def play_until_dark(
    disk: ForgetfulDisk, settings: Settings, rng: random.Random
) -> list[Acknowledged]:
    """Play until the plug is pulled or 60 entries are written; gives what was acknowledged."""
    acknowledged: list[Acknowledged] = []
    journal = None
    try:
        journal = toy_journal(
            disk.folder / "journal.db",
            connect=lambda address: Tuned(disk.connect(address), settings),
        )
        for line in journal.games():  # what is found on start is shown, so it is to last as well
            found = journal.load(line.id)
            acknowledged.append(Acknowledged(line.id, found.seq, found.hash))
        record = journal.open_game()
        for _ in range(60):
            if record is None or record.ended:
                record = Record.begin(GAME, ("Ana", "Bo"))
            else:
                record = some_next(record, rng)
            record = journal.append(record)
            assert record.id is not None
            acknowledged.append(Acknowledged(record.id, record.seq, record.hash))
        journal.close()
    except JournalError:
        assert disk.off, "nothing but the plug stops us"
        if journal:
            try:
                journal.close()
            except JournalError:
                pass
    return acknowledged


def look(folder: Path, acknowledged: list[Acknowledged]) -> list[str]:
    """What is wrong with what was found after the plug was pulled."""
    try:
        journal = toy_journal(folder / "journal.db")
    except JournalError as error:
        return [str(error)]
    try:
        wrong = [journal.notice.en] if journal.notice else []
        newest = {a.id: a for a in acknowledged}
        records = {line.id: journal.load(line.id) for line in journal.games()}
        for id, noted in newest.items():
            if id not in records or records[id].seq < noted.seq:
                wrong.append(f"lost: {noted}")
                continue
            record = records[id]
            then = Record(id, GAME, record.key, record.steps[: noted.seq + 1])
            if then.hash != noted.hash:
                wrong.append(f"changed: {noted}")
        going_on = journal.open_game()
        if going_on and isinstance(going_on.last, Resumed):
            wrong.append("the log does not fold")
        told = sum(noted.seq + 1 for noted in newest.values())
        untold = sum(record.seq + 1 for record in records.values()) - told
        if not wrong and untold > 1:
            wrong.append(f"{untold} entries that nobody was told of")
        return wrong
    except JournalError as error:
        return [str(error)]
    finally:
        journal.close()


def lives(tmp: Path, seed: int, settings: Settings) -> list[str]:
    """Three lives of one table, each ended by the plug, the next on what the last one left.

    In some the process dies first, and is started again on the page cache it left behind.
    """
    rng = random.Random(seed)
    acknowledged: list[Acknowledged] = []
    content: dict[str, bytes] = {}
    for life in range(3):
        disk = ForgetfulDisk(folder_of(tmp / f"{seed}-{life}", content), rng.randrange(1, 260))
        acknowledged += play_until_dark(disk, settings, rng)
        if rng.random() < 0.4:
            disk.process_died(pull_at=rng.randrange(1, 30))
            acknowledged += play_until_dark(disk, settings, rng)
        content = disk.left(rng)
        disk.unregister()
        wrong = look(folder_of(tmp / f"{seed}-{life}-found", content), acknowledged)
        if wrong:
            return [f"seed {seed}, life {life}: {what}" for what in wrong]
    return []


def folder_of(path: Path, content: dict[str, bytes]) -> Path:
    path.mkdir()
    for name, data in content.items():
        (path / name).write_bytes(data)
    return path


def pulls(tmp: Path, seeds: range, settings: Settings) -> list[str]:
    return [what for seed in seeds for what in lives(tmp, seed, settings)]


SEEDS = range(70)


def test_a_pulled_plug_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    assert pulls(tmp_path, SEEDS, ours) == []


@pytest.mark.parametrize("level", ["OFF", "NORMAL"])
def test_the_same_pulls_do_lose_moves_without_full_syncs(tmp_path: Path, level: str) -> None:
    wrong = pulls(tmp_path, SEEDS, careless(level))
    assert sum("lost:" in what for what in wrong) > len(SEEDS) / 4, wrong


@pytest.mark.soak
def test_thousands_of_pulled_plugs(tmp_path: Path) -> None:
    for seed in range(1_000, 3_000):
        assert lives(tmp_path, seed, ours) == []
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()

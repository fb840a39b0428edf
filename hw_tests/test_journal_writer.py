"""Tickets: a draft is accepted when it is on the disk, and an error loses nothing."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from firmware_host.journal import InlineWriter, Journal, JournalError, Record, Ticket, Writer
from game_logic.core import Act
from hw_tests.forgetful_disk import ForgetfulDisk, fault
from hw_tests.journal_games import GAME, begun, play_on, some_act, toy_journal, toy_rules
from hw_tests.toy import Bet

START = Record.begin(GAME, ("Ana", "Bo"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


class SlowDisk:
    """A connection whose commits wait for leave."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.leave = threading.Event()

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        if sql == "COMMIT":
            assert self.leave.wait(5)
        return self.connection.execute(sql, parameters)

    def close(self) -> None:
        self.connection.close()


def wait_for(ticket: Ticket, woken: threading.Event) -> Ticket:
    assert woken.wait(5)
    woken.clear()
    assert ticket.done
    return ticket


def test_the_loop_goes_on_while_a_commit_is_under_way(path: Path) -> None:
    disks = []

    def connect(address: str) -> Any:
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, check_same_thread=False
        )
        disks.append(SlowDisk(connection))
        disks[-1].leave.set()
        return disks[-1]

    woken = threading.Event()
    writer = Writer(toy_journal(path, connect=connect), on_done=woken.set)
    disks[-1].leave.clear()
    ticket = writer.submit(START)
    assert not ticket.done
    assert ticket.due is None
    with pytest.raises(RuntimeError, match="nothing new"):
        writer.submit(START)
    reader = Journal.read(path, rules=toy_rules)
    assert reader.games() == (), "not accepted yet"
    reader.close()
    disks[-1].leave.set()
    record = wait_for(ticket, woken).record
    assert ticket.error is None
    assert record is not None
    assert record.id == 1
    assert record.state == START.state
    second = writer.submit(record.intent((Act(0, Bet(1)),)))
    writer.close()
    assert second.done, "what was under way is written before the writer is gone"
    assert second.record is not None
    journal = toy_journal(path)
    found = journal.open_game()
    assert found is not None
    assert found.hash == second.record.hash
    journal.close()


def test_a_whole_game_through_the_thread(path: Path) -> None:
    woken = threading.Event()
    writer = Writer(toy_journal(path), on_done=woken.set)
    rng = random.Random(1)
    record = wait_for(writer.submit(START), woken).record
    while record is not None and GAME.to_act(record.state):
        record = wait_for(writer.submit(record.intent((some_act(record, rng),))), woken).record
    assert record is not None
    assert wait_for(writer.submit(record.end()), woken).error is None
    writer.close()
    journal = toy_journal(path)
    assert journal.load(1).ended
    journal.close()


def test_in_free_time_a_ticket_is_done_when_the_clock_says_so(path: Path) -> None:
    now = 100.0
    costs = iter([0.02, 1.0])
    writer = InlineWriter(toy_journal(path), clock=lambda: now, cost=lambda: next(costs))
    ticket = writer.submit(START)
    assert (ticket.done, ticket.due) == (False, pytest.approx(100.02))
    now = 100.01
    with pytest.raises(RuntimeError, match="nothing new"):
        writer.submit(START)
    now = ticket.due or 0.0
    assert ticket.done
    assert ticket.record is not None
    slow = writer.submit(ticket.record.intent((Act(0, Bet(1)),)))
    now += 0.9
    assert not slow.done
    now += 0.1
    assert slow.done
    writer.close()


# -- a disk that refuses --------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[ForgetfulDisk]:
    disk = ForgetfulDisk(tmp_path)
    yield disk
    disk.unregister()


FAULTS = {
    "read_only": fault(apsw.SQLITE_READONLY),
    "io": fault(apsw.SQLITE_IOERR),
    "full": fault(apsw.SQLITE_FULL),
    "locked": fault(apsw.SQLITE_BUSY),
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_refused_move_is_told_and_kept_on_retry(
    path: Path, disk: ForgetfulDisk, code: str
) -> None:
    journal = toy_journal(path, connect=disk.connect)
    writer = InlineWriter(journal, clock=lambda: 0.0, cost=lambda: 0.0)
    record = play_on(journal, begun(journal), random.Random(2), 6)
    draft = record.intent((some_act(record, random.Random(3)),))
    disk.fault = FAULTS[code]
    for _ in range(3):
        ticket = writer.submit(draft)
        assert ticket.done
        assert ticket.record is None
        assert ticket.error is not None
        assert ticket.error.code == code
        assert str(path) in ticket.error.text.fr
        assert str(path) in ticket.error.text.en
        found = journal.open_game()
        assert found is not None
        assert found.hash == record.hash, "nothing is lost, nothing is there by half"
    disk.fault = None
    kept = writer.submit(draft).record
    assert kept is not None
    left = disk.left(random.Random(0))
    writer.close()
    after = path.with_name("after")
    after.mkdir()
    for name, data in left.items():
        (after / name).write_bytes(data)
    again = toy_journal(after / "journal.db")
    found = again.open_game()
    again.close()
    assert found is not None
    assert found.hash == kept.hash, "and the retry is on the disk, not only in the cache"


@pytest.mark.parametrize("room", [0, 100, 5_000, 9_000, 30_000])
def test_a_full_disk_stops_the_game_and_room_lets_it_go_on(
    path: Path, disk: ForgetfulDisk, room: int
) -> None:
    journal = toy_journal(path, connect=disk.connect)
    writer = InlineWriter(journal, clock=lambda: 0.0, cost=lambda: 0.0)
    record = begun(journal)
    disk.room = room
    rng = random.Random(4)
    ticket = writer.submit(record.intent((Act(0, Bet(1)),)))
    while ticket.record:
        record = ticket.record
        ticket = writer.submit(record.intent((some_act(record, rng),)))
    assert ticket.error is not None
    assert ticket.error.code == "full"
    found = journal.open_game()
    assert found is not None
    assert found.hash == record.hash
    disk.room = None
    kept = writer.submit(ticket.draft)
    assert kept.record is not None
    play_on(journal, kept.record, rng, 5)
    writer.close()


def test_a_database_that_another_program_holds(path: Path) -> None:
    journal = toy_journal(path, connect=impatient)
    record = begun(journal)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError) as error:
        journal.append(record.intent((Act(0, Bet(1)),)))
    assert error.value.code == "locked"
    other.execute("ROLLBACK")
    other.close()
    assert journal.append(record.intent((Act(0, Bet(1)),))).seq == 1
    journal.close()


def impatient(address: str) -> Any:
    """Our own connection, but it waits less for others."""
    connection = sqlite3.connect(address, uri=True, isolation_level=None)

    class Impatient:
        def execute(self, sql: str, parameters: Any = ()) -> Any:
            sql = "PRAGMA busy_timeout = 20" if "busy_timeout" in sql else sql
            return connection.execute(sql, parameters)

        def close(self) -> None:
            connection.close()

    return Impatient()


def test_a_bug_is_told_like_any_other_error(path: Path) -> None:
    journal = toy_journal(path, clock=lambda: 1 / 0)
    writer = InlineWriter(journal, clock=lambda: 0.0, cost=lambda: 0.0)
    error = writer.submit(START).error
    assert error is not None
    assert error.code == "unexpected"
    assert "ZeroDivisionError" in error.text.fr
    writer.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(JournalError) as error:
        toy_journal(tmp_path / "journal.db")
    tmp_path.chmod(0o700)
    assert error.value.code in ("cannot_open", "read_only")

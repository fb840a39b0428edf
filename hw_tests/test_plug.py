"""The whole table, and the plug pulled: by kill -9, and on a disk that forgets the unsynced."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_host.config import profile
from firmware_host.demo import Evening
from firmware_host.journal import Intent, Journal, JournalError, Resumed
from firmware_host.trial import tables
from game_logic import GAMES
from hw_tests.forgetful_disk import ForgetfulDisk
from hw_tests.test_journal_plug import Tuned, careless, ours

WALL = profile("wall")
# The tables where an evening costs least; the long versions play at those made for the game.
QUICK = {
    "breakout": "wall",
    "la_grande_evasion": "squares-evasion",
    "prison_break": "squares",
    "alcatraz": "screen",
    "dig_your_way_out": "screen",
}
MADE_FOR = {game: tables(game)[0] for game in GAMES}


def play_until_dark(disk, settings, seed, game="breakout", table="wall"):
    """Simulated people play until the plug is pulled; gives the records that were shown."""
    shown = []

    def listen(event, sim):
        if event.kind in ("begin", "move", "undo", "over") and event.record is not None:
            shown.append((event.record.id, event.record.seq, event.record.hash))

    journal = None
    try:
        journal = Journal.open(
            disk.folder / "cavale.db", connect=lambda a: Tuned(disk.connect(a), settings)
        )
        evening = Evening(profile(table), game, journal, seed=seed, mistakes=0.2, listen=listen)
        evening.run(until=lambda: disk.off or evening.moves > 40)
    except JournalError:
        assert disk.off
    finally:
        if journal is not None:
            try:
                journal.close()
            except JournalError:
                pass
    return shown


def lost(folder, shown):
    """Was anything lost that had been on the screens?"""
    try:
        journal = Journal.open(folder / "cavale.db")
    except JournalError as error:
        return str(error)
    try:
        if journal.notice is not None:
            return journal.notice.en
        if not shown:
            return None
        id, seq, hash = shown[-1]
        record = journal.load(id)
        if record.seq < seq:
            return f"entry {seq} was shown, {record.seq} is the last"
        then = type(record)(record.id, record.game, record.key, record.steps[: seq + 1])
        going_on = journal.open_game()
        if going_on is not None and isinstance(going_on.last, Resumed):
            return "the log does not fold"
        return None if then.hash == hash else "another entry than was shown"
    except JournalError as error:
        return str(error)
    finally:
        journal.close()


def pull(tmp, seed, settings, game="breakout", table="wall"):
    rng = random.Random(f"{game} {seed}")
    folder = tmp / f"{game}-{seed}"
    folder.mkdir()
    disk = ForgetfulDisk(folder, pull_at=rng.randrange(12, 400))
    shown = play_until_dark(disk, settings, seed, game, table)
    for old in folder.iterdir():
        old.unlink()
    for name, content in disk.left(rng).items():
        (folder / name).write_bytes(content)
    return lost(folder, shown)


@pytest.mark.parametrize(("game", "table"), QUICK.items())
def test_nothing_shown_is_lost_when_the_plug_is_pulled(tmp_path, game, table):
    pulls = (pull(tmp_path, seed, ours, game, table) for seed in range(4))
    assert list(filter(None, pulls)) == []


def test_the_same_pulls_do_lose_moves_without_syncing(tmp_path):
    assert any(pull(tmp_path, seed, careless("OFF")) for seed in range(25))


@pytest.mark.soak
@pytest.mark.parametrize(("game", "table"), MADE_FOR.items())
def test_nothing_shown_is_lost_in_many_pulls(tmp_path, game, table):
    pulls = (pull(tmp_path, seed, ours, game, table) for seed in range(100, 150))
    assert list(filter(None, pulls)) == []


def kill_once(path: Path, seed: int, after: float, game: str, table: str) -> list[dict]:
    """Run a demo on this journal, kill it; gives the moves it had shown."""
    command = [sys.executable, "-m", "firmware_host.cli", "demo", game, "--table", table, "--json"]
    command += ["--seed", str(seed), "--journal", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline()]
        time.sleep(after)
        process.kill()
        said += process.stdout.readlines()
    return [json.loads(line) for line in said if line.endswith("\n") and '"move"' in line]


def killed_evening(tmp_path: Path, seed: int, kills: int, game: str, table: str) -> None:
    path = tmp_path / f"{seed}.db"
    rng = random.Random(seed)
    for n in range(kills):
        said = kill_once(path, seed + n, rng.random() * 0.25, game, table)
        shown = [(m["seat"], m["move"]) for m in said]
        journal = Journal.read(path)
        kept = [
            (act.by, act.move if isinstance(act.move, dict) else json.loads(_json(act.move)))
            for line in journal.games()
            for step in journal.load(line.id).steps
            if isinstance(step.entry, Intent)
            for act in step.entry.acts
        ]
        journal.close()
        assert any(kept[i : i + len(shown)] == shown for i in range(len(kept) + 1))


def _json(move) -> bytes:
    from game_logic.core import encode

    return encode(move)


@pytest.mark.parametrize("game", ["breakout", "prison_break"])
def test_nothing_shown_is_lost_by_kill_9(tmp_path, game):
    killed_evening(tmp_path, 1, 2, game, QUICK[game])


@pytest.mark.soak
@pytest.mark.parametrize(("game", "table"), MADE_FOR.items())
@pytest.mark.parametrize("seed", range(5))
def test_nothing_shown_is_lost_by_many_kills(tmp_path, game, table, seed):
    killed_evening(tmp_path, seed * 100, 10, game, table)


def test_a_full_disk_is_told_and_the_move_is_kept_when_there_is_room_again(tmp_path):
    disk = ForgetfulDisk(tmp_path)
    journal = Journal.open(tmp_path / "cavale.db", connect=disk.connect)
    evening = Evening(WALL, "breakout", journal, seed=2)
    evening.run(until=lambda: evening.moves > 5)
    disk.room = 0
    evening.run(until=lambda: evening.table.snapshot.trouble is not None, most=60)
    assert "full" in evening.table.snapshot.trouble.en
    moves = evening.moves
    disk.room = None
    evening.run(until=lambda: evening.moves > moves + 5, most=60)
    assert evening.table.snapshot.trouble is None
    assert evening.hands.disagreements == []
    journal.close()


@pytest.mark.parametrize("damage", ["truncated", "scribbled", "no database"])
def test_a_damaged_journal_is_set_aside_and_said(tmp_path, damage):
    path = tmp_path / "cavale.db"
    journal = Journal.open(path)
    evening = Evening(WALL, "breakout", journal, seed=2)
    evening.run(until=lambda: evening.moves > 20)
    journal.close()
    content = path.read_bytes()
    spoilt = {
        "truncated": content[: len(content) // 2 + 100],
        "scribbled": content[:4096] + bytes(random.Random(1).randbytes(len(content) - 4096)),
        "no database": b"dear diary",
    }[damage]
    path.write_bytes(spoilt)
    again = Journal.open(path)
    assert again.notice is not None
    aside = [f for f in tmp_path.iterdir() if f != path and f.read_bytes() == spoilt]
    assert aside
    assert str(aside[0]) in again.notice.en
    assert again.open_game() is None
    again.close()

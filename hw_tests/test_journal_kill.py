"""kill -9 at any instant: what the process had said is there when the next one looks."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_host.journal import Record, Resumed
from hw_tests.journal_games import GAME, begun, play_on, toy_journal


def child(path: Path, seed: int) -> None:
    """Play for ever, and say each entry once it is accepted."""
    rng = random.Random(seed)
    journal = toy_journal(path)
    record = journal.open_game()
    while True:
        if record is None or record.ended:
            record = begun(journal)
        elif GAME.to_act(record.state):
            record = play_on(journal, record, rng, 1)
        else:
            record = journal.append(record.end())
        print(record.id, record.seq, record.hash, flush=True)


def kill_and_look(path: Path, seed: int) -> int:
    rng = random.Random(seed)
    program = f"from {__name__} import Path, child; child(Path({str(path)!r}), {seed})"
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline()]
        time.sleep(rng.random() * 0.05)
        process.kill()
        said += process.stdout.readlines()
    if not said[-1].endswith("\n"):
        said.pop()  # cut off while speaking
    journal = toy_journal(path)
    assert journal.notice is None
    for id, seq, hash in (line.split() for line in said[-1:] + said[:1]):
        record = journal.load(int(id))
        assert record.seq >= int(seq)
        assert Record(record.id, GAME, record.key, record.steps[: int(seq) + 1]).hash == hash
    going_on = journal.open_game()
    assert going_on is None or not isinstance(going_on.last, Resumed)
    journal.close()
    return len(said)


def test_nothing_that_was_said_is_lost(tmp_path: Path) -> None:
    said = [kill_and_look(tmp_path / "journal.db", seed) for seed in range(20)]
    assert sum(said) > 20


@pytest.mark.soak
def test_hundreds_of_kills(tmp_path: Path) -> None:
    for seed in range(100, 400):
        kill_and_look(tmp_path / "journal.db", seed)

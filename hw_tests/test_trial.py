"""Many games at a time: the same figures as one by one, and no game can stop the others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.config import profile
from firmware_host.trial import SOUND, Case, trial, trials
from firmware_host.workers import spread

UNHEARD_OF = "lightning"  # no kind of fault: whoever orders it for a game makes that game raise


def case(fault, games, seed=1):
    return Case("breakout", "wall", fault, profile("wall"), games, seed, 0.2, 0.01)


def test_a_game_that_raises_is_not_finished_and_says_why():
    result = trial("breakout", "wall", UNHEARD_OF, games=2, seed=3, mistakes=0.0, share=0.01)
    assert not result.good
    assert (result.games, result.finished, result.moves) == (2, 0, 0)
    assert result.p99_ms is None
    first, second = result.why
    assert first.startswith("seed 3: crashed with KeyError: 'lightning' (trial.py:")
    assert second.startswith("seed 4: ")


def test_figures_and_their_order_do_not_depend_on_how_many_play_at_a_time():
    cases = [case(SOUND, 2), case(UNHEARD_OF, 1), case("nack", 1)]
    heard = []
    one_by_one = list(trials(cases, 1, heard.append))
    assert heard == [cases[0], cases[0], cases[1], cases[2]]
    assert [result.finished for result in one_by_one] == [2, 0, 1]
    assert list(trials(cases, 3)) == one_by_one


def _work(task):
    if task == "die":
        os._exit(7)
    return f"{task}, done"


def _died(task, why):
    return f"{task}: {why}"


def test_a_process_that_ends_costs_its_task_alone():
    tasks = ["a", "die", "b", "c", "die", "d"]
    results = dict(spread(_work, tasks, 2, _died))
    died = "die: its process ended with 7"
    assert [results[n] for n in range(6)] == [
        "a, done", died, "b, done", "c, done", died, "d, done"
    ]  # fmt: skip
    assert multiprocessing.active_children() == []


def test_whoever_has_seen_enough_leaves_no_process_behind():
    results = spread(_work, ["a", "b", "c", "d"], 2, _died)
    next(results)
    assert len(multiprocessing.active_children()) == 2
    results.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_it_cleanly(jobs):
    words = ["demo", "breakout", "--games", "1", "--json", "--jobs", str(jobs)]
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware_host.cli", *words],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert '"finished":1' in process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, said = process.communicate()  # which waits for whoever still holds these pipes
    assert process.returncode == 130
    assert said == ""

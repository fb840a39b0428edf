"""Simulated hands play whole matches through the chips: nothing lost, nothing taken wrongly."""

from __future__ import annotations

import pytest

from firmware_host.config import PROFILES, profile
from firmware_host.demo import Evening, demo
from firmware_host.journal import Journal, replay
from game_logic.core import encode

WALLS = [name for name in PROFILES if name.startswith("wall")]
FAULTS = {
    "nack": "nack expander 0x20 p=0.01; nack screen 0x3c p=0.01",
    "stuck": "stuck bus 1 after=20 lasting=2",
    "missing": "missing screen 0x3d after=15 lasting=8",
    "brownout": "brownout expander 0x20 after=18; brownout screen 0x3c after=25",
    "bounce": "bounce expander 0x20 input=0 ms=6 times=3; bounce expander 0x20 input=4 ms=6",
}


@pytest.mark.parametrize("table", WALLS)
@pytest.mark.parametrize("seed", [2])
def test_a_match_with_mistakes_is_followed_to_its_end(table, seed, tmp_path):
    path = tmp_path / "demo.db"
    played = demo(profile(table), "breakout", seed=seed, mistakes=0.25, journal=path)
    assert played.disagreements == ()
    assert {"together", "taken back"} <= set(played.mistakes)
    assert played.record.game.outcome(played.record.state).reason == "three_figures"
    again = replay(Journal.read(path).export(1))
    assert again.ok, again.why
    assert encode(again.state) == encode(played.record.state)


def test_the_same_seed_plays_the_same_evening():
    one, other = (demo(profile("wall"), "breakout", seed=7) for _ in range(2))
    assert one.record.hash == other.record.hash
    assert one.latencies == other.latencies
    assert one.disagreements == ()


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_cost_time_and_not_moves(fault):
    played = demo(profile("wall"), "breakout", seed=3, mistakes=0.1, faults=FAULTS[fault])
    assert played.disagreements == ()


def test_every_move_reaches_the_screens_soon_after_the_hand():
    played = demo(profile("wall"), "breakout", seed=5)
    latencies = sorted(played.latencies)
    assert latencies[len(latencies) * 99 // 100] < 0.4  # virtual time: exact and repeatable


def test_an_interrupted_evening_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "demo.db"
    journal = Journal.open(path)
    first = Evening(profile("wall"), "breakout", journal, seed=4)
    first.run(until=lambda: first.moves > 20)
    shown = first.table.snapshot.record
    journal.close()
    journal = Journal.open(path)
    second = Evening(profile("wall"), "breakout", journal, seed=5)
    assert second.table.snapshot.record.state == shown.state
    second.run()
    assert second.result().disagreements == ()
    journal.close()
    assert len(Journal.read(path).games()) == 1


@pytest.mark.soak
@pytest.mark.parametrize("table", WALLS)
@pytest.mark.parametrize("seed", range(100, 150))
def test_many_evenings(table, seed):
    assert demo(profile(table), "breakout", seed=seed, mistakes=0.3).disagreements == ()


@pytest.mark.soak
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", range(200, 220))
def test_many_faults(fault, seed):
    faults = FAULTS[fault]
    played = demo(profile("wall"), "breakout", seed=seed, mistakes=0.2, faults=faults)
    assert played.disagreements == ()

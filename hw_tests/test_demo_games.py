"""Simulated people play all five games through the chips: nothing lost, nothing taken wrongly."""

from __future__ import annotations

import pytest

from firmware_host.config import profile
from firmware_host.demo import Evening, demo
from firmware_host.journal import Journal
from game_logic import load

TABLES = {
    "breakout": ("wall", "wall-cells", "wall-openings"),
    "la_grande_evasion": ("squares-evasion", "pad"),
    "prison_break": ("squares", "pad"),
    "alcatraz": ("places", "pad"),
    "dig_your_way_out": ("places-dig", "pad"),
}
PAIRS = [(game, table) for game, tables in TABLES.items() for table in tables]
QUICK = [("la_grande_evasion", "squares-evasion"), ("prison_break", "squares")]
FAULTS = {
    "nack": "nack {chip} p=0.01; nack screen 0x3c p=0.01",
    "stuck": "stuck bus 1 after=20 lasting=2",
    "brownout": "brownout {chip} after=18; brownout screen 0x3c after=25",
    "missing": "missing screen 0x3c after=15 lasting=8",
    "noise": "serial_noise tower p=0.01",
    "dropped": "dropped_bytes tower p=0.01",
    "half": "half_frame tower p=0.01",
    "twice": "duplicated_frames tower p=0.01",
    "late": "late_tower tower ms=300",
    "unplugged": "unplugged tower after=30 lasting=6",
    "reboot": "tower_reboot tower after=25",
}


@pytest.mark.parametrize(("game", "table"), QUICK)
def test_a_game_with_mistakes_is_followed_to_its_end(game, table):
    played = demo(profile(table), game, seed=1, mistakes=0.25)
    assert played.disagreements == ()
    assert "die cocked" in played.mistakes
    assert played.record.game.outcome(played.record.state) is not None
    latencies = sorted(played.latencies)
    assert latencies[len(latencies) * 99 // 100] < 0.4  # virtual time: exact and repeatable


@pytest.mark.parametrize("game", ["alcatraz", "dig_your_way_out"])
def test_tagged_pieces_and_cards_are_followed_on_readers(game, tmp_path):
    table = TABLES[game][0]
    journal = Journal.open(tmp_path / "demo.db")
    evening = Evening(profile(table), game, journal, seed=3, mistakes=0.2)
    evening.run(until=lambda: evening.moves > 80)
    assert evening.moves > 80
    assert evening.hands.disagreements == []
    assert evening.latencies
    assert max(evening.latencies) < 0.4
    journal.close()


@pytest.mark.parametrize("fault", ["noise", "unplugged"])
def test_a_tower_in_trouble_loses_no_roll_and_counts_none_twice(fault):
    played = demo(profile("squares"), "prison_break", seed=5, faults=FAULTS[fault])
    assert played.disagreements == ()


@pytest.mark.soak
@pytest.mark.parametrize(("game", "table"), PAIRS)
@pytest.mark.parametrize("seed", range(50))
def test_many_evenings_of_every_game(game, table, seed):
    played = demo(profile(table), game, seed=1000 + seed, mistakes=0.25)
    assert played.disagreements == ()


@pytest.mark.soak
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("seed", range(3))
def test_many_faults_at_every_game(game, fault, seed):
    config = profile(TABLES[game][0])
    chip = f"reader {config.reader[0].name}" if config.reader else "expander 0x20"
    if "tower" in FAULTS[fault] and config.tower is None:
        return
    faults = FAULTS[fault].format(chip=chip)
    assert demo(config, game, seed=2000 + seed, mistakes=0.1, faults=faults).disagreements == ()


def test_every_game_has_a_table_of_each_sort():
    assert set(TABLES) == {load(game).id for game in TABLES}
    for game, tables in TABLES.items():
        for table in tables:
            assert table == "pad" or profile(table).game == game

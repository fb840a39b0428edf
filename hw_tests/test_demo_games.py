"""Simulated people play all five games through the chips: nothing lost, nothing taken wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.sim.faults import KINDS
from firmware_host.cli import main
from firmware_host.config import PROFILES, profile
from firmware_host.demo import Evening, demo
from firmware_host.inbox import TakeBack
from firmware_host.journal import Journal
from firmware_host.people import MISTAKES
from firmware_host.trial import ALL, SOUND, faults, tables, trial
from game_logic import GAMES, load

PAIRS = [(game, table) for game in GAMES for table in tables(game)]
MADE_FOR = [(game, tables(game)[0]) for game in GAMES]
CASES = [(game, table, f) for game, table in MADE_FOR for f in faults(profile(table), game)]


def p99(latencies):
    return sorted(latencies)[len(latencies) * 99 // 100]


@pytest.mark.parametrize(
    ("game", "table"), [("la_grande_evasion", "squares-evasion"), ("prison_break", "squares")]
)
def test_a_game_with_mistakes_is_followed_to_its_end(game, table):
    played = demo(profile(table), game, seed=1, mistakes=0.25)
    assert played.disagreements == ()
    assert {"die cocked", "slow", "wrong square", "hesitant"} <= set(played.mistakes)
    assert played.record.game.outcome(played.record.state) is not None
    assert p99(played.latencies) < 0.4  # virtual time: exact and repeatable


@pytest.mark.parametrize("game", ["alcatraz", "dig_your_way_out"])
def test_tagged_pieces_and_cards_are_followed_on_readers(game, tmp_path):
    journal = Journal.open(tmp_path / "demo.db")
    evening = Evening(profile(tables(game)[0]), game, journal, seed=3, mistakes=0.2)
    evening.run(until=lambda: evening.moves > 60)
    assert evening.moves > 60
    assert evening.hands.disagreements == []
    assert p99(evening.latencies) < 0.4
    journal.close()


SHORT = {
    "dig_your_way_out": {"target": 2},
    "la_grande_evasion": {"turn_limit": 20},
    "prison_break": {"days": 6},
}


def menu_alone(game):
    """Whatever is secret stays in the players' hands, so that nobody needs a phone."""
    secrets = {"secrets": "table"} if "secrets" in load(game).options else {}
    return SHORT.get(game, {}) | secrets


def by_menu(game, table, path, seed=1):
    journal = Journal.open(path)
    evening = Evening(profile(table), game, journal, seed=seed, options=menu_alone(game))
    evening.run(most=3 * 3600)
    played = evening.result()
    journal.close()
    assert played.disagreements == ()
    assert evening.hands.phoned == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_with_one_screen_and_three_buttons(game, tmp_path):
    by_menu(game, "screen", tmp_path / "cavale.db")


def test_a_tower_beside_one_screen_gives_the_dice(tmp_path):
    by_menu("prison_break", "screen-tower", tmp_path / "cavale.db")


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("table", ["screen", "screen-tower", "pad"])
@pytest.mark.parametrize("seed", range(5))
def test_whole_games_at_the_smallest_tables(game, table, seed, tmp_path):
    by_menu(game, table, tmp_path / "cavale.db", seed)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        ("breakout", ALL),
        ("la_grande_evasion", ALL),
        ("prison_break", "unplugged"),
    ],
)
def test_faults_cost_time_and_not_moves(game, fault):
    result = trial(game, tables(game)[0], fault, games=1, seed=6, mistakes=0.1, share=0.01)
    assert result.good, result.why


def test_a_switch_that_bounces_late_is_no_second_knot():
    result = trial("breakout", "wall", "bounce", games=1, seed=42, mistakes=0.1, share=0.01)
    assert result.good, result.why


@pytest.mark.soak
@pytest.mark.parametrize(("game", "table"), PAIRS)
@pytest.mark.parametrize("fault", [SOUND, ALL])
def test_fifty_evenings_of_every_game_at_every_table(game, table, fault):
    result = trial(game, table, fault, games=50, seed=1000, mistakes=0.1, share=0.01)
    assert result.good, result.why


@pytest.mark.soak
@pytest.mark.parametrize(("game", "table", "fault"), CASES)
def test_fifty_evenings_with_every_fault(game, table, fault):
    result = trial(game, table, fault, games=50, seed=2000, mistakes=0.1, share=0.01)
    assert result.good, result.why


def test_a_takeback_that_nobody_made_is_a_wrong_move(tmp_path):
    journal = Journal.open(tmp_path / "demo.db")
    evening = Evening(profile("wall"), "breakout", journal, seed=3)
    evening.run(until=lambda: evening.moves > 3)
    evening.table.inbox.put(TakeBack())
    evening.run(until=lambda: bool(evening.hands.disagreements), most=5.0)
    (wrong,) = evening.hands.wrong
    assert wrong.endswith("taken back, which nobody did")
    journal.close()


def test_every_fault_that_can_be_ordered_befalls_some_table():
    assert {fault for _, _, fault in CASES} == set(KINDS)


def test_every_table_is_played_on():
    assert {table for _, table in PAIRS} == set(PROFILES)


def test_the_figures_of_many_games_by_command(capsys):
    command = ["demo", "breakout", "--table", "wall", "--games", "1", "--mistakes", "0.2"]
    assert main([*command, "--json"]) == 0
    *trials, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["fault"] for one in trials] == [SOUND]
    assert summary["finished"] == summary["games"] == 1
    assert summary["wrong"] == summary["lost"] == 0
    assert set(summary["mistakes"]) <= set(MISTAKES)
    assert main(command) == 0
    assert "taken wrongly: 0, lost: 0" in capsys.readouterr().out.replace("\n", " ")


def test_all_games_are_for_many_only(capsys):
    assert main(["demo", "all"]) == 2
    assert "--games" in capsys.readouterr().err


def test_an_evening_does_not_depend_on_how_python_hashes(tmp_path):
    """Sets of tags and spaces are gone through in an order that is ours."""
    program = (
        "import sys; from pathlib import Path; from firmware_host.config import profile; "
        "from firmware_host.demo import Evening; from firmware_host.journal import Journal; "
        "e = Evening(profile('places'), 'alcatraz', Journal.open(Path(sys.argv[1])), seed=1, "
        "mistakes=0.3); e.run(until=lambda: e.moves >= 30); "
        "print(e.clock.now(), e.table.snapshot.record.hash, e.latencies)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / f"{seed}.db")],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).parents[1],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (0, 1)
    }
    assert len(said) == 1
    assert said != {""}


@pytest.mark.parametrize(
    ("fault", "seed"), [("bounce", 511), ("stuck", 504), ("missing", 604), ("dead", 501)]
)
def test_what_was_once_read_wrongly_is_asked_now(fault, seed):
    """An opening's switch that closes twice or is blind, a cell that lies for two seconds."""
    played = trial("breakout", "wall", fault, games=1, seed=seed, mistakes=0.1, share=0.01)
    assert (played.finished, played.wrong, played.lost) == (1, 0, 0), played.why

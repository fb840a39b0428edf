"""Whole games by rules alone, and the speed of the rules."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from firmware_host.bench import BENCHES
from firmware_host.bench.rules import cases
from firmware_host.simulate import dice, playout, simulate
from game_logic import load
from game_logic.bots import bot
from game_logic.core import Malformed
from hw_tests.toy import ToyGame

BREAKOUT = load("breakout")


def test_a_summary_is_the_json_line_of_the_command():
    summary = simulate(BREAKOUT, games=20, seats=2, seed=1)
    line = msgspec.json.decode(msgspec.json.encode(summary))
    assert list(line) == [
        "game",
        "seats",
        "games",
        "finished",
        "moves",
        "moves_per_s",
        "wins",
        "reasons",
        "points",
        "turns_per_game",
    ]
    assert (line["game"], line["seats"], line["games"], line["finished"]) == ("breakout", 2, 20, 20)
    assert line["reasons"] == {"three_figures": 20}
    assert line["wins"].keys() == {"0", "1"}
    assert sum(line["wins"].values()) == 20
    assert line["moves"] > 20 * 30
    assert line["moves_per_s"] > 0


def test_the_same_seed_plays_the_same_games():
    def games(seed):
        summary = simulate(BREAKOUT, games=5, seats=2, seed=seed)
        return summary.moves, summary.wins

    assert games(3) == games(3)
    assert games(3) != games(4)


def test_options_and_progress_are_passed_on():
    done = []
    long = simulate(BREAKOUT, games=30, seats=2, seed=1, progress=done.append)
    short = simulate(BREAKOUT, games=30, seats=2, seed=1, options={"figures_to_win": 1})
    assert done == list(range(1, 31))
    assert short.moves < long.moves


@pytest.mark.parametrize("seats", [2, 3])
def test_simultaneous_moves_secrets_and_deadlines(seats):
    summary = simulate(ToyGame(), games=40, seats=seats, seed=1)
    assert summary.finished == 40
    assert summary.wins.keys() == set(map(str, range(seats)))


def test_a_game_that_does_not_end_is_counted_not_waited_for():
    below = dice(1)
    assert playout(BREAKOUT, BREAKOUT.new(("a", "b")), bot("random"), below, 10)[:2] == (None, 10)


def test_bad_requests_are_refused():
    with pytest.raises(Malformed, match="2 to 2 players"):
        simulate(BREAKOUT, games=1, seats=3, seed=1)
    with pytest.raises(Malformed, match="no bot 'genius'"):
        simulate(BREAKOUT, games=1, seats=2, seed=1, bot="genius")


def test_the_random_bot_tries_every_move():
    below = dice(7)
    state = BREAKOUT.play(BREAKOUT.new(("a", "b")), BREAKOUT.moves(BREAKOUT.new(("a", "b")))[0])
    tried = Counter(bot("random")(BREAKOUT, state, 0, below) for _ in range(2000))
    assert set(tried) == set(BREAKOUT.moves(state))
    assert min(tried.values()) > 120


def test_every_bench_is_found_by_its_name():
    assert next(iter(BENCHES["rules"]())).bench == "rules"


def test_the_speed_of_the_rules_is_a_line_a_game():
    (case,) = cases(["breakout"], runs=3, seconds=0.05)
    line = msgspec.json.decode(msgspec.json.encode(case))
    assert list(line) == ["bench", "case", "ours", "peer", "unit", "ratio"]
    assert (line["bench"], line["unit"], line["peer"]) == ("rules", "moves/s", None)
    assert line["ours"] > 10_000

"""The rules of docs/rules/breakout.md that no scenario covers, and every option."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from game_logic import load
from game_logic.breakout.moves import PUSHES, Escape, Push
from game_logic.core import (
    CHANCE,
    Act,
    Drawn,
    Illegal,
    Malformed,
    Rolled,
    decode_move,
    encode,
    play_all,
)
from game_logic.data import DataError
from hw_tests.breakout_positions import GAME, O, X, position, rows, start

EMPTY = "..... / ..... / ..... / ..... / ....."
FULL = "XOXOX / OXOXO / XOXOX / OXOXO / XOXOO"  # no link; X has one knot left, O none
# X pushes floor 3 from the left: one rope that ends at exit 1 or at exit 2.
FORK = "XX... / XX... / X.... / .X... / .X..."


def refused(state, move, seat=None):
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, move, seat)
    return refusal.value.code


# -- rules --------------------------------------------------------------------------------------


def test_r1_each_player_owns_thirteen_knots_and_three_figures():
    view = GAME.view(start(), None)
    assert view["stocks"] == [13, 13]
    assert view["figures"] == [0, 0]
    assert [track.maximum for track in GAME.tracks(start())] == [5, 3, 3]


@pytest.mark.parametrize("need", [1, 2, 3])
def test_r2_all_figures_win(need):
    mine = dict.fromkeys((1, 3, 4)[: need - 1], X)
    wall = ".XO.. / .XO.. / XO... / X.... / XO..."
    state = position(wall, closed=mine, options={"figures_to_win": need})
    assert GAME.outcome(state) is None
    outcome = GAME.outcome(GAME.play(state, Push(3, "left")))
    assert (outcome.winners, outcome.scores) == ((X,), (need, 0))


def test_r3_a_round_starts_with_an_empty_wall():
    assert rows(start()) == EMPTY


def test_r4_the_first_starter_is_a_lot():
    state = GAME.new(("Ana", "Bo"))
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.moves(state) == (Drawn("starter", "0"), Drawn("starter", "1"))
    chance = GAME.chance(state)
    assert chance.kind == "lot"
    assert [weight for _, weight in chance.parts[0].odds] == [1, 1]
    for seat in (X, O):
        lot = Drawn("starter", str(seat))
        assert GAME.closes_undo(state, lot)
        assert GAME.to_act(GAME.play(state, lot, CHANCE)) == (seat,)
    assert refused(state, Push(1, "left"), X) == "starter_not_drawn"
    assert refused(state, Drawn("starter", "2"), CHANCE) == "no_such_lot"
    assert refused(start(), Drawn("starter", "0"), CHANCE) == "nothing_to_draw"


def test_r6_players_alternate_and_have_ten_openings():
    state = start(O)
    assert GAME.moves(state) == PUSHES
    assert len(set(PUSHES)) == 10
    state = GAME.play(state, Push(1, "left"))
    assert GAME.to_act(state) == (X,)
    assert GAME.moves(state, O) == ()
    assert refused(state, Push(1, "left"), O) == "not_your_turn"
    assert refused(state, Push(6, "left")) == "no_such_opening"
    assert refused(state, Push(1, "top")) == "no_such_opening"


@pytest.mark.parametrize("push", PUSHES, ids=lambda push: f"{push.row}_{push.side}")
def test_r7_a_knot_enters_the_outermost_column(push):
    image = GAME.image(GAME.play(start(), push))
    column = 1 if push.side == "left" else 5
    assert {space: pieces[0].kind for space, pieces in image.items()} == {
        f"r{push.row}c{column}": "knot_red"
    }


def test_r8_three_pushes_reach_the_middle():
    state = start()
    for move in [Push(1, "left"), Push(5, "right")] * 2 + [Push(1, "left")]:
        state = GAME.play(state, move)
    assert rows(state) == "XXX.. / ..... / ..... / ..... / ...OO"


def test_r10_either_colour_is_pushed():
    state = GAME.play(position("OXO.. / ..... / ..... / ..... / ....."), Push(1, "left"))
    assert rows(state).startswith("XOXO.")


def test_r11_r12_a_knot_pushed_off_returns_to_its_owner():
    state = position("XOXOX / ..... / ..... / ..... / .....", O)
    after = GAME.play(state, Push(1, "left"))
    assert rows(after).startswith("OXOXO")
    assert after.stock(X) == state.stock(X) + 1
    assert after.stock(O) == state.stock(O) - 1


def test_r13_passing_is_over_when_a_knot_comes_back():
    state = position(FULL, X, insertions=25)
    after = GAME.play(state, Push(2, "left"))  # an O leaves on the right
    assert after.turn == O
    after = GAME.play(state, Push(1, "left"))  # an X leaves: O has none still
    assert after.turn == X


def test_r14_a_new_round_starts_without_bans():
    wall = "XOOOX / .XO.. / XO... / X.... / XO..."
    state = GAME.play(position(wall, O), Push(1, "left"))  # an X leaves on the right
    assert state.bans == (Push(1, "right"), None)
    after = GAME.play(state, Push(3, "left"))
    assert after.round == 2
    assert after.bans == (None, None)


def test_r14_both_scope_bans_both_players():
    wall = "XOXOO / ..... / ..... / ..... / ....."
    state = GAME.play(position(wall, options={"ko_scope": "both"}), Push(1, "left"))
    gate = Push(1, "right")
    assert state.bans == (gate, gate)
    state = GAME.play(state, Push(2, "left"))
    assert state.bans == (gate, None)
    assert refused(state, gate) == "slot_just_ejected"
    state = GAME.play(state, Push(3, "left"))
    assert state.bans == (None, None)


def test_r20_the_pusher_wins_also_as_blue():
    wall = "O.X.. / O.X.. / OX... / .OXX. / .O.X."
    after = GAME.play(position(wall, O), Push(3, "left"))
    assert after.exits == (O, None, None, None, None)


def test_r22_the_insertion_that_fills_the_wall_is_not_counted():
    almost = ".OXOX / OXOXO / XOXOX / OXOXO / XOXOO"
    state = GAME.play(position(almost, X, insertions=26), Push(1, "left"))
    assert (rows(state), state.stalled) == (FULL, 0)
    for turns in range(1, 5):
        state = GAME.play(state, Push(1, "left"))
        assert (state.stalled, state.round) == (turns, 1)
    state = GAME.play(state, Push(1, "left"))
    assert (rows(state), state.stalled, state.round) == (EMPTY, 0, 2)


def test_r23_r24_figures_stay_and_knots_go_home():
    after = GAME.play(position(FORK, closed={1: O}), Push(3, "left"))
    assert after.exits == (O, X, None, None, None)
    assert rows(after) == EMPTY
    assert after.free == (3, 4, 5)


# -- readings -----------------------------------------------------------------------------------


def test_a4_the_winner_chooses_among_his_exits():
    state = GAME.play(position(FORK), Push(3, "left"))
    assert (GAME.to_act(state), state.round) == ((X,), 1)
    assert GAME.moves(state) == (Escape((1,)), Escape((2,)))
    assert rows(state) == FORK.replace("X....", "XX...")
    assert not GAME.closes_undo(state, Escape((1,)))
    after = GAME.play(state, Escape((2,)))
    assert after.exits == (None, X, None, None, None)
    assert (after.turn, after.round) == (O, 2)


def test_a4_refused_exits():
    state = GAME.play(position(FORK, closed={5: O}), Push(3, "left"))
    assert refused(state, Push(1, "left")) == "choose_exit_first"
    assert refused(state, Push(1, "left"), O) == "choose_exit_first"
    assert refused(state, Escape((1,)), O) == "choose_exit_first"
    assert refused(state, Escape((5,))) == "exit_closed"
    assert refused(state, Escape((3,))) == "no_rope_there"
    assert refused(state, Escape((9,))) == "no_rope_there"
    assert refused(state, Escape((1, 2))) == "one_figure_due"
    assert refused(position(FORK), Escape((1,))) == "no_link"


def test_a6_two_links_by_the_rivals_push_place_one_figure():
    wall = ".O.O. / .O.O. / OXOXX / .O.O. / OO.OO"
    state = GAME.play(position(wall, X), Push(3, "left"))
    assert state.turn == O
    assert GAME.moves(state) == (Escape((2,)), Escape((4,)))
    assert GAME.problems(state) == ()


def test_a7_shared_knots_may_count_as_two_links():
    wall = FORK.replace("XX... / XX...", "XXX.. / XX...")
    state = position(wall, options={"double_requires_disjoint": False})
    state = GAME.play(state, Push(3, "left"))
    assert GAME.moves(state) == (Escape((1, 2)), Escape((1, 3)), Escape((2, 3)))
    assert refused(state, Escape((1,))) == "double_due"
    assert refused(state, Escape((1, 4))) == "no_rope_there"
    assert GAME.problems(state) == ()
    after = GAME.play(state, Escape((1, 3)))
    assert after.exits == (X, None, X, None, None)
    assert (after.turn, after.round) == (O, 2)  # A10


def test_a8_rounds_count_both_players_and_passes():
    almost = ".OXOX / OXOXO / XOXOX / OXOXO / XOXOO"
    state = position(almost, X, insertions=26, options={"stalemate_unit": "round"})
    assert GAME.tracks(state)[0].maximum == 10
    state = GAME.play(state, Push(1, "left"))
    assert (state.turn, state.stalled) == (X, 1)  # O had to pass
    state = GAME.play(state, Push(1, "left"))  # an X leaves, O passes again
    assert (state.turn, state.stalled) == (X, 3)
    state = GAME.play(state, Push(2, "left"))  # an O leaves, O can play
    assert (state.turn, state.stalled) == (O, 4)


def test_a9_the_cancelled_rounds_other_player_starts():
    state = position(FULL, X, stalled=4, insertions=30)
    assert state.starter == X
    assert GAME.play(state, Push(1, "left")).starter == O


def test_a15_a_round_may_be_limited():
    state = start(O, round_limit=12)
    for n in range(12):
        assert (state.insertions, state.round) == (n, 1)
        state = GAME.play(state, Push(1, "left"))
    assert (rows(state), state.round, state.turn) == (EMPTY, 2, X)


# -- options, moves and data ----------------------------------------------------------------------


def test_options_are_those_of_the_rules_file():
    text = Path("docs/rules/breakout.md").read_text(encoding="utf-8")
    data = tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.S)[1])
    assert {key: option.default for key, option in GAME.options.items()} == data
    assert GAME.new(("Ana", "Bo"), data) == GAME.new(("Ana", "Bo"))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"knots": 13}, "knots"),
        ({"knots_per_player": 12}, "knots_per_player"),
        ({"knots_per_player": 26}, "knots_per_player"),
        ({"rows": 6}, "rows"),
        ({"figures_to_win": 3, "figures_per_player": 2}, "figures_to_win"),
        ({"stalemate_turns": 0}, "stalemate_turns"),
        ({"stalemate_unit": "hour"}, "stalemate_unit"),
        ({"ko_scope": "nobody"}, "ko_scope"),
        ({"angle_rule": 5}, "angle_rule"),
        ({"round_limit": 5}, "round_limit"),
        ({"closed_cells_usable": "yes"}, "closed_cells_usable"),
    ],
)
def test_bad_options_are_refused_by_name(options, named):
    with pytest.raises(Malformed, match=named):
        GAME.new(("Ana", "Bo"), options)


@pytest.mark.parametrize("seats", [(), ("Ana",), ("Ana", "Bo", "Cy")])
def test_breakout_is_for_two(seats):
    with pytest.raises(Malformed, match="2 players"):
        GAME.new(seats)


def test_moves_in_json():
    push = {"type": "push", "row": 2, "side": "left"}
    assert decode_move(GAME, push) == Push(2, "left")
    assert encode(Push(2, "left")) == b'{"type":"push","row":2,"side":"left"}'
    assert decode_move(GAME, {"type": "escape", "exits": [1, 5]}) == Escape((1, 5))
    for wrong in (
        push | {"row": 0},
        push | {"row": 6},
        push | {"side": "top"},
        push | {"type": "pull"},
        {"type": "escape", "exits": []},
        {"type": "escape", "exits": [1, 2, 3]},
    ):
        with pytest.raises(Malformed):
            decode_move(GAME, wrong)


def test_equal_pushes_from_a_log_are_as_good():
    intent = [Act(X, decode_move(GAME, encode(Push(2, "left")))), Act(O, Push(2, "left"))]
    assert rows(play_all(GAME, start(), intent)).split(" / ")[1] == "OX..."


def test_a_game_of_another_kind_is_refused():
    assert refused(start(), Rolled("white", 3)) == "not_a_move"


def test_an_owners_options_are_checked_when_loaded():
    house = (Path("game_logic/breakout/data/options.toml")).read_text(encoding="utf-8")
    ours = load("breakout", {"options.toml": house.replace("default = 13", "default = 14")})
    assert ours.new(("Ana", "Bo")).stock(X) == 14
    assert ours.digest != GAME.digest
    with pytest.raises(DataError, match=r"options.toml.*knots_per_player"):
        load("breakout", {"options.toml": house.replace("default = 13", "default = 3")})

"""The scenarios of docs/rules/breakout.md, section 4, by their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from game_logic.breakout.links import escapes
from game_logic.breakout.moves import PUSHES, Escape, Push
from game_logic.core import Illegal
from hw_tests.breakout_positions import GAME, O, X, position, rows

S1 = "..X.. / ..X.. / ..XX. / ...X. / ...X."
S7 = "..XX. / ..X.. / ..X.. / ..X.. / ..X.."
S13 = ".X.O. / O...X / XOXOO / X.... / ....O"
S21 = "X...X / X...X / OXOX. / XX.XX / .X.X."
FULL = "XOXOX / OXOXO / XOXOX / OXOXO / XOXOO"  # no link; X has one knot left, O none


def exits(grid: str, closed: dict[int, int] | None = None, **options: Any) -> list[int]:
    """The exits that X's rope opens."""
    state = position(grid, closed=closed, options=options)
    return [exit for e in escapes(state, state.red, X, double=False) for exit in e.exits]


def played(state: Any, move: Any) -> Any:
    assert GAME.problems(state) == ()
    after = GAME.play(state, move)
    assert GAME.problems(after) == ()
    return after


def refused(state: Any, move: Any, seat: int | None = None) -> str:
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, move, seat)
    return refusal.value.code


# -- links --------------------------------------------------------------------------------------


def test_s1_one_angle():
    assert exits(S1) == [3]


def test_s2_a_straight_rope_is_no_link():
    assert exits("..X.. / ..X.. / ..X.. / ..X.. / ..X..") == []


def test_s3_a_diagonal_does_not_connect():
    assert exits("..X.. / .X... / .X... / .X... / .X...") == []


def test_s4_an_interrupted_rope_is_no_link():
    assert exits("..X.. / ..X.. / ..... / ..XX. / ...X.") == []


def test_s5_a_dead_end_is_no_angle():
    assert exits("..X.. / ..XX. / ..X.. / ..X.. / ..X..") == []


def test_s6_a_detour_is_an_angle():
    assert exits("..X.. / ..XX. / ..XX. / ..X.. / ..X..") == [3]


def test_s7_an_angle_on_the_top_floor():
    assert exits(S7) == [4]
    assert exits(S7, angle_rule="interior_bend") == []


def test_s8_the_exit_is_closed():
    assert exits(S1, {3: O}) == []


def test_s8b_another_end_of_the_rope_is_free():
    assert exits(S7, {3: O}) == [4]


def test_s29_the_closed_cell_may_be_forbidden():
    assert exits(S7, {3: O}, closed_cells_usable=False) == []


# -- pushing ------------------------------------------------------------------------------------


def push(row: str, side: str) -> tuple[str, list[int]]:
    """The row after X's push into it as floor 3, and how many knots each stock gained."""
    state = position(f"..... / ..... / {row} / ..... / .....")
    after = played(state, Push(3, side))
    gained = [after.stock(seat) - state.stock(seat) for seat in (X, O)]
    gained[X] += 1  # the knot he pushed
    return rows(after).split(" / ")[2], gained


def test_s9_into_an_empty_floor():
    assert push(".....", "left") == ("X....", [0, 0])


def test_s10_a_knot_pushes_another():
    assert push("O....", "left") == ("XO...", [0, 0])


def test_s11_a_gap_absorbs_the_push():
    assert push("O.O..", "left") == ("XOO..", [0, 0])


def test_s12_a_free_entry_pushes_nothing():
    assert push(".OXOX", "left") == ("XOXOX", [0, 0])


def test_s13_a_full_floor_loses_the_far_knot():
    assert push("XOXOO", "left") == ("XXOXO", [0, 1])


def test_s14_from_the_right_the_left_knot_leaves():
    assert push("XOXOO", "right") == ("OXOOX", [1, 0])


def test_s15_from_the_right():
    assert push("....O", "right") == ("...OX", [0, 0])


def test_s16_a_gap_absorbs_from_the_right():
    assert push("OX.XO", "right") == ("OXXOX", [0, 0])


# -- turns and rounds ---------------------------------------------------------------------------


def test_s17_not_back_where_it_was_just_ejected():
    state = played(position(S13), Push(3, "left"))
    back = Push(3, "right")
    assert refused(state, back) == "slot_just_ejected"
    assert set(GAME.moves(state)) == set(PUSHES) - {back}
    for other in (Push(1, "left"), Push(2, "left")):  # O elsewhere, then X
        state = played(state, other)
    assert state.turn == O
    assert back in GAME.moves(state)


def test_s18_an_empty_stock_passes():
    state = position(".OXO. / OXOXO / XOXOX / OXOXO / XOXOO", X, insertions=25)
    assert state.stock(O) == 0
    after = played(state, Push(1, "left"))
    assert after.turn == X
    assert refused(after, Push(1, "left"), O) == "stock_empty"


def test_s19_both_linked_the_pusher_wins():
    wall = "X.O.. / X.O.. / XO... / .XOO. / .X.O."
    after = played(position(wall), Push(3, "left"))
    assert after.exits == (X, None, None, None, None)
    assert after.turn == O


def test_s20_only_the_rival_is_linked():
    wall = "X.O.. / X.O.. / XO... / .XOO. / ...O."
    after = played(position(wall), Push(3, "left"))
    assert after.exits == (None, None, O, None, None)
    assert after.turn == X


def test_s21_a_double_link_places_two_figures():
    state = position(S21)
    assert state.stock(X) == 1
    after = played(state, Push(3, "left"))
    assert after.exits == (X, None, None, None, X)
    assert after.figures(X) == 2
    assert after.free == (2, 3, 4)


def test_s22_a_player_who_needs_one_figure_chooses_one_exit():
    state = position(S21, closed={2: X, 4: X})
    state = played(state, Push(3, "left"))
    assert GAME.to_act(state) == (X,)
    assert GAME.moves(state) == (Escape((1,)), Escape((5,)))
    assert rows(state) == "X...X / X...X / XOXOX / XX.XX / .X.X."
    after = played(state, Escape((5,)))
    outcome = GAME.outcome(after)
    assert outcome.winners == (X,)
    assert after.exits == (None, X, None, X, X)


def test_s23_the_fifth_turn_on_a_full_wall_cancels_the_round():
    state = position(FULL, X, stalled=4, insertions=29)
    starter = state.starter
    after = played(state, Push(1, "left"))
    assert rows(after) == "..... / ..... / ..... / ..... / ....."
    assert after.exits == (None,) * 5
    assert (after.round, after.starter) == (2, 1 - starter)


def test_s24_only_the_last_exit_counts():
    closed = {1: X, 2: O, 4: X, 5: O}
    wall = ".XO.. / .XO.. / XO... / X.... / X...."
    link = ".XO.. / .XO.. / XXO.. / X.... / X...."
    assert exits(link) == [2]
    after = played(position(wall, closed=closed), Push(3, "left"))
    assert (rows(after), after.round) == (link, 5)  # the round goes on
    assert exits("..X.. / .XX.. / XX... / X.... / X....", closed) == [3]


def test_s25_the_loser_starts_the_next_round():
    wall = ".XO.. / .XO.. / XO... / X.... / XO..."
    state = position(wall, X)
    after = played(state, Push(3, "left"))
    assert after.exits == (None, X, None, None, None)
    assert (after.turn, after.starter, after.round) == (O, O, 2)
    assert (after.stock(X), after.stock(O)) == (13, 13)


def test_s26_three_figures_win_the_match():
    wall = ".XO.. / .XO.. / XO... / X.... / XO..."
    after = played(position(wall, X, closed={1: X, 5: X, 3: O}), Push(3, "left"))
    assert GAME.to_act(after) == ()
    assert GAME.moves(after) == ()
    outcome = GAME.outcome(after)
    assert (outcome.winners, outcome.reason, outcome.scores) == ((X,), "three_figures", (3, 1))
    assert refused(after, Push(1, "left"), O) == "game_over"


def test_s27_the_newer_ban_replaces_the_older():
    wall = "..... / XOXOX / ..... / XOXOO / ....."
    state = played(position(wall), Push(2, "left"))
    assert state.bans[X] == Push(2, "right")
    state = played(state, Push(4, "right"))
    assert state.bans == (Push(4, "left"), None)
    assert set(GAME.moves(state)) == set(PUSHES) - {Push(4, "left")}


def test_s28_a_link_by_the_fifth_turn_wins():
    wall = "OXXOO / OXXOO / XOOXX / XOXOX / XOOXO"
    state = position(wall, X, stalled=4, insertions=29, closed={3: O})
    after = played(state, Push(3, "left"))
    assert after.exits == (None, X, O, None, None)
    assert (after.turn, after.round) == (O, 3)


def test_s30_the_other_player_starts_after_a_cancelled_round():
    state = position(FULL, X, stalled=4, insertions=29)
    assert state.starter == O
    after = played(state, Push(1, "left"))
    assert (after.turn, after.starter) == (X, X)

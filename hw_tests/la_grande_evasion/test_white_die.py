"""Going back: R14–R16, A3, A6–A8, S12–S15, S29."""

from __future__ import annotations

import pytest

from game_logic.la_grande_evasion.moves import Advance, Back, Done, Leave
from hw_tests.la_grande_evasion.scene import (
    GAME,
    go,
    playable,
    refused,
    scene,
    standing,
    throw,
    where,
)

ROLL = {"red": 1, "blue": 2, "yellow": 3}


def test_s12_r14_one_pawn_goes_back_by_the_white_die():
    state = throw(scene({9: "orange", 12: "brown"}), **ROLL, white=4)
    state = go(state, Back("orange"))
    assert where(state, "orange") == "square_5"
    refused(state, Back("brown"), "white_spent", "R14")


@pytest.mark.parametrize("path", [{9: "orange", 4: "red"}, {9: "orange", 4: "red brown"}])
def test_s13_r15_a_rolled_pawn_does_not_go_back_even_if_blocked(path):
    state = throw(scene(path), **ROLL, white=4)
    refused(state, Back("red"), "pawn_rolled", "R15")


def test_s13_r15_nor_after_it_has_advanced_or_lost_its_roll():
    state = throw(scene({9: "orange", 4: "red", 6: "yellow brown"}), **ROLL, white=4)
    state = go(state, Advance("red"), Leave("yellow"))
    refused(state, Back("red"), "pawn_rolled", "R15")
    refused(state, Back("yellow"), "pawn_rolled", "R15")


def test_s14_r16_a3_back_to_the_start_and_no_further():
    state = throw(scene({3: "orange"}), **ROLL, white=5)
    state = go(state, Back("orange"))
    assert where(state, "orange") == "start"
    state = go(state, Advance("red"), Advance("blue"), Advance("yellow"))
    state = throw(state, orange=6, brown=1, light_green=1)
    assert where(go(state, Advance("orange")), "orange") == "square_6"  # it starts again


def test_s15_a8_a_blocked_pawn_does_not_go_back():
    state = throw(scene({9: "orange brown"}), **ROLL, white=2)
    refused(state, Back("orange"), "pawn_blocked", "R12")
    assert playable(state, Back) == {"brown"}


def test_a8_nor_one_at_the_start_or_in_a_boat():
    state = throw(scene({0: "orange", 9: "brown"}, "light_green"), **ROLL, white=2)
    refused(state, Back("orange"), "pawn_at_start", "A8")
    refused(state, Back("dark_green"), "pawn_at_start", "A8")  # still at its window
    refused(state, Back("light_green"), "pawn_in_boat", "R18")
    refused(state, Back("purple"), "no_such_pawn", "R2")


def test_a8_going_back_onto_a_pawn_stacks_on_top():
    state = throw(scene({9: "orange", 5: "brown"}), **ROLL, white=4)
    assert standing(go(state, Back("orange")), "square_5") == "brown orange"


def test_r14_the_backward_move_is_optional():
    state = throw(scene({9: "orange"}), **ROLL, white=4)
    state = go(state, Advance("red"), Advance("blue"), Advance("yellow"))
    assert where(go(state, Done()), "orange") == "square_9"


@pytest.mark.parametrize("before", range(4))
def test_a7_at_any_point_of_the_sequence(before):
    steps = [Advance("red"), Advance("blue"), Advance("yellow")]
    steps.insert(before, Back("orange"))
    state = go(throw(scene({9: "orange"}), **ROLL, white=4), *steps)
    assert state.phase == "choose"
    assert [where(state, c) for c in ("red", "blue", "yellow", "orange")] == [
        "square_1",
        "square_2",
        "square_3",
        "square_5",
    ]


def test_a7_going_back_frees_whom_it_stood_on_for_the_same_turn():
    state = throw(scene({10: "red orange"}), **ROLL, white=4)
    assert "red" not in playable(state, Advance)
    state = go(state, Back("orange"))
    assert where(go(state, Advance("red")), "red") == "square_11"


def test_a7_a_roll_of_blocked_pawns_waits_while_the_white_die_can_free_one():
    blocked = {10: "red orange", 12: "blue brown", 14: "yellow light_green"}
    state = throw(scene(blocked), **ROLL, white=4)
    assert playable(state, Back) == {"orange", "brown", "light_green"}
    assert playable(state, Leave) == {"red", "blue", "yellow"}
    assert Done() in GAME.moves(state)
    freed = go(state, Back("orange"))
    assert GAME.moves(freed) == (
        *(Leave(pawn) for pawn in ("yellow",)),
        Advance("red"),
        Leave("blue"),
    )
    assert go(freed, Advance("red")).turn == state.turn + 1


def test_a7_going_back_can_block_a_rolled_pawn():
    state = throw(scene({10: "red", 14: "orange"}), **ROLL, white=4)
    state = go(state, Back("orange"))
    refused(state, Advance("red"), "pawn_blocked", "R12")


def test_a7_option_only_after_all_advances():
    state = throw(scene({9: "orange", 12: "blue brown"}, white_any_time=False), **ROLL, white=4)
    refused(state, Back("orange"), "white_after_advances", "A7")
    state = go(state, Advance("red"), Advance("yellow"))  # blue is blocked and loses its roll
    assert set(GAME.moves(state)) == {Back("orange"), Back("brown"), Done()}
    after = go(state, Back("brown"))
    assert where(after, "blue") == "square_12"
    assert after.turn == state.turn + 1


def test_a6_option_the_white_die_must_be_used():
    state = throw(scene({9: "orange"}, white_move_optional=False), **ROLL, white=4)
    state = go(state, Advance("red"), Advance("blue"), Advance("yellow"))
    assert GAME.moves(state) == (Back("orange"),)
    refused(state, Done(), "white_must_be_used", "A6")


def test_s29_a17_on_the_short_path_the_foot_of_the_sheet_is_the_start():
    state = throw(scene({10: "orange"}, short_path=True), **ROLL, white=5)
    state = go(state, Back("orange"))
    assert where(state, "orange") == "square_8"
    refused(state, Back("orange"), "white_spent", "R14")
    state = go(state, Advance("red"), Advance("blue"), Advance("yellow"))
    state = throw(state, brown=1, light_green=2, dark_green=3, white=1)
    refused(state, Back("orange"), "pawn_at_start", "A8")


def test_r25_a17_the_short_path_begins_at_the_sheet():
    state = throw(scene(short_path=True), **ROLL)
    assert where(go(state, Advance("yellow")), "yellow") == "square_11"
    crowd = throw(scene({8: "red blue yellow"}, short_path=True), **ROLL)
    assert playable(crowd, Advance) == {"red", "blue", "yellow"}  # A2 means square 8
    other = throw(scene(short_path=True, sheet_start=12), **ROLL)
    assert where(go(other, Advance("yellow")), "yellow") == "square_15"

"""Advancing: R7–R13, A1, A2, A4, A5, A18, A21, S1–S9, S27."""

from __future__ import annotations

from itertools import permutations

import pytest

from game_logic.core import CHANCE, Rolled
from game_logic.la_grande_evasion.moves import Advance, Back, Done, Leave, Take, Throw
from hw_tests.la_grande_evasion.scene import (
    GAME,
    boats,
    go,
    playable,
    refused,
    scene,
    standing,
    start,
    throw,
    where,
)

BOTH = pytest.mark.parametrize("leap", ["count_all", "skip_occupied"])


def test_s1_r7_each_die_moves_its_pawn():
    state = throw(start(), red=3, yellow=5, blue=2)
    state = go(state, Advance("red"), Advance("yellow"), Advance("blue"))
    assert [where(state, c) for c in ("red", "yellow", "blue")] == [
        "square_3",
        "square_5",
        "square_2",
    ]
    assert GAME.to_act(state) == (1,)


def scene_s2():
    return throw(
        scene({28: "orange", 20: "dark_green", 22: "blue"}, "brown"), orange=5, dark_green=4, blue=2
    )


def test_s2_r11_a_pawn_that_ends_on_another_stands_on_top():
    state = go(scene_s2(), Advance("orange"), Advance("dark_green"), Advance("blue"))
    assert standing(state, "square_24") == "dark_green blue"
    state = throw(state, dark_green=1, blue=2)
    assert playable(state, Advance) == {"blue"}


def test_s3_r18_a_pawn_that_passes_the_last_square_takes_the_next_boat_place():
    state = go(scene_s2(), Advance("orange"))
    assert boats(state) == ["brown orange", "", "", ""]


def test_s4_the_third_to_arrive_takes_boat_two_and_frees_whom_it_stood_on():
    state = go(scene_s2(), Advance("orange"), Advance("dark_green"), Advance("blue"))
    state = throw(state, blue=6, dark_green=1)
    state = go(state, Advance("blue"))
    assert boats(state) == ["brown orange", "blue", "", ""]
    assert playable(state, Advance) == {"dark_green"}


def test_s5_r12_r13_only_the_free_pawn_moves_and_the_blocked_lose_their_rolls():
    state = scene({10: "yellow red", 15: "brown blue", 12: "orange"})
    state = throw(state, yellow=2, orange=4, brown=6)
    assert playable(state, Advance) == {"orange"}
    refused(state, Advance("yellow"), "pawn_blocked", "R12")
    after = go(state, Advance("orange"))
    assert where(after, "orange") == "square_16"
    assert standing(after, "square_10") == "yellow red"
    assert standing(after, "square_15") == "brown blue"
    assert after.turn == state.turn + 1
    told = GAME.told(state, Advance("orange"), state.player, None)
    assert "the yellow pawn and the brown pawn" in told.en


def test_s6_r10_pawns_jump_over_others():
    state = go(throw(scene({5: "red", 8: "blue"}), red=4, yellow=1, brown=1), Advance("red"))
    assert standing(state, "square_9") == "red"


def test_s6_a4_skip_occupied_does_not_count_the_square_jumped():
    state = scene({5: "red", 8: "blue"}, leap="skip_occupied")
    state = go(throw(state, red=4, yellow=1, brown=1), Advance("red"))
    assert standing(state, "square_10") == "red"


@BOTH
def test_s7_the_last_pip_is_no_jump(leap):
    state = scene({5: "red", 8: "blue"}, leap=leap)
    state = go(throw(state, red=3, yellow=1, brown=1), Advance("red"))
    assert standing(state, "square_8") == "blue red"


def scene_s8():
    return throw(scene({5: "red yellow"}, "brown orange"), yellow=2, red=3)


def test_s8_r8_moving_the_upper_pawn_first_frees_the_lower():
    state = go(scene_s8(), Advance("yellow"), Advance("red"))
    assert where(state, "yellow") == "square_7"
    assert where(state, "red") == "square_8"


def test_s9_a5_a_pawn_blocked_when_its_turn_comes_loses_its_roll():
    state = go(scene_s8(), Leave("red"), Advance("yellow"))
    assert where(state, "yellow") == "square_7"
    assert where(state, "red") == "square_5"
    assert state.phase == "choose"


@pytest.mark.parametrize("order", list(permutations(("red", "yellow", "blue"))))
def test_r8_the_player_decides_the_order(order):
    state = throw(scene({5: "red", 4: "yellow", 2: "blue"}), red=1, yellow=2, blue=4)
    state = go(state, *(Advance(pawn) for pawn in order))
    assert standing(state, "square_6") == " ".join(order)  # stacked in order of arrival (R11)


def test_r8_landing_on_a_rolled_pawn_can_block_it():
    state = throw(scene({5: "red", 3: "yellow"}), red=1, yellow=2, blue=4)
    state = go(state, Advance("yellow"))
    refused(state, Advance("red"), "pawn_blocked", "R12")
    assert "yellow" in str(standing(state, "square_5"))
    after = go(state, Advance("blue"))
    assert where(after, "red") == "square_5"
    assert after.turn == state.turn + 1


def test_r7_only_rolled_pawns_advance_and_once():
    state = throw(scene(), red=3, yellow=5, blue=2)
    refused(state, Advance("brown"), "pawn_not_rolled", "R7")
    refused(state, Advance("purple"), "no_such_pawn", "R2")
    state = go(state, Advance("red"))
    refused(state, Advance("red"), "die_spent", "R9")


def test_r9_a_moved_pawn_stays_moved():
    state = throw(scene({9: "orange"}), red=3, yellow=5, blue=2, white=1)
    for move in (Advance("red"), Back("orange")):
        assert GAME.closes_undo(state, move)


def test_r12_a_pawn_is_blocked_until_all_above_it_have_left():
    state = scene({10: "yellow red blue"})
    state = throw(state, yellow=1, red=2, blue=3)
    assert playable(state, Advance) == {"blue"}
    state = go(state, Advance("blue"))
    assert playable(state, Advance) == {"red"}
    state = go(state, Advance("red"))
    assert playable(state, Advance) == {"yellow"}


def test_a1_option_path_length():
    state = throw(scene({11: "red"}, path_length=12), red=1, blue=2, brown=3)
    assert boats(go(state, Advance("red")))[0] == "red"


def test_a2_nobody_is_blocked_at_the_start():
    state = throw(scene({0: "red blue brown"}), red=1, blue=2, brown=3)
    assert playable(state, Advance) == {"red", "blue", "brown"}
    assert where(go(state, Advance("red")), "red") == "square_1"


def test_a2_option_start_position():
    state = throw(start(start_position=1), red=3, blue=2, brown=1)
    assert where(go(state, Advance("red")), "red") == "square_4"
    assert GAME.spaces(state)[7:9] == ("start", "square_2")


def test_a18_from_any_window_a_pawn_starts_alike():
    state = start()
    for colour in ("light_green", "blue"):
        others = [c for c in ("red", "brown") if c != colour]
        rolled = throw(state, **{colour: 4, others[0]: 1, others[1]: 2})
        assert where(go(rolled, Advance(colour)), colour) == "square_4"


@pytest.mark.parametrize(
    ("pips", "stack"), [(2, ("square_5", "red")), (1, ("square_2", "blue red"))]
)
def test_s27_skip_occupied_over_two_neighbours(pips, stack):
    state = scene({1: "red", 2: "blue", 3: "brown"}, leap="skip_occupied")
    state = go(throw(state, red=pips, yellow=1, orange=1), Advance("red"))
    assert standing(state, stack[0]) == stack[1]


def test_a4_skip_occupied_from_the_last_square_on_everything_counts_as_empty():
    state = scene({27: "red", 28: "blue", 29: "brown"}, leap="skip_occupied")
    one = go(throw(state, red=1, yellow=1, orange=1), Advance("red"))
    assert standing(one, "square_28") == "blue red"
    two = go(throw(state, red=2, yellow=1, orange=1), Advance("red"))
    assert boats(two)[0] == "red"


def test_a4_skip_occupied_backwards_too():
    state = scene({9: "orange", 8: "blue", 7: "brown"}, leap="skip_occupied")
    state = throw(state, red=1, yellow=1, light_green=1, white=2)
    assert where(go(state, Back("orange")), "orange") == "square_5"
    near = scene({3: "orange", 2: "blue", 1: "brown", 0: "dark_green"}, leap="skip_occupied")
    one = throw(near, red=1, yellow=1, light_green=1, white=1)
    assert standing(go(one, Back("orange")), "square_2") == "blue orange"
    two = throw(near, red=1, yellow=1, light_green=1, white=2)
    assert where(go(two, Back("orange")), "orange") == "start"


def test_a5_a_free_rolled_pawn_must_move():
    state = throw(scene({10: "yellow red"}), yellow=1, blue=2, brown=3)
    refused(state, Leave("blue"), "must_advance", "A5")
    refused(state, Done(), "must_advance", "A5")
    assert set(GAME.moves(state)) == {Advance("blue"), Advance("brown"), Leave("yellow")}


def test_a5_a_roll_of_blocked_pawns_alone_is_lost_at_once():
    state = scene({10: "yellow red", 12: "brown blue", 14: "light_green orange"})
    after = throw(state, yellow=1, brown=2, light_green=3)
    assert after.turn == state.turn + 1
    assert after.squares == state.squares
    last = go(state, Take("yellow"), Take("brown"), Take("light_green"), Throw())
    for die in ("yellow", "brown"):
        last = GAME.play(last, Rolled(die, 1), CHANCE)
    told = GAME.told(last, Rolled("light_green", 3), CHANCE, None)
    assert "roll lost" in told.en


def test_a5_option_a_free_pawn_may_be_left_standing():
    state = throw(scene(move_mandatory=False), red=1, blue=2, brown=3)
    left = go(state, Leave("red"), Advance("blue"), Advance("brown"))
    assert where(left, "red") == "window_4"
    assert left.phase == "choose"
    assert go(state, Done()).squares == state.squares


def test_a21_the_turn_is_over_when_every_die_is_used_or_lost():
    state = throw(scene({9: "orange"}), red=1, blue=2, brown=3, white=1)
    state = go(state, Advance("red"), Advance("blue"), Advance("brown"))
    assert set(GAME.moves(state)) == {Back("orange"), Done()}
    assert go(state, Back("orange")).turn == state.turn + 1
    assert go(state, Done()).turn == state.turn + 1


def test_a21_a_white_die_with_no_legal_pawn_has_no_effect():
    state = throw(scene({9: "red"}), red=1, blue=2, brown=3, white=1)
    after = go(state, Advance("red"), Advance("blue"), Advance("brown"))
    assert after.turn == state.turn + 1

"""Arrivals and the end: R18, R21, R22, A10, A11, A13, A16, A19, A20, S18, S19, S23–S26, S28."""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.la_grande_evasion.moves import Advance, Back, Done, Take
from hw_tests.la_grande_evasion.scene import (
    GAME,
    boats,
    go,
    playable,
    refused,
    scene,
    start,
    throw,
    where,
)

FIVE = "brown orange yellow light_green dark_green"


def test_r18_boats_fill_in_the_order_of_arrival():
    state = scene({29: "red", 28: "blue", 27: "yellow"}, "brown orange light_green", turn=8)
    state = throw(state, red=1, blue=2)
    state = go(state, Advance("blue"), Advance("red"))
    assert boats(state) == ["brown orange", "light_green blue", "red", ""]
    refused(state, Take("red"), "die_put_aside", "R18")


def test_s23_reaching_the_last_square_is_arriving():
    state = go(throw(scene({29: "red"}), red=1, blue=2, brown=3), Advance("red"))
    assert where(state, "red") == "boat_1"
    assert "square_30" not in GAME.image(state)


def test_s18_r21_the_last_but_one_brought_back_to_the_start_is_last():
    state = throw(scene({4: "red", 27: "blue"}, FIVE), blue=1, white=4)
    over = go(state, Back("red"))
    assert boats(over)[2:] == ["dark_green blue", "red"]
    assert GAME.outcome(over) is not None
    assert GAME.to_act(over) == ()


def test_a13_r21_also_when_the_jump_goes_beyond_the_start():
    state = throw(scene({4: "red", 27: "blue"}, FIVE), blue=1, white=6)
    assert boats(go(state, Back("red")))[2:] == ["dark_green blue", "red"]


def test_r21_on_the_short_path():
    state = throw(scene({10: "red", 27: "blue"}, FIVE, short_path=True), blue=1, white=2)
    assert boats(go(state, Back("red")))[2:] == ["dark_green blue", "red"]


def test_s19_a11_the_only_pawn_left_goes_to_its_boat_at_once():
    state = throw(scene({4: "red", 27: "blue"}, FIVE), blue=3, red=2)
    over = go(state, Advance("blue"))
    assert boats(over)[2:] == ["dark_green blue", "red"]
    assert GAME.outcome(over) is not None


def test_a11_option_the_last_pawn_walks():
    state = scene({4: "red", 27: "blue"}, FIVE, auto_finish_last=False)
    state = go(throw(state, blue=3, red=2), Advance("blue"), Advance("red"))
    assert GAME.outcome(state) is None
    assert where(state, "red") == "square_6"
    state = scene({29: "red"}, f"{FIVE} blue", auto_finish_last=False)
    over = go(throw(state, red=1), Advance("red"))
    assert boats(over)[3] == "red"
    assert GAME.outcome(over) is not None  # R22


def scene_s24():
    state = scene({27: "blue", 3: "red", 15: "yellow"}, "brown orange light_green dark_green")
    return throw(state, blue=4, white=3)


def test_s24_a19_two_left_is_judged_at_the_backward_move():
    over = go(scene_s24(), Advance("blue"), Back("red"))
    assert boats(over)[2:] == ["blue yellow", "red"]
    assert GAME.outcome(over) is not None


def test_s25_a19_with_three_left_nothing_happens():
    state = go(scene_s24(), Back("red"), Advance("blue"))
    assert boats(state)[2:] == ["blue", ""]
    assert where(state, "red") == "start"
    assert where(state, "yellow") == "square_15"
    assert GAME.outcome(state) is None


def test_s26_a19_a_pawn_already_at_the_start_triggers_nothing():
    state = throw(scene({0: "red", 12: "blue"}, FIVE), red=2, white=5)
    state = go(state, Back("blue"))
    assert where(state, "blue") == "square_7"
    assert GAME.outcome(state) is None


def test_a10_an_arrival_in_the_middle_of_a_turn_leaves_its_dice_in_use():
    state = throw(
        scene({29: "red", 4: "blue", 9: "orange"}, "brown"), red=1, blue=2, yellow=3, white=1
    )
    state = go(state, Advance("red"))
    assert playable(state, Advance) == {"blue", "yellow"}
    assert playable(state, Back) == {"orange"}


def test_a20_when_the_game_ends_in_the_middle_of_a_turn_unused_dice_are_void():
    state = throw(scene({4: "red", 27: "blue"}, FIVE), blue=1, white=4)
    over = go(state, Back("red"))
    assert (over.dice, over.faces) == ((), ())
    refused(over, Advance("blue"), "game_over", "R22", seat=state.player)


def test_r22_the_game_ends_when_all_are_in_the_boats():
    over = go(throw(scene({4: "red", 27: "blue"}, FIVE), blue=3, red=2), Advance("blue"))
    assert sum(len(boat.split()) for boat in boats(over)) == 7
    refused(over, Take("red"), "game_over", "R22", seat=0)


# -- the limit of turns ---------------------------------------------------------------------------


def test_s28_a16_after_the_last_turn_the_rest_are_ranked_as_they_stand():
    state = throw(scene({12: "red blue"}, FIVE, turn=300), red=1, white=1)
    assert playable(state, Back) == {"blue"}
    over = go(state, Done())
    assert boats(over)[2:] == ["dark_green blue", "red"]
    assert GAME.outcome(over) is not None
    assert GAME.closes_undo(state, Done())  # the bets come out


def test_a16_at_the_start_the_lower_number_first():
    state = scene({0: "brown", 3: "blue", 5: "red yellow"}, "dark_green", turn=300)
    state = throw(state, light_green=1, orange=1, brown=2)
    over = go(state, Advance("brown"), Advance("orange"), Advance("light_green"))
    assert [p for boat in boats(over) for p in boat.split()] == [
        "dark_green",
        "yellow",
        "red",
        "blue",
        "brown",
        "light_green",
        "orange",
    ]


def test_a16_windows_and_start_are_one_place():
    state = scene({0: "blue brown", 3: "red yellow"}, turn=300, move_mandatory=False)
    over = go(throw(state, blue=1, brown=1, red=1), Done())
    assert [p for boat in boats(over) for p in boat.split()] == [
        "yellow",
        "red",
        "light_green",
        "dark_green",
        "orange",
        "brown",
        "blue",
    ]


def test_a16_the_turn_before_the_last_is_no_end():
    state = throw(scene({12: "red blue"}, FIVE, turn=299), red=1, white=1)
    assert GAME.outcome(go(state, Done())) is None
    assert not GAME.closes_undo(state, Done())


def test_a16_option_no_limit():
    state = throw(scene({12: "red blue"}, FIVE, turn=5_000, turn_limit=0), red=1, white=1)
    assert GAME.outcome(go(state, Done())) is None
    assert [track.id for track in GAME.tracks(state)] == ["boats", "furthest"]


def test_a16_option_another_limit():
    state = replace(start(2, turn_limit=7), turn=7)
    over = go(
        throw(state, red=1, blue=2, brown=3), Advance("red"), Advance("blue"), Advance("brown")
    )
    assert boats(over)[0] == "brown blue"

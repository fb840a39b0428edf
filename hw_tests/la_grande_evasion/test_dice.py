"""The choice of dice and the roll: R6, R13, R17, R19, R20, A6, A9, A10, A12, A22, A24."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from game_logic.core import CHANCE, Act, Illegal, Rolled, play_all
from game_logic.dice import rolled
from game_logic.la_grande_evasion.moves import Advance, Back, Done, Take, Throw
from hw_tests.la_grande_evasion.scene import (
    COLOURS,
    GAME,
    go,
    playable,
    refused,
    scene,
    start,
    throw,
    where,
)


def test_r6_three_coloured_dice_are_chosen_freely():
    state = start()
    assert playable(state, Take) == set(COLOURS)
    state = go(state, Take("red"), Take("blue"))
    refused(state, Throw(), "dice_too_few", "R6")
    refused(state, Take("red"), "die_taken", "R6")
    refused(state, Take("purple"), "no_such_die", "R2")
    state = go(state, Take("brown"))
    refused(state, Take("yellow"), "dice_enough", "R6")
    assert GAME.moves(state) == (Throw(),)


def test_r6_the_order_of_choosing_does_not_matter():
    chosen = {go(start(), *(Take(die) for die in order)) for order in permutations(COLOURS[:3])}
    assert len(chosen) == 1


def test_r6_the_dice_fall_one_part_a_die():
    state = go(scene(), Take("red"), Take("white"), Take("blue"), Take("brown"), Throw())
    chance = GAME.chance(state)
    assert chance.kind == "dice"
    assert [part.id for part in chance.parts] == ["red", "brown", "blue", "white"]
    assert all(len(part.odds) == 6 for part in chance.parts)
    assert len(GAME.moves(state)) == 24
    state = GAME.play(state, Rolled("brown", 3), CHANCE)
    assert [part.id for part in GAME.chance(state).parts] == ["red", "blue", "white"]
    refused(state, Rolled("brown", 3), "die_not_awaited", "R6")
    refused(state, Rolled("yellow", 3), "die_not_awaited", "R6")
    refused(state, Rolled("red", 7), "no_such_face", "R7")
    refused(state, Rolled("purple", 1), "no_such_die", "R2")
    refused(state, Advance("brown"), "roll_first", "R6")


def test_r6_after_the_throw_the_choice_is_made():
    state = throw(scene(), red=1, blue=1, brown=1)
    refused(state, Take("yellow"), "dice_thrown", "R6")
    refused(state, Throw(), "moves_first", "R7")


def test_r13_dice_of_blocked_pawns_may_be_chosen():
    state = scene({10: "yellow red"})
    assert "yellow" in playable(state, Take)


def test_s10_r17_no_white_die_in_the_first_round_of_the_table():
    state = replace(start(4), turn=3)
    assert GAME.problems(state) == ()
    assert GAME.to_act(state) == (2,)
    refused(state, Take("white"), "white_first_round", "R17")


def test_s11_a24_the_white_die_from_the_fifth_turn_of_four_players():
    state = replace(start(4), turn=5)
    assert "white" in playable(state, Take)
    assert playable(throw(state, red=1, blue=1, brown=1, white=2), Advance)


@pytest.mark.parametrize("seats", range(2, 7))
def test_a24_the_first_round_is_the_tables_not_the_players(seats):
    first_round = replace(start(seats), turn=seats)
    refused(first_round, Take("white"), "white_first_round", "R17")
    assert "white" in playable(replace(first_round, turn=seats + 1), Take)


def test_r17_option_white_first_round():
    assert "white" in playable(start(white_first_round=True), Take)


def test_s16_r19_with_two_arrived_two_coloured_dice_and_the_white_one_beside_them():
    state = scene({5: "red"}, "brown orange")
    state = go(state, Take("red"))
    refused(state, Throw(), "dice_too_few", "R19")
    state = go(state, Take("blue"))
    refused(state, Take("yellow"), "dice_enough", "R19")
    assert set(GAME.moves(state)) == {Take("white"), Throw()}
    refused(state, Take("brown"), "die_put_aside", "R18")


def test_a9_after_r19_the_white_die_is_still_optional():
    state = scene({5: "red", 9: "yellow"}, "brown orange")
    without = throw(state, red=1, blue=2)
    assert set(GAME.moves(without)) == {Advance("red"), Advance("blue")}
    assert playable(throw(state, red=1, blue=2, white=3), Back) == {"yellow"}


def test_r6_only_the_player_whose_turn_it_is_chooses():
    state = scene(turn=6)
    assert GAME.to_act(state) == (1,)
    refused(state, Take("red"), "not_your_turn", "Bo", seat=0)
    refused(state, Advance("red"), "choose_first", "R6")


def test_s17_r20_with_four_arrived_two_dice_in_all():
    state = scene({5: "red"}, "brown orange blue yellow")
    two = go(state, Take("red"), Take("dark_green"))
    assert GAME.moves(two) == (Throw(),)
    refused(two, Take("white"), "white_instead", "R20")
    one = go(state, Take("red"))
    refused(one, Throw(), "dice_too_few", "R20")
    one = go(one, Take("white"))
    assert GAME.moves(one) == (Throw(),)
    refused(one, Take("dark_green"), "dice_enough", "R20")
    white = go(state, Take("white"))
    refused(white, Throw(), "dice_too_few", "R20")


def test_a12_two_pawns_left():
    state = scene({5: "red", 9: "blue"}, "brown orange yellow light_green dark_green")
    throws = {
        tuple(sorted(go(state, Take(a), Take(b)).dice))
        for a in ("red", "blue", "white")
        for b in playable(go(state, Take(a)), Take)
    }
    assert throws == {(4, 6), (4, 7), (6, 7)}


def test_a10_the_dice_are_fixed_when_the_turn_begins():
    state = throw(scene({29: "red", 4: "blue"}, "brown"), red=1, blue=2, yellow=3)
    state = go(state, Advance("red"))
    assert len(state.arrivals) == 2
    state = go(state, Advance("blue"), Advance("yellow"))  # the third die is still used
    assert where(state, "yellow") == "square_3"
    assert playable(go(state, Take("blue"), Take("yellow")), Take) == {"white"}


def test_a22_a_single_pawn_left_rolls_its_single_die():
    six = "brown orange yellow light_green dark_green blue"
    state = scene({5: "red"}, six, auto_finish_last=False)
    assert playable(state, Take) == {"red", "white"}
    assert set(GAME.moves(go(state, Take("red")))) == {Take("white"), Throw()}
    state = throw(state, red=2, white=3)
    assert GAME.moves(state) == (Advance("red"),)  # nobody for the white die
    after = go(state, Advance("red"))
    assert where(after, "red") == "square_7"
    assert after.turn == state.turn + 1


def test_a6_the_white_die_is_announced_before_the_roll():
    state = throw(scene({9: "orange"}), red=1, blue=1, brown=1)
    refused(state, Take("white"), "white_announced", "A6")
    refused(state, Back("orange"), "white_not_rolled", "R14")


def test_a6_option_the_white_die_may_come_after_the_roll():
    late = {"white_declared_before_roll": False}
    state = throw(scene({9: "orange"}, **late), red=1, blue=1, brown=1)
    state = go(state, Advance("red"), Take("white"))
    assert [part.id for part in GAME.chance(state).parts] == ["white"]
    state = GAME.play(state, Rolled("white", 4), CHANCE)
    state = go(state, Back("orange"))
    assert where(state, "orange") == "square_5"
    state = go(state, Advance("blue"), Advance("brown"))
    assert state.phase == "choose"


def test_a6_option_a_turn_waits_for_a_late_white_die_only_where_it_can_do_something():
    late = {"white_declared_before_roll": False}
    state = throw(scene({9: "orange"}, **late), red=1, blue=2, brown=3)
    state = go(state, Advance("red"), Advance("blue"), Advance("brown"))
    assert set(GAME.moves(state)) == {Take("white"), Done()}
    assert go(state, Done()).turn == state.turn + 1
    nobody = throw(scene(**late), red=1, blue=2, brown=3)
    nobody = go(nobody, Advance("red"), Advance("blue"), Advance("brown"))
    assert nobody.phase == "choose"


def test_a6_option_late_white_still_keeps_r17_and_r20():
    late = {"white_declared_before_roll": False}
    first = throw(scene({9: "orange"}, turn=2, **late), red=1, blue=1, brown=1)
    refused(first, Take("white"), "white_first_round", "R17")
    state = scene(
        {5: "red", 9: "blue", 12: "yellow"}, "brown orange light_green dark_green", **late
    )
    refused(throw(state, red=1, blue=2), Take("white"), "white_announced", "A6")


# -- the tower ------------------------------------------------------------------------------------


def tower(state, *seen):
    return rolled(GAME.chance(state), seen, GAME.die)


def test_a_tray_of_dice_is_one_intent():
    state = go(
        scene({9: "orange"}), Take("red"), Take("blue"), Take("brown"), Take("white"), Throw()
    )
    falls = tower(state, ("white", 6), ("red", 2), ("brown", 3), ("blue", 5))
    state = play_all(GAME, state, [Act(CHANCE, move) for move in falls])
    assert state.faces == (2, 3, 5, 6)
    assert state.phase == "move"


@pytest.mark.parametrize(
    ("seen", "code", "fr", "en"),
    [
        ((("red", 1), ("blue", 2), ("yellow", 3)), "wrong_die", "le dé brun", "the brown die"),
        ((("red", 1), ("blue", 2)), "die_missing", "le dé brun", "the brown die"),
        ((("red", 1), ("blue", None), ("brown", 2)), "die_cocked", "le dé bleu", "the blue die"),
        (
            (("red", 1), ("blue", 2), ("brown", 2), ("white", 3)),
            "die_too_many",
            "le dé blanc",
            "the white die",
        ),
    ],
)
def test_a_bad_roll_names_the_die_to_put_right_and_loses_nothing(seen, code, fr, en):
    state = go(scene(), Take("red"), Take("blue"), Take("brown"), Throw())
    with pytest.raises(Illegal) as refusal:
        tower(state, *seen)
    assert refusal.value.code == code
    assert fr in refusal.value.text.fr
    assert en in refusal.value.text.en
    assert [part.id for part in GAME.chance(state).parts] == ["red", "brown", "blue"]


def test_a_die_of_another_game_is_named_too():
    state = go(scene(), Take("red"), Take("blue"), Take("brown"), Throw())
    with pytest.raises(Illegal) as refusal:
        tower(state, ("red", 1), ("blue", 2), ("brown", 3), ("pink", 3))
    assert "pink" in refusal.value.text.en

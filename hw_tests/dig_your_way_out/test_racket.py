"""Rackets, combats and what is played in them (R22 to R28, R34, R35; A12 to A16, A33 to A36)."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE
from game_logic.dig_your_way_out.moves import (
    Cooperate,
    Craft,
    Dig,
    Duck,
    Pass,
    PayOff,
    PlayWeapon,
    Racket,
    Refuse,
    Reveal,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    asks,
    beatings,
    can,
    cards,
    drew,
    game_of,
    has,
    known,
    lay,
    play,
    quietly,
    took,
    turn,
    why_not,
)


def brawl(secrets="house", mine="shiv shiv", his="shiv spoon", **options):
    state = game_of(secrets=secrets, **options)
    return lay(lay(state, 0, hand=mine), 1, hand=his)


def threatened(secrets="house", tool="spoon", **more):
    return play(brawl(secrets, **more), Racket(1, tool), PlayWeapon("shiv"))


def fought(secrets="house", **more):
    """The combat has begun; the defender is asked for a weapon."""
    return quietly(play(threatened(secrets, **more), Refuse()))


def test_r22_a_weapon_and_a_target_in_the_place(secrets):
    state = brawl(secrets)
    assert can(state, Racket(1, "spoon"))
    assert why_not(state, Racket(0, "spoon")) == "no_target"
    assert why_not(state, Racket(7, "spoon")) == "no_target"
    assert why_not(lay(state, 1, place="yard"), Racket(1, "spoon")) == "target_away"
    assert why_not(turn(state, rackets=1), Racket(1, "spoon")) == "racket_used"


def test_r22_a_racket_is_possible_in_solitary(secrets):
    state = lay(lay(brawl(secrets), 0, place="solitary"), 1, place="solitary")
    assert can(state, Racket(1, "spoon"))


def test_r23_name_a_tool_and_play_a_weapon(secrets):
    assert why_not(brawl(secrets), Racket(1, "shiv")) == "not_a_tool"
    state = play(brawl(secrets, mine="shiv tie"), Racket(1, "shovel"))
    assert asks(state) == ("racket_weapon", 0)
    assert why_not(state, PlayWeapon("tie")) == "not_a_weapon"
    state = play(state, PlayWeapon("shiv"))
    assert asks(state) == ("racket_answer", 1)
    assert GAME.view(state, None)["open"][0]["tool"] == "shovel"


def test_r24_cooperating_gives_the_named_tool_only(secrets):
    state = threatened(secrets)
    assert why_not(state, Cooperate("shovel")) == "not_the_tool"
    state = play(state, Cooperate("spoon"))
    assert has(state, 0, "shiv spoon")
    assert asks(state) == ("turn", 0)


def test_r24_who_has_not_the_tool_cannot_cooperate():
    assert why_not(threatened(his="shiv"), Cooperate("spoon")) == "not_in_hand"
    state = known(lay(game_of(secrets="table"), hand="shiv"), 1, "shovel")
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"))
    assert why_not(state, Cooperate("spoon")) == "not_in_hand"


def test_r25_refusing_starts_a_combat(secrets):
    state = play(threatened(secrets), Refuse())
    assert asks(state) == ("racket_boxer", 0)
    assert asks(play(state, Pass())) == ("racket_fight", 1)


def test_r26_weapons_in_turn_starting_with_the_defender(secrets):
    state = fought(secrets)
    state = play(state, PlayWeapon("shiv"))
    assert asks(state) == ("racket_fight", 0)
    state = quietly(took(quietly(play(state, Pass())), 0, "shiv"))
    assert beatings(state) == (1, 0)


def test_r27_the_winner_takes_the_named_tool_from_the_defender(secrets):
    state = quietly(play(fought(secrets), Pass()))
    state = quietly(play(state, Cooperate("spoon"))) if secrets == "table" else state
    assert cards(state) == (2, 1)
    assert has(state, 0, "shiv spoon")


def test_r27_a_random_card_is_chance_that_only_the_two_learn():
    state = fought(tool="shovel")
    state = play(quietly(play(state, Pass())))
    assert asks(state) == ("take", CHANCE)
    chance = GAME.chance(state)
    assert (chance.kind, chance.sees, chance.parts[0].id) == ("draw", (0, 1), "hand_1")
    move = chance.parts[0].odds[1][0]
    assert "spoon" in GAME.told(state, move, CHANCE, 0).en
    assert "spoon" in GAME.told(state, move, CHANCE, 1).en
    assert "spoon" not in GAME.told(state, move, CHANCE, None).en


def test_r27_at_the_table_the_known_tool_changes_hands_without_a_question():
    state = known(lay(game_of(secrets="table"), hand="shiv"), 1, "spoon")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = quietly(play(state, Pass()))
    assert state.prisoners[0].hand == ("spoon",)
    assert cards(state) == (1, 0)


def test_r28_all_weapons_are_discarded_at_the_end(secrets):
    state = fought(secrets, mine="blade shiv blade", his="blade spoon")
    state = play(state, PlayWeapon("blade"), PlayWeapon("blade"))
    assert state.discard == ()
    state = quietly(play(state, Pass()))
    assert state.discard == ("blade", "blade")
    assert state.stock[3] == 20


def test_r34_one_token_of_two_beatings_at_most(secrets):
    for before, after in ((0, 1), (1, 2), (2, 2)):
        state = quietly(play(lay(fought(secrets), 1, beatings=before), Pass()))
        assert beatings(state)[1] == after


def test_r35_one_beating_forbids_craft_two_forbid_dig_too(secrets):
    state = lay(game_of(secrets=secrets), hand="spoon")
    file = Craft("file_spoon", ("spoon",))
    for hurt, craft, dig in ((0, True, True), (1, False, True), (2, False, False)):
        state = lay(state, beatings=hurt)
        assert can(state, Dig("spoon")) is dig
        assert can(lay(state, place="yard"), file) is craft


def test_a12_the_intimidation_weapon_is_lost_even_when_the_target_cooperates(secrets):
    state = play(threatened(secrets), Cooperate("spoon"))
    assert state.stock[3] == 20 - 2
    assert cards(state) == (2, 1)


def test_a13_an_empty_hand_gives_nothing(secrets):
    state = quietly(play(threatened(secrets, his=""), Refuse()))
    state = quietly(play(state, Pass())) if state.todo else state
    assert (beatings(state), cards(state)) == ((0, 1), (1, 0))


def test_a14_one_copy_of_several_is_given(secrets):
    state = quietly(play(fought(secrets, his="spoon spoon"), Pass()))
    state = quietly(play(state, Cooperate("spoon"))) if secrets == "table" else state
    assert cards(state) == (2, 1)


def test_a15_the_defeated_defender_gives_to_the_attacker(secrets):
    state = quietly(play(fought(secrets), Pass()))
    state = quietly(play(state, Cooperate("spoon"))) if secrets == "table" else state
    assert "spoon" in state.prisoners[0].hand


def test_a16_a_third_beating_does_nothing(secrets):
    state = lay(fought(secrets, his="tie"), 1, beatings=2)
    state = play(state, Pass())
    assert asks(state)[0] != "blow"
    assert beatings(state) == (0, 2)


def test_a33_a_cancelled_racket_counts_and_its_weapon_is_gone(secrets):
    state = lay(threatened(secrets), 1, gang="queers_2", cigarettes=1)
    assert why_not(state, PayOff()) == "no_pay_off"
    state = play(lay(state, 1, cigarettes=2), PayOff())
    assert state.turn.rackets == 1
    assert cards(state) == (1, 2)
    assert why_not(state, Racket(1, "spoon")) == "racket_used"


@pytest.mark.parametrize("answer", [Cooperate("spoon"), Reveal("p09")])
def test_a33_queers_3_consoles_after_any_racket(answer, secrets):
    state = lay(brawl(secrets), 1, gang="queers_3")
    state = lay(state, 1, passive="p09") if secrets == "house" else state
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"), answer)
    before = cards(state)[1]
    state = drew(state, "tie")
    assert cards(state)[1] == before + (secrets == "house")
    assert asks(state) == ("turn", 0)


def test_a33_queers_3_after_a_lost_combat_draws_last(secrets):
    state = quietly(play(lay(fought(secrets), 1, gang="queers_3"), Pass()))
    if secrets == "table":
        state = quietly(play(state, Cooperate("spoon")))
        assert cards(state) == (2, 2)
        return
    state = quietly(state)
    assert asks(state) == ("draw", CHANCE)
    assert cards(drew(state, "tie")) == (2, 2)


def test_a34_boxer_of_the_attacker_before_the_first_weapon(secrets):
    state = brawl(secrets, mine="shiv", his="shiv shiv")
    state = lay(state, passive="p04") if secrets == "house" else state
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"))
    state = play(state, Refuse(), Reveal("p04"))
    assert asks(state) == ("racket_fight", 1)
    state = play(state, PlayWeapon("shiv"), Duck())
    assert asks(state) == ("racket_fight", 1)
    state = play(state, PlayWeapon("shiv"))
    assert beatings(quietly(state)) == (1, 0)


def test_a34_boxer_of_the_defender_when_he_is_first_asked(secrets):
    state = brawl(secrets, his="")
    state = lay(state, 1, passive="p04") if secrets == "house" else state
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    assert asks(state) == ("racket_fight", 1)
    assert why_not(state, Duck()) == "no_duck"
    state = play(state, Reveal("p04"), Duck())
    assert asks(state) == ("racket_fight", 0)
    state = quietly(play(state, Pass()))
    assert beatings(state) == (1, 0)


def test_a34_not_after_the_first_weapon(secrets):
    state = brawl(secrets, his="shiv shiv")
    state = lay(state, 1, passive="p04") if secrets == "house" else state
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, PlayWeapon("shiv"), PlayWeapon("shiv"))
    assert why_not(state, Reveal("p04")) == "not_the_moment"


def test_a36_first_the_tool_then_the_bikers_card_then_the_kingpins():
    state = lay(brawl(his="spoon tie tie cap cap"), gang="bikers_1", passive="p12")
    state = play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse(), Pass())
    state = quietly(play(state, Pass()))  # the defender fights not, and is beaten
    assert has(state, 0, "shiv spoon")
    state = took(state, 1, "tie")
    assert asks(state) == ("won", 0)
    state = took(took(play(state, Reveal("p12")), 1, "cap"), 1, "cap")
    assert has(state, 0, "cap cap shiv spoon tie")
    assert asks(state) == ("turn", 0)


def test_a36_taking_stops_when_the_hand_is_empty():
    state = lay(brawl(his="tie"), gang="bikers_1")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = took(quietly(play(state, Pass())), 1, "tie")
    assert asks(state) == ("turn", 0)


def test_a36_bikers_3_stops_all_of_it(secrets):
    state = lay(lay(brawl(secrets), gang="bikers_1"), 1, gang="bikers_3")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = quietly(play(state, Pass()))
    assert (cards(state), beatings(state)) == ((1, 2), (0, 1))
    assert asks(state) == ("turn", 0)

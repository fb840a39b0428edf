"""Michel and Michelle (R41 to R50, A22, A23, A35, A40)."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE, Drawn, Piece
from game_logic.dig_your_way_out.moves import (
    Cooperate,
    Discard,
    Duck,
    EndTurn,
    Go,
    MoveMichel,
    Pass,
    PayOff,
    PlayCard,
    PlayWeapon,
    Reveal,
    Search,
    Sneak,
    Walk,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    asks,
    beatings,
    cards,
    drew,
    game_of,
    has,
    lay,
    lost,
    play,
    quietly,
    roll,
    turn,
    why_not,
)


def prowled(secrets="house", seats=2, **board):
    return lay(game_of(seats, secrets=secrets, michel="michel"), **board)


def card(id):
    return Drawn("michel", id)


def caught(secrets="house", first="m5", **board):
    """Seat 0 walks into Michel and the first card is turned."""
    return play(prowled(secrets, **board), Sneak("showers"), card(first))


@pytest.mark.parametrize("who", ["michel", "michelle"])
def test_r41_one_of_the_two_starts_in_the_showers(who, secrets):
    state = game_of(secrets=secrets, michel=who)
    assert GAME.image(state)["showers"] == (Piece("michel", who),)
    assert GAME.view(state, None)["michel"] == {"place": "showers", "pile": 8, "discard": ()}
    assert "michel" not in GAME.view(game_of(secrets=secrets), None)


def test_r41_the_discard_is_reshuffled_when_the_pile_is_empty(secrets):
    state = turn(prowled(secrets, place="yard"), actions=20)
    state = lay(state, hand="shiv " * 5)
    for first in ("m1", "m2", "m3"):
        state = play(state, Sneak("showers"), card(first), Sneak("yard"))
    state = play(state, Sneak("showers"), card("m4"))
    for shown in ("m5", "m6", "m7", "m8"):
        state = play(state, PlayWeapon("shiv"), card(shown))
    state = play(state, PlayWeapon("shiv"))
    assert {move.card for move in GAME.moves(state)} == {"m1", "m2", "m3"}
    assert state.michel_discard == ()


def test_r42_at_the_end_of_the_turn_by_a_roll(secrets):
    state = play(prowled(secrets), MoveMichel())
    assert asks(state) == ("roll_die", CHANCE)
    state = play(state, roll(4))
    assert asks(state) == ("steer_michel", 0)
    state = play(state, Go("refectory"))
    assert state.michel_place == "refectory"
    assert asks(state) == ("turn", 1)


def test_r42_only_when_he_is_in_the_game():
    assert why_not(game_of(), MoveMichel()) == "no_michel"


def test_r43_everybody_in_his_new_place_clockwise_from_the_mover(secrets):
    state = turn(prowled(secrets, 3), seat=1)
    state = play(state, MoveMichel(), roll(1), Go("cells"))
    order = []
    for shown in ("m1", "m2", "m3"):
        order.append(state.todo[-1].seat)
        state = play(state, card(shown))
    assert order == [1, 2, 0]
    assert asks(state) == ("turn", 2)


@pytest.mark.parametrize("how", [Sneak("showers"), Walk()])
def test_r44_a40_who_comes_to_his_place_is_racketed_at_once(how, secrets):
    state = play(prowled(secrets), how)
    state = play(state, roll(3), Go("showers")) if how == Walk() else state
    assert asks(state) == ("michel_reveal", CHANCE)
    assert GAME.chance(state).sees is None
    state = play(state, card("m1"))
    assert asks(state) == ("turn", 0)


def test_a40_the_duct_leads_to_him_too(secrets):
    state = play(prowled(secrets, hand="duct"), PlayCard("duct"), Go("showers"))
    assert asks(state) == ("michel_reveal", CHANCE)
    state = play(state, card("m2"))
    assert state.discard == ("duct",)


def test_r45_without_a_shiv_nothing_happens(secrets):
    state = caught(secrets, "m3", hand="spoon")
    assert (cards(state), beatings(state)) == ((1, 0), (0, 0))


def test_r46_a_tool_shown_on_the_card_is_discarded(secrets):
    state = caught(secrets, "m7", hand="spoon pickaxe shovel")
    assert why_not(state, Cooperate("spoon")) == "not_the_tool"
    state = play(state, Cooperate("pickaxe"))
    assert (cards(state), state.stock[1]) == ((2, 0), 11)
    assert state.michel_discard == ("m7",)


def test_r47_weapon_against_card_until_one_has_no_shiv(secrets):
    state = caught(secrets, "m4", hand="shiv blade")
    state = play(state, PlayWeapon("shiv"), card("m6"))
    assert asks(state) == ("michel_fight", 0)
    assert why_not(state, Cooperate("pickaxe")) == "not_the_tool"
    state = drew(play(state, PlayWeapon("blade"), card("m1")), "tie")
    assert has(state, 0, "tie")
    assert (state.discard, state.stock[3]) == (("blade",), 20)


def test_r48_the_loser_gives_a_tool_of_the_first_card(secrets):
    state = caught(secrets, "m7", hand="shiv pickaxe shovel")
    state = play(state, PlayWeapon("shiv"), card("m4"), Pass())
    state = quietly(state)
    assert asks(state) == ("forfeit", 0)
    assert why_not(state, Discard("spoon")) == "not_the_tool"
    assert why_not(state, Discard("tie")) == "not_a_tool"
    if secrets == "house":
        assert why_not(state, Pass()) == "has_the_tool"
    state = play(state, Discard("shovel"))
    assert (cards(state), beatings(state)) == ((1, 0), (1, 0))


def test_r48_otherwise_a_random_card(secrets):
    state = quietly(play(caught(secrets, "m8", hand="tie cap"), Pass()))
    state = lost(state, 0, "cap")
    assert has(state, 0, "tie")


def test_r48_an_empty_hand_only_takes_the_beating(secrets):
    state = caught(secrets, "m8")
    assert asks(state) == ("michel_answer", 0)  # a boxer might still duck
    state = quietly(play(state, Pass()))
    assert (beatings(state), asks(state)) == ((1, 0), ("turn", 0))


def test_r49_the_winner_draws_a_card_that_only_he_sees():
    state = play(caught("house", "m4", hand="shiv"), PlayWeapon("shiv"), card("m1"))
    assert GAME.chance(state).sees == (0,)


def test_r50_all_cards_of_the_racket_are_discarded(secrets):
    state = caught(secrets, "m4", hand="shiv shiv")
    state = play(state, PlayWeapon("shiv"), card("m5"), PlayWeapon("shiv"))
    assert state.michel_discard == ()
    state = drew(play(state, card("m1")), "tie")
    assert state.michel_discard == ("m4", "m5", "m1")


def test_a22_moving_him_is_not_compulsory_and_comes_before_the_hand_limit(secrets):
    state = prowled(secrets, hand="tie " * 11)
    assert asks(play(state, EndTurn())) == ("shed", 0)
    state = play(state, MoveMichel(), roll(6), Go("yard"))
    assert asks(state) == ("shed", 0)
    assert why_not(state, Search()) == "not_now"


def test_a23_he_must_change_place(secrets):
    state = play(prowled(secrets), MoveMichel(), roll(3))
    assert GAME.moves(state) == (Go("cells"),)
    assert why_not(state, Go("showers")) == "same_place"


def test_a35_the_boxer_ducks_from_him(secrets):
    state = prowled(secrets, hand="spoon")
    state = lay(state, passive="p04") if secrets == "house" else state
    state = play(state, Sneak("showers"), card("m5"), Reveal("p04"))
    assert asks(state) == ("michel_fight", 0)
    assert why_not(state, Cooperate("spoon")) == "not_the_tool"
    state = drew(play(state, Duck(), card("m1")), "tie")
    assert has(state, 0, "spoon tie")


def test_a35_the_lawyer_objects_to_his_beating(secrets):
    state = prowled(secrets)
    state = lay(state, passive="p16") if secrets == "house" else state
    state = play(state, Sneak("showers"), card("m5"), Pass(), Reveal("p16"))
    assert beatings(state) == (0, 0)


def test_a35_spikes_of_bratva_4_are_weapons_against_him(secrets):
    state = caught(secrets, "m5", gang="bratva_4", hand="spike")
    state = drew(play(state, PlayWeapon("spike"), card("m1")), "tie")
    assert state.discard == ("spike",)


def test_a35_who_speaks_of_players_is_silent(secrets):
    state = caught(secrets, "m5", gang="queers_2", cigarettes=5, hand="tie tie")
    assert why_not(state, PayOff()) == "not_now"
    state = caught(secrets, "m5", gang="bikers_3", hand="tie tie")
    assert cards(lost(quietly(play(state, Pass())), 0, "tie")) == (1, 0)
    state = caught(secrets, "m5", gang="queers_3", hand="tie")
    state = lost(quietly(play(state, Pass())), 0, "tie")
    assert (cards(state), asks(state)) == ((0, 0), ("turn", 0))
    state = prowled(secrets)
    state = lay(state, passive="p09") if secrets == "house" else state
    state = play(state, Sneak("showers"), card("m5"))
    assert why_not(state, Reveal("p09")) == "not_the_moment"
    state = lay(prowled(secrets), hand="shiv", gang="bikers_1")
    state = play(state, Sneak("showers"), card("m5"), PlayWeapon("shiv"), card("m1"))
    assert cards(drew(state, "tie")) == (1, 0)


def test_a40_the_greeting_of_crew_4_comes_after_him(secrets):
    state = lay(prowled(secrets), 1, place="showers", gang="crew_4")
    state = play(state, Sneak("showers"))
    assert asks(state) == ("michel_reveal", CHANCE)
    assert cards(drew(play(state, card("m1")), "tie")) == (0, 1)

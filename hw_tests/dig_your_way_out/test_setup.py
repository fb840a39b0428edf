"""Set-up, goal and the passing of turns (R1 to R14, with their readings)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game_logic.core import CHANCE, Drawn, Malformed
from game_logic.dig_your_way_out.moves import (
    Dig,
    Discard,
    EndTurn,
    Join,
    PlayCard,
    Reveal,
    Search,
    Sell,
    Walk,
)
from game_logic.pile import unpack
from hw_tests.dig_your_way_out.prison import (
    GAME,
    NAMES,
    asks,
    can,
    cards,
    draw,
    drew,
    game_of,
    lay,
    play,
    turn,
    why_not,
)


def test_r01_tools_and_shivs_lie_in_four_open_piles_and_return_there(secrets):
    state = lay(game_of(secrets=secrets), place="yard", hand="spoon shiv")
    assert GAME.view(state, None)["stock"] == {
        "spoon": 10,
        "pickaxe": 11,
        "shovel": 11,
        "shiv": 19,
    }
    state = play(state, Sell("spoon"), Sell("shiv"))
    assert state.stock == (11, 11, 11, 20)
    assert state.discard == ()


def test_r02_each_gang_has_a_pile_and_a_discarded_card_goes_under_it():
    state = lay(game_of(), hand="ring chain cap bandana", gang="cartel_1")
    state = play(state, Join("crew"), Discard("cap"), Discard("bandana"), Drawn("crew", "crew_3"))
    cartel, crew = state.gangs[:2]
    assert cartel.under == ("cartel_1",)
    assert unpack(crew.rest) == ("crew_1", "crew_2", "crew_4")
    assert GAME.view(state, None)["gangs"] == {
        "cartel": 4,
        "crew": 3,
        "bikers": 4,
        "bratva": 4,
        "triad": 4,
        "queers": 4,
    }


def test_r03_the_discard_is_shuffled_into_a_new_pile_when_the_pile_is_empty(secrets):
    state = game_of(secrets=secrets)
    deck = list(unpack(state.loose))
    deck.remove("tie")
    state = replace(state, loose=(("tie", 1),), pile=1, discard=tuple(deck))
    state = play(lay(state, place="refectory"), Search())
    state = drew(state, "tie", "blade")
    assert cards(state) == (2, 0)
    assert (state.pile, state.discard) == (75, ())


def test_r04_cigarettes_and_beatings_start_beside_the_board():
    state = game_of(6)
    assert all((p.cigarettes, p.beatings) == (0, 0) for p in state.prisoners)


def test_r05_every_pawn_starts_in_the_cells():
    state = game_of(6)
    pieces = GAME.image(state)["cells"]
    assert [p.id for p in pieces] == ["red", "blue", "green", "yellow", "white", "black"]


def test_r06_each_player_is_dealt_a_passive_that_only_he_sees():
    state = GAME.new(NAMES[:3])
    assert asks(state) == ("deal_passive", CHANCE)
    assert GAME.chance(state).sees == (0,)
    state = play(state, Drawn("passives", "p01"))
    assert GAME.view(state, 0)["passive"]["id"] == "p01"
    assert "p01" not in str(GAME.view(state, 1))
    assert "p01" not in str(GAME.view(state, None))


def test_r06_at_the_table_the_house_does_not_know_the_passives():
    state = game_of(3, secrets="table")
    assert all(p.passive == "" and not p.revealed for p in state.prisoners)
    assert can(state, Reveal("p06"))
    assert can(state, Reveal("p17"))


def test_r07_each_player_starts_with_three_search_cards(secrets):
    state = GAME.new(NAMES[:2], {"secrets": secrets})
    if secrets == "house":
        state = play(state, Drawn("passives", "p01"), Drawn("passives", "p02"))
        for seat, card in enumerate(("tie", "blade")):
            assert GAME.chance(state).sees == (seat,)
            state = play(state, *[draw(card)] * 3)
    assert cards(state) == (3, 3)
    assert state.pile == 71


@pytest.mark.parametrize("first", range(3))
def test_r08_a11_the_first_player_is_drawn_by_lot_and_play_goes_clockwise(first, secrets):
    state = GAME.new(NAMES[:3], {"secrets": secrets, "start_hand": 0})
    for seat in range(3 if secrets == "house" else 0):
        state = play(state, Drawn("passives", f"p0{seat + 1}"))
    assert GAME.chance(state).kind == "lot"
    state = play(state, Drawn("first", str(first)))
    for step in range(4):
        assert GAME.to_act(state) == ((first + step) % 3,)
        state = play(state, EndTurn())


@pytest.mark.parametrize(("seats", "goal"), [(2, 12), (3, 12), (4, 10), (5, 8), (6, 8)])
def test_r09_a01_tunnel_points_needed(seats, goal):
    state = game_of(seats)
    assert GAME.view(state, None)["goal"] == goal
    state = lay(state, points=goal - 1, hand="spoon")
    state = play(state, Dig("spoon"))
    over = GAME.outcome(state)
    assert (over.winners, over.reason, over.scores[0]) == ((0,), "escaped", goal)
    assert GAME.to_act(state) == ()


def test_r09_another_target_can_be_agreed_on_but_not_beyond_what_the_piles_hold():
    state = lay(game_of(target=3), hand="shovel")
    assert GAME.outcome(play(state, Dig("shovel"))).winners == (0,)
    with pytest.raises(Malformed, match="target must be at most 11"):
        game_of(6, target=12)


def test_r10_two_actions_a_turn_and_the_turn_may_end_at_any_time(secrets):
    state = game_of(secrets=secrets)
    assert can(state, EndTurn())
    state = drew(play(state, Search()), "tie")
    assert can(state, EndTurn())
    state = play(lay(state, place="yard"), Sell("tie"))
    assert state.turn.actions == 0
    assert why_not(state, Walk()) == "no_actions"
    assert GAME.to_act(play(state, EndTurn())) == (1,)


def test_r11_place_actions_belong_to_their_place():
    state = lay(game_of(), hand="spoon", beatings=1, cigarettes=9)
    listed = {type(move).__name__ for move in GAME.moves(state)}
    assert "Dig" in listed
    assert listed.isdisjoint({"Sell", "Buy", "Heal", "Steal"})
    listed = {type(move).__name__ for move in GAME.moves(lay(state, place="yard"))}
    assert {"Sell", "Buy"} <= listed
    assert listed.isdisjoint({"Dig", "Heal", "Steal"})


def test_r12_passives_and_gangs_cost_no_action():
    state = turn(lay(game_of(), passive="p06"), actions=0)
    state = play(state, Reveal("p06"))
    assert state.prisoners[0].cigarettes == 4
    assert asks(state) == ("turn", 0)


def test_r13_the_hand_limit_holds_at_the_end_of_the_turn(secrets):
    state = lay(game_of(secrets=secrets), hand="tie " * 9 + "blade blade")
    state = play(state, EndTurn())
    assert asks(state) == ("shed", 0)
    state = play(state, Discard("blade"))
    assert cards(state) == (10, 0)
    assert state.discard == ("blade",)
    assert GAME.to_act(state) == (1,)


def test_r14_a03_the_place_says_how_many_cards_a_search_draws(secrets):
    values = {"cells": 1, "refectory": 2, "yard": 1, "infirmary": 2, "showers": 3}
    for place, n in values.items():
        state = play(lay(game_of(secrets=secrets), place=place), Search())
        assert cards(drew(state, *["tie"] * n)) == (n, 0)


def test_a17_a_search_draws_what_there_is(secrets):
    state = game_of(secrets=secrets)
    deck = list(unpack(state.loose))
    deck.remove("tie")
    state = lay(state, 1, hand=deck)
    state = lay(state, place="showers")
    state = drew(play(state, Search()), "tie")
    assert cards(state) == (1, 76)
    assert asks(state) == ("turn", 0)
    assert why_not(turn(state, searches=0), Search()) == "pile_empty"


def test_a18_cigarettes_are_unlimited():
    state = lay(game_of(), cigarettes=75, place="yard", hand="rare_phone")
    assert play(state, Sell("rare_phone")).prisoners[0].cigarettes == 80


def test_a21_other_actions_may_be_taken_twice():
    state = lay(game_of(), place="infirmary", beatings=2, hand="bandages bandages")
    assert can(turn(state, searches=1), PlayCard("bandages"))
    state = lay(game_of(), hand="spoon spoon")
    assert play(state, Dig("spoon"), Dig("spoon")).prisoners[0].points == 2


def test_a44_only_the_end_of_ones_own_turn_counts(secrets):
    state = lay(game_of(secrets=secrets), 1, hand="tie " * 12)
    state = play(state, EndTurn())
    assert asks(state) == ("turn", 1)
    assert cards(state) == (0, 12)


def test_a49_the_turn_limit_ends_the_game_and_a_tie_is_shared(secrets):
    state = game_of(3, secrets=secrets, turn_limit=3)
    state = lay(lay(state, 0, points=4), 2, points=4)
    state = play(state, EndTurn(), EndTurn())
    assert GAME.outcome(state) is None
    over = GAME.outcome(play(state, EndTurn()))
    assert (over.winners, over.reason, over.scores) == ((0, 2), "time", (4, 0, 4))


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [
        (1, {}, "2 to 6 players, not 1"),
        (7, {}, "2 to 6 players, not 7"),
        (5, {"teams": True}, "teams need 4 or 6 seats"),
        (2, {"michel": "michael"}, "michel"),
        (2, {"turn_limit": -1}, "turn_limit"),
        (2, {"jail": 1}, "no option 'jail'"),
    ],
)
def test_a50_bad_options_are_refused(seats, options, reason):
    with pytest.raises(Malformed, match=reason):
        GAME.new((*NAMES, "Gus")[:seats], options)

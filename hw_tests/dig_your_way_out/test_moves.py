"""Pawns, gangs and action cards on one's turn (R15 to R21)."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE, Drawn
from game_logic.dig_your_way_out.moves import (
    Buy,
    Choose,
    Discard,
    Done,
    Go,
    Join,
    Pass,
    PlayCard,
    Return,
    Search,
    Sell,
    Sneak,
    Walk,
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
    roll,
    took,
    turn,
    why_not,
)

DIE = {
    1: {"cells", "refectory"},
    2: {"cells", "infirmary"},
    3: {"cells", "showers"},
    4: {"yard", "refectory"},
    5: {"yard", "infirmary"},
    6: {"yard", "showers"},
}


@pytest.mark.parametrize("face", DIE)
def test_r15_a02_the_die_leads_to_two_places(face, secrets):
    state = play(lay(game_of(secrets=secrets), place="solitary"), Walk(), roll(face))
    assert {m.place for m in GAME.moves(state) if isinstance(m, Go)} == DIE[face]
    for place in DIE[face]:
        assert can(play(lay(state, place=place)), Go(*(DIE[face] - {place})))


def test_r15_a_simple_move_costs_one_action():
    state = play(game_of(), Walk(), roll(4), Go("yard"))
    assert state.turn.actions == 1
    assert asks(state) == ("turn", 0)


def test_r16_a_careful_move_costs_two_and_goes_anywhere(secrets):
    state = game_of(secrets=secrets)
    for place in ("refectory", "yard", "infirmary", "showers"):
        after = play(state, Sneak(place))
        assert (after.prisoners[0].place, after.turn.actions) == (place, 0)


def test_a04_no_ordinary_move_leads_to_solitary():
    state = game_of()
    assert why_not(state, Sneak("solitary")) == "not_solitary"
    assert why_not(play(state, Walk(), roll(1)), Go("solitary")) == "not_solitary"
    state = lay(game_of(), hand="duct")
    assert why_not(play(state, PlayCard("duct")), Go("solitary")) == "not_solitary"
    assert can(lay(state, place="solitary"), Sneak("yard"))


def test_a04_without_solitary_its_cards_do_nothing():
    state = lay(game_of(use_solitary=False), hand="to_solitary")
    assert "solitary" not in GAME.spaces(state)
    assert why_not(state, PlayCard("to_solitary")) == "no_effect"
    assert why_not(state, Sneak("solitary")) == "no_such_place"


def test_a28_a_careful_move_must_change_place():
    assert why_not(game_of(), Sneak("cells")) == "same_place"


def test_a39_after_the_roll_the_move_is_compulsory():
    state = play(game_of(), Walk(), roll(3))
    assert GAME.moves(state) == (Go("showers"),)
    assert why_not(state, Search()) == "not_now"


# -- gangs ----------------------------------------------------------------------------------------


def test_r17_a_gang_asks_for_different_accessories_of_its_own(secrets):
    state = lay(game_of(secrets=secrets), hand="ring chain")
    state = play(state, Join("cartel"))
    assert asks(state) == ("tribute", 0)
    assert why_not(state, Discard("cap")) == "not_accepted"
    state = play(state, Discard("ring"))
    assert why_not(state, Discard("ring")) == "accessory_twice"
    state = play(state, Discard("chain"))
    assert asks(state) == ("draw_gang", CHANCE)
    assert sorted(state.discard) == ["chain", "ring"]


def test_r17_a08_the_price_of_each_gang():
    state = game_of()
    for pair, gang in (
        ("ring sunglasses", "cartel"),
        ("cap chain", "crew"),
        ("bandana tattoo_ink", "bikers"),
        ("tattoo_ink cap", "bratva"),
    ):
        rich = lay(state, hand=pair)
        assert can(rich, Join(gang))
        assert why_not(rich, Join("triad")) == "accessories_missing"
    for gang in ("triad", "queers"):
        assert can(lay(state, hand="ring cap tattoo_ink"), Join(gang))


def test_r17_at_the_table_the_count_must_allow_it():
    state = lay(game_of(secrets="table"), hand="ring")
    assert why_not(state, Join("cartel")) == "accessories_missing"
    state = known(lay(game_of(secrets="table"), hand="ring chain"), 0, "spoon")
    assert can(state, Join("cartel"))
    assert why_not(state, Join("queers")) == "accessories_missing"


def test_r18_a09_the_top_card_of_the_shuffled_pile(secrets):
    state = lay(game_of(secrets=secrets), hand="ring chain")
    state = play(state, Join("cartel"), Discard("ring"), Discard("chain"))
    assert GAME.chance(state).sees is None
    assert {m.card for m in GAME.moves(state)} == {f"cartel_{n}" for n in range(1, 5)}
    state = play(state, Drawn("cartel", "cartel_2"))
    assert GAME.view(state, 1)["prisoners"][0]["gang"]["id"] == "cartel_2"


def test_r18_nobody_joins_a_gang_without_cards():
    state = game_of(5)
    for n in range(1, 5):
        state = lay(state, n, gang=f"cartel_{n}")
    assert why_not(lay(state, hand="ring chain"), Join("cartel")) == "gang_empty"


def test_r19_gang_abilities_are_no_actions_and_have_no_limit():
    state = lay(game_of(), place="yard", gang="cartel_2", cigarettes=8)
    state = turn(state, actions=9)
    state = play(state, *[Buy("shiv")] * 8)
    assert state.prisoners[0].cigarettes == 0


def test_r20_one_gang_card_and_the_known_bottom_card_comes_last():
    state = lay(game_of(actions_per_turn=9), hand="ring ring chain chain sunglasses sunglasses")
    pay = (Join("cartel"), Discard("ring"), Discard("chain"))
    state = play(state, *pay, Drawn("cartel", "cartel_1"))
    state = play(state, *pay, Drawn("cartel", "cartel_2"))
    assert state.prisoners[0].gang == "cartel_2"
    assert state.gangs[0].under == ("cartel_1",)
    state = lay(lay(state, 1, gang="cartel_3"), hand="ring chain")
    pay = (Join("cartel"), Discard("sunglasses"))
    state = play(state, *pay, Discard("ring"), Drawn("cartel", "cartel_4"))
    state = play(state, *pay, Discard("chain"))
    assert {m.card for m in GAME.moves(state)} == {"cartel_1"}


# -- action cards ---------------------------------------------------------------------------------


def holding(card, secrets, seats=3, hand=""):
    return lay(game_of(seats, secrets=secrets), hand=f"{card} {hand}")


def test_r21_an_action_card_is_applied_then_discarded(secrets):
    state = holding("parcel", secrets)
    state = play(state, PlayCard("parcel"))
    if secrets == "house":
        assert state.discard == ()
        state = drew(state, "tie", "tie", "cap")
    assert state.discard == ("parcel",)
    assert (cards(state), state.prisoners[0].cigarettes) == ((3, 0, 0), 3)
    assert state.turn.actions == 1


def test_r21_only_action_cards_are_played(secrets):
    state = lay(game_of(secrets=secrets), hand="tie")
    assert why_not(state, PlayCard("tie")) == "not_an_action"
    assert why_not(known(game_of(secrets=secrets), 0, "spoon"), PlayCard("duct")) == "not_in_hand"


def test_ambush_beats_a_player_in_the_place(secrets):
    state = lay(holding("ambush", secrets), 2, place="yard")
    state = play(state, PlayCard("ambush"))
    assert GAME.moves(state) == (Choose(1),)
    assert why_not(state, Choose(2)) == "no_target"
    assert beatings(quietly(play(state, Choose(1)))) == (0, 1, 0)


def test_a42_redeal_shuffles_all_hands_and_deals_from_you():
    state = holding("redeal", "house", hand="tie")
    state = lay(lay(state, 1, hand="spoon shiv"), 2, hand="cap")
    state = play(state, PlayCard("redeal"))
    for seat, card in ((0, "spoon"), (1, "tie"), (2, "shiv"), (0, "cap")):
        assert GAME.chance(state).sees == (seat,)
        assert GAME.chance(state).parts[0].id == "hands"
        state = play(state, Drawn("hands", card))
    assert [has(state, s, h) for s, h in enumerate(("cap spoon", "tie", "shiv"))] == [True] * 3
    assert state.discard == ("redeal",)


def test_a42_redeal_at_the_table_counts_the_cards():
    state = holding("redeal", "table", hand="tie")
    state = known(lay(state, 2, hand="cap"), 1, "spoon shiv")
    state = play(state, PlayCard("redeal"))
    assert cards(state) == (2, 1, 1)
    assert all(p.hand == () for p in state.prisoners)
    assert state.discard == ("redeal",)


def test_riot_a_weapon_or_a_beating_clockwise_from_you(secrets):
    state = holding("riot", secrets, seats=4)
    state = lay(lay(state, 1, hand="shiv tie"), 2, place="yard")
    state = lay(state, 3, hand="tie")
    state = play(state, PlayCard("riot"))
    assert asks(state) == ("riot", 1)
    assert why_not(state, Discard("tie")) == "not_a_weapon"
    state = play(state, Discard("shiv"))
    assert asks(state) == ("riot", 3)
    state = quietly(play(state, Pass()))
    assert beatings(state) == (0, 0, 0, 1)
    assert cards(state) == (0, 1, 0, 1)


def test_to_solitary_moves_a_pawn_from_anywhere(secrets):
    state = lay(holding("to_solitary", secrets), 2, place="yard")
    state = quietly(play(state, PlayCard("to_solitary"), Choose(2)))
    assert state.prisoners[2].place == "solitary"


def test_a40_duct_ends_a_move_and_must_change_place(secrets):
    state = play(holding("duct", secrets), PlayCard("duct"))
    assert why_not(state, Go("cells")) == "same_place"
    assert play(state, Go("showers")).prisoners[0].place == "showers"


def test_a43_light_fingers_takes_a_random_card_here(secrets):
    state = lay(lay(holding("light_fingers", secrets), 1, hand="tie cap"), 2, place="yard")
    state = lay(state, 2, hand="cap")
    state = play(state, PlayCard("light_fingers"))
    assert GAME.moves(state) == (Choose(1),)
    state = play(state, Choose(1))
    if secrets == "house":
        assert GAME.chance(state).sees == (0, 1)
    state = took(state, 1, "tie")
    assert has(state, 0, "tie")
    assert has(state, 1, "cap")


def test_bandages_heal_anywhere(secrets):
    state = lay(holding("bandages", secrets), beatings=2)
    assert beatings(play(state, PlayCard("bandages"))) == (0, 0, 0)


def test_a43_the_informer_sees_a_hand_and_returns_a_tool(secrets):
    state = lay(holding("informer", secrets), 2, place="yard", hand="tie spoon shovel")
    state = play(state, PlayCard("informer"), Choose(2))
    assert asks(state) == ("inform", 0)
    if secrets == "house":
        assert GAME.view(state, 0)["looked_at"]["hand"] == ("shovel", "spoon", "tie")
        assert "looked_at" not in GAME.view(state, 1)
        assert why_not(state, Done()) == "must_return"
    state = play(state, Return("shovel"))
    assert (cards(state), state.stock[2]) == ((0, 0, 2), 11)


def test_a43_the_informer_may_find_nothing(secrets):
    state = lay(holding("informer", secrets), 2, hand="tie")
    state = play(state, PlayCard("informer"), Choose(2))
    assert GAME.moves(state) == (Done(),)


def test_dealer_sells_anywhere(secrets):
    state = play(holding("dealer", secrets, hand="rare_watch"), PlayCard("dealer"))
    assert why_not(state, Done()) == "sell_something"
    state = play(state, Sell("rare_watch"))
    assert state.prisoners[0].cigarettes == 3
    assert asks(state) == ("turn", 0)
    assert state.discard == ("rare_watch", "dealer")


@pytest.mark.parametrize(
    "card", ["ambush", "redeal", "riot", "light_fingers", "bandages", "informer", "dealer"]
)
def test_a30_an_action_card_without_an_effect_is_refused(card, secrets):
    state = lay(lay(holding(card, secrets), 1, place="yard"), 2, place="yard")
    assert why_not(state, PlayCard(card)) == "no_effect"


def test_a30_nor_against_who_cannot_be_hurt(secrets):
    state = lay(lay(holding("ambush", secrets), 1, beatings=2), 2, place="yard")
    assert why_not(state, PlayCard("ambush")) == "no_effect"

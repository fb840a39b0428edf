"""Craft, dig, sell, buy, heal, steal (R29 to R31, R36 to R40, with their readings)."""

from __future__ import annotations

import pytest

from game_logic.dig_your_way_out.moves import (
    Buy,
    Craft,
    Dig,
    Discard,
    Done,
    EndTurn,
    Heal,
    Sell,
    Steal,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    asks,
    can,
    cards,
    game_of,
    known,
    lay,
    play,
    stock,
    turn,
    why_not,
)

SHIVS = Craft("craft_shivs", ("blade", "tie"))
RECIPES = {
    "craft_shivs": (("blade", "tie"), "shiv shiv"),
    "craft_pickaxe": (("spike", "tie"), "pickaxe"),
    "craft_shovel": (("container", "tie"), "shovel"),
    "file_spoon": (("spoon",), "shiv"),
}


def at(place, secrets="house", hand="", **more):
    return lay(game_of(secrets=secrets), place=place, hand=hand, **more)


@pytest.mark.parametrize("place", ["refectory", "yard", "infirmary"])
def test_r29_craft_where_the_board_allows(place, secrets):
    assert can(at(place, secrets, "blade tie"), SHIVS)


@pytest.mark.parametrize("place", ["cells", "showers"])
def test_r29_no_craft_in_cells_and_showers(place, secrets):
    assert why_not(at(place, secrets, "blade tie"), SHIVS) == "craft_place"


@pytest.mark.parametrize("hurt", [1, 2])
def test_r29_no_craft_with_beatings(hurt, secrets):
    state = at("yard", secrets, "blade tie", beatings=hurt)
    assert why_not(state, SHIVS) == "craft_beaten"


@pytest.mark.parametrize("recipe", RECIPES)
def test_r30_a05_recipes(recipe, secrets):
    uses, makes = RECIPES[recipe]
    state = play(at("yard", secrets, " ".join(uses)), Craft(recipe, uses))
    assert state.prisoners[0].hand == tuple(makes.split())
    assert sorted(state.discard) == [card for card in uses if card != "spoon"]
    assert state.stock[0] == 11
    assert state.turn.actions == 1


def test_r30_nothing_else_is_a_recipe():
    state = at("yard", hand="blade tie cap")
    assert why_not(state, Craft("craft_shivs", ("blade", "cap"))) == "wrong_cards"
    assert why_not(state, Craft("craft_gun", ("blade", "tie"))) == "wrong_cards"
    assert why_not(state, Craft("craft_shovel", ("container", "tie"))) == "not_in_hand"


def test_r30_at_the_table_the_hand_must_be_large_enough():
    state = at("yard", "table", "tie")
    assert why_not(state, SHIVS) == "not_in_hand"
    assert can(at("yard", "table", "tie blade"), SHIVS)


def test_r31_a29_an_empty_pile_stops_crafting_a_short_one_does_not(secrets):
    state = lay(at("yard", secrets, "blade tie"), 1, hand="shiv " * 19)
    state = play(state, SHIVS)
    assert state.prisoners[0].hand == ("shiv",)
    state = lay(lay(at("yard", secrets, "blade tie"), 1, hand="shiv " * 20))
    assert why_not(state, SHIVS) == "pile_empty"


def test_r36_a06_a20_digging_scores_and_the_tool_stays_out(secrets):
    state = turn(lay(game_of(secrets=secrets), hand="spoon pickaxe shovel"), actions=3)
    for tool, points in (("spoon", 1), ("pickaxe", 3), ("shovel", 6)):
        state = play(state, Dig(tool))
        assert state.prisoners[0].points == points
    assert state.prisoners[0].dug == ("spoon", "pickaxe", "shovel")
    assert state.stock[:3] == (10, 10, 10)


def test_r36_dig_only_in_the_cells_and_only_tools(secrets):
    state = lay(game_of(secrets=secrets), hand="spoon shiv")
    assert why_not(state, Dig("shiv")) == "not_a_tool"
    assert why_not(lay(state, place="yard"), Dig("spoon")) == "dig_place"


def test_r36_a_tool_that_nobody_can_hold_is_refused(secrets):
    assert why_not(known(game_of(secrets=secrets), 0, "shovel"), Dig("spoon")) == "not_in_hand"


def test_r37_a19_any_number_of_cards_may_be_sold(secrets):
    state = play(at("yard", secrets, "rare_phone shovel shiv tie"), Sell("rare_phone"))
    assert asks(state) == ("sale", 0)
    assert why_not(state, EndTurn()) == "not_now"
    state = play(state, Sell("shovel"), Done())
    assert state.prisoners[0].cigarettes == 9
    assert (cards(state)[0], state.turn.actions) == (2, 1)
    assert asks(state) == ("turn", 0)


def test_r37_only_in_the_yard(secrets):
    assert why_not(at("cells", secrets, "tie"), Sell("tie")) == "sell_place"


def test_r37_a07_cigarettes_on_the_cards():
    values = {"container": 2, "spike": 2, "tie": 1, "blade": 1, "rare_phone": 5, "rare_bottle": 4}
    values |= {"rare_watch": 3, "duct": 1, "shiv": 1, "spoon": 1, "pickaxe": 3, "shovel": 4}
    values |= dict.fromkeys(("bandana", "sunglasses", "tattoo_ink", "chain", "ring", "cap"), 1)
    for card, n in values.items():
        assert play(at("yard", hand=card), Sell(card)).prisoners[0].cigarettes == n


@pytest.mark.parametrize(
    ("purchase", "price", "gets"),
    [
        ("shiv", 2, "shiv"),
        ("two_shivs", 5, "shiv shiv"),
        ("pickaxe", 6, "pickaxe"),
        ("shovel", 8, "shovel"),
    ],
)
def test_r38_prices(purchase, price, gets, secrets):
    state = at("yard", secrets, cigarettes=price)
    state = play(state, Buy(purchase))
    assert (state.prisoners[0].hand, state.prisoners[0].cigarettes) == (tuple(gets.split()), 0)
    assert why_not(at("yard", secrets, cigarettes=price - 1), Buy(purchase)) == "too_dear"


def test_r38_only_in_the_yard_and_not_from_an_empty_pile(secrets):
    assert why_not(at("cells", secrets, cigarettes=9), Buy("shiv")) == "buy_place"
    assert (
        why_not(stock(at("yard", secrets, cigarettes=9), shovel=0), Buy("shovel")) == "pile_empty"
    )


def test_r39_heal_removes_one_beating(secrets):
    state = play(at("infirmary", secrets, beatings=2), Heal())
    assert (state.prisoners[0].beatings, state.turn.actions) == (1, 1)
    assert why_not(at("yard", secrets, beatings=1), Heal()) == "heal_place"


def test_r40_steal_a_spoon(secrets):
    state = play(at("refectory", secrets), Steal(), Steal())
    assert state.prisoners[0].hand == ("spoon", "spoon")
    assert state.stock[0] == 9
    assert why_not(stock(at("refectory", secrets), spoon=0), Steal()) == "pile_empty"
    assert why_not(at("yard", secrets), Steal()) == "steal_place"


def test_a30_nothing_for_nothing():
    assert why_not(at("infirmary"), Heal()) == "not_beaten"
    assert not any(isinstance(move, Sell) for move in GAME.moves(at("yard")))
    assert why_not(at("yard"), Sell("tie")) == "not_in_hand"


def test_a31_where_discards_go(secrets):
    state = lay(game_of(secrets=secrets, hand_limit=1), hand="spoon pickaxe shovel shiv tie cap")
    state = play(state, EndTurn())
    state = play(state, *(Discard(c) for c in ("spoon", "pickaxe", "shovel", "shiv", "tie")))
    assert (state.stock, state.discard) == ((11, 11, 11, 20), ("tie",))

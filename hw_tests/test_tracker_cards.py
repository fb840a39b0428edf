"""Cards held to a pad: in any order, one after the other, one of them not read."""

from __future__ import annotations

import pytest

from firmware_host.follower import HELD, LINGER, Follower
from firmware_host.journal import Record
from firmware_host.sighting import Sightings
from firmware_host.tracker import Begun, Found
from game_logic.core import Act
from game_logic.dig_your_way_out.moves import Craft, Sell
from hw_tests.dig_your_way_out.prison import GAME, game_of, lay
from hw_tests.verdict import verdict

PICKAXE = Craft("craft_pickaxe", ("spike", "tie"))
CARDS = frozenset(thing.sign for thing in GAME.things() if thing.sign)


def at(place, secrets="table"):
    """A hand that may craft a pickaxe; in the yard it may also sell each of the cards."""
    return lay(game_of(secrets=secrets), place=place, hand="spike tie")


def shown(*cards):
    return Sightings({}, tuple(f"card:{card}" for card in cards), CARDS, cards=CARDS)


SELLING = next(
    place
    for place in ("yard", "refectory", "infirmary")
    if {Sell("spike"), Sell("tie"), PICKAXE} <= set(GAME.moves(at(place), 0))
)
CRAFTING = next(
    place
    for place in ("refectory", "yard", "infirmary")
    if PICKAXE in GAME.moves(at(place), 0) and Sell("spike") not in GAME.moves(at(place), 0)
)


@pytest.mark.parametrize("place", [SELLING, CRAFTING])
@pytest.mark.parametrize("cards", [("spike", "tie"), ("tie", "spike")])
def test_two_cards_are_one_craft_in_whatever_order_they_are_read(place, cards):
    found = verdict(GAME, at(place), shown(*cards))
    assert found == Found((Act(0, PICKAXE),), provisional=True)


def test_one_card_may_be_followed_by_another():
    assert verdict(GAME, at(SELLING), shown("tie")) == Found((Act(0, Sell("tie")),), True)
    assert verdict(GAME, at(CRAFTING), shown("tie")) == Begun()


def test_a_card_that_belongs_to_nothing_is_not_waited_for():
    assert not isinstance(verdict(GAME, at(CRAFTING, "house"), shown("blade")), Begun | Found)


def follower(place):
    table = Follower()
    state = at(place)
    record = Record.begin(GAME, ("Ana", "Bo"), {"secrets": "table"}, key=b"k" * 32).correct(state)
    table.follow(record, GAME.image(state), shown())
    return table


def look(table, sightings, now):
    decision = table.look(sightings, now)
    while table.busy:
        decision = table.look(sightings, now)
    return decision


def test_the_first_card_is_kept_until_the_second_has_come():
    table = follower(SELLING)
    assert look(table, shown("spike"), 10.0) is None
    assert table.notice.kind == "provisional"
    assert table.keeps_signs
    assert look(table, shown("spike", "tie"), 10.6) is None
    assert look(table, shown("spike", "tie"), 10.6 + LINGER).acts == (Act(0, PICKAXE),)


def test_one_card_alone_is_taken_after_a_while():
    table = follower(SELLING)
    look(table, shown("spike"), 10.0)
    assert look(table, shown("spike"), 10.0 + LINGER).acts == (Act(0, Sell("spike")),)


def test_half_of_a_craft_is_forgotten_after_a_while():
    table = follower(CRAFTING)
    assert look(table, shown("spike"), 10.0) is None
    assert table.keeps_signs
    assert look(table, shown("spike"), 10.0 + HELD) is None
    assert not table.keeps_signs
    assert table.notice is None

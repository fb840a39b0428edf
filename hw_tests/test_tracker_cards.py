"""Cards held to a pad: in any order, one after the other, one of them not read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from drivers.clock import FreeClock
from firmware_host.config import profile
from firmware_host.follower import HELD, LINGER, Follower
from firmware_host.inbox import Begin, Correct
from firmware_host.journal import Record
from firmware_host.sighting import Sightings
from firmware_host.simulated import SimulatedTable
from firmware_host.tracker import Begun, Found
from game_logic.core import Act
from game_logic.dig_your_way_out.moves import Craft, Sell
from hw_tests.dig_your_way_out.prison import GAME, game_of, lay
from hw_tests.rig import Rig
from hw_tests.verdict import judge, verdict

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


def test_the_first_card_is_kept_until_the_second_has_come():
    table = follower(SELLING)
    assert judge(table, shown("spike"), 10.0) is None
    assert table.notice.kind == "provisional"
    assert table.keeps_signs
    assert judge(table, shown("spike", "tie"), 10.6) is None
    assert judge(table, shown("spike", "tie"), 10.6 + LINGER).acts == (Act(0, PICKAXE),)


def test_one_card_alone_is_taken_after_a_while():
    table = follower(SELLING)
    judge(table, shown("spike"), 10.0)
    assert judge(table, shown("spike"), 10.0 + LINGER).acts == (Act(0, Sell("spike")),)


def test_undo_drops_a_move_that_does_not_count_yet(tmp_path):
    rig = Rig(tmp_path, "pad", begin=None)
    rig.sim.open_box(GAME)
    rig.table.inbox.put(Begin("dig_your_way_out", ("Ana", "Bo"), {"secrets": "table"}))
    rig.wait()
    rig.table.inbox.put(Correct(at(SELLING)))
    rig.wait()
    if rig.shot.notice is not None:  # the board is laid as the state has it
        rig.sim.world.arrange(GAME.image(rig.state))
        rig.press("confirm")
    seq, state = rig.record.seq, rig.state
    rig.sim.world.pass_by("card:spike")
    rig.wait(0.6)
    assert rig.shot.notice.kind == "provisional"
    rig.press("undo")
    assert rig.shot.notice is None
    rig.wait(2 * LINGER)
    assert (rig.record.seq, rig.state) == (seq, state)
    rig.sim.world.pass_by("card:spike")
    rig.wait(0.6 + LINGER)
    assert rig.moves[-1] == Act(0, Sell("spike"))


def test_a_card_that_is_asked_about_is_not_forgotten_when_the_next_is_held_up():
    table = follower(SELLING)
    asked = replace(shown("tie"), shaken=True)
    judge(table, asked, 10.0)
    assert table.question.kind == "asked"
    assert table.keeps_signs
    judge(table, shown("tie", "spike"), 10.4)
    assert table.notice.kind == "provisional"
    assert judge(table, shown("tie", "spike"), 10.4 + LINGER).acts == (Act(0, PICKAXE),)


def test_half_of_a_craft_is_forgotten_after_a_while():
    table = follower(CRAFTING)
    assert judge(table, shown("spike"), 10.0) is None
    assert table.keeps_signs
    assert judge(table, shown("spike"), 10.0 + HELD) is None
    assert not table.keeps_signs
    assert table.notice is None


class Pad:
    """The pad of a table at which this game is played, and hands that hold cards to it."""

    def __init__(self):
        self.sim = SimulatedTable(profile("pad"), FreeClock(1000.0))
        self.sim.open_box(GAME)
        self.senses = self.sim.parts.senses
        self.senses.play(Record.begin(GAME, ("Ana", "Bo"), key=b"k" * 32))
        self.wait(3.0)

    def wait(self, seconds):
        until = self.sim.agenda.clock.now() + seconds
        while self.sim.agenda.clock.now() < until:
            self.senses.step(self.sim.agenda.clock.now())
            self.sim.agenda.spend(0.005)

    def hold(self, card, *, again=False):
        self.sim.world.pass_by(f"card:{card}", again=again)
        self.wait(1.5)
        return self.senses.signs


def test_a_card_held_up_again_is_no_second_one_but_another_of_its_kind_is():
    pad = Pad()
    assert pad.hold("tie") == ("card:tie",)
    assert pad.hold("tie", again=True) == ("card:tie",)
    assert pad.hold("tie") == ("card:tie", "card:tie")


def test_a_card_that_was_just_taken_is_not_taken_once_more():
    pad = Pad()
    pad.hold("tie")
    pad.senses.forget_signs(taken=True)
    assert pad.hold("tie", again=True) == ()
    pad.wait(2.0)
    assert pad.hold("tie", again=True) == ("card:tie",)

"""Blackmail cards (R22, R35, X1–X11, A37), from the pages and from the table."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import (
    BRIBE,
    CASH,
    END,
    STOP,
    USE,
    At,
    Blackmail,
    Bring,
    Discard,
    Seize,
    Steal,
    Surrender,
    Target,
    Walk,
)
from game_logic.alcatraz.state import UNKNOWN
from game_logic.alcatraz.steps import Acting, Aiming, Card, Spot
from game_logic.core import CHANCE
from hw_tests.alcatraz.table import BOX, GAME, at, legal, location, play, prison, task, why_not

BOTH = pytest.mark.parametrize("secrets", ["house", "table"])


def blackmailer(card, seats=3, *, secrets="house", **given):
    """Seat 0 is the Scapegoat and holds the card."""
    held = card if secrets == "house" else UNKNOWN
    given = {"scapegoat": 0, "ap": 4, "cards": {0: (held,)}, "secrets": secrets} | given
    return prison(seats, **given)


def after_card(card, *moves, **given):
    return play(blackmailer(card, **given), Blackmail(card), *moves)


def test_a5_eleven_different_cards():
    assert len(BOX.cards) == 11
    assert len({card.effect for card in BOX.cards.values()}) == 11


@BOTH
def test_r22_only_the_scapegoat(secrets):
    s = blackmailer("x1", secrets=secrets, scapegoat=1)
    assert why_not(s, Blackmail("x1")) == "only_the_scapegoat"


@BOTH
def test_r35_one_point_then_discarded_face_up(secrets):
    s = blackmailer("x1", secrets=secrets)
    after = play(s, Blackmail("x1"))
    assert after.turn.ap == 3
    assert after.me.cards == ()
    assert GAME.view(after, None)["blackmail_discards"] == ("x1",)
    assert GAME.closes_undo(s, Blackmail("x1"))
    assert GAME.signs(s, Blackmail("x1")) == ("card:x1",)


def test_r35_not_without_card_or_points():
    assert why_not(blackmailer("x1"), Blackmail("x2")) == "card_not_held"
    assert why_not(blackmailer("x1", ap=0), Blackmail("x1")) == "no_ap"
    assert why_not(prison(scapegoat=0), Blackmail("x1")) == "no_cards"


def test_r35_at_the_table_any_card_that_is_not_discarded():
    s = blackmailer("x1", secrets="table", discards=("x5",))
    assert {move.card for move in legal(s, Blackmail)} == set(BOX.cards) - {
        "x5", "x2", "x6", "x8", "x10"  # nobody has anything
    }  # fmt: skip
    assert why_not(s, Blackmail("x5")) == "card_not_held"


def test_r40_two_guards_do_not_make_it_dearer():
    assert after_card("x1", guards={"chapel": 2}).turn.ap == 3


@BOTH
def test_x1_lockdown_binds_everybody_until_the_round_ends(secrets):
    s = after_card("x1", At("yard"), secrets=secrets)
    assert why_not(s, Walk("yard")) == "locked_down"
    s = play(s, END)
    assert why_not(s, Walk("yard")) == "locked_down"
    s = play(s, END, END)
    assert at(s, "yard")["closed"] is False


def test_x1_binds_x4():
    s = blackmailer("x1", cards={0: ("x1", "x4")})
    s = play(s, Blackmail("x1"), At("cell_block"))
    assert why_not(s, Blackmail("x4")) == "no_effect"


def test_a36_a_lockdown_may_leave_nowhere_to_go():
    s = after_card("x1", At("yard"), guards={"control_post": 4, "visiting_room": 4})
    assert legal(s, Walk) == []


@BOTH
def test_x2_body_search_the_scapegoat_picks(secrets):
    s = blackmailer("x2", holds={1: ("key", "knife")}, secrets=secrets)
    s = play(s, Blackmail("x2"))
    assert GAME.moves(s) == (Target(1),)
    assert why_not(s, Target(2)) == "no_effect"
    assert why_not(s, END) == "aim_first"
    s = play(s, Target(1))
    assert why_not(s, Seize("drugs")) == "has_it_not"
    assert why_not(s, END) == "seize_first"
    s = play(s, Seize("knife"))
    assert s.prisoners[1].objects == ("key",)
    assert "knife" in at(s, "visiting_room")["objects"]


@BOTH
def test_x3_tip_off_brings_up_to_two_guards(secrets):
    s = after_card("x3", At("chapel"), secrets=secrets, guards={"yard": 1, "laundry": 2})
    assert why_not(s, STOP) == "move_one_guard"
    assert why_not(s, Bring("chapel")) == "same_place"
    assert why_not(s, Bring("infirmary")) == "no_guard_there"
    assert why_not(s, END) == "lift_first"
    s = play(s, Bring("yard"))
    assert isinstance(play(s, STOP).step, Acting)
    s = play(s, Bring("laundry"))
    assert isinstance(s.step, Acting)
    assert at(s, "chapel")["guards"] == 2


def test_x3_stops_at_four_guards():
    s = after_card("x3", At("chapel"), Bring("wardens_office"), guards={"chapel": 3})
    assert isinstance(s.step, Acting)
    assert At("yard") not in GAME.moves(after_card("x3", guards={"yard": 4}))


@BOTH
def test_x4_roll_call_moves_a_pawn_to_the_cell_block(secrets):
    s = after_card("x4", at=("chapel", "yard", "cell_block"), secrets=secrets)
    assert GAME.moves(s) == (Target(1),)  # the other is there already
    s = play(s, Target(1))
    assert GAME.view(s, None)["prisoners"][1]["place"] == "cell_block"


def test_x4_not_into_four_guards():
    s = blackmailer("x4", guards={"cell_block": 4})
    assert why_not(s, Blackmail("x4")) == "no_effect"


@BOTH
@pytest.mark.parametrize(("seats", "ap"), [(3, 2), (4, 1)])
def test_x5_punishment_duty_takes_a_point_at_the_start_of_the_turn(seats, ap, secrets):
    s = play(after_card("x5", Target(1), seats=seats, secrets=secrets), END)
    assert (s.turn.seat, s.turn.ap) == (1, ap)
    assert play(s, END).turn.ap == ap + 1
    assert play(s, *(END,) * (seats - 1)).duty == ()


@BOTH
def test_x6_extortion_the_victim_chooses(secrets):
    s = after_card("x6", Target(1), holds={1: ("key",)}, cash={1: 1}, secrets=secrets)
    assert GAME.to_act(s) == (1,)
    assert set(GAME.moves(s)) == {Surrender("key"), Surrender(CASH)}
    assert why_not(s, Surrender("knife")) == "not_surrendered"
    assert why_not(s, END) == "surrender_first"
    got = play(s, Surrender("key"))
    assert (got.prisoners[0].objects, got.prisoners[1].objects) == (("key",), ())
    got = play(s, Surrender(CASH))
    assert (got.prisoners[0].cash, got.prisoners[1].cash) == (1, 0)


def test_x6_only_what_fits():
    full = ("drugs", "drugs", "drugs")
    s = after_card("x6", Target(1), holds={0: full, 1: ("key",)}, cash={1: 1})
    assert GAME.moves(s) == (Surrender(CASH),)
    s = blackmailer("x6", holds={0: full, 1: ("key",)})
    assert why_not(s, Blackmail("x6")) == "no_effect"


@BOTH
def test_x7_counter_order_moves_a_task_to_a_random_location(secrets):
    s = after_card("x7", secrets=secrets)
    assert {move.place for move in GAME.moves(s)} == {
        "wardens_office", "recreation_room", "guards_room"
    }  # fmt: skip
    s = play(s, At("guards_room"))
    assert isinstance(s.step, Spot)
    assert why_not(s, location("guards_room"), CHANCE) == "place_has_task"
    assert len(GAME.moves(s)) == 9
    s = play(s, location("chapel"))
    assert at(s, "chapel")["task"] == "task_d5"
    assert at(s, "guards_room")["task"] is None
    assert isinstance(s.step, Acting)


@BOTH
def test_x8_no_supper(secrets):
    s = after_card("x8", Target(2), stamina={2: 3}, secrets=secrets)
    assert s.prisoners[2].stamina == 0
    assert why_not(blackmailer("x8"), Blackmail("x8")) == "no_effect"


@BOTH
@pytest.mark.parametrize(("guards", "price"), [(0, 2), (2, 3)])
def test_x9_double_watch_adds_to_the_guards(guards, price, secrets):
    s = after_card(
        "x9",
        At("chapel"),
        guards={"chapel": guards},
        holds={0: ("key",)},
        cash={1: 1},
        secrets=secrets,
    )
    assert play(s, Discard("key")).turn.ap == 3 - price
    assert play(s, Steal(1, CASH)).turn.ap == 3 - price
    assert play(s, Walk("yard")).turn.ap == 2  # moving is no dearer
    assert at(play(s, END, END, END), "chapel")["watched"] is False


def test_x9_spares_blackmail_and_free_functions():
    s = blackmailer("x9", cards={0: ("x9", "x1")}, at=("canteen",), faces="alternative")
    s = play(s, Blackmail("x9"), At("canteen"), USE)
    assert s.turn.ap == 3
    assert play(s, Blackmail("x1")).turn.ap == 2


def test_x9_a37_bribes_do_not_lower_it():
    s = after_card("x9", At("chapel"), guards={"chapel": 1}, cash={0: 1}, holds={0: ("key",)})
    assert play(s, BRIBE, Discard("key")).turn.ap == 1


@BOTH
def test_x10_confiscation_everybody_there_clockwise(secrets):
    s = blackmailer(
        "x10",
        4,
        at=("chapel", "yard", "yard", "yard"),
        holds={0: ("key",), 1: ("knife", "tools"), 3: ("drugs",)},
        secrets=secrets,
    )
    s = play(s, Blackmail("x10"))
    assert GAME.moves(s) == (At("yard"),)
    s = play(s, At("yard"))
    assert GAME.to_act(s) == (1,)
    assert set(GAME.moves(s)) == {Surrender("knife"), Surrender("tools")}
    s = play(s, Surrender("knife"))
    assert GAME.to_act(s) == (3,)  # the one without objects is passed over
    s = play(s, Surrender("drugs"))
    assert [prisoner.objects for prisoner in s.prisoners] == [("key",), ("tools",), (), ()]
    assert isinstance(s.step, Acting)


def test_x10_spares_the_scapegoat_himself():
    s = blackmailer("x10", at=("yard", "yard"), holds={0: ("key",)})
    assert why_not(s, Blackmail("x10")) == "no_effect"


@BOTH
def test_x11_plan_blown(secrets):
    s = after_card("x11", At("guards_room"), secrets=secrets)
    assert isinstance(s.step, Card)
    assert s.task_pile.under == ("task_d5",)
    s = play(s, task("task_d1"), location("guards_room"))  # both are free again
    assert at(s, "guards_room")["task"] == "task_d1"


def test_x11_a37_the_card_may_come_back_when_the_pile_runs_round():
    laid = {"yard": "task_a1", "laundry": "task_b1", "canteen": "task_c1"}
    spent = tuple(card for card in BOX.tasks if card not in {*laid.values(), "task_b2"})
    s = after_card("x11", At("yard"), tasks=laid, spent=spent)
    s = play(s, task("task_b2"))
    assert GAME.moves(s) == (task("task_a1"),)
    s = play(s, task("task_a1"), location("chapel"))
    assert at(s, "chapel")["task"] == "task_a1"


def test_a37_targets_may_be_anywhere():
    s = after_card("x5", at=("chapel", "wardens_office", "infirmary"))
    assert isinstance(s.step, Aiming)
    assert GAME.moves(s) == (Target(1), Target(2))


def test_a31_cards_without_effect_are_not_listed():
    s = blackmailer("x2", cards={0: ("x2", "x8")})
    assert legal(s, Blackmail) == []

"""Actions (R29–R38) and what guards make of them (R39–R42)."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import (
    BRIBE,
    CALL_VOTE,
    COMPLETE,
    END,
    STAMINA,
    USE,
    Blackmail,
    Discard,
    EndTurn,
    Offer,
    Pay,
    Riot,
    Steal,
    Vote,
    Walk,
)
from hw_tests.alcatraz.table import GAME, at, legal, location, play, prison, why_not

# -- moving -------------------------------------------------------------------------------------


def test_r29_walks_go_to_neighbours_diagonals_included():
    s = prison(at=("yard",))
    assert {move.to for move in legal(s, Walk)} == {
        "chapel", "control_post", "visiting_room", "cell_block", "laundry"
    }  # fmt: skip
    assert why_not(s, Walk("canteen")) == "not_adjacent"
    assert why_not(s, Walk("yard")) == "not_adjacent"
    assert why_not(s, Walk("garden")) == "no_such_place"
    s = play(s, Walk("laundry"))
    assert s.turn.ap == 2
    assert GAME.view(s, None)["prisoners"][0]["place"] == "laundry"


def test_r29_no_walk_without_ap():
    assert why_not(prison(at=("yard",), ap=0), Walk("chapel")) == "no_ap"


def test_r42_s14_four_guards_let_nobody_in():
    s = prison(at=("yard",), guards={"chapel": 4, "laundry": 3})
    assert why_not(s, Walk("chapel")) == "four_guards_there"
    assert Walk("laundry") in GAME.moves(s)


def test_a29_bribes_do_not_open_a_full_location():
    s = prison(at=("yard",), cash={0: 2}, guards={"yard": 3, "chapel": 1}, ap=3)
    s = play(s, BRIBE, BRIBE, Riot("chapel"), Walk("chapel"))
    assert why_not(s, Walk("yard")) == "four_guards_there"


# -- using, stealing, riots, discards -----------------------------------------------------------


def test_r30_s26_a_location_is_used_once_a_turn():
    s = prison(at=("canteen",), ap=5, guards={"canteen": 0}, stamina={0: 0}, stamina_max=9)
    s = play(s, USE, Walk("infirmary"), Walk("canteen"))
    assert why_not(s, USE) == "used_already"
    assert s.turn.ap == 2


def test_r30_other_locations_may_be_used_on_the_same_turn():
    s = play(prison(at=("canteen",)), USE, Walk("infirmary"), USE)
    assert (s.me.stamina, s.me.objects, s.turn.ap) == (3, ("drugs",), 0)


@pytest.mark.parametrize("what", ["key", "cash"])
def test_r31_steal_an_object_or_cash(what):
    s = prison(at=("yard", "yard", "chapel"), holds={1: ("key",)}, cash={1: 1})
    assert set(legal(s, Steal)) == {Steal(1, "key"), Steal(1, "cash")}
    s = play(s, Steal(1, what))
    assert s.turn.ap == 2
    thief, victim = s.prisoners[:2]
    assert (thief.objects, thief.cash) == ((("key",), 0) if what == "key" else ((), 1))
    assert (victim.objects, victim.cash) == (((), 1) if what == "key" else (("key",), 0))


def test_r31_steal_once_a_turn_and_from_the_same_location():
    s = prison(at=("yard", "yard", "chapel"), cash={1: 2, 2: 1})
    assert why_not(s, Steal(2, "cash")) == "not_together"
    assert why_not(s, Steal(0, "cash")) == "no_such_player"
    assert why_not(play(s, Steal(1, "cash")), Steal(1, "cash")) == "stole_already"


def test_a16_no_theft_without_space_or_loot():
    s = prison(
        at=("yard", "yard"),
        holds={0: ("key", "key", "key"), 1: ("knife",)},
        cash={0: 3, 1: 1},
    )
    assert legal(s, Steal) == []
    assert why_not(s, Steal(1, "knife")) == "no_space"
    assert why_not(s, Steal(1, "cash")) == "cash_full"
    assert why_not(s, Steal(1, "drugs")) == "has_it_not"


def test_r32_a_riot_brings_a_guard_from_next_door():
    s = prison(at=("yard",), guards={"chapel": 1, "yard": 0, "canteen": 1})
    assert why_not(s, Riot("canteen")) == "not_adjacent"
    assert why_not(s, Riot("control_post")) == "no_guard_there"
    assert why_not(s, Riot("garden")) == "no_such_place"
    s = play(s, Riot("chapel"))
    assert (at(s, "chapel")["guards"], at(s, "yard")["guards"]) == (0, 1)
    assert s.turn.ap == 2


def test_a31_no_riot_without_a_guard_next_door():
    near = ("yard", "control_post", "visiting_room")
    s = prison(at=("chapel",), guards=dict.fromkeys(near, 0))
    assert legal(s, Riot) == []


def test_a35_no_riot_into_a_full_location():
    s = prison(at=("yard",), cash={0: 3}, guards={"yard": 3, "chapel": 2})
    s = play(s, BRIBE, BRIBE, Riot("chapel"))
    assert why_not(s, Riot("chapel")) == "place_is_full"


def test_a17_a35_a_riot_costs_what_the_guards_before_it_ask():
    assert play(prison(at=("yard",), guards={"yard": 1, "chapel": 1}), Riot("chapel")).turn.ap == 2
    assert play(prison(at=("yard",), guards={"yard": 2, "chapel": 1}), Riot("chapel")).turn.ap == 1


def test_r34_r51_a_discarded_object_goes_back_to_the_board():
    s = prison(at=("chapel",), holds={0: ("key",)})
    assert "key" not in at(s, "visiting_room")["objects"]
    assert why_not(s, Discard("knife")) == "not_held"
    s = play(s, Discard("key"))
    assert "key" in at(s, "visiting_room")["objects"]
    assert (s.me.objects, s.turn.ap) == ((), 2)


# -- free actions -------------------------------------------------------------------------------


def test_r37_each_cash_makes_one_guard_look_away():
    s = prison(at=("yard",), cash={0: 2}, guards={"yard": 2})
    s = play(s, BRIBE)
    assert (s.me.cash, s.turn.ap, at(s, "yard")["bribed"]) == (1, 3, 1)
    s = play(s, BRIBE)
    assert why_not(s, BRIBE) == "no_cash"


def test_a31_nobody_to_bribe():
    assert why_not(prison(at=("yard",), cash={0: 1}), BRIBE) == "nobody_to_bribe"


def test_r38_s27_one_stamina_a_turn():
    s = play(prison(stamina={0: 2}, ap=1), STAMINA)
    assert (s.me.stamina, s.turn.ap) == (1, 2)
    assert why_not(s, STAMINA) == "stamina_used"
    assert why_not(prison(), STAMINA) == "no_stamina"


# -- guards -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("guards", "price"), [(0, 1), (1, 1), (2, 2)])
def test_r39_r40_two_guards_make_actions_dearer(guards, price):
    s = prison(
        at=("infirmary", "infirmary"),
        guards={"infirmary": guards, "canteen": 1},
        holds={0: ("key",)},
        cash={1: 1},
    )
    for move in (USE, Steal(1, "cash"), Riot("canteen"), Discard("key")):
        assert play(s, move).turn.ap == 3 - price
        assert f"({price} AP)" in GAME.offered(s, move, 0).en
    assert play(s, Walk("canteen")).turn.ap == 2


def test_s10_two_guards_and_two_points():
    s = play(prison(at=("infirmary",), guards={"infirmary": 2}, ap=2), USE)
    assert (s.turn.ap, s.me.objects) == (0, ("drugs",))


def test_r40_two_guards_and_one_point():
    assert why_not(prison(at=("infirmary",), guards={"infirmary": 2}, ap=1), USE) == "too_dear"


def test_s11_one_bribe_among_two_guards():
    s = prison(at=("infirmary",), guards={"infirmary": 2}, ap=2, cash={0: 1})
    s = play(s, BRIBE, USE)
    assert (s.me.cash, s.turn.ap) == (0, 1)


def test_s12_one_bribe_among_three_guards():
    s = prison(at=("infirmary",), guards={"infirmary": 3}, ap=2, cash={0: 1})
    assert why_not(s, USE) == "three_guards_here"
    s = play(s, BRIBE, USE)
    assert (s.turn.ap, s.me.objects) == (0, ("drugs",))


def test_r41_s13_three_guards_allow_walks_and_free_actions_only():
    s = prison(
        at=("infirmary", "infirmary"),
        guards={"infirmary": 3},
        holds={0: ("key",)},
        stamina={0: 1},
        cash={1: 1},
    )
    for move in (USE, Steal(1, "cash"), Discard("key"), Riot("canteen")):
        assert why_not(s, move) == "three_guards_here"
    for move in (Walk("canteen"), Offer(1), STAMINA, END):
        play(s, move)


def test_r41_s13_the_scapegoat_blackmails_among_three_guards():
    s = prison(scapegoat=0, at=("infirmary",), guards={"infirmary": 3}, ap=1, cards={0: ("x1",)})
    assert play(s, Blackmail("x1")).turn.ap == 0


def test_r42_s15_four_guards_allow_nothing_but_moving_out():
    s = prison(
        scapegoat=0,
        at=("infirmary", "infirmary"),
        guards={"infirmary": 4},
        cash={0: 2},
        stamina={0: 2},
        cards={0: ("x1",)},
        holds={0: ("key",)},
    )
    for move in (Offer(1), BRIBE, STAMINA, Blackmail("x1"), USE, Discard("key")):
        assert why_not(s, move) == "four_guards_here"
    assert {type(move) for move in GAME.moves(s)} == {Walk, EndTurn}


def test_a7_a_bribe_holds_in_that_place_until_the_turn_ends():
    s = prison(at=("infirmary",), guards={"infirmary": 2, "canteen": 2}, cash={0: 1}, ap=5)
    s = play(s, BRIBE, Walk("canteen"))
    assert play(s, USE).turn.ap == 2  # two guards count here
    s = play(s, Walk("infirmary"))
    assert play(s, USE).turn.ap == 2  # one is still bribed there
    s = play(s, END)
    assert at(s, "infirmary")["bribed"] == 0


def test_a8_no_bribe_among_four():
    s = prison(at=("infirmary",), guards={"infirmary": 4}, cash={0: 1}, stamina={0: 1})
    assert why_not(s, BRIBE) == why_not(s, STAMINA) == "four_guards_here"


def test_s31_a29_bribed_guards_do_not_count_until_the_turn_ends():
    s = prison(
        at=("yard", "chapel", "chapel"), guards={"yard": 3, "chapel": 1}, cash={0: 2}, ap=1,
        stamina={0: 1},
    )  # fmt: skip
    s = play(s, BRIBE, BRIBE, Riot("chapel"))
    assert s.turn.ap == 0
    assert at(s, "yard")["guards"] == 4
    assert GAME.view(s, None)["turn"]["guards_counted"] == 2
    assert STAMINA in GAME.moves(s)
    s = play(s, END, END, location("canteen"), CALL_VOTE, *((n, Vote(0)) for n in range(3)))
    assert s.turn.seat == 0
    assert why_not(s, USE) == "four_guards_here"


def test_a18_free_functions_ignore_two_and_three_guards():
    for guards in (2, 3):
        s = prison(at=("canteen",), guards={"canteen": guards}, ap=0, faces="alternative")
        s = play(s, USE)
        assert (s.me.stamina, s.turn.ap) == (1, 0)
        assert why_not(s, USE) == "used_already"
    four = prison(at=("canteen",), guards={"canteen": 4}, faces="alternative")
    assert why_not(four, USE) == "four_guards_here"


def test_a36_nowhere_to_go():
    around = ("control_post", "yard", "visiting_room")
    s = prison(at=("chapel",), guards={"chapel": 4, **dict.fromkeys(around, 4)})
    assert GAME.moves(s) == (END,)


def test_what_follows_an_action_is_not_chosen_before_it():
    assert why_not(prison(), Pay("cash")) == "choose_an_action"
    assert why_not(prison(), COMPLETE) == "no_task_here"


def test_prices_are_in_the_menu():
    s = prison(at=("canteen",), guards={"canteen": 2}, stamina={0: 1})
    menu = {move: GAME.offered(s, move, 0) for move in GAME.moves(s)}
    assert menu[USE].fr == "Ici : gagner jusqu'à 3 Endurance (2 PA)"
    assert menu[Walk("infirmary")].en == "Move to the infirmary (1 AP)"
    assert menu[STAMINA].fr.endswith("(gratuit)")
    assert menu[END].en == "End the turn"

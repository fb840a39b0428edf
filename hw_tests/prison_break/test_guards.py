"""Guards: added by the die, moved by Bellick, met by the team (R23, R44, R45)."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOX,
    GAME,
    act,
    at,
    legal,
    listed,
    refused,
    rolled,
    scene,
    task,
    to_act,
    turn_of,
)

WHITE = {"laundry", "library", "refectory", "showers", "chapel", "storeroom"}


def posts(state) -> set[str]:
    return {move.at for move in listed(state, m.PlaceGuard)}


# -- adding a guard (R23) ------------------------------------------------------------------------


def test_s11_r23_any_square_of_the_zone_with_room_and_no_guard(stage):
    state = stage(
        harm=True,
        guards=(("key", "z3_1"),),
        where={"sucre": "z3_2", "abruzzi": "z3_2", "bagwell": "z3_3"},
    )
    state = rolled(act(state, m.AddGuard()), 3)
    assert posts(state) == {f"z3_{n}" for n in range(1, 10)} - {"z3_1", "z3_2"}
    assert refused(state, m.PlaceGuard("key", "z3_1")) == "guard_there"
    assert refused(state, m.PlaceGuard("key", "z3_2")) == "square_full"
    assert refused(state, m.PlaceGuard("key", "z1_1")) == "not_where_the_die_says"
    assert refused(state, m.PlaceGuard("spoon", "z3_4")) == "no_such_guard"
    assert refused(state, m.PlaceGuard("key", "z9_1")) == "no_such_square"
    assert refused(state, m.LowerGuilt()) == "place_the_guard"
    state = act(state, m.PlaceGuard("money", "z3_4"))
    assert GAME.image(state)["z3_4"][0].kind == "guard_money"
    assert sum(state.spare) == 28


def test_s12_r23_a_six_is_any_white_room(stage):
    state = stage(harm=True, guards=(("key", "laundry"),))
    state = rolled(act(state, m.AddGuard()), 6)
    assert posts(state) == WHITE - {"laundry"}
    assert refused(state, m.PlaceGuard("key", "infirmary")) == "strategic_building"
    assert refused(state, m.PlaceGuard("key", "cells_1")) == "strategic_building"


def test_a12_the_player_chooses_among_the_guards_that_are_left(stage):
    keys = tuple(("key", f"z1_{n}") for n in range(1, 6))
    state = rolled(act(stage(harm=True, guards=keys), m.AddGuard()), 2)
    assert {move.guard for move in listed(state, m.PlaceGuard)} == set(BOX.kinds) - {"key"}
    assert refused(state, m.PlaceGuard("key", "z2_1")) == "no_such_guard_left"


def test_a12_a_full_zone_is_rolled_again(stage):
    guards = tuple((BOX.kinds[n % 6], f"z3_{n + 1}") for n in range(9))
    state = rolled(act(stage(harm=True, guards=guards), m.AddGuard()), 3)
    assert task(state) == "guard_roll"
    assert task(rolled(state, 3, 4)) == "guard_placing"


def test_a12_all_white_rooms_full_is_rolled_again(stage):
    guards = tuple(zip(BOX.kinds, sorted(WHITE), strict=True))
    state = rolled(act(stage(harm=True, guards=guards), m.AddGuard()), 6)
    assert task(state) == "guard_roll"


def test_a35_option_two_guards_a_square():
    state = scene(harm=True, guards=(("key", "z3_1"),), guards_per_square=2)
    state = rolled(act(state, m.AddGuard()), 3)
    assert "z3_1" in posts(state)
    state = act(state, m.PlaceGuard("key", "z3_1"))
    assert len(GAME.image(state)["z3_1"]) == 2


# -- meeting a guard (R45, A9, A10) --------------------------------------------------------------

BESIDE = {"sucre": "z1_2"}


def moved_onto_sucre(stage, **more):
    state = stage(turn="bellick", phase=2, guards=(("key", "z1_8"),), where=BESIDE, **more)
    return act(state, m.Patrol("key", "z1_8", "z1_2"))


def test_s17_r45_a_matching_object_bribes_the_guard(stage):
    state = moved_onto_sucre(stage, hands={"sucre": ("key",)})
    assert (task(state), to_act(state)) == ("contact", "sucre")
    after = act(state, m.Bribe("key"))
    assert after.guards == ()
    assert after.gone == ("key",)
    assert after.guilt == 0
    assert after.skips == (0,) * 8


def test_s18_a10_without_objects_a_card_guilt_or_a_turn(stage):
    state = moved_onto_sucre(stage)
    assert set(GAME.moves(state)) == {m.DrawCard(), m.RaiseGuilt(), m.LoseTurn()}
    assert refused(state, m.LoseObject("key")) == "object_not_held"
    assert refused(state, m.Bribe("key")) == "bribe_wants"
    assert refused(state, m.Bribe("money")) == "no_such_guard_here"
    assert refused(state, m.Walk("z1_3")) == "contact_first"


def test_r45_each_of_the_penalties(stage):
    state = moved_onto_sucre(stage, hands={"sucre": ("letter",)})
    assert act(state, m.RaiseGuilt()).guilt == 1
    assert act(state, m.LoseTurn()).skips[BOX.person["sucre"]] == 1
    assert act(state, m.LoseObject("letter")).gone == ("letter",)
    drawn = act(state, m.DrawCard(), Drawn("cards", "h17"))
    assert drawn.skips[BOX.person["sucre"]] == 1  # the member that draws is the drawer (A49)


def test_r45_the_guard_stays_where_the_penalty_was_paid(stage):
    state = act(moved_onto_sucre(stage), m.RaiseGuilt())
    assert GAME.image(state)["z1_2"][-1].kind == "guard_key"
    assert turn_of(state) == "pope"


def test_a9_a_prisoner_who_walks_up_to_a_guard_meets_him_in_phase_one_too(stage):
    state = stage(guards=(("key", "z1_2"),), where={"scofield": "z1_1"})
    assert task(act(state, m.Walk("z1_2"))) == "contact"


def test_a9_passing_a_guard_is_no_contact(stage):
    state = stage(guards=(("key", "z1_2"),), where={"scofield": "z1_1"})
    assert turn_of(act(state, m.Walk("z1_3"))) == "sucre"


def test_a9_a_guard_put_on_a_member_meets_him(stage):
    state = stage(harm=True, where={"sucre": "z1_2"})
    state = act(rolled(act(state, m.AddGuard()), 1), m.PlaceGuard("key", "z1_2"))
    assert (task(state), to_act(state)) == ("contact", "sucre")
    state = act(state, m.RaiseGuilt())
    assert (task(state), turn_of(state)) == ("turn", "scofield")


def test_a9_once_a_meeting(stage):
    state = stage(turn="bagwell", guards=(("key", "z1_2"),), where={"scofield": "z1_2"})
    state = act(state, m.LowerGuilt())
    assert (task(state), turn_of(state)) == ("turn", "scofield")  # the meeting is over


def test_a9_out_and_back_is_a_new_meeting(stage):
    state = stage(guards=(("key", "z1_2"),), where={"scofield": "z1_2"})
    assert task(act(state, m.Walk("z1_2"))) == "contact"


def test_a9_option_only_guards_that_bellick_moves(stage):
    only = {"contact": "guard_moves"}
    state = stage(guards=(("key", "z1_2"),), where={"scofield": "z1_1"}, **only)
    assert turn_of(act(state, m.Walk("z1_2"))) == "sucre"
    state = stage(harm=True, where={"sucre": "z1_2"}, **only)
    state = act(rolled(act(state, m.AddGuard()), 1), m.PlaceGuard("key", "z1_2"))
    assert task(state) == "turn"
    assert task(moved_onto_sucre(stage, **only)) == "contact"


def test_a44_unrecruited_people_meet_no_guards(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z1_8"),), where={"burrows": "z1_2"})
    state = act(state, m.Patrol("key", "z1_8", "z1_2"))
    assert task(state) == "turn"


def test_a49_externals_meet_guards_and_scofield_chooses(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z1_8"),), where={"pope": "z1_2"})
    state = act(state, m.Patrol("key", "z1_8", "z1_2"))
    assert (task(state), to_act(state)) == ("contact", "scofield")
    state = act(state, m.LoseTurn())
    assert turn_of(state) == "tancredi"  # Pope has lost his action of this very day (A46)


def test_a49_diversion_and_favour_help_on_contact(stage):
    state = moved_onto_sucre(stage, kept={"sucre": ("c05", "c06", "c03")}, guilt=5)
    assert refused(state, m.UseCard("c03")) == "not_on_contact"
    assert refused(state, m.UseCard("c05")) == "not_on_contact"
    assert refused(state, m.UseCard("c05", "money")) == "not_on_contact"
    ignored = act(state, m.UseCard("c06"))
    assert (ignored.guilt, len(ignored.guards), ignored.discard) == (5, 1, ("c06",))
    gone = act(state, m.UseCard("c05", "key"))
    assert (gone.guilt, gone.guards, gone.discard) == (5, (), ("c05",))
    assert gone.gone == ()
    empty = moved_onto_sucre(stage)
    assert refused(empty, m.UseCard("c06")) == "card_not_kept"


def test_a36_a_contact_that_moves_the_member_ends_what_he_could_do(stage):
    state = stage(where={"scofield": "z5_6"}, guards=(("key", "storeroom"),))
    state = act(state, m.Walk("storeroom"), m.DrawCard(), Drawn("cards", "h18"))
    assert at(state, "scofield") == "isolation"
    assert turn_of(state) == "sucre"  # no search, no circuit breaker


def test_a36_contact_comes_before_everything_else(stage):
    state = stage(where={"scofield": "z5_6"}, guards=(("key", "storeroom"),))
    state = act(state, m.Walk("storeroom"))
    assert refused(state, m.PickUp("breaker")) == "contact_first"
    state = act(state, m.LoseTurn())
    assert legal(state, m.PickUp("breaker"))


def test_s33_a35_a_guard_does_not_close_a_tower(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z5_5"), ("money", "z5_4")))
    assert refused(state, m.Patrol("money", "z5_4", "z5_5")) == "guard_there"
    state = stage(
        turn="abruzzi",
        phase=2,
        guards=(("key", "z5_5"),),
        where={"abruzzi": "z5_4"},
        tools={"breaker": "abruzzi"},
        plan="e07",
    )
    state = act(state, m.Walk("z5_5"))
    while task(state) == "marking":
        state = act(state, m.Done())
    assert task(state) == "contact"
    assert refused(state, m.PlaceTool("breaker")) == "contact_first"
    state = act(state, m.RaiseGuilt(), m.PlaceTool("breaker"), m.Confirm())
    assert state.broken == (0, 5)


def lincolns_last_step(stage, **more):
    state = stage(
        plan="e07",
        phase=2,
        turn="burrows",
        team=("burrows",),
        where={"burrows": "z5_9"},
        guards=(("key", "chapel"),),
        route=("cells", "yard", "storeroom", "chapel"),
        broken=(0, 5),
        guilt=29,
        max_move=1,
        **more,
    )
    state = act(state, m.Walk("chapel"))
    assert task(state) == "contact"
    return state


def test_s34_guilt_would_lose_the_game_on_the_doorstep(stage):
    state = act(lincolns_last_step(stage), m.RaiseGuilt())
    assert GAME.outcome(state).reason == "culpability_phase_2"
    assert GAME.outcome(state).winners == (3,)


@pytest.mark.parametrize(
    ("way", "things"),
    [
        ((m.LoseTurn(),), {}),
        ((m.DrawCard(), Drawn("cards", "h17")), {}),
        ((m.Bribe("key"),), {"hands": {"burrows": ("key",)}}),
        ((m.UseCard("c06"),), {"kept": {"burrows": ("c06",)}}),
    ],
    ids=["a turn", "a harmless card", "a bribe", "a diversion"],
)
def test_s34_any_other_price_lets_lincoln_escape(stage, way, things):
    state = act(lincolns_last_step(stage, **things), *way)
    if task(state) == "follow_up":
        state = act(state, m.Done())
    if not state.house:
        assert task(state) == "claim"
        state = act(state, m.ShowPlan("e07"))
    assert GAME.outcome(state).reason == "escaped"
    assert GAME.outcome(state).winners == (0, 1, 2)


# -- Bellick moves guards (R44, A11, A45) --------------------------------------------------------


def patrols(state) -> set[str]:
    return {move.to for move in listed(state, m.Patrol)}


def test_r44_a45_a_guard_moves_one_to_three_squares(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z2_1"),))
    assert {"z2_2", "z1_3", "z2_3"} <= patrols(state)
    assert "z2_1" not in patrols(state)
    assert refused(state, m.Patrol("key", "z2_1", "z2_9")) == "guard_too_far"
    assert refused(state, m.Patrol("money", "z2_1", "z2_2")) == "no_such_guard_there"
    assert refused(state, m.Patrol("key", "z2_2", "z2_3")) == "no_such_guard_there"
    assert refused(state, m.Patrol("key", "z2_1", "z9_9")) == "no_such_square"
    assert refused(state, m.LowerGuilt()) == "bellick_turn"
    state = act(state, m.Patrol("key", "z2_1", "z1_3"))
    assert GAME.image(state)["z1_3"][0].kind == "guard_key"


def test_r44_option_how_far_a_guard_goes():
    state = scene(turn="bellick", phase=2, guards=(("key", "z2_1"),), guard_move=4)
    assert "z2_9" in patrols(state)


def test_a11_guards_stay_out_of_strategic_buildings(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z2_2"),))
    assert refused(state, m.Patrol("key", "z2_2", "warden_office")) == "guards_stay_out"
    assert "z1_5" not in patrols(state)  # three steps, but through the office
    assert "library" in patrols(state)


def test_a11_option_guards_enter_strategic_buildings():
    state = scene(turn="bellick", phase=2, guards=(("key", "z2_2"),), guards_in_strategic=True)
    assert {"warden_office", "z1_5"} <= patrols(state)


def test_a45_a_guard_passes_full_squares_and_stops_on_none(stage):
    state = stage(
        turn="bellick",
        phase=2,
        guards=(("key", "z1_4"),),
        where={"sucre": "z1_5", "abruzzi": "z1_5"},
    )
    assert refused(state, m.Patrol("key", "z1_4", "z1_5")) == "square_full"
    assert "z1_6" in patrols(state)


def test_a11_guards_ignore_cameras_and_towers(stage):
    state = stage(turn="bellick", phase=2, guards=(("key", "z2_1"),), lit=(0, 2))
    assert {"z2_2", "z2_5"} <= patrols(state)


def test_r44_bellick_must_do_one_of_three_things(stage):
    state = stage(turn="bellick", phase=2)
    kinds = {type(move) for move in GAME.moves(state)}
    assert kinds == {m.DrawCard, m.SwitchOn}  # there is no guard to move
    assert refused(state, m.Done()) == "bellick_turn"
    assert len(listed(state, m.SwitchOn)) == 11


def test_two_guards_at_once_are_two_meetings():
    state = scene(
        where={"scofield": "z1_1"},
        guards=(("key", "z1_2"), ("money", "z1_2")),
        guards_per_square=2,
        persons_per_square=3,
    )
    state = act(state, m.Walk("z1_2"), m.RaiseGuilt())
    assert task(state) == "contact"
    assert act(state, m.RaiseGuilt()).guilt == 2


def test_a_guard_among_two_members_meets_both():
    state = scene(
        turn="bellick",
        phase=2,
        guards=(("key", "z1_1"),),
        where={"sucre": "z1_2", "scofield": "z1_2"},
        persons_per_square=3,
    )
    state = act(state, m.Patrol("key", "z1_1", "z1_2"))
    assert to_act(state) == "scofield"
    state = act(state, m.LoseTurn())
    assert to_act(state) == "sucre"

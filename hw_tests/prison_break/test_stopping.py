"""What may be done where a walk ended: objects, externals, tools (R29–R33, R35, R42)."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOX,
    GAME,
    act,
    in_team,
    legal,
    listed,
    refused,
    scene,
    task,
    to_act,
    turn_of,
)

LAUNDRY = {"scofield": "z1_4"}  # one step from the laundry, which has an object token


def hand(state, who: str) -> tuple[str, ...]:
    return state.hands[BOX.person[who]]


def token(state, square: str) -> str:
    return state.ground[BOX.spaces.index(GAME.box.board.index[square])]


# -- search (R29–R31) ----------------------------------------------------------------------------


def test_r29_a_token_that_nobody_has_seen_comes_out_for_one_pair_of_eyes():
    state = act(scene(where=LAUNDRY), m.Walk("laundry"), m.Search())
    assert to_act(state) == "chance"
    assert GAME.chance(state).kind == "lot"
    assert GAME.chance(state).sees == (0,)
    state = act(state, Drawn("tokens", "key"))
    assert GAME.view(state, 0)["ground"]["laundry"] == "key"
    assert GAME.view(state, 1)["ground"]["laundry"] == "unknown"
    state = act(state, m.Take())
    assert hand(state, "scofield") == ("key",)
    assert token(state, "laundry") == ""
    assert len(state.bag) == 14


def test_r29_a_token_may_be_left(stage):
    state = act(stage(where=LAUNDRY, ground={"laundry": "key"}), m.Walk("laundry"), m.Search())
    state = act(state, m.Leave())
    assert hand(state, "scofield") == ()
    assert token(state, "laundry") != ""


def test_r29_looking_ends_the_movement(stage):
    state = act(stage(where=LAUNDRY, ground={"laundry": "key"}), m.Walk("laundry"), m.Search())
    assert refused(state, m.Walk("z1_4")) == "take_or_leave"
    assert turn_of(act(state, m.Take())) == "sucre"


def test_r29_nothing_to_search(stage):
    state = stage(where={"scofield": "z4_5"}, ground={"workshop": ""})
    state = act(state, m.Walk("workshop"))  # the pliers keep him there
    assert refused(state, m.Search()) == "nothing_to_search"


def test_a33_only_who_looked_knows_a_token_that_was_left():
    state = scene(where=LAUNDRY, ground={"laundry": "key"})
    state = act(state, m.Walk("laundry"), m.Search(), m.Leave())
    assert GAME.view(state, 0)["ground"]["laundry"] == "key"
    for other in (None, 1, 2, 3):
        assert GAME.view(state, other)["ground"]["laundry"] == "unknown"


def test_r30_s9_with_three_objects_one_must_be_left(stage):
    state = stage(
        where=LAUNDRY,
        ground={"laundry": "medicine"},
        hands={"scofield": ("key", "letter", "money")},
    )
    state = act(state, m.Walk("laundry"), m.Search())
    assert refused(state, m.Take()) == "hand_full"
    assert refused(state, m.Take("evidence")) == "object_not_held"
    swap = next(move for move in listed(state, m.Take) if move.leaving in ("letter", "unknown"))
    state = act(state, swap)
    assert len(hand(state, "scofield")) == 3
    assert token(state, "laundry") == swap.leaving
    if state.house:
        assert hand(state, "scofield") == ("key", "medicine", "money")
        assert GAME.view(state, 0)["ground"]["laundry"] == "letter"
        assert GAME.view(state, 1)["ground"]["laundry"] == "unknown"


def test_r30_with_room_left_nothing_is_swapped(stage):
    state = stage(where=LAUNDRY, ground={"laundry": "medicine"}, hands={"scofield": ("key",)})
    state = act(state, m.Walk("laundry"), m.Search())
    held = hand(state, "scofield")[0]
    assert refused(state, m.Take(held)) == "hand_not_full"


def test_r30_option_one_object_a_player():
    state = scene(
        where=LAUNDRY,
        ground={"laundry": "medicine"},
        hands={"scofield": ("key",)},
        objects_per_player=1,
    )
    state = act(state, m.Walk("laundry"), m.Search())
    assert listed(state, m.Take) == [m.Take("key")]


def test_s10_r31_a_blank_is_left_or_thrown_away():
    state = act(scene(where=LAUNDRY, ground={"laundry": "blank"}), m.Walk("laundry"), m.Search())
    assert set(GAME.moves(state)) == {m.Leave(), m.ThrowAway()}
    assert refused(state, m.Take()) == "blank_is_useless"
    left = act(state, m.Leave())
    assert token(left, "laundry") == "blank"
    thrown = act(state, m.ThrowAway())
    assert token(thrown, "laundry") == ""
    assert thrown.gone == ("blank",)
    assert (left.guilt, thrown.guilt) == (0, 0)


def test_r31_only_a_blank_is_thrown_away():
    state = act(scene(where=LAUNDRY, ground={"laundry": "key"}), m.Walk("laundry"), m.Search())
    assert refused(state, m.ThrowAway()) == "not_a_blank"


def test_r31_at_the_table_no_more_blanks_than_there_are():
    state = scene(where=LAUNDRY, secrets="table", gone=("blank", "blank"))
    state = act(state, m.Walk("laundry"), m.Search(), m.ThrowAway())
    assert state.gone == ("blank",) * 3
    state = scene(where=LAUNDRY, secrets="table", gone=("blank",) * 3)
    state = act(state, m.Walk("laundry"), m.Search())
    assert refused(state, m.ThrowAway()) == "not_a_blank"


# -- externals (R32, R35) ------------------------------------------------------------------------

OFFICE = {"abruzzi": "z1_2"}


def test_s1_r32_pope_is_recruited_with_the_evidence(stage):
    state = stage(turn="abruzzi", where=OFFICE, hands={"abruzzi": ("evidence",)})
    state = act(state, m.Walk("warden_office"), m.Recruit("pope"))
    assert in_team(state, "pope")
    assert state.gone == ("evidence",)
    assert hand(state, "abruzzi") == ()


def test_s2_r19_the_wrong_object_does_not_recruit():
    state = scene(turn="abruzzi", where=OFFICE, hands={"abruzzi": ("money",)})
    state = act(state, m.Walk("warden_office"))
    assert refused(state, m.Recruit("pope")) == "external_wants"


def test_s2_at_the_table_an_object_that_is_out_of_the_box_does_not_recruit():
    state = scene(
        turn="abruzzi",
        where=OFFICE,
        hands={"abruzzi": ("money",)},
        gone=("evidence", "evidence"),
        secrets="table",
    )
    state = act(state, m.Walk("warden_office"))
    assert refused(state, m.Recruit("pope")) == "external_wants"


def test_r32_one_must_stand_on_the_externals_square(stage):
    state = stage(where=LAUNDRY, hands={"scofield": ("evidence",)})
    state = act(state, m.Walk("laundry"))
    assert refused(state, m.Recruit("pope")) == "external_elsewhere"
    assert refused(state, m.Recruit("sucre")) == "no_such_external"


def test_r32_an_external_joins_once(stage):
    state = stage(turn="abruzzi", where=OFFICE, hands={"abruzzi": ("evidence",)}, team=("pope",))
    state = act(state, m.Walk("warden_office"))
    assert refused(state, m.Recruit("pope")) == "already_recruited"


def test_s37_r35_a41_the_third_external_is_scofields_alone(stage):
    hands = {"abruzzi": ("key",), "scofield": ("key",)}
    state = stage(turn="abruzzi", where={"abruzzi": "z1_1"}, hands=hands)
    state = act(state, m.Walk("parloir"))
    assert refused(state, m.Recruit("donovan")) == "third_external"
    state = stage(turn="scofield", where={"scofield": "z1_1"}, hands=hands)
    state = act(state, m.Walk("parloir"), m.Recruit("donovan"))
    assert in_team(state, "donovan")


def test_a14_an_external_may_recruit_another(stage):
    state = stage(
        turn="tancredi",
        team=("tancredi",),
        where={"tancredi": "z2_2"},
        hands={"tancredi": ("evidence",)},
    )
    state = act(state, m.Walk("warden_office"), m.Recruit("pope"))
    assert in_team(state, "pope")


# -- bribes (R33) and the order of things (A7) ---------------------------------------------------


def test_r33_a_guard_is_bribed_with_the_object_of_his_logo(stage):
    state = stage(
        where={"scofield": "z1_1"}, guards=(("key", "z1_2"),), hands={"scofield": ("key",)}
    )
    state = act(state, m.Walk("z1_2"), m.RaiseGuilt())
    assert task(state) == "follow_up"
    state = act(state, m.Bribe("key"))
    assert state.guards == ()
    assert sum(state.spare) == 29  # he does not come back
    assert state.gone == ("key",)


def test_r33_another_object_does_not_do():
    state = scene(
        where={"scofield": "z1_1"}, guards=(("key", "z1_2"),), hands={"scofield": ("money",)}
    )
    state = act(state, m.Walk("z1_2"), m.RaiseGuilt())
    assert refused(state, m.Bribe("key")) == "bribe_wants"
    assert refused(state, m.Bribe("money")) == "no_such_guard_here"


def test_a7_each_thing_once_and_in_any_order(stage):
    state = stage(
        where={"scofield": "z4_8"},
        ground={"workshop": "key"},
        hands={"scofield": ("letter",)},
    )
    state = act(state, m.Walk("workshop"))
    assert legal(state, m.Search())
    assert legal(state, m.PickUp("pliers"))
    one = act(state, m.Search(), m.Leave())
    assert refused(one, m.Search()) == "done_already"
    one = act(one, m.PickUp("pliers"))
    other = act(state, m.PickUp("pliers"), m.Search(), m.Leave())
    assert one.tools == other.tools == (0, -1)
    assert turn_of(one) == turn_of(other) == "sucre"  # nothing is left to do


def test_a7_or_nothing_at_all(stage):
    state = act(stage(where={"scofield": "z4_8"}), m.Walk("workshop"))
    assert refused(state, m.LowerGuilt()) == "follow_up_awaited"
    assert turn_of(act(state, m.Done())) == "sucre"


def test_where_there_is_nothing_to_do_nothing_is_asked(stage):
    state = act(stage(where={"scofield": "z1_1"}), m.Walk("z1_2"))
    assert turn_of(state) == "sucre"


# -- trade (A26) ---------------------------------------------------------------------------------


def test_a26_objects_are_not_passed_on(stage):
    state = stage(where={"scofield": "z4_8", "sucre": "workshop"}, hands={"scofield": ("key",)})
    state = act(state, m.Walk("workshop"))
    held = hand(state, "scofield")[0]
    assert refused(state, m.Give(held, "sucre")) == "no_trade"


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_a26_option_to_give_an_object_to_a_mate(secrets):
    state = scene(
        where={"scofield": "z1_1", "sucre": "z1_2"},
        hands={"scofield": ("key",)},
        trade=True,
        secrets=secrets,
    )
    state = act(state, m.Walk("z1_2"))
    held = hand(state, "scofield")[0]
    assert refused(state, m.Give(held, "abruzzi")) == "nobody_to_take_it"
    assert refused(state, m.Give("cigarettes", "sucre")) == "object_not_held"
    state = act(state, m.Give(held, "sucre"))
    assert hand(state, "sucre") == (held,)
    assert hand(state, "scofield") == ()


# -- tools (R42, A18, A42) -----------------------------------------------------------------------


def test_r42_a18_a_tool_is_picked_up_by_stopping_there(stage):
    state = act(stage(where={"scofield": "z5_6"}), m.Walk("storeroom"))
    assert refused(state, m.PickUp("pliers")) == "tool_elsewhere"
    assert refused(state, m.PickUp("spoon")) == "no_such_tool"
    state = act(state, m.PickUp("breaker"))
    assert state.tools == (-1, 0)
    assert state.hands[0] == ()  # it does not count among the objects
    assert "tool_breaker" not in GAME.image(state)


def test_a42_a_tool_that_is_taken_is_gone(stage):
    state = act(stage(where={"scofield": "z4_8"}, tools={"pliers": "sucre"}), m.Walk("workshop"))
    assert refused(state, m.PickUp("pliers")) == "tool_gone"


def test_a42_option_tools_in_phase_two_only():
    state = act(scene(where={"scofield": "z4_8"}, tools_in_phase1=False), m.Walk("workshop"))
    assert refused(state, m.PickUp("pliers")) == "tools_phase_2"
    state = scene(phase=2, where={"scofield": "z4_8"}, tools_in_phase1=False, route=("workshop",))
    assert legal(act(state, m.Walk("workshop")), m.PickUp("pliers"))


def test_a42_tools_are_placed_in_phase_two_only(stage):
    state = stage(where={"scofield": "z1_1"}, tools={"pliers": "scofield"})
    state = act(state, m.Walk("parloir"))
    assert refused(state, m.PlaceTool("pliers")) == "placing_phase_2"


def placing(stage, walk: str, start: str, tools: dict[str, str], **more):
    places = tuple(GAME.box.board.places)[:10]
    state = stage(phase=2, where={"scofield": start}, tools=tools, route=places, **more)
    return act(state, m.Walk(walk))


def test_s3_r42_r43_a_camera_is_out_of_order_for_ever(stage):
    state = placing(stage, "parloir", "z1_1", {"pliers": "scofield"}, plan="e02")
    state = act(state, m.PlaceTool("pliers"), m.Confirm())
    assert state.broken == (1, 0)
    assert state.tools == (-1, -1)
    assert [piece.id for piece in GAME.image(state)["camera_1"]] == ["pliers"]
    bellick = scene(phase=2, turn="bellick", broken=(1, 0))
    assert refused(bellick, m.SwitchOn("camera_1")) == "out_of_order"
    drawn = act(bellick, m.DrawCard(), Drawn("cards", "h01"))
    assert drawn.lit == (0, 0)


def test_s4_r42_a_tower_needs_the_circuit_breaker(stage):
    state = placing(
        stage,
        "z2_5",
        "z2_4",
        {"pliers": "scofield", "breaker": "scofield"},
        plan="e09",
    )
    assert refused(state, m.PlaceTool("pliers")) == "needs_tower_tool"
    state = act(state, m.PlaceTool("breaker"), m.Confirm())
    assert state.broken == (0, 2)


def test_r42_a_camera_needs_the_pliers(stage):
    state = placing(stage, "parloir", "z1_1", {"breaker": "scofield"})
    assert refused(state, m.PlaceTool("breaker")) == "needs_camera_tool"
    assert refused(state, m.PlaceTool("pliers")) == "tool_not_carried"


def test_a19_not_where_there_is_no_camera_or_tower(stage):
    state = placing(stage, "laundry", "z1_4", {"breaker": "scofield"})
    assert refused(state, m.PlaceTool("breaker")) == "no_device_here"


def test_a19_not_while_it_is_on(stage):
    """One stands under a lit tower only where there was no refuge at all (A37)."""
    state = placing(
        stage,
        "z2_5",
        "z2_5",
        {"breaker": "scofield"},
        lit=(0, 2),
        min_move=0,
        guards=(("key", "z2_5"),),
        hands={"scofield": ("key",)},
        contact="guard_moves",
    )
    assert refused(state, m.PlaceTool("breaker")) == "device_on"
    state = placing(stage, "z2_5", "z2_4", {"breaker": "scofield"}, lit=(0, 3))
    assert legal(state, m.PlaceTool("breaker"))


def test_a42_a_wrong_place_is_possible_and_final(stage):
    state = placing(stage, "parloir", "z1_1", {"pliers": "scofield"}, plan="e01")
    state = act(state, m.PlaceTool("pliers"))
    assert task(state) == "warned"
    assert act(state, m.Confirm()).broken == (1, 0)
    assert act(state, m.Reconsider()).broken == (0, 0)


def test_looking_needs_an_answer_before_anything_else(stage):
    state = act(stage(where=LAUNDRY, ground={"laundry": "key"}), m.Walk("laundry"), m.Search())
    assert refused(state, m.Done()) == "take_or_leave"


def test_at_the_table_a_kept_object_is_unknown_until_it_is_shown():
    state = scene(where={"scofield": "z1_2"}, secrets="table", ground={"z1_8": "key"}, max_move=2)
    state = act(state, m.Walk("z1_8"), m.Search(), m.Take())
    assert hand(state, "scofield") == ("unknown",)
    assert len(state.bag) == 15
    assert GAME.view(state, 0)["people"]["scofield"]["objects"] == 1
    state = scene(harm=True, secrets="table", hands={"scofield": ("key",)})
    assert {move.object for move in listed(state, m.LoseObject)} == set(BOX.kinds)
    state = act(state, m.LoseObject("medicine"))
    assert state.gone == ("medicine",)
    assert len(state.bag) == 14

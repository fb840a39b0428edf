"""Walking: how far, through what, onto what (R27, R28, R46, R49), and the marks on the way."""

from __future__ import annotations

from game_logic.core import Drawn
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOARD,
    GAME,
    act,
    at,
    begun,
    legal,
    refused,
    scene,
    task,
    walks,
)


def test_r27_one_to_four_squares(stage):
    state = stage(where={"scofield": "z1_1"})
    assert legal(state, m.Walk("z1_2"))
    assert legal(state, m.Walk("z2_1"))  # by the gate at z1_3
    assert refused(state, m.Walk("z2_8")) == "too_far"
    assert at(act(state, m.Walk("z1_9")), "scofield") == "z1_9"


def test_r27_buildings_are_entered_and_left_by_their_doors_only(stage):
    state = stage(where={"scofield": "z1_4"})
    assert legal(state, m.Walk("laundry"))
    assert legal(state, m.Walk("parloir"))  # z1_1 is one step, its door the next
    state = stage(where={"scofield": "infirmary"})
    assert {"z2_8", "z3_6"} < walks(state)
    assert not legal(stage(where={"scofield": "z2_9"}, max_move=1), m.Walk("infirmary"))


def test_r27_unknown_squares_are_refused(stage):
    assert refused(stage(), m.Walk("z9_9")) == "no_such_square"


def test_a8_a_move_is_at_least_one_square_but_may_come_back(stage):
    state = stage(where={"scofield": "z1_5"})
    assert legal(state, m.Walk("z1_5"))  # out and back
    assert not legal(stage(where={"scofield": "z1_5"}, max_move=1), m.Walk("z1_5"))


def test_a8_option_to_act_without_moving():
    state = scene(where={"scofield": "z1_8"}, max_move=1, min_move=0)
    state = act(state, m.Walk("z1_8"))
    assert legal(state, m.Search())


def test_s7_r28_a_full_square_may_be_passed(stage):
    # z1_4 - z1_7 - gate - z4_1 - z4_4: q is z4_1
    state = stage(
        where={"scofield": "z1_4", "sucre": "z4_1", "abruzzi": "z4_1", "bagwell": "z3_9"},
        max_move=3,
    )
    assert legal(state, m.Walk("z4_4"))


def test_s8_r28_a_full_square_is_not_stopped_on(stage):
    state = stage(where={"scofield": "z1_4", "sucre": "z4_1", "abruzzi": "z4_1"}, max_move=2)
    assert refused(state, m.Walk("z4_1")) == "square_full"
    assert legal(state, m.Walk("z1_7"))


def test_r28_guards_and_unrecruited_externals_count_as_persons(stage):
    full = {"scofield": "z1_2", "sucre": "warden_office"}
    assert refused(stage(where=full), m.Walk("warden_office")) == "square_full"  # Pope is there
    guarded = {"scofield": "z1_2", "sucre": "z1_5"}
    state = stage(where=guarded, guards=(("key", "z1_5"),))
    assert refused(state, m.Walk("z1_5")) == "square_full"
    assert legal(state, m.Walk("z1_8"))


def test_r28_option_three_persons_a_square():
    state = scene(where={"scofield": "z1_2", "sucre": "warden_office"}, persons_per_square=3)
    assert legal(state, m.Walk("warden_office"))


def test_s24_r46_nobody_walks_through_a_watched_zone(stage):
    state = stage(lit=(0, 3), where={"scofield": "cells_3"})
    assert refused(state, m.Walk("z3_2")) == "watched"
    state = stage(lit=(0, 3), where={"scofield": "refectory"})
    assert refused(state, m.Walk("z3_4")) == "watched"
    state = stage(lit=(0, 3), where={"scofield": "z2_7"})
    assert refused(state, m.Walk("z3_3")) == "watched"
    state = stage(lit=(0, 3), where={"scofield": "z1_9"})
    assert refused(state, m.Walk("refectory")) == "way_watched"


def test_r46_nobody_enters_a_watched_building(stage):
    state = stage(lit=(5, 0), where={"scofield": "z1_2"})
    assert refused(state, m.Walk("warden_office")) == "watched"
    assert refused(state, m.Walk("z2_8")) == "way_watched"  # four steps through the office


def test_s22_r49_a_building_with_all_doors_to_the_lit_zone_is_closed(stage):
    state = stage(lit=(0, 1), where={"scofield": "laundry"})
    assert walks(state) == set()
    assert refused(state, m.Walk("z4_1")) == "locked_in"
    assert walks(stage(where={"scofield": "laundry"})) != set()


def test_s23_r49_a_second_door_to_an_unlit_zone_is_open(stage):
    state = stage(lit=(0, 2), where={"scofield": "infirmary"})
    assert legal(state, m.Walk("z3_6"))
    assert refused(state, m.Walk("z2_8")) == "watched"


def test_s38_a22_option_out_by_the_nearest_gate_of_the_lit_zone():
    locked = {"lit": (0, 1), "lit_exit": "zone_gate"}
    state = scene(where={"scofield": "laundry"}, **locked)
    assert walks(state) == {"z4_1"}
    assert at(act(state, m.Walk("z4_1")), "scofield") == "z4_1"
    crowded = {"scofield": "laundry", "sucre": "z4_1", "abruzzi": "z4_1"}
    state = scene(where=crowded, **locked)
    assert walks(state) == set()
    assert refused(state, m.Walk("z4_1")) == "square_full"


def test_a22_option_two_gates_as_near_are_a_choice():
    state = scene(where={"scofield": "storeroom"}, lit=(0, 5), lit_exit="zone_gate")
    assert walks(state) == {"z2_9"}  # z5_3 is one step from the door square z5_6
    state = scene(where={"scofield": "psychiatry"}, lit=(0, 2), lit_exit="zone_gate")
    # from z2_3: z2_1 two steps, z2_9 two steps, z2_7 four
    assert walks(state) == {"z1_3", "z5_3"}


def test_a22_option_changes_nothing_where_another_door_is_open():
    state = scene(where={"scofield": "infirmary"}, lit=(0, 2), lit_exit="zone_gate")
    assert walks(state) == walks(scene(where={"scofield": "infirmary"}, lit=(0, 2)))


def test_a40_lockdown_caps_a_move_at_two(stage):
    state = stage(active="h20", where={"scofield": "z1_1"})
    assert legal(state, m.Walk("z1_3"))
    assert refused(state, m.Walk("z2_1")) == "lockdown"


def test_s36_a40_lockdown_caps_the_short_cut_too(stage):
    state = stage(active="h20", kept={"scofield": ("c04",)}, where={"scofield": "z1_1"})
    before = walks(state)
    state = act(state, m.UseCard("c04"))
    assert walks(state) == before
    assert refused(state, m.Walk("z2_1")) == "lockdown"


def test_the_short_cut_lets_one_move_go_six_squares(stage):
    state = stage(kept={"scofield": ("c04",)}, where={"scofield": "z1_1"}, escapes=2)
    assert not legal(state, m.Walk("z2_9"))
    state = act(state, m.UseCard("c04"))
    assert legal(state, m.Walk("z2_9"))
    state = act(state, m.Walk("z2_1"))
    assert refused(state, m.Walk("z5_3")) == "too_far"  # the next is an ordinary one


def test_a40_in_a_riot_white_rooms_are_closed_to_walkers(stage):
    state = stage(active="h21", where={"scofield": "z3_4"}, max_move=2)
    assert refused(state, m.Walk("refectory")) == "riot"
    assert refused(state, m.Walk("z4_2")) == "way_watched"
    assert legal(stage(where={"scofield": "z3_4"}, max_move=2), m.Walk("z4_2"))
    inside = stage(active="h21", where={"scofield": "refectory"})
    assert legal(inside, m.Walk("z4_2"))
    assert not legal(inside, m.Walk("refectory"))


def test_a40_a_riot_does_not_bind_guards(stage):
    state = stage(active="h21", turn="bellick", phase=2, guards=(("key", "z3_4"),))
    assert legal(state, m.Patrol("key", "z3_4", "refectory"))


# -- marks (R41, A23, A43) -----------------------------------------------------------------------


def marks(state) -> set[str]:
    return {move.place for move in GAME.moves(state) if isinstance(move, m.Mark)}


def test_r41_a43_a_walk_may_mark_the_places_it_passed(stage):
    state = stage(phase=2, where={"scofield": "z3_4"})
    state = act(state, m.Walk("z4_2"))
    # through the refectory (2 steps), or round by z3_7 and the gate to z4_3 (3 steps): the yard
    assert marks(state) == {"refectory", "yard"}
    state = act(state, m.Mark("refectory"))
    assert task(state) == "marking"  # two more steps: out to the yard and back
    assert marks(state) == {"yard"}
    state = act(state, m.Mark("yard"))
    assert {BOARD.places[n] for n in state.route} == {"refectory", "yard"}
    assert task(state) != "marking"


def test_a43_marks_must_lie_on_one_and_the_same_way(stage):
    state = stage(phase=2, where={"scofield": "z4_5"})
    state = act(state, m.Walk("z4_5"))
    assert marks(state) == {"refectory", "showers", "workshop"}
    state = act(state, m.Mark("showers"))
    assert task(state) != "marking"  # in and out of the showers took all four steps
    assert task(act(stage(phase=2, where={"scofield": "z4_5"}), m.Walk("z4_4"))) != "marking"


def test_a43_the_square_one_starts_from_is_not_passed(stage):
    state = stage(phase=2, where={"scofield": "refectory"}, max_move=1)
    assert task(act(state, m.Walk("z4_2"))) != "marking"


def test_a43_a_full_room_may_be_entered_and_left(stage):
    crowd = {"scofield": "z4_2", "sucre": "refectory", "abruzzi": "refectory"}
    state = act(stage(phase=2, where=crowd, max_move=2), m.Walk("z4_2"))
    assert marks(state) == {"refectory"}


def test_r41_marking_is_the_movers_choice(stage):
    state = act(stage(phase=2, where={"scofield": "z4_2"}, max_move=1), m.Walk("refectory"))
    assert refused(state, m.Search()) == "mark_or_go_on"
    state = act(state, m.Done())
    assert state.route == ()
    assert task(state) == "follow_up"


def test_a23_a_place_is_marked_once(stage):
    state = stage(phase=2, where={"scofield": "z4_2"}, route=("refectory",), max_move=1)
    state = act(state, m.Walk("refectory"))
    assert task(state) == "follow_up"
    assert refused(state, m.Mark("refectory")) == "not_on_the_way"
    state = act(stage(phase=2, where={"scofield": "z3_4"}, route=("yard",)), m.Walk("z4_2"))
    assert refused(state, m.Mark("yard")) == "already_marked"
    assert refused(state, m.Mark("moon")) == "no_such_place"
    assert refused(state, m.Mark("chapel")) == "not_on_the_way"


def test_a23_any_place_may_be_marked_as_a_bluff(stage):
    state = act(stage(phase=2, where={"scofield": "z1_4"}, max_move=1), m.Walk("laundry"))
    assert marks(state) == {"laundry"}  # the plan e01 does not name it


def test_a23_the_yard_and_the_cells_are_any_of_their_squares(stage):
    state = act(stage(phase=2, where={"scofield": "cells_1"}, max_move=1), m.Walk("cells_2"))
    assert marks(state) == {"cells"}
    state = act(stage(phase=2, where={"scofield": "z3_1"}, max_move=1), m.Walk("z3_2"))
    assert marks(state) == {"yard"}


def test_s31_ten_tokens_and_no_more(stage):
    ten = tuple(BOARD.places[:10])
    state = stage(phase=2, route=ten, where={"scofield": "z4_6"}, max_move=1)
    assert BOARD.places.index("showers") >= 10
    state = act(state, m.Walk("showers"))
    assert task(state) == "follow_up"
    assert refused(state, m.Mark("showers")) == "no_escape_tokens"


def test_s31_the_tenth_token_ends_the_marking(stage):
    nine = tuple(place for place in BOARD.places if place not in ("refectory", "yard"))[:9]
    state = act(stage(phase=2, route=nine, where={"scofield": "z3_4"}), m.Walk("z4_2"))
    state = act(state, m.Mark("refectory"))
    assert len(state.route) == 10
    assert task(state) != "marking"


def test_a23_no_marks_in_phase_one(stage):
    assert task(act(stage(where={"scofield": "z4_2"}), m.Walk("refectory"))) == "follow_up"


def test_a14_externals_mark_too(stage):
    state = stage(phase=2, turn="pope", where={"pope": "z1_4"}, max_move=1)
    assert marks(act(state, m.Walk("laundry"))) == {"laundry"}


def test_a_draw_in_the_turn_changes_the_walk_that_follows():
    state = act(begun(), m.DrawCard(), Drawn("cards", "h20"))
    assert refused(state, m.Walk("z1_2")) == "lockdown"

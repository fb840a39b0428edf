"""Completing a part of the plan (R43–R50)."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import (
    AGREE,
    BRIBE,
    COMPLETE,
    END,
    REFUSE,
    USE,
    Discard,
    Riot,
    Spend,
    Walk,
)
from game_logic.alcatraz.steps import Acting, Card, Consent, Naming, Reward
from hw_tests.alcatraz.table import BOX, GAME, at, location, play, prison, task, why_not

COPY_A_KEY = {"chapel": "task_a1"}  # key, clothes; 1 prisoner, 0 guards
MOULD = {"chapel": "task_a2"}  # key, tools; 2 prisoners, 1 guard
FILE = {"chapel": "task_a3"}  # key, tools, drugs; 1 prisoner, 2 guards


def test_s2_riot_walk_and_complete_for_three_points():
    s = prison(
        at=("yard", "laundry", "laundry"),
        guards={"yard": 0, "chapel": 1},
        tasks=COPY_A_KEY,
        holds={0: ("key", "clothes")},
        ap=3,
    )
    s = play(s, Riot("chapel"), Walk("chapel"), COMPLETE)
    assert s.turn.ap == 0
    assert isinstance(s.step, Reward)
    assert s.prisoners[0].parts == "A"
    assert s.me.objects == ()
    assert {"key", "clothes"} <= set(at(s, "visiting_room")["objects"])


def test_s3_r48_r49_r50_the_reward_and_a_new_task():
    s = prison(tasks=COPY_A_KEY, holds={0: ("key", "clothes")}, scapegoat=2)
    s = play(s, COMPLETE, task("task_d3"))
    assert [prisoner.parts for prisoner in s.prisoners] == ["A", "D", ""]
    assert s.spent == ("task_a1", "task_d3")
    assert isinstance(s.step, Card)
    s = play(s, task("task_b1"), location("yard"))
    assert at(s, "yard")["task"] == "task_b1"
    assert isinstance(s.step, Acting)
    assert s.turn.seat == 0


def test_r43_no_task_no_completion():
    assert why_not(prison(tasks={"yard": "task_a1"}), COMPLETE) == "no_task_here"


def test_r44_enough_prisoners():
    together = {"holds": {0: ("key",), 1: ("tools",)}, "tasks": MOULD}
    s = prison(at=("chapel", "yard", "yard"), **together)
    assert why_not(s, COMPLETE) == "too_few_prisoners"
    assert COMPLETE in GAME.moves(prison(at=("chapel", "chapel", "yard"), **together))


@pytest.mark.parametrize(("guards", "code"), [(1, None), (2, "too_many_guards")])
def test_r44_a6_not_more_guards_than_allowed(guards, code):
    s = prison(tasks=MOULD, guards={"chapel": guards}, holds={0: ("key", "tools")})
    assert (None if COMPLETE in GAME.moves(s) else why_not(s, COMPLETE)) == code


def test_r44_objects_of_all_who_are_present():
    s = prison(tasks=MOULD, holds={0: ("key",)})
    assert why_not(s, COMPLETE) == "objects_missing"
    elsewhere = prison(
        at=("chapel", "chapel", "yard"), tasks=MOULD, holds={0: ("key",), 2: ("tools",)}
    )
    assert why_not(elsewhere, COMPLETE) == "objects_missing"


@pytest.mark.parametrize(("guards", "price"), [(0, 1), (1, 1), (2, 2)])
def test_r45_the_price(guards, price):
    s = prison(tasks=FILE, guards={"chapel": guards}, holds={0: ("key", "tools", "drugs")})
    assert play(s, COMPLETE).turn.ap == 3 - price


def test_r45_a7_bribed_guards_neither_cost_nor_count():
    s = prison(tasks=COPY_A_KEY, guards={"chapel": 2}, holds={0: ("key", "clothes")}, cash={0: 2})
    assert why_not(s, COMPLETE) == "too_many_guards"
    s = play(s, BRIBE, BRIBE, COMPLETE)
    assert s.turn.ap == 2


def test_r23_r33_s25_never_the_scapegoat():
    s = prison(scapegoat=0, tasks=COPY_A_KEY, holds={0: ("key", "clothes")})
    assert why_not(s, COMPLETE) == "scapegoat_completes_nothing"


@pytest.mark.parametrize("card", ["task_d1"])  # drugs, key
def test_r46_s22_the_gun_stands_for_what_is_missing(card):
    s = prison(tasks={"chapel": card}, holds={0: ("key", "gun")}, faces="alternative")
    s = play(s, COMPLETE)
    assert s.me.objects == ()
    assert at(s, "visiting_room")["objects"] == ("gun",)


def test_a33_the_gun_may_stand_for_a_present_object():
    s = prison(tasks={"chapel": "task_d1"}, holds={0: ("key", "gun", "drugs")}, faces="alternative")
    s = play(s, COMPLETE)
    assert isinstance(s.step, Naming)
    assert set(GAME.moves(s)) == {Spend(0, "drugs"), Spend(0, "gun")}
    assert why_not(s, Spend(0, "key")) == "token_unfit"
    assert why_not(s, USE) == "name_tokens_first"
    s = play(s, Spend(0, "gun"))
    assert s.me.objects == ("drugs",)  # the key needed no naming


def test_r46_one_gun_stands_for_one_object():
    s = prison(tasks={"chapel": "task_d1"}, holds={0: ("gun",)}, faces="alternative")
    assert why_not(s, COMPLETE) == "objects_missing"


def test_r47_used_objects_go_back_to_the_board():
    s = prison(tasks=FILE, holds={0: ("key", "tools", "drugs")}, main_first=True)
    s = play(s, COMPLETE)
    for place in ("guards_room", "workshop", "infirmary"):
        assert len(at(s, place)["objects"]) == 3


def test_r23_r48_the_scapegoat_marks_nothing():
    s = prison(
        4, turn=1, scapegoat=3, at=("chapel",) * 4, tasks=COPY_A_KEY, holds={1: ("key", "clothes")}
    )
    s = play(s, COMPLETE, task("task_b4"))
    assert [prisoner.parts for prisoner in s.prisoners] == ["B", "A", "B", ""]


def test_a9_the_scapegoat_counts_as_present_and_is_asked():
    s = prison(at=("chapel", "yard", "chapel"), tasks=MOULD, holds={0: ("key",), 2: ("tools",)})
    s = play(s, COMPLETE)
    assert GAME.to_act(s) == (2,)
    assert set(GAME.moves(s)) == {AGREE, REFUSE}
    assert why_not(s, USE) == "answer_first"
    s = play(s, AGREE)
    assert [prisoner.parts for prisoner in s.prisoners] == ["A", "", ""]
    assert s.prisoners[2].objects == ()


def test_a9_everybody_whose_objects_are_wanted_is_asked():
    s = prison(tasks=FILE, holds={0: ("key",), 1: ("tools",), 2: ("drugs",)})
    s = play(s, COMPLETE)
    assert s.step == Consent(((0, "key"), (1, "tools"), (2, "drugs")), (1, 2))
    s = play(s, AGREE)
    assert GAME.to_act(s) == (2,)
    assert isinstance(play(s, AGREE).step, Reward)


def test_a33_a_refusal_spends_nothing_and_may_not_be_asked_again():
    s = prison(tasks=MOULD, holds={0: ("key",), 1: ("tools",)})
    s = play(s, COMPLETE, REFUSE)
    assert isinstance(s.step, Acting)
    assert s.turn.ap == 3
    assert s.me.objects == ("key",)
    assert why_not(s, COMPLETE) == "refused_before"


def test_a33_another_request_is_still_possible():
    s = prison(tasks=MOULD, holds={0: ("key",), 1: ("tools",), 2: ("tools",)})
    s = play(s, COMPLETE)
    assert set(GAME.moves(s)) == {Spend(1, "tools"), Spend(2, "tools")}
    s = play(s, Spend(1, "tools"), REFUSE, COMPLETE)
    assert s.step == Consent(((0, "key"), (2, "tools")), (2,))
    assert isinstance(play(s, AGREE).step, Reward)


def test_a33_on_the_next_turn_one_may_ask_again():
    s = prison(turn=1, scapegoat=0, tasks=MOULD, holds={1: ("key",), 2: ("tools",)})
    s = play(s, COMPLETE, REFUSE)
    assert s.turn.refused
    assert play(s, END).turn.refused == ()


def test_a10_s35_a_part_one_has_already():
    s = prison(tasks={"chapel": "task_c1"}, parts={0: "C"}, holds={0: ("knife", "tools")})
    s = play(s, COMPLETE, task("task_e2"))
    assert [prisoner.parts for prisoner in s.prisoners] == ["C", "E", ""]
    assert s.spent == ("task_c1", "task_e2")


def test_a11_a_reward_one_has_already():
    s = prison(tasks=COPY_A_KEY, parts={1: "BD"}, holds={0: ("key", "clothes")})
    s = play(s, COMPLETE, task("task_d3"))
    assert s.prisoners[1].parts == "BD"


def test_a12_no_reward_from_an_empty_pile():
    spent = tuple(card for card in BOX.tasks if card not in COPY_A_KEY.values())
    s = prison(tasks=COPY_A_KEY, spent=spent, holds={0: ("key", "clothes")})
    s = play(s, COMPLETE)
    assert [prisoner.parts for prisoner in s.prisoners] == ["A", "", ""]
    assert isinstance(s.step, Acting)
    assert s.tasks == (None,) * 12


def test_a12_the_reward_takes_the_last_card():
    spent = tuple(card for card in BOX.tasks if card not in ("task_a1", "task_b1"))
    s = prison(tasks=COPY_A_KEY, spent=spent, holds={0: ("key", "clothes")})
    s = play(s, COMPLETE, task("task_b1"))
    assert s.prisoners[1].parts == "B"
    assert isinstance(s.step, Acting)


def test_a40_parts_are_never_lost_or_traded():
    s = prison(parts={0: "A"}, holds={0: ("key",)})
    s = play(s, Discard("key"))
    assert s.prisoners[0].parts == "A"
    assert all("part" not in move.__struct_fields__ for move in GAME.moves(s))


def test_a4_thirty_tasks_the_first_is_the_rulebooks():
    assert len(BOX.tasks) == 30
    first = BOX.tasks["task_a1"]
    assert (first.objects, first.prisoners, first.guards) == (("key", "clothes"), 1, 0)

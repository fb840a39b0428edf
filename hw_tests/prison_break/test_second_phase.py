"""The change to phase 2, Lincoln, and the escape (R36–R41, A15–A17, A24)."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOX,
    GAME,
    act,
    at,
    in_team,
    legal,
    listed,
    refused,
    scene,
    task,
    turn_of,
)

BOTH = ("pope", "tancredi")  # of plan e01


def voted(state, *votes: int):
    for vote in votes:
        state = GAME.play(state, m.Vote(vote))
        assert GAME.problems(state) == ()
    return state


# -- declaring (R36, A16) ------------------------------------------------------------------------


def test_a16_only_with_both_externals_of_the_card(stage):
    state = stage(harm=True, team=("pope", "donovan"))
    assert refused(state, m.Declare()) == "team_incomplete"
    assert legal(stage(harm=True, team=BOTH), m.Declare())


def test_a16_only_at_the_start_of_scofields_own_turn(stage):
    state = stage(harm=True, team=BOTH)
    assert refused(act(state, m.RaiseGuilt()), m.Declare()) == "declare_at_start"
    kept = stage(harm=True, team=BOTH, kept={"scofield": ("c03",)}, guilt=4)
    assert refused(act(kept, m.UseCard("c03")), m.Declare()) == "declare_at_start"
    assert refused(stage(turn="sucre", team=BOTH), m.Declare()) == "only_scofield_declares"
    assert refused(stage(phase=2, harm=True), m.Declare()) == "already_declared"


def test_a16_declaring_is_free(stage):
    state = voted(act(stage(harm=True, team=BOTH), m.Declare()), 1, 1, 1, 1)
    assert (task(state), turn_of(state)) == ("turn", "scofield")
    assert state.todo[0].harm
    assert state.todo[0].escapes == 1


# -- the vote (A15) ------------------------------------------------------------------------------


def test_s28_r36_a15_most_votes_turn_guard(stage):
    state = act(stage(harm=True, team=BOTH), m.Declare())
    assert GAME.to_act(state) == (0, 1, 2, 3)
    assert refused(state, m.Vote(0)) == "not_scofield"
    assert refused(state, m.Vote(7)) == "no_such_seat"
    assert refused(state, m.RaiseGuilt()) == "vote_first"
    state = voted(state, 1, 3, 1, 2)
    assert state.bellick == 1
    assert state.phase == 2
    assert BOX.people[state.cast[1]] == "sucre"


def test_a15_seats_vote_in_any_order_and_once(stage):
    state = act(stage(harm=True, team=BOTH), m.Declare())
    state = GAME.play(state, m.Vote(1), 2)
    assert GAME.to_act(state) == (0, 1, 3)
    assert refused(state, m.Vote(3), seat=2) == "not_your_turn"


def test_a15_ties_are_scofields_to_decide(stage):
    state = voted(act(stage(harm=True, team=BOTH), m.Declare()), 1, 2, 1, 2)
    assert (task(state), GAME.to_act(state)) == ("tie_break", (0,))
    assert refused(state, m.Eliminate(3)) == "not_tied"
    assert refused(state, m.Vote(1)) == "break_the_tie"
    assert act(state, m.Eliminate(2)).bellick == 2


def test_votes_are_secret_in_the_house_until_all_are_in():
    state = voted(act(scene(harm=True, team=BOTH), m.Declare()), 1, 3)
    assert GAME.secret(state, m.Vote(1), 2)
    assert GAME.view(state, None)["votes"] is None
    assert GAME.view(state, 2)["voted"] == [True, True, False, False]
    assert GAME.view(state, 1)["vote"] == 3
    assert GAME.view(state, 2)["vote"] is None
    assert not GAME.closes_undo(state, m.Vote(1))
    state = voted(state, 1)
    assert GAME.closes_undo(state, m.Vote(1))
    assert GAME.view(voted(state, 1), None)["votes"] == [1, 3, 1, 1]


def test_votes_are_open_at_the_table():
    state = voted(act(scene(harm=True, team=BOTH, secrets="table"), m.Declare()), 1, 3)
    assert not GAME.secret(state, m.Vote(1), 2)
    assert GAME.view(state, None)["votes"] == [1, 3, None, None]


# -- what becomes of the eliminated player (R37, R38, A17) ---------------------------------------


def eliminated(stage, **more):
    return voted(act(stage(harm=True, team=BOTH, **more), m.Declare()), 1, 1, 1, 1)


def test_r2_r37_his_pawn_leaves_and_he_plays_bellick_in_his_seat(stage):
    state = eliminated(stage)
    assert not in_team(state, "sucre")
    assert state.where[BOX.person["sucre"]] == -1
    state = act(state, m.RaiseGuilt(), m.LowerGuilt())
    assert turn_of(state) == "bellick"
    assert GAME.to_act(state) == (1,)


def test_r38_the_unused_external_leaves_but_not_lincoln(stage):
    state = eliminated(stage)
    assert state.where[BOX.person["donovan"]] == -1
    assert at(state, "burrows") == "cells_3"
    third = voted(act(stage(harm=True, team=(*BOTH, "donovan")), m.Declare()), 1, 1, 1, 1)
    assert in_team(third, "donovan")


def test_a17_his_things_leave_the_game(stage):
    state = eliminated(
        stage,
        hands={"sucre": ("key", "letter")},
        kept={"sucre": ("c03",)},
        tools={"pliers": "sucre", "breaker": "abruzzi"},
        skips={"sucre": 2},
    )
    if not state.house:
        assert (task(state), GAME.to_act(state)) == ("surrender", (1,))
        assert refused(state, m.LowerGuilt()) == "show_first"
        assert refused(state, m.Show("blank")) == "not_in_the_box"
        state = act(state, m.Show("key"), m.Show("letter"), m.Show("c03"))
    assert state.gone == ("key", "letter")
    assert state.discard == ("c03",)
    assert state.tools == (-1, BOX.person["abruzzi"])  # back on its space
    assert "tool_pliers" in GAME.image(state)
    assert state.skips[BOX.person["sucre"]] == 0  # A46
    assert (task(state), turn_of(state)) == ("turn", "scofield")


def test_s25_r32_no_recruiting_in_phase_two(stage):
    state = stage(phase=2, where={"scofield": "z1_1"}, hands={"scofield": ("key",)})
    assert state.where[BOX.person["donovan"]] == -1
    state = act(state, m.Walk("parloir"))
    while task(state) == "marking":
        state = act(state, m.Done())
    assert task(state) == "follow_up"  # there is a token
    assert refused(state, m.Recruit("donovan")) == "recruit_phase_1"


# -- Lincoln (R40) -------------------------------------------------------------------------------


def test_s26_r40_lincoln_joins_whoever_walks_up_to_him(stage):
    state = stage(phase=2, where={"scofield": "cells_2"}, route=("cells", "yard"))
    state = act(state, m.Walk("cells_3"))
    assert in_team(state, "burrows")
    assert state.gone == ()


def test_r40_not_in_phase_one(stage):
    state = act(stage(where={"scofield": "z3_2"}), m.Walk("cells_3"))
    assert not in_team(state, "burrows")


def test_r40_he_is_fetched_from_isolation(stage):
    state = stage(phase=2, where={"scofield": "z4_7", "burrows": "isolation"}, route=("isolation",))
    state = act(state, m.Walk("isolation"), m.Done())
    assert in_team(state, "burrows")


def test_r40_passing_him_is_not_enough(stage):
    state = stage(phase=2, where={"scofield": "cells_2"}, route=("cells", "yard"))
    assert not in_team(act(state, m.Walk("z3_2")), "burrows")


def test_a13_lincoln_acts_on_the_day_he_joins(stage):
    state = stage(phase=2, turn="tancredi", where={"tancredi": "z3_2"}, route=("cells", "yard"))
    state = act(state, m.Walk("cells_3"))
    assert turn_of(state) == "burrows"


def test_a36_lincoln_does_not_join_one_whom_the_contact_moved_away(stage):
    state = stage(
        phase=2,
        where={"scofield": "z4_2", "burrows": "refectory"},
        route=("refectory",),
        guards=(("key", "refectory"),),
        persons_per_square=3,
    )
    state = act(state, m.Walk("refectory"))
    while task(state) == "marking":
        state = act(state, m.Done())
    state = act(state, m.DrawCard(), Drawn("cards", "h18"))
    assert at(state, "scofield") == "isolation"
    assert not in_team(state, "burrows")


# -- the escape (R3, A24) ------------------------------------------------------------------------

READY = {
    "plan": "e02",
    "phase": 2,
    "turn": "burrows",
    "team": ("burrows",),
    "route": ("laundry", "warden_office", "cells", "parloir"),
    "broken": (1, 0),
    "where": {"burrows": "z1_1"},
    "max_move": 1,
    "ground": {"parloir": ""},
}


def escaping(stage, **changes):
    state = act(stage(**(READY | changes)), m.Walk("parloir"))
    while task(state) in ("marking", "follow_up"):
        state = act(state, m.Done())
    if task(state) == "claim":
        assert GAME.to_act(state) == (0,)
        assert refused(state, m.LowerGuilt()) == "claim_first"
        assert refused(state, m.ShowPlan("e05")) == "missions_open"
        state = act(state, m.ShowPlan("e02"))
    return state


def test_s30_r3_all_missions_and_lincoln_at_the_exit(stage):
    state = escaping(stage)
    outcome = GAME.outcome(state)
    assert outcome.reason == "escaped"
    assert outcome.winners == (0, 1, 2)
    assert GAME.view(state, None)["plan"]["id"] == "e02"  # shown to all


def test_s15_on_the_last_day_too(stage):
    assert GAME.outcome(escaping(stage, day=30)).reason == "escaped"


@pytest.mark.parametrize(
    "missing",
    [
        {"route": ("laundry", "warden_office", "parloir")},
        {"broken": (0, 0)},
        {"broken": (2, 0)},
        {"broken": (0, 1)},
    ],
    ids=["route", "perimeter", "wrong camera", "tower for camera"],
)
def test_r3_one_mission_open_is_no_escape(stage, missing):
    assert GAME.outcome(escaping(stage, **missing)) is None


def test_a24_somebody_else_at_the_exit_is_no_escape(stage):
    state = stage(**(READY | {"turn": "scofield", "where": {"scofield": "z1_1"}}))
    state = act(state, m.Walk("parloir"))
    assert GAME.outcome(state) is None
    assert task(state) == "turn"


def test_a24_lincoln_need_not_be_the_last_to_act(stage):
    where = {"burrows": "parloir", "scofield": "z1_4"}
    changes = {"turn": "scofield", "where": where, "route": READY["route"][1:]}
    state = stage(**(READY | changes))
    state = act(state, m.Walk("laundry"), m.Mark("laundry"), m.Done())
    if not state.house:
        state = act(state, m.ShowPlan("e02"))
    assert GAME.outcome(state).reason == "escaped"


def test_a24_option_missions_only(stage):
    changes = {"win": "missions_only", "where": {"burrows": "z4_1"}}
    state = act(stage(**(READY | changes)), m.Walk("z4_2"))
    if not state.house:
        state = act(state, m.ShowPlan("e02"))
    assert GAME.outcome(state).reason == "escaped"


def test_at_the_table_scofield_may_hold_another_card():
    """Everything that one card asks may be done by accident; only Scofield knows which is his."""
    state = act(scene(**READY, secrets="table"), m.Walk("parloir"))
    assert listed(state, m.ShowPlan) == [m.ShowPlan("e02")]
    state = act(state, m.NotYet())
    assert GAME.outcome(state) is None
    assert state.declined == ("e02",)
    state = act(state, m.LowerGuilt() if state.todo[0].harm is False else m.RaiseGuilt())
    assert task(state) == "turn"  # he is not asked again and again


def test_at_the_table_a_card_with_other_externals_is_no_escape():
    state = scene(**(READY | {"plan": "e01", "team": ("burrows", "donovan")}), secrets="table")
    state = act(state, m.Walk("parloir"))
    assert task(state) == "turn"


def test_r39_missions_in_any_order(stage):
    """Route and perimeter before Lincoln has joined."""
    state = stage(
        plan="e02",
        phase=2,
        where={"scofield": "cells_2", "burrows": "cells_3"},
        route=READY["route"],
        broken=(1, 0),
    )
    state = act(state, m.Walk("cells_3"))
    while task(state) == "marking":
        state = act(state, m.Done())
    assert in_team(state, "burrows")
    assert GAME.outcome(state) is None


def test_r6_bellick_wins_by_holding_out(stage):
    state = stage(phase=2, day=30, turn="tancredi")
    state = act(state, m.LowerGuilt())
    assert GAME.outcome(state).winners == (3,)


def test_r37_the_two_tokens_are_bellicks_from_then_on(stage):
    state = eliminated(stage)
    state = act(state, m.RaiseGuilt(), m.LowerGuilt())
    assert len(listed(state, m.SwitchOn)) == 11


# -- warnings (A27, A42) -------------------------------------------------------------------------


def test_a27_a_loss_that_makes_the_mission_impossible_is_announced_first(stage):
    state = stage(harm=True, hands={"scofield": ("evidence",)}, gone=("evidence",))
    asked = act(state, m.LoseObject("evidence"))
    assert task(asked) == "warned"
    assert asked.gone == ("evidence",)  # nothing has happened yet
    assert GAME.to_act(asked) == (0,)
    assert "impossible" in GAME.prompt(asked, None).en
    assert "impossible" in GAME.offered(state, m.LoseObject("evidence"), 0).en
    assert refused(asked, m.RaiseGuilt()) == "sure_first"
    assert act(asked, m.Reconsider()) == state
    assert GAME.told(state, m.LoseObject("evidence"), 0, None).en.endswith("(To be confirmed.)")
    assert GAME.told(asked, m.Confirm(), 0, None).en == "Michael Scofield loses the evidence."
    assert act(asked, m.Confirm()).gone == ("evidence", "evidence")


def test_a27_the_last_but_one_is_lost_without_a_word(stage):
    state = stage(harm=True, hands={"scofield": ("evidence",)})
    assert task(act(state, m.LoseObject("evidence"))) == "turn"


def test_a27_what_nobody_needs_any_more_is_lost_without_a_word(stage):
    gone = {"hands": {"scofield": ("evidence",)}, "gone": ("evidence",)}
    assert task(act(stage(harm=True, team=("pope",), **gone), m.LoseObject("evidence"))) == "turn"
    assert task(act(stage(harm=True, phase=2, **gone), m.LoseObject("evidence"))) == "turn"
    key = {"hands": {"scofield": ("key",)}, "gone": ("key",)}  # Donovan's, who is not on the card
    assert task(act(stage(harm=True, **key), m.LoseObject("key"))) == "turn"


def test_a27_a_bribe_may_be_such_a_loss(stage):
    state = stage(
        where={"scofield": "z1_1"},
        guards=(("evidence", "z1_2"),),
        hands={"scofield": ("evidence",)},
        gone=("evidence",),
    )
    state = act(state, m.Walk("z1_2"), m.Bribe("evidence"))
    assert task(state) == "warned"
    assert act(state, m.Reconsider(), m.LoseTurn()).gone == ("evidence",)
    assert act(state, m.Confirm()).guards == ()


def test_a27_a_cell_search_may_be_such_a_loss(stage):
    state = stage(harm=True, hands={"scofield": ("money",)}, gone=("money",))
    state = act(state, m.DrawCard(), Drawn("cards", "h16"), m.LoseObject("money"))
    assert task(state) == "warned"
    assert act(state, m.Confirm()).gone == ("money", "money")


def test_a27_recruiting_with_the_last_one_is_no_loss(stage):
    state = stage(
        turn="abruzzi",
        where={"abruzzi": "z1_2"},
        hands={"abruzzi": ("evidence",)},
        gone=("evidence",),
    )
    state = act(state, m.Walk("warden_office"), m.Recruit("pope"))
    assert in_team(state, "pope")


def test_a42_placing_a_tool_is_asked_twice_and_only_prisoners_are_told_why():
    def asked(plan):
        state = scene(
            phase=2,
            plan=plan,
            where={"scofield": "z4_8"},
            tools={"pliers": "scofield"},
            route=("workshop",),
        )
        return act(state, m.Walk("workshop"), m.PlaceTool("pliers"))

    right, wrong, spare = asked("e04"), asked("e01"), asked("e07")
    for public in (None, 3):  # the table, and Bellick
        prompts = {GAME.prompt(state, public) for state in (right, wrong, spare)}
        assert len(prompts) == 1
    assert "impossible" in GAME.prompt(wrong, 1).en
    assert "perimeter" in GAME.prompt(right, 1).en
    assert "does not need" in GAME.prompt(spare, 1).en

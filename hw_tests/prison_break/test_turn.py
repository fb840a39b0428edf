"""Turns and days (R3–R6, R20–R26, R34)."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOX,
    GAME,
    act,
    begun,
    in_team,
    legal,
    listed,
    refused,
    rolled,
    task,
    to_act,
    turn_of,
)

QUIET = (m.RaiseGuilt(), m.LowerGuilt())


def quiet_turn(state):
    """The dullest turn there is."""
    if m.DrawCard() in GAME.moves(state) and turn_of(state) == "bellick":
        return act(act(state, m.DrawCard()), Drawn("cards", "h14"))
    return act(state, *(QUIET if state.todo[0].harm else QUIET[1:]))


def test_r21_a5_a_harmful_action_first_then_an_escape_action(stage):
    state = stage(harm=True)
    assert refused(state, m.LowerGuilt()) == "harm_first"
    assert refused(state, m.Walk("z1_6")) == "harm_first"
    state = act(state, m.RaiseGuilt())
    assert refused(state, m.RaiseGuilt()) == "harm_done"
    assert refused(state, m.DrawCard()) == "harm_done"
    assert turn_of(act(state, m.LowerGuilt())) == "sucre"


def test_a5_option_the_two_actions_in_any_order():
    state = begun(order="free")
    state = act(state, m.LowerGuilt())
    assert turn_of(state) == "scofield"
    assert refused(state, m.LowerGuilt()) == "escape_done"
    assert turn_of(act(state, m.RaiseGuilt())) == "sucre"


def test_r22_drawing_a_card_takes_effect_at_once(stage):
    state = act(stage(harm=True), m.DrawCard())
    assert to_act(state) == "chance"
    state = act(state, Drawn("cards", "h15"))
    assert state.guilt == 2
    assert state.active == "h15"


def test_r24_raising_guilt(stage):
    assert act(stage(harm=True, guilt=7), m.RaiseGuilt()).guilt == 8


def test_r25_losing_an_object_for_good(stage):
    state = act(stage(harm=True, hands={"scofield": ("key", "letter")}), m.LoseObject("letter"))
    assert state.gone == ("letter",)
    assert len(state.hands[0]) == 1
    assert task(state) == "turn"
    assert not state.todo[0].harm


def test_r25_without_objects_it_is_not_offered(stage):
    state = stage(harm=True)
    assert listed(state, m.LoseObject) == []
    assert refused(state, m.LoseObject("key")) == "object_not_held"


def test_r26_lowering_guilt(stage):
    assert act(stage(guilt=7), m.LowerGuilt()).guilt == 6


def test_s14_a28_guilt_stays_at_nothing(stage):
    state = act(stage(guilt=0), m.LowerGuilt())
    assert state.guilt == 0
    assert turn_of(state) == "sucre"


def test_a47_raising_and_lowering_are_always_possible(stage):
    state = stage(harm=True, lit=(0, 1), where={"scofield": "laundry"})
    assert legal(state, m.RaiseGuilt())
    state = act(state, m.RaiseGuilt())
    assert GAME.moves(state) == (m.LowerGuilt(),)


@pytest.mark.parametrize("phase", [1, 2])
def test_s13_r4_r6_a30_at_thirty_the_prisoners_lose_at_once(stage, phase):
    state = act(stage(harm=True, guilt=29, phase=phase), m.RaiseGuilt())
    assert state.guilt == 30
    outcome = GAME.outcome(state)
    assert outcome.reason.startswith("culpability_phase_")
    assert outcome.winners == ((3,) if phase == 2 else ())  # R6, A30
    assert GAME.to_act(state) == ()
    assert refused(state, m.LowerGuilt(), seat=0) == "over"


def test_s41_a50_guilt_above_thirty_counts_as_thirty(stage):
    state = act(stage(harm=True, guilt=29), m.DrawCard(), Drawn("cards", "h15"))
    assert state.guilt == 30
    assert GAME.outcome(state).reason.startswith("culpability_phase_")


def test_r20_a6_the_countdown_moves_when_all_have_played():
    state = begun()
    for seat in range(4):
        assert state.day == 1
        assert GAME.to_act(state) == (seat,)
        state = act(state, *QUIET)
    assert state.day == 2
    assert turn_of(state) == "scofield"
    assert GAME.tracks(state)[0].value == 2


@pytest.mark.parametrize("phase", [1, 2])
def test_s16_r5_a_day_thirty_without_escape_loses(stage, phase):
    state = stage(day=30, turn="abruzzi", phase=phase, harm=True, team=("burrows",) * (phase - 1))
    while GAME.outcome(state) is None:
        assert state.day == 30
        state = quiet_turn(state)
    assert GAME.outcome(state).reason.startswith("days_phase_")
    assert GAME.outcome(state).winners == ((3,) if phase == 2 else ())
    assert state.day == 30


def test_r5_the_last_day_is_played_to_its_end(stage):
    state = stage(day=30, turn="scofield", phase=2, harm=True)
    order = []
    while GAME.outcome(state) is None:
        order.append(turn_of(state))
        state = quiet_turn(state)
    assert order == ["scofield", "sucre", "abruzzi", "bellick", "pope", "tancredi"]


def test_s39_a13_the_order_of_a_day_in_phase_two(stage):
    state = stage(phase=2, harm=True, team=("donovan", "burrows"))
    order = []
    for _ in range(9):
        order.append((turn_of(state), state.day))
        state = quiet_turn(state)
    people = ["scofield", "sucre", "abruzzi", "bellick", "pope", "tancredi", "donovan", "burrows"]
    assert order == [(who, 1) for who in people] + [("scofield", 2)]


def test_a13_scofields_player_acts_for_externals_and_lincoln(stage):
    for who in ("pope", "burrows"):
        state = stage(phase=2, turn=who, team=("burrows",))
        assert GAME.to_act(state) == (0,)
        assert refused(state, m.LowerGuilt(), seat=1) == "not_your_turn"


def test_a13_who_joined_the_same_day_acts_too(stage):
    state = stage(
        turn="bagwell",
        where={"bagwell": "z1_2"},
        hands={"bagwell": ("evidence",)},
        harm=False,
        ground={"warden_office": ""},
    )
    state = act(state, m.Walk("warden_office"), m.Recruit("pope"))
    assert turn_of(state) == "pope"
    assert state.day == 1
    assert act(state, m.LowerGuilt()).day == 2


def test_s29_r34_an_external_makes_one_escape_action_and_no_harmful_one(stage):
    state = stage(turn="tancredi", phase=2)
    for harmful in (m.DrawCard(), m.AddGuard(), m.RaiseGuilt()):
        assert refused(state, harmful) == "externals_do_no_harm"
    assert turn_of(act(state, m.LowerGuilt())) == "scofield"


def test_a34_a_lost_turn_skips_both_actions(stage):
    state = stage(turn="scofield", skips={"sucre": 1})
    state = act(state, m.LowerGuilt())
    assert turn_of(state) == "abruzzi"
    assert state.skips[BOX.person["sucre"]] == 0
    assert state.day == 1


def test_a46_lost_turns_add_up_and_days_go_on(stage):
    state = stage(turn="bagwell", skips={"scofield": 2})
    state = act(state, m.LowerGuilt())
    assert (turn_of(state), state.day) == ("sucre", 2)
    for _ in range(3):
        state = quiet_turn(state)
    assert (turn_of(state), state.day) == ("sucre", 3)


def test_a46_in_a_skipped_turn_scofield_cannot_declare(stage):
    state = stage(turn="bagwell", skips={"scofield": 1}, team=("pope", "tancredi"))
    state = act(state, m.LowerGuilt(), m.LowerGuilt(), m.LowerGuilt())
    assert turn_of(state) == "sucre"
    assert refused(state, m.Declare()) == "only_scofield_declares"


def test_a46_an_externals_lost_turn_is_his_next_escape_action(stage):
    state = stage(turn="bagwell", team=("pope",), skips={"pope": 1})
    state = act(state, m.LowerGuilt())
    assert (turn_of(state), state.day) == ("scofield", 2)
    assert in_team(state, "pope")


def test_what_comes_after_a_move_needs_a_move(stage):
    state = stage(where={"scofield": "parloir"})
    for move in (m.Search(), m.Recruit("donovan"), m.Bribe("key"), m.PickUp("pliers")):
        assert refused(state, move) == "walk_first"
    assert refused(state, m.Confirm()) == "not_now"


def test_a12_when_all_guards_are_used_the_option_is_gone(stage):
    squares = [s for s in GAME.spaces(begun())[:45] if not s.endswith("_5")]
    guards = tuple((BOX.kinds[n // 5], squares[n]) for n in range(30))
    state = stage(harm=True, guards=guards)
    assert refused(state, m.AddGuard()) == "no_guards_left"
    state = act(state, m.DrawCard(), Drawn("cards", "h12"))  # and a card brings none
    assert task(state) == "turn"


def test_a_shorter_game():
    state = begun(days=1, guilt_limit=3)
    for _ in range(4):
        state = act(state, *QUIET)
    assert GAME.outcome(state).reason.startswith("days_phase_")
    assert GAME.tracks(state)[0].maximum == 1
    assert act(begun(guilt_limit=1), m.RaiseGuilt()).over == "guilt"


def test_the_die_is_asked_again_where_a_zone_has_no_room(stage):
    guards = tuple((BOX.kinds[n % 6], f"z3_{n + 1}") for n in range(9))
    state = act(stage(harm=True, guards=guards), m.AddGuard())
    state = rolled(state, 3)
    assert task(state) == "guard_roll"
    assert to_act(state) == "chance"
    assert task(rolled(state, 2)) == "guard_placing"

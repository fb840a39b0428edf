"""The round (R13–R28): guard, talk, vote, turns; and the end that nobody wants (R2)."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import CALL_VOTE, END, STAMINA, USE, Choose, EndTurn, Vote
from game_logic.alcatraz.steps import Acting, Ballot, Guard, Over, Talk, Tie
from game_logic.core import CHANCE, HOUSE, Illegal
from hw_tests.alcatraz.table import GAME, location, play, prison, why_not

BOTH = pytest.mark.parametrize("secrets", ["house", "table"])


def voted(s, *votes):
    s = play(s, CALL_VOTE)
    return play(s, *((seat, Vote(to)) for seat, to in enumerate(votes)))


def test_r13_the_first_round_is_execution_only_and_others_have_three_phases():
    s = prison(scapegoat=0, turn=0)
    assert s.round == 1
    s = play(s, END, END, END)
    assert isinstance(s.step, Guard)
    assert s.round == 2
    s = play(s, location("chapel"))
    assert isinstance(s.step, Talk)
    s = voted(s, 1, 1, 1)
    assert isinstance(s.step, Acting)


def test_r14_one_guard_comes_where_a_card_says():
    s = prison(turn=None, step=Guard(), guards={"chapel": 1})
    before = sum(s.guards)
    s = play(s, location("chapel"))
    assert sum(s.guards) == before + 1
    assert s.guards[0] == 2


def test_r15_never_more_than_four():
    s = prison(turn=None, step=Guard(), guards={"chapel": 4})
    assert why_not(s, location("chapel"), CHANCE) == "place_is_full"
    assert len(GAME.moves(s)) == 11


def test_r2_r16_s9_the_21st_guard_ends_the_game_after_13_rounds():
    s = prison(scapegoat=0, turn=0)
    for round_ in range(1, 14):
        assert s.round == round_
        assert sum(s.guards) == 7 + round_
        s = play(s, END, END, END)
        if round_ < 13:
            s = play(s, GAME.moves(s)[0])
            s = voted(s, 0, 0, 0)
    assert s.step == Over(None)
    assert sum(s.guards) == 20
    outcome = GAME.outcome(s)
    assert (outcome.winners, outcome.reason) == ((), "last_guard")
    assert GAME.tracks(s)[0].value == 21
    assert GAME.to_act(s) == ()


def test_r17_talks_wait_for_the_vote():
    s = prison(turn=None)
    assert why_not(s, Vote(1)) == "vote_not_called"
    assert why_not(s, Vote(1), 0) == "not_your_turn"


def test_r18_the_scapegoat_calls_the_vote():
    s = prison(turn=None, scapegoat=1)
    assert GAME.to_act(s) == (1,)
    assert isinstance(play(s, CALL_VOTE).step, Ballot)


def test_r18_so_does_the_clock_after_two_minutes():
    s = prison(turn=None)
    deadline = GAME.deadline(s)
    assert (deadline.seconds, deadline.move) == (120.0, CALL_VOTE)
    assert isinstance(GAME.play(s, deadline.move, HOUSE).step, Ballot)
    assert GAME.deadline(GAME.play(s, deadline.move, HOUSE)) is None
    later = prison(turn=None, guards={"chapel": 4, "yard": 4, "laundry": 2})
    assert GAME.deadline(later).id != deadline.id
    with pytest.raises(Illegal):
        GAME.play(prison(), CALL_VOTE, HOUSE)


def test_r18_without_a_clock_the_house_ends_no_talk():
    s = prison(turn=None, talk_seconds=0)
    assert GAME.deadline(s) is None
    with pytest.raises(Illegal):
        GAME.play(s, CALL_VOTE, HOUSE)


@BOTH
def test_r19_all_vote_in_any_order_and_may_vote_for_themselves(secrets):
    s = play(prison(turn=None, secrets=secrets), CALL_VOTE)
    assert GAME.to_act(s) == (0, 1, 2)
    s = play(s, (2, Vote(2)), (0, Vote(2)))
    assert isinstance(s.step, Ballot)
    s = play(s, (1, Vote(0)))
    assert s.scapegoat == 2
    assert s.votes == (2, 0, 2)


@BOTH
def test_r19_a_vote_may_be_changed_until_the_last_is_in(secrets):
    s = play(prison(turn=None, secrets=secrets), CALL_VOTE)
    s = play(s, (0, Vote(1)))
    assert why_not(s, Vote(1), 0) == "same_vote"
    s = play(s, (0, Vote(2)), (1, Vote(1)), (1, Vote(2)), (2, Vote(0)))
    assert s.votes == (2, 2, 0)
    assert why_not(s, Vote(1), 0) == "not_your_turn"


def test_r19_house_votes_are_secret_until_all_are_in():
    s = play(prison(turn=None), CALL_VOTE)
    one, two = play(s, (0, Vote(1))), play(s, (0, Vote(2)))
    for seat in (None, 1, 2):
        assert GAME.view(one, seat) == GAME.view(two, seat)
        assert GAME.told(s, Vote(1), 0, seat) == GAME.told(s, Vote(2), 0, seat)
    assert GAME.view(one, 0)["vote"] == 1
    assert GAME.told(s, Vote(1), 0, 0) != GAME.told(s, Vote(2), 0, 0)
    assert GAME.secret(s, Vote(1), 0)
    last = play(one, (1, Vote(1)))
    assert not GAME.closes_undo(one, Vote(1))
    assert GAME.closes_undo(last, Vote(0))
    assert "Ana → Bo" in GAME.told(last, Vote(0), 2, None).en
    assert GAME.view(play(last, (2, Vote(0))), None)["votes"] == (1, 1, 0)


def test_r19_table_votes_are_open_when_they_are_entered():
    s = play(prison(turn=None, secrets="table"), CALL_VOTE)
    assert not GAME.secret(s, Vote(1), 0)
    assert GAME.closes_undo(s, Vote(1))
    s = play(s, (0, Vote(1)))
    assert GAME.view(s, None)["under_way"]["votes"] == (1, None, None)
    assert not GAME.closes_undo(s, Vote(1))


def test_r20_most_votes_win():
    assert voted(prison(4, turn=None), 3, 3, 1, 0).scapegoat == 3


@BOTH
def test_r20_s18_a_tie_is_broken_by_the_previous_scapegoat(secrets):
    s = voted(prison(4, turn=None, scapegoat=2, secrets=secrets), 0, 0, 1, 1)
    assert s.step == Tie((0, 1))
    assert GAME.to_act(s) == (2,)
    assert GAME.moves(s) == (Choose(0), Choose(1))
    assert why_not(s, Choose(2)) == "not_tied"
    assert play(s, Choose(1)).scapegoat == 1


def test_s34_one_vote_each_and_anybody_may_be_named():
    s = voted(prison(turn=None, scapegoat=0), 1, 2, 0)
    assert GAME.moves(s) == (Choose(0), Choose(1), Choose(2))


def test_a23_the_previous_scapegoat_may_pick_himself_if_tied():
    s = play(voted(prison(4, turn=None, scapegoat=0), 0, 0, 1, 1), Choose(0))
    assert (s.scapegoat, s.bonus) == (0, 2)


def test_r21_the_bonus_grows_to_three_and_falls_back():
    s = prison(turn=None, scapegoat=1, bonus=1)
    for bonus in (2, 3, 3):
        s = voted(s, 1, 1, 1)
        assert s.bonus == bonus
        s = play(s, END, END, END)
        s = play(s, GAME.moves(s)[0])
    assert voted(s, 0, 0, 0).bonus == 1


def test_a24_the_first_bonus_is_one():
    assert prison(scapegoat=0, turn=0).bonus == 1


def test_r24_r25_the_scapegoat_plays_first_then_clockwise():
    s = voted(prison(4, turn=None), 2, 2, 2, 2)
    order = []
    while isinstance(s.step, Acting):
        order.append(s.turn.seat)
        s = play(s, END)
    assert order == [2, 3, 0, 1]


def test_r25_nobody_else_acts_on_a_turn():
    s = prison(turn=0)
    assert GAME.to_act(s) == (0,)
    assert GAME.moves(s, 1) == ()
    assert why_not(s, END, 1) == "not_your_turn"


@pytest.mark.parametrize(("seats", "ap"), [(3, 3), (4, 2)])
def test_r26_action_points(seats, ap):
    s = voted(prison(seats, turn=None), *(1,) * seats)
    assert s.turn.ap == ap + 1
    assert play(s, END).turn.ap == ap


def test_s16_fourth_round_as_scapegoat():
    s = voted(prison(4, turn=None, scapegoat=1, bonus=3), 1, 1, 1, 1)
    assert s.turn.ap == 5


def test_s17_new_scapegoat_of_three():
    assert voted(prison(turn=None, scapegoat=1, bonus=3), 0, 0, 0).turn.ap == 4


def test_r27_unused_points_are_lost():
    s = play(prison(turn=0, stamina={0: 1}), STAMINA, END)
    assert s.turn.seat == 1
    assert s.turn.ap == 3


def test_r28_after_the_last_turn_a_new_round_begins():
    s = prison(scapegoat=2, turn=1, at=("canteen", "canteen"))
    s = play(s, USE, END)
    assert isinstance(s.step, Guard)
    assert GAME.view(s, None).get("turn") is None


def test_a31_ending_the_turn_is_always_legal():
    assert EndTurn() in GAME.moves(prison(ap=0, guards={"chapel": 4}))


def test_a38_guards_come_in_phase_1_and_rewards_in_phase_3():
    s = prison(scapegoat=0, turn=2, guards={"chapel": 4, "yard": 4, "laundry": 4, "canteen": 4})
    assert sum(s.guards) < 20
    assert isinstance(play(s, END).step, Guard)

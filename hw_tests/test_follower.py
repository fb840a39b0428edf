"""Pieces in the hand: nobody is hurried, nothing is guessed, and a move is confirmed or goes on."""

from __future__ import annotations

from firmware_host.follower import HELD, LINGER, Follower
from firmware_host.journal import Record
from firmware_host.notices import Accept
from firmware_host.people.mistakes import lifted
from firmware_host.sighting import Grade, Sighting, Sightings, all_seen
from firmware_host.tracker import Found, Mend
from hw_tests.test_tracker import DRAWN, GAME, WHO
from hw_tests.test_tracker import board as toy_board
from hw_tests.test_tracker import state as toy_state
from hw_tests.test_tracker_games import evening, verdict
from hw_tests.verdict import judge


def moment(wanted, held):
    """Of a game of Prison Break on switches: a record, the board before a move, and the board with
    the pawn in the `held` hand or where it went, where the tracker says that it is `wanted`."""
    for game, state, act, after in evening("prison_break", 7, 2000):
        before, board = game.image(state), game.image(after)
        like = {s: Sighting(Grade.SOME) for s in game.spaces(state)}
        there = Sightings(all_seen(lifted(before, board) if held else board, like))
        said = verdict(game, state, there)
        if isinstance(said, wanted) and said.aloft:
            seats = tuple(f"Player {n}" for n in range(len(game.view(state, None)["seats"])))
            record = Record.begin(game, seats, key=b"test").correct(state)
            return record, act, Sightings(all_seen(before, like)), there
    raise AssertionError("never in this game")


def following(record, sightings):
    follower = Follower()
    follower.follow(record, None, sightings)
    assert judge(follower, sightings, 0.0) is None
    return follower


def test_a_lifted_pawn_is_waited_for_and_then_asked_back():
    record, _, before, there = moment(Mend, held=True)
    follower = following(record, before)
    assert judge(follower, there, 1.0) is None
    assert follower.notice is None
    assert follower.due == 1.0 + HELD
    assert judge(follower, there, 1.0 + HELD) is None
    assert follower.notice.kind == "mend"
    assert judge(follower, before, 9.0) is None
    assert follower.notice is None
    assert not follower.mending


def test_a_pawn_that_joins_another_is_confirmed_and_never_taken_by_time_alone():
    record, act, before, there = moment(Found, held=False)
    follower = following(record, before)
    for later in (1.0, 1.0 + LINGER, 100.0, 10_000.0):
        assert judge(follower, there, later) is None
    assert follower.notice.confirm
    decision = follower.confirm()
    assert isinstance(decision, Accept)
    assert decision.acts == (act,)


def test_a_pawn_put_back_was_never_anywhere():
    record, _, before, there = moment(Found, held=False)
    follower = following(record, before)
    assert judge(follower, there, 1.0) is None
    assert judge(follower, before, 2.0) is None
    assert follower.notice is None
    assert follower.confirm() is None


def test_a_menu_that_is_asked_anew_stands_where_it_stood():
    """Somebody is about to confirm; that a sensor falls silent is nothing to them."""
    before = toy_state(DRAWN)
    record = Record.begin(GAME, ("Ana", "Bo"), key=b"test").correct(before)
    follower = following(record, toy_board(before))
    assert follower.next()
    stood = follower.question
    assert (stood.kind, stood.at) == ("menu", 1)
    assert judge(follower, toy_board(before, WHO), 5.0) is None
    assert follower.question == stood

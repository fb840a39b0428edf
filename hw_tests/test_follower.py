"""The follower on the toy game: what it asks, what it holds back, and what it then accepts."""

from __future__ import annotations

from firmware_host.follower import Accept, Aside, Follower, Keep, Nothing, left_by
from firmware_host.journal import Record
from firmware_host.sighting import Grade, Sighting
from game_logic.core import Act, Piece
from hw_tests.test_tracker import BOARD, DRAWN, GAME, board
from hw_tests.toy import Bet, Creep, Pace, Shift


def follower(*acts):
    """At a table that sees everything, after these acts."""
    record = Record.begin(GAME, ("Ana", "Bo"))
    for act in (Act(0, Bet(1)), Act(1, Bet(1)), DRAWN, *acts):
        record = record.intent((act,))
    following = Follower()
    following.follow(record, GAME.image(record.state), board(record.state))
    return following, record.state


def judged(following, sightings, now):
    decision = following.look(sightings, now)
    while following.busy:
        decision = following.look(sightings, now)
    return decision


def test_a_provisional_move_is_accepted_in_its_time_whatever_people_look_at_meanwhile():
    following, state = follower(Act(0, Pace(2)), Act(0, Creep(2)))
    shift = Act(0, Shift(2, 1))
    there = board(GAME.play(state, shift.move))
    assert judged(following, there, 10.0) is None
    assert following.notice.kind == "provisional"
    assert following.next(), "first that: no menu opens over it"
    assert following.question is None
    assert judged(following, there, 10.5) is None
    accepted = judged(following, there, 12.0)
    assert accepted == Accept((shift,), left_by(GAME, state, (shift,)), lingered=True)


def test_a_provisional_move_is_accepted_at_once_on_confirm():
    following, state = follower(Act(0, Pace(2)), Act(0, Creep(2)))
    judged(following, board(GAME.play(state, Shift(2, 1))), 10.0)
    assert following.confirm().acts == (Act(0, Shift(2, 1)),)


def test_where_the_table_is_right_it_can_be_kept():
    following, state = follower(Act(0, Pace(2)), Act(0, Creep(2)))
    wrong = board(
        state, BOARD, s6=Sighting(Grade.WHO, (Piece("pawn", "pawn_1"),)), s0=Sighting(Grade.WHO)
    )
    judged(following, wrong, 10.0)
    assert following.notice.kind == "mend"
    assert following.next()
    kinds = [type(answer) for answer in following.question.answers]
    assert kinds == [Nothing, Keep, Aside]
    kept = following.question.answers[1].state
    assert GAME.image(kept)["s6"] == (Piece("pawn", "pawn_1"),)
    assert following.answer(0) == Nothing()
    assert following.notice.kind == "mend", "it is still to be mended"


def test_what_a_switch_cannot_name_is_told_by_what_is_missing():
    following, state = follower(Act(0, Pace(2)), Act(0, Creep(2)))
    wrong = board(state, BOARD, g2=Sighting(Grade.SOME), g6=Sighting(Grade.SOME, count=1))
    judged(following, wrong, 10.0)
    said = following.notice.text.en
    assert "square 6" in said
    assert "square 2" in said

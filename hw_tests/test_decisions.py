"""One phone's vote never makes another's stale; a vote that comes too late is not the next one."""

from __future__ import annotations

from firmware_host.decisions import Decisions
from firmware_host.journal import Record
from game_logic.core import Act
from hw_tests.toy import ToyGame

GAME = ToyGame()


def test_a_bet_leaves_the_other_seat_deciding_what_it_decided():
    record, decisions = Record.begin(GAME, ("Ana", "Bo")), Decisions()
    decisions.follow(record, ())
    before = dict(decisions.all())
    assert len(before) > 1, "the toy begins with bets"
    act = Act(0, GAME.moves(record.state, 0)[0])
    record = record.intent((act,))
    decisions.follow(record, (act,))
    assert decisions.since(1) == before[1]
    assert decisions.since(0) != before[0]


def test_after_an_undo_everything_is_decided_anew():
    record, decisions = Record.begin(GAME, ("Ana", "Bo")), Decisions()
    decisions.follow(record, ())
    act = Act(0, GAME.moves(record.state, 0)[0])
    record = record.intent((act,))
    decisions.follow(record, (act,))
    record = record.undo(confirmed=True)
    decisions.follow(record, ())
    assert dict(decisions.all()) == {0: record.seq, 1: record.seq}


def test_nobody_decides_where_there_is_no_game():
    decisions = Decisions()
    decisions.follow(None, ())
    assert decisions.all() == ()
    assert decisions.since(0) is None

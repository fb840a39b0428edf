"""One phone's vote never makes another's stale; a vote that comes too late is not the next one."""

from __future__ import annotations

import random

from firmware_host.decisions import Decisions
from firmware_host.journal import Record
from game_logic import load
from game_logic.alcatraz.moves import CallVote, EndTurn
from game_logic.core import CHANCE, Act, pick
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


def vote(record, decisions, by):
    game = record.game
    act = Act(by, game.moves(record.state, by)[0])
    record = record.intent((act,))
    decisions.follow(record, (act,))
    return record


def called_vote():
    """Alcatraz, where the prompt names those whose vote is missing."""
    game, rng = load("alcatraz"), random.Random(1)
    record = Record.begin(game, ("Ana", "Bo", "Cy"))
    while len(game.to_act(record.state)) < 3:
        by = game.to_act(record.state)[0]
        if by == CHANCE:
            move = pick(game.chance(record.state).parts[0], rng.randrange)
        else:
            ends = (EndTurn, CallVote)
            move = next(m for m in game.moves(record.state, by) if isinstance(m, ends))
        record = record.intent((Act(by, move),))
    return record


def test_a_prompt_that_names_the_missing_makes_no_vote_stale():
    record, decisions = called_vote(), Decisions()
    decisions.follow(record, ())
    since = record.seq
    record = vote(record, decisions, 0)
    record = vote(record, decisions, 1)
    assert decisions.since(2) == since
    record = vote(record, decisions, 2)
    assert all(when == record.seq for _, when in decisions.all()), "what follows is decided anew"


def test_a_bet_that_is_locked_makes_no_other_stale():
    game = load("la_grande_evasion")
    record, decisions = Record.begin(game, ("Ana", "Bo")), Decisions()
    decisions.follow(record, ())
    since = decisions.since(1)
    while 0 in game.to_act(record.state):
        record = vote(record, decisions, 0)
    assert decisions.since(1) == since


def test_nobody_decides_where_there_is_no_game():
    decisions = Decisions()
    decisions.follow(None, ())
    assert decisions.all() == ()
    assert decisions.since(0) is None

"""Pieces in the hand: nobody is hurried, nothing is guessed, and a move is confirmed or goes on."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from firmware_host.follower import HELD, LINGER, Follower
from firmware_host.journal import Record
from firmware_host.notices import Accept, Back, Keep
from firmware_host.people.mistakes import lifted
from firmware_host.sighting import Grade, Sighting, Sightings, all_seen
from firmware_host.tracker import Found, Mend
from game_logic.core import CHANCE, Act, Piece, pick
from hw_tests.test_tracker import DRAWN, GAME, WHO
from hw_tests.test_tracker import board as toy_board
from hw_tests.test_tracker import state as toy_state
from hw_tests.test_tracker_games import evening, verdict
from hw_tests.toy import Creep, Pace
from hw_tests.verdict import judge

LOST = frozenset({"s2"})


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


def test_a_menu_that_people_have_opened_stays_there_while_readers_come_and_go():
    """It has more to choose from while one is silent; the finger stays on what it stood on."""
    paged = 0
    for game, state, _, _ in evening("alcatraz", 3, 120):
        board = all_seen(game.image(state), {s: Sighting(Grade.WHO) for s in game.spaces(state)})
        seats = tuple(f"Player {n}" for n in range(len(game.view(state, None)["seats"])))
        record = Record.begin(game, seats, key=b"test").correct(state)
        follower = following(record, Sightings(board))
        if follower.question is not None or not follower.next():
            continue
        for _ in follower.question.options[len(follower.question.options) // 2 :]:
            follower.next()
        stood = follower.question.options[follower.question.at]
        for space in board:
            others = {s: seen for s, seen in board.items() if s != space}
            for sightings in (Sightings(others, lost=frozenset({space})), Sightings(board)):
                assert judge(follower, sightings, 5.0) is None
                assert follower.question.options[follower.question.at] == stood
                paged += 1
    assert paged > 50


def test_what_a_piece_held_up_does_stays_there_while_a_reader_falls_silent():
    record, _, before, _ = moment(Mend, held=True)
    follower = following(record, before)
    for space, pieces in record.game.image(record.state).items():
        for piece in pieces:
            if follower.hold_up(piece) is None:
                asked = follower.question
                rest = {s: seen for s, seen in before.spaces.items() if s != space}
                assert judge(follower, Sightings(rest, lost=frozenset({space})), 5.0) is None
                assert follower.question == asked
                return
    raise AssertionError("no piece may go anywhere")


def test_what_was_wrong_is_forgotten_once_the_board_has_been_set_up_again():
    """A pawn was told to move to where nobody saw; then a stranger; then the sensor was back."""
    before = toy_state(DRAWN, Act(0, Pace(2)))
    record = Record.begin(GAME, ("Ana", "Bo"), key=b"test").correct(before)
    follower = following(record, toy_board(before))
    after = record.intent((Act(0, Creep(2)),))
    whole = toy_board(after.state)
    blind = {space: seen for space, seen in whole.spaces.items() if space != "s2"}
    follower.follow(after, GAME.image(after.state), replace(whole, spaces=blind, lost=LOST))
    stranger = Sighting(Grade.WHO, (Piece("pawn", "stranger"),))
    wrong = replace(whole, spaces=blind | {"s5": stranger}, lost=LOST)
    assert judge(follower, wrong, 1.0) is None
    assert follower.notice.kind == "mend"
    empty = replace(whole, spaces=whole.spaces | {"s2": Sighting(Grade.WHO)})
    assert judge(follower, empty, 2.0) is None
    assert follower.notice.kind == "arrange"
    assert judge(follower, whole, 3.0) is None
    assert follower.notice is None
    assert not follower.mending
    follower.next()


def seen_by_some(rng, board_of, image_of):
    """A board by sensors of which some are silent; now and then it is another board."""
    there = toy_board(image_of if rng.random() < 0.3 else board_of)
    silent = {space for space in there.spaces if rng.random() < 0.15}
    left = {space: s for space, s in there.spaces.items() if space not in silent}
    return replace(there, spaces=left, lost=frozenset(silent), shaken=rng.random() < 0.2)


@pytest.mark.parametrize("seed", range(30))
def test_whatever_sensors_say_and_people_press_it_goes_on(seed):
    rng = random.Random(seed)
    record = Record.begin(GAME, ("Ana", "Bo"), key=b"test").correct(toy_state(DRAWN))
    follower = Follower()
    follower.follow(record, None, toy_board(record.state))
    now, others = 0.0, [record.state]
    for _ in range(120):
        now += rng.choice((0.3, 2.0, 5.0))
        sightings = seen_by_some(rng, record.state, rng.choice(others))
        press = rng.choice(("", "", "next", "confirm", "answer"))
        decision = judge(follower, sightings, now)
        if press == "next":
            follower.next()
        elif press == "confirm":
            decision = follower.confirm()
        elif press == "answer" and follower.question is not None:
            decision = follower.answer(rng.randrange(len(follower.question.options)))
        assert not follower.mending or follower.notice or follower.question, "silence is a bug"
        hands_left = GAME.image(record.state)
        if isinstance(decision, Accept):
            hands_left = decision.board or hands_left
            record = record.intent(decision.acts)
        elif isinstance(decision, Back):
            record = record.undo(record.takebacks[decision.intents - 1].entry.seq)
        elif isinstance(decision, Keep):
            record = record.correct(decision.state)
        else:
            continue
        others.append(record.state)
        if GAME.outcome(record.state) is not None:
            return
        while GAME.to_act(record.state) == (CHANCE,):
            drawn = pick(GAME.chance(record.state).parts[0], rng.randrange)
            record = record.intent((Act(CHANCE, drawn),))
        follower.follow(record, hands_left, sightings)

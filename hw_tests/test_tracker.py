"""The tracker on the toy game: every outcome of the search, at every grade."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from firmware_host.sighting import Grade, Sighting, Sightings, all_seen, fits
from firmware_host.tracker import Ahead, Asked, Found, Mend, Past, Still, TakenBack
from game_logic import load
from game_logic.breakout.moves import Push
from game_logic.core import Act, Piece, play_all
from hw_tests.toy import Bet, Creep, Drawn, Pace, Shift, ToyGame
from hw_tests.verdict import verdict

GAME = ToyGame()
WHO = {f"s{n}": Sighting(Grade.WHO) for n in range(7)}
GUARDS = {f"g{n}": Sighting(Grade.SOME) for n in range(7)}
BOARD = WHO | GUARDS


def state(*acts, seats=("Ana", "Bo")):
    start = GAME.new(seats)
    bets = [Act(s, Bet(1)) for s in range(len(seats))]
    return play_all(GAME, start, [*bets, *acts])


def ruled(before, sightings, past=()):
    return verdict(GAME, before, sightings, past)


def board(of, like=BOARD, **changes):
    return Sightings(all_seen(GAME.image(of), like) | changes)


DRAWN = Act(-1, Drawn("deck", "rope"))
READY = state(DRAWN, Act(0, Pace(2)))


def test_a_board_as_the_state_says_is_still():
    assert ruled(READY, board(READY)) == Still()


def test_one_explanation_is_found():
    after = GAME.play(READY, Creep(2))
    assert ruled(READY, board(after)) == Found((Act(0, Creep(2)),))


def test_several_moves_of_one_hand_are_found_in_order():
    after = play_all(GAME, READY, [Act(0, Creep(2)), Act(0, Shift(4, 5))])
    found = ruled(READY, board(after))
    assert found.acts == (Act(0, Creep(2)), Act(0, Shift(4, 5)))


def test_a_choice_no_sensor_sees_is_asked_for_and_the_pieces_are_ahead():
    before = state(DRAWN)
    after = play_all(GAME, before, [Act(0, Pace(2)), Act(0, Creep(2))])
    assert ruled(before, board(after)) == Ahead((Act(0, Pace(2)),))


def test_what_sensors_cannot_tell_apart_is_asked():
    before = GAME.play(READY, Creep(2))
    lifted = board(
        before, GUARDS, g2=Sighting(Grade.SOME), g3=Sighting(Grade.BLIND), g1=Sighting(Grade.BLIND)
    )
    asked = ruled(before, lifted)
    assert isinstance(asked, Asked)
    assert {o.acts[0].move for o in asked.options} == {Shift(2, 1), Shift(2, 3)}


def test_a_guard_with_two_ways_to_go_is_provisional():
    before = GAME.play(READY, Creep(2))
    after = GAME.play(before, Shift(2, 1))
    assert ruled(before, board(after)) == Found((Act(0, Shift(2, 1)),), provisional=True)


def test_pieces_put_back_take_the_move_back():
    after = GAME.play(READY, Creep(2))
    assert ruled(after, board(READY), past=[Past(READY)]) == TakenBack(1)


def test_a_piece_that_is_gone_may_be_in_the_hand_though_it_looks_taken_back():
    """It came from where another stands still: of a takeback, that is all a switch can see."""
    after = GAME.play(READY, Creep(2))
    switches = {f"s{n}": Sighting(Grade.SOME) for n in range(7)}
    assert ruled(after, board(READY, switches), past=[Past(READY)]) == TakenBack(1, aloft=True)


def test_where_openings_would_have_seen_it_a_takeback_that_none_saw_is_asked():
    after = GAME.play(READY, Creep(2))
    watched = replace(board(READY), sensed=frozenset({"gate"}))
    assert ruled(after, watched, past=[Past(READY)]) == Asked((TakenBack(1),))


def test_several_pushes_are_taken_back_only_through_the_openings_of_all_of_them():
    """That a knot has left through one of them does not explain the others: a cell may lie."""
    game = load("breakout")
    new = game.new(("Ana", "Bo"))
    first = game.play(new, game.moves(new)[0])  # who starts
    pushes = [Act(game.to_act(first)[0], Push(2, "left"))]
    second = play_all(game, first, pushes)
    pushes.append(Act(game.to_act(second)[0], Push(4, "right")))
    third = play_all(game, second, pushes[1:])
    past = [Past(second, tuple(pushes[1:])), Past(first, tuple(pushes[:1]))]
    cells = {space: Sighting(Grade.KIND) for space in game.spaces(third)}
    gates = frozenset(f"gate:{row}_{side}" for row in range(1, 6) for side in ("left", "right"))

    def back(*signs):
        return verdict(game, third, Sightings({**cells}, signs, gates), past)

    assert back("gate:4_right", "gate:2_left") == TakenBack(2)
    for seen in (("gate:2_left",), ("gate:2_right", "gate:2_left"), ("gate:4_right",)):
        assert back(*seen) == Asked((TakenBack(2),))


def test_a_board_that_looks_as_it_did_long_ago_is_asked():
    after = GAME.play(READY, Creep(2))
    past = [Past(each) for each in (after, after, after, READY)]
    assert ruled(after, board(READY), past=past) == Asked((TakenBack(4),))


def test_where_a_takeback_and_a_move_both_fit_it_asks():
    first = GAME.play(READY, Creep(2))
    second = play_all(
        GAME,
        first,
        [Act(0, Shift(2, 3)), Act(-1, Drawn("deck", "soap")), Act(1, Pace(1)), Act(1, Creep(1))],
    )
    back = board(first, GUARDS)
    asked = ruled(second, back, past=[Past(first)])
    assert isinstance(asked, Asked)
    assert TakenBack(1) in asked.options


def test_nothing_legal_is_mended_one_piece_at_a_time():
    wrong = board(
        READY,
        s0=Sighting(Grade.WHO, (Piece("pawn", "pawn_1"),)),
        s5=Sighting(Grade.WHO, (Piece("pawn", "pawn_0"),)),
    )
    mend = ruled(READY, wrong)
    assert isinstance(mend, Mend)
    assert [s.text(GAME).en for s in mend.steps] == ["Move pawn pawn_0 from square 5 to square 0."]


def test_a_covered_pawn_may_be_unreadable():
    covered = (Piece("pawn", "a", covered=True), Piece("pawn", "b"))
    assert fits(covered, Sighting(Grade.WHO, (Piece("pawn", "b"),)))
    assert fits(covered, Sighting(Grade.WHO, (Piece("pawn", "a"), Piece("pawn", "b"))))
    assert not fits(covered, Sighting(Grade.WHO, (Piece("pawn", "a"),)))


def test_untagged_guards_do_not_disturb_a_reader():
    there = (Piece("guard"), Piece("pawn", "a"))
    assert fits(there, Sighting(Grade.WHO, (Piece("pawn", "a"),), unseen=("guard",)))


@pytest.mark.parametrize("count", range(4))
def test_count_allows_for_what_is_covered(count):
    stack = (Piece("pawn", "a", covered=True), Piece("pawn", "b"))
    assert fits(stack, Sighting(Grade.COUNT, count=count)) == (count in (1, 2))


@pytest.mark.parametrize("seed", range(20))
def test_random_games_are_followed_by_what_stands_on_the_board(seed):
    """Every visible move is found, or is one of what is asked; never a wrong one."""
    rng = random.Random(seed)
    now = state()
    while GAME.outcome(now) is None:
        (by,) = GAME.to_act(now)
        act = Act(by, rng.choice(GAME.moves(now, by)))
        after = GAME.play(now, act.move, by)
        answer = ruled(now, board(after))
        if isinstance(answer, Found):
            assert play_all(GAME, now, answer.acts) == after
        else:
            assert answer == Still()
            assert not isinstance(act.move, Creep | Shift)
        now = after


def test_a_takeback_is_not_told_from_a_push_that_its_switch_has_missed():
    """The pieces stand as they did before the last push: taken back, or pushed where the rules
    forbid it? The table says both."""
    breakout = load("breakout")
    for seed in range(40):
        rng = random.Random(seed)
        before = now = breakout.new(("Ana", "Bo"))
        for _ in range(40):
            seat = breakout.to_act(now)[0]
            before, now = now, breakout.play(now, rng.choice(breakout.moves(now, seat)), seat)
            was = breakout.image(before)
            alike = [a for a in breakout.attempts(now) if a.image == was and a.signs]
            if alike and breakout.image(now) != was:
                break
        else:
            continue
        like = {space: Sighting(Grade.KIND) for space in breakout.spaces(now)}
        sensed = frozenset(sign.rstrip("?") for a in breakout.attempts(now) for sign in a.signs)
        mend = verdict(breakout, now, Sightings(all_seen(was, like), (), sensed), [Past(before)])
        assert isinstance(mend, Mend)
        assert mend.back == TakenBack(1)
        cells_only = Sightings(all_seen(was, like))
        assert verdict(breakout, now, cells_only, [Past(before)]) == TakenBack(1)
        return
    raise AssertionError("no such position was reached")


def test_where_a_sensor_has_just_fallen_silent_nothing_is_taken_unasked():
    after = GAME.play(READY, Creep(2))
    found = Found((Act(0, Creep(2)),))
    assert ruled(READY, replace(board(after), shaken=True)) == Asked((found,))
    back = ruled(after, replace(board(READY), shaken=True), [Past(READY)])
    assert back == Asked((TakenBack(1),))

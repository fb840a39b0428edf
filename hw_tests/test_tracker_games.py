"""The tracker on every game, at every grade of sensing: found, asked or unseen; never wrong."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from firmware_host.people.mistakes import lifted
from firmware_host.sighting import Grade, Sighting, Sightings, all_seen, seen_change
from firmware_host.tracker import Ahead, Asked, Found, Mend, Past, Still, TakenBack, explain
from game_logic import GAMES, load
from game_logic.core import CHANCE, Act, Piece, pick, play_all
from hw_tests.conformance import NAMES
from hw_tests.verdict import verdict


def evening(id, seed, most):
    """A random game: each open move that people make, with the states before and after it."""
    rng = random.Random(seed)
    game = load(id)
    state = game.new(NAMES[: rng.randint(*game.seats)])
    for _ in range(most):
        if game.outcome(state) is not None:
            return
        by = rng.choice(game.to_act(state))
        if by == CHANCE:
            state = game.play(state, pick(game.chance(state).parts[0], rng.randrange), by)
            continue
        move = rng.choice(game.moves(state, by))
        after = game.play(state, move, by)
        if not game.secret(state, move, by):
            yield game, state, Act(by, move), after
        state = after


def follow(id, grade, seed, most):
    met = Counter()
    for game, state, act, after in evening(id, seed, most):
        board = game.by_hand(state, act.move, after)
        like = {space: Sighting(grade) for space in game.spaces(state)}
        sightings = Sightings(all_seen(board, like))
        visible = bool(seen_change(game.image(state), board, sightings))
        answer = verdict(game, state, sightings)
        met[visible, type(answer)] += 1
        if isinstance(answer, Found):
            assert play_all(game, state, answer.acts) == after, (act, answer.acts)
        elif isinstance(answer, Asked):
            states = [play_all(game, state, o.acts) for o in answer.options if isinstance(o, Found)]
            assert after in states, (act, answer.options)
        else:
            assert not visible, (act, answer)
            assert isinstance(answer, Still)
    return met


GRADES = [Grade.WHO, Grade.KIND, Grade.COUNT, Grade.SOME]


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("id", GAMES)
def test_what_was_moved_is_found_or_asked_never_guessed(id, grade):
    met = follow(id, grade, seed=5, most=220)
    assert met[True, Found] > 5
    if grade in (Grade.WHO, Grade.KIND) and id in ("la_grande_evasion", "dig_your_way_out"):
        assert met[True, Asked] == 0  # with names, these games never need to ask


@pytest.mark.parametrize("id", GAMES)
def test_pieces_put_back_are_a_takeback_or_asked(id):
    """Where nothing came to light in between, putting pieces back takes the move back."""
    seen = 0
    for game, state, act, after in evening(id, 9, 160):
        like = {space: Sighting(Grade.WHO) for space in game.spaces(state)}
        back = Sightings(all_seen(game.image(state), like))
        if game.closes_undo(state, act.move) or not seen_change(
            game.image(after), game.image(state), back
        ):
            continue
        seen += 1
        answer = verdict(game, after, back, past=[Past(state, (act,))])
        if isinstance(answer, Asked):
            assert TakenBack(1) in answer.options
        elif isinstance(answer, TakenBack):
            assert answer.intents == 1
        else:
            assert isinstance(answer, Ahead | Found), (act, answer)
        if seen > 25:
            return


@pytest.mark.soak
@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("seed", range(20))
def test_many_evenings(id, grade, seed):
    follow(id, grade, 100 + seed, most=1500)


@pytest.mark.parametrize("grade", [Grade.WHO, Grade.SOME])
@pytest.mark.parametrize("id", ["la_grande_evasion", "prison_break", "alcatraz"])
def test_a_piece_in_the_hand_is_never_taken_for_one_that_was_put_down(id, grade):
    """While it is held it looks lifted; to a switch, also like one that joined another."""
    held = Counter()
    for game, state, act, after in evening(id, 5, 500):
        before = game.image(state)
        board = lifted(before, game.by_hand(state, act.move, after))
        sightings = Sightings(all_seen(board, {s: Sighting(grade) for s in game.spaces(state)}))
        if not seen_change(before, board, sightings):
            continue
        answer = verdict(game, state, sightings, [Past(state)])
        held[type(answer)] += 1
        if isinstance(answer, Found | Mend):
            assert answer.aloft, (act, answer)
        else:
            assert isinstance(answer, Asked | Ahead), (act, answer)
    assert sum(held.values()) > 10


@pytest.mark.parametrize("id", ["la_grande_evasion", "prison_break"])
def test_a_switch_that_opens_beside_a_move_is_no_second_move(id):
    """It looks as if another pawn had gone on to a square where one stands already."""
    doubted = 0
    for game, state, act, after in evening(id, 11, 700 if id == "la_grande_evasion" else 150):
        board = game.by_hand(state, act.move, after)
        seen = all_seen(board, {s: Sighting(Grade.SOME) for s in game.spaces(state)})
        stood = [s for s in board if seen[s].count and s in game.image(state)]
        if act.by < 0 or not seen_change(game.image(state), board, Sightings(seen)):
            continue
        for space in stood[:: max(1, len(stood) // 6)]:
            lies = Sightings({**seen, space: Sighting(Grade.SOME)})
            answer = verdict(game, state, lies, [Past(state)])
            if isinstance(answer, Found) and len(answer.acts) > 1:
                doubted += 1
                assert answer.aloft, (act, space, answer)
    assert doubted


def test_a_search_among_many_moves_pauses_often():
    """A piece too many, and nothing explains it: the loop goes on meanwhile."""
    longest = 0
    for game, state, _, _ in evening("prison_break", 2, 250):
        empty = next(
            s for s in game.spaces(state) if s.startswith("z") and s not in game.image(state)
        )
        board = {**game.image(state), empty: (Piece("pawn", "stranger"),)}
        like = {s: Sighting(Grade.SOME) for s in game.spaces(state)}
        search = explain(game, state, Sightings(all_seen(board, like)))
        longest = max(longest, sum(1 for _ in search))
    assert longest > 3

"""A match that was tampered with is found out; one that was played is not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from game_logic.breakout.moves import PUSHES, Escape, Push
from game_logic.breakout.state import Match
from game_logic.breakout.wall import FULL, ROWS
from game_logic.core import CHANCE
from hw_tests.breakout_positions import GAME, O, X, start


def played(seed: int, plies: int) -> Match:
    """A random match, stopped after so many plies or at its end."""
    rng = random.Random(seed)
    state = start(rng.randrange(2))
    for _ in range(plies):
        if moves := GAME.moves(state):
            state = GAME.play(state, rng.choice(moves))
    return state


def choosing(seed: int) -> Match:
    """A random match, stopped where a player chooses his exit."""
    for n in range(1000):
        rng = random.Random(f"{seed} {n}")
        state = start(rng.randrange(2))
        while moves := GAME.moves(state):
            if state.choices:
                return state
            state = GAME.play(state, rng.choice(moves))
    raise AssertionError("nobody ever had a choice")


def cell(state: Match, rng: random.Random, wanted: Callable[[int], bool]) -> int:
    cells = [i for i in range(25) if wanted(i)]
    assume(cells)
    return 1 << rng.choice(cells)


def taken(state: Match) -> int:
    return state.red | state.blue


def full_floor(state: Match) -> bool:
    return any(taken(state) & row == row for row in ROWS)


def two_colours(state: Match, rng: random.Random) -> Match:
    both = cell(state, rng, lambda i: taken(state) >> i & 1)
    return replace(state, red=state.red | both, blue=state.blue | both)


def outside(state: Match, rng: random.Random) -> Match:
    return replace(state, blue=rng.choice((-1, FULL + 1, state.blue | 1 << 25)))


def a_knot_too_many(state: Match, rng: random.Random) -> Match:
    assume(taken(state).bit_count() == state.insertions)
    return replace(state, red=state.red | cell(state, rng, lambda i: not taken(state) >> i & 1))


def a_knot_missing(state: Match, rng: random.Random) -> Match:
    assume(not full_floor(state))
    return replace(state, red=state.red & ~cell(state, rng, lambda i: state.red >> i & 1))


def too_many_of_a_colour(state: Match, rng: random.Random) -> Match:
    assume(taken(state).bit_count() > 13)
    return replace(state, red=taken(state), blue=0)


def nobodys_turn(state: Match, rng: random.Random) -> Match:
    return replace(state, turn=rng.choice((2, -2, -3)))


def the_others_turn(state: Match, rng: random.Random) -> Match:
    assume(state.insertions < 25)
    return replace(state, turn=1 - state.turn)


def back_to_the_lot(state: Match, rng: random.Random) -> Match:
    return replace(state, turn=CHANCE)


def over_too_soon(state: Match, rng: random.Random) -> Match:
    return replace(state, turn=None)


def nobody_started(state: Match, rng: random.Random) -> Match:
    return replace(state, starter=rng.choice((CHANCE, 2)))


def figure_from_nowhere(state: Match, rng: random.Random) -> Match:
    assume(state.round == 1)
    return replace(state, exits=(None, X, None, None, None))


def figure_of_nobody(state: Match, rng: random.Random) -> Match:
    return replace(state, exits=(*state.exits[:4], 2))


def all_figures_up(state: Match, rng: random.Random) -> Match:
    return replace(state, exits=(O, O, O, None, None), round=4)


def four_figures_up(state: Match, rng: random.Random) -> Match:
    return replace(state, turn=None, exits=(O, O, O, O, None), round=4)


def ban_without_ejection(state: Match, rng: random.Random) -> Match:
    open_floors = [p for p in PUSHES if taken(state) & ROWS[p.row - 1] != ROWS[p.row - 1]]
    assume(open_floors)
    return replace(state, bans=(rng.choice(open_floors), None))


def ban_on_no_opening(state: Match, rng: random.Random) -> Match:
    return replace(state, bans=(None, Push(6, "left")))


def stalled_too_early(state: Match, rng: random.Random) -> Match:
    assume(taken(state) != FULL)
    return replace(state, stalled=rng.randrange(1, 5))


def stalled_too_long(state: Match, rng: random.Random) -> Match:
    return replace(state, stalled=rng.randrange(5, 50))


def counts_below_zero(state: Match, rng: random.Random) -> Match:
    key = rng.choice(("insertions", "stalled", "round"))
    return replace(state, **{key: -1})


def too_many_insertions(state: Match, rng: random.Random) -> Match:
    assume(not full_floor(state))
    return replace(state, insertions=state.insertions + rng.choice((2, 4)))


def a_choice_without_a_link(state: Match, rng: random.Random) -> Match:
    return replace(state, choices=(Escape((1,)), Escape((2,))))


RUNNING = [
    two_colours,
    outside,
    a_knot_too_many,
    a_knot_missing,
    too_many_of_a_colour,
    nobodys_turn,
    the_others_turn,
    back_to_the_lot,
    over_too_soon,
    nobody_started,
    figure_from_nowhere,
    figure_of_nobody,
    all_figures_up,
    four_figures_up,
    ban_without_ejection,
    ban_on_no_opening,
    stalled_too_early,
    stalled_too_long,
    counts_below_zero,
    too_many_insertions,
    a_choice_without_a_link,
]


@pytest.mark.parametrize("tamper", RUNNING, ids=lambda tamper: tamper.__name__)
@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), plies=st.integers(0, 120))
def test_a_round_tampered_with_is_found_out(tamper, seed, plies):
    state = played(seed, plies)
    assume(state.turn in (X, O) and not state.choices)
    assert GAME.problems(state) == ()
    assert GAME.problems(tamper(state, random.Random(seed))) != ()


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_a_choice_tampered_with_is_found_out(seed):
    state = choosing(seed)
    assert GAME.problems(state) == ()
    tampered = {
        "link left standing": replace(state, choices=()),
        "one exit less": replace(state, choices=state.choices[1:]),
        "an exit no rope reaches": replace(state, choices=(*state.choices, Escape((5,)))),
        "the loser chooses": replace(state, turn=1 - state.turn),
        "an opening banned": replace(state, bans=(Push(1, "left"), None)),
    }
    for what, other in tampered.items():
        assert GAME.problems(other) != (), what


@settings(max_examples=50)
@given(seed=st.integers(0, 10_000))
def test_after_the_end_nothing_is_left_of_a_round(seed):
    state = played(seed, 5000)
    assert GAME.outcome(state) is not None
    assert GAME.problems(state) == ()
    for change in (
        {"red": 1},
        {"insertions": 1},
        {"stalled": 1},
        {"choices": (Escape((1,)),)},
        {"bans": (Push(1, "left"), None)},
        {"turn": O},
        {"exits": (None,) * 5},
        {"round": 1},
    ):
        assert GAME.problems(replace(state, **change)) != (), change


def test_every_problem_is_said_at_once():
    wrecked = replace(start(), turn=9, red=-1, round=0)
    assert len(GAME.problems(wrecked)) == 3

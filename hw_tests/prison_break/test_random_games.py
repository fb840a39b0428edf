"""Invariants over whole games by random and by keen players."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from game_logic.core import CHANCE, Act, pick
from game_logic.pile import unpack
from game_logic.prison_break.state import LINCOLN, UNKNOWN, Break, Contact, Expulsion, Refuge
from hw_tests.conformance import NAMES
from hw_tests.prison_break.keen import keen
from hw_tests.prison_break.scene import BOARD, BOX, GAME


def blind(game, state, rng: Random) -> Act:
    by = rng.choice(game.to_act(state))
    if by == CHANCE:
        return Act(by, pick(game.chance(state).parts[0], rng.randrange))
    return Act(by, rng.choice(game.moves(state, by)))


def game_of(seed: int, seats: int, secrets: str, choose) -> list[Break]:
    rng = Random(seed)
    states = [GAME.new(NAMES[:seats], {"secrets": secrets})]
    while GAME.outcome(states[-1]) is None:
        act = choose(GAME, states[-1], rng)
        states.append(GAME.play(states[-1], act.move, act.by))
        assert len(states) < 5_000
    return states


def check(before: Break, state: Break) -> None:
    """What holds from step to step, reckoned from the rules file and not from `problems`."""
    crowd = Counter(at for at in (*state.where, *(at for at, _ in state.guards)) if at >= 0)
    assert max(crowd.values()) <= 2
    assert max(Counter(at for at, _ in state.guards).values(), default=0) <= 1
    assert 0 <= state.guilt <= 30
    assert 1 <= state.day <= 30
    assert state.day >= before.day  # two at once where everybody loses a turn (A34)
    tokens = len(state.gone) + sum(1 for token in state.ground if token)
    assert tokens + sum(len(hand) for hand in state.hands) == 15
    assert all(state.gone.count(kind) <= 2 for kind in BOX.kinds)
    assert set(before.route) <= set(state.route)
    for old, new in zip(before.broken, state.broken, strict=True):
        assert old in (0, new)  # out of order is for ever (R43)
    assert all(lit == 0 or lit != hs for lit, hs in zip(state.lit, state.broken, strict=True))
    for member in state.team:  # nobody of the team stays under a light (R48)
        square = state.where[member]
        watched = BOARD.watched[0][state.lit[0]] | BOARD.watched[1][state.lit[1]]
        leaving = any(isinstance(t, Expulsion | Refuge) and t.who == member for t in state.todo)
        assert leaving or state.over or not watched >> square & 1
    assert LINCOLN not in state.team or state.phase == 2
    cards = [card for kept in state.kept for card in kept]
    hidden = cards.count(UNKNOWN)
    drawn = [t.card for t in state.todo if hasattr(t, "card")]
    known = [c for c in (*cards, *drawn) if c not in ("", UNKNOWN)]
    known += [*state.discard, *([state.active] if state.active else [])]
    assert len(unpack(state.pile.rest)) + len(known) == 55
    assert hidden <= 18
    for task in state.todo:
        if isinstance(task, Contact):
            assert task.who in state.team


@pytest.mark.parametrize("choose", [blind, keen], ids=["blind", "keen"])
@pytest.mark.parametrize("secrets", ["house", "table"])
@pytest.mark.parametrize("seats", [3, 4])
def test_invariants_hold_and_every_game_ends(seats, secrets, choose):
    for seed in range(6):
        states = game_of(seed, seats, secrets, choose)
        for before, state in pairwise(states):
            check(before, state)
        assert GAME.outcome(states[-1]).reason in (
            "escaped",
            "culpability_phase_1",
            "culpability_phase_2",
            "days_phase_1",
            "days_phase_2",
        )


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_keen_players_reach_the_second_phase_and_escape(secrets):
    ends = [game_of(seed, 3 + seed % 2, secrets, keen)[-1] for seed in range(12)]
    assert sum(state.phase == 2 for state in ends) >= 8
    escaped = [state for state in ends if state.over == "escaped"]
    assert len(escaped) >= 6
    for state in escaped:
        plan = BOX.plans[state.plan]
        assert set(plan.route) <= set(state.route)
        assert state.broken[plan.device] == plan.number
        assert {*plan.externals, LINCOLN} <= set(state.team)
        assert plan.exit >> state.where[LINCOLN] & 1
        assert GAME.outcome(state).winners == tuple(
            s for s in range(len(state.seats)) if s != state.bellick
        )


@pytest.mark.soak
@pytest.mark.parametrize("choose", [blind, keen], ids=["blind", "keen"])
@pytest.mark.parametrize("seats", [3, 4])
def test_invariants_hold_in_many_games(seats, choose):
    for seed in range(300):
        states = game_of(seed, seats, ("house", "table")[seed % 2], choose)
        for before, state in pairwise(states):
            check(before, state)

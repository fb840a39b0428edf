"""The fast Breakout and the slow one (breakout_referee.py) agree, state by state."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from game_logic import load
from game_logic.breakout.links import ROPES
from game_logic.breakout.moves import Escape, Push
from game_logic.breakout.state import COLOURS
from game_logic.core import CHANCE, Drawn
from hw_tests.breakout_referee import PLAYERS, Referee

GAME = load("breakout")

READINGS = [
    {
        "stalemate_unit": unit,
        "ko_scope": scope,
        "angle_rule": angle,
        "closed_cells_usable": usable,
        "double_requires_disjoint": disjoint,
    }
    for unit, scope, angle, usable, disjoint in product(
        ("insertion", "round"),
        ("owner", "both"),
        ("any_bend", "interior_bend"),
        (True, False),
        (True, False),
    )
]

# What a comparison must have met to mean anything.
KINDS = {
    "ejected": "a knot pushed off",
    "pass": "a forced pass with an empty stock",
    "single": "a round won",
    "double": "two figures at once",
    "choice": "a choice of exits",
    "choice of pairs": "a choice among pairs of exits",
    "both linked": "both colours linked by one push",
    "gave it away": "a push that linked the rival only",
    "stalemate": "a round cancelled on a full wall",
    "limit": "a round cancelled by its limit",
    "blocked": "a rope that ends under closed exits only",
}


def as_move(choice: tuple[Any, ...]) -> Push | Escape:
    """The referee's opening, or its exits, as a move of the game."""
    return Push(*choice) if choice[-1] in ("left", "right") else Escape(choice)


def begun(starter: int, options: dict[str, Any]) -> tuple[Any, Referee]:
    state = GAME.new(("Ana", "Bo"), options)
    state = GAME.play(state, Drawn("starter", str(starter)), CHANCE)
    return state, Referee(PLAYERS[starter], **options)


def assert_agree(state: Any, referee: Referee) -> None:
    view = GAME.view(state, None)
    over = referee.winner is not None
    if not over:  # the referee leaves the last wall standing
        assert view["wall"] == referee.rows()
        assert view["stocks"] == [referee.stock[p] for p in PLAYERS]
        assert view["turn"] == PLAYERS.index(referee.turn)
        assert view["insertions"] == referee.insertions
        assert view["countdown"]["turns"] == referee.turns_since_full
        bans = [ban and (ban["row"], ban["side"]) for ban in view["bans"]]
        assert bans == [referee.ban[p] for p in PLAYERS]
    assert view["round"] == referee.round
    assert view["starter"] == PLAYERS.index(referee.starter)
    assert view["figures"] == [referee.figures(p) for p in PLAYERS]
    assert view["exits"] == [f and PLAYERS.index(f) for f in referee.exits.values()]
    legal = [as_move(choice) for choice in referee.legal()]
    assert list(GAME.moves(state)) == legal
    assert GAME.to_act(state) == (() if over else (PLAYERS.index(referee.turn),))
    outcome = GAME.outcome(state)
    assert (outcome and outcome.winners) == ((PLAYERS.index(referee.winner),) if over else None)


def compare(seed: int, options: dict[str, Any], met: Counter[str], most: int = 400) -> None:
    """One match of players with habits: each loves some openings, so that floors fill up."""
    rng = random.Random(seed)
    state, referee = begun(rng.randrange(2), options)
    habits = [{o: rng.random() ** 3 for o in referee.legal()} for _ in PLAYERS]
    for _ in range(most):
        assert_agree(state, referee)
        legal = referee.legal()
        if not legal:
            return
        habit = habits[PLAYERS.index(referee.turn)]
        choice = rng.choices(legal, [habit.get(c, 1) + 0.02 for c in legal])[0]
        closed = any(referee.exits.values())
        referee.play(choice)
        state = GAME.play(state, as_move(choice))
        met.update(referee.happened)
        met["choice of pairs"] += len(referee.choices) > 1 and len(referee.choices[0]) == 2
        if closed and not {"single", "double", "choice"} & set(referee.happened):
            met["blocked"] += any(referee.links(p, closed_too=True) for p in PLAYERS)


def some_options(seed: int) -> dict[str, Any]:
    rng = random.Random(-seed - 1)
    return READINGS[seed % len(READINGS)] | {
        "knots_per_player": rng.choice((13, 13, 14, 16)),
        "stalemate_turns": rng.choice((1, 5, 5)),
        "figures_to_win": rng.choice((1, 2, 3, 3, 3)),
        "round_limit": rng.choice((0, 0, 0, 40)),
    }


def test_fast_and_slow_agree_in_every_reading():
    met: Counter[str] = Counter()
    for seed in range(8 * len(READINGS)):
        compare(seed, some_options(seed), met)
    missed = [what for kind, what in KINDS.items() if not met[kind]]
    assert not missed, f"these never happened: {missed}"
    assert met["single"] + met["double"] + met["stalemate"] + met["limit"] > 1000


@pytest.mark.soak
@pytest.mark.parametrize("reading", range(len(READINGS)))
def test_fast_and_slow_agree_for_long(reading):
    met: Counter[str] = Counter()
    for n in range(1, 60):
        seed = reading + n * len(READINGS)
        compare(seed, some_options(seed), met)
    assert met["single"] > 50


@pytest.mark.parametrize(
    "angle_rule", ["interior_bend", pytest.param("any_bend", marks=pytest.mark.soak)]
)
def test_the_list_of_ropes_is_complete(angle_rule):
    """Every rope that the wall has room for holds a listed one from the same exit, and each listed
    one is a rope that holds no other."""
    referee = Referee("X", angle_rule=angle_rule)
    referee.wall = [["X"] * 5 for _ in range(5)]
    every: list[set[int]] = [set() for _ in range(5)]
    for exit, cells in referee.links("X"):
        every[exit - 1].add(sum(1 << 5 * (r - 1) + c - 1 for r, c in cells))
    for possible, listed in zip(every, ROPES[angle_rule], strict=True):
        assert possible.issuperset(listed)
        assert all(any(rope & one == one for one in listed) for rope in possible)
        assert not any(a & b == b for a in listed for b in listed if a != b)


def before_a_double(rng: random.Random) -> tuple[Any, Referee, Push] | None:
    """A wall one push short of two ropes that share no knot: two ropes are laid out, one floor is
    filled up and drawn back a cell."""
    known = ROPES["any_bend"]
    one, two = rng.sample(range(5), 2)
    red = rng.choice(known[one]) | rng.choice(known[two])
    if red.bit_count() > 13:
        return None
    rows = [["X" if red >> 5 * r + c & 1 else "." for c in range(5)] for r in range(5)]
    row, side = rng.randrange(5), rng.choice(("left", "right"))
    floor = ["O" if knot == "." else knot for knot in rows[row]][:: 1 if side == "left" else -1]
    if floor[0] != "X":
        return None
    rows[row] = [*floor[1:], rng.choice("XO")][:: 1 if side == "left" else -1]
    state, referee = begun(0, {})
    referee.wall = rows
    if referee.links("X") or referee.links("O"):
        return None
    for seat, player in enumerate(PLAYERS):
        referee.stock[player] -= sum(line.count(player) for line in rows)
        bits = sum((rows[i // 5][i % 5] == player) << i for i in range(25))
        state = replace(state, **{COLOURS[seat]: bits})
    if referee.stock["X"] < 1:
        return None
    return state, referee, Push(row + 1, side)


def test_fast_and_slow_agree_on_double_links():
    rng = random.Random(21)
    doubles = 0
    for _ in range(40_000):
        if position := before_a_double(rng):
            state, referee, push = position
            referee.play((push.row, push.side))
            state = GAME.play(state, push)
            assert_agree(state, referee)
            doubles += state.figures(0) == 2 or any(len(c.exits) == 2 for c in state.choices)
    assert doubles > 100


def positions(state: Any, plies: int) -> list[int]:
    """How many different positions there are after 1, 2, … plies."""
    counts = []
    level = {state}
    for _ in range(plies):
        level = {GAME.play(s, move) for s in level for move in GAME.moves(s)}
        counts.append(len(level))
    return counts


def positions_by_referee(referee: Referee, plies: int) -> list[int]:
    counts = []
    level = {repr(vars(referee)): referee}
    for _ in range(plies):
        following = {}
        for one in level.values():
            for choice in one.legal():
                after = deepcopy(one)
                after.play(choice)
                after.happened = []
                following[repr(vars(after))] = after
        level = following
        counts.append(len(level))
    return counts


def late(seed: int, plies: int, options: dict[str, Any]) -> tuple[Any, Referee]:
    """A wall after so many random plies."""
    rng = random.Random(seed)
    state, referee = begun(0, options)
    for _ in range(plies):
        choice = rng.choice(referee.legal())
        referee.play(choice)
        state = GAME.play(state, as_move(choice))
    return state, referee


def test_number_of_positions_from_the_empty_wall():
    state, referee = begun(0, {})
    counts = positions(state, 5)
    assert counts == [10, 100, 640, 4015, 19205]
    assert counts[:3] == positions_by_referee(referee, 3)


@pytest.mark.parametrize(
    ("scope", "counts"), [("owner", [9, 80, 609, 792]), ("both", [9, 79, 568, 566])]
)
def test_number_of_positions_from_a_late_wall(scope, counts):
    """Bans, links, choices, passes and cancelled rounds lie within four plies of it."""
    state, referee = late(254, 28, {"ko_scope": scope})
    assert positions(state, 4) == counts
    assert positions_by_referee(referee, 3) == counts[:3]

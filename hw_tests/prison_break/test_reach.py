"""Where a walk may end and what it may mark, against a search that knows nothing of ours."""

from __future__ import annotations

import random

import pytest

from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import BOARD, BOX, GAME, act, scene, task, walks


def every_way(start: str, steps: int, closed: set[str]) -> list[list[str]]:
    """All walks of so many steps, one by one, from the plan of section 5 written out again."""
    ways = [[start]]
    for _ in range(steps):
        ways = [[*way, to] for way in ways for to in sorted(NEXT_TO[way[-1]]) if to not in closed]
    return ways


def _plan_of_section_5() -> dict[str, set[str]]:
    steps = ["z1_3 z2_1", "z1_9 z3_1", "z1_7 z4_1", "z2_7 z3_3", "z2_9 z5_3", "z3_7 z4_3"]
    steps += ["z3_9 z5_1", "z4_9 z5_7", "cells_1 cells_2", "cells_2 cells_3"]
    doors = {
        "cells_1": "z1_6",
        "cells_3": "z3_2",
        "parloir": "z1_1",
        "infirmary": "z2_8 z3_6",
        "psychiatry": "z2_3",
        "workshop": "z4_8",
        "warden_office": "z1_2 z2_2",
        "guards_room": "z3_8 z5_2",
        "isolation": "z4_7",
        "laundry": "z1_4",
        "library": "z2_6",
        "refectory": "z3_4 z4_2",
        "showers": "z4_6",
        "chapel": "z5_9",
        "storeroom": "z5_6",
    }
    steps += [f"{room} {square}" for room, squares in doors.items() for square in squares.split()]
    for zone in range(1, 6):
        for row in range(3):
            for column in range(3):
                here = f"z{zone}_{3 * row + column + 1}"
                if column < 2:
                    steps.append(f"{here} z{zone}_{3 * row + column + 2}")
                if row < 2:
                    steps.append(f"{here} z{zone}_{3 * row + column + 4}")
    next_to: dict[str, set[str]] = {}
    for step in steps:
        one, other = step.split()
        next_to.setdefault(one, set()).add(other)
        next_to.setdefault(other, set()).add(one)
    return next_to


NEXT_TO = _plan_of_section_5()
WATCHED = {
    **{("camera", n): {room} for n, room in enumerate(
        ["parloir", "infirmary", "psychiatry", "workshop", "warden_office", "guards_room"], 1
    )},
    **{("tower", n): {f"z{n}_{k}" for k in range(1, 10)} for n in range(1, 6)},
}  # fmt: skip
WHITE = {"laundry", "library", "refectory", "showers", "chapel", "storeroom"}


def test_the_board_is_that_of_section_5():
    assert {
        square: {BOARD.squares[n] for n in BOARD.neighbours[at]}
        for square, at in BOARD.index.items()
    } == NEXT_TO


def _random_position(rng: random.Random):
    squares = sorted(NEXT_TO)
    rng.shuffle(squares)
    outdoors = [s for s in squares if s[0] == "z"]
    guards = tuple((rng.choice(BOX.kinds), outdoors[n]) for n in range(rng.randrange(12)))
    camera, tower = rng.choice([0, rng.randrange(7)]), rng.choice([0, rng.randrange(6)])
    people = BOX.people
    crowd = dict(zip(people, squares, strict=False))
    if rng.random() < 0.7:  # two on a square, close to the walker
        near = [s for s in sorted(NEXT_TO[crowd["scofield"]]) if s not in dict(guards).values()]
        if near:
            crowd["sucre"] = crowd["abruzzi"] = rng.choice(near)
            clear = {crowd["sucre"]}
            guards = tuple(g for g in guards if g[1] not in clear)
            crowd = {
                who: square
                for who, square in crowd.items()
                if who in ("sucre", "abruzzi") or square not in clear
            }
    active = rng.choice(["", "", "h20", "h21"])
    most = rng.choice([3, 4])
    home = dict(zip(people, (BOARD.squares[n] for n in BOX.starts), strict=True))
    where = home | crowd
    used = list(where.values()) + [g[1] for g in guards]
    if any(used.count(s) > 2 for s in used):
        return None
    state = scene(
        where=where,
        guards=guards,
        lit=(camera, tower),
        active=active,
        max_move=most,
        contact="guard_moves",
    )
    closed = WATCHED.get(("camera", camera), set()) | WATCHED.get(("tower", tower), set())
    if active == "h21":
        closed |= WHITE
    taken = {s for s in used if (used.count(s) - (s == where["scofield"])) >= 2}
    return state, where["scofield"], closed, taken, 2 if active == "h20" else most


@pytest.mark.parametrize("seed", range(25))
def test_reachable_squares_are_those_of_a_brute_force(seed):
    rng = random.Random(seed)
    position = None
    while position is None:
        position = _random_position(rng)
    state, start, closed, taken, most = position
    ends = {way[-1] for steps in range(1, most + 1) for way in every_way(start, steps, closed)}
    assert walks(state) == ends - taken


@pytest.mark.parametrize("seed", range(12))
def test_marks_are_those_of_a_brute_force(seed):
    rng = random.Random(seed)
    rooms = ["refectory", "z4_5", "z3_5", "z1_4", "cells_2", "z2_5", "z5_6", "z1_1"]
    start = rng.choice(rooms)
    state = scene(phase=2, where={"scofield": start}, max_move=4, contact="guard_moves")
    to = rng.choice(sorted(walks(state)))
    ways = [
        {place_of(square) for square in way[1:]} - {""}
        for steps in range(1, 5)
        for way in every_way(start, steps, set())
        if way[-1] == to
    ]
    sets = set()
    open_ = [act(state, m.Walk(to))]
    while open_:
        now = open_.pop()
        laid = frozenset(BOARD.places[n] for n in now.route)
        if laid in sets:
            continue
        sets.add(laid)
        if task(now) == "marking":
            open_ += [act(now, move) for move in GAME.moves(now) if isinstance(move, m.Mark)]
    subsets = {
        frozenset(p for k, p in enumerate(sorted(way)) if mask >> k & 1)
        for way in ways
        for mask in range(1 << len(way))
    }
    assert sets == subsets


def place_of(square: str) -> str:
    if square.startswith("z"):
        return "yard" if square.startswith("z3") else ""
    return "cells" if square.startswith("cells") else square


def test_distances_of_section_5():
    longest = max(BOARD.distance(a, b) for a in range(61) for b in range(61))
    assert longest == 11

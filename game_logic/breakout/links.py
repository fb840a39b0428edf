"""Links (R15–R18): which exits a colour's knots reach by a rope with an angle.

A rope is a simple path of orthogonal neighbours from the top floor to the bottom floor. The wall
is small, so the shortest ropes are listed once, as bit masks: a rope that holds another rope from
the same exit tells nothing new and is left out. Some 650 are left, and looking for a link is
looking for one of them in a colour's bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from game_logic.breakout.moves import Escape
from game_logic.breakout.state import Match
from game_logic.breakout.wall import ROWS, SIZE

Ropes = tuple[tuple[int, ...], ...]  # by exit, left to right

_BOTTOM = SIZE * (SIZE - 1)
_LEFTMOST = sum(1 << SIZE * r for r in range(SIZE))
_RIGHTMOST = _LEFTMOST << SIZE - 1


def _neighbours(cell: int) -> Iterator[int]:
    row, column = divmod(cell, SIZE)
    if row > 0:
        yield cell - SIZE
    if row < SIZE - 1:
        yield cell + SIZE
    if column > 0:
        yield cell - 1
    if column < SIZE - 1:
        yield cell + 1


NEAR = tuple(tuple(_neighbours(cell)) for cell in range(SIZE * SIZE))


def _from_exit(exit: int, interior: bool) -> tuple[int, ...]:
    """Every rope from this exit that holds no smaller one, shortest first."""
    found: list[int] = []

    def is_angle(a: int, b: int) -> bool:
        sideways = abs(a - b) == 1
        return sideways and (not interior or SIZE <= a < _BOTTOM)

    def extend(path: list[int], bent: list[bool], mask: int) -> None:
        """`bent[i]`: the rope has an angle by the time it reaches path[i]."""
        last = path[-1]
        if last >= _BOTTOM and bent[-1]:
            found.append(mask)
            return
        for cell in NEAR[last]:
            if mask >> cell & 1:
                continue
            # Where the rope touches itself it could go straight across. If it keeps an angle
            # then, every end of the long way is an end of the short way too: leave it.
            if any(
                earlier in NEAR[cell] and (bent[at] or is_angle(earlier, cell))
                for at, earlier in enumerate(path[:-1])
            ):
                continue
            extend([*path, cell], [*bent, bent[-1] or is_angle(last, cell)], mask | 1 << cell)

    extend([exit], [False], 1 << exit)
    least: list[int] = []
    for mask in sorted(found, key=lambda mask: (mask.bit_count(), mask)):
        if not any(mask & rope == rope for rope in least):
            least.append(mask)
    return tuple(least)


# By angle rule (A3).
ROPES: dict[str, Ropes] = {
    "any_bend": tuple(_from_exit(exit, interior=False) for exit in range(SIZE)),
    "interior_bend": tuple(_from_exit(exit, interior=True) for exit in range(SIZE)),
}


def spans(wall: int) -> bool:
    """Does something pass from each floor to the next? Cheap, and without it there is no rope."""
    down = wall & wall >> SIZE
    return bool(down & ROWS[0] and down & ROWS[1] and down & ROWS[2] and down & ROWS[3])


def hanging(wall: int, free: tuple[int, ...]) -> int:
    """The knots that hang together from the free exits, spread step by step."""
    reached = wall & sum(1 << exit - 1 for exit in free)
    spread = 0
    while reached != spread:
        spread = reached
        sideways = (spread & ~_RIGHTMOST) << 1 | (spread & ~_LEFTMOST) >> 1
        reached |= wall & (sideways | spread << SIZE | spread >> SIZE)
    return reached


def ends(wall: int, known: Ropes, free: tuple[int, ...]) -> tuple[int, ...]:
    """The free exits (from 1) where a rope of this colour ends."""
    hung = hanging(wall, free)
    if not hung & ROWS[-1]:  # saves most of the searching
        return ()
    return tuple(
        exit
        for exit in free
        if hung >> exit - 1 & 1 and any(hung & rope == rope for rope in known[exit - 1])
    )


def disjoint(wall: int, known: Ropes, one: int, two: int) -> bool:
    """Do two ropes that share no knot end at these exits (A7)?"""
    first, second = (
        [rope for rope in known[exit - 1] if wall & rope == rope] for exit in (one, two)
    )
    return any(not a & b for a in first for b in second)


def escapes(state: Match, wall: int, seat: int, *, double: bool) -> tuple[Escape, ...]:
    """Where the seat's figures may go if this is its wall; none: it has no valid link.

    `double`: the seat pushed itself, so that two links count twice (R21, A6).
    """
    options, free = state.options, state.free
    if not options.closed_cells_usable:  # A4
        wall &= ~sum(1 << exit for exit, figure in enumerate(state.exits) if figure is not None)
    known = ROPES[options.angle_rule]
    reached = ends(wall, known, free)
    if double and options.figures_to_win - state.figures(seat) > 1:  # A7
        two = tuple(
            Escape(pair)
            for pair in combinations(reached, 2)
            if not options.double_requires_disjoint or disjoint(wall, known, *pair)
        )
        if two:
            return two
    return tuple(Escape((exit,)) for exit in reached)

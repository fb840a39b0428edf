"""The wall as bits: two integers of 25, one a colour; bit 5·(row-1) + column-1, so r1c1 is bit 0.

A push changes one row only, and a row has just 3⁵ = 243 fillings. So every push from either side
is worked out once, and playing one is a table lookup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from game_logic.breakout.moves import PUSHES, Push

SIZE = 5
ROW = 0b11111
FULL = (1 << SIZE * SIZE) - 1
ROWS = tuple(ROW << SIZE * r for r in range(SIZE))

# Whose knot a push threw off the wall.
NOBODY, PUSHER, RIVAL = 0, 1, 2

Change = tuple[int, int, int]  # bits to flip in the pusher's row, in the rival's; who lost a knot


class Way(NamedTuple):
    """How a push acts: where its row begins, the table of its side, the opening opposite."""

    shift: int
    changes: Sequence[Change]
    far: Push


def slide(row: Sequence[int]) -> tuple[list[int], int]:
    """The row after the pusher's knot came in at index 0, and whose knot fell off (R7–R11)."""
    gap = row.index(NOBODY) if NOBODY in row else len(row)
    pushed = [PUSHER, *row[:gap], *row[gap + 1 :]]
    return pushed[: len(row)], pushed[len(row)] if gap == len(row) else NOBODY


def _bits(row: Iterable[int], whose: int) -> int:
    return sum(1 << c for c, knot in enumerate(row) if knot == whose)


def _changes(from_left: bool) -> list[Change]:
    """By filling of the row (pusher's bits, rival's bits above them): what a push changes."""
    table: list[Change] = [(0, 0, NOBODY)] * (1 << 2 * SIZE)
    for row in product((NOBODY, PUSHER, RIVAL), repeat=SIZE):
        order = 1 if from_left else -1
        after, lost = slide(row[::order])
        after = after[::order]
        own, other = _bits(row, PUSHER), _bits(row, RIVAL)
        change = (own ^ _bits(after, PUSHER), other ^ _bits(after, RIVAL), lost)
        table[own | other << SIZE] = change
    return table


_BY_SIDE = {"left": _changes(True), "right": _changes(False)}
_FAR = {"left": "right", "right": "left"}

WAYS = {
    push: Way(
        SIZE * (push.row - 1),
        _BY_SIDE[push.side],
        next(p for p in PUSHES if p.row == push.row and p.side == _FAR[push.side]),
    )
    for push in PUSHES
}


def pushed(own: int, other: int, push: Push) -> Change:
    """The pusher's wall and the rival's after the push, and who lost a knot."""
    shift, changes, _ = WAYS[push]
    own_flips, other_flips, lost = changes[own >> shift & ROW | (other >> shift & ROW) << SIZE]
    return own ^ own_flips << shift, other ^ other_flips << shift, lost


def drawn(red: int, blue: int) -> list[str]:
    """The wall as people draw it: five floors from the top, X red, O blue."""
    return [
        "".join("X" if red >> i & 1 else "O" if blue >> i & 1 else "." for i in floor)
        for floor in (range(SIZE * r, SIZE * r + SIZE) for r in range(SIZE))
    ]

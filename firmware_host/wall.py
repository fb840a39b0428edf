"""The Breakout wall as a thing of wood: what a push does to the knots, whatever the rules say."""

from __future__ import annotations

from firmware_host.world import World
from game_logic.core import Piece

ROWS = COLUMNS = 5
INSIDE = 0.04  # s until the far knot leaves through the other opening


def push(world: World, row: int, side: str, kind: str) -> None:
    """A knot goes in through an opening, and pushes what is in its way up to the first gap; from
    a full floor the last one falls out on the other side."""
    columns = range(1, COLUMNS + 1) if side == "left" else range(COLUMNS, 0, -1)
    spaces = [f"r{row}c{column}" for column in columns]
    world.pass_by(f"gate:{row}_{side}")
    entering: tuple[Piece, ...] = (Piece(kind),)
    for space in spaces:
        there = world.pieces.get(space, ())
        world.put(space, entering)
        if not there:
            return
        entering = there
    other = "right" if side == "left" else "left"
    world.agenda.after(INSIDE, lambda: world.pass_by(f"gate:{row}_{other}"))

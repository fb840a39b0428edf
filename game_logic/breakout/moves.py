"""What a player can do: push a knot into the wall, and choose where his figure goes over it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from game_logic.core import Drawn, Move

Line = Annotated[int, Meta(ge=1, le=5)]  # a floor, a column or an exit, counted as people do


class Push(Move, frozen=True, gc=False):
    """A knot of one's own through one of the ten openings (R6)."""

    row: Line
    side: Literal["left", "right"]


class Escape(Move, frozen=True, gc=False):
    """Figures go over the wall (R19): one exit, or two at once after a double link (R21)."""

    exits: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=2)]


# The ten pushes are made once: `moves` hands these out, and equal ones from a log are as good.
PUSHES = tuple(Push(row, side) for row in range(1, 6) for side in ("left", "right"))

# What may be pushed under each ban; None: no ban.
PUSHES_BUT: dict[Push | None, tuple[Push, ...]] = {
    ban: tuple(push for push in PUSHES if push != ban) for ban in (None, *PUSHES)
}

# R4: who starts the first round.
LOTS = (Drawn("starter", "0"), Drawn("starter", "1"))

"""Breakout positions as docs/rules/breakout.md draws them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from game_logic import load
from game_logic.breakout.state import Match
from game_logic.core import CHANCE, Drawn

GAME = load("breakout")
X, O = 0, 1  # noqa: E741


def bits(grid: str, player: str) -> int:
    rows = grid.split(" / ")
    return sum((rows[i // 5][i % 5] == player) << i for i in range(25))


def start(starter: int = X, **options: Any) -> Match:
    state: Match = GAME.new(("Ana", "Bo"), options)
    return GAME.play(state, Drawn("starter", str(starter)), CHANCE)


def position(
    grid: str,
    turn: int = X,
    *,
    closed: dict[int, int] | None = None,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Match:
    """A round under way with this wall; `closed` maps exits to the seat whose figure is there."""
    closed = closed or {}
    red, blue = bits(grid, "X"), bits(grid, "O")
    insertions = fields.pop("insertions", (red | blue).bit_count())
    return replace(
        start(**(options or {})),
        turn=turn,
        starter=(turn + insertions) % 2,
        red=red,
        blue=blue,
        insertions=insertions,
        exits=tuple(closed.get(exit) for exit in range(1, 6)),
        round=1 + len(closed),
        **fields,
    )


def rows(state: Match) -> str:
    return " / ".join(GAME.view(state, None)["wall"])

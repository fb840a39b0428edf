"""A player that takes what brings it forward at once, and else anything: games end sooner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game_logic.core import Game, Move

MOST = 40  # moves that it looks at


def choose(game: Game[Any], state: Any, seat: int, below: Callable[[int], int]) -> Move:
    """A move that raises the seat's own tracks, if it sees one; else any."""
    moves = game.moves(state, seat)
    start = below(len(moves))
    if len(moves) > 1 and any(track.seat == seat for track in game.tracks(state)):
        now = _own(game, state, seat)
        for n in range(min(MOST, len(moves))):
            move = moves[(start + n) % len(moves)]
            if _own(game, game.play(state, move, seat), seat) > now:
                return move
    return moves[start]


def _own(game: Game[Any], state: Any, seat: int) -> int:
    return sum(track.value for track in game.tracks(state) if track.seat == seat)

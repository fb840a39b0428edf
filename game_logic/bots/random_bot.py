"""A player that knows the rules and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game_logic.core import Game, Move


def choose(game: Game[Any], state: Any, seat: int, below: Callable[[int], int]) -> Move:
    """One of the seat's legal moves, each as likely as the others."""
    moves = game.moves(state, seat)
    return moves[below(len(moves))]

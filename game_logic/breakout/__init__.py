"""Breakout (1993): knots pushed into a wall of 5×5, ropes, and three figures over the top."""

from __future__ import annotations

from collections.abc import Mapping

from game_logic.breakout.rules import Breakout


def game(deck: Mapping[str, str]) -> Breakout:
    return Breakout(deck)

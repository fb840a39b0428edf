"""Prison Break, le jeu (2007): a team plans its escape, then one of them turns guard."""

from __future__ import annotations

from collections.abc import Mapping

from game_logic.prison_break.rules import PrisonBreak


def game(deck: Mapping[str, str]) -> PrisonBreak:
    return PrisonBreak(deck)

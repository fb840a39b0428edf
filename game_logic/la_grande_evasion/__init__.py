"""La grande évasion: seven prisoners on a path, four boats, and bets on who gets there when."""

from __future__ import annotations

from collections.abc import Mapping

from game_logic.la_grande_evasion.rules import LaGrandeEvasion


def game(deck: Mapping[str, str]) -> LaGrandeEvasion:
    return LaGrandeEvasion(deck)

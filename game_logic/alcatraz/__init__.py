"""Alcatraz: The Scapegoat (2011): a plan in six parts, and one prisoner who stays behind."""

from __future__ import annotations

from collections.abc import Mapping

from game_logic.alcatraz.rules import Alcatraz


def game(deck: Mapping[str, str]) -> Alcatraz:
    return Alcatraz(deck)

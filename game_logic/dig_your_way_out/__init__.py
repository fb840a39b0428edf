"""Dig Your Way Out: prisoners of Blackgate search, trade, racket each other and dig."""

from __future__ import annotations

from collections.abc import Mapping

from game_logic.dig_your_way_out.rules import DigYourWayOut


def game(deck: Mapping[str, str]) -> DigYourWayOut:
    return DigYourWayOut(deck)

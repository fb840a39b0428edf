"""Another state that a seat cannot tell from the given one: the bets of others are dealt anew."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from game_logic.la_grande_evasion.state import Evasion


def twin(state: Evasion, seat: int | None, below: Callable[[int], int]) -> Evasion:
    if state.options.secrets == "table" or state.phase == "over":
        return state  # nothing is hidden that the house knows
    pawns = len(state.squares)
    bets = list(state.bets)
    for other, locked in enumerate(state.locked):
        if other != seat:
            rest = list(range(pawns))
            length = pawns if locked else below(pawns + 1)
            bets[other] = tuple(rest.pop(below(len(rest))) for _ in range(length))
    return replace(state, bets=tuple(bets))

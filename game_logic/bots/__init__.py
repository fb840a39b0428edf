"""Players that need only the Game protocol. A bot is `choose(game, state, seat, below)`, where
`below(n)` gives a number in 0 … n-1: whoever asks brings the dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game_logic.bots import keen_bot, random_bot
from game_logic.core import Game, Malformed, Move

Bot = Callable[[Game[Any], Any, int, Callable[[int], int]], Move]

BOTS: dict[str, Bot] = {"random": random_bot.choose, "keen": keen_bot.choose}


def bot(name: str) -> Bot:
    if name not in BOTS:
        raise Malformed(f"there is no bot {name!r}; the bots are {', '.join(BOTS)}")
    return BOTS[name]

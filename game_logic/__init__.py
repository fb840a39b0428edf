"""The rules core: pure functions over immutable states. See core.Game for the contract."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from game_logic.core import Game, Malformed

GAMES = ("breakout", "la_grande_evasion", "alcatraz", "dig_your_way_out", "prison_break")


def load(id: str, deck: Mapping[str, str] | None = None) -> Game[Any]:
    """The game of that id. `deck` maps data file names to an owner's own TOML texts."""
    if id not in GAMES:
        raise Malformed(f"there is no game {id!r}; the games are {', '.join(GAMES)}")
    game: Game[Any] = import_module(f"game_logic.{id}").game(deck or {})
    return game

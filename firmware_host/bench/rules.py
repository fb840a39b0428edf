"""How fast the rules are: whole games by random players, through the public calls alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from firmware_host.bench import Case
from firmware_host.simulate import simulate
from game_logic import GAMES, load


def cases(games: Sequence[str] = GAMES, runs: int = 5, seconds: float = 0.5) -> Iterator[Case]:
    """Each game with its fewest players: the median speed of some runs of about so long each."""
    for id in games:
        game = load(id)
        seats = game.seats[0]
        # One game warms up and tells how many fill a run.
        first = simulate(game, games=1, seats=seats, seed=0)
        each = max(1, round(seconds * first.moves_per_s / first.moves))
        speeds = [
            simulate(game, games=each, seats=seats, seed=run).moves_per_s
            for run in range(1, runs + 1)
        ]
        yield Case(
            bench="rules",
            case=f"{id}, {seats} players",
            ours=round(median(speeds)),
            unit="moves/s",
        )

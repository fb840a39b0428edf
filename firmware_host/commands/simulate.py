"""`cavale simulate`: many games by the rules alone."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from firmware_host.commands.common import (
    FAILED,
    check_seats,
    command,
    decks_argument,
    json_argument,
    progress_bar,
    say,
    whole,
)
from firmware_host.decks import Decks
from game_logic import GAMES


def add(commands: Any) -> None:
    simulate = command(commands, "simulate", _simulate, "many games by the rules alone")
    simulate.add_argument("game", choices=GAMES)
    simulate.add_argument("--games", type=whole, default=100, metavar="N")
    simulate.add_argument("--seats", type=int, metavar="K")
    simulate.add_argument("--seed", type=int, default=0)
    simulate.add_argument("--bot", default="random")
    decks_argument(simulate)
    json_argument(simulate)


def _simulate(args: argparse.Namespace) -> int:
    from firmware_host.simulate import simulate

    check_seats(args.game, args.seats)
    game = Decks(args.decks).load(args.game)
    seats = args.seats or game.seats[0]
    with progress_bar(args.json) as progress:
        task = progress.add_task(game.title.en, total=args.games)
        summary = simulate(
            game,
            games=args.games,
            seats=seats,
            seed=args.seed,
            bot=args.bot,
            progress=lambda done: progress.update(task, completed=done),
        )
    if args.json:
        say(summary)
        return 0
    grid = Grid("", f"{game.title.en}, {seats} players", box=None)
    grid.add_row("games finished", f"{summary.finished} of {summary.games}")
    grid.add_row("moves", f"{summary.moves:,}")
    grid.add_row("moves per second", f"{summary.moves_per_s:,.0f}")
    grid.add_row("turns a game", f"{summary.turns_per_game:,.1f}")
    grid.add_row("wins by seat", _by_seat(summary.wins))
    grid.add_row("points by seat", _by_seat(summary.points))
    grid.add_row("how it ended", ", ".join(f"{k} {n}" for k, n in summary.reasons.items()))
    Console().print(grid)
    return 0 if summary.finished == summary.games else FAILED


def _by_seat(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{int(seat) + 1}: {figure}" for seat, figure in figures.items())

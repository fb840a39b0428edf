"""`cavale run`: the daemon."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from firmware_host.commands.common import (
    broker_argument,
    command,
    config_of,
    decks_argument,
    journal_argument,
    journal_of,
    record_argument,
    table_arguments,
    tape_of,
)
from firmware_host.config import PROFILES
from firmware_host.decks import Decks
from game_logic import GAMES


def add(commands: Any) -> None:
    run = command(commands, "run", _run, "the daemon: follows the table in front of it")
    table_arguments(run)
    run.add_argument("--sim", action="store_true", help="simulate every chip; nothing is needed")
    run.add_argument("--game", choices=GAMES, help="begin this game if none is open")
    run.add_argument("--seats", default="", metavar="A,B,…", help="names of the players")
    broker_argument(run)
    run.add_argument(
        "--page",
        type=address,
        metavar="HOST:PORT",
        help="serve the page there (docs/page.md); with --sim: 127.0.0.1:8080 by itself",
    )
    run.add_argument("--terminal", action="store_true", help="with --sim: draw the table here")
    run.add_argument("--open", action="store_true", help="with --sim: the bench in a browser")
    record_argument(run)
    run.add_argument("--seconds", type=float, help="stop by itself after so long")
    decks_argument(run)
    journal_argument(run)


def address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError("give HOST:PORT, such as 0.0.0.0:8080 or [::1]:8080")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _run(args: argparse.Namespace) -> int:
    from firmware_host.daemon import run
    from firmware_host.plug import Plug

    config = config_of(args)
    seats = tuple(filter(None, (name.strip() for name in args.seats.split(","))))
    with tape_of(args) as tape:
        return run(
            config,
            journal_of(args, simulated=args.sim),
            simulated=args.sim,
            game=args.game,
            seats=seats,
            seconds=args.seconds,
            decks=Decks(args.decks),
            plug=Plug(args.words, args.table or PROFILES[0]),
            terminal=args.terminal and sys.stdin.isatty(),
            browse=args.open,
            tape=tape,
        )

"""`cavale demo`: simulated hands play a whole game through the chips."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from firmware_host.commands import trial
from firmware_host.commands.common import (
    FAILED,
    Misuse,
    broker_argument,
    check_seats,
    command,
    complain,
    config_of,
    journal_argument,
    json_argument,
    progress_bar,
    record_argument,
    say,
    share,
    table_arguments,
    tape_of,
)
from firmware_host.config import ready_made
from game_logic import GAMES
from game_logic.core import Act


def add(commands: Any) -> None:
    demo = command(commands, "demo", _demo, "simulated hands play a whole game through the chips")
    demo.add_argument("game", choices=(*GAMES, trial.EVERY), help="all: only with --games")
    demo.add_argument("--seed", type=int, default=0)
    demo.add_argument("--seats", type=int, metavar="K", help="how many players")
    demo.add_argument("--mistakes", type=share, default=0.0, help="share of turns with one, 0 to 1")
    demo.add_argument("--faults", default="", help='such as "nack expander 0x20 p=0.05"')
    trial.add_arguments(demo)
    broker_argument(demo)
    demo.add_argument(
        "--pace", type=float, metavar="N", help="times real time; default: free, 20 with a broker"
    )
    record_argument(demo)
    demo.add_argument("--png", type=Path, metavar="DIR", help="write what the screens show there")
    table_arguments(demo)
    journal_argument(demo)
    json_argument(demo)


def _demo(args: argparse.Namespace) -> int:
    from firmware_host.demo import Unfinished, demo
    from firmware_host.gallery import Gallery
    from firmware_host.simulated import BadOrder, SimulatedTable
    from firmware_host.snapshot import Event
    from firmware_host.words import words

    trial.check(args)
    if args.games:
        if args.game != trial.EVERY:
            check_seats(args.game, args.seats)
        chosen = config_of(args) if args.table else None
        return 0 if trial.run(args, chosen, progress_bar(args.json)) else FAILED
    if args.game == trial.EVERY:
        raise Misuse("all games only with --games N; else name one")
    check_seats(args.game, args.seats)
    config = config_of(args, ready_made(args.game))
    gallery = Gallery(args.png) if args.png else None
    told = Console()

    def listen(event: Event, sim: SimulatedTable) -> None:
        if gallery is not None:
            gallery.keep(event, sim)
        if event.kind == "move" and args.json:
            for act in event.acts:
                say(_move_line(event, act))
        elif not args.json:
            for line in words(event, config.language):
                told.print(line if event.text is None else f"  [yellow]{line}[/]", highlight=False)

    try:
        with tape_of(args) as tape:
            played = demo(
                config,
                args.game,
                seed=args.seed,
                seats=args.seats,
                mistakes=args.mistakes,
                faults=args.faults,
                journal=args.journal,
                listen=listen,
                pace=args.pace,
                tape=tape,
            )
    except Unfinished as error:
        complain(str(error))
        return FAILED
    except BadOrder as error:
        raise Misuse(str(error)) from None
    record = played.record
    outcome = record.game.outcome(record.state)
    assert outcome is not None
    if args.json:
        say(
            {
                "event": "over",
                "winners": outcome.winners,
                "reason": outcome.reason,
                "moves": played.moves,
                "state": record.hash,
                "mistakes": played.mistakes,
                "wrong": len(played.wrong),
                "lost": len(played.lost),
            }
        )
    else:
        told.print(f"[bold]{outcome.text.in_(config.language)}[/]")
        told.print(
            f"{played.moves} moves in {played.seconds / 60:.0f} minutes of table time; "
            f"mistakes made: {played.mistakes or 'none'}; "
            f"moves taken wrongly: {len(played.wrong)}, lost: {len(played.lost)}"
        )
    for wrong in played.disagreements:
        complain(wrong)
    return FAILED if played.disagreements else 0


def _move_line(event: Any, act: Act) -> dict[str, Any]:
    latency = event.latency
    return {
        "event": "move",
        "at": round(event.at, 3),
        "seat": act.by,
        "move": msgspec.to_builtins(act.move),
        "latency_ms": None if latency is None else round(latency * 1000, 1),
    }

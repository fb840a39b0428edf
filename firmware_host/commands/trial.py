"""`cavale demo GAME --games N`: many games, and what was taken wrongly or lost in them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from firmware_host.commands.common import Misuse, share, whole
from firmware_host.config import Config, profile
from firmware_host.workers import cores
from game_logic import GAMES
from game_logic.core import encode

if TYPE_CHECKING:
    from firmware_host.trial import Case, Trial

EVERY = "all"  # of the games
ALONE = ("faults", "png", "record", "journal", "pace")  # of one game
MANY = ("fault", "each_fault", "all_faults")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games", type=whole, metavar="N", help="so many games at every fitting table, and figures"
    )
    parser.add_argument(
        "--fault", action="append", metavar="KIND", help="with --games: this kind of fault, too"
    )
    parser.add_argument(
        "--each-fault", action="store_true", help="with --games: each kind of fault in turn"
    )
    parser.add_argument(
        "--all-faults", action="store_true", help="with --games: all kinds of faults at once"
    )
    parser.add_argument(
        "--jobs",
        type=whole,
        metavar="N",
        default=cores(),
        help="with --games: so many at a time; default: as many as there are cores",
    )
    parser.add_argument(
        "--share", type=share, default=0.01, help="how often faults happen, 0 to 1; default 0.01"
    )


def check(args: argparse.Namespace) -> None:
    """Nothing that was asked for is passed over in silence."""
    from drivers.sim.faults import KINDS

    for name in ALONE if args.games else MANY:
        if getattr(args, name):
            option = "--" + name.replace("_", "-")
            if args.games:
                raise Misuse(f"{option} is about one game: leave it out, or --games")
            raise Misuse(f"{option} only with --games N")
    for kind in args.fault or ():
        if kind not in KINDS:
            raise Misuse(f"--fault {kind}: there are {', '.join(sorted(KINDS))}")


def run(args: argparse.Namespace, config: Config | None, progress: Progress) -> bool:
    """`config`: this table, and no other. Was everything taken as it was made?"""
    from firmware_host.trial import trials

    cases = list(_cases(args, config))
    for kind in args.fault or ():  # figures of a fault that nothing here can have would be a lie
        if all(case.fault != kind for case in cases):
            raise Misuse(f"--fault {kind}: there is nothing at such a table that it could befall")
    # A broker hears of one game at a time: all of them would speak under one name.
    jobs = 1 if any(case.config.mqtt for case in cases) else args.jobs
    results = []
    with progress:
        task = progress.add_task("games", total=len(cases) * args.games)

        def played(case: Case) -> None:
            what = f"{case.game}, {case.table}, {case.fault}"
            progress.update(task, advance=1, description=what)

        with closing(trials(cases, jobs, played)) as figures:  # Ctrl-C ends its processes
            for result in figures:
                results.append(result)
                if args.json:
                    print(encode(result).decode(), flush=True)
    if args.json:
        print(encode(_summary(results)).decode(), flush=True)
    else:
        _print(results)
    return all(result.good for result in results)


def _cases(args: argparse.Namespace, given: Config | None) -> Iterator[Case]:
    from firmware_host.trial import ALL, SOUND, Case, faults, tables

    for game in GAMES if args.game == EVERY else (args.game,):
        for table in (args.table,) if given else tables(game):
            config = given or profile(table)
            wanted = args.fault or ()
            here = [k for k in faults(config, game) if args.each_fault or k in wanted]
            for fault in (SOUND, *here, *([ALL] if args.all_faults else [])):
                yield Case(
                    game,
                    table,
                    fault,
                    config,
                    args.games,
                    args.seed,
                    args.mistakes,
                    args.share,
                    args.seats,
                )


def _summary(results: list[Trial]) -> dict[str, Any]:
    made: dict[str, int] = {}
    for result in results:
        for kind, n in result.mistakes.items():
            made[kind] = made.get(kind, 0) + n
    return {
        "event": "over",
        "games": sum(result.games for result in results),
        "finished": sum(result.finished for result in results),
        "moves": sum(result.moves for result in results),
        "mistakes": made,
        "wrong": sum(result.wrong for result in results),
        "lost": sum(result.lost for result in results),
        "again": sum(result.again for result in results),
        "good": all(result.good for result in results),
    }


def _print(results: list[Trial]) -> None:
    """A table of figures for each game and table: all of it fits into 80 columns."""
    console = Console()
    for (game, table), group in groupby(results, lambda result: (result.game, result.table)):
        grid = Grid("fault", title=f"{game}, {table}", title_justify="left", box=None)
        for head in ("finished", "moves", "mistakes", "wrong", "lost", "again", "p50 ms", "p99 ms"):
            grid.add_column(head, justify="right")
        said = []
        for result in group:
            grid.add_row(
                result.fault,
                f"{result.finished}/{result.games}",
                *(str(n) for n in (result.moves, sum(result.mistakes.values()), result.wrong)),
                *(str(n) for n in (result.lost, result.again)),
                *("–" if ms is None else f"{ms:.0f}" for ms in (result.p50_ms, result.p99_ms)),
                style="" if result.good else "red",
            )
            said += [f"{result.fault}: {why}" for why in result.why]
        console.print(grid)
        for why in said:
            console.print(why, style="red")
    total = _summary(results)
    made = ", ".join(f"{kind} {n}" for kind, n in sorted(total["mistakes"].items()))
    console.print(
        f"{total['finished']} of {total['games']} games finished, {total['moves']} moves; "
        f"taken wrongly: {total['wrong']}, lost: {total['lost']}; mistakes made: {made or 'none'}",
        style="bold",
    )

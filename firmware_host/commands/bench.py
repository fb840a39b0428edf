"""`cavale bench`: how fast, beside whom."""

from __future__ import annotations

import argparse
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from firmware_host.commands.common import (
    Misuse,
    command,
    json_argument,
    say,
)


def add(commands: Any) -> None:
    bench = command(commands, "bench", _bench, "how fast, beside whom")
    bench.add_argument(
        "what", nargs="*", metavar="rules|screen|bus|daemon|mqtt|page", help="default: all"
    )
    json_argument(bench)


def _bench(args: argparse.Namespace) -> int:
    from firmware_host.bench import BENCHES

    chosen = args.what or list(BENCHES)
    for name in chosen:
        if name not in BENCHES:
            raise Misuse(f"there is no bench {name!r}; give one of: {', '.join(BENCHES)}")
    grid = Grid("bench", "case", "ours", "peer", "unit", "ratio", box=None)
    for name in chosen:
        for case in BENCHES[name]():
            if args.json:
                say(case)
            else:
                grid.add_row(*(_figure(value) for value in msgspec.structs.astuple(case)))
    if not args.json:
        Console().print(grid)
    return 0


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)

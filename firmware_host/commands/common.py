"""What the commands share: arguments, and how they speak."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from firmware_host.config import PROFILES, Config, Language, find
from firmware_host.config_parts import MqttPart, PagePart
from game_logic import load
from game_logic.core import encode

FAILED, MISUSED = 1, 2


class Misuse(Exception):
    """Arguments that cannot be: the message says what to give instead."""


def command(commands: Any, name: str, does: Any, help: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help, description=help)
    parser.set_defaults(command=does)
    return parser


def table_arguments(parser: argparse.ArgumentParser) -> None:
    ready = ", ".join(PROFILES)
    parser.add_argument(
        "--table",
        metavar="FILE",
        default=os.environ.get("CAVALE_TABLE"),
        help=f"a table.toml, or one of: {ready}; default: $CAVALE_TABLE",
    )
    parser.add_argument("--language", choices=("fr", "en"), help="default: as in table.toml")


def journal_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where games are kept")


def decks_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--decks", type=Path, metavar="DIR", help="your own cards: DIR/GAME/*.toml (docs/decks.md)"
    )


def broker_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--broker", metavar="URL", help="tell mqtt://host[:port] about the game (docs/mqtt.md)"
    )


def record_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="what the sensors see, for `cavale replay`"
    )


def json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def whole(text: str) -> int:
    number = int(text) if text.strip().isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError("give a whole number from 1 on")
    return number


def share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("give a number from 0 to 1")
    return share


# -- what the arguments mean --------------------------------------------------------------------


def config_of(args: argparse.Namespace, ready: str = PROFILES[0]) -> Config:
    config = find(args.table or ready)
    language = args.language or (None if args.table else language_of(args))
    if language:
        config = msgspec.structs.replace(config, language=language)
    broker = getattr(args, "broker", None)
    if broker:
        part = config.mqtt or MqttPart(broker)
        config = msgspec.structs.replace(config, mqtt=msgspec.structs.replace(part, url=broker))
    page = getattr(args, "page", None)
    if page:
        host, port = page
        served = msgspec.structs.replace(config.page or PagePart(), host=host, port=port)
        config = msgspec.structs.replace(config, page=served)
    return config


def language_of(args: argparse.Namespace) -> Language:
    """As asked for, else as the machine speaks."""
    asked: Language | None = getattr(args, "language", None)
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    return asked or ("fr" if spoken.startswith("fr") else "en")


def journal_of(args: argparse.Namespace, *, simulated: bool = False) -> Path:
    """As asked for; else where the system keeps our state; else where this user's state is."""
    if args.journal is not None:
        return Path(args.journal)
    service = os.environ.get("STATE_DIRECTORY")
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "cavale"
    folder = Path(service) if service else home
    with contextlib.suppress(OSError):  # whoever opens the journal says what is wrong
        folder.mkdir(parents=True, exist_ok=True)
    return folder / "cavale.db"


@contextlib.contextmanager
def tape_of(args: argparse.Namespace) -> Iterator[IO[bytes] | None]:
    """Where the wire is recorded, if it is to be."""
    if args.record is None:
        yield None
        return
    try:
        file = args.record.open("wb")
    except OSError as error:
        raise Misuse(f"--record {args.record}: cannot be written ({error.strerror})") from None
    with file:
        yield file


def check_seats(game: str, seats: int | None) -> None:
    low, high = load(game).seats
    if seats is not None and not low <= seats <= high:
        raise Misuse(f"--seats {seats}: {game} is for {low} to {high} players")


# -- speaking -----------------------------------------------------------------------------------


def progress_bar(quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=quiet or not sys.stderr.isatty(),
        transient=True,
    )


def say(value: Any) -> None:
    print(encode(value).decode(), flush=True)


def complain(text: str) -> None:
    print(f"cavale: {text}", file=sys.stderr)

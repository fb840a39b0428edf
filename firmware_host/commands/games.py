"""The games there are, and those that were played: listed, exported, kept, replayed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table as Grid

from firmware_host.commands.common import (
    FAILED,
    Misuse,
    command,
    complain,
    decks_argument,
    journal_argument,
    journal_of,
    json_argument,
    language_of,
    say,
)
from firmware_host.decks import Decks
from firmware_host.journal import Journal, replay
from firmware_host.texts import TEXTS
from game_logic import GAMES


def add(commands: Any) -> None:
    games = command(commands, "games", _games, "the games, their players and options")
    decks_argument(games)
    json_argument(games)
    rules = command(commands, "rules", _rules, "the rules of a game, numbered")
    rules.add_argument("game", choices=GAMES)
    history = command(commands, "history", _history, "the games played, or the log of one")
    history.add_argument("id", type=int, nargs="?")
    journal_argument(history)
    json_argument(history)
    export = command(commands, "export", _export, "a game as JSON lines")
    export.add_argument("id", type=int)
    journal_argument(export)
    backup = command(commands, "backup", _backup, "all games into one file, also while one plays")
    backup.add_argument("file", type=Path)
    journal_argument(backup)
    restored = command(commands, "restore", _restore, "the games of a backup in place of these")
    restored.add_argument("file", type=Path)
    journal_argument(restored)
    again = command(commands, "replay", _replay, "play an exported game again, and compare")
    again.add_argument("file", type=Path, help="what `cavale export` or `--record` wrote")
    json_argument(again)


def _games(args: argparse.Namespace) -> int:
    decks = Decks(args.decks)
    for id in GAMES:
        game = decks.load(id)
        low, high = game.seats
        if args.json:
            options = {k: msgspec.to_builtins(o.default) for k, o in game.options.items()}
            say({"game": id, "title": game.title, "seats": game.seats, "options": options})
            continue
        players = f"{low}" if low == high else f"{low}–{high}"
        console = Console()
        console.print(f"[bold]{id}[/]  {game.title.en} / {game.title.fr}, {players} players")
        grid = Grid(box=None, show_header=False, padding=(0, 1))
        for key, option in game.options.items():
            grid.add_row(f"  {key}", repr(option.default), option.text.en)
        console.print(grid)
    return 0


def _rules(args: argparse.Namespace) -> int:
    """In the wheel they lie beside the code, in a checkout among the docs."""
    here = Path(__file__).parents[1]
    folders = (here / "rules", here.parent / "docs" / "rules")
    file = next(file for folder in folders if (file := folder / f"{args.game}.md").exists())
    text = file.read_text("utf-8")
    if sys.stdout.isatty():
        console = Console()
        with console.pager(styles=True):
            console.print(Markdown(text))
    else:
        print(text, end="")
    return 0


def _history(args: argparse.Namespace) -> int:
    journal = Journal.read(journal_of(args))
    if args.id is not None:
        for line in journal.export(args.id):
            say(line)
        return 0
    grid = Grid("id", "game", "players", "begun", "moves", "how it ended", box=None)
    for game in journal.games():
        ended = "open" if game.open else "abandoned"
        if game.outcome is not None:
            ended = game.outcome.text.in_(language_of(args))
        if args.json:
            say(game._asdict() | {"ended": ended})
        grid.add_row(
            str(game.id), game.game, ", ".join(game.seats), game.started, str(game.moves), ended
        )
    if not args.json:
        Console().print(grid)
    return 0


def _export(args: argparse.Namespace) -> int:
    for line in Journal.read(journal_of(args)).export(args.id):
        say(line)
    return 0


def _backup(args: argparse.Namespace) -> int:
    from firmware_host.journal.backup import back_up

    games = back_up(journal_of(args), args.file)
    print(TEXTS("backed_up", n=games, path=args.file).in_(language_of(args)))
    return 0


def _restore(args: argparse.Namespace) -> int:
    from firmware_host.journal.backup import restore

    games, aside = restore(args.file, journal_of(args))
    print(TEXTS("restored", n=games, path=args.file).in_(language_of(args)))
    if aside is not None:
        print(TEXTS("restored_aside", path=aside).in_(language_of(args)))
    return 0


def _replay(args: argparse.Namespace) -> int:
    from firmware_host.journal.replay import Result
    from firmware_host.tape import Replayed, is_tape
    from firmware_host.tape import replay as replay_tape

    try:
        lines = args.file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(
            f"{args.file}: cannot be read ({error}); give a file that `cavale export` or "
            "`cavale run --record` wrote"
        ) from None
    language = language_of(args)
    recorded = bool(lines) and is_tape(lines[0])
    result: Result | Replayed = replay_tape(lines) if recorded else replay(lines)
    if args.json:
        say({"ok": result.ok, "seq": result.seq, "why": result.why})
    elif result.ok:
        print(result.why.in_(language))
    if not result.ok:
        where = "" if result.seq is None else f"entry {result.seq}: "
        complain(where + result.why.in_(language))
    return 0 if result.ok else FAILED

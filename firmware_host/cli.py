"""The `cavale` command. Exit status: 0 done, 1 what was asked for failed, 2 bad arguments."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from firmware_host import __version__
from firmware_host.commands.trial import EVERY
from firmware_host.commands.trial import add_arguments as add_trial_arguments
from firmware_host.commands.trial import run as run_trial
from firmware_host.config import PROFILES, Config, ConfigError, Language, find, ready_made
from firmware_host.config_parts import MqttPart, PagePart
from firmware_host.decks import Decks
from firmware_host.journal import Journal, JournalError, replay
from firmware_host.texts import TEXTS
from game_logic import GAMES, load
from game_logic.core import Act, Malformed, encode

FAILED, MISUSED = 1, 2


class Misuse(Exception):
    """Arguments that cannot be: the message says what to give instead."""


def main(argv: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    args = _parser().parse_args(words, argparse.Namespace(words=words))
    try:
        return int(args.command(args))
    except (Misuse, ConfigError, Malformed) as error:
        _complain(str(error))
        return MISUSED
    except JournalError as error:
        _complain(error.text.in_(_language(args)))
        return FAILED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough (`cavale history | head`): not our failure.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cavale", description="A companion for five physical prison-escape board games."
    )
    parser.add_argument("--version", action="version", version=f"cavale {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    run = _command(commands, "run", _run, "the daemon: follows the table in front of it")
    _table_arguments(run)
    run.add_argument("--sim", action="store_true", help="simulate every chip; nothing is needed")
    run.add_argument("--game", choices=GAMES, help="begin this game if none is open")
    run.add_argument("--seats", default="", metavar="A,B,…", help="names of the players")
    _broker_argument(run)
    run.add_argument(
        "--page",
        type=_address,
        metavar="HOST:PORT",
        help="serve the page there (docs/page.md); with --sim: 127.0.0.1:8080 by itself",
    )
    run.add_argument("--terminal", action="store_true", help="with --sim: draw the table here")
    run.add_argument("--open", action="store_true", help="with --sim: the bench in a browser")
    _record_argument(run)
    run.add_argument("--seconds", type=float, help="stop by itself after so long")
    _decks_argument(run)
    _journal_argument(run)

    demo = _command(commands, "demo", _demo, "simulated hands play a whole game through the chips")
    demo.add_argument("game", choices=(*GAMES, EVERY), help="all: only with --games")
    demo.add_argument("--seed", type=int, default=0)
    demo.add_argument("--seats", type=int, metavar="K", help="how many players")
    demo.add_argument(
        "--mistakes", type=_share, default=0.0, help="share of turns with one, 0 to 1"
    )
    demo.add_argument("--faults", default="", help='such as "nack expander 0x20 p=0.05"')
    add_trial_arguments(demo, _whole, _share)
    _broker_argument(demo)
    demo.add_argument(
        "--pace", type=float, metavar="N", help="times real time; default: free, 20 with a broker"
    )
    _record_argument(demo)
    demo.add_argument("--png", type=Path, metavar="DIR", help="write what the screens show there")
    _table_arguments(demo)
    _journal_argument(demo)
    _json_argument(demo)

    simulate = _command(commands, "simulate", _simulate, "many games by the rules alone")
    simulate.add_argument("game", choices=GAMES)
    simulate.add_argument("--games", type=_whole, default=100, metavar="N")
    simulate.add_argument("--seats", type=int, metavar="K")
    simulate.add_argument("--seed", type=int, default=0)
    simulate.add_argument("--bot", default="random")
    _decks_argument(simulate)
    _json_argument(simulate)

    doctor = _command(commands, "doctor", _doctor, "every bus, chip, pin and port: how to mend it")
    _table_arguments(doctor)
    doctor.add_argument("--sim", action="store_true", help="examine simulated chips")
    doctor.add_argument("--faults", default="", help='with --sim, such as "missing screen 0x3c"')
    doctor.add_argument(
        "--bundle", type=Path, metavar="FILE", help="write a .zip for people who help: no secrets"
    )
    _journal_argument(doctor)
    _json_argument(doctor)

    learn = _command(commands, "learn", _learn, "put a tag on any reader, name the piece")
    _table_arguments(learn)
    learn.add_argument("--sim", action="store_true", help="rehearse: simulated readers and tags")
    learn.add_argument("--game", choices=GAMES, help="whose box; default: as in table.toml")
    _decks_argument(learn)
    _journal_argument(learn)

    games = _command(commands, "games", _games, "the games, their players and options")
    _decks_argument(games)
    _json_argument(games)
    history = _command(commands, "history", _history, "the games played, or the log of one")
    history.add_argument("id", type=int, nargs="?")
    _journal_argument(history)
    _json_argument(history)
    export = _command(commands, "export", _export, "a game as JSON lines")
    export.add_argument("id", type=int)
    _journal_argument(export)
    backup = _command(commands, "backup", _backup, "all games into one file, also while one plays")
    backup.add_argument("file", type=Path)
    _journal_argument(backup)
    restored = _command(commands, "restore", _restore, "the games of a backup in place of these")
    restored.add_argument("file", type=Path)
    _journal_argument(restored)
    again = _command(commands, "replay", _replay, "play an exported game again, and compare")
    again.add_argument("file", type=Path, help="what `cavale export` or `--record` wrote")
    _json_argument(again)
    bench = _command(commands, "bench", _bench, "how fast, beside whom")
    bench.add_argument("what", nargs="*", metavar="rules|screen", help="default: all")
    _json_argument(bench)
    return parser


def _command(commands: Any, name: str, does: Any, help: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help, description=help)
    parser.set_defaults(command=does)
    return parser


def _table_arguments(parser: argparse.ArgumentParser) -> None:
    ready = ", ".join(PROFILES)
    parser.add_argument(
        "--table",
        metavar="FILE",
        default=os.environ.get("CAVALE_TABLE"),
        help=f"a table.toml, or one of: {ready}; default: $CAVALE_TABLE",
    )
    parser.add_argument("--language", choices=("fr", "en"), help="default: as in table.toml")


def _journal_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", type=Path, metavar="FILE", help="where games are kept")


def _decks_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--decks", type=Path, metavar="DIR", help="your own cards: DIR/GAME/*.toml (docs/decks.md)"
    )


def _broker_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--broker", metavar="URL", help="tell mqtt://host[:port] about the game (docs/mqtt.md)"
    )


def _record_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="what the sensors see, for `cavale replay`"
    )


def _json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError("give HOST:PORT, such as 0.0.0.0:8080 or [::1]:8080")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a whole number from 1 on")
    return number


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("give a number from 0 to 1")
    return share


# -- the commands -------------------------------------------------------------------------------


def _run(args: argparse.Namespace) -> int:
    from firmware_host.daemon import run
    from firmware_host.plug import Plug

    config = _config(args)
    seats = tuple(filter(None, (name.strip() for name in args.seats.split(","))))
    with _tape(args) as tape:
        return run(
            config,
            _journal(args, simulated=args.sim),
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


def _demo(args: argparse.Namespace) -> int:
    from firmware_host.demo import Unfinished, demo
    from firmware_host.gallery import Gallery
    from firmware_host.simulated import BadOrder, SimulatedTable
    from firmware_host.snapshot import Event
    from firmware_host.words import words

    if args.games:
        if args.game != EVERY:
            _check_seats(args.game, args.seats)
        chosen = _config(args) if args.table else None
        return 0 if run_trial(args, chosen, _progress(args.json)) else FAILED
    if args.game == EVERY:
        raise Misuse("all games only with --games N; else name one")
    _check_seats(args.game, args.seats)
    config = _config(args, ready_made(args.game))
    gallery = Gallery(args.png) if args.png else None
    told = Console()

    def listen(event: Event, sim: SimulatedTable) -> None:
        if gallery is not None:
            gallery.keep(event, sim)
        if event.kind == "move" and args.json:
            for act in event.acts:
                _line(_move_line(event, act))
        elif not args.json:
            for line in words(event, config.language):
                told.print(line if event.text is None else f"  [yellow]{line}[/]", highlight=False)

    try:
        with _tape(args) as tape:
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
        _complain(str(error))
        return FAILED
    except BadOrder as error:
        raise Misuse(str(error)) from None
    record = played.record
    outcome = record.game.outcome(record.state)
    assert outcome is not None
    if args.json:
        _line(
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
        _complain(wrong)
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


def _simulate(args: argparse.Namespace) -> int:
    from firmware_host.simulate import simulate

    _check_seats(args.game, args.seats)
    game = Decks(args.decks).load(args.game)
    seats = args.seats or game.seats[0]
    with _progress(args.json) as progress:
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
        _line(summary)
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


def _doctor(args: argparse.Namespace) -> int:
    from drivers.clock import FreeClock
    from firmware_host.doctor import State, bundle, examine, examine_simulated
    from firmware_host.doctor.report import report
    from firmware_host.simulated import BadOrder, SimulatedTable

    if args.faults and not args.sim:
        raise Misuse("--faults are for simulated chips: give --sim too")
    journal, table = _journal(args), args.table or PROFILES[0]
    try:
        config = _config(args)
    except ConfigError as error:
        if args.bundle is not None:
            _bundle(bundle.write, args.bundle, table, journal, (), _language(args), str(error))
        raise
    if args.sim:
        clock = FreeClock()
        sim = SimulatedTable(config, clock)
        try:
            sim.order(args.faults)
        except BadOrder as error:
            raise Misuse(str(error)) from None
        findings = examine_simulated(sim, clock, journal)
    else:
        findings = examine(config, journal)
    told = report(findings, config.language, json=args.json)
    if args.bundle is not None:
        _bundle(bundle.write, args.bundle, table, journal, told, config.language)
    return FAILED if any(each.state is State.SICK for each in told) else 0


def _bundle(write: Callable[..., None], path: Path, *what: Any) -> None:
    try:
        write(path, *what)
    except OSError as error:
        raise Misuse(f"--bundle {path}: cannot be written ({error}); try /tmp/cavale.zip") from None
    print(f"cavale: {path} is written; look through it before you send it", file=sys.stderr)


def _learn(args: argparse.Namespace) -> int:
    from drivers.bus import BusError
    from drivers.panel import PinError
    from firmware_host.commands.learn import NoReaders, learn
    from firmware_host.tags import FILE, TagError

    config, decks = _config(args, "pad"), Decks(args.decks)
    path = _journal(args).with_name(f"simulated-{FILE}" if args.sim else FILE)
    try:
        return learn(config, path, decks.load(args.game or config.game), decks.load, args.sim)
    except NoReaders as error:
        raise Misuse(str(error)) from None
    except TagError as error:
        _complain(error.text.in_(config.language))
    except (BusError, PinError) as error:
        _complain(str(error))
    return FAILED


def _games(args: argparse.Namespace) -> int:
    decks = Decks(args.decks)
    for id in GAMES:
        game = decks.load(id)
        low, high = game.seats
        if args.json:
            options = {k: msgspec.to_builtins(o.default) for k, o in game.options.items()}
            _line({"game": id, "title": game.title, "seats": game.seats, "options": options})
            continue
        players = f"{low}" if low == high else f"{low}–{high}"
        console = Console()
        console.print(f"[bold]{id}[/]  {game.title.en} / {game.title.fr}, {players} players")
        grid = Grid(box=None, show_header=False, padding=(0, 1))
        for key, option in game.options.items():
            grid.add_row(f"  {key}", repr(option.default), option.text.en)
        console.print(grid)
    return 0


def _history(args: argparse.Namespace) -> int:
    journal = Journal.read(_journal(args))
    if args.id is not None:
        for line in journal.export(args.id):
            _line(line)
        return 0
    grid = Grid("id", "game", "players", "begun", "moves", "how it ended", box=None)
    for game in journal.games():
        ended = "open" if game.open else "abandoned"
        if game.outcome is not None:
            ended = game.outcome.text.in_(_language(args))
        if args.json:
            _line(game._asdict() | {"ended": ended})
        grid.add_row(
            str(game.id), game.game, ", ".join(game.seats), game.started, str(game.moves), ended
        )
    if not args.json:
        Console().print(grid)
    return 0


def _export(args: argparse.Namespace) -> int:
    for line in Journal.read(_journal(args)).export(args.id):
        _line(line)
    return 0


def _backup(args: argparse.Namespace) -> int:
    from firmware_host.journal.backup import back_up

    games = back_up(_journal(args), args.file)
    print(TEXTS("backed_up", n=games, path=args.file).in_(_language(args)))
    return 0


def _restore(args: argparse.Namespace) -> int:
    from firmware_host.journal.backup import restore

    games, aside = restore(args.file, _journal(args))
    print(TEXTS("restored", n=games, path=args.file).in_(_language(args)))
    if aside is not None:
        print(TEXTS("restored_aside", path=aside).in_(_language(args)))
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
    language = _language(args)
    recorded = bool(lines) and is_tape(lines[0])
    result: Result | Replayed = replay_tape(lines) if recorded else replay(lines)
    if args.json:
        _line({"ok": result.ok, "seq": result.seq, "why": result.why})
    elif result.ok:
        print(result.why.in_(language))
    if not result.ok:
        where = "" if result.seq is None else f"entry {result.seq}: "
        _complain(where + result.why.in_(language))
    return 0 if result.ok else FAILED


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
                _line(case)
            else:
                grid.add_row(*(_figure(value) for value in msgspec.structs.astuple(case)))
    if not args.json:
        Console().print(grid)
    return 0


# -- small things -------------------------------------------------------------------------------


def _config(args: argparse.Namespace, ready: str = PROFILES[0]) -> Config:
    config = find(args.table or ready)
    language = args.language or (None if args.table else _language(args))
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


def _language(args: argparse.Namespace) -> Language:
    """As asked for, else as the machine speaks."""
    asked: Language | None = getattr(args, "language", None)
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", "")
    return asked or ("fr" if spoken.startswith("fr") else "en")


def _journal(args: argparse.Namespace, *, simulated: bool = False) -> Path:
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
def _tape(args: argparse.Namespace) -> Iterator[IO[bytes] | None]:
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


def _check_seats(game: str, seats: int | None) -> None:
    low, high = load(game).seats
    if seats is not None and not low <= seats <= high:
        raise Misuse(f"--seats {seats}: {game} is for {low} to {high} players")


def _progress(quiet: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=quiet or not sys.stderr.isatty(),
        transient=True,
    )


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


def _line(value: Any) -> None:
    print(encode(value).decode(), flush=True)


def _complain(text: str) -> None:
    print(f"cavale: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())

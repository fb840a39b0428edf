"""`cavale run`: one table, until it is told to stop."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import sys
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

import msgspec

from drivers.bus import BusError
from drivers.clock import RealClock
from drivers.panel import PinError
from drivers.tower_protocol import Mark
from firmware_host import menu, settings
from firmware_host.config import Config
from firmware_host.config_parts import PagePart
from firmware_host.decks import Decks
from firmware_host.inbox import Begin, Inbox, Stop
from firmware_host.journal import CannotResume, Journal, Record, Writer
from firmware_host.logs import open_log
from firmware_host.mqtt import Link
from firmware_host.notify import Notifier
from firmware_host.parts import Parts, open_parts
from firmware_host.plug import Plug, left_on_the_table
from firmware_host.runner import run_real
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event, Snapshot
from firmware_host.table import Table
from firmware_host.tags import FILE as TAGS
from firmware_host.tags import TagError, Tags
from firmware_host.tape import Recorder
from firmware_host.terminal import Terminal
from firmware_host.texts import TEXTS
from firmware_host.words import words
from firmware_host.workbench import Workbench
from game_logic.core import Game

if TYPE_CHECKING:
    from firmware_host.web.server import Page

log = logging.getLogger("cavale")

FAREWELL = 0.4  # s for a broker at the end: whoever stops the service waits a second, no more


def run(
    config: Config,
    journal: Path,
    *,
    simulated: bool,
    game: str | None,
    seats: Sequence[str],
    seconds: float | None = None,
    decks: Decks | None = None,
    plug: Plug | None = None,
    terminal: bool = False,
    browse: bool = False,
    tape: IO[bytes] | None = None,
) -> int:
    """Resume the open game, or begin one, and follow it. Returns the exit status.

    `plug`: how a simulated table is started anew; `terminal`: it is drawn there; `browse`: its
    bench is opened in a browser, where there is one. `tape`: what the sensors see goes there.
    """
    open_log()
    clock = RealClock()
    inbox = Inbox()
    decks = decks or Decks()
    kept = journal.with_name(settings.FILE)
    as_set = settings.load(kept)
    if as_set.language is not None:
        config = msgspec.structs.replace(config, language=as_set.language)
    if as_set.luck is not None:
        config = msgspec.structs.replace(config, luck=as_set.luck)
    book = Journal.open(journal)
    if book.notice is not None:
        log.warning("%s", book.notice.in_(config.language))
    record = _resumed(book, config)
    sim: SimulatedTable | None = None
    try:
        if simulated:
            sim = SimulatedTable(config, clock, inbox.wake, seed=secrets.randbits(32))
            parts: Parts = sim.parts
        else:
            taken = Mark(*record.roll) if record and record.roll else None
            parts = open_parts(config, clock, inbox.wake, acked=taken)
            parts.senses.tags = _tags(journal, decks, config)
    except (BusError, PinError) as error:
        log.error("%s", error)
        book.close()
        return 1
    writer = Writer(book, inbox.wake)
    link = Link(config, parts.healths) if config.mqtt else None
    bench = Workbench(sim) if sim else None
    plug = plug or Plug(())
    page = _page(config, bench, plug, journal)
    drawn = Terminal(sim, config.language) if sim and terminal else None
    below: Callable[[int], int] = secrets.SystemRandom().randrange
    recorder: Recorder | None = None
    if tape is not None:
        recorder = Recorder(
            tape,
            parts,
            inbox,
            below,
            clock.now,
            record=record,
            language=config.language,
            page=page is not None,
            luck=config.luck,
        )
        parts, inbox, below = recorder.parts, recorder.inbox, recorder.below
    table = Table(
        parts,
        writer,
        clock,
        below=below,
        language=config.language,
        mute=as_set.mute,
        luck=config.luck,
        first=config.game,
        listen=_all(
            _kept(kept, lambda: table.snapshot),
            recorder.heard if recorder else None,
            drawn.heard if drawn else _logged(config),
            bench.heard if bench else None,
            link.heard if link else None,
            page.heard if page else None,
        ),
        record=record,
        inbox=inbox,
        decks=decks,
        door=page.door if page else lambda seat: None,
        address=page.url if page else None,
    )
    if record is None and (game or seats or simulated or not parts.has_buttons):
        chosen = game or config.game  # else the table asks
        rules = decks.load(chosen)
        options = menu.secrets(rules, page=page is not None)
        inbox.put(Begin(chosen, seats or _names(rules, config), options))
    elif record is not None and bench is not None:
        bench.resume(record, left_on_the_table())
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: inbox.put(Stop()))
    end = None if seconds is None else clock.now() + seconds
    notifier = Notifier(clock, writer.under_way)
    others: list[Callable[[], float]] = [notifier.step]
    if drawn is not None:
        drawn.open(table)
        others.append(drawn.step)
    if bench is not None:
        others.append(bench.step)
    if link is not None:
        link.open(table)
    if page is not None:
        page.open(table)
        for said in (TEXTS("page_at", url=page.url), TEXTS("page_host", url=page.host_url())):
            log.info("%s", said.in_(config.language))
        if bench is not None:
            _announce(page.url + "bench", config, browse=browse)
    try:
        run_real(
            table,
            clock,
            sim.agenda if sim else None,
            *others,
            until=lambda: end is not None and clock.now() >= end,
        )
    finally:
        notifier.stopping()
        if drawn is not None:
            drawn.close()
        if page is not None:
            page.close()
        writer.close()
        parts.close(clock.now())
        if link is not None:
            link.close(FAREWELL)
    if plug.another is not None:
        plug.pull("", plug.another)
    return 0


def _page(config: Config, bench: Workbench | None, plug: Plug, journal: Path) -> Page | None:
    """As asked for; a simulated table has one by itself, wherever there is room for it."""
    if config.page is None and bench is None:
        return None
    from firmware_host.web.server import Page, PageError

    part = config.page or PagePart("127.0.0.1")
    try:
        return Page(config, (part.host, part.port), bench, journal, plug=plug)
    except PageError:
        if config.page is not None:
            raise
        return Page(config, (part.host, 0), bench, journal, plug=plug)


def _announce(url: str, config: Config, *, browse: bool) -> None:
    """Where the bench is; and there it is, if this machine has a screen to show it on."""
    log.info("%s", TEXTS("bench_at", url=url).in_(config.language))
    screen = sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if browse and screen:  # apart: some browsers keep whoever calls them waiting
        Thread(target=webbrowser.open, args=(url,), name="browser", daemon=True).start()


def _resumed(book: Journal, config: Config) -> Record | None:
    try:
        record = book.open_game()
    except CannotResume as error:
        log.error("%s", error.text.in_(config.language))
        book.abandon(error.id)
        return None
    if record is not None:
        said = TEXTS("resumed", game=record.game.title, moves=len(record.line) - 1)
        log.info("%s", said.in_(config.language))
    return record


def _tags(journal: Path, decks: Decks, config: Config) -> Tags:
    """The tag table beside the journal. Without it tagged pieces are strangers, no more."""
    try:
        tags = Tags.load(journal.with_name(TAGS), decks.load)
    except TagError as error:
        log.error("%s", error.text.in_(config.language))
        return Tags({}, decks.load)
    if tags.notice is not None:
        log.warning("%s", tags.notice.in_(config.language))
    return tags


def _names(game: Game[Any], config: Config) -> tuple[str, ...]:
    return tuple(game.seat_name(seat).in_(config.language) for seat in range(game.seats[0]))


def _kept(path: Path, snapshot: Callable[[], Snapshot]) -> Callable[[Event], None]:
    """What is set at the panel is set at the next start too."""

    def listen(event: Event) -> None:
        if event.kind == "set":
            shot = snapshot()
            settings.save(path, settings.Settings(shot.language, shot.mute, shot.luck))

    return listen


def _all(*ears: Callable[[Event], None] | None) -> Callable[[Event], None]:
    def listen(event: Event) -> None:
        for ear in filter(None, ears):
            ear(event)

    return listen


def _logged(config: Config) -> Callable[[Event], None]:
    """Without a terminal the log is where people look."""

    def listen(event: Event) -> None:
        level = logging.WARNING if event.kind == "trouble" else logging.INFO
        record = event.record
        fields = {
            "event": event.kind,
            "game": record and record.id,
            "seq": record and record.seq,
            "latency_ms": None if event.latency is None else round(event.latency * 1000),
        }
        for line in words(event, config.language):
            log.log(level, "%s", line, extra={"fields": fields})

    return listen

"""`cavale run`: one table, until it is told to stop."""

from __future__ import annotations

import logging
import secrets
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.bus import BusError
from drivers.clock import RealClock
from drivers.panel import PinError
from firmware_host.config import Config
from firmware_host.config_parts import PagePart
from firmware_host.decks import Decks
from firmware_host.inbox import Begin, Inbox, Stop
from firmware_host.journal import CannotResume, Journal, Record, Writer
from firmware_host.logs import open_log
from firmware_host.mqtt import Link
from firmware_host.notify import Notifier
from firmware_host.parts import Parts, open_parts
from firmware_host.runner import run_real
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.table import Table
from firmware_host.terminal import Terminal
from firmware_host.texts import TEXTS
from firmware_host.words import words
from game_logic import load

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
) -> int:
    """Resume the open game, or begin one, and follow it. Returns the exit status."""
    open_log()
    clock = RealClock()
    inbox = Inbox()
    sim: SimulatedTable | None = None
    try:
        if simulated:
            sim = SimulatedTable(config, clock, inbox.wake)
            parts: Parts = sim.parts
        else:
            parts = open_parts(config, clock, inbox.wake)
    except (BusError, PinError) as error:
        log.error("%s", error)
        return 1
    book = Journal.open(journal)
    if book.notice is not None:
        log.warning("%s", book.notice.in_(config.language))
    record = _resumed(book, config)
    writer = Writer(book, inbox.wake)
    link = Link(config, parts.healths) if config.mqtt else None
    page = _page(config, sim)
    terminal = Terminal(sim, config.language) if sim and sys.stdin.isatty() else None
    table = Table(
        parts,
        writer,
        clock,
        below=secrets.SystemRandom().randrange,
        language=config.language,
        listen=_all(
            terminal.heard if terminal else _logged(config),
            link.heard if link else None,
            page.heard if page else None,
        ),
        record=record,
        inbox=inbox,
        decks=decks,
    )
    if record is None:
        chosen = game or config.game
        inbox.put(Begin(chosen, seats or _names(chosen)))
    elif sim is not None:
        sim.world.arrange(record.game.image(record.state))  # the pieces stayed where they were
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: inbox.put(Stop()))
    end = None if seconds is None else clock.now() + seconds
    notifier = Notifier(clock, writer.under_way)
    others: list[Callable[[], float]] = [notifier.step]
    if terminal is not None:
        terminal.open(table)
        others.append(terminal.step)
    if link is not None:
        link.open(table)
    if page is not None:
        page.open(table)
        log.info("%s", TEXTS("page_at", url=page.url).in_(config.language))
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
        if terminal is not None:
            terminal.close()
        if page is not None:
            page.close()
        writer.close()
        parts.close(clock.now())
        if link is not None:
            link.close(FAREWELL)
    return 0


def _page(config: Config, sim: SimulatedTable | None) -> Page | None:
    """As asked for; a simulated table has one by itself, wherever there is room for it."""
    if config.page is None and sim is None:
        return None
    from firmware_host.web.server import Page, PageError

    part = config.page or PagePart("127.0.0.1")
    try:
        return Page(config, (part.host, part.port), sim)
    except PageError:
        if config.page is not None:
            raise
        return Page(config, (part.host, 0), sim)


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


def _names(game: str) -> tuple[str, ...]:
    return tuple(f"{n}" for n in ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo"))[: load(game).seats[0]]


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

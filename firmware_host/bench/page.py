"""What does the page cost? The same evening without it, with it and nobody there, and with three
phones: memory, and work for a move.

Each is a process of its own, so that its memory is its own; the phones are one more, whose work is
nobody's here. It plays on simulated chips, whose work is in every figure alike. Time is scaled, as
it must be beside something real."""

from __future__ import annotations

import http.client
import json
import resource
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firmware_host.bench import Case
from firmware_host.config import profile
from firmware_host.demo import NAMES, Evening
from firmware_host.journal import Journal
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event

GAME, TABLE = "prison_break", "squares"  # the board with most to draw
SEATS = 3
PACE = 10.0
SEED = 7
WARM = 5  # moves before anybody counts
MOVES = 60


class Cost(msgspec.Struct, frozen=True):
    """Of one evening: milliseconds of work for a move, and megabytes at most."""

    loop: float  # the table's own thread
    all: float  # every thread
    memory: float


def cases(moves: int = MOVES) -> Iterator[Case]:
    without = _measured("nothing", moves)
    for what in ("page", "phones"):
        cost = _measured(what, moves)
        with_it = "page and three phones" if what == "phones" else "page, nobody there"
        for name, unit in (("memory", "MB"), ("all", "ms"), ("loop", "ms")):
            ours, peer = getattr(cost, name), getattr(without, name)
            told = {"all": "all threads work for a move", "loop": "the loop works for a move"}
            yield Case(
                bench="page",
                case=f"{told.get(name, 'memory')}; {with_it}, beside no page",
                ours=round(ours, 1),
                peer=round(peer, 1),
                unit=unit,
                ratio=round(ours / peer, 3),
            )


def _measured(what: str, moves: int) -> Cost:
    asked = f"from firmware_host.bench.page import evening; evening({what!r}, {moves})"
    done = subprocess.run([sys.executable, "-c", asked], stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Cost)


def evening(what: str, moves: int) -> None:
    """In a process of its own: play, and print what it cost."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder) / "bench.db"
        journal = Journal.open(file)
        stack.callback(journal.close)
        ears: list[Callable[[Event], None]] = []

        def heard(event: Event, _: SimulatedTable) -> None:
            for ear in ears:
                ear(event)

        played = Evening(
            profile(TABLE),
            GAME,
            journal,
            seed=SEED,
            seats=SEATS,
            pace=PACE,
            listen=heard,
        )
        if what != "nothing":
            from firmware_host.web.server import Page  # only here: its memory is in question

            page = Page(profile(TABLE), ("127.0.0.1", 0), journal=file)
            ears.append(page.heard)
            page.open(played.table)
            stack.callback(page.close)
        played.run(lambda: played.moves >= WARM)
        if what == "phones":
            stack.enter_context(_three(page))
        before, loop, every = played.moves, time.thread_time(), time.process_time()
        played.run(lambda: played.moves >= before + moves)
        made = played.moves - before
        cost = Cost(
            1000 * (time.thread_time() - loop) / made,
            1000 * (time.process_time() - every) / made,
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        )
        sys.stdout.write(msgspec.json.encode(cost).decode())


@contextmanager
def _three(page: object) -> Iterator[None]:
    """A phone for each seat, listening, in another process."""
    from firmware_host.web.keys import hashed, roles
    from firmware_host.web.server import Page

    assert isinstance(page, Page)
    tokens = [secrets.token_urlsafe(32) for _ in range(SEATS)]
    for role, token in zip(roles(NAMES[:SEATS]), tokens, strict=True):
        page.house.keys.give(role, hashed(token))
    asked = f"from firmware_host.bench.page import phones; phones({page.port}, {tokens})"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", asked], stdout=pipe, text=True) as listening:
        assert listening.stdout is not None
        for _ in tokens:
            assert listening.stdout.readline(), "a phone could not join"
        try:
            yield
        finally:
            listening.terminate()


def phones(port: int, tokens: list[str]) -> None:
    """In a process of its own: each listens to its seat, and says so once it hears something."""

    def listen(seat: int, token: str) -> None:
        line = http.client.HTTPConnection("127.0.0.1", port)
        line.request(
            "GET", f"/api/events?seat={seat}", headers={"Cookie": f"cavale_{port}={token}"}
        )
        answer, told = line.getresponse(), False
        while said := answer.readline():
            if said.startswith(b"data: "):
                json.loads(said[6:])  # as a browser does
                if not told:
                    print(seat, flush=True)
                told = True

    threads = [threading.Thread(target=listen, args=each) for each in enumerate(tokens)]
    for thread in threads:
        thread.start()

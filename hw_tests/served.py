"""A table on simulated chips with its page, on loopback, in real time: for tests of the page."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import httpx

from drivers.clock import RealClock
from firmware_host.config import Config
from firmware_host.config_parts import PanelPart
from firmware_host.inbox import Begin, Inbox, Invite, Stop
from firmware_host.journal import Journal, Writer
from firmware_host.runner import run_real
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.table import GLANCE, Table
from firmware_host.web.guard import Rates
from firmware_host.web.server import Page
from firmware_host.workbench import Workbench
from game_logic.core import CHANCE, pick

UNLIMITED = Rates(**dict.fromkeys(Rates._fields, (1e6, 1e6)))
BARE = Config(name="tests", panel=PanelPart(confirm=5, undo=6, next=13))  # moves by page alone


def wait(until, seconds: float = 10.0, what: str = "for the table") -> Any:
    end = time.monotonic() + seconds
    while not (found := until()):
        assert time.monotonic() < end, f"waited in vain {what}"
        time.sleep(0.01)
    return found


def read() -> None:
    """People read what the table asks before they press a button."""
    time.sleep(GLANCE + 0.05)


def later(ask):
    """What is answered only when the table has agreed, or not."""
    answers = []
    asking = Thread(target=lambda: answers.append(ask()))
    asking.start()

    def finish():
        asking.join(20)
        return answers[0]

    return finish


def played(rules: Any, until: Any, names: tuple[str, ...], seed: int = 5, **options: Any) -> Any:
    """The first state of a random game that is as wanted."""
    rng, state = random.Random(seed), rules.new(names, options)
    while not until(state):
        by = rng.choice(rules.to_act(state))
        parts = rules.chance(state).parts if by == CHANCE else ()
        move = (
            pick(rng.choice(parts), rng.randrange) if parts else rng.choice(rules.moves(state, by))
        )
        state = rules.play(state, move, by)
    return state


class Phone(httpx.Client):
    """A browser, as far as the page can tell."""

    def __init__(self, served: Served) -> None:
        super().__init__(base_url=served.page.url.rstrip("/"), timeout=20.0)
        self._served = served

    def state(self, seat: int | None = None, **more: str) -> Any:
        asked = more if seat is None else {"seat": str(seat)} | more
        return self.get("/api/state", params=asked).raise_for_status().json()

    def ask(self, route: str, **wish: Any) -> httpx.Response:
        return self.post(f"/api/{route}", json=wish)

    def join(self, seat: int | None) -> Phone:
        answer = self.ask("join", code=self._served.invite(seat))
        assert answer.status_code == 200, answer.text
        return self

    def play(self, seat: int, *moves: Any) -> httpx.Response:
        told = self.state(seat)
        return self.ask(
            "intents",
            game=told["game"],
            seat=seat,
            decision=told["decision"],
            moves=list(moves) or [told["moves"][0]["move"]],
        )

    def events(self, seat: int | None = None, **headers: str) -> Iterator[tuple[str, str, Any]]:
        """What the stream says: id, kind and data of each event."""
        asked = {} if seat is None else {"seat": str(seat)}
        with self.stream("GET", "/api/events", params=asked, headers=headers) as answer:
            assert answer.status_code == 200, answer.read()
            said: dict[str, str] = {}
            for line in answer.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    said[name] = value
                elif "data" in said:
                    yield said.get("id", ""), said.get("event", ""), json.loads(said["data"])
                    said = {}


class Served:
    def __init__(
        self,
        folder: Path,
        game: str | None = "breakout",
        names: tuple[str, ...] = ("Ana", "Bo"),
        *,
        options: dict[str, Any] | None = None,
        config: Config = BARE,
        rates: Rates = UNLIMITED,
        seed: int = 7,
    ) -> None:
        self.clock, inbox = RealClock(), Inbox()
        self.file = folder / "cavale.db"
        self.sim = SimulatedTable(config, self.clock, inbox.wake)
        journal = Journal.open(self.file)
        record = journal.open_game()
        self.writer = Writer(journal, inbox.wake)
        self.bench = Workbench(self.sim)
        self.page = Page(config, ("127.0.0.1", 0), self.bench, self.file, rates)
        self.table = Table(
            self.sim.parts,
            self.writer,
            self.clock,
            below=random.Random(seed).randrange,
            listen=self._heard,
            record=record,
            inbox=inbox,
            door=self.page.door,
            luck=config.luck,
        )
        self.phones: list[Phone] = []
        self.page.open(self.table)
        loop = (self.table, self.clock, self.sim.agenda, self.bench.step)
        self._thread = Thread(target=run_real, args=loop)
        self._thread.start()
        if game is not None and record is None:
            inbox.put(Begin(game, names, options or {}))
            wait(lambda: self.shot.record)
            self.rest()

    def _heard(self, event: Event) -> None:
        self.bench.heard(event)
        self.page.heard(event)

    @property
    def shot(self):
        return self.table.snapshot

    @property
    def record(self):
        assert self.shot.record is not None
        return self.shot.record

    @property
    def turn(self) -> int:
        return self.record.game.to_act(self.record.state)[0]

    def rest(self) -> None:
        """Until the house has dealt all that it deals, and somebody is to act."""
        game = self.record.game
        wait(lambda: not game.chance(self.record.state) and self.shot.decisions)

    def invite(self, seat: int | None) -> str:
        """As the table's menu does it; the code is what the screen then shows."""
        self.table.inbox.put(Invite(seat))
        shown = wait(lambda: (i := self.shot.invitation) and i.seat == seat and i)
        assert shown.url == f"HTTP://127.0.0.1:{self.page.port}/S/{shown.code}"
        return shown.code

    def phone(self, *seats: int | None) -> Phone:
        """A phone that has joined as these seats; None: as the host."""
        phone = Phone(self)
        self.phones.append(phone)
        for seat in seats:
            phone.join(seat)
        return phone

    def close(self) -> None:
        for phone in self.phones:
            phone.close()
        self.table.inbox.put(Stop())
        self._thread.join(10)
        self.page.close()
        self.writer.close()
        self.sim.parts.close(self.clock.now())
        assert not self._thread.is_alive()

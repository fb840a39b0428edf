"""Runs a recording through the table again, in free time, and compares what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from drivers.clock import FreeClock
from drivers.health import Health
from drivers.sim.agenda import Agenda
from drivers.tower_protocol import Cocked, Die, Mark, Roll
from firmware_host.config import Config
from firmware_host.inbox import Inbox
from firmware_host.journal import InlineWriter, Record
from firmware_host.journal.entries import Start, decode
from firmware_host.journal.record import follow
from firmware_host.parts import Parts
from firmware_host.runner import run_free
from firmware_host.senses import Senses
from firmware_host.sighting import Sighting, Sightings
from firmware_host.snapshot import Event
from firmware_host.table import Table
from firmware_host.tape.lines import ENTRIES, VERSION, Dice, Head, Line, decode_head, decode_line
from firmware_host.tape.messages import from_json
from firmware_host.texts import TEXTS
from game_logic import load
from game_logic.core import Game, Illegal, Malformed, Text

AFTERWARDS = 60.0  # s for what was under way when the tape ends


class Replayed(NamedTuple):
    """`seq`: how many entries were accepted alike; `at`: where it first went otherwise."""

    ok: bool
    seq: int
    why: Text
    at: float | None = None


def is_tape(first_line: str) -> bool:
    return first_line.startswith('{"tape":')


def replay(lines: Sequence[str]) -> Replayed:
    """Raises Malformed for what is no tape."""
    try:
        head = decode_head(lines[0])
        tape = [decode_line(line) for line in lines[1:] if line.strip()]
        if head.tape != VERSION:
            raise ValueError(f"version {head.tape}, and this is for version {VERSION}")
        record = _record(head)
    except (ValueError, IndexError, Illegal) as error:
        raise Malformed(f"not a recording of a table: {error}") from None
    wanted = [line for line in tape if line.entry is not None]
    heard = _run(head, tape, record)
    for n, (line, event) in enumerate(zip(wanted, heard, strict=False)):
        then, now = _told(line.entry, line.acts), _told(event.kind, event.acts)
        if then != now:
            return Replayed(False, n, TEXTS("tape_differs", was=then, now=now), line.at)
    if len(heard) != len(wanted):
        many = min(len(heard), len(wanted))
        why = TEXTS("tape_count", was=len(wanted), now=len(heard))
        return Replayed(False, many, why, wanted[many].at if many < len(wanted) else None)
    return Replayed(True, len(wanted), TEXTS("tape_same", n=len(wanted)))


def _told(kind: str | None, acts: Any) -> str:
    return f"{kind} {msgspec.json.encode(acts).decode()}" if acts else str(kind)


def _record(head: Head) -> Record | None:
    if not head.entries:
        return None
    entries = [decode(bytes(entry)) for entry in head.entries]
    start = entries[0]
    if not isinstance(start, Start):
        raise ValueError("the game that was open has no beginning in it")
    game = load(start.game, start.deck)
    steps: list[Any] = []
    for entry in entries:
        steps.append(follow(game, steps, entry))
    return Record(None, game, bytes(32), tuple(steps))


def _run(head: Head, tape: list[Line], record: Record | None) -> list[Event]:
    clock = FreeClock(tape[0].at if tape else 0.0)
    end = (tape[-1].at if tape else 0.0) + AFTERWARDS
    heard: list[Event] = []
    inbox = Inbox()
    parts = _PlayedParts(senses=_PlayedSenses(), tape=[line for line in tape if not line.entry])
    parts.open(head, inbox)
    lots = [line.lot for line in tape if line.lot is not None]
    table = Table(
        parts,
        InlineWriter(_Memory(), clock.now),
        clock,
        below=lambda n: lots.pop(0) % n if lots else 0,
        listen=lambda event: heard.append(event) if event.kind in ENTRIES else None,
        record=record,
        inbox=inbox,
        luck=head.luck,
        door=(lambda _: None) if head.page else None,
    )
    parts.game = lambda: table.snapshot.game
    run_free(table, clock, Agenda(clock), until=lambda: clock.now() >= end, most=end - clock.now())
    return heard


class _Memory:
    """A journal that nothing is read from again."""

    path = Path("replay")

    def append(self, record: Record) -> Record:
        return replace(record, id=1)

    def close(self) -> None:
        pass


class _PlayedSenses(Senses):
    """Says what the sensors said then."""

    def __init__(self) -> None:
        super().__init__(Config(), None)
        self._seen: dict[str, Sighting] = {}
        self._sensed: frozenset[str] = frozenset()
        self._of_cards: frozenset[str] = frozenset()
        self._lost: set[str] = set()

    @property
    def pads_answer(self) -> bool:
        return True  # a card that was shown then is on the tape

    def play(self, record: Record) -> None:
        pass

    def hear(self, line: Line) -> None:
        for space, sighting in line.spaces.items():
            if sighting is None:
                self._seen.pop(space, None)
                self._lost.add(space)
            else:
                self._seen[space] = sighting
                self._lost.discard(space)
        self._signs += line.signs
        self._shaken = self._shaken or line.shaken
        if line.sensed is not None:
            self._lost |= self._sensed
            self._sensed = frozenset(line.sensed)
            self._lost -= self._sensed
        if line.cards is not None:
            self._of_cards = frozenset(line.cards)
        if line.change is not None:
            self.last_change = line.change
        if line.settled is not None:
            self._settled_at = line.settled
        self.shown += line.held
        self.games += line.games
        self.news += 1
        self._kept = None

    def sightings(self) -> Sightings:
        if self._kept is None:
            signs = tuple(self._signs)
            self._kept = Sightings(
                dict(self._seen),
                signs,
                self._sensed,
                self._shaken,
                self._of_cards,
                frozenset(self._lost),
            )
        return self._kept


class _PlayedPanel:
    """The buttons that there were; nobody looks at its light."""

    next_due = float("inf")

    def __init__(self, buttons: Sequence[str]) -> None:
        self._buttons = buttons

    def has(self, name: str) -> bool:
        return name in self._buttons

    def light(self, *colour: float) -> None:
        pass

    def sound(self, on: bool) -> None:
        pass


class _PlayedTower:
    next_due = float("inf")

    def __init__(self) -> None:
        self.health = Health("tower")

    def ack(self, mark: Mark) -> None:
        pass


@dataclass
class _PlayedParts(Parts):
    tape: list[Line] = field(default_factory=list)
    game: Callable[[], Game[Any] | None] = lambda: None
    inbox: Inbox = field(default_factory=Inbox)

    def open(self, head: Head, inbox: Inbox) -> None:
        self.inbox = inbox
        self.panel: Any = _PlayedPanel(head.buttons)
        if head.dice is not None:
            self.tower: Any = _PlayedTower()
            self.tower_dice = head.dice

    def step(self, now: float) -> list[str]:
        pressed: list[str] = []
        while self.tape and self.tape[0].at <= now:
            line = self.tape.pop(0)
            pressed += line.press
            assert isinstance(self.senses, _PlayedSenses)
            self.senses.hear(line)
            if line.message is not None:
                self.inbox.put(from_json(line.message, self.game()))
            if line.dice is not None:
                self.dice = _report(line.dice)
            if line.thrown is not None:
                self.thrown = line.thrown
            if line.tower is not None and self.tower:
                self.tower.health.state = line.tower
        return pressed

    @property
    def next_due(self) -> float:
        return self.tape[0].at if self.tape else float("inf")


def _report(dice: Dice) -> Roll | Cocked:
    kind = Cocked if dice.cocked else Roll
    return kind(Mark(*dice.mark), tuple(Die(*die) for die in dice.dice), dice.at)

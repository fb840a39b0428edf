"""`cavale learn`: put a tagged piece on any reader, and pick its name.

The signs one types are the same in every language; the table is saved after every tag, so that one
may stop at any time and go on another day.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from drivers.clock import Clock, FreeClock, RealClock
from drivers.readers import Readers, Seen
from drivers.sim.radio import Tag as SimTag
from firmware_host.config import Config
from firmware_host.inbox import Inbox
from firmware_host.parts import open_parts
from firmware_host.simulated import SimulatedTable
from firmware_host.tags import TagError, Tags
from firmware_host.texts import TEXTS
from game_logic.core import Game, Text, Thing

SKIP, BACK, AGAIN, CHOOSES, ENOUGH = "", "-", "=", "*", "."
GONE = 2.0  # s after which every reader believes that a tag is gone
LONG = 12  # names; a longer list is shown only when asked for by a part of the name


class NoReaders(ValueError):
    """There is nothing to put a piece on."""


def learn(
    config: Config, path: Path, game: Game[Any], games: Callable[[str], Game[Any]], sim: bool
) -> int:
    """Until everything has its tag or people have had enough. Returns the exit status."""
    if not config.reader:
        raise NoReaders(TEXTS("learn_no_reader").in_(config.language))
    console = Console(highlight=False, markup=False, soft_wrap=True)
    tags = Tags.load(path, games)
    pads = SimulatedPads(config, _blanks(tags)) if sim else Pads(config)
    try:
        Lesson(console, config.language, game, tags, path).hold(pads)
    except (EOFError, KeyboardInterrupt):
        console.print()
    finally:
        pads.close()
    return 0


class Lesson:
    """The conversation: one tag after the other is named."""

    def __init__(
        self, console: Console, language: str, game: Game[Any], tags: Tags, path: Path
    ) -> None:
        self.tags = tags
        self._console = console
        self._language = language
        self._game = game
        self._path = path
        self._last: list[str] = []  # learnt in this lesson, the newest last

    def hold(self, pads: Pads) -> None:
        if self.tags.notice is not None:
            self._say(self.tags.notice)
        self._progress()
        while self.tags.missing(self._game):
            self._say(TEXTS("learn_put"))
            seen = pads.wait()
            if not self._name(seen):
                return
        self._say(TEXTS("learn_complete", game=self._game.title))

    def _name(self, seen: Seen) -> bool:
        """What is this tag on? False: people have had enough."""
        if (tag := self.tags.known(seen.uid)) is not None:
            what, game = self.tags.name(tag), tag.game
            self._say(TEXTS("learn_known", uid=seen.uid, what=what, game=game))
            answer = self._ask(TEXTS("learn_ask_known"))
            if answer == ENOUGH:
                return False
            if answer not in (BACK, AGAIN):
                return True
            self._change(lambda: self.tags.forget(seen.uid))
            if answer == BACK:
                return True
        else:
            self._say(TEXTS("learn_new", uid=seen.uid, reader=seen.reader))
        return self._pick(seen.uid)

    def _pick(self, uid: str) -> bool:
        shown = [thing for thing, _ in self.tags.missing(self._game)]
        if len(shown) <= LONG:
            self._list(shown)
        while True:
            answer = self._ask(TEXTS("learn_ask"))
            if answer == ENOUGH:
                return False
            if answer == SKIP:
                return True
            if answer == BACK:
                self._take_back()
                shown = [thing for thing, _ in self.tags.missing(self._game)]
                continue
            if answer == CHOOSES:
                if self._learn(uid, None, self._game.title):
                    return True
                continue
            chosen = self._meant(answer, shown)
            if len(chosen) == 1:
                if self._learn(uid, chosen[0].name, chosen[0].text):
                    return True
            elif chosen:
                shown = chosen
                self._list(shown)
            else:
                self._say(TEXTS("learn_nothing_so", answer=answer))

    def _meant(self, answer: str, shown: list[Thing]) -> list[Thing]:
        """By its number in the list, its name, or a part of what it is called."""
        if answer.isdecimal():
            return shown[int(answer) - 1 : int(answer)] if int(answer) else []
        everything = [thing for thing, _ in self.tags.missing(self._game)]
        exact = [thing for thing in everything if thing.name == answer]
        part = answer.casefold()
        return exact or [
            thing
            for thing in everything
            if part in thing.name or part in thing.text.in_(self._language).casefold()
        ]

    def _learn(self, uid: str, name: str | None, what: Text) -> bool:
        if not self._change(lambda: self.tags.learn(uid, self._game.id, name)):
            return False
        self._last.append(uid)
        self._say(TEXTS("learn_learnt", what=what))
        self._progress()
        return True

    def _take_back(self) -> None:
        if not self._last:
            self._say(TEXTS("learn_nothing_back"))
        elif self._change(lambda: self.tags.forget(self._last[-1])):
            self._last.pop()
            self._progress()

    def _change(self, change: Callable[[], Tags]) -> bool:
        """Kept only once it is on the disk."""
        try:
            tags = change()
            tags.save(self._path)
        except TagError as error:
            self._say(error.text)
            return False
        self.tags = tags
        return True

    # -- words ------------------------------------------------------------------------------------

    def _list(self, things: list[Thing]) -> None:
        left = {thing.name: many for thing, many in self.tags.missing(self._game)}
        grid = Grid(box=None, show_header=False, padding=(0, 1))
        for n, thing in enumerate(things, 1):
            many = left.get(thing.name, 0)
            grid.add_row(
                str(n), thing.text.in_(self._language), f"× {many}" if many > 1 else "", thing.name
            )
        self._console.print(grid)

    def _progress(self) -> None:
        done, total = self.tags.progress(self._game)
        self._say(TEXTS("learn_progress", done=done, total=total, game=self._game.title))

    def _say(self, text: Text) -> None:
        self._console.print(text.in_(self._language))

    def _ask(self, text: Text) -> str:
        return self._console.input(f"{text.in_(self._language)} ").strip()


class Pads:
    """All the readers of the table, wherever they are: a piece may be put on any."""

    def __init__(self, config: Config, clock: Clock | None = None) -> None:
        self._inbox = Inbox()
        self._clock = clock or RealClock()
        self._seen: deque[Seen] = deque()
        self._parts = self._open(config)

    def _open(self, config: Config) -> Any:
        return open_parts(config, self._clock, self._inbox.wake)

    def wait(self) -> Seen:
        """Until a tag comes."""
        readers: Readers = self._parts.readers
        while not self._seen:
            now = self._clock.now()
            self._seen.extend(e for e in readers.step(now) if isinstance(e, Seen))
            self._pass(readers.next_due)
        return self._seen.popleft()

    def _pass(self, until: float) -> None:
        self._inbox.wait(min(1.0, until - self._clock.now()))

    def close(self) -> None:
        self._parts.close(self._clock.now())


class SimulatedPads(Pads):
    """Simulated readers, and a hand that puts one blank tag after the other on the first."""

    def __init__(self, config: Config, uids: Iterator[str]) -> None:
        self._free = FreeClock()
        self._sim = SimulatedTable(config, self._free)
        self._uids = uids
        self._lying: SimTag | None = None
        super().__init__(config, self._free)

    def _open(self, config: Config) -> Any:
        return self._sim.parts

    def wait(self) -> Seen:
        if self._lying is not None:
            self._sim.radio.take(self._lying)
            self._until_gone()
        self._lying = SimTag(bytes.fromhex(next(self._uids)))
        first = next(iter(self._sim.readers.values()))
        self._sim.radio.put(self._lying, first.antenna.place)
        return super().wait()

    def _until_gone(self) -> None:
        end = self._free.now() + GONE
        while self._free.now() < end:
            self._parts.readers.step(self._free.now())
            self._pass(min(end, self._parts.readers.next_due))

    def _pass(self, until: float) -> None:
        agenda = self._sim.agenda
        self._free.advance_to(until if agenda.next_due is None else min(until, agenda.next_due))
        agenda.run()


def _blanks(tags: Tags) -> Iterator[str]:
    """Tags that nobody has seen before, always the same ones."""
    n = 0
    while True:
        uid = "04" + hashlib.sha256(f"blank/{n}".encode()).hexdigest()[:12]
        if not tags.knows(uid):
            yield uid
        n += 1

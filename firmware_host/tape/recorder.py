"""Writes down what comes in from the wire and from people, as the loop takes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import IO, Any

import msgspec

from drivers.tower_protocol import Cocked
from firmware_host.config_parts import Luck
from firmware_host.inbox import Inbox, Message
from firmware_host.journal import Record
from firmware_host.parts import Parts
from firmware_host.sighting import Sightings
from firmware_host.snapshot import Event
from firmware_host.tape.lines import ENTRIES, VERSION, Dice, Head, Line, encode
from firmware_host.tape.messages import as_json


class Recorder:
    """Give the table `parts`, `inbox` and `below` of this in place of its own, and let it hear."""

    def __init__(
        self,
        file: IO[bytes],
        parts: Parts,
        inbox: Inbox,
        below: Callable[[int], int],
        now: Callable[[], float],
        *,
        record: Record | None = None,
        language: str = "en",
        page: bool = False,
        luck: Luck = "house",
    ) -> None:
        self.parts = _TapedParts(**{f.name: getattr(parts, f.name) for f in fields(parts)})
        self.parts.tape = self
        self.inbox = _TapedInbox(inbox, self)
        self._file = file
        self._below = below
        self._now = now
        self._seen = Sightings({})
        self._times = (float("-inf"), float("-inf"))
        self._tower = ""
        self._dice: object = None
        self._thrown: float | None = None
        entries = [step.entry for step in record.steps] if record else []
        panel = parts.panel
        buttons = [b for b in ("confirm", "undo", "next", "beam") if panel and panel.has(b)]
        head = Head(
            VERSION,
            language,
            tuple(buttons),
            parts.tower_dice if parts.tower else None,
            tuple(msgspec.Raw(encode(entry)) for entry in entries),
            page,
            luck,
        )
        self._write(head)

    def below(self, n: int) -> int:
        lot = self._below(n)
        self._write(Line(self._now(), lot=lot))
        return lot

    def heard(self, event: Event) -> None:
        """What the table made of it, to be compared."""
        if event.kind in ENTRIES:
            acts = tuple(msgspec.to_builtins(act) for act in event.acts)
            self._write(Line(event.at, entry=event.kind, acts=acts))

    def came(self, message: Message) -> None:
        data = as_json(message)
        if data is not None:
            self._write(Line(self._now(), message=data))

    def saw(self, parts: Parts, now: float, pressed: list[str], signs: tuple[str, ...]) -> None:
        """What is new since the last step."""
        senses, news = parts.senses, dict[str, Any]()
        seen = senses.sightings()
        if seen.spaces != self._seen.spaces:
            known = seen.spaces.keys() | self._seen.spaces.keys()
            news["spaces"] = {
                space: seen.spaces.get(space)
                for space in sorted(known)
                if seen.spaces.get(space) != self._seen.spaces.get(space)
            }
        if seen.sensed != self._seen.sensed:
            news["sensed"] = tuple(sorted(seen.sensed))
        if seen.cards != self._seen.cards:
            news["cards"] = tuple(sorted(seen.cards))
        if seen.shaken and not self._seen.shaken:
            news["shaken"] = True
        self._seen = seen
        times = (senses.last_change, senses.settled_at())
        if times != self._times:
            self._times = times
            news["change"], news["settled"] = (None if t == float("-inf") else t for t in times)
        tower = parts.tower.health.state if parts.tower else ""
        if tower != self._tower:
            self._tower = news["tower"] = tower
        if parts.dice is not self._dice and parts.dice is not None:
            mark, dice, at = parts.dice.mark, parts.dice.dice, parts.dice.at
            news["dice"] = Dice(isinstance(parts.dice, Cocked), mark, dice, at)
        self._dice = parts.dice
        if parts.thrown != self._thrown:
            self._thrown = news["thrown"] = parts.thrown
        for key, value in (("press", pressed), ("signs", signs), ("held", senses.shown)):
            if value:
                news[key] = tuple(value)
        if senses.games:
            news["games"] = tuple(senses.games)
        if news:
            self._write(Line(now, **news))

    def _write(self, line: Head | Line) -> None:
        self._file.write(encode(line) + b"\n")
        self._file.flush()


@dataclass
class _TapedParts(Parts):
    tape: Recorder | None = None

    def step(self, now: float) -> list[str]:
        assert self.tape is not None
        before = len(self.senses.signs)
        pressed = super().step(now)
        self.tape.saw(self, now, pressed, self.senses.signs[before:])
        return pressed


class _TapedInbox(Inbox):
    """The same queue, read aloud."""

    def __init__(self, inbox: Inbox, tape: Recorder) -> None:
        self.__dict__ = inbox.__dict__
        self._tape = tape

    def take(self) -> list[Message]:
        messages = super().take()
        for message in messages:
            self._tape.came(message)
        return messages

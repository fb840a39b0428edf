"""The host's half of the tower's protocol, without any I/O: bytes in, events and bytes out.

The tower repeats a report until it is acknowledged, and the host acknowledges a roll only when it
is told to, once the roll is safe in its journal. So a roll is never lost; and since each report
has a number in its tower's session (the boot), none is counted twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from drivers.tower_frames import Counts, Framer, frame

VERSION = 1
ASK_EVERY = 0.5  # s between two questions who is there
SILENCE = 3.5  # s without a valid frame: three heartbeats missed
BOOTS = 8  # sessions remembered: towers that restart, or are swapped and come back
CLOCK = 1 << 32  # ms, where the tower's clock starts over

_BOOT, _NUMBER, _CLOCK = r"([0-9a-f]{8})", r"(0|[1-9][0-9]{0,8})", r"(0|[1-9][0-9]{0,9})"
_NAME = r"[a-z][a-z0-9_]{0,15}"
_SET = rf"((?: {_NAME}:[1-9][0-9]?){{0,8}})"
_DICE = rf"((?: {_NAME}=(?:cocked|[1-9]?[0-9])){{0,8}})"
_BODIES = {
    # A tower of another version says so where ours does; what follows is not ours to judge.
    "HELLO": re.compile(
        rf"HELLO {_BOOT} {_NUMBER} {_CLOCK} (?:{VERSION} ([!-~]{{1,24}}){_SET}|([0-9]+)( .*)?)"
    ),
    "BEAT": re.compile(rf"BEAT {_BOOT} {_NUMBER} {_CLOCK}"),
    "DICE": re.compile(rf"DICE {_BOOT} (?!0 ){_NUMBER} {_CLOCK} {_CLOCK}{_DICE}"),
}


class Mark(NamedTuple):
    """A report's name: its number in the tower's session. The host stores the last one it took."""

    boot: str
    number: int


class Die(NamedTuple):
    colour: str
    face: int | None  # None: cocked


@dataclass(frozen=True, slots=True)
class Hello:
    """A tower has introduced itself: for the first time, or after a restart of its own."""

    boot: str
    firmware: str
    dice: tuple[tuple[str, int], ...]  # colour and number of faces of all the dice it knows
    rebooted: bool  # another session of it was known; what it had not delivered is gone


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of a throw lie still and flat. Acknowledge it when it is dealt with."""

    mark: Mark
    dice: tuple[Die, ...]
    at: float  # when they had come to rest


@dataclass(frozen=True, slots=True)
class Cocked:
    """No roll: a die lies askew. Another report follows when it has been rolled again."""

    mark: Mark
    dice: tuple[Die, ...]
    at: float


Event = Hello | Roll | Cocked


class TowerProtocol:
    """`acked` is the mark of the last roll that the host has dealt with, as it stored it."""

    def __init__(self, acked: Mark | None = None) -> None:
        self.counts = Counts()
        self.hello: Hello | None = None
        self.heard_at: float | None = None  # when the last valid frame came
        self.problem = ""  # why the tower there cannot be understood
        self._framer = Framer(self.counts)
        self._introduced = False  # on the line as it is now
        self._ask_at = float("-inf")
        self._out: dict[str, None] = {}  # bodies, each once, in order
        self._seen: dict[str, int] = {}  # boot: number of the last report given out
        self._acked: dict[str, int] = {}
        self._followed: set[str] = set()  # boots none of whose reports can have gone elsewhere
        if acked is not None:
            self._seen[acked.boot] = self._acked[acked.boot] = acked.number

    @property
    def next_due(self) -> float:
        """When `tick` has something to do, or bytes wait to be sent."""
        if self._out:
            return float("-inf")
        return float("inf") if self._introduced else self._ask_at

    def opened(self, now: float) -> None:
        """A new line: nobody is known on it, and half of anything is nothing."""
        self._framer.forget()
        self._out.clear()
        self._introduced = False
        self._ask_at = now

    def tick(self, now: float) -> None:
        if not self._introduced and now >= self._ask_at:
            self._ask_at = now + ASK_EVERY
            self._say(f"WHO {VERSION}")

    def bytes_to_send(self) -> bytes:
        data = b"".join(frame(body) for body in self._out)
        self._out.clear()
        return data

    def receive(self, data: bytes, now: float) -> list[Event]:
        events: list[Event] = []
        for body in self._framer.feed(data):
            event = self._take(body, now)
            if event is not None:
                events.append(event)
        return events

    def ack(self, mark: Mark) -> None:
        """This roll is dealt with for good: the tower may forget it."""
        if mark.boot in self._seen:
            self._acked[mark.boot] = max(mark.number, self._acked.get(mark.boot, 0))
        if self._is_here(mark.boot):
            self._say(f"ACK {mark.boot} {mark.number}")

    def _is_here(self, boot: str) -> bool:
        return self._introduced and self.hello is not None and self.hello.boot == boot

    def _say(self, body: str) -> None:
        self._out[body] = None

    def _take(self, body: str, now: float) -> Event | None:
        type = body.split(" ", 1)[0]
        if type not in _BODIES:
            self.counts.unknown += 1
            return None
        found = _BODIES[type].fullmatch(body)
        if found is None:
            self.counts.malformed += 1
            return None
        boot, number, clock, *rest = found.groups()
        if type == "HELLO":
            firmware, dice, version, _ = rest
            return self._meet(boot, int(number), firmware, dice, version, now)
        restarted = type == "BEAT" and int(number) < self._seen.get(boot, 0)
        if restarted or not self._is_here(boot):
            # Its hello was lost, or is still on its way. It will repeat what we do not take.
            self._introduced = False
            self.tick(now)
            return None
        self.heard_at = now
        if type == "BEAT":
            return None
        at = now - (int(clock) - int(rest[0])) % CLOCK / 1000
        return self._report(Mark(boot, int(number)), _dice(rest[1]), at)

    def _meet(
        self, boot: str, number: int, firmware: str | None, dice: str, version: str, now: float
    ) -> Event | None:
        if firmware is None:
            self.counts.malformed += 1
            if int(version) != VERSION:
                self.problem = (
                    f"the tower speaks version {version} of its protocol, this table version "
                    f"{VERSION}: bring the older of the two up to date"
                )
            return None
        self.problem = ""
        self.heard_at = now
        self._introduced = True
        again = self.hello is not None and self.hello.boot == boot
        if number < self._seen.get(boot, 0):
            # A firmware that takes the same boot id every time. Its numbers have started over.
            self._seen[boot] = self._acked[boot] = number
            again = False
        self._remember(boot)
        if number == self._seen[boot]:
            self._followed.add(boot)
        if again:
            return None
        known = [die.split(":") for die in dice.split()]
        rebooted = self.hello is not None
        self.counts.reboots += rebooted
        self.hello = Hello(
            boot, firmware, tuple((colour, int(faces)) for colour, faces in known), rebooted
        )
        return self.hello

    def _remember(self, boot: str) -> None:
        """Put the boot last, and forget the one that has been away for longest."""
        self._seen[boot] = self._seen.pop(boot, 0)
        if len(self._seen) > BOOTS:
            oldest = next(iter(self._seen))
            del self._seen[oldest]
            self._acked.pop(oldest, None)
            self._followed.discard(oldest)

    def _report(self, mark: Mark, dice: tuple[Die, ...], at: float) -> Event | None:
        boot, number = mark
        if number <= self._seen[boot]:
            self.counts.repeated += 1
            if number <= self._acked.get(boot, 0):
                self._say(f"ACK {boot} {number}")  # ours was lost
            return None
        if boot in self._followed:
            self.counts.missing += number - self._seen[boot] - 1
        self._followed.add(boot)
        self._seen[boot] = number
        if any(die.face is None for die in dice):
            self.ack(mark)  # nothing to keep: it is over when the dice are rolled again
            return Cocked(mark, dice, at)
        return Roll(mark, dice, at)


def _dice(words: str) -> tuple[Die, ...]:
    read = [word.split("=") for word in words.split()]
    return tuple(Die(colour, None if face == "cocked" else int(face)) for colour, face in read)

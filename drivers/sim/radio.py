"""The air over the table: tags, antennas, and how far each of them reaches.

Lengths are in millimetres. A tag answers whoever calls it, if any field gives it power. So a
reader alone reads what lies on it; but with a neighbour's field on, it also hears the tags that
the neighbour powers, and the two fields disturb each other's reading.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum
from math import dist

from drivers.sim.agenda import Agenda
from drivers.sim.faults import Mend, fault

REACH = 45.0  # at which a small antenna still powers a coin-sized tag
EARSHOT = 100.0  # at which it hears a tag that another field powers
JAMMING = 120.0  # at which another field disturbs its own
LOST, MANGLED = 0.4, 0.15  # what becomes of a call in a disturbed field
COLLISION = 0.1  # chance that the answers of several tags cannot be told apart

Place = tuple[float, float]


class Life(Enum):
    """A tag's states that matter here (ISO 14443-3). Without power they are all forgotten."""

    IDLE = "idle"
    ACTIVE = "active"
    HALTED = "halted"


@dataclass(eq=False)
class Tag:
    uid: bytes
    answers: float = 1.0  # how likely it is heard: less for a weak tag
    covered: bool = False  # under other pieces, or on metal
    restless: bool = False  # a cheap copy that does not stay halted
    gaps: tuple[float, float] | None = None  # it flickers: gone so long, every so often (s)
    place: Place | None = None
    life: Life = field(default=Life.IDLE, repr=False)


class Antenna:
    def __init__(self, radio: Radio, place: Place) -> None:
        self.place = place
        self.on = False
        self._radio = radio

    def switch(self, on: bool) -> None:
        if on != self.on:
            self.on = on
            if on:
                self._radio.lit.append(self)
            else:
                self._radio.lit.remove(self)
            self._radio.settle()

    def call(self) -> bytes | None:
        """REQA and all that follows: the UID of the tag that is now selected, or None."""
        return self._radio.call(self)

    def halt(self) -> None:
        """HLTA to the selected tag."""
        for tag in self._radio.heard(self):
            if tag.life is Life.ACTIVE:
                tag.life = Life.IDLE if tag.restless else Life.HALTED


class Radio:
    def __init__(self, agenda: Agenda, seed: int = 0) -> None:
        self.antennas: list[Antenna] = []
        self.lit: list[Antenna] = []  # whose field is on
        self.tags: list[Tag] = []
        self._near: dict[Antenna, list[Tag]] = {}  # in earshot of each, as long as nothing moves
        self._agenda = agenda
        self._rng = random.Random(seed)

    def antenna(self, x: float, y: float) -> Antenna:
        antenna = Antenna(self, (x, y))
        self.antennas.append(antenna)
        return antenna

    def put(self, tag: Tag, place: Place) -> None:
        """Put a tag down, or move it."""
        self._agenda.run()  # what is due before a hand comes has not seen it
        if tag not in self.tags:
            self.tags.append(tag)
        tag.place = place
        self._near.clear()
        self.settle()

    def take(self, tag: Tag) -> None:
        self._agenda.run()
        self.tags.remove(tag)
        self._near.clear()
        tag.place = None
        tag.life = Life.IDLE

    def settle(self) -> None:
        """A field or a tag has changed: tags without power forget what they were told."""
        for tag in self.tags:
            if tag.life is not Life.IDLE and not self._powering(tag):
                tag.life = Life.IDLE

    def heard(self, antenna: Antenna) -> list[Tag]:
        """The tags with power that this antenna can talk with."""
        if not antenna.on:
            return []
        near = self._near.get(antenna)
        if near is None:
            near = self._near[antenna] = [
                tag for tag in self.tags if tag.place and dist(antenna.place, tag.place) <= EARSHOT
            ]
        return [
            tag
            for tag in near
            if not tag.covered and not self._in_a_gap(tag) and self._powering(tag)
        ]

    def call(self, antenna: Antenna) -> bytes | None:
        answering = []
        for tag in self.heard(antenna):
            if tag.life is Life.ACTIVE:
                tag.life = Life.IDLE  # a selected tag does not expect this: it falls back, silent
            elif tag.life is Life.IDLE and self._rng.random() < tag.answers:
                answering.append(tag)
        disturbed = any(
            other is not antenna and dist(other.place, antenna.place) <= JAMMING
            for other in self.lit
        )
        if not answering or (disturbed and self._rng.random() < LOST):
            return None
        if len(answering) > 1 and self._rng.random() < COLLISION:
            return None
        # Where answers differ in a bit, the reader goes on with those that sent a one.
        chosen = answering[0]
        if len(answering) > 1:
            chosen = max(answering, key=_on_air)
        if disturbed and self._rng.random() < MANGLED:
            return self._mangled(chosen.uid)
        chosen.life = Life.ACTIVE
        return chosen.uid

    def _in_a_gap(self, tag: Tag) -> bool:
        return tag.gaps is not None and self._agenda.clock.now() % tag.gaps[1] < tag.gaps[0]

    def _powering(self, tag: Tag) -> bool:
        place = tag.place
        return place is not None and any(dist(each.place, place) <= REACH for each in self.lit)

    def _mangled(self, uid: bytes) -> bytes:
        bit = self._rng.randrange(8 * len(uid))
        return bytes(byte ^ (1 << bit % 8 if n == bit // 8 else 0) for n, byte in enumerate(uid))


def _on_air(tag: Tag) -> list[int]:
    """The bits of its UID, as they come: the lowest of a byte first."""
    return [byte >> n & 1 for byte in tag.uid for n in range(8)]


@fault("weak_tag", Tag)
def _weak(tag: Tag, rng: random.Random, *, p: float = 0.5) -> Mend:
    """Heard only so often."""
    before, tag.answers = tag.answers, p
    return lambda: setattr(tag, "answers", before)


@fault("flickering_tag", Tag)
def _flicker(tag: Tag, rng: random.Random, *, ms: float = 120.0, every: float = 400.0) -> Mend:
    """It lies still, but is not heard for a while, again and again."""
    tag.gaps = (ms / 1000, every / 1000)
    return lambda: setattr(tag, "gaps", None)


@fault("covered_tag", Tag)
def _covered(tag: Tag, rng: random.Random) -> Mend:
    tag.covered = True
    return lambda: setattr(tag, "covered", False)

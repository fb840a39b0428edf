"""Two tracks side by side, in one look for all games: a large number, of how many, and a bar.

Everything keeps its place whatever the numbers are, so that a change of one figure sends one small
window over the bus.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware_host.canvas import Canvas
from firmware_host.font import BIG, MEDIUM, SMALL, shorten
from firmware_host.scenes.dice import Die
from firmware_host.texts import TEXTS
from game_logic.core import Track

TOP = 12  # of the summary on its screen
SHORTEST = 20  # columns of a name that still tells who it is
SIGN = 31  # row of the sign of danger: within one page of the chip
DIGIT = 20  # columns of a big figure and its gap


class Gauge(NamedTuple):
    """A track and the key of the word beside its number."""

    track: Track
    word: str

    @property
    def alarming(self) -> bool:
        return self.track.danger is not None and self.track.value >= self.track.danger

    @property
    def digits(self) -> int:
        return len(str(self.track.maximum))

    def width(self, language: str) -> int:
        words = (TEXTS(self.word).in_(language), f"/{self.track.maximum}")
        return DIGIT * self.digits + max(map(SMALL.width, words))


class PairScene:
    """The first screen of a game that is told by two tracks."""

    def pair(self, view: dict[str, Any], tracks: tuple[Track, ...]) -> tuple[Gauge, Gauge]:
        raise NotImplementedError

    def mark(self, seat: int) -> str:
        return ""

    def role(self, view: dict[str, Any]) -> str:
        return ""

    def dice(self, view: dict[str, Any], rolled: tuple[Die, ...], language: str) -> tuple[Die, ...]:
        return rolled

    def summary(
        self,
        canvas: Canvas,
        view: dict[str, Any],
        tracks: tuple[Track, ...],
        language: str,
        clock: str = "",
        lit: bool = True,
    ) -> None:
        first, second = self.pair(view, tracks)
        taken = first.width(language)
        spare = canvas.width - taken - second.width(language)
        middle = taken + spare // 2 + 1
        _gauge(canvas, 0, middle - 2, first, language, lit)
        if clock:
            canvas.text(middle, TOP, clock, MEDIUM, align="right", width=canvas.width - middle - 1)
        else:
            _gauge(canvas, middle, canvas.width - middle, second, language, lit)

    def strip(self, view: dict[str, Any], tracks: tuple[Track, ...], language: str) -> str:
        """The same in one line, where words need the room."""
        return " · ".join(
            f"{TEXTS(gauge.word).in_(language)} {gauge.track.value}/{gauge.track.maximum}"
            + "!" * gauge.alarming
            for gauge in self.pair(view, tracks)
        )


def _gauge(canvas: Canvas, x: int, width: int, gauge: Gauge, language: str, lit: bool) -> None:
    """An alarming one is dark on light, with a sign that blinks; it needs no bar any more."""
    track, digits = gauge.track, gauge.digits * DIGIT
    y = TOP + gauge.alarming
    left = x + gauge.alarming  # clear of the edge of the light
    canvas.text(left, y, str(track.value), BIG, align="right", width=digits - 3)
    beside = x + digits
    canvas.text(beside, TOP, TEXTS(gauge.word).in_(language), width=width - digits)
    canvas.text(beside, TOP + 10, f"/{track.maximum}", width=width - digits)
    if gauge.alarming:
        canvas.blinks = True
        if lit:
            canvas.text(beside, SIGN, "⚠", width=width - digits)
        canvas.invert((x, TOP, width, 30))
    else:
        steps(canvas, x, TOP + 29, width, 2, track)


def steps(canvas: Canvas, x: int, y: int, width: int, height: int, track: Track) -> None:
    """A bar with a cell for each step of the track, from the left edge of its box."""
    pitch = (width + 1) // track.maximum
    exact = pitch * track.maximum - 1 if pitch > 1 else width
    canvas.bar(x, y, exact, height, track.value, track.maximum, steps=track.maximum)


def initials(names: list[str]) -> list[str]:
    """One letter a player where that tells them apart, else two, else their number."""
    for length in (1, 2):
        short = [name[:length] for name in names]
        if len(set(short)) == len(names):
            return short
    return [str(n + 1) for n in range(len(names))]


def fitted(names: list[str], room: int) -> str:
    """All names in one line; where they do not fit, each gives up the same share, and where that
    leaves too little of them, their first letters stand for them."""
    joined = ", ".join(names)
    if SMALL.width(joined) <= room or not names:
        return joined
    share = room // len(names) - SMALL.width(", ") - SMALL.gap
    if share < SHORTEST:
        return ", ".join(initials(names))
    return ", ".join(shorten(SMALL, name, share) for name in names)

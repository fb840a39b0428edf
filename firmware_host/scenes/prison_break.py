"""Prison Break: the countdown of days and the culpability, both of thirty."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import BIG
from firmware_host.scenes.gauges import DIGIT, Gauge, PairScene, steps
from firmware_host.texts import TEXTS
from game_logic.core import Track

HALF = 32  # rows of a track on the second screen
BESIDE = 2 * DIGIT + 3


class PrisonBreakScene(PairScene):
    def pair(self, view: dict[str, Any], tracks: tuple[Track, ...]) -> tuple[Gauge, Gauge]:
        return Gauge(tracks[0], "word_day"), Gauge(tracks[1], "word_guilt")

    def turn(self, view: dict[str, Any]) -> int | None:
        """Whose person is about to do something, when it is the die or a pile that acts."""
        who = (view["awaits"] or {}).get("who")
        return view["cast"].index(who) if who in view["cast"] else None

    def role(self, view: dict[str, Any]) -> str:
        who = (view["awaits"] or {}).get("who")
        return who.title() if who else ""

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        left = ("days_left", "guilt_left")
        for half, gauge in enumerate(self.pair(view, tracks)):
            y, track = half * HALF + 2, gauge.track
            width = canvas.width - BESIDE - 2
            canvas.text(2, y, str(track.value), BIG, align="right", width=2 * DIGIT - 3)
            canvas.text(BESIDE, y, track.label.in_(language), width=width)
            words = TEXTS(left[half], n=track.maximum - track.value).in_(language)
            canvas.text(BESIDE, y + 10, words, width=width)
            steps(canvas, BESIDE, y + 22, width, 6, track)
            if gauge.alarming:
                canvas.invert((0, half * HALF, canvas.width, HALF))
        alarming = any(gauge.alarming for gauge in self.pair(view, tracks))
        canvas.fill(0, HALF - 1, canvas.width, 1, ink=not alarming)

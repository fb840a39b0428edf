"""Alcatraz: guards on their way to twenty-one, the parts of the plan, and who stands where."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import SMALL
from firmware_host.scenes.gauges import Gauge, PairScene, initials
from game_logic.core import Track

COLUMNS, ROWS = 4, 3
TILE = (31, 20)
LEFT, TOP = 1, 1  # of the tiles on their screen


class AlcatrazScene(PairScene):
    def pair(self, view: dict[str, Any], tracks: tuple[Track, ...]) -> tuple[Gauge, Gauge]:
        return Gauge(tracks[0], "word_guards"), Gauge(tracks[1], "word_plan")

    def turn(self, view: dict[str, Any]) -> int | None:
        seat: int | None = view["turn"]["seat"] if "turn" in view else view["scapegoat"]
        return seat

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        """The tiles as they lie: guards, T for a task, and below them the prisoners' letters."""
        letters = initials(list(view["seats"]))
        locations = {location["id"]: location for location in view["locations"]}
        wide, high = TILE
        for n in range(COLUMNS * ROWS):
            x, y = LEFT + n % COLUMNS * wide, TOP + n // COLUMNS * high
            canvas.frame(x, y, wide + 1, high + 1)
        for n, place in enumerate(view["grid"]):
            x, y = LEFT + n % COLUMNS * wide + 2, TOP + n // COLUMNS * high
            location = locations[place]
            for guard in range(location["guards"]):
                canvas.fill(x + 1 + guard * 5, y + 3, 4, 7)
            if location["task"] is not None:
                canvas.text(x + wide - 9, y + 1, "T", width=6)
            for seat, prisoner in enumerate(view["prisoners"]):
                if prisoner["place"] == place:
                    x = canvas.text(x, y + 9, letters[seat], width=SMALL.width(letters[seat]))

"""Dig Your Way Out: the race of the tunnels, and the actions left in a turn."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import MEDIUM, SMALL, shorten
from firmware_host.scenes.gauges import Gauge, PairScene, steps
from game_logic.core import Track

NAME = 42  # columns of a lane's name


class DigYourWayOutScene(PairScene):
    def pair(self, view: dict[str, Any], tracks: tuple[Track, ...]) -> tuple[Gauge, Gauge]:
        *tunnels, actions = tracks
        mine = view["turn"]["seat"] % len(tunnels)  # teams sit in turn: every other seat
        return Gauge(tunnels[mine], "word_tunnel"), Gauge(actions, "word_actions")

    def turn(self, view: dict[str, Any]) -> int | None:
        seat: int = view["turn"]["seat"]
        return seat

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        """A lane a tunnel; the way out is on the right."""
        *tunnels, _ = tracks
        pitch = canvas.height // len(tunnels)
        face = MEDIUM if pitch > MEDIUM.height else SMALL
        number = face.width("12") + 4
        bar = canvas.width - NAME - number - 2
        for n, track in enumerate(tunnels):
            y = n * pitch
            name = view["seats"][n] if track.seat is not None else _teams(view)[n]
            name = shorten(SMALL, name, NAME - 2)
            canvas.text(0, y + max(0, pitch - SMALL.height) // 2, name, width=NAME)
            steps(canvas, NAME, y + 1, bar, pitch - 3, track)
            canvas.text(
                NAME + bar + 2,
                y + max(0, pitch - face.height) // 2,
                str(track.value),
                face,
                align="right",
                width=number,
                invert=Gauge(track, "").alarming,
            )


def _teams(view: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(prisoner["team"] for prisoner in view["prisoners"]))

"""Dig Your Way Out: the race of the tunnels, and the actions left in a turn."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import MEDIUM, SMALL, shorten
from firmware_host.scenes.gauges import Gauge, PairScene
from game_logic.core import Track

NAME = 42  # columns of a lane's name
TUNNEL = 14  # rows of the widest tunnel


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
        high = min(pitch - 2, TUNNEL)
        for n, track in enumerate(tunnels):
            middle = n * pitch + pitch // 2
            name = view["seats"][n] if track.seat is not None else _teams(view)[n]
            name = shorten(SMALL, name, NAME - 2)
            canvas.text(0, max(0, middle - SMALL.height // 2 - 1), name, width=NAME)
            _tunnel(canvas, NAME, middle - high // 2, bar, high, track)
            canvas.text(
                NAME + bar + 2,
                max(0, middle - face.height // 2 - (face is SMALL)),
                str(track.value),
                face,
                align="right",
                width=number,
                invert=Gauge(track, "").alarming,
            )


def _tunnel(canvas: Canvas, x: int, y: int, width: int, height: int, track: Track) -> None:
    """Dug cells are lit; the earth that is left is dotted, up to the wall outside."""
    cell = (width - 2) // track.maximum
    for n in range(track.maximum):
        if n < track.value:
            canvas.fill(x + n * cell, y, cell, height)
        else:
            canvas.fill(x + n * cell + cell // 2, y + height // 2, 1, 1)
    canvas.fill(x + track.maximum * cell + 1, y, 1, height)


def _teams(view: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(prisoner["team"] for prisoner in view["prisoners"]))

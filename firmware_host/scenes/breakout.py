"""Breakout: figures that are out, the countdown of a full wall, and the wall itself."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import BIG
from firmware_host.scenes.dice import Die
from firmware_host.texts import TEXTS
from game_logic.core import Track

MARKS = ("●", "○")  # red knots are discs, blue ones rings
CELL = 10  # pixels from one knot to the next
LEFT, TOP = 39, 13  # of the wall on its screen


class BreakoutScene:
    def mark(self, seat: int) -> str:
        return MARKS[seat]

    def turn(self, view: dict[str, Any]) -> int | None:
        return None  # chance only draws who begins

    def role(self, view: dict[str, Any]) -> str:
        return ""

    def dice(self, view: dict[str, Any], rolled: tuple[Die, ...], language: str) -> tuple[Die, ...]:
        return rolled

    def strip(self, view: dict[str, Any], tracks: tuple[Track, ...], language: str) -> str:
        _, *figures = tracks
        return " · ".join(
            f"{mark} {track.value}/{track.maximum}"
            for mark, track in zip(MARKS, figures, strict=True)
        )

    def summary(
        self,
        canvas: Canvas,
        view: dict[str, Any],
        tracks: tuple[Track, ...],
        language: str,
        clock: str = "",
        lit: bool = True,
    ) -> None:
        countdown, *figures = tracks
        for row, track in enumerate(figures):
            y = 14 + row * 14
            assert track.seat is not None
            _knot(canvas, 2, y, track.seat, 9)
            for n in range(track.maximum):
                _figure(canvas, 16 + n * 12, y - 1, escaped=n < track.value)
        if view["countdown"]["running"]:
            left = countdown.maximum - countdown.value
            x = canvas.text(62, 12, str(left), BIG)
            canvas.paragraph(x + 3, 14, canvas.width - x - 3, 2, TEXTS("turns_left").in_(language))
        else:
            canvas.text(62, 14, TEXTS("round", n=view["round"]).in_(language), width=65)
            for seat, stock in enumerate(view["stocks"]):
                _knot(canvas, 62 + seat * 32, 29, seat, 7)
                canvas.text(72 + seat * 32, 27, str(stock), width=20)

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        size = len(view["wall"])
        for c, seat in enumerate(view["exits"]):
            x = LEFT + c * CELL
            if seat is None:
                canvas.fill(x + 3, 10, 3, 1)  # a free exit: a gap to climb out of
            else:
                _figure(canvas, x, 0, escaped=True)
                if seat:  # blue knots are rings, and blue figures are hollow
                    canvas.fill(x + 4, 1, 2, 2, ink=0)
                    canvas.fill(x + 4, 5, 2, 2, ink=0)
        canvas.frame(LEFT - 2, TOP - 2, size * CELL + 2, size * CELL + 2)
        for r, row in enumerate(view["wall"]):
            y = TOP + r * CELL
            for c, cell in enumerate(row):
                x = LEFT + c * CELL
                if cell == ".":
                    canvas.fill(x + 4, y + 4, 1, 1)
                else:
                    _knot(canvas, x, y, "XO".index(cell), 9)
            canvas.text(LEFT - 11, y - 1, str(r + 1), width=8)
        for seat, ban in enumerate(view["bans"]):
            if ban:
                left = ban["side"] == "left"
                x = 4 if left else canvas.width - 22
                y = TOP + (ban["row"] - 1) * CELL
                _knot(canvas, x, y, seat, 9)
                canvas.text(x + 11, y - 1, "✗", width=10)


def _knot(canvas: Canvas, x: int, y: int, seat: int, size: int) -> None:
    if seat == 0:
        canvas.disc(x, y, size)
    else:
        canvas.ring(x, y, size)
        canvas.ring(x + 1, y + 1, size - 2)


def _figure(canvas: Canvas, x: int, y: int, *, escaped: bool) -> None:
    """A small person; only an outline of the place while still inside."""
    if not escaped:
        canvas.frame(x + 2, y + 2, 6, 8)
        return
    canvas.disc(x + 3, y, 4)
    canvas.fill(x + 1, y + 4, 8, 2)
    canvas.fill(x + 3, y + 6, 4, 2)
    canvas.fill(x + 2, y + 8, 2, 3)
    canvas.fill(x + 6, y + 8, 2, 3)

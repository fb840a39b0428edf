"""La grande évasion: the boats as they fill, and the stacks of pawns on the path."""

from __future__ import annotations

from typing import Any

from firmware_host.canvas import Canvas
from firmware_host.font import SMALL, shorten
from firmware_host.scenes.dice import Die
from firmware_host.scenes.gauges import Gauge, PairScene
from firmware_host.texts import TEXTS
from game_logic.core import Track

BOAT = 18  # columns of a boat
PATH = 4  # columns of a square on the path
WINDOWS = "□"  # before the pawns that have not left theirs


class LaGrandeEvasionScene(PairScene):
    def pair(self, view: dict[str, Any], tracks: tuple[Track, ...]) -> tuple[Gauge, Gauge]:
        return Gauge(tracks[0], "word_boats"), Gauge(tracks[1], "word_front")

    def turn(self, view: dict[str, Any]) -> int | None:
        seat: int | None = view["player"]
        return seat

    def dice(self, view: dict[str, Any], rolled: tuple[Die, ...], language: str) -> tuple[Die, ...]:
        """Those still to be played with, each by its colour."""
        faces = zip(view["dice"], view["faces"], strict=False)
        return tuple(Die(face, _short(die, language)) for die, face in faces if face)

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        """Boats above, then the stacks from the front, the lowest pawn first; the path below."""
        for boat in range(len(view["pawns"])):
            x = boat * BOAT + 1
            canvas.frame(x, 0, BOAT - 1, 13)
            if boat < len(view["arrivals"]):
                short = _short(view["arrivals"][boat], language)
                canvas.text(x + 1, 1, short, align="center", width=BOAT - 3)
            else:
                canvas.text(x + 1, 1, str(boat + 1), align="center", width=BOAT - 3)
        if view["scores"]:
            _scores(canvas, view)
            return
        x, y = 0, 16
        windows = [ids[0] for space, ids in view["board"].items() if space.startswith("window")]
        waiting = [(WINDOWS, windows)] if windows else []
        for space, pawns in (*_stacks(view), *waiting):
            label = WINDOWS if space == WINDOWS else str(_square(space))
            shorts = [_short(pawn, language) for pawn in pawns]
            width = SMALL.width(label) + 4 + sum(SMALL.width(s) + 3 for s in shorts) + 1
            if x + width > canvas.width:
                x, y = 0, y + 13
            canvas.text(x, y, label, width=SMALL.width(label))
            inside = x + SMALL.width(label) + 3
            canvas.frame(inside, y - 1, x + width - inside, 13)
            for short in shorts:
                canvas.text(inside + 2, y, short, width=SMALL.width(short))
                inside += SMALL.width(short) + 3
            x += width + 5
        _path(canvas, view)


def _scores(canvas: Canvas, view: dict[str, Any]) -> None:
    """When all is over: everybody's points, the most first, in two columns."""
    ranks = sorted(zip(view["scores"], view["seats"], strict=True), key=lambda each: -each[0])
    for n, (points, name) in enumerate(ranks):
        x, y = 2 + n // 3 * 67, 18 + n % 3 * 15
        room = 56 - SMALL.width(str(points)) - 4
        canvas.text(x, y, shorten(SMALL, name, room), width=room)
        canvas.text(x, y, str(points), align="right", width=56)


def _path(canvas: Canvas, view: dict[str, Any]) -> None:
    """A ruler of the squares, every fifth one marked; stacks stand on it, as high as they are."""
    ground = canvas.height - 3
    canvas.fill(0, ground, (view["path_length"] + 1) * PATH, 1)
    for square in range(0, view["path_length"] + 1, 5):
        canvas.fill(square * PATH + 1, ground + 1, 1, 2)
    for space, pawns in _stacks(view):
        high = min(len(pawns), 3) * 2
        canvas.fill(_square(space) * PATH, ground - high - 1, PATH - 1, high)


def _stacks(view: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Pawns on the path, those in front first."""
    on_path = [item for item in view["board"].items() if item[0].startswith(("start", "square"))]
    return sorted(on_path, key=lambda item: -_square(item[0]))


def _square(space: str) -> int:
    return 0 if space == "start" else int(space.removeprefix("square_"))


def _short(pawn: str, language: str) -> str:
    return TEXTS(f"short_{pawn}").in_(language)

"""What a game of its own looks like: each scene draws from the public view of its game."""

from __future__ import annotations

from typing import Any, Protocol

from firmware_host.canvas import Canvas
from firmware_host.scenes.breakout import BreakoutScene
from game_logic.core import Track


class Scene(Protocol):
    def mark(self, seat: int) -> str:
        """The sign of a seat's pieces, so that colour is never the only one."""
        ...

    def summary(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        """The tracks, in rows 12 to 42 of the first screen."""
        ...

    def board(self, canvas: Canvas, view: dict[str, Any], language: str) -> None:
        """The board, on the second screen."""
        ...


SCENES: dict[str, Scene] = {"breakout": BreakoutScene()}

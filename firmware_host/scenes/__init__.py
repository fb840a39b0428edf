"""What a game of its own looks like: each scene draws from the public view of its game."""

from __future__ import annotations

from typing import Any, Protocol

from firmware_host.canvas import Canvas
from firmware_host.scenes.alcatraz import AlcatrazScene
from firmware_host.scenes.breakout import BreakoutScene
from firmware_host.scenes.dice import Die
from firmware_host.scenes.dig_your_way_out import DigYourWayOutScene
from firmware_host.scenes.la_grande_evasion import LaGrandeEvasionScene
from firmware_host.scenes.prison_break import PrisonBreakScene
from game_logic.core import Track


class Scene(Protocol):
    def mark(self, seat: int) -> str:
        """The sign of a seat's pieces, so that colour is never the only one."""
        ...

    def turn(self, view: dict[str, Any]) -> int | None:
        """Whose turn it is while dice and piles act."""
        ...

    def role(self, view: dict[str, Any]) -> str:
        """The person of the story who is about to act."""
        ...

    def dice(self, view: dict[str, Any], rolled: tuple[Die, ...], language: str) -> tuple[Die, ...]:
        """Those that lie before people now; `rolled` since a person last acted."""
        ...

    def summary(
        self,
        canvas: Canvas,
        view: dict[str, Any],
        tracks: tuple[Track, ...],
        language: str,
        clock: str = "",
        lit: bool = True,
    ) -> None:
        """The tracks, in rows 12 to 42 of the first screen; the clock of a timer that runs instead
        of the second. `lit`: the beat of the sign of danger."""
        ...

    def strip(self, view: dict[str, Any], tracks: tuple[Track, ...], language: str) -> str:
        """The tracks in one line, where what is awaited takes many words."""
        ...

    def board(
        self, canvas: Canvas, view: dict[str, Any], tracks: tuple[Track, ...], language: str
    ) -> None:
        """The board, on the second screen."""
        ...


SCENES: dict[str, Scene] = {
    "breakout": BreakoutScene(),
    "la_grande_evasion": LaGrandeEvasionScene(),
    "alcatraz": AlcatrazScene(),
    "dig_your_way_out": DigYourWayOutScene(),
    "prison_break": PrisonBreakScene(),
}

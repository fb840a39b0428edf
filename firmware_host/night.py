"""How bright the screens are, and by how much their pictures are moved: OLEDs burn in, and shine at
night."""

from __future__ import annotations

from typing import Literal

from firmware_host.beat import Beat
from firmware_host.config_parts import DisplayPart

Look = Literal["bright", "dim", "dark"]

CALM = 5.0  # s without play before a picture is moved: a whole picture goes over the bus then
PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))


class Night:
    """Told at every step when something was last done, it says how the screens should look."""

    def __init__(self, part: DisplayPart) -> None:
        self._part = part
        self._shift = Beat(part.shift_every)
        self._active = self._now = float("-inf")
        self._paused = False
        self._place = 0

    def step(self, now: float, active: float, *, paused: bool) -> None:
        if self._now == float("-inf"):
            self._shift.start(now)
        self._now, self._active, self._paused = now, active, paused
        count = self._shift.count(now)
        if now >= active + CALM:
            self._place = count % len(PLACES)

    @property
    def place(self) -> tuple[int, int]:
        """By how many pixels pictures are moved to the right and down."""
        return PLACES[self._place]

    @property
    def look(self) -> Look:
        if self._now >= self._dark_at:
            return "dark"
        return "dim" if self._now >= self._after(self._part.dim_after) else "bright"

    @property
    def level(self) -> int:
        return self._part.bright if self.look == "bright" else self._part.dim

    @property
    def due(self) -> float:
        """When it next looks otherwise, if nothing is done before."""
        times = (self._after(self._part.dim_after), self._dark_at, self._shift.due)
        return min((time for time in times if time > self._now), default=float("inf"))

    @property
    def _dark_at(self) -> float:
        pause = self._after(self._part.off_after_pause) if self._paused else float("inf")
        return min(pause, self._after(self._part.off_after))

    def _after(self, seconds: float) -> float:
        return self._active + seconds if seconds else float("inf")

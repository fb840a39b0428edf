"""What people see and hear of a snapshot: on the screens, by the light and the buzzer."""

from __future__ import annotations

from firmware_host.lights import Lights
from firmware_host.parts import Parts
from firmware_host.screens import draw
from firmware_host.snapshot import Snapshot


class Display:
    def __init__(self, parts: Parts) -> None:
        self._screens = parts.screens
        self._lights = Lights(parts.panel)
        self._shown: Snapshot | None = None

    def show(self, shot: Snapshot, now: float) -> None:
        """At every step: draw what has changed; blinks, tunes and windows go on."""
        if shot == self._shown:
            shot = self._shown  # the same one, so that nobody has to compare again
        else:
            self._shown = shot
            pictures = draw(shot, len(self._screens))
            for screen, picture in zip(self._screens, pictures, strict=True):
                screen.show(picture)
        self._lights.show(shot, now)
        for screen in self._screens:
            screen.step(now)

    @property
    def settled(self) -> bool:
        """Has all of it reached the screens that work?"""
        return not any(s.pending for s in self._screens if s.health.state != "failed")

    def due(self, now: float) -> float:
        return self._lights.due(now)

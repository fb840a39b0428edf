"""The status light and the buzzer: one table of what is the matter -> colour and sound.

Colour is never the only sign: whatever lights up here also stands on the screens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.panel import Panel

if TYPE_CHECKING:
    from firmware_host.table import Snapshot

Colour = tuple[float, float, float]

OFF: Colour = (0, 0, 0)
COLOURS: dict[str, Colour] = {
    "idle": (0.1, 0.1, 0.1),
    "play": (0, 0.4, 0),
    "ask": (0, 0, 0.6),
    "arrange": (0.5, 0.3, 0),
    "mend": (0.7, 0, 0),
    "trouble": (0.5, 0, 0.5),
    "over": (0.4, 0.4, 0.4),
}
BEEPS = {"mend": 0.15, "trouble": 0.3, "over": 0.6, "ask": 0.05}  # s, when it begins


class Lights:
    def __init__(self, panel: Panel | None) -> None:
        self._panel = panel
        self._matter = ""
        self._quiet_at: float | None = None

    def show(self, shot: Snapshot, now: float) -> None:
        if self._panel is None:
            return
        matter = _matter(shot)
        if matter != self._matter:
            self._matter = matter
            self._panel.light(*COLOURS[matter])
            if matter in BEEPS:
                self._panel.sound(True)
                self._quiet_at = now + BEEPS[matter]
        if self._quiet_at is not None and now >= self._quiet_at:
            self._panel.sound(False)
            self._quiet_at = None

    def due(self, now: float) -> float:
        return self._quiet_at if self._quiet_at is not None else float("inf")


def _matter(shot: Snapshot) -> str:
    if shot.notice is not None and shot.notice.kind == "mend":
        return "mend"
    if shot.trouble is not None:
        return "trouble"
    if shot.record is None:
        return "idle"
    if shot.record.ended:
        return "over"
    if shot.question is not None:
        return "ask"
    return "arrange" if shot.notice is not None and shot.notice.kind == "arrange" else "play"

"""What the simulated screens showed at the telling moments, as PNG files."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from firmware_host.simulated import SimulatedTable
from firmware_host.table import Event

SCALE = 4
GAP = 2


class Gallery:
    """Keeps one picture of all screens whenever what they say has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, event: Event, sim: SimulatedTable) -> None:
        self._count += 1
        picture(sim.pictures()).save(self._folder / f"{self._count:04d}-{event.kind}.png")


def picture(screens: list[Image.Image], scale: int = SCALE) -> Image.Image:
    """All screens side by side, large enough to look at."""
    width = sum(screen.width + GAP for screen in screens) + GAP
    height = max((screen.height for screen in screens), default=0) + 2 * GAP
    sheet = Image.new("L", (width, height), 96)
    x = GAP
    for screen in screens:
        sheet.paste(screen.convert("L"), (x, GAP))
        x += screen.width + GAP
    return sheet.resize((width * scale, height * scale), Image.Resampling.NEAREST)

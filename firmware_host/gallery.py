"""What the simulated screens showed at the telling moments, as PNG files.

`python -m firmware_host.gallery` (or `make gallery`) plays an evening of Breakout with mistakes and
a fault, and writes docs/gallery.md with its pictures.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.words import words

SCALE = 4
GAP = 2
EARLY = ("trouble", "refused")  # told before the screens show it: seen by the next event
FAULT = "missing expander 0x20 after=60 lasting=20"


class Kept(NamedTuple):
    file: str
    kind: str
    words: str


class Gallery:
    """Keeps a picture of all screens the first time that something of its kind is seen."""

    def __init__(self, folder: Path, scale: int = SCALE) -> None:
        self.kept: list[Kept] = []
        self._folder = folder
        self._scale = scale
        self._seen: set[str] = set()
        self._early: Event | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, event: Event, sim: SimulatedTable) -> None:
        if self._early is not None:
            early, self._early = self._early, None
            self._keep(early, sim)
        if event.kind in EARLY:
            self._early = event
        else:
            self._keep(event, sim)

    def _keep(self, event: Event, sim: SimulatedTable) -> None:
        fresh = [kind for kind in _kinds(event) if kind not in self._seen]
        self._seen.update(fresh)
        if not fresh:
            return
        name = f"{len(self.kept) + 1:02d}-{fresh[0].replace(':', '-')}.png"
        shown = picture(sim.pictures(), self._scale)
        shown.convert("L").save(self._folder / name, optimize=True)
        self.kept.append(Kept(name, fresh[0], " ".join(words(event, sim.config.language))))


def _kinds(event: Event) -> list[str]:
    """What is telling about an event, the most telling first."""
    record = event.record
    if event.kind == "move" and record is not None:
        game, state = record.game, record.state
        kinds = [f"move:{type(act.move).__name__.lower()}" for act in event.acts]
        alarming = [
            f"danger:{track.id}"
            for track in game.tracks(state)
            if track.danger is not None and track.value >= track.danger
        ]
        return [*(["over"] if game.outcome(state) is not None else []), *alarming, *kinds]
    if event.kind == "notice" and event.text is not None:
        return [f"notice:{event.text.en.split()[0].lower()}"]  # put, take, move, set, clear
    return [event.kind]


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


def page(kept: list[Kept], folder: str) -> str:
    """The pictures as a page, with what had just happened."""
    lines = [
        "# Gallery",
        "",
        "Both screens of a simulated wall during one match of Breakout, as the simulated chips",
        "decoded them: the first time that anything of its kind was seen. `make gallery` writes",
        "this page anew.",
    ]
    for at in kept:
        lines += [
            "",
            f"**{at.kind.replace(':', ': ')}** · {at.words}",
            "",
            f"![]({folder}/{at.file})",
        ]
    return "\n".join(lines) + "\n"


def main(docs: Path) -> None:
    from firmware_host.config import profile
    from firmware_host.demo import demo

    folder = docs / "gallery"
    shutil.rmtree(folder, ignore_errors=True)
    gallery = Gallery(folder, scale=2)
    demo(profile("wall"), "breakout", seed=3, mistakes=0.25, faults=FAULT, listen=gallery.keep)
    (docs / "gallery.md").write_text(page(gallery.kept, folder.name), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))

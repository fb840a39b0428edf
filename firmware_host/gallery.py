"""What the simulated screens showed at the telling moments, as PNG files.

`python -m firmware_host.gallery` (or `make gallery`) plays an evening of each game, with mistakes
and a fault, and writes docs/gallery.md with its pictures.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace
from PIL import Image

from drivers.clock import FreeClock
from firmware_host.config import Language, profile, ready_made
from firmware_host.demo import NAMES, START, Evening
from firmware_host.inbox import Begin, Invite, Message, Pause, Press
from firmware_host.journal import InlineWriter, Journal
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event, Invitation
from firmware_host.table import Table
from firmware_host.words import words
from game_logic import load

SCALE = 4
GAP = 2
EARLY = ("trouble", "refused")  # told before the screens show it: seen by the next event
NOTICES = ("put", "take", "move", "set", "clear")  # the first words of what is to be done
MOST = 400  # moves of an evening; by then everything of interest has been seen
PAGE = "http://192.168.1.23:8000"
INVITED = Invitation(1, "K7QW3MXB", "HTTP://192.168.1.23:8000/J/K7QW3MXB")


class Played(NamedTuple):
    """One evening of the gallery."""

    game: str
    language: Language
    seed: int
    faults: str = ""
    mistakes: float = 0.25
    options: Mapping[str, object] = MappingProxyType({})


EVENINGS = (
    Played("prison_break", "fr", 3, "unplugged tower after=30 lasting=12"),
    Played("breakout", "en", 3, "missing expander 0x20 after=60 lasting=20"),
    Played("la_grande_evasion", "fr", 3),
    Played("alcatraz", "en", 3, "deaf_reader reader canteen after=60 lasting=20"),
    Played("dig_your_way_out", "en", 2, options={"target": 4}),  # a short tunnel
)


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
        if fresh:
            self.take(fresh[0], " ".join(words(event, sim.config.language)), sim)

    def take(self, kind: str, said: str, sim: SimulatedTable) -> None:
        name = f"{len(self.kept) + 1:02d}-{kind.replace(':', '-')}.png"
        shown = picture(sim.pictures(), self._scale)
        shown.convert("L").save(self._folder / name, optimize=True)
        self.kept.append(Kept(name, kind, said))


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
        timed = ["timer"] if game.deadline(state) is not None else []
        over = ["over"] if game.outcome(state) is not None else []
        return [*over, *alarming, *timed, *kinds]
    if event.kind == "notice" and event.text is not None:
        first = event.text.en.split()[0].lower()
        return [f"notice:{first if first in NOTICES else 'other'}"]
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


# --- the page in the docs -------------------------------------------------------------------------


def telling(kept: list[Kept], folder: Path) -> Iterator[Kept]:
    """Of an evening's pictures: what went wrong or needed somebody, dice, and the first move; and
    no picture twice."""
    moved, seen = False, set[bytes]()
    for at in kept:
        plain = at.kind.startswith("move:") and at.kind != "move:rolled"
        look = (folder / at.file).read_bytes()
        if look not in seen and not (plain and moved):
            seen.add(look)
            yield at
        moved = moved or plain


def section(title: str, kept: list[Kept], folder: str) -> str:
    lines = [f"## {title}"]
    for at in kept:
        what = at.kind.replace(":", ": ")
        lines += ["", f"**{what}** · {at.words}", "", f"![{what}]({folder}/{at.file})"]
    return "\n".join(lines) + "\n"


def play(evening: Played, folder: Path, scale: int = 2) -> list[Kept]:
    """The telling moments of an evening at the game's own table."""
    gallery = Gallery(folder, scale)
    config = replace(profile(ready_made(evening.game)), language=evening.language)
    with TemporaryDirectory() as journal:
        book = Journal.open(Path(journal) / "gallery.db")
        at_table = Evening(
            config,
            evening.game,
            book,
            seed=evening.seed,
            mistakes=evening.mistakes,
            faults=evening.faults,
            listen=gallery.keep,
            options=evening.options,
        )
        at_table.run(until=lambda: at_table.moves > MOST)
        at_table.close()
        book.close()
    kept = list(telling(gallery.kept, folder))
    for at in gallery.kept:
        if at not in kept:
            (folder / at.file).unlink()
    return kept


def house(folder: Path, scale: int = 2) -> list[Kept]:
    """What the table shows that is no game's: on a table with one screen."""
    gallery = Gallery(folder, scale)
    config = profile("pad")
    clock = FreeClock(START)
    sim = SimulatedTable(config, clock)
    with TemporaryDirectory() as journal:
        book = Journal.open(Path(journal) / "gallery.db")
        table = Table(
            sim.parts,
            InlineWriter(book, clock.now),
            clock,
            below=random.Random(1).randrange,
            door=lambda seat: INVITED,
            address=PAGE,
        )

        def then(seconds: float, kind: str, said: str, *messages: Message) -> None:
            for message in messages:
                table.inbox.put(message)
            run_free(table, clock, sim.agenda, until=lambda: False, most=seconds)
            if kind:
                gallery.take(kind, said, sim)

        then(2, "start", "The table comes up: its version, and where its page is.")
        then(4, "games", "Which game?")
        then(2, "", "", Begin("alcatraz", NAMES[:3], key=bytes(32)))
        then(3, "menu", "A table that sees no pieces asks for each move.", Press("confirm"))
        then(
            5,
            "tracks",
            "Untouched, it takes turns with the tracks; what would be picked stays in sight.",
        )
        then(1, "invitation", "A phone is invited to a seat.", Invite(1))
        then(1, "pause", "Pause; before long the screens are dark.", Press("next"), Pause(True))
        book.close()
    return gallery.kept


def main(docs: Path) -> None:
    folder = docs / "gallery"
    shutil.rmtree(folder, ignore_errors=True)
    parts = [
        "# Gallery\n\n"
        "What the screens of simulated tables showed, as the simulated chips decoded it: the\n"
        "first time that anything of its kind was seen in an evening. `make gallery` writes this\n"
        "page anew; `cavale demo GAME --png DIR` writes such pictures for any game and table.\n"
    ]
    for evening in EVENINGS:
        kept = play(evening, folder / evening.game)
        title = load(evening.game).title.in_(evening.language)
        parts.append(section(title, kept, f"gallery/{evening.game}"))
    parts.append(section("The table itself", house(folder / "table"), "gallery/table"))
    (docs / "gallery.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))

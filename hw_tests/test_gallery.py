"""Pictures of the screens: those the gallery keeps, and golden ones that hold the looks still.

Golden pictures are what the simulated chips decoded from the bus. To renew them on purpose, run
`CAVALE_RENEW_SCREENS=1 python -m pytest hw_tests/test_gallery.py`, look at every one that changed,
and commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from PIL import Image

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.sim.bus import SimBus
from drivers.sim.ssd1306 import SimSsd1306
from drivers.ssd1306 import Screen
from firmware_host.config import profile
from firmware_host.demo import demo
from firmware_host.gallery import EVENINGS, Gallery, house, picture, play, section, telling
from firmware_host.notices import Notice, Question
from firmware_host.screens import Moment, draw
from firmware_host.snapshot import Invitation, Snapshot
from game_logic import GAMES
from game_logic.core import Text
from hw_tests.test_screens import golden

HERE = Path(__file__).parent
GOLDEN = HERE / "golden_screens"
RENEW = "CAVALE_RENEW_SCREENS"

OPTIONS = tuple(Text(f"Sortie {n}", f"Exit {n}") for n in range(1, 6))
WHY = Text("C'est à Bo de jouer (R6).", "It is Bo's turn (R6).")
MEND = Text("Retirez le nœud rouge : étage 2.", "Take the red knot off floor 2.")
TROUBLE = Text("Sans réponse : lecteur 7", "No answer: reader 7")
INVITED = Invitation(1, "K7QW3MXB", "HTTP://192.168.1.23:8000/J/K7QW3MXB")
ADDRESS = "http://192.168.1.23:8000"
ARRANGE = Notice("arrange", Text("Remettez le plateau en place.", "Set the board up."), MEND, 5, 12)

CHOICE = Question("menu", Text("Par où ?", "Out by which exit?"), OPTIONS, (), 2)


class Shown(NamedTuple):
    """A moment of a golden game: after so many moves (None: all; -1: all but the last)."""

    stem: str | None
    moves: int | None = None
    language: str = "en"
    said: Mapping[str, Any] = MappingProxyType({})
    moment: Moment = Moment()
    screens: int = 2


SHOWN = {
    "alcatraz": Shown("alcatraz-5", 120),
    "alcatraz_over": Shown("alcatraz-5", language="fr"),
    "alcatraz_talk": Shown("alcatraz-5", 118, "fr", {"deadline": 1.0}, Moment(seconds=107)),
    "breakout": Shown("breakout-7", 20),
    "breakout_arrange": Shown("breakout-7", 20, "en", {"notice": ARRANGE}),
    "breakout_mend": Shown("breakout-7", 20, "fr", {"notice": Notice("mend", MEND, WHY)}),
    "breakout_menu": Shown("breakout-7", 20, "en", {"question": CHOICE}),
    "breakout_over": Shown("breakout-7"),
    "breakout_trouble": Shown("breakout-7", 21, "fr", {"trouble": TROUBLE}),
    "dig_your_way_out": Shown("dig_your_way_out-2", 40, "fr"),
    "dig_your_way_out_die": Shown("dig_your_way_out-2", 113, "fr"),
    "dig_your_way_out_over": Shown("dig_your_way_out-2"),
    "la_grande_evasion": Shown("la_grande_evasion-3", 150, "fr"),
    "la_grande_evasion_dice": Shown("la_grande_evasion-3", 146, "fr"),
    "la_grande_evasion_over": Shown("la_grande_evasion-3", language="fr"),
    "prison_break": Shown("prison_break-4", 118, "fr"),
    "prison_break_danger": Shown("prison_break-4", -1, "fr"),
    "prison_break_danger_gone": Shown("prison_break-4", -1, "en", {}, Moment(lit=False)),
    "prison_break_die": Shown("prison_break-4", 120, "fr"),
    "prison_break_over": Shown("prison_break-4"),
    "one_screen_board": Shown("prison_break-4", 118, "fr", {}, Moment(1), 1),
    "one_screen_menu": Shown("prison_break-4", 118, "fr", {"question": CHOICE}, Moment(1), 1),
    "one_screen_refused": Shown("prison_break-4", 118, "fr", {"flash": WHY}, screens=1),
    "invitation": Shown(
        "prison_break-4", 118, "fr", {"invitation": INVITED, "address": ADDRESS}, screens=1
    ),
    "pause": Shown("prison_break-4", 118, "fr", {"paused": True}, screens=1),
    "start": Shown(None, screens=1),
    "start_page": Shown(None, 0, "fr", {"address": ADDRESS}, screens=1),
}


def on_the_chip(image):
    """The picture as a chip shows it after the driver has sent it."""
    clock = FreeClock()
    bus, chip = SimBus(clock, 400_000), SimSsd1306(0x3C)
    bus.attach(chip)
    screen = Screen(Bus(bus, clock), 0x3C, clock)
    screen.show(image)
    while screen.pending:
        screen.step(clock.now())
    return chip.image()


@pytest.mark.parametrize("name", SHOWN)
def test_the_screens_look_as_they_did(name):
    stem, moves, language, said, moment, screens = SHOWN[name]
    shot = Snapshot(golden(stem, moves) if stem else None, language=language, **said)
    seen = picture([on_the_chip(image) for image in draw(shot, screens, moment)], scale=2)
    file = GOLDEN / f"{name}.png"
    if os.environ.get(RENEW):
        GOLDEN.mkdir(exist_ok=True)
        seen.save(file, optimize=True)
    with Image.open(file) as kept:
        wanted = kept.convert("L")
    assert seen.tobytes() == wanted.tobytes(), f"{name} looks different; on purpose? set {RENEW}=1"


def test_no_golden_picture_is_left_over():
    assert {file.stem for file in GOLDEN.glob("*.png")} == set(SHOWN)


def test_the_gallery_keeps_the_first_of_each_kind(tmp_path):
    gallery = Gallery(tmp_path, scale=1)
    demo(profile("wall"), "breakout", seed=2, mistakes=0.25, listen=gallery.keep)
    kinds = [kept.kind for kept in gallery.kept]
    assert len(set(kinds)) == len(kinds) <= 20
    assert {"begin", "move:push", "question", "notice:clear", "over"} <= set(kinds)
    assert {kept.file for kept in gallery.kept} == {file.name for file in tmp_path.iterdir()}
    chosen = list(telling(gallery.kept, tmp_path))
    assert {"begin", "question", "over"} <= {kept.kind for kept in chosen}
    assert len([kept for kept in chosen if kept.kind.startswith("move:")]) == 1
    looks = [(tmp_path / kept.file).read_bytes() for kept in chosen]
    assert len(set(looks)) == len(looks)


def test_a_fault_is_kept_once_the_screens_show_it(tmp_path):
    gallery = Gallery(tmp_path, scale=1)
    faults = "missing expander 0x20 after=20 lasting=20"
    demo(profile("wall"), "breakout", seed=3, faults=faults, listen=gallery.keep)
    kept = next(kept for kept in gallery.kept if kept.kind == "trouble")
    with Image.open(tmp_path / kept.file) as shown:
        last_line = shown.crop((2, 55, 130, 66))
    lit = sum(last_line.point(lambda level: level > 200).tobytes())
    assert lit > 128 * 11 / 2  # it is inverted


def test_every_game_has_an_evening_in_the_gallery():
    assert {evening.game for evening in EVENINGS} == set(GAMES)


def test_an_evening_is_a_section_of_the_page_with_all_its_pictures(tmp_path):
    evening = next(evening for evening in EVENINGS if evening.game == "prison_break")
    kept = play(evening, tmp_path)
    kinds = {each.kind for each in kept}
    assert {"move:rolled", "trouble", "over"} <= kinds
    assert {each.file for each in kept} == {file.name for file in tmp_path.iterdir()}
    text = section("Prison Break", kept, "gallery/prison_break")
    assert all(f"(gallery/prison_break/{each.file})" in text for each in kept)


def test_the_table_itself_is_in_the_gallery(tmp_path):
    kept = house(tmp_path, scale=1)
    assert [each.kind for each in kept] == [
        *("start", "games", "menu", "tracks", "invitation", "pause"),
    ]
    assert len({(tmp_path / each.file).read_bytes() for each in kept}) == len(kept)


def test_the_page_in_the_docs_has_all_its_pictures():
    docs = HERE.parent / "docs"
    text = (docs / "gallery.md").read_text("utf-8")
    files = {str(file.relative_to(docs)) for file in (docs / "gallery").rglob("*.png")}
    assert set(re.findall(r"\]\((.*?\.png)\)", text)) == files
    assert all(f"gallery/{game}/" in text for game in GAMES)

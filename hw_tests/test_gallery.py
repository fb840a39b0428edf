"""Pictures of the screens: those the gallery keeps, and golden ones that hold the looks still.

Golden pictures are what the simulated chips decoded from the bus. To renew them on purpose, run
`CAVALE_RENEW_SCREENS=1 python -m pytest hw_tests/test_gallery.py`, look at every one that changed,
and commit it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PIL import Image

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.sim.bus import SimBus
from drivers.sim.ssd1306 import SimSsd1306
from drivers.ssd1306 import Screen
from firmware_host.config import profile
from firmware_host.demo import demo
from firmware_host.follower import Notice, Question
from firmware_host.gallery import Gallery, page, picture
from firmware_host.journal import Record
from firmware_host.screens import draw
from firmware_host.snapshot import Snapshot
from game_logic import load
from game_logic.core import Text, decode_act

HERE = Path(__file__).parent
GOLDEN = HERE / "golden_screens"
RENEW = "CAVALE_RENEW_SCREENS"

OPTIONS = tuple(Text(f"Sortie {n}", f"Exit {n}") for n in range(1, 6))
WHY = Text("C'est à Bo de jouer (R6).", "It is Bo's turn (R6).")
MEND = Text("Retirez le nœud rouge : étage 2.", "Take the red knot off floor 2.")
TROUBLE = Text("Sans réponse : lecteur 7", "No answer: reader 7")

# name -> golden game, moves played (None: all; -1: all but the last), language, what else is said
SHOWN = {
    "breakout": ("breakout-7", 20, "en", {}),
    "breakout_mend": ("breakout-7", 20, "fr", {"notice": Notice("mend", MEND, WHY)}),
    "breakout_menu": (
        "breakout-7",
        20,
        "en",
        {"question": Question("menu", Text("Par où ?", "Out by which exit?"), OPTIONS, (), 2)},
    ),
    "breakout_trouble": ("breakout-7", 21, "fr", {"trouble": TROUBLE}),
    "la_grande_evasion": ("la_grande_evasion-3", 150, "fr", {}),
    "alcatraz": ("alcatraz-5", 120, "en", {}),
    "dig_your_way_out": ("dig_your_way_out-2", 40, "fr", {}),
    "prison_break": ("prison_break-4", 120, "fr", {}),
    "prison_break_danger": ("prison_break-4", -1, "fr", {}),
    "prison_break_over": ("prison_break-4", None, "en", {}),
}


def record(stem, moves):
    log = (HERE / "golden" / f"{stem}.jsonl").read_text("utf-8").splitlines()
    _, start, *entries = map(json.loads, log)
    game = load(start["game"])
    played = Record.begin(game, start["seats"], start["options"], key=b"k")
    for entry in [e for e in entries if e.get("kind") == "intent"][:moves]:
        played = played.intent(tuple(decode_act(game, act) for act in entry["acts"]))
    return played


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
    stem, moves, language, said = SHOWN[name]
    shot = Snapshot(record(stem, moves), language=language, **said)
    seen = picture([on_the_chip(image) for image in draw(shot, 2)], scale=2)
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
    assert {"begin", "move:push", "move:escape", "question", "notice:clear", "over"} <= set(kinds)
    assert {kept.file for kept in gallery.kept} == {file.name for file in tmp_path.iterdir()}
    text = page(gallery.kept, "gallery")
    assert all(f"(gallery/{kept.file})" in text for kept in gallery.kept)


def test_a_fault_is_kept_once_the_screens_show_it(tmp_path):
    gallery = Gallery(tmp_path, scale=1)
    faults = "missing expander 0x20 after=20 lasting=20"
    demo(profile("wall"), "breakout", seed=3, faults=faults, listen=gallery.keep)
    kept = next(kept for kept in gallery.kept if kept.kind == "trouble")
    with Image.open(tmp_path / kept.file) as shown:
        last_line = shown.crop((2, 55, 130, 66))
    lit = sum(last_line.point(lambda level: level > 200).tobytes())
    assert lit > 128 * 11 / 2  # it is inverted

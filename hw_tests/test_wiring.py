"""Diagrams, pin tables, parts and budgets say what the ready-made tables say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from html import unescape
from importlib import import_module
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo
from PIL import Image

from drivers.clock import FreeClock
from firmware_host.config import PROFILES, profile
from firmware_host.doctor import examine_simulated
from firmware_host.simulated import SimulatedTable

ROOT = Path(__file__).parent.parent
WIRING = ROOT / "wiring"
TABLES = ROOT / "firmware_host" / "tables"
NAMES = sorted(path.stem for path in TABLES.glob("*.toml"))


sys.path.append(str(WIRING))  # it is no package: a folder with a program in it
make = import_module("make")


def wrong(root):
    """The files under this root that do not say what its tables say."""
    tables = sorted((root / "firmware_host" / "tables").glob("*.toml"))
    return set(make.wrong([make.read(path) for path in tables], root / "wiring"))


def raw(name):
    return tomllib.loads((TABLES / f"{name}.toml").read_text("utf-8"))


def page(name):
    return (WIRING / f"{name}.md").read_text("utf-8")


def drawn(name):
    """The words in a table's pictures, read from the pictures themselves."""
    words = set()
    for picture in re.findall(r"!\[[^\]]*\]\(([\w-]+\.svg)\)", page(name)):
        svg = (WIRING / picture).read_text("utf-8")
        found = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        words |= {unescape(word).replace("\xa0", " ").strip() for word in found}
    return words


def test_nothing_disagrees_with_the_tables():
    command = [sys.executable, str(WIRING / "make.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(WIRING, tmp_path / "wiring", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TABLES, tmp_path / "firmware_host" / "tables")
    return tmp_path


@pytest.mark.parametrize(
    ("table", "old", "new", "names"),
    [
        ("wall", "interrupt = 17", "interrupt = 16", {"wall.md", "switches-wall.yml"}),
        ("pad", "undo = 6", "undo = 12", {"pad.md", "panel-pad.yml"}),
        ("wall", '"gate:1_left"', '"gate:6_left"', {"wall.md", "switches-wall.yml"}),
        ("pad", "address = 0x70", "address = 0x74", {"pad.md", "readers-pad.yml"}),
        ("places", 'name = "laundry"', 'name = "garden"', {"places.md", "readers-places.yml"}),
        ("squares", "cells_1", "cells_9", {"squares.md", "switches-squares.yml"}),
        ("pad", "i2c_gpio_sda=23", "i2c_gpio_sda=26", {"pad.md", "readers-pad.yml"}),
    ],
)
def test_a_table_that_was_changed_is_noticed(copy, table, old, new, names):
    path = copy / "firmware_host" / "tables" / f"{table}.toml"
    text = path.read_text("utf-8")
    assert old in text
    if table == "pad" and "0x70" in old:
        text = text.replace("mux = 0x70", "mux = 0x74")
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert names <= wrong(copy)


@pytest.mark.parametrize("file", ["power-wall-cells.png", "readers-places.svg", "parts.md"])
def test_a_file_that_is_gone_or_left_over_is_noticed(copy, file):
    (copy / "wiring" / file).unlink()
    (copy / "wiring" / "switches-round.yml").touch()
    assert wrong(copy) == {file, "switches-round.yml"}


@pytest.mark.parametrize("name", NAMES)
def test_the_pictures_name_every_part(name):
    table, words = raw(name), drawn(name)
    for address in table.get("expanders", {}).get("addresses", []):
        assert f"MCP23017, 0x{address:02X}" in words
    for entry in table.get("inputs", {}).values():
        if "space" in entry:
            piece = entry.get("piece", "").removeprefix("knot_")
            assert f"{entry['space']} {piece}".strip() in words
        else:
            assert entry["sign"].replace("gate:", "opening ").replace("_", " ") in words
    for mux in table.get("mux", []):
        assert f"TCA9548A, 0x{mux['address']:02X}" in words
    for reader in table.get("reader", []):
        assert reader["name"] in words
    for screen in table.get("screen", []):
        assert f"OLED {screen.get('kind', 'ssd1306')}, 0x{screen['address']:02X}" in words
    pins = set(table.get("panel", {}).values()) | {m["reset"] for m in table.get("mux", [])}
    pins |= {r["reset"] for r in table.get("reader", [])}
    if "expanders" in table:
        pins.add(table["expanders"]["interrupt"])
    assert {f"GPIO{pin}" for pin in pins} <= words
    assert ("Raspberry Pi Pico" in words) == ("tower" in table)
    assert "5 V, 3 A" in words


@pytest.mark.parametrize("name", NAMES)
def test_pins_are_where_the_header_has_them(name):
    """Against gpiozero's own knowledge of the board."""
    board = PiBoardInfo.from_revision(0xA02082)
    rows = re.findall(r"^\| (\d+) \| (\d+) \| [a-zA-Z]", page(name), re.MULTILINE)
    assert len({bcm for bcm, _ in rows}) == len(rows) > 2
    for bcm, pin in rows:
        assert board.headers["J8"].pins[int(pin)].name == f"GPIO{bcm}"


@pytest.mark.parametrize("name", NAMES)
def test_the_stages_are_what_the_doctor_calls_them(name, tmp_path):
    assert name in PROFILES
    clock = FreeClock()
    sim = SimulatedTable(profile(name), clock)
    found = {each.what for each in examine_simulated(sim, clock, tmp_path / "cavale.db")}
    section = page(name).split("## Test it")[1].split("Then every part")[0]
    named = set(re.findall(r"`([^`]+)`", section.split("must be ✓:")[1]))
    known = {"python", "packages", "journal", "disk"}
    assert named == {what for what in found if not what.startswith("bus")} - known


@pytest.mark.parametrize("name", NAMES)
def test_readers_and_hall_switches_have_a_supply_of_their_own(name):
    """No field that comes on may pull the Pi's own 3.3 V down; and every supply can carry it."""
    power = page(name).split("## Power")[1].split("## Test it")[0]
    draws = re.findall(r"^\| (\d+) × (.+?) \| (.+?) \| ([\d.]+) \| (\d+) \|", power, re.MULTILINE)
    sums: dict[str, float] = {}
    for number, what, feed, each, all_of in draws:
        assert float(number) * float(each) == pytest.approx(float(all_of), abs=0.5)
        assert (feed == "3.3 V of our own") == what.startswith(("PN532", "hall", "TCA9548A"))
        sums[feed] = sums.get(feed, 0) + float(number) * float(each)
    supplies = re.findall(r"^\| ([^|]+?) \| (\d+) \| (\d+) \|$", power, re.MULTILINE)
    assert {feed for feed, *_ in supplies} == set(sums)
    for feed, load, carries in supplies:
        wanted = sum(sums.values()) if "5 V supply" in feed else sums[feed]
        assert float(load) == pytest.approx(wanted, abs=1)
        assert float(load) <= float(carries)
    table = raw(name)
    assert (f"| {len(table.get('reader', []))} × PN532" in "".join(power)) or "reader" not in table


def test_the_pictures_can_be_looked_at():
    for picture in WIRING.glob("*.png"):
        with Image.open(picture) as image:
            image.load()
            assert min(image.size) > 200


SMALL = """
game = "alcatraz"
# dtoverlay=i2c-gpio,bus=4,i2c_gpio_sda=26,i2c_gpio_scl=27
[[screen]]
address = 0x3D
kind = "sh1106"
[[reader]]
name = "only"
pad = true
bus = 4
[panel]
beam = 12
"""


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ("[[screen]]\naddress = 0x3C", {"panel-my.yml", "power-my.yml", "my.md"}),
        (SMALL, {"panel-my.yml", "readers-my.yml", "power-my.svg"}),
        ("[panel]\nconfirm = 5", {"panel-my.yml", "my.md"}),
        ("", {"power-my.yml", "my.md"}),
    ],
)
def test_any_table_can_be_wired(tmp_path, table, wanted, capsys):
    (tmp_path / "my.toml").write_text(table)
    assert make.main(["--check", str(tmp_path / "my.toml")]) == 1  # nothing is drawn there yet
    told = capsys.readouterr()
    assert told.err == ""
    assert all(name in told.out for name in wanted)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (SMALL.replace("bus=4", "bus=5"), "bus 4 has no pins"),
        ("[[screen]]\naddress = 0x3E", "0x3C or 0x3D"),
    ],
)
def test_a_table_that_cannot_be_wired_says_why(tmp_path, table, says, capsys):
    (tmp_path / "my.toml").write_text(table)
    assert make.main(["--check", str(tmp_path / "my.toml")]) == 2
    assert says in capsys.readouterr().err


def test_a_table_that_draws_too_much_is_refused(tmp_path, capsys):
    readers = "".join(
        f'[[reader]]\nname = "r{n}"\npad = true\nbus = 3\nmux = 0x7{n // 8}\nchannel = {n % 8}\n'
        for n in range(24)
    )
    muxes = "".join(f"[[mux]]\nbus = 3\naddress = 0x7{n}\n" for n in range(3))
    overlay = "# dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24\n"
    (tmp_path / "my.toml").write_text(overlay + muxes + readers)
    assert make.main(["--check", str(tmp_path / "my.toml")]) == 2
    assert "the 5 V supply" in capsys.readouterr().err

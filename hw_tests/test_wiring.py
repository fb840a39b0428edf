"""Diagrams, pin tables and parts lists say what the ready-made tables say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from html import unescape
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "firmware_host" / "tables"


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "wiring" / "make.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_nothing_disagrees_with_the_tables():
    done = check(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("table", "old", "new", "names"),
    [
        ("wall", "interrupt = 17", "interrupt = 16", {"pins.md", "wall.yml"}),
        ("wall", "undo = 6", "undo = 12", {"pins.md", "panel.yml"}),
        ("wall", '"r1c1", piece = "knot_red"', '"r5c5", piece = "knot_red"', {"wall.yml"}),
        ("pad", "address = 0x70", "address = 0x74", {"pins.md", "pad.yml"}),
        ("places", 'name = "laundry"', 'name = "garden"', {"pins.md"}),
        ("wall-openings", "address = 0x3D", "address = 0x3C", {"pins.md"}),
    ],
)
def test_a_table_that_was_changed_is_noticed(tmp_path, table, old, new, names):
    shutil.copytree(ROOT / "wiring", tmp_path / "wiring")
    shutil.copytree(TABLES, tmp_path / "firmware_host" / "tables")
    path = tmp_path / "firmware_host" / "tables" / f"{table}.toml"
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    done = check(tmp_path)
    assert done.returncode == 1
    assert all(name in done.stdout for name in names)


def test_the_drawn_wall_names_every_switch_and_chip():
    """Read from the picture itself, not from what made it."""
    svg = (ROOT / "wiring" / "wall.svg").read_text("utf-8")
    found = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    words = {unescape(word).replace("\xa0", " ").strip() for word in found}
    table = tomllib.loads((TABLES / "wall.toml").read_text("utf-8"))
    assert f"GPIO{table['expanders']['interrupt']}" in words
    for address in table["expanders"]["addresses"]:
        assert f"MCP23017, 0x{address:02X}" in words
    for entry in table["inputs"].values():
        if "space" in entry:
            assert f"{entry['space']} {entry['piece'][5:]}" in words
        else:
            assert entry["sign"].replace("gate:", "opening ").replace("_", " ") in words


def test_pins_are_where_the_header_has_them():
    """Against gpiozero's own knowledge of the board."""
    board = PiBoardInfo.from_revision(0xA02082)
    text = (ROOT / "wiring" / "pins.md").read_text("utf-8")
    rows = set(re.findall(r"^\| (\d+) \| (\d+) \| [a-zA-Z]", text, re.MULTILINE))
    assert len(rows) > 10
    for bcm, pin in rows:
        assert board.headers["J8"].pins[int(pin)].name == f"GPIO{bcm}"

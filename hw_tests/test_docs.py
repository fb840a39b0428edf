"""The pages that people follow: every link leads somewhere, every command and file is there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from firmware_host.cli import _parser
from firmware_host.config import PROFILES, parse

ROOT = Path(__file__).parent.parent
FOLDERS = ("", "docs", "wiring", "wiring/tower", "systemd")
PAGES = sorted(page for folder in FOLDERS for page in (ROOT / folder).glob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
GUIDES = (
    *("on-a-pi", "build-the-wall", "build-an-rfid-board", "build-a-tower", "smallest-table"),
    *("troubleshooting", "try-every-part", "hotspot", "decks", "add-a-game"),
)


def anchors(page):
    """As GitHub makes them from headings."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    for link in LINK.findall(page.read_text("utf-8")):
        if re.match(r"https?://|mailto:", link):
            continue
        where, _, anchor = link.partition("#")
        target = (page.parent / where).resolve() if where else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in anchors(target), f"{page.name}: {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_command_is_one(page):
    """`cavale …` and `make …`, in code."""
    text = page.read_text("utf-8")
    code = "\n".join(re.findall(r"```(?:\w*)\n(.*?)```", text, re.DOTALL))
    code += "\n" + "\n".join(re.findall(r"`([^`\n]+)`", text))
    commands = next(a for a in _parser()._actions if a.choices and "run" in a.choices).choices
    for word in re.findall(r"^(?:\$ )?(?:sudo )?cavale ([a-z]+)\b", code, re.MULTILINE):
        assert word in commands, f"{page.name}: cavale {word}"
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for word in re.findall(r"^(?:sudo )?make ([a-z]+)\b", code, re.MULTILINE):
        assert word in targets, f"{page.name}: make {word}"


@pytest.mark.parametrize("name", GUIDES)
def test_the_guides_are_there_and_readme_leads_to_them(name):
    assert (ROOT / "docs" / f"{name}.md").exists()
    assert f"docs/{name}.md" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "name", ["build-the-wall", "build-an-rfid-board", "build-a-tower", "smallest-table", "on-a-pi"]
)
def test_the_building_guides_have_pictures(name):
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    assert re.search(r"!\[[^\]]+\]\([^)]+\.(svg|png)\)", text)


@pytest.mark.parametrize("page", ["table", "smallest-table", "mqtt", "hotspot"])
def test_tables_that_are_printed_can_be_used(page):
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"^```toml\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        parse(block, f"{page}.md")


def test_every_ready_made_table_is_described():
    for page in ("wiring/README.md", "docs/on-a-pi.md"):
        text = (ROOT / page).read_text("utf-8")
        assert [name for name in PROFILES if name not in text] == []


def test_the_hotspot_recipe_is_a_command(tmp_path):
    """The shell takes it as one: nmcli gets pairs of words, no quote or backslash is lost."""
    text = (ROOT / "docs" / "hotspot.md").read_text("utf-8")
    recipe = re.search(r"^sudo (nmcli connection add .*?)\nsudo", text, re.DOTALL | re.MULTILINE)[1]
    program = tmp_path / "nmcli"
    program.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", recipe], env={"PATH": f"{tmp_path}:/bin"}, capture_output=True, text=True
    )
    words = done.stdout.splitlines()
    assert words[:2] == ["connection", "add"]
    pairs = dict(zip(words[2::2], words[3::2], strict=True))
    assert pairs["802-11-wireless.mode"] == "ap"
    assert pairs["ipv4.method"] == "shared"
    assert len(pairs["wifi-sec.psk"]) >= 8

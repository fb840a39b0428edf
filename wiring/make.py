#!/usr/bin/env python3
"""Pin tables, parts lists and diagrams, all made from tables.

wiring/make.py                    those of firmware_host/tables; draws with WireViz and graphviz
wiring/make.py --check            fails if any of them is not what the tables say
wiring/make.py my-table.toml …    those of your own tables, beside them
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import diagrams
from header import Table
from pages import overview, page
from parts import overloaded
from PIL import Image

from firmware_host.config import ConfigError, parse

HERE = Path(__file__).resolve().parent
TABLES = HERE.parent / "firmware_host" / "tables"
DRAWN = "drawn-from.txt"


def read(path: Path) -> Table:
    text = path.read_text("utf-8")
    table = Table(path.stem, parse(text, str(path)), text)
    if beyond := overloaded(table.config):
        raise ValueError(f"{path}: asks too much of {', '.join(beyond)}: wiring/parts.toml")
    return table


def drawings(tables: list[Table]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Sources by name, and of each table the name of each kind; tables that need the same drawing
    share it, named after the first of them."""
    sources: dict[str, str] = {}
    names: dict[str, str] = {}
    used: dict[str, dict[str, str]] = {table.name: {} for table in tables}
    for table in tables:
        for kind, drawing in diagrams.of(table):
            text = drawing.yaml()
            name = names.setdefault(
                text, "dice-tower" if kind == "tower" else f"{kind}-{table.name}"
            )
            sources[name] = text
            used[table.name][kind] = name
    return sources, used


def files(tables: list[Table]) -> dict[str, str]:
    """Every text file that the tables determine."""
    sources, used = drawings(tables)
    made = {f"{table.name}.md": page(table, used[table.name]) for table in tables}
    made |= {f"{name}.yml": text for name, text in sources.items()}
    return made | {"parts.md": overview(tables), DRAWN: _digests(sources)}


def _digests(sources: dict[str, str]) -> str:
    """Which source each picture was drawn from."""
    found = [f"{hashlib.sha256(text.encode()).hexdigest()}  {n}.yml" for n, text in sources.items()]
    return "\n".join(found) + "\n"


def wrong(tables: list[Table], folder: Path) -> list[str]:
    """The files that are not what the tables say, that are missing, or that no table asks for."""
    expected = files(tables)
    found = [
        name
        for name, text in expected.items()
        if not (path := folder / name).exists() or path.read_text("utf-8") != text
    ]
    sources = [name for name in expected if name.endswith(".yml")]
    pictures = [name.replace(".yml", kind) for name in sources for kind in (".svg", ".png")]
    found += [name for name in pictures if not (folder / name).exists()]
    there = {path.name for kind in ("yml", "svg", "png") for path in folder.glob(f"*.{kind}")}
    return found + sorted(there - set(sources) - set(pictures))


def make(tables: list[Table], folder: Path) -> None:
    made = files(tables)
    before = folder / DRAWN
    drawn = before.read_text("utf-8").splitlines() if before.exists() else []
    for name, text in made.items():
        (folder / name).write_text(text, "utf-8")
    for line in made[DRAWN].splitlines():
        source = folder / line.split()[1]
        there = all(source.with_suffix(kind).exists() for kind in (".svg", ".png"))
        if line not in drawn or not there:
            command = [sys.executable, "-m", "wireviz.wv_cli", "-f", "sp", str(source)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            picture = source.with_suffix(".png")
            with Image.open(picture) as drawn_in_full:  # a dozen colours need no more than a byte
                drawn_in_full.convert("P", palette=Image.Palette.ADAPTIVE, colors=96).save(
                    picture, optimize=True
                )
            print(source.stem)


def main(words: list[str]) -> int:
    own = [Path(word) for word in words if not word.startswith("-")]
    folder = own[0].resolve().parent if own else HERE
    try:
        tables = [read(path) for path in own or sorted(TABLES.glob("*.toml"))]
        if "--check" not in words:
            make(tables, folder)
            return 0
        bad = wrong(tables, folder)
    except (ConfigError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    if bad:
        print(f"not what the tables say: {', '.join(bad)}; run wiring/make.py")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

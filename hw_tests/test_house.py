"""Who may know whom: dependencies point one way, and the rules core touches nothing outside."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "fractions", "functools",
    "hashlib", "heapq", "itertools", "math", "operator", "re", "types", "typing",
    "msgspec", "game_logic",
}  # fmt: skip
DOORS = {
    "game_logic/__init__.py": {"importlib"},  # load() imports the game it is asked for
    "game_logic/data.py": {"importlib", "tomllib"},  # the one place that reads package data
}
HANDS_ON = {"open", "print", "input", "exec", "eval", "__import__", "breakpoint"}


def modules(package):
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    return files


def imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield (node.module or "").split(".")[0]


def outside(source, path):
    """What a module of game_logic reaches for that it may not."""
    tree = ast.parse(source)
    allowed = PURE | DOORS.get(path, set())
    calls = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return (set(imports(tree)) - allowed) | (calls & HANDS_ON)


@pytest.mark.parametrize("file", modules("game_logic"), ids=lambda f: str(f.relative_to(ROOT)))
def test_the_rules_core_does_no_io_and_knows_no_other_room(file):
    assert not outside(file.read_text("utf-8"), file.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("file", modules("drivers"), ids=lambda f: str(f.relative_to(ROOT)))
def test_drivers_know_neither_games_nor_the_host(file):
    assert not {"game_logic", "firmware_host"} & set(imports(ast.parse(file.read_text("utf-8"))))


@pytest.mark.parametrize(
    "line",
    [
        "import drivers", "from firmware_host.table import Table", "import random", "import os",
        "from time import time", "import socket", "open('x')", "print(1)",
    ],
)  # fmt: skip
def test_a_breach_is_noticed(line):
    assert outside(line, "game_logic/breakout/rules.py")

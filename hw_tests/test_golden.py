"""Golden games: files that `cavale export` wrote. Dropping one in the folder adds a test.

They hold the rules still: a change that re-tells an old game is a new version of its rules.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.journal import replay
from game_logic import GAMES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_it_replays_to_the_same_bytes(file):
    result = replay(file.read_text("utf-8").splitlines())
    assert result.ok, result.why.en


def test_every_game_has_one():
    assert {file.stem.rsplit("-", 1)[0] for file in GOLDEN} == set(GAMES)

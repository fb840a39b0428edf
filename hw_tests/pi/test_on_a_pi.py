"""`pytest -m pi`: every part of the table that is wired to this Pi, with a person's help."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.clock import RealClock
from firmware_host.config import load
from firmware_host.parts import open_parts
from hw_tests.pi.people import TERMINAL, AtTheTerminal
from hw_tests.pi.trials import Stand, every, run

TABLE = Path(os.environ.get("CAVALE_TABLE", "/etc/cavale/table.toml"))

pytestmark = pytest.mark.pi


def pytest_generate_tests(metafunc):
    trials = list(every(load(TABLE))) if TABLE.exists() else []
    metafunc.parametrize(("trial", "what"), trials, ids=[" ".join(each) for each in trials])


@pytest.fixture(scope="module")
def stand():
    if not os.access(TERMINAL, os.R_OK | os.W_OK):
        pytest.skip("needs a person at a terminal")
    config, clock = load(TABLE), RealClock()
    parts = open_parts(config, clock, lambda: None)
    yield Stand(config, clock, parts, AtTheTerminal(config.language), clock.spend)
    parts.close(clock.now())


def test_the_table_that_is_here(stand, trial, what, tmp_path):
    stand.pressed.clear()
    run(stand, trial, what, tmp_path)

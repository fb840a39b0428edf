"""`cavale doctor`: what is found, what is sick, and the remedy for it."""

from __future__ import annotations

import json

import pytest

from firmware_host.cli import main
from firmware_host.config import PROFILES


@pytest.fixture
def doctor(tmp_path, capsys):
    def ask(*argv):
        status = main(["doctor", "--json", "--journal", str(tmp_path / "cavale.db"), *argv])
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return ask


@pytest.mark.parametrize("table", PROFILES)
def test_every_ready_made_table_is_found_healthy(doctor, table):
    status, lines = doctor("--sim", "--table", table)
    assert status == 0, [line for line in lines if line.get("state") not in (None, "ok")]
    assert len(lines) > 6


@pytest.mark.parametrize(
    ("table", "fault", "where"),
    [
        ("wall", "missing expander 0x21", "expander 0x21"),
        ("wall", "missing screen 0x3d", "screen 0x3d"),
        ("wall", "stuck bus 1", "bus 1"),
        ("places", "deaf_reader reader chapel", "reader chapel"),
        ("places", "missing mux 0x71", "mux 0x71"),
        ("places", "unplugged tower", "tower"),
    ],
)
def test_a_sick_part_is_named_with_its_remedy(doctor, table, fault, where):
    status, lines = doctor("--sim", "--table", table, "--faults", fault)
    assert status == 1
    (sick,) = [line for line in lines if line.get("what") == where]
    assert sick["remedy"], sick


def test_on_a_machine_without_the_devices_it_says_what_to_do(doctor):
    status, lines = doctor("--table", "wall")
    assert status == 1
    assert any(line.get("remedy") for line in lines)


def test_people_read_a_table_in_their_language(tmp_path, capsys):
    journal = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["doctor", "--sim", "--language", "fr", *journal]) == 0
    french = capsys.readouterr().out
    assert main(["doctor", "--sim", "--language", "en", *journal]) == 0
    assert french != capsys.readouterr().out


def test_a_bad_table_ends_with_2(capsys):
    assert main(["doctor", "--sim", "--table", "nowhere.toml"]) == 2
    assert "no such file" in capsys.readouterr().err

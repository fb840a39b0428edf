"""The support bundle: all that helps, and nothing that is nobody's business."""

from __future__ import annotations

import json
import random
import re
import tomllib
import zipfile
from importlib.resources import files

import pytest

from firmware_host.cli import main
from firmware_host.config import find, profile
from firmware_host.doctor.bundle import redacted, toml
from firmware_host.journal import Journal, Record
from game_logic import load
from game_logic.core import CHANCE, Act, encode, pick

NAMES = ("Zénobie", "Quentin", "Léa-Q")
TABLE = """
# the broker's password is hunter2-in-a-comment
name = "salon"
game = "prison_break"

[[screen]]
address = 0x3C

[inputs]
"0x20.A0" = { space = "cells_1" }

[expanders]
addresses = [0x20]

[panel]
confirm = 5

[mqtt]
url = "mqtt://broker.lan"
user = "user-of-the-broker"
password_file = "/etc/cavale/where-the-password-is"
key = "/etc/cavale/our-private.key"
commands = true
"""
LOG = """#!/bin/sh
echo "2026-01-01 cavale: Quentin parie ; Zénobie et Léa-Q attendent ; Quentine n'est personne"
echo "2026-01-01 cavale: To be the host: http://10.0.0.7:8080/s/K7QX2M9P (once)"
echo "2026-01-01 cavale: mqtt://ana:hunter2@broker is no address"
"""


@pytest.fixture
def journal(tmp_path):
    """A game with hands and bets in it, still open."""
    path = tmp_path / "cavale.db"
    book, rng = Journal.open(path), random.Random(3)
    game = load("la_grande_evasion")
    record = book.append(Record.begin(game, NAMES))
    for _ in range(25):
        by = rng.choice(game.to_act(record.state))
        if by == CHANCE:
            move = pick(game.chance(record.state).parts[0], rng.randrange)
        else:
            move = rng.choice(game.moves(record.state, by))
        record = book.append(record.intent((Act(by, move),)))
    book.close()
    return path, record


@pytest.fixture
def log(tmp_path, monkeypatch):
    """A machine whose journalctl has something to tell."""
    program = tmp_path / "bin" / "journalctl"
    program.parent.mkdir()
    program.write_text(LOG)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


def contents(path):
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def bundled(tmp_path, table, *more):
    file = tmp_path / "table.toml"
    file.write_text(table)
    out = tmp_path / "bundle.zip"
    book = ["--journal", str(tmp_path / "cavale.db"), "--bundle", str(out)]
    status = main(["doctor", "--sim", "--table", str(file), *book, *more])
    assert out.stat().st_mode & 0o777 == 0o600
    return status, contents(out)


def test_no_secret_is_in_it(tmp_path, journal, log, capsys):
    _, record = journal
    status, told = bundled(tmp_path, TABLE)
    assert status == 0
    everything = "\n".join(told.values())
    for secret in (
        "hunter2",
        "user-of-the-broker",
        "where-the-password-is",
        "our-private",
        "K7QX2M9P",
    ):
        assert secret not in everything
    assert not set(NAMES) & set(re.findall(r"[\w-]+", everything))
    assert record.key.hex() not in everything
    for step in record.line[1:]:
        for act in step.entry.acts:
            assert encode(act.move).decode() not in everything
    assert "look through it" in capsys.readouterr().err


def test_what_helps_is_in_it(tmp_path, journal, log):
    _, told = bundled(tmp_path, TABLE, "--faults", "missing screen 0x3c")
    found = [json.loads(line) for line in told["findings.jsonl"].splitlines()]
    assert {"screen 0x3c": "sick"}.items() <= {
        each["what"]: each["state"] for each in found
    }.items()
    machine = json.loads(told["machine.json"])
    assert machine["packages"]["cavale"] == machine["cavale"]
    assert machine["kernel"]
    assert "player 2 parie ; player 1 et player 3 attendent ; Quentine" in told["log.txt"]
    assert "…@broker" in told["log.txt"]
    (game,) = map(json.loads, told["games.jsonl"].splitlines())
    assert (game["game"], game["players"], game["moves"], game["open"]) == (
        "la_grande_evasion",
        3,
        25,
        True,
    )
    assert set(told) <= {line.split()[0] for line in told["README.txt"].splitlines() if line} | {
        "README.txt"
    }


def test_its_table_can_be_played(tmp_path, log):
    _, told = bundled(tmp_path, TABLE)
    (tmp_path / "again.toml").write_text(told["table.toml"])
    again = find(str(tmp_path / "again.toml"))
    assert (again.name, again.panel.confirm, again.mqtt.commands) == ("salon", 5, True)
    assert "# taken out: mqtt.password_file" in told["table.toml"]


@pytest.mark.parametrize("name", ["wall", "places", "squares"])
def test_a_table_is_the_same_when_read_again(name):
    text = (files("firmware_host") / "tables" / f"{name}.toml").read_text("utf-8")
    gone = []
    assert tomllib.loads(toml(redacted(tomllib.loads(text), gone))) == tomllib.loads(text)
    assert gone == []
    assert profile(name)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('[mqtt]\nurl = "ana:hunter2@host"', "mqtt.url"),
        ('[mqtt]\nuser = "hunter2"\nurl = ', "not valid TOML"),
        ('[mqtt]\npassword = "hunter2"\nurl = "mqtt://h"', "mqtt.password"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_without_its_text(tmp_path, log, table, says):
    status, told = bundled(tmp_path, table)
    assert status == 2
    assert "hunter2" not in "\n".join(told.values())
    (found,) = map(json.loads, told["findings.jsonl"].splitlines())
    assert says in found["found"]


def test_a_journal_that_is_none(tmp_path, log):
    (tmp_path / "cavale.db").write_bytes(b"hunter2 is not a database" * 50)
    _, told = bundled(tmp_path, TABLE)
    assert told["games.jsonl"] == ""
    assert "cavale.db" in told["findings.jsonl"]
    assert "hunter2" not in "\n".join(told.values())


def test_a_machine_without_a_log(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    _, told = bundled(tmp_path, TABLE)
    assert told["log.txt"].startswith("# no log")


def test_a_place_that_cannot_be_written(tmp_path, capsys):
    where = tmp_path / "nowhere" / "bundle.zip"
    book = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["doctor", "--sim", *book, "--bundle", str(where)]) == 2
    assert "/tmp/cavale.zip" in capsys.readouterr().err

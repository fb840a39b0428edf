"""The trials of `pytest -m pi`, on simulated chips with a simulated person: what is well passes,
and what is wired wrongly, dead or mute fails with its name."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.clock import FreeClock
from firmware_host.config import PROFILES, parse, profile
from firmware_host.simulated import SimulatedTable
from hw_tests.pi.people import AtTheTerminal, Simulated
from hw_tests.pi.trials import TRIALS, Request, Stand, every, run

ROOT = Path(__file__).parent.parent
BEAM = """
game = "la_grande_evasion"
[[screen]]
address = 0x3C
kind = "sh1106"
[panel]
confirm = 5
next = 13
beam = 12
"""


def stand(config, astray=None, faults=""):
    clock = FreeClock(1000.0)
    sim = SimulatedTable(config, clock)

    def idle(seconds):
        until = clock.now() + seconds
        while (due := sim.agenda.next_due) is not None and due <= until:
            clock.advance_to(due)
            sim.agenda.run()
        clock.advance_to(until)

    on_trial = Stand(config, clock, sim.parts, Simulated(sim, astray), idle)
    sim.order(faults)
    return on_trial


def some(config):
    """Every kind of trial, and of the many of one kind the first and the last."""
    by_kind = {}
    for trial, what in every(config):
        by_kind.setdefault(trial, []).append(what)
    return [(kind, what) for kind, all_of in by_kind.items() for what in {all_of[0], all_of[-1]}]


@pytest.mark.parametrize("name", PROFILES)
def test_a_table_that_is_well_passes(name, tmp_path):
    """One after the other on the same table, as on a Pi."""
    on_trial = stand(profile(name))
    for n, (trial, what) in enumerate(some(on_trial.config)):
        on_trial.pressed.clear()
        folder = tmp_path / str(n)
        folder.mkdir()
        run(on_trial, trial, what, folder)


def test_a_beam_and_another_kind_of_screen(tmp_path):
    on_trial = stand(parse(BEAM, "beam.toml"))
    tried = list(every(on_trial.config))
    assert ("beam", "beam") in tried
    for trial, what in tried:
        on_trial.pressed.clear()
        run(on_trial, trial, what, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", PROFILES)
def test_all_of_a_table_that_is_well_passes(name, tmp_path):
    on_trial = stand(profile(name))
    for trial, what in every(on_trial.config):
        on_trial.pressed.clear()
        run(on_trial, trial, what, tmp_path)


@pytest.mark.parametrize(
    ("name", "trial", "what", "astray", "faults", "says"),
    [
        ("wall", "button", "undo", {"undo": "next"}, "", "undo: not seen"),
        ("wall", "space", "r1c1", {"r1c1": "r1c2"}, "", "sees otherwise"),
        ("wall", "space", "r1c1", {}, "dead expander 0x20 input=0", "an empty board"),
        ("wall", "space", "r1c1", {}, "dead expander 0x20 input=4 level=false", "clear the board"),
        ("wall", "sign", "gate:1_left", {"gate:1_left": "gate:1_right"}, "", "and ('gate:1_right'"),
        ("squares", "space", "z1_1", {"z1_1": "z1_2"}, "", "sees otherwise"),
        ("places", "reader", "yard", {"yard": "chapel"}, "", "'chapel': frozenset({"),
        ("places", "reader", "yard", {}, "deaf_reader reader yard", "reader yard: not seen"),
        ("pad", "tower", "die", {}, "silent_tower tower", "throw the dice: die: not seen"),
        ("pad", "screen", "1", {}, "missing screen 0x3c", "screen 1:"),
        ("pad", "light", "red", {"red": "green"}, "", "is the light red? No"),
    ],
)
def test_what_is_wrong_fails_with_its_name(name, trial, what, astray, faults, says, tmp_path):
    with pytest.raises(AssertionError) as error:
        run(stand(profile(name), astray, faults), trial, what, tmp_path)
    assert says in str(error.value)


@pytest.mark.parametrize(("typed", "seen"), [("", True), ("o", True), ("n", False), ("non", False)])
def test_a_person_at_a_terminal(typed, seen):
    keyboard, terminal = os.openpty()
    try:
        person = AtTheTerminal("fr", os.ttyname(terminal))
        os.write(keyboard, f"{typed}\n".encode())
        assert person.sees(Request("buzzer")) is seen
        said = b""
        while b"?" not in said and select.select([keyboard], [], [], 10.0)[0]:
            said += os.read(keyboard, 1000)
        assert "entendez-vous le buzzer ?" in said.decode()
    finally:
        os.close(keyboard)
        os.close(terminal)


def test_every_trial_is_tried_here():
    kinds = {trial for name in PROFILES for trial, _ in every(profile(name))}
    assert kinds | {"beam"} == set(TRIALS)


@pytest.mark.soak
def test_pytest_finds_one_trial_for_each_part(tmp_path):
    """As on a Pi, but only collected: nobody is asked."""
    command = [sys.executable, "-m", "pytest", "-m", "pi", "--collect-only", "-v", "hw_tests/pi"]
    table = ROOT / "firmware_host" / "tables" / "pad.toml"
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "CAVALE_TABLE": str(table)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    for trial, what in every(profile("pad")):
        assert f"[{trial} {what}]" in done.stdout

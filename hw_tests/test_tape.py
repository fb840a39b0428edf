"""Recordings of the wire: replayed, they give the same entries; spoilt, they are told from it.

hw_tests/tapes/ holds awkward moments. `python -m hw_tests.test_tape` records them anew, on purpose.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivers.clock import FreeClock
from firmware_host.cli import main
from firmware_host.config import profile
from firmware_host.demo import Evening
from firmware_host.inbox import Begin, Inbox, Intend, Pause, Propose, Stop, TakeBack, TakeOver
from firmware_host.journal import InlineWriter, Journal
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.table import Table
from firmware_host.tape import is_tape, replay
from firmware_host.tape.messages import as_json, from_json
from firmware_host.tape.recorder import Recorder
from game_logic import load
from game_logic.breakout.moves import Push
from game_logic.core import CHANCE, Act, Malformed, Rolled, Text

TAPES = Path(__file__).parent / "tapes"
MOMENTS = {  # name: table, game, seed, moves, share of mistakes, faults
    "wall-hasty-hands": ("wall", "breakout", 4, 24, 0.6, ""),
    "wall-supply-dips": ("wall", "breakout", 3, 30, 0.3, "brownout expander 0x20 after=9"),
    "cells-only": ("wall-cells", "breakout", 6, 20, 0.5, ""),
    "squares-cocked-dice": ("squares-evasion", "la_grande_evasion", 2, 40, 0.5, ""),
    "squares-crowded": ("squares", "prison_break", 5, 60, 0.3, ""),
    "places-stacks": ("places", "alcatraz", 3, 40, 0.4, ""),
    "tower-unplugged": (
        "squares",
        "prison_break",
        1,
        40,
        0.1,
        "unplugged tower after=10 lasting=5",
    ),
}


def record(moment: str, folder: Path) -> list[str]:
    table, game, seed, moves, mistakes, faults = MOMENTS[moment]
    journal, tape = Journal.open(folder / f"{moment}.db"), io.BytesIO()
    evening = Evening(
        profile(table), game, journal, seed=seed, mistakes=mistakes, faults=faults, tape=tape
    )
    evening.run(until=lambda: evening.moves >= moves)
    journal.close()
    assert evening.hands.disagreements == []
    return tape.getvalue().decode().splitlines()


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_awkward_moment_is_read_as_it_was(moment):
    again = replay((TAPES / f"{moment}.jsonl").read_text("utf-8").splitlines())
    assert again.ok, (again.why.en, again.at)
    assert again.seq > 5


def test_dice_of_the_box_are_said_again(tmp_path):
    """A table with a page, where the house would else have rolled."""
    clock, inbox, tape = FreeClock(1000.0), Inbox(), io.BytesIO()
    sim = SimulatedTable(profile("screen"), clock, inbox.wake)
    recorder = Recorder(tape, sim.parts, inbox, lambda n: 0, clock.now, page=True, luck="box")
    journal = Journal.open(tmp_path / "cavale.db")
    table = Table(
        recorder.parts,
        InlineWriter(journal, clock.now),
        clock,
        below=recorder.below,
        listen=recorder.heard,
        inbox=recorder.inbox,
        door=lambda seat: None,
        luck="box",
    )
    for message in (
        Begin("prison_break", ("Ana", "Bo", "Cy")),
        *(Intend((Act(CHANCE, Rolled("die", face)),)) for face in (4, 2, 5)),
    ):
        inbox.put(message)
        run_free(table, clock, sim.agenda, until=lambda: False, most=2.0)
    journal.close()
    again = replay(tape.getvalue().decode().splitlines())
    assert again.ok, again.why.en
    assert again.seq == 4


def test_no_tape_is_left_over():
    assert {file.stem for file in TAPES.glob("*.jsonl")} == set(MOMENTS)


def test_a_tape_of_an_open_game_goes_on_from_where_it_was(tmp_path):
    path = tmp_path / "cavale.db"
    journal = Journal.open(path)
    first = Evening(profile("wall"), "breakout", journal, seed=8)
    first.run(until=lambda: first.moves > 10)
    journal.close()
    journal, tape = Journal.open(path), io.BytesIO()
    second = Evening(profile("wall"), "breakout", journal, seed=9, tape=tape)
    second.run(until=lambda: second.moves > 10)
    journal.close()
    lines = tape.getvalue().decode().splitlines()
    assert len(json.loads(lines[0])["entries"]) > 10
    again = replay(lines)
    assert again.ok, again.why.en
    assert again.seq > 10


def test_a_tape_that_was_read_otherwise_is_told():
    lines = (TAPES / "cells-only.jsonl").read_text("utf-8").splitlines()
    at = [n for n, line in enumerate(lines) if '"spaces"' in line and "knot" in line][3]
    line = json.loads(lines[at])
    line["spaces"] = {}
    again = replay([*lines[:at], json.dumps(line), *lines[at + 1 :]])
    assert not again.ok
    assert again.at is not None


def test_record_and_replay_by_command(tmp_path, capsys):
    tape = tmp_path / "evening.jsonl"
    demo = ["demo", "breakout", "--seed", "5", "--mistakes", "0.3", "--json"]
    assert main([*demo, "--record", str(tape)]) == 0
    capsys.readouterr()
    assert main(["replay", str(tape)]) == 0
    assert "the same" in capsys.readouterr().out
    short = TAPES / "cells-only.jsonl"
    assert main(["replay", str(short), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    spoilt = short.read_text("utf-8").replace('"side":"left"', '"side":"right"')
    tape.write_text(spoilt, "utf-8")
    assert main(["replay", str(tape)]) == 1
    assert main([*demo, "--record", str(tmp_path / "no" / "where")]) == 2


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_anything_is_a_tape_or_a_clear_refusal(head, rest):
    assert is_tape('{"tape":1}')
    with pytest.raises(Malformed):
        replay(['{"tape":' + head, *rest])
    with pytest.raises(Malformed):
        replay(['{"tape":1,"language":"en"}', "{", *rest])


def test_messages_come_back_as_they_were():
    game = load("breakout")
    said = [
        Intend((Act(0, Push(3, "left")),), decision=4),
        TakeBack(confirmed=True),
        TakeOver(1, None),
        Pause(True),
        Propose(Text("Reprendre ?", "Take back?"), TakeBack(confirmed=True)),
    ]
    for message in said:
        again = from_json(json.loads(json.dumps(as_json(message))), game)
        assert as_json(again) == as_json(message)
        assert type(again) is type(message)
    assert as_json(Stop()) is None


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    TAPES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for name in MOMENTS:
            lines = record(name, Path(folder))
            (TAPES / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
            print(name, len(lines))

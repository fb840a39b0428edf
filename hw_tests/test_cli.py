"""The command: what it prints, how it fails, and that the wheel carries all of it."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest

from firmware_host.cli import main
from game_logic import GAMES

ROOT = Path(__file__).parent.parent


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def played(tmp_path, capsys):
    """A journal with one finished demo game in it."""
    path = tmp_path / "cavale.db"
    assert main(["demo", "breakout", "--seed", "7", "--json", "--journal", str(path)]) == 0
    return path, lines(capsys)


def test_demo_speaks_json_lines_and_ends_with_the_summary(played):
    _, told = played
    moves, summary = told[:-1], told[-1]
    assert {"event", "at", "seat", "move", "latency_ms"} == set(moves[1])
    assert all(line["event"] == "move" for line in moves)
    assert summary["event"] == "over"
    assert summary["reason"] == "three_figures"
    assert summary["moves"] == len(moves)
    assert summary["wrong"] == 0
    assert len(summary["state"]) == 64


def test_history_export_and_replay(played, tmp_path, capsys):
    path, _ = played
    assert main(["history", "--json", "--journal", str(path)]) == 0
    (game,) = lines(capsys)
    assert game["game"] == "breakout"
    assert not game["open"]
    assert main(["history", "--journal", str(path)]) == 0
    assert "breakout" in capsys.readouterr().out
    assert main(["export", "1", "--journal", str(path)]) == 0
    export = tmp_path / "game.jsonl"
    export.write_text(capsys.readouterr().out)
    assert main(["replay", str(export)]) == 0
    assert main(["replay", str(export), "--json"]) == 0
    text = export.read_text()
    changed = text.replace('"side":"left"', '"side":"right"', 1)
    assert changed != text
    export.write_text(changed)
    capsys.readouterr()
    assert main(["replay", str(export)]) == 1
    assert "entry" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["demo", "chess"], "invalid choice"),
        (["demo", "breakout", "--seats", "5"], "2 to 2"),
        (["demo", "breakout", "--faults", "flood bus 1"], "no fault 'flood'"),
        (["demo", "breakout", "--faults", "nack bus 9"], "no target 'bus 9'"),
        (["demo", "breakout", "--mistakes", "2"], "0 to 1"),
        (["demo", "breakout", "--table", "nowhere.toml"], "no such file"),
        (["simulate", "breakout", "--games", "0"], "from 1 on"),
        (["simulate", "breakout", "--bot", "deep"], "no bot 'deep'"),
        (["bench", "everything"], "no bench 'everything'"),
        (["replay", "nowhere.jsonl"], "cannot be read"),
        (["frobnicate"], "invalid choice"),
        (["demo", "breakout", "--games", "1", "--faults", "nack expander 0x20"], "--faults is"),
        (["demo", "breakout", "--each-fault"], "--each-fault only with --games"),
        (["demo", "breakout", "--games", "1", "--fault", "rust"], "there are bounce, brownout"),
        (
            ["demo", "breakout", "--table", "wall", "--games", "1", "--fault", "weak_tag"],
            "nothing at such a table",
        ),
        ([], "COMMAND"),
    ],
)
def test_bad_arguments_end_with_2_and_say_what_to_do(argv, says, capsys):
    try:
        status = main(argv)
    except SystemExit as exit:  # argparse's own way out
        status = exit.code
    assert status == 2
    assert says in capsys.readouterr().err


def test_a_journal_that_is_not_there_is_said_and_not_made(tmp_path, capsys):
    path = tmp_path / "none.db"
    assert main(["history", "--journal", str(path)]) == 1
    assert "no journal" in capsys.readouterr().err
    assert not path.exists()
    assert main(["export", "3", "--journal", str(path)]) == 1


def test_an_export_of_an_unknown_game(played, capsys):
    assert main(["export", "3", "--journal", str(played[0])]) == 1
    assert "no game 3" in capsys.readouterr().err


def test_simulate_and_games_and_bench(capsys):
    assert main(["simulate", "breakout", "--games", "20", "--json"]) == 0
    (summary,) = lines(capsys)
    assert summary["finished"] == summary["games"] == 20
    assert main(["simulate", "breakout", "--games", "2"]) == 0
    assert "moves per second" in capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    assert {"game", "title", "seats", "options"} == set(lines(capsys)[-1])
    assert main(["games"]) == 0
    assert "breakout" in capsys.readouterr().out


def test_bench_screen_is_a_fifth_of_a_frame_or_less():
    """In bytes on the simulated wire: exact, whatever the machine is doing."""
    from firmware_host.bench.screen import cases

    measured = [case for case in cases(("breakout",)) if case.unit == "bytes"]
    moves = [case for case in measured if case.case.startswith("breakout")]
    assert len(moves) == 4
    assert max(case.ratio for case in moves) <= 0.2
    assert max(case.ratio for case in measured) < 1  # luma's frame is never the cheaper way
    for name, most in (("timer, a second", 36), ("danger, a blink", 24), ("menu", 96)):
        few = [case.ours for case in measured if case.case.startswith(name)]
        assert len(few) == 2
        assert max(few) <= most


def test_pictures_are_written(tmp_path):
    assert main(["demo", "breakout", "--seed", "3", "--json", "--png", str(tmp_path / "png")]) == 0
    kept = {file.stem.partition("-")[2] for file in (tmp_path / "png").glob("*.png")}
    assert {"begin", "move-push", "over"} <= kept
    assert len(kept) <= 20


def daemon(tmp_path, *more, **how):
    command = [sys.executable, "-m", "firmware_host.cli", "run", "--sim"]
    command += ["--journal", str(tmp_path / "cavale.db"), *more]
    return subprocess.Popen(command, cwd=ROOT, **how)


def test_without_a_terminal_the_daemon_logs_stops_and_resumes(tmp_path):
    for expected in ("begins", "Resuming"):
        with daemon(tmp_path, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            said = ""
            while expected not in said or "The page: http://127.0.0.1:" not in said:
                line = run.stderr.readline()
                assert line, said
                said += line
            time.sleep(0.5)
            run.send_signal(signal.SIGTERM)
            run.communicate(timeout=20)
            assert run.returncode == 0


def test_the_terminal_is_a_table(tmp_path):
    """A person types: a push, a wrong knot, a fault, nonsense; and leaves."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "150", "LINES": "45", "LANG": "C"}
    pipes = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    run = daemon(tmp_path, "--terminal", **pipes, env=environment)
    os.close(theirs)
    seen = ""

    def read_until(word, seconds=20.0):
        nonlocal seen
        end = time.monotonic() + seconds
        while word not in seen:
            ready, _, _ = select.select([ours], [], [], 0.5)
            if ready:
                seen += os.read(ours, 65536).decode("utf-8", "replace")
            assert time.monotonic() < end, f"{word!r} never came: {seen[-2000:]}"

    try:
        read_until("who starts")
        os.write(ours, b"3>\n")
        read_until("into floor 3 from the left")
        os.write(ours, b"fly\n")
        read_until("is not a command")
        os.write(ours, b"fault missing screen 0x3d\n")
        read_until("! missing screen 0x3d")
        os.write(ours, b"fault flood bus 1\n")
        read_until("no fault 'flood'")
        os.write(ours, b"q\n")
        assert run.wait(timeout=20) == 0
        assert "⣿" in seen
    finally:
        run.kill()
        run.wait()
        os.close(ours)


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_can_be_read(game, capsys):
    assert main(["rules", game]) == 0
    said = capsys.readouterr().out
    assert said == (ROOT / "docs" / "rules" / f"{game}.md").read_text("utf-8")
    assert "R1" in said


def test_the_wheel_plays_a_demo_outside_the_checkout(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheels = tmp_path / "wheels"
    build = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT)]
    subprocess.run([*pip, *build], check=True, cwd=tmp_path)
    (wheel,) = wheels.glob("cavale-*.whl")
    boards = ROOT / "firmware_host" / "web" / "boards"
    carried = {boards / "boards.css", *(boards / "data").glob("*.toml")}
    carried |= set((ROOT / "firmware_host" / "web" / "static").rglob("*.*"))
    names = {str(file.relative_to(ROOT)) for file in carried}
    names |= {f"firmware_host/rules/{game}.md" for game in GAMES}
    assert names <= set(ZipFile(wheel).namelist())
    target = tmp_path / "site"
    install = ["install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run([*pip, *install], check=True, cwd=tmp_path)
    program = (
        "import firmware_host, sys; from firmware_host.cli import main; "
        f"assert firmware_host.__file__.startswith({str(target)!r}), firmware_host.__file__; "
        "sys.exit(main(['demo', 'breakout', '--seed', '7', '--json']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout.splitlines()[-1])["reason"] == "three_figures"


def test_bench_page_counts_what_three_phones_cost(capfd):
    from firmware_host.bench.page import Cost, evening

    evening("phones", 1)
    cost = msgspec.json.decode(capfd.readouterr().out, type=Cost)
    assert min(cost.loop, cost.all, cost.memory) > 0


@pytest.mark.parametrize(
    ("option", "value", "remedy"),
    [
        ("--games", "x", "give a whole number from 1 on"),
        ("--jobs", "0", "give a whole number from 1 on"),
        ("--share", "often", "give a number from 0 to 1"),
        ("--share", "nan", "give a number from 0 to 1"),
    ],
)
def test_a_wrong_number_is_answered_with_what_to_give(option, value, remedy, capsys):
    with pytest.raises(SystemExit) as end:
        main(["demo", "breakout", option, value])
    assert end.value.code == 2
    assert f"{option}: {remedy}" in capsys.readouterr().err

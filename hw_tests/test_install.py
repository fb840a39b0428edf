"""The installation, into a scratch root: every file, twice, brought up to date, and off again."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.config import find
from firmware_host.journal import Journal, Record
from game_logic import load
from game_logic.core import CHANCE, Act, pick

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "systemd" / "install.py"
CONFIG = "# the Pi's own\ndtparam=audio=on\n\n[cm4]\notg_mode=1"
PLACES = {
    "etc/sysusers.d/cavale.conf": "systemd/cavale.sysusers",
    "etc/tmpfiles.d/cavale.conf": "systemd/cavale.tmpfiles",
    "etc/modules-load.d/cavale.conf": "systemd/cavale.modules",
    "etc/udev/rules.d/70-cavale.rules": "systemd/70-cavale.rules",
    "etc/systemd/system/cavale.service": "systemd/cavale.service",
    "usr/local/bin/cavale": "systemd/cavale.sh",
    "opt/cavale/back-off": "systemd/back-off.sh",
    "etc/cavale/table.toml": "firmware_host/tables/wall.toml",
}


class Machine:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.boot = root / "boot/firmware/config.txt"
        self.boot.parent.mkdir(parents=True)
        self.boot.write_text(CONFIG)

    def __call__(self, *words: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(PROGRAM), *words],
            env=os.environ | {"DESTDIR": str(self.root)},
            input=answer,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def files(self) -> dict[str, tuple[bytes, int]]:
        return {
            str(path.relative_to(self.root)): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_every_file_is_where_it_belongs(machine):
    done = machine("install", "--yes")
    assert done.returncode == 0, done.stderr
    for place, source in PLACES.items():
        assert (machine.root / place).read_bytes() == (ROOT / source).read_bytes()
        mode = (machine.root / place).stat().st_mode & 0o777
        assert mode == (0o755 if "/bin/" in place else 0o644)
    boot = machine.boot.read_text()
    assert boot.startswith(CONFIG)
    assert boot.index("[cm4]") < boot.index("[all]") < boot.index("dtparam=i2c_arm=on")
    assert "dtparam=i2c_arm_baudrate=400000\n" in boot
    assert machine.boot.with_name("config.txt.before-cavale").read_text() == CONFIG
    known = {*PLACES, "boot/firmware/config.txt", "boot/firmware/config.txt.before-cavale"}
    assert set(machine.files()) == known | {"opt/cavale/installed-from"}
    assert find(str(machine.root / "etc/cavale/table.toml")).game == "breakout"
    order = ["run systemd-sysusers", "-m venv", "pip install", "daemon-reload", "enable cavale"]
    places = [done.stdout.index(word) for word in order]
    assert places == sorted(places)


def test_it_is_started_unless_its_buses_are_there_only_after_a_restart(machine):
    first = machine("install", "--yes").stdout
    assert "sudo reboot" in first
    assert "restart cavale.service" not in first
    (machine.root / "etc/systemd/system/cavale.service").unlink()
    again = machine("install", "--yes").stdout
    assert "systemctl restart cavale.service" in again
    assert "reboot" not in again


def test_a_second_time_changes_nothing(machine):
    machine("install", "--yes")
    before = machine.files()
    again = machine("install", "--yes")
    assert again.stdout == "nothing to change\n"
    assert machine.files() == before
    assert machine("update").stdout == "nothing to change\n"
    assert machine.files() == before


def test_a_dry_run_says_it_all_and_does_nothing(machine):
    before = machine.files()
    said = machine("install", "--dry-run")
    assert said.returncode == 0
    assert machine.files() == before
    assert "+dtparam=i2c_arm=on" in said.stdout
    done = machine("install", "--yes")
    assert said.stdout == done.stdout
    before = machine.files()
    assert "remove /opt/cavale\n" in machine("uninstall", "--dry-run").stdout
    assert machine.files() == before


@pytest.mark.parametrize(("answer", "changed"), [("y\n", True), ("n\n", False), ("", False)])
def test_the_boot_configuration_is_changed_only_if_agreed(machine, answer, changed):
    done = machine("install", answer=answer)
    assert done.returncode == 0
    assert "+dtparam=i2c_arm=on" in done.stdout
    assert (machine.boot.read_text() != CONFIG) == changed


def test_the_owner_s_table_stays_and_its_buses_are_enabled(machine):
    machine("install", "--yes", "--table", "places")
    table = machine.root / "etc/cavale/table.toml"
    assert "dtoverlay=i2c-gpio,bus=3" in machine.boot.read_text()
    mine = table.read_text().replace("hz = 400_000", "hz = 100_000", 1)
    table.write_text(mine)
    assert "is yours and stays" in machine("install", "--yes", "--table", "wall").stdout
    assert table.read_text() == mine
    boot = machine.boot.read_text()
    assert "i2c_arm_baudrate=100000" in boot
    assert boot.count("dtparam=i2c_arm=on") == 1


def test_an_update_renews_what_is_old(machine):
    assert machine("update").returncode == 1
    assert machine.files().keys() == {"boot/firmware/config.txt"}
    machine("install", "--yes")
    unit = machine.root / "etc/systemd/system/cavale.service"
    unit.write_text("old")
    (machine.root / "opt/cavale/installed-from").write_text("an older one")
    done = machine("update")
    assert unit.read_bytes() == (ROOT / "systemd/cavale.service").read_bytes()
    assert "pip install" in done.stdout
    assert "restart cavale.service" in done.stdout


def test_an_open_game_survives_an_update(machine):
    """A real journal where the service keeps it; the game goes on where it was, to the byte."""
    machine("install", "--yes")
    (machine.root / "opt/cavale/installed-from").write_text("an older one")
    path = machine.root / "var/lib/cavale/cavale.db"
    path.parent.mkdir(parents=True)
    book, game = Journal.open(path), load("breakout")
    record = book.append(Record.begin(game, ("Ana", "Bo")))
    for _ in range(9):
        (by, *_) = game.to_act(record.state)
        if by == CHANCE:
            move = pick(game.chance(record.state).parts[0], random.Random(1).randrange)
        else:
            move = game.moves(record.state, by)[0]
        record = book.append(record.intent((Act(by, move),)))
    book.close()
    assert "pip install" in machine("update", "--yes").stdout
    command = [sys.executable, "-m", "firmware_host.cli", "run", "--sim", "--seconds", "0.3"]
    run = subprocess.run(
        command,
        env=os.environ | {"STATE_DIRECTORY": str(path.parent)},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert str(len(record.line) - 1) in run.stderr.splitlines()[0]
    book = Journal.read(path)
    again = book.open_game()
    book.close()
    assert again.state == record.state
    assert again.line[: len(record.line)] == record.line


def test_make_does_it_too(machine):
    done = subprocess.run(
        ["make", "install", f"DESTDIR={machine.root}", "ARGS=--yes --table pad"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert find(str(machine.root / "etc/cavale/table.toml")).reader
    assert machine("update", "--yes").stdout == "nothing to change\n"


def test_what_a_program_reads_counts_as_its_source(tmp_path):
    """Fonts, pages and styles too: a change in any of them is an update."""
    for name in ("drivers", "firmware_host", "game_logic", "systemd"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    machine = Machine(tmp_path / "root")

    def told(what):
        command = [sys.executable, str(tmp_path / "systemd/install.py"), what, "--yes"]
        environment = os.environ | {"DESTDIR": str(machine.root)}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=30
        ).stdout

    told("install")
    assert told("update") == "nothing to change\n"
    glyphs = tmp_path / "firmware_host/data/small.glyphs"
    glyphs.write_text(glyphs.read_text() + "\n")
    assert "pip install" in told("update")


# -- the command beside the service ------------------------------------------------------------

FAKE = """#!/bin/sh
echo "$(basename "$0") $* in $PWD with $CAVALE_TABLE and $STATE_DIRECTORY"
"""


def test_the_command_runs_as_the_service_does(tmp_path):
    text = (ROOT / "systemd/cavale.sh").read_text()
    state = tmp_path / "state"
    state.mkdir()
    (tmp_path / "cavale").write_text(text.replace("/var/lib/cavale", str(state)))
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in (("setpriv", FAKE), ("id", "#!/bin/sh\necho ${AS:-0}\n")):
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)

    def run(**more):
        environment = {"PATH": f"{programs}:/usr/bin:/bin", **more}
        return subprocess.run(
            ["sh", str(tmp_path / "cavale"), "doctor", "--json"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    said = run().stdout
    assert said.startswith("setpriv --reuid=cavale --regid=cavale")
    assert f"/opt/cavale/bin/cavale doctor --json in {state}" in said
    assert f"with /etc/cavale/table.toml and {state}" in said
    unit = (ROOT / "systemd/cavale.service").read_text()
    groups = re.search(r"--groups=cavale,([\w,]+),systemd-journal", said)[1].split(",")
    assert f"SupplementaryGroups={' '.join(groups)}\n" in unit
    refused = run(AS="1000")
    assert refused.returncode == 1
    assert "sudo cavale doctor --json" in refused.stderr


SYSUSERS = shutil.which("systemd-sysusers")


@pytest.mark.skipif(SYSUSERS is None, reason="NOT CHECKED: apt install systemd")
@pytest.mark.skipif(os.geteuid() != 0, reason="NOT CHECKED: only root makes users")
def test_user_and_groups_are_made(machine):
    machine("install", "--yes")
    command = [SYSUSERS, f"--root={machine.root}", "cavale.conf"]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
    assert "\ncavale:" in "\n" + (machine.root / "etc/passwd").read_text()
    groups = (machine.root / "etc/group").read_text().splitlines()
    members = {line.split(":")[0]: line.split(":")[3] for line in groups}
    assert {members[name] for name in ("gpio", "i2c", "dialout")} == {"cavale"}


def test_off_again_games_and_table_stay(machine):
    machine("install", "--yes")
    games = machine.root / "var/lib/cavale/cavale.db"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    done = machine("uninstall", "--yes")
    assert done.returncode == 0
    assert "disable --now cavale.service" in done.stdout
    assert machine.boot.read_text() == CONFIG + "\n"
    left = {"boot/firmware/config.txt", "boot/firmware/config.txt.before-cavale"}
    assert machine.files().keys() == left | {"etc/cavale/table.toml", "var/lib/cavale/cavale.db"}
    assert "/var/lib/cavale" in done.stdout
    assert machine("uninstall", "--yes").returncode == 0


def test_a_table_that_is_not_there(machine):
    done = machine("install", "--yes", "--table", "round")
    assert done.returncode == 1
    assert "wall-openings" in done.stderr
    assert machine.files().keys() == {"boot/firmware/config.txt"}


@pytest.mark.skipif(os.geteuid() == 0, reason="we are root here")
def test_without_the_right_to():
    done = subprocess.run(
        [sys.executable, str(PROGRAM), "install"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "sudo" in done.stderr

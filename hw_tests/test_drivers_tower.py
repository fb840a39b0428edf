"""The tower on its port, with the simulated one at the far end of the line, in free time."""

from __future__ import annotations

import errno
import termios
from itertools import pairwise

import pytest

from drivers.clock import FreeClock
from drivers.sim.agenda import Agenda
from drivers.sim.faults import KINDS
from drivers.sim.serial_line import MemoryLine
from drivers.sim.tower import SimTower
from drivers.tower import Tower
from drivers.tower_frames import frame
from drivers.tower_protocol import Cocked, Hello, Roll
from hw_tests.dice_table import DICE, DiceTable


@pytest.fixture
def table():
    table = DiceTable()
    table.run(2.0)
    return table


def test_it_is_found_and_says_who_it_is(table):
    (hello,) = table.hellos
    assert hello.firmware == "cavale-tower-sim"
    assert dict(hello.dice) == DICE
    assert not hello.rebooted
    assert table.tower.health.state == "ok"
    assert table.tower.health.resets == 0


def test_a_throw_is_one_roll_with_all_its_dice(table):
    thrown = table.sim.drop(["red", "blue", "white"])
    (roll,) = table.run(3.0)
    assert dict(roll.dice) == thrown
    assert table.rolls == [thrown]
    assert table.sim.firmware.waiting == []
    table.sim.remove("red")
    assert table.run(3.0) == []


def test_it_takes_half_a_second_of_stillness_and_a_few_milliseconds_of_wire(table):
    start = table.clock.now()
    table.sim.drop({"red": 3})
    table.run(3.0)
    at, roll = table.events[-1]
    assert 0.3 <= roll.at - start <= 0.9
    assert 0.5 <= at - roll.at <= 0.51


def test_dice_that_follow_shortly_are_of_the_same_throw(table):
    table.sim.drop({"red": 3})
    table.run(0.7)
    table.sim.drop({"blue": 4})
    table.run(3.0)
    assert table.rolls == [{"red": 3, "blue": 4}]


def test_a_cocked_die_is_rolled_again(table):
    table.sim.drop({"red": 3, "blue": 4})
    table.sim.cock("red")
    (cocked,) = table.run(3.0)
    assert isinstance(cocked, Cocked)
    assert dict(cocked.dice) == {"red": None, "blue": 4}
    assert table.journal == []
    table.sim.remove("red")
    assert table.run(2.0) == []
    table.sim.drop({"red": 6})
    table.run(3.0)
    assert table.rolls == [{"red": 6, "blue": 4}]
    table.sim.cock("red")  # a sleeve; the roll has counted
    assert table.run(2.0) == []


def test_a_die_beside_the_tray_is_missing(table):
    table.sim.drop({"red": 3, "blue": 4})
    table.run(0.1)
    table.sim.remove("blue")
    (roll,) = table.run(3.0)
    assert dict(roll.dice) == {"red": 3}


def test_hands_cannot_cock_what_is_not_there(table):
    with pytest.raises(ValueError, match="drop it first"):
        table.sim.cock("red")


def test_rolls_wait_for_a_slow_disk(table):
    table.disk = 1.5
    throws = [table.sim.drop(["red"])]
    table.run(1.5)
    throws.append(table.sim.drop(["red"]))
    table.run(6.0)
    assert table.rolls == throws
    assert table.tower.counts.repeated > 0


def test_rolls_wait_for_a_daemon_that_is_away(table):
    table.line.port.close()
    throws = []
    for face in (1, 2, 3):
        throws.append(table.sim.drop({"red": face}))
        end = table.clock.now() + 2
        while table.agenda.next_due < end:
            table.clock.advance_to(table.agenda.next_due)
            table.agenda.run()
    table.restart()
    table.run(3.0)
    assert table.rolls == throws
    first, second, third = (at - event.at for at, event in table.events[-3:])
    assert 4 < first < 6
    assert 2 < second < 4
    assert third < 2


def test_a_daemon_killed_after_the_journal_does_not_count_twice(table):
    table.dies_after_journal = True
    thrown = table.sim.drop(["red", "blue"])
    table.run(5.0)
    assert table.rolls == [thrown]
    assert table.sim.firmware.waiting == []
    assert table.tower.counts.repeated == 1


def test_a_daemon_killed_before_the_journal_gets_the_roll_again(table):
    table.disk = 0.3
    thrown = table.sim.drop(["red"])
    while not isinstance(table.events[-1][1], Roll):
        table.run(0.1)
    table.restart()
    table.run(5.0)
    assert table.rolls == [thrown]
    assert sum(isinstance(event, Roll) for _, event in table.events) == 2


# What goes wrong.


@pytest.mark.parametrize(
    ("fault", "params"),
    [
        ("serial_noise", {"p": 0.02}),
        ("serial_noise", {"p": 0.001}),
        ("dropped_bytes", {"p": 0.01}),
        ("half_frame", {"p": 0.5}),
        ("duplicated_frames", {"p": 0.7}),
        ("late_tower", {"ms": 700}),
        ("silent_tower", {}),
    ],
)
def test_whatever_the_line_does_every_roll_counts_once(table, fault, params):
    throws = []
    for _ in range(20):
        table.faults.order(fault, "tower", lasting=4.0, **params)
        throws.append(table.sim.drop(["red", "blue"]))
        table.run(8.0)
    table.run(5.0)
    assert table.rolls == throws
    assert table.tower.health.state == "ok"
    if fault in ("serial_noise", "dropped_bytes", "half_frame") and params["p"] > 0.001:
        assert table.tower.counts.frames_spoilt > 0
        assert table.tower.health.errors >= table.tower.counts.frames_spoilt
        assert "check the cable" in table.tower.health.last_error
    if fault == "duplicated_frames":
        assert table.tower.counts.repeated > 5
    assert table.tower.counts.missing == 0


def test_a_reboot_is_told_and_the_dice_are_rolled_again(table):
    table.sim.drop({"red": 3})
    table.run(3.0)
    table.faults.order("tower_reboot", "tower")
    (hello,) = table.run(3.0)
    assert isinstance(hello, Hello)
    assert hello.rebooted
    assert table.tower.counts.reboots == 1
    table.sim.drop({"red": 5})
    table.run(3.0)
    assert table.rolls == [{"red": 3}, {"red": 5}]  # both number 1, each of its own session


def test_a_reboot_in_the_middle_of_a_roll(table):
    """It lay still before the tower was awake: nobody saw it, and nobody invents it."""
    table.faults.order("tower_reboot", "tower", mid_roll=True)
    table.sim.drop({"red": 3, "blue": 2})
    events = table.run(5.0)
    assert [type(event) for event in events] == [Hello]
    assert events[0].rebooted
    table.sim.drop({"red": 6, "blue": 6})
    table.run(3.0)
    assert table.rolls == [{"red": 6, "blue": 6}]


def test_a_reboot_between_roll_and_acknowledgement(table):
    table.disk = 1.0
    table.sim.drop({"red": 3})
    while not isinstance(table.events[-1][1], Roll):
        table.run(0.05)
    table.faults.order("tower_reboot", "tower")
    table.run(5.0)
    assert table.rolls == [{"red": 3}]
    table.sim.drop({"red": 4})
    table.run(4.0)
    assert table.rolls == [{"red": 3}, {"red": 4}]


def test_unplugged_and_plugged_in_again(table):
    table.faults.order("unplugged", "tower", lasting=20.0)
    table.run(15.0)
    assert table.tower.health.state == "failed"
    assert "not plugged in" in table.tower.health.last_error
    table.run(5.0 + 5.0 + 3.0)  # it is tried at least every five seconds
    assert table.tower.health.state == "ok"
    thrown = table.sim.drop(["red"])
    table.run(3.0)
    assert table.rolls == [thrown]


def test_a_missing_tower_is_tried_ever_more_seldom():
    table = DiceTable()
    table.sim.unplug()
    tried = []
    opened = table.line.open
    table.tower._open = lambda: tried.append(table.clock.now()) or opened()
    table.run(30.0)
    gaps = [round(b - a, 2) for a, b in pairwise(tried)]
    assert gaps[:6] == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0]
    assert set(gaps[6:]) <= {5.0}
    assert table.tower.health.state == "failed"
    table.sim.plug()
    table.run(7.0)
    assert table.tower.health.state == "ok"


def test_a_silent_tower_is_noticed_and_said(table):
    table.faults.order("silent_tower", "tower")
    table.run(2.4)  # the last heartbeat was up to a second ago
    assert table.tower.health.state == "ok"
    table.run(1.5)
    assert table.tower.health.state == "failing"
    assert "not a word from the tower for 3.5 s" in table.tower.health.last_error
    table.run(12.0)
    assert table.tower.health.state == "failed"
    table.sim.drop({"red": 3})  # it does not know that nobody hears it
    table.run(10.0)
    table.faults.mend()
    table.run(10.0)
    assert table.tower.health.state == "ok"
    assert table.rolls == [{"red": 3}]


def test_something_else_on_the_port_is_no_tower():
    clock = FreeClock(10.0)
    agenda = Agenda(clock)
    line = MemoryLine(agenda)
    tower = Tower(line.open, clock)
    for _ in range(2000):
        tower.step(clock.now())
        line.send(b"$GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8*76\r\n")
        clock.advance(0.01)
    assert tower.health.state == "failed"
    assert tower.counts.broken > 100


def test_a_tower_of_another_version_is_named():
    clock = FreeClock(10.0)
    line = MemoryLine(Agenda(clock))
    tower = Tower(line.open, clock)
    for _ in range(500):
        tower.step(clock.now())
        line.send(frame("HELLO 3f9a01c2 0 5 9 tower-9"))
        clock.advance(0.01)
    assert tower.health.state == "failed"
    assert "version 9" in tower.health.last_error


def test_a_babbling_line_does_not_keep_the_loop():
    clock = FreeClock(10.0)
    line = MemoryLine(Agenda(clock))
    tower = Tower(line.open, clock)
    tower.step(clock.now())
    line.send(100_000 * b"a")
    clock.advance(20.0)
    tower.step(clock.now())
    assert 0 < tower.counts.noise <= 4096


@pytest.mark.parametrize("call", ["in_waiting", "read", "write", "reset_output_buffer", "close"])
@pytest.mark.parametrize("error", [OSError(errno.EIO, "gone"), termios.error(5, "gone")])
def test_no_call_of_the_port_breaks_the_loop(call, error):
    """A port that fails at any of its calls, in all the ways that pyserial lets through."""

    class Port:
        in_waiting = 0

        def read(self, size):
            return b""

        def write(self, data):
            return len(data)

        def reset_output_buffer(self):
            closing.append("reset")

        def close(self):
            closing.append("close")

    def broken(self, *args):
        raise error

    closing = []
    setattr(Port, call, property(broken) if call == "in_waiting" else broken)
    clock = FreeClock(10.0)
    tower = Tower(Port, clock)
    for _ in range(800):
        assert tower.step(clock.now()) == []
        clock.advance(0.01)
    tower.close()
    assert tower.health.errors + tower.health.misses > 0
    assert tower.health.last_error
    if call != "close":
        assert "close" in closing  # whatever else failed, it was closed


def test_a_line_that_takes_half_a_frame_gets_the_rest_later():
    class Port:
        in_waiting = 0
        taken = b""

        def read(self, size):
            return b""

        def write(self, data):
            Port.taken += data[:3]
            return min(3, len(data))

    clock = FreeClock(10.0)
    tower = Tower(Port, clock)
    for _ in range(6):
        tower.step(clock.now())
        clock.advance(0.01)
    assert Port.taken == frame("WHO 1")


def test_every_fault_can_be_ordered_by_name_and_mended(table):
    names = [name for name, kind in KINDS.items() if kind.befalls is SimTower]
    assert len(names) == 8
    for name in names:
        table.faults.order(name, "tower", lasting=5.0)
        table.run(8.0)
    assert table.faults.active == ()
    table.run(10.0)
    thrown = table.sim.drop(["red"])
    table.run(3.0)
    assert table.rolls[-1] == thrown

"""Anything may happen in any order: every roll is journalled at most once, and exactly once unless
the tower itself lost it with its power."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.sim.tower_firmware import WAITING_MAX, TowerFirmware
from hw_tests.dice_table import DiceTable

seconds = st.sampled_from([0.01, 0.1, 0.4, 0.7, 1.1, 2.0, 4.0])
chance = st.sampled_from([0.003, 0.02, 0.1, 0.5])

HAPPENINGS = st.one_of(
    st.tuples(st.just("throw"), st.booleans(), seconds),
    st.tuples(st.just("throw"), st.booleans(), seconds),
    st.tuples(st.just("throw"), st.booleans(), seconds),
    st.tuples(st.just("wait"), seconds),
    st.tuples(
        st.just("fault"),
        st.sampled_from(["serial_noise", "dropped_bytes", "half_frame", "duplicated_frames"]),
        chance,
        seconds,
    ),
    st.tuples(st.just("silent"), seconds),
    st.tuples(st.just("late"), st.sampled_from([5, 200, 3000]), seconds),
    st.tuples(st.just("reboot"), st.booleans()),
    st.tuples(st.just("unplug"), seconds),
    st.tuples(st.just("kill")),
    st.tuples(st.just("kill after journal")),
    st.tuples(st.just("disk"), st.sampled_from([0.0, 0.02, 0.6, 2.5])),
)


def live_through(happenings, poll: float, program: type[TowerFirmware] = TowerFirmware) -> None:
    table = DiceTable(poll=poll, program=program)
    throws = 0
    for what, *how in happenings:
        match what:
            case "throw":
                throws += 1
                cocked, wait = how
                table.sim.drop({"red": throws // 100, "blue": throws % 100})  # a name for it
                if cocked and throws % 3 == 0:
                    table.sim.cock("blue")
                table.run(wait)
            case "wait":
                table.run(how[0])
            case "fault":
                table.faults.order(how[0], "tower", lasting=2 * how[2], p=how[1])
            case "silent":
                table.faults.order("silent_tower", "tower", lasting=how[0])
            case "late":
                table.faults.order("late_tower", "tower", lasting=how[1], ms=how[0])
            case "reboot":
                table.faults.order("tower_reboot", "tower", mid_roll=how[0])
            case "unplug":
                table.faults.order("unplugged", "tower", lasting=how[0])
            case "kill":
                table.restart()
            case "kill after journal":
                table.dies_after_journal = True
            case "disk":
                table.disk = how[0]
        assert len(table.sim.firmware.waiting if table.sim.firmware else ()) <= WAITING_MAX
    # The line recovers, and everybody has their time.
    table.run(10.0)
    table.faults.mend()
    table.disk = 0.02
    table.run(25.0)
    assert table.tower.health.state == "ok"
    assert table.sim.firmware.waiting == []

    times = Counter(mark for mark, _ in table.journal)
    names = Counter(dice for _, dice in table.journal)
    assert set(times.values()) | set(names.values()) <= {1}, "counted twice"
    for mark, dice in table.journal:
        assert table.settled[mark] == dice, "not what lay in the tray"
    for mark, dice in table.settled.items():
        flat = all(face is not None for _, face in dice)
        if mark not in table.forgotten:
            assert times[mark] == flat, "lost" if flat else "a cocked die was counted"
    journalled = [mark for mark, _ in table.journal]
    boots = list(dict.fromkeys(mark.boot for mark in journalled))
    assert journalled == sorted(journalled, key=lambda m: (boots.index(m.boot), m.number))


POLLS = st.sampled_from([0.003, 0.1, 1.0])


@given(st.lists(HAPPENINGS, min_size=1, max_size=25), POLLS)
@example([("throw", False, 2.0), ("throw", False, 2.0)], 1.0)
@settings(max_examples=60)
def test_every_roll_counts_once(happenings, poll):
    live_through(happenings, poll)


@pytest.mark.soak
@given(st.lists(HAPPENINGS, min_size=5, max_size=80), POLLS)
@settings(max_examples=1500)
def test_every_roll_counts_once_through_long_evenings(happenings, poll):
    live_through(happenings, poll)

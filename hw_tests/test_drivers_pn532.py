"""One PN532: a reader on a simulated chip, well and unwell."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.pn532 import ADDRESS, Pn532, ResetLine, Steps
from drivers.pn532_frames import (
    ACK,
    NACK,
    Signal,
    command,
    decode,
)
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.pn532 import SimPn532
from drivers.sim.radio import Radio, Tag

VERSION = bytes.fromhex("0000ff06fad50332010607e800")


class Bench:
    """One reader, one antenna, and a log of what the host has written."""

    def __init__(self, *, hz: int = 400_000, seed: int = 0, reset: bool = False, **options) -> None:
        self.clock = FreeClock()
        self.sim = SimBus(self.clock, hz, timeout=0.1)
        self.radio = Radio(self.sim.agenda, seed)
        self.antenna = self.radio.antenna(0, 0)
        self.chip = Spied(self.sim.agenda, self.antenna)
        self.sim.attach(self.chip)
        self.bus = Bus(self.sim, self.clock)
        self.faults = Faults(self.sim.agenda, seed)
        self.faults.targets |= {"reader": self.chip, "bus": self.sim}
        line = ResetLine(self.chip.reset) if reset else None
        self.reader = Pn532(self.bus, self.clock, "3", reset=line, **options)

    def run(self, steps: Steps):
        while True:
            try:
                self.clock.advance_to(next(steps))
            except StopIteration as end:
                return end.value

    def look(self):
        """As the scheduler does it: mend it when that is due, else look."""
        mend_at = self.reader.mend_at
        if mend_at is not None:
            self.clock.advance_to(mend_at)
            self.run(self.reader.mend())
        return self.run(self.reader.look()) if self.reader.mend_at is None else None

    def lit(self) -> bool:
        """Is its field on, once it has had the moment that switching takes?"""
        self.clock.advance(0.001)
        self.sim.agenda.run()
        return self.antenna.on

    def put(self, *uids: str, **options) -> list[Tag]:
        tags = [Tag(bytes.fromhex(uid), **options) for uid in uids]
        for tag in tags:
            self.radio.put(tag, (0, 0))
        return tags


class Spied(SimPn532):
    def __init__(self, *args) -> None:
        self.log: list[bytes] = []
        super().__init__(*args)

    def write(self, data: bytes) -> int:
        if data:
            self.log.append(data)
        return super().write(data)


def uids(*words: str) -> frozenset[bytes]:
    return frozenset(bytes.fromhex(word) for word in words)


# A reader in good health.


def test_it_is_set_up_before_it_is_looked_at():
    bench = Bench()
    assert not bench.reader.trusted
    assert bench.look() == frozenset()
    assert bench.reader.trusted
    told = [frame[6:-2] for frame in bench.chip.log if frame[:1] and len(frame) > 6]
    assert told[0] == bytes.fromhex("14011401")  # SAMConfiguration comes first
    assert bytes.fromhex("3205ff0101") in told  # so that an empty field answers
    assert told[-1] == bytes.fromhex("320100")  # the field is off when all is done
    assert (bench.reader.health.state, bench.reader.health.errors) == ("ok", 0)


@pytest.mark.parametrize(
    "there",
    [
        [],
        ["deadbeef"],
        ["04a1b2c3d4e5f6"],
        ["04a1b2c3d4e5f6", "04a1b2c3d4e5f7"],
        ["deadbeef", "04a1b2c3d4e5f6", "00000000"],
        ["01020304", "05060708", "04a1b2c3d4e5f6", "ffffffff"],
    ],
)
def test_all_the_tags_on_a_reader_are_found_again_and_again(there):
    bench = Bench(seed=3)
    bench.put(*there)
    looks = [bench.look() for _ in range(20)]
    # With several tags an answer is sometimes lost in the collision: the next look has it.
    right = looks.count(uids(*there))
    assert right == 20 if len(there) < 2 else right >= 12
    assert frozenset().union(*looks) == uids(*there)
    assert not bench.lit()
    assert bench.reader.health.errors == 0


def test_no_more_tags_are_looked_for_than_wanted():
    bench = Bench(most=1)
    bench.put("deadbeef", "01020304")
    found = [bench.look() for _ in range(10)]
    assert all(found_now <= uids("deadbeef", "01020304") for found_now in found)
    assert max(map(len, found)) == 1
    assert not any(frame[6:7] == b"\x52" for frame in bench.chip.log)  # nothing to halt


def test_a_tag_that_does_not_stay_halted_ends_the_list_and_not_the_reader():
    bench = Bench()
    bench.put("deadbeef", restless=True)
    assert [bench.look() for _ in range(5)] == [uids("deadbeef")] * 5


def test_a_covered_tag_is_not_seen_and_a_weak_one_sometimes():
    bench = Bench(seed=1)
    (tag,) = bench.put("deadbeef")
    bench.faults.targets["tag"] = tag
    bench.faults.order("covered_tag", "tag")
    assert not bench.look()
    bench.faults.mend()
    bench.faults.order("weak_tag", "tag", p=0.4)
    seen = sum(bench.look() == uids("deadbeef") for _ in range(100))
    assert 45 < seen < 80  # 1 - 0.6² with one retry
    bench.faults.mend()
    assert bench.look() == uids("deadbeef")


def test_the_bus_is_free_while_the_radio_works():
    bench = Bench(hz=100_000)
    bench.look()
    before, began = bench.bus.traffic.seconds, bench.clock.now()
    bench.look()
    assert bench.clock.now() - began > 0.018
    assert bench.bus.traffic.seconds - before < 0.006


def test_an_answer_longer_than_expected_is_asked_for_again():
    bench = Bench()
    bench.look()
    bench.put("04a1b2c3d4e5f6")
    bench.chip.log.clear()
    assert bench.look() == uids("04a1b2c3d4e5f6")
    assert bench.chip.log.count(NACK) == 1
    bench.chip.log.clear()
    assert bench.look() == uids("04a1b2c3d4e5f6")  # and then expected
    assert NACK not in bench.chip.log
    assert bench.reader.health.errors == 0


# The simulated chip, as a host sees it.


def awake() -> Bench:
    bench = Bench()
    bench.look()
    bench.chip.log.clear()
    return bench


def test_every_reading_begins_with_the_status():
    bench = awake()
    bench.bus.write(ADDRESS, command(0x02))
    bench.clock.advance(0.00025)
    assert bench.bus.read(ADDRESS, 1, attempts=1) == b"\x00"  # it is thinking
    bench.clock.advance(0.001)
    assert bench.bus.read(ADDRESS, 1) == b"\x01"
    assert bench.bus.read(ADDRESS, 7) == b"\x01" + ACK
    assert bench.bus.read(ADDRESS, 14) == b"\x01" + VERSION
    assert bench.bus.read(ADDRESS, 1) == b"\x00"
    bench.bus.write(ADDRESS, NACK)
    assert bench.bus.read(ADDRESS, 14) == b"\x01" + VERSION  # once more


def test_it_does_not_acknowledge_while_it_takes_a_command_in():
    bench = awake()
    bench.bus.write(ADDRESS, command(0x02))
    before = bench.bus.traffic.errors
    with pytest.raises(Exception, match="no answer"):
        bench.bus.read(ADDRESS, 1, attempts=1)
    assert bench.bus.traffic.errors == before + 1


def test_with_its_own_retries_an_empty_field_never_answers_and_the_host_aborts():
    bench = awake()
    bench.chip.retries = 0xFF
    bench.bus.write(ADDRESS, command(0x4A, 1, 0))
    bench.clock.advance(0.002)
    bench.bus.read(ADDRESS, 7)
    bench.clock.advance(60)
    assert bench.bus.read(ADDRESS, 11)[0] == 0
    bench.bus.write(ADDRESS, ACK)
    bench.put("deadbeef")
    bench.clock.advance(1)
    assert bench.bus.read(ADDRESS, 20)[0] == 0  # it has stopped looking


def test_a_damaged_command_is_not_acknowledged_and_an_unknown_one_refused():
    bench = awake()
    bench.bus.write(ADDRESS, command(0x02)[:-2] + b"\x00\x00")
    bench.clock.advance(0.002)
    assert bench.bus.read(ADDRESS, 7) == b"\x01" + NACK
    bench.bus.write(ADDRESS, command(0x77))
    bench.clock.advance(0.002)
    bench.bus.read(ADDRESS, 7)
    assert decode(bench.bus.read(ADDRESS, 9)[1:]) is Signal.ERROR


def test_two_tags_at_once_are_listed_only_every_second_time():
    """As users report of MaxTg = 2; so the driver does not use it."""
    bench = awake()
    bench.put("deadbeef")
    told = []
    for _ in range(6):
        bench.bus.write(ADDRESS, command(0x4A, 2, 0))
        bench.clock.advance(0.05)
        bench.bus.read(ADDRESS, 7)
        told.append(decode(bench.bus.read(ADDRESS, 40)[1:]).data[0])
    assert told == [1, 0, 1, 0, 1, 0]


def test_the_field_stays_on_unless_it_is_switched_off():
    bench = awake()
    bench.bus.write(ADDRESS, command(0x4A, 1, 0))
    bench.clock.advance(10)
    bench.bus.read(ADDRESS, 7)
    assert bench.antenna.on
    bench.bus.write(ADDRESS, command(0x32, 1, 0))
    bench.clock.advance(0.002)
    bench.bus.read(ADDRESS, 7)
    assert not bench.antenna.on


def test_before_it_is_configured_its_radio_does_nothing():
    bench = Bench()
    bench.put("deadbeef")
    bench.bus.write(ADDRESS, command(0x4A, 1, 0))  # the first call only wakes it: our retry counts
    bench.clock.advance(1)
    bench.bus.read(ADDRESS, 7)
    bench.clock.advance(1)
    assert bench.bus.read(ADDRESS, 1) == b"\x00"
    assert not bench.antenna.on


# A reader in bad health.


@settings(max_examples=40)
@given(
    st.sampled_from(
        [
            ("nack", {"p": 0.1}),
            ("garbage_answer", {"p": 0.3}),
            ("late_answer", {"p": 0.3, "ms": 90.0}),
            ("late_answer", {"p": 0.3, "ms": 15.0}),
            ("missing", {}),
            ("deaf_reader", {}),
            ("brownout", {}),
        ]
    ),
    st.integers(0, 1000),
    st.booleans(),
)
def test_whatever_befalls_it_it_is_well_again_afterwards(fault, seed, reset):
    name, params = fault
    bench = Bench(seed=seed, reset=reset)
    bench.put("deadbeef")
    assert bench.look() == uids("deadbeef")
    bench.faults.order(name, "reader", **params)
    for _ in range(30):
        assert bench.look() in (None, uids("deadbeef"), frozenset())  # never anything else
    bench.faults.mend()
    looks = [bench.look() for _ in range(6)]
    assert looks[-1] == uids("deadbeef")
    assert bench.reader.health.state == "ok"
    assert not bench.lit()


def test_garbage_is_counted_and_asked_for_again():
    bench = Bench(seed=2)
    bench.put("deadbeef")
    bench.look()
    bench.faults.order("garbage_answer", "reader", p=0.3)
    looks = [bench.look() for _ in range(40)]
    assert looks.count(uids("deadbeef")) > 30  # an answer asked for again is mostly whole
    assert bench.reader.health.errors > 10
    assert re.search("nonsense|sensibly", bench.reader.health.last_error)


def test_a_missing_reader_is_named_and_asked_ever_more_seldom():
    bench = Bench()
    bench.look()
    bench.faults.order("missing", "reader")
    for _ in range(12):
        assert bench.look() is None
    assert not bench.reader.trusted
    assert bench.reader.health.state == "failed"
    assert "no answer from 0x24" in bench.reader.health.last_error
    assert bench.reader.mend_at - bench.clock.now() == pytest.approx(5.0)


def test_a_deaf_reader_is_alive_on_the_bus_and_is_found_out():
    bench = Bench(reset=True)
    bench.look()
    bench.faults.order("deaf_reader", "reader")
    for _ in range(8):
        bench.look()
    assert bench.bus.probe(ADDRESS)
    assert bench.reader.health.state == "failed"
    assert "does not acknowledge" in bench.reader.health.last_error


def test_a_reader_that_lost_its_settings_is_set_up_again_at_once():
    bench = Bench()
    bench.put("deadbeef")
    bench.look()
    bench.faults.order("brownout", "reader")
    assert bench.look() is None
    assert bench.reader.trusted  # nothing is lost yet
    assert bench.look() == uids("deadbeef")
    assert bench.reader.health.resets == 1


def test_something_else_at_its_address():
    bench = Bench()
    bench.chip._do = lambda code, data: bench.chip._answer(code, b"\x07\x01\x06\x07")
    assert bench.look() is None
    assert "no PN532" in bench.reader.health.last_error


def test_a_stuck_bus_costs_it_its_trust_and_nothing_more():
    bench = Bench()
    bench.put("deadbeef")
    bench.look()
    bench.faults.order("stuck", "bus")
    for _ in range(4):
        assert bench.look() is None
    assert not bench.reader.trusted
    bench.faults.mend()
    bench.clock.advance(5)
    assert uids("deadbeef") in [bench.look() for _ in range(3)]


# Reset lines.


def test_a_reset_line_cures_what_set_up_cannot():
    bench = Bench(reset=True)
    bench.look()
    hung = bench.chip.deaf = True

    def reset(low: bool) -> None:
        nonlocal hung
        if low:
            hung = bench.chip.deaf = False
        SimPn532.reset(bench.chip, low)

    bench.reader._reset.pull = reset
    looks = [bench.look() for _ in range(6)]
    assert not hung
    assert looks[-1] == frozenset()
    assert bench.reader.health.state == "ok"

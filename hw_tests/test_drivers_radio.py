"""The simulated air: what readers hear of tags, near and far, alone and together."""

from __future__ import annotations

import pytest

from drivers.clock import FreeClock
from drivers.sim.agenda import Agenda
from drivers.sim.faults import KINDS, Faults
from drivers.sim.radio import Antenna, Life, Radio, Tag


class Air:
    def __init__(self, *places: tuple[float, float], seed: int = 0) -> None:
        self.clock = FreeClock()
        self.radio = Radio(Agenda(self.clock), seed)
        self.antennas = [self.radio.antenna(*place) for place in places]

    def put(self, uid: str, x: float = 0, y: float = 0, **options) -> Tag:
        tag = Tag(bytes.fromhex(uid), **options)
        self.radio.put(tag, (x, y))
        return tag


def fresh(antenna: Antenna) -> bytes | None:
    """A call in a new field."""
    antenna.switch(False)
    antenna.switch(True)
    return antenna.call()


def test_a_tag_answers_only_near_a_field():
    air = Air((0, 0))
    (antenna,) = air.antennas
    tag = air.put("deadbeef", 30, 20)
    assert antenna.call() is None  # no field, no power
    assert fresh(antenna) == tag.uid
    air.radio.put(tag, (60, 0))
    assert fresh(antenna) is None
    air.radio.put(tag, (0, 0))
    assert fresh(antenna) == tag.uid
    air.radio.take(tag)
    assert fresh(antenna) is None


def test_a_selected_tag_is_silent_once_and_a_halted_one_until_the_field_falls():
    air = Air((0, 0))
    (antenna,) = air.antennas
    tag = air.put("deadbeef")
    antenna.switch(True)
    assert [antenna.call() is not None for _ in range(4)] == [True, False, True, False]
    assert antenna.call() == tag.uid
    antenna.halt()
    assert tag.life is Life.HALTED
    assert [antenna.call() for _ in range(3)] == [None] * 3
    assert fresh(antenna) == tag.uid


def test_a_tag_moved_to_another_reader_has_forgotten_the_first():
    air = Air((0, 0), (300, 0))
    one, other = air.antennas
    tag = air.put("deadbeef")
    assert fresh(one) == tag.uid
    one.halt()
    other.switch(True)
    air.radio.put(tag, (150, 0))
    air.radio.put(tag, (300, 0))
    assert other.call() == tag.uid


def test_several_tags_are_told_apart_one_by_one():
    air = Air((0, 0), seed=4)
    (antenna,) = air.antennas
    there = {air.put(uid).uid for uid in ("00000000", "01020304", "ffffffff")}
    found: list[bytes] = []
    antenna.switch(True)
    for _ in range(12):
        uid = antenna.call()
        if uid is not None:
            found.append(uid)
            antenna.halt()
    assert set(found) == there
    assert len(found) == 3
    assert found[0] == b"\xff" * 4  # where bits differ, a one goes on


def test_answers_that_collide_are_sometimes_lost():
    air = Air((0, 0), seed=1)
    (antenna,) = air.antennas
    air.put("deadbeef")
    assert None not in {fresh(antenna) for _ in range(50)}
    air.put("deadbeee")
    lost = sum(fresh(antenna) is None for _ in range(300))
    assert 10 < lost < 60


def test_a_reader_hears_the_tags_that_its_neighbours_field_powers():
    air = Air((0, 0), (80, 0), seed=2)
    one, other = air.antennas
    tag = air.put("04a1b2c3d4e5f6", 0, 0)
    assert [fresh(other) for _ in range(50)] == [None] * 50  # alone it does not
    one.switch(True)
    heard = [fresh(other) for _ in range(400)]
    assert heard.count(tag.uid) > 100
    mangled = {uid for uid in heard if uid not in (None, tag.uid)}
    assert mangled  # and some with a wrong bit: tags that do not exist
    wrong_bits = {
        sum((a ^ b).bit_count() for a, b in zip(uid, tag.uid, strict=True)) for uid in mangled
    }
    assert wrong_bits == {1}


def test_a_field_nearby_disturbs_and_one_far_away_does_not():
    for distance, disturbed in ((110, True), (130, False)):
        air = Air((0, 0), (distance, 0), seed=3)
        one, other = air.antennas
        tag = air.put("deadbeef")
        other.switch(True)
        lost = sum(fresh(one) != tag.uid for _ in range(200))
        assert (lost > 60) if disturbed else (lost == 0)


@pytest.mark.parametrize(
    ("fault", "params", "least", "most"),
    [
        ("weak_tag", {"p": 0.3}, 40, 80),
        ("covered_tag", {}, 0, 0),
        ("flickering_tag", {"ms": 100.0, "every": 400.0}, 140, 160),
    ],
)
def test_unwell_tags_by_name(fault, params, least, most):
    air = Air((0, 0), seed=5)
    (antenna,) = air.antennas
    faults = Faults(air.radio._agenda)
    faults.targets["pawn"] = air.put("deadbeef")
    faults.order(fault, "pawn", **params)
    heard = 0
    for _ in range(200):
        heard += fresh(antenna) is not None
        air.clock.advance(0.01)
    assert least <= heard <= most
    faults.mend()
    assert fresh(antenna) is not None


def test_the_faults_of_readers_tags_and_multiplexers_are_all_known_by_name():
    import drivers.sim.pn532
    import drivers.sim.tca9548a  # noqa: F401

    assert KINDS.keys() >= {
        "deaf_reader",
        "late_answer",
        "ghost_read",
        "garbage_answer",
        "weak_tag",
        "covered_tag",
        "flickering_tag",
        "stuck_channel",
        "missing",
        "brownout",
        "nack",
        "stuck",
    }

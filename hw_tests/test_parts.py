"""Readers, tower and beam of a table, stepped by its loop: what they saw is there to be used."""

from __future__ import annotations

import pytest

from drivers.sim.radio import Tag
from drivers.tower_protocol import Cocked, Die
from firmware_host.config import parse
from hw_tests.rig import Rig

TAG = Tag(b"\x04abcdef")
BEAM = "[[screen]]\naddress = 0x3C\n[panel]\nbeam = 5\nconfirm = 6\n"


@pytest.fixture
def places(tmp_path):
    return Rig(tmp_path, "places", begin=None)


def state(rig, name):
    (health,) = [h for h in rig.sim.parts.healths if h.name == name]
    return health.state


def test_a_tag_is_on_its_reader_until_it_is_taken(places):
    readers = places.sim.parts.readers
    assert readers.present("yard") == frozenset()
    places.sim.radio.put(TAG, places.sim.readers["yard"].antenna.place)
    places.wait(1.0)
    assert readers.present("yard") == {TAG.uid.hex()}
    assert readers.present("canteen") == frozenset()
    places.sim.radio.take(TAG)
    places.wait(2.0)  # four looks, and it is not where something is expected
    assert readers.present("yard") == frozenset()


def test_neighbours_are_never_on_together(places):
    on = set()

    def watch():
        lit = {name for name, chip in places.sim.readers.items() if chip.antenna.on}
        on.update((a, b) for a in lit for b in lit)
        places.sim.agenda.after(0.0003, watch)

    watch()
    places.wait(2.0)
    assert any(a != b for a, b in on), "readers apart do work at the same time"
    assert not on & places.config.conflicts()


def test_all_parts_are_healthy_and_reported(places):
    names = {health.name for health in places.sim.parts.healths}
    assert {"mux 0x70", "mux 0x71", "reader chapel", "tower", "screen 0x3d", "i2c-3"} <= names
    assert len(names) == len(places.sim.parts.healths) == 12 + 2 + 2 + 2 + 1
    assert {health.state for health in places.sim.parts.healths} == {"ok"}


def test_a_hung_mux_and_a_deaf_reader_are_freed_by_their_reset_lines(places):
    sim = places.sim
    sim.order("stuck_channel mux 0x70")
    places.wait(3.0)
    assert not sim.muxes[3, 0x70].stuck
    assert state(places, "mux 0x70") == "ok"
    pulled = []
    reset = sim.pins.factory.pin(25)
    reset._resets.append(pulled.append)
    sim.order("deaf_reader reader yard")
    places.wait(5.0)
    assert True in pulled
    assert pulled[-1] is False, "let go of again"
    assert state(places, "reader chapel") == "ok", "the rest of the group goes on"


def test_a_reader_that_stays_deaf_is_the_trouble_that_is_told(places):
    places.sim.order("missing reader yard")
    places.wait(5.0)
    assert "reader yard" in places.shot.trouble.en
    assert places.sim.parts.readers.present("yard") is None
    assert places.sim.parts.readers.present("chapel") == frozenset()
    places.sim.faults.mend()
    places.wait(8.0)
    assert places.shot.trouble is None


def test_a_roll_waits_to_be_acknowledged_and_none_overtakes_it(places):
    sim, parts = places.sim, places.sim.parts
    sim.tower.drop({"die": 4})
    places.wait(3.0)
    assert parts.dice.dice == (Die("die", 4),)
    sim.tower.drop({"die": 6})
    places.wait(3.0)
    assert parts.dice.dice == (Die("die", 4),)
    parts.tower.ack(parts.dice.mark)
    places.wait(3.0)
    assert parts.dice.dice == (Die("die", 6),)
    parts.tower.ack(parts.dice.mark)
    sim.tower.drop({"die": 1})
    sim.tower.cock("die")
    places.wait(3.0)
    assert isinstance(parts.dice, Cocked)


def test_dice_in_the_beam_are_a_throw_and_no_button(tmp_path):
    rig = Rig(tmp_path, parse(BEAM, "table.toml"), begin=None)
    assert rig.sim.parts.thrown is None
    before = rig.clock.now()
    rig.sim.pins.drop(5, dice=3)
    rig.wait(2.0)
    assert before <= rig.sim.parts.thrown <= before + 0.1


def test_closed_parts_leave_pins_and_line_to_others(places):
    parts = places.sim.parts
    parts.close(places.clock.now())
    assert not places.sim.tower.line.port.is_open
    again = places.sim.sources.pins()
    assert all(again.pin(pin).function == "input" for _, pin in places.config.pins())

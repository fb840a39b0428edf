"""Readers, muxes and buses that fail: none slows the others, nothing is lost or invented."""

from __future__ import annotations

import random

import pytest

from drivers.pn532 import Pn532, ResetLine
from drivers.readers import Readers
from hw_tests.reader_table import PAWN, Table


@pytest.mark.parametrize("fault", ["missing", "deaf_reader", "brownout"])
def test_a_sick_reader_never_slows_the_others(fault):
    table, well = Table(12, 100_000), Table(12, 100_000)
    for each in (table, well):
        each.run(1.0)
    table.faults.order(fault, "2.2")
    rates = []
    for each in (table, well):
        before = {name: each.health(name).reads for name in each.chips}
        each.run(6.0)
        rates.append({name: each.health(name).reads - before[name] for name in each.chips})
    for name in table.chips:
        if name != "2.2":
            assert rates[0][name] > 0.9 * rates[1][name]
    others = table.everything() | {"2.2": None}
    assert others == table.truth() | {"2.2": None}
    if fault == "brownout":
        assert table.health("2.2").resets == 1
    else:
        assert table.readers.present("2.2") is None
        assert table.health("2.2").state == "failed"
    table.faults.mend()
    table.run(6.0)
    assert table.everything() == table.truth()


def test_nothing_is_lost_while_a_mux_is_unplugged():
    table = Table()
    table.run(1.0)
    before = table.everything()
    table.faults.order("missing", "mux 0")
    assert table.run(2.0) == []
    behind = list(table.chips)[:8]
    assert [table.readers.present(name) for name in behind] == [None] * 8
    assert table.everything()["3.4"] == before["3.4"]
    assert table.known.healths[0].state == "failed"
    table.put("1.2")
    table.radio.take(table.tags["1.1"])
    table.faults.mend()
    events = table.run(8.0)
    assert sorted((type(event).__name__, event.reader) for event in events) == [
        ("Gone", "1.1"),
        ("Seen", "1.2"),
    ]


def test_after_a_silence_a_reader_says_nothing_before_it_has_looked_often_enough():
    """A pawn was carried off meanwhile: it is never said to be where it was."""
    table = Table()
    table.put("1.2")
    table.run(1.0)
    table.faults.order("missing", "1.2")
    table.run(1.0)
    assert table.readers.present("1.2") is None
    table.radio.take(table.pawn)
    table.put("2.2")
    table.faults.mend()
    said = set()
    while table.readers.present("1.2") is None:
        table.run(0.02)
        said.add(table.readers.places().get(PAWN.uid.hex(), "nowhere yet"))
    assert said == {"nowhere yet", "2.2"}
    assert PAWN.uid.hex() not in table.readers.present("1.2")
    assert table.everything()["1.2"] == table.truth()["1.2"]


def test_a_mux_that_does_not_switch_never_moves_a_tag():
    for seed in range(6):
        table = Table(12, 100_000)
        table.run(1.0 + 0.013 * seed)
        table.faults.order("stuck_channel", "mux 0")
        assert table.run(3.0) == []
        assert table.everything() == table.truth()
        assert table.known.healths[0].resets >= 1


@pytest.mark.parametrize(("hz", "moment"), [(100_000, 4), (100_000, 5), (100_000, 43)])
def test_beside_a_field_that_a_stray_command_put_on_nothing_is_misread(hz, moment):
    """Until the mux is found out, another reader hears what was meant for the one chosen."""
    table = Table(12, hz, seed=moment)
    table.run(1.0 + 0.0017 * moment)
    table.faults.order("stuck_channel", "mux 0", lasting=0.3)
    assert table.run(2.5) == []


def test_beside_a_field_left_on_nothing_is_misread():
    """A reader goes deaf in the middle of its look, and is mended while its neighbours look."""
    for moment in range(8):
        table = Table()
        table.run(1.0)
        while not table.chips["2.2"].antenna.on:
            table.run(0.0005)
        table.faults.order("deaf_reader", "2.2", lasting=0.5 + 0.007 * moment)
        assert table.run(1.0) == []
        table.faults.order("deaf_reader", "2.2")
        table.put("2.3")
        assert table.told(2.0) in ([("Seen", "2.3")], [])


def test_a_stuck_bus_makes_everything_unknown_and_then_known_again():
    table = Table()
    table.run(1.0)
    table.faults.order("stuck", "bus", lasting=3.0)
    events = table.run(2.5)
    assert set(table.everything().values()) == {None}
    events += table.run(8.0)
    assert events == []
    assert table.everything() == table.truth()


class Group:
    """Three readers on one bus each, far apart, sharing one reset line."""

    def __init__(self) -> None:
        self.table = Table(12)
        self.names = ["1.1", "1.3", "3.1"]
        self.pulls = 0
        line = ResetLine(self.pull)
        readers = []
        for n, name in enumerate(self.table.chips):
            if name in self.names:
                wire = self.table.known.channel(0x70 + n // 8, n % 8)
                readers.append(Pn532(wire, self.table.clock, name, reset=line))
        self.table.readers = Readers(readers, self.table.clock)

    def pull(self, low: bool) -> None:
        self.pulls += low
        for name in self.names:
            self.table.chips[name].reset(low)


def test_a_reset_of_the_group_restarts_the_others_and_loses_nothing():
    group = Group()
    table = group.table
    table.run(1.0)
    assert table.readers.present("1.1") == {table.tags["1.1"].uid.hex()}
    table.faults.order("deaf_reader", "1.3")
    assert table.run(20.0) == []
    assert group.pulls == 1  # the others work: it is pulled seldom
    assert table.readers.present("1.1") == {table.tags["1.1"].uid.hex()}
    assert table.readers.present("3.1") is not None
    assert [table.health(name).state for name in group.names] == ["ok", "failed", "ok"]
    for name in ("1.1", "3.1"):
        assert table.health(name).errors == 0


def test_a_hung_group_is_brought_back_by_its_line():
    group = Group()
    table = group.table
    table.run(1.0)
    for name in group.names:
        table.chips[name].deaf = True

    def pull(low: bool) -> None:
        for name in group.names:
            table.chips[name].deaf = False
        group.pull(low)

    line = next(iter(table.readers._posts.values())).reader._reset
    line.pull = pull
    assert table.run(3.0) == []
    assert [table.health(name).state for name in group.names] == ["ok"] * 3
    assert group.pulls >= 1


STORM = [
    ("nack", {"p": 0.05}),
    ("garbage_answer", {"p": 0.2}),
    ("late_answer", {"p": 0.2}),
    ("missing", {}),
    ("deaf_reader", {}),
    ("brownout", {}),
]


def storm(seed: int, faults: int, hz: int) -> None:
    """Faults fall on readers, muxes and the bus; nothing is raised, and all is well in the end."""
    rng = random.Random(seed)
    table = Table(12, hz, seed=seed)
    table.run(1.0)
    for _ in range(faults):
        name, params = rng.choice(STORM)
        target = rng.choice(list(table.chips))
        if rng.random() < 0.3:
            name, target = rng.choice(
                [
                    ("missing", "mux 0"),
                    ("stuck_channel", "mux 1"),
                    ("brownout", "mux 1"),
                    ("nack", "mux 0"),
                    ("stuck", "bus"),
                ]
            )
            params = {}
        table.faults.order(name, target, lasting=rng.uniform(0.05, 2.0), **params)
        known = {tag.uid.hex() for tag in table.tags.values()} | {PAWN.uid.hex()}
        for event in table.run(rng.uniform(0.05, 1.0)):
            assert event.uid in known  # never a tag that does not exist
        if rng.random() < 0.3:
            table.put(rng.choice(list(table.chips)))
    table.radio.put(table.pawn, (10_000, 10_000))
    table.faults.mend()
    table.run(12.0)
    assert table.everything() == table.truth()
    assert {health.state for health in table.readers.healths} == {"ok"}


@pytest.mark.parametrize("seed", [1, 2])
def test_a_storm_of_faults(seed):
    storm(seed, faults=12, hz=400_000)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_storms_of_faults(seed):
    storm(seed, faults=60, hz=100_000 if seed % 2 else 400_000)

"""Many readers at once: pipelined, never in each other's way, patient with tags and chips."""

from __future__ import annotations

from itertools import combinations

import pytest

from drivers.pn532 import Pn532
from drivers.readers import Gone, Readers, Seen
from drivers.sim.radio import Tag
from firmware_host.bench import bus as bench
from firmware_host.bench.bus import Adafruit, Places, limit, p99
from hw_tests.reader_table import PAWN, Table

# Presence.


def test_at_first_nothing_is_known_and_then_everything():
    table = Table()
    assert set(table.everything().values()) == {None}
    events = table.run(0.5)
    assert table.everything() == table.truth()
    assert sorted(events) == sorted(
        Seen(name, tag.uid.hex(), event.at)
        for name, tag in table.tags.items()
        for event in events
        if event.reader == name
    )
    assert table.run(3.0) == []  # tags that lie still tell nothing more
    assert {health.state for health in table.readers.healths} == {"ok"}
    assert sum(health.errors for health in table.readers.healths) == 0


def test_a_pawn_arrives_at_once_and_leaves_after_a_while():
    table = Table()
    table.run(1.0)
    table.put("2.2")
    put = table.clock.now()
    (seen,) = table.run(0.3)
    assert seen == Seen("2.2", PAWN.uid.hex(), seen.at)
    assert 0 < seen.at - put < 0.15
    table.radio.take(table.pawn)
    taken = table.clock.now()
    (gone,) = table.run(1.0)
    assert gone == Gone("2.2", PAWN.uid.hex(), gone.at)
    assert 0.4 - 0.15 < gone.at - taken < 0.8


def test_a_tag_leaves_after_both_misses_and_time():
    for misses, linger, least, most in ((1, 1.0, 0.98, 1.1), (50, 0.0, 0.7, 1.5), (1, 0.0, 0, 0.1)):
        table = Table(1)
        reader = next(iter(table.chips))
        table.readers.misses, table.readers.linger = misses, linger
        table.run(0.5)
        table.radio.take(table.tags[reader])
        taken = table.clock.now()
        (gone,) = table.run(3.0)
        assert least < gone.at - taken < most


def test_a_flickering_tag_does_not_flap():
    table = Table()
    table.run(1.0)
    table.faults.order("flickering_tag", "tag 1.1", ms=150, every=500)
    table.faults.order("weak_tag", "tag 1.4", p=0.7)
    assert table.run(12.0) == []
    assert table.everything() == table.truth()


def test_several_pawns_on_one_place():
    table = Table()
    table.run(1.0)
    more = [Tag(bytes((4, 9, n, 1, 2, 3, 4))) for n in range(3)]
    for tag in more:
        table.radio.put(tag, table.chips["1.1"].antenna.place)
    events = table.run(2.0)
    assert sorted(event.uid for event in events) == sorted(tag.uid.hex() for tag in more)
    assert len(table.readers.present("1.1")) == 4
    table.radio.take(more[1])
    assert [type(event) for event in table.run(2.0)] == [Gone]


def test_a_slide_over_other_readers_ends_where_it_ends():
    table = Table()
    table.run(1.0)
    for reader in ("1.2", "1.3", "2.3", "3.3"):
        table.put(reader)
        table.run(0.06)
    table.told(2.0)
    assert [name for name, uids in table.everything().items() if PAWN.uid.hex() in uids] == ["3.3"]


def test_a_ghost_comes_and_goes_and_nothing_else_suffers():
    table = Table()
    table.run(1.0)
    table.faults.order("ghost_read", "2.2", p=0.05)
    events = table.run(10.0)
    assert {event.reader for event in events} == {"2.2"}
    table.faults.mend()
    table.run(2.0)
    assert table.everything() == table.truth()


# The air is shared.


def neighbours_on(table: Table, seconds: float) -> int:
    """Moments at which two fields that disturb each other were both on."""
    together = 0
    pairs = [
        (table.chips[one].antenna, table.chips[other].antenna) for one, other in table.conflicts
    ]
    settle = table.radio.settle

    def watched() -> None:
        nonlocal together
        together += any(one.on and other.on for one, other in pairs)
        settle()

    table.radio.settle = watched
    table.run(seconds)
    table.radio.settle = settle
    return together


@pytest.mark.parametrize("hz", [100_000, 400_000])
def test_neighbours_are_never_on_together(hz):
    table = Table(12, hz)
    table.readers.hot(["1.1", "2.2", "3.3"])
    assert neighbours_on(table, 4.0) == 0


def test_where_conflicts_are_not_told_readers_read_their_neighbours_tags():
    table = Table()
    readers = [
        Pn532(table.known.channel(0x70 + n // 8, n % 8), table.clock, name)
        for n, name in enumerate(table.chips)
    ]
    table.readers = Readers(readers, table.clock)
    table.run(3.0)
    assert table.everything() != table.truth()


def test_many_fields_are_on_at_the_same_time():
    table = Table()
    table.run(1.0)
    on = []
    for _ in range(300):
        table.run(0.0005)
        on.append(sum(chip.antenna.on for chip in table.chips.values()))
    assert 3 <= max(on) <= 4  # no more fit on this board
    assert sum(on) / len(on) > 2


def test_hot_places_are_looked_at_more_often_and_the_others_still():
    table = Table()
    hot = ["1.1", "2.3", "3.2"]
    table.readers.hot(hot)
    table.run(1.0)
    before = {name: table.health(name).reads for name in table.chips}
    table.run(5.0)
    looks = {name: table.health(name).reads - before[name] for name in table.chips}
    cold = [looks[name] for name in looks if name not in hot]
    assert min(looks[name] for name in hot) > 2 * max(cold)
    assert min(cold) > 5  # at least once a second
    table.readers.hot([])
    before = {name: table.health(name).reads for name in table.chips}
    table.run(5.0)
    looks = {name: table.health(name).reads - before[name] for name in table.chips}
    assert max(looks.values()) - min(looks.values()) <= 5


def test_a_step_leaves_the_bus_to_others():
    table = Table(12, 100_000)
    table.run(1.0)
    longest = 0.0
    for _ in range(400):
        began = table.clock.now()
        table.readers.step(began)
        longest = max(longest, table.clock.now() - began)
        table.clock.advance_to(table.readers.next_due)
    assert table.readers.budget < longest < table.readers.budget + 0.005


def test_names_that_do_not_exist():
    table = Table(1)
    with pytest.raises(ValueError, match=r"no reader '9.9'; known are: 1.1"):
        table.readers.hot(["9.9"])
    with pytest.raises(ValueError, match=r"no reader '9.9'"):
        table.readers.present("9.9")
    with pytest.raises(ValueError, match="known are: none at all"):
        Readers([], table.clock, conflicts=[("1", "2")])
    one = Pn532(table.bus, table.clock, "1")
    with pytest.raises(ValueError, match="same name"):
        Readers([one, one], table.clock)


# How fast: all of it in virtual time, so that these figures are exact.


@pytest.mark.parametrize("hz", [100_000, 400_000])
@pytest.mark.parametrize("most", [4, 1])
def test_twelve_readers_come_near_what_bus_and_radio_allow(hz, most):
    places = Places(12, hz, most=most)
    places.run(2.0)
    rounds, _share = places.rounds(3.0)
    assert 1.0 < limit(places) / rounds < 1.5
    assert places.wrong == 0


@pytest.mark.parametrize("hz", [100_000, 400_000])
def test_twelve_readers_are_five_times_as_fast_as_one_by_one(hz):
    pytest.importorskip("adafruit_pn532")
    places = Places(12, hz, most=1)
    places.run(2.0)
    rounds, _share = places.rounds(3.0)
    theirs, wrong = Adafruit(Places(12, hz), field_off=True).rounds(3)
    assert wrong == 0
    assert rounds > 5 * theirs
    _, wrong = Adafruit(Places(12, hz), field_off=False).rounds(3)
    assert wrong > 0.3  # with its fields left on, most readings are of a neighbour's tag


def test_a_tag_on_a_hot_place_is_read_in_time():
    assert p99(bench.hot_latencies(100_000, times=60)) <= 0.150


@pytest.mark.parametrize("wired", [False, True])
def test_a_switch_on_a_board_of_61_is_read_in_time(wired):
    assert p99(bench.switch_latencies(100_000, wired=wired, times=100)) <= 0.030


def test_the_groups_of_a_board_are_its_squares_of_four():
    places = Places(12, 100_000)
    beside: dict[str, set[str]] = {name: set() for name in places.chips}
    for one, other in places.conflicts:
        beside[one].add(other)
        beside[other].add(one)
    groups = set(bench._groups(beside))
    assert len(groups) == 6
    for group in groups:
        assert len(group) == 4
        assert all(other in beside[one] for one, other in combinations(group, 2))


def test_without_adafruits_driver_the_bench_says_so(monkeypatch):
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(bench, "import_module", missing)
    cases = list(bench._readers(1, 400_000, 0.5))
    assert [case.case for case in cases if "not installed" in case.case]
    assert all(case.peer is None for case in cases if "Adafruit" in case.case)

"""Many readers at once: pipelined, never in each other's way, patient with tags and chips."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from drivers.pn532 import Pn532, ResetLine
from drivers.readers import Gone, Readers, Seen
from drivers.sim.faults import Faults
from drivers.sim.radio import Tag
from firmware_host.bench import bus as bench
from firmware_host.bench.bus import Adafruit, Places, limit, p99

PAWN = Tag(b"\x04\xffmoved")


class Table(Places):
    """The bench's table of readers, with faults that can be ordered."""

    def __init__(self, count: int = 12, hz: int = 400_000, **options) -> None:
        super().__init__(count, hz, **options)
        self.faults = Faults(self.sim.agenda, 1)
        self.faults.targets |= self.chips
        self.faults.targets |= {f"mux {n}": mux for n, mux in enumerate(self.muxes)}
        self.faults.targets |= {f"tag {name}": tag for name, tag in self.tags.items()}
        self.faults.targets["bus"] = self.sim
        self.pawn = Tag(PAWN.uid)

    def put(self, reader: str) -> None:
        self.radio.put(self.pawn, self.chips[reader].antenna.place)

    def told(self, seconds: float) -> list[tuple[str, str]]:
        """(what, where) of the pawn."""
        events = [event for event in self.run(seconds) if event.uid == self.pawn.uid.hex()]
        return [(type(event).__name__, event.reader) for event in events]

    def health(self, reader: str):
        return next(h for h in self.readers.healths if h.name == f"reader {reader}")

    def everything(self) -> dict[str, frozenset[str] | None]:
        return {name: self.readers.present(name) for name in self.chips}

    def truth(self) -> dict[str, frozenset[str]]:
        found = {name: {self.tags[name].uid.hex()} for name in self.tags}
        return {name: frozenset(found.get(name, ())) for name in self.chips}


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


# Sick readers.


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

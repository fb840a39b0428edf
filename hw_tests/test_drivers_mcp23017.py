"""Expanders: the driver on the simulated chip."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.debounce import Debounce
from drivers.mcp23017 import Edge, Inputs, Mcp23017
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.lines import Line
from drivers.sim.mcp23017 import SimMcp23017


@dataclass
class Bench:
    """Expanders on a free clock, with a loop that looks when it is asked to."""

    count: int = 1
    wired: bool = True
    shared: bool = False
    hz: int = 400_000
    clock: FreeClock = field(default_factory=FreeClock)

    def __post_init__(self) -> None:
        self.agenda = Agenda(self.clock)
        self.sim = SimBus(self.clock, self.hz, timeout=0.1, agenda=self.agenda)
        self.chips = [SimMcp23017(0x20 + n, self.agenda) for n in range(self.count)]
        line = Line()
        for chip in self.chips:
            if self.shared:
                chip.interrupt_a = line
            self.sim.attach(chip)
        self.bus = Bus(self.sim, self.clock)
        self.expanders = [Mcp23017(self.bus, chip.address, self.clock) for chip in self.chips]
        self.inputs = Inputs(
            self.expanders,
            self.clock,
            lines=[chip.interrupt_a.asserted if self.wired else None for chip in self.chips],
        )
        self.faults = Faults(self.agenda)
        self.faults.targets = {f"expander {n}": chip for n, chip in enumerate(self.chips)}
        self.faults.targets["bus"] = self.sim
        self.edges: list[Edge] = []
        self.run(0.001)

    def run(self, seconds: float) -> list[Edge]:
        """Let time pass: the loop wakes when it wants to and at whatever the world does."""
        until, first = self.clock.now() + seconds, len(self.edges)
        self.edges += self.inputs.step(self.clock.now())  # an interrupt wakes the loop
        while self.clock.now() < until:
            due = min(self.inputs.next_due, self.agenda.next_due or until, until)
            self.clock.advance_to(due)
            self.agenda.run()
            self.edges += self.inputs.step(self.clock.now())
        return self.edges[first:]

    def told(self, edges: list[Edge]) -> list[tuple[int, bool]]:
        return [(edge.input, edge.level) for edge in edges]


def test_the_first_change_counts_and_bouncing_does_not():
    contact = Debounce(0.010)
    assert contact.sample(False, 1.000)
    assert not contact.sample(True, 1.002)
    assert contact.due == 1.010
    assert not contact.sample(False, 1.004)
    assert contact.due is None
    assert not contact.sample(True, 1.005)
    assert contact.settle(1.010)
    assert contact.level is True


def test_inputs_are_read_and_told():
    bench = Bench(count=2)
    assert bench.inputs.levels == (True,) * 32
    bench.chips[1].set_input(3, False)
    edges = bench.run(0.1)
    assert bench.told(edges) == [(19, False)]
    assert edges[0].closed
    assert bench.inputs.levels[19] is False
    bench.chips[1].set_input(3, None)
    assert bench.told(bench.run(0.1)) == [(19, True)]


def test_a_switch_closed_at_the_start_is_told():
    bench = Bench()
    bench.chips[0].set_input(5, False)
    fresh = Inputs([Mcp23017(bench.bus, 0x20, bench.clock)], bench.clock)
    assert fresh.levels == (None,) * 16
    assert [(edge.input, edge.level) for edge in fresh.step(0)] == [(5, False)]
    assert fresh.levels[5] is False


def test_an_interrupt_is_answered_within_a_reading():
    bench = Bench(count=4)
    bench.run(0.1)
    start = bench.clock.now()
    bench.chips[2].set_input(0, False)
    (edge,) = bench.run(0.001)
    assert edge.at - start < 0.0005


@pytest.mark.parametrize("wired", [True, False])
def test_a_pulse_shorter_than_the_poll_gives_both_edges(wired):
    bench = Bench(wired=wired)
    bench.run(0.05)
    bench.chips[0].pulse(9, 0.0005)
    assert bench.told(bench.run(0.3)) == [(9, False), (9, True)]


@pytest.mark.parametrize("shared", [True, False])
def test_two_ports_latch_apart(shared):
    bench = Bench(count=2, shared=shared)
    for chip, input in ((0, 0), (0, 15), (1, 7)):
        bench.chips[chip].pulse(input, 0.0001)
    told = bench.told(bench.run(0.3))
    assert sorted(told) == [(0, False), (0, True), (15, False), (15, True), (23, False), (23, True)]


def test_a_broken_interrupt_wire_costs_time_and_not_moves():
    bench = Bench()
    bench.inputs = Inputs(bench.expanders, bench.clock, lines=[lambda: False])
    bench.run(0.01)
    start = bench.clock.now()
    bench.chips[0].pulse(4, 0.002)
    edges = bench.run(0.5)
    assert bench.told(edges) == [(4, False), (4, True)]
    assert edges[0].at - start <= 0.251


def test_whoever_is_about_to_judge_has_every_chip_looked_at_first():
    """A call may have been lost; the slow poll would come too late for the judgement."""
    bench = Bench(count=2)
    bench.inputs = Inputs(bench.expanders, bench.clock, lines=[lambda: False] * 2)
    bench.run(0.01)
    start = bench.clock.now()
    bench.inputs.look_by(start + 0.1)
    assert bench.inputs.seen_since < start + 0.1
    bench.agenda.after(0.05, lambda: bench.chips[1].set_input(4, False))
    (edge,) = bench.run(0.11)
    assert start + 0.1 <= edge.at < start + 0.102
    assert bench.inputs.seen_since >= start + 0.1
    before = bench.bus.traffic.transactions
    bench.run(0.2)
    assert bench.bus.traffic.transactions == before, "it asked for one look, no more"


def test_a_look_that_failed_is_repeated_soon():
    bench = Bench()
    bench.inputs = Inputs(bench.expanders, bench.clock, lines=[lambda: False])
    bench.run(0.01)
    bench.chips[0].set_input(2, False)
    bench.chips[0].refuses = lambda length: 0
    bench.clock.advance_to(bench.inputs.next_due)
    start = bench.clock.now()
    assert bench.inputs.step(start) == []
    bench.chips[0].refuses = None
    (edge,) = bench.run(0.1)
    assert edge.at - start < 0.03


def test_a_shorted_interrupt_wire_does_not_hog_the_bus():
    bench = Bench()
    bench.inputs = Inputs(bench.expanders, bench.clock, lines=[lambda: True])
    before = bench.bus.traffic.transactions
    while bench.clock.now() < 1.0:  # a loop that steps often, for other reasons
        bench.inputs.step(bench.clock.now())
        bench.clock.advance(0.001)
    assert 40 < bench.bus.traffic.transactions - before < 55
    bench.chips[0].set_input(3, False)
    start = bench.clock.now()
    bench.clock.advance_to(bench.inputs.next_due)
    (edge,) = bench.inputs.step(bench.clock.now())
    assert edge.at - start < 0.022  # as without a line


def test_a_call_that_comes_while_another_chip_is_read_is_answered_next():
    bench = Bench(count=2, shared=True)
    bench.run(0.3)
    bench.inputs.hint(1)
    bench.agenda.after(0.0001, lambda: bench.chips[0].set_input(5, False))  # chip 1 is being read
    start = bench.clock.now()
    assert bench.inputs.step(start) == []
    (edge,) = bench.inputs.step(bench.clock.now())  # the line is an interrupt, and wakes the loop
    assert (edge.input, edge.level) == (5, False)
    assert edge.at - start < 0.001


def test_a_hint_makes_it_look():
    bench = Bench(wired=False)
    bench.chips[0].set_input(1, False)
    assert bench.inputs.step(bench.clock.now()) == []  # not due yet
    bench.inputs.hint(0)
    assert bench.told(bench.inputs.step(bench.clock.now())) == [(1, False)]
    bench.chips[0].set_input(1, None)
    bench.clock.advance(0.015)
    bench.inputs.hint()
    assert bench.told(bench.inputs.step(bench.clock.now())) == [(1, True)]


def test_a_bouncing_contact_is_one_press():
    bench = Bench()
    bench.faults.order("bounce", "expander 0", input=2, ms=6, times=5)
    bench.chips[0].set_input(2, False)
    assert bench.told(bench.run(0.1)) == [(2, False)]
    bench.chips[0].set_input(2, None)
    assert bench.told(bench.run(0.1)) == [(2, True)]


@pytest.mark.parametrize("late", [0.006, 0.009, 0.02])
def test_a_bounce_that_was_latched_before_a_late_look_is_no_second_press(late):
    """The loop was at a screen meanwhile: what the chip latched is older than the look."""
    bench = Bench()
    bench.faults.order("bounce", "expander 0", input=4)
    bench.chips[0].set_input(4, False)
    bench.run(0.06)
    bench.chips[0].set_input(4, None)
    told = bench.inputs.step(bench.clock.now())  # at once, and then not for a while
    bench.clock.advance_to(bench.clock.now() + 0.0007)
    bench.agenda.run()
    bench.clock.advance_to(bench.clock.now() + late)
    bench.agenda.run()
    told += bench.run(0.1)
    assert bench.told(told) == [(4, True)]


def test_looking_is_cheap():
    """Four expanders at rest, at 100 kHz: what a second of looking costs."""
    for wired, most in ((True, 0.02), (False, 0.2)):
        bench = Bench(count=4, wired=wired, hz=100_000)
        bench.run(1)
        before, start = bench.bus.traffic.seconds, bench.clock.now()
        bench.run(10)
        share = (bench.bus.traffic.seconds - before) / (bench.clock.now() - start)
        assert 0 < share < most
    reading = bench.bus.traffic.bytes
    bench.expanders[0].poll()
    assert bench.bus.traffic.bytes - reading == 11  # all 16 inputs, captured and present


def test_a_missing_chip_does_not_slow_or_hide_the_others():
    bench = Bench(count=3)
    bench.chips[1].set_input(0, False)
    bench.run(0.1)
    bench.faults.order("missing", "expander 1")
    bench.run(1)
    levels = bench.inputs.levels
    assert levels[16:32] == (None,) * 16
    assert levels[:16] + levels[32:] == (True,) * 32
    assert not bench.inputs.healthy(16)
    assert bench.inputs.healthy(15)
    health = bench.expanders[1].health
    assert (health.state, health.last_error[:21]) == ("failed", "no answer from 0x21 o")

    start = bench.clock.now()
    bench.chips[2].set_input(1, False)
    (edge,) = bench.run(0.1)
    assert (edge.input, edge.at - start < 0.001) == (33, True)

    bench.run(60)
    before = bench.bus.traffic.transactions
    bench.run(60)
    # Three attempts every five seconds, beside two chips at four looks a second.
    assert bench.bus.traffic.transactions - before < 60 * 8 + 3 * 13

    bench.chips[1].set_input(0, None)  # moved while nobody could see
    bench.chips[1].set_input(8, False)
    bench.faults.mend()
    assert sorted(bench.told(bench.run(6))) == [(16, True), (24, False)]
    assert health.state == "ok"
    assert None not in bench.inputs.levels


def test_a_missing_chip_does_not_wake_the_loop_in_vain():
    bench = Bench()
    bench.faults.order("missing", "expander 0")
    bench.run(20)
    assert bench.inputs.next_due == bench.expanders[0].retry_at
    assert bench.inputs.next_due > bench.clock.now()


def test_a_chip_that_goes_missing_while_a_contact_bounces_does_not_keep_the_loop_awake():
    bench = Bench()
    bench.run(0.3)
    bench.chips[0].set_input(2, False)
    bench.inputs.step(bench.clock.now())
    bench.chips[0].set_input(2, None)  # within the lockout: to be looked at once more
    bench.inputs.step(bench.clock.now())
    bench.faults.order("missing", "expander 0")
    for _ in range(50):
        bench.clock.advance_to(bench.inputs.next_due)
        bench.inputs.step(bench.clock.now())
    assert not bench.inputs.healthy(2)
    assert bench.clock.now() > 2.0, "it asks to be stepped again and again"
    bench.faults.mend()
    bench.run(60.0)
    assert bench.inputs.levels[2] is True


def test_a_chip_that_lost_its_settings_is_noticed_before_its_noise_is_believed():
    bench = Bench()
    bench.chips[0].set_input(3, False)
    bench.run(0.1)
    bench.faults.order("brownout", "expander 0")
    assert bench.told(bench.run(2)) == []
    health = bench.expanders[0].health
    assert (health.state, health.resets, health.misses) == ("ok", 1, 1)
    assert "lost its settings" in health.last_error
    bench.chips[0].set_input(3, None)
    assert bench.told(bench.run(0.01)) == [(3, True)]


def test_a_chip_gone_over_to_the_other_bank_is_brought_back():
    bench = Bench()
    bench.sim.write_byte_data(0x20, 0x0A, 0xA0)  # BANK and SEQOP
    bench.run(1)
    bench.chips[0].set_input(12, False)
    assert bench.told(bench.run(0.3)) == [(12, False)]
    assert bench.chips[0].registers[0][5] == 0x44


def test_a_stuck_bus_ends_and_all_is_read_again():
    bench = Bench(count=2)
    bench.faults.order("stuck", "bus", after=0.5, lasting=3)
    bench.run(2)
    assert bench.inputs.levels == (None,) * 32
    bench.chips[0].set_input(0, False)
    assert bench.told(bench.run(8)) == [(0, False)]
    assert bench.inputs.levels[1:] == (True,) * 31


def test_a_dead_input_stays_as_it_is():
    bench = Bench()
    bench.faults.order("dead", "expander 0", input=6, level=False)
    bench.faults.order("dead", "expander 0", input=7, level=True)
    assert bench.told(bench.run(0.1)) == [(6, False)]
    bench.chips[0].set_input(7, False)
    assert bench.run(0.1) == []
    assert bench.faults.active == (("dead", "expander 0", 6), ("dead", "expander 0", 7))
    bench.faults.mend("dead")
    assert sorted(bench.told(bench.run(0.1))) == [(6, True), (7, False)]


def test_faults_are_ordered_by_name_and_errors_say_which_there_are():
    bench = Bench()
    with pytest.raises(ValueError, match=r"no fault 'fire'; known are: .*missing.*nack.*stuck"):
        bench.faults.order("fire", "bus")
    with pytest.raises(ValueError, match=r"no target 'oven'; known are: bus, expander 0"):
        bench.faults.order("stuck", "oven")
    with pytest.raises(ValueError, match=r"stuck cannot befall expander 0; it befalls: bus"):
        bench.faults.order("stuck", "expander 0")
    with pytest.raises(ValueError, match=r"nack does not take"):
        bench.faults.order("nack", "expander 0", probability=1)


def test_nacks_fall_anywhere_in_a_message_and_the_same_for_a_seed():
    def refusals() -> list[int | None]:
        bench = Bench()
        bench.faults.order("nack", "expander 0", p=0.5)
        return [bench.chips[0].refuses(9) for _ in range(200)]

    assert refusals() == refusals()
    assert {0, 1, 9, None} <= set(refusals())
    assert 60 < refusals().count(None) < 140


def test_a_bank_has_eight_chips_and_a_line_for_each():
    bench = Bench()
    with pytest.raises(ValueError, match="at most 8"):
        Inputs(bench.expanders * 9, bench.clock)
    with pytest.raises(ValueError, match="1 expanders, but 2 interrupt lines"):
        Inputs(bench.expanders, bench.clock, lines=[None, None])


@given(st.data())
def test_after_quiet_the_levels_are_those_of_the_pins(data):
    bench = Bench(count=2, wired=data.draw(st.booleans()), shared=data.draw(st.booleans()))
    if data.draw(st.booleans()):
        bench.faults.order("nack", "expander 1", p=0.3)
    for _ in range(data.draw(st.integers(0, 30))):
        chip = bench.chips[data.draw(st.integers(0, 1))]
        chip.set_input(data.draw(st.integers(0, 15)), data.draw(st.sampled_from([False, None])))
        bench.run(data.draw(st.sampled_from([0.0001, 0.003, 0.02])))
    bench.faults.mend()
    bench.run(6)
    pins = [chip.driven(n) is not False for chip in bench.chips for n in range(16)]
    assert list(bench.inputs.levels) == pins


@given(
    wired=st.booleans(),
    pulses=st.lists(st.tuples(st.integers(0, 15), st.integers(1, 50)), max_size=12),
)
def test_a_pulse_of_any_length_is_told_where_the_port_was_quiet(wired, pulses):
    bench = Bench(wired=wired)
    for input, ms in pulses:
        bench.chips[0].pulse(input, ms / 1000)
        assert bench.told(bench.run(ms / 1000 + 0.05)) == [(input, False), (input, True)]


@given(st.booleans(), st.lists(st.tuples(st.integers(0, 15), st.integers(25, 60)), max_size=16))
def test_pulses_longer_than_the_poll_are_told_however_busy_the_port(wired, pulses):
    bench = Bench(wired=wired)
    expected: dict[int, int] = {}
    busy_until: dict[int, float] = {}
    for input, ms in pulses:
        if bench.clock.now() > busy_until.get(input, -1):
            bench.chips[0].pulse(input, ms / 1000)
            busy_until[input] = bench.clock.now() + ms / 1000 + 0.05
            expected[input] = expected.get(input, 0) + 1
        bench.run(0.003)
    bench.run(0.5)
    pressed = [edge.input for edge in bench.edges if edge.closed]
    assert {input: pressed.count(input) for input in pressed} == expected

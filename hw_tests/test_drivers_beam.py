"""A tower that does not see its dice: a beam in the chute, on the panel's pins."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.clock import FreeClock
from drivers.panel import Panel, Pins, Press
from drivers.sim.agenda import Agenda
from drivers.sim.faults import Faults
from drivers.sim.pins import SimPins

BEAM, CONFIRM = 24, 17


class Bench:
    def __init__(self) -> None:
        self.clock = FreeClock(50.0)
        self.agenda = Agenda(self.clock)
        self.sim = SimPins(self.agenda)
        self.faults = Faults(self.agenda)
        self.faults.targets["pins"] = self.sim

    def open(self) -> Bench:
        self.panel = Panel(Pins(confirm=CONFIRM, beam=BEAM), self.clock, factory=self.sim.factory)
        self.run(2.0)
        return self

    def run(self, seconds: float, step: float = 0.05) -> list[Press]:
        """The loop comes by only now and then: a die is through long before."""
        presses, until = [], self.clock.now() + seconds
        look_at = self.clock.now()
        while self.clock.now() < until:
            self.agenda.run()
            if self.clock.now() >= look_at:
                presses += self.panel.step(self.clock.now())
                look_at += step
            self.clock.advance_to(min(look_at, self.agenda.next_due or until, until))
        return presses

    def close(self) -> None:
        self.panel.close()
        self.sim.close()


@pytest.fixture
def bench():
    bench = Bench().open()
    yield bench
    bench.close()


def test_a_die_falls_through(bench):
    at = bench.clock.now()
    bench.sim.drop(BEAM)
    assert bench.run(3.0) == [Press("beam", at)]


@pytest.mark.parametrize("dice", [2, 3, 8])
def test_the_dice_of_a_throw_count_once(bench, dice):
    bench.sim.drop(BEAM, dice)
    assert [press.name for press in bench.run(3.0)] == ["beam"]


def test_a_throw_that_dribbles_counts_once(bench):
    """Six dice in four seconds, never a second apart."""
    for n in range(6):
        bench.agenda.after(0.8 * n, lambda: bench.sim.drop(BEAM))
    assert len(bench.run(6.0)) == 1


def test_two_throws_are_two(bench):
    bench.sim.drop(BEAM, 3)
    bench.agenda.after(1.3, lambda: bench.sim.drop(BEAM, 3))
    first, second = bench.run(4.0)
    assert second.at - first.at == pytest.approx(1.3)


def test_a_die_that_flickers_in_the_beam_counts_once(bench):
    bench.faults.order("bounce", "pins", input=BEAM, ms=5, times=4)
    bench.sim.drop(BEAM, 2)
    assert len(bench.run(3.0)) == 1


def test_a_die_stuck_in_the_chute_is_one_throw(bench):
    bench.faults.order("dead", "pins", input=BEAM, level=False, lasting=10.0)
    assert len(bench.run(9.0)) == 1
    assert bench.run(3.0) == []
    bench.sim.drop(BEAM)
    assert len(bench.run(2.0)) == 1


def test_a_beam_that_is_broken_from_the_start_is_no_throw():
    bench = Bench()
    bench.sim.set_input(BEAM, False)
    bench.open()
    assert bench.run(5.0) == []
    bench.sim.set_input(BEAM, None)  # somebody puts it straight
    assert bench.run(2.0) == []
    bench.sim.drop(BEAM)
    assert len(bench.run(2.0)) == 1
    bench.close()


def test_buttons_and_beam_do_not_mind_each_other(bench):
    bench.sim.drop(BEAM, 2)
    bench.agenda.after(0.2, lambda: bench.sim.press(CONFIRM))
    assert [press.name for press in bench.run(2.0)] == ["beam", "confirm"]


@given(st.lists(st.tuples(st.integers(1, 8), st.floats(1.6, 5.0)), max_size=8))
@settings(max_examples=30)
def test_every_throw_counts_once(throws):
    bench = Bench().open()
    told = []
    for dice, pause in throws:
        bench.sim.drop(BEAM, dice)
        told += bench.run(pause)
    bench.close()
    assert len(told) == len(throws)

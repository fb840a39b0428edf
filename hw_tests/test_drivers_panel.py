"""Buttons, light, buzzer and interrupt line, on gpiozero's mock pins."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import fake_rpi
import pytest
from gpiozero.threads import GPIOThread
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.mcp23017 import Inputs, Mcp23017
from drivers.panel import Panel, PinError, Pins, Press, open_factory
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.pins import SimPins

ALL = Pins(confirm=17, undo=27, next=22, red=13, green=19, blue=26, buzzer=12)


@dataclass
class Bench:
    pins: Pins = ALL
    interrupt: int | None = None
    clock: FreeClock = field(default_factory=FreeClock)

    def __post_init__(self) -> None:
        self.agenda = Agenda(self.clock)
        self.sim = SimPins(self.agenda)
        self.woken = self.answered = 0
        self.faults = Faults(self.agenda)
        self.faults.targets["pins"] = self.sim

    def open(self) -> Panel:
        self.panel = Panel(
            self.pins,
            self.clock,
            factory=self.sim.factory,
            wake=self._wake,
            interrupt=self.interrupt,
        )
        return self.panel

    def _wake(self) -> None:
        self.woken += 1

    def run(self, seconds: float) -> list[Press]:
        presses, until = [], self.clock.now() + seconds
        while self.clock.now() < until:
            self.agenda.run()
            if self.woken > self.answered or self.panel.next_due <= self.clock.now():
                self.answered = self.woken
                presses += self.panel.step(self.clock.now())
            self.clock.advance_to(min(self.panel.next_due, self.agenda.next_due or until, until))
        return presses


@pytest.fixture
def bench():
    bench = Bench()
    bench.open()
    yield bench
    bench.panel.close()
    bench.sim.close()


def test_presses_come_in_order_with_their_times(bench):
    bench.agenda.after(0.1, lambda: bench.sim.press(17))
    bench.agenda.after(0.3, lambda: bench.sim.press(27))
    bench.agenda.after(0.5, lambda: bench.sim.press(22))
    bench.agenda.after(0.8, lambda: bench.sim.press(17))
    presses = bench.run(2)
    assert [press.name for press in presses] == ["confirm", "undo", "next", "confirm"]
    assert [press.at for press in presses] == pytest.approx([0.1, 0.3, 0.5, 0.8])


def test_a_bouncing_button_is_one_press(bench):
    bench.faults.order("bounce", "pins", input=17, ms=20, times=8)
    bench.sim.press(17)
    assert [press.name for press in bench.run(1)] == ["confirm"]
    assert bench.woken >= 18  # they were all heard


def test_a_press_shorter_than_a_step_is_not_lost(bench):
    bench.sim.press(27, 0.001)
    bench.clock.advance(0.5)
    bench.agenda.run()
    assert bench.panel.step(bench.clock.now()) == [Press("undo", 0.0)]
    assert bench.panel.step(bench.clock.now() + 1) == []


def test_an_edge_lost_on_the_way_is_seen_at_the_next_step(bench):
    bench.sim.factory.pin(17).when_changed = None
    bench.sim.set_input(17, False)
    assert bench.panel.step(3.0) == [Press("confirm", 3.0)]
    assert bench.panel.step(3.1) == []


def test_a_button_that_hangs_is_one_press(bench):
    bench.faults.order("dead", "pins", input=22, level=False)
    assert [press.name for press in bench.run(5)] == ["next"]
    bench.faults.mend()
    assert bench.run(1) == []
    bench.sim.press(22)
    assert [press.name for press in bench.run(1)] == ["next"]


def test_edges_from_another_thread_wait_in_the_queue(bench):
    def finger() -> None:
        bench.sim.set_input(17, False)
        bench.sim.set_input(17, None)

    thread = threading.Thread(target=finger)
    thread.start()
    thread.join()
    assert [press.name for press in bench.panel.step(0.1)] == ["confirm"]


def test_light_and_buzzer_take_values(bench):
    bench.panel.light(0.5, 0, 1)
    bench.panel.sound(True)
    assert [bench.sim.level(pin) for pin in (13, 19, 26, 12)] == [0.5, 0, 1, 1]
    bench.panel.sound(False)
    assert bench.sim.level(12) == 0
    assert not any(isinstance(thread, GPIOThread) for thread in threading.enumerate())
    bench.panel.sound(True)
    bench.panel.close()
    assert [bench.sim.level(pin) for pin in (13, 19, 26)] == [0, 0, 0]


def test_every_part_is_optional():
    panel = Panel(Pins(), FreeClock())  # no pins: no pin library is needed
    panel.light(1, 1, 1)
    panel.sound(True)
    assert panel.step(0) == []
    assert panel.next_due == float("inf")
    assert not panel.interrupted()


def test_pins_that_cannot_be_had_are_named():
    bench = Bench(Pins(confirm=17, undo=17))
    with pytest.raises(PinError, match=r"undo cannot have GPIO17: .*given twice"):
        bench.open()
    bench.pins = Pins(confirm=99)
    with pytest.raises(PinError, match="confirm cannot have GPIO99"):
        bench.open()
    bench.pins = ALL  # and nothing is left taken
    bench.open().close()


def test_without_a_pin_library_the_remedy_is_named():
    with pytest.raises(PinError, match=r"lgpio.*rpigpio.*cavale\[pi\].*group gpio.*Pi 5"):
        open_factory()
    with pytest.raises(PinError, match="known are: auto, lgpio, rpigpio"):
        open_factory("abacus")


def test_two_libraries_that_hide_each_other_are_told(monkeypatch):
    monkeypatch.setattr("drivers.panel.version", lambda package: "1.0")
    with pytest.raises(PinError, match="both installed and hide each other: uninstall"):
        open_factory("rpigpio")


def test_an_expanders_interrupt_wakes_the_loop_and_is_answered():
    bench = Bench(Pins(), interrupt=5)
    sim = SimBus(bench.clock, 400_000, agenda=bench.agenda)
    chips = [SimMcp23017(0x20 + n, bench.agenda) for n in range(2)]
    for chip in chips:
        sim.attach(chip)
    bench.sim.join(5, [chip.interrupt_a for chip in chips])
    panel = bench.open()
    bus = Bus(sim, bench.clock)
    inputs = Inputs(
        [Mcp23017(bus, chip.address, bench.clock) for chip in chips],
        bench.clock,
        lines=[panel.interrupted] * 2,
    )
    inputs.step(bench.clock.now())
    assert not panel.interrupted()
    woken = bench.woken
    chips[1].pulse(4, 0.0001)
    assert bench.woken == woken + 1
    assert panel.interrupted()
    assert [(edge.input, edge.closed) for edge in inputs.step(bench.clock.now())] == [(20, True)]
    assert not panel.interrupted()
    panel.close()


def test_a_line_already_low_is_seen_when_the_panel_opens():
    bench = Bench(Pins(confirm=17), interrupt=5)
    bench.sim.set_input(5, False)
    bench.sim.set_input(17, False)
    panel = bench.open()
    assert panel.interrupted()
    assert panel.step(0.0) == [Press("confirm", 0.0)]
    panel.close()


class Gpio(fake_rpi.RPi._GPIO):
    """fake-rpi's RPi.GPIO, with pins that remember (its own read as random outputs)."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.heard: dict[int, Callable[[int], None]] = {}

    def setup(self, channel, direction, pull_up_down=20, initial=-1):
        self.functions[channel] = direction
        if pull_up_down == self.PUD_UP:
            self.levels[channel] = 1

    def gpio_function(self, channel):
        return self.functions.get(channel, self.IN)

    def input(self, channel):
        return self.levels.get(channel, 0)

    def output(self, channel, state):
        self.levels[channel] = int(state)

    def add_event_detect(self, channel, edge, callback=None, bouncetime=-666):
        assert bouncetime == -666  # what gpiozero gives for "none"
        self.heard[channel] = callback

    def drive(self, channel, level):
        self.levels[channel] = level
        self.heard[channel](channel)


def test_the_panel_on_rpi_gpio(monkeypatch):
    """The same panel through gpiozero's other pin library."""
    gpio = Gpio()
    fake_rpi.toggle_print(False)
    monkeypatch.setitem(sys.modules, "RPi", SimpleNamespace(GPIO=gpio))
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xA02082)
    clock = FreeClock()
    panel = Panel(Pins(confirm=17, buzzer=12), clock, factory=open_factory("rpigpio"), interrupt=5)
    gpio.drive(17, 0)
    gpio.drive(17, 1)
    gpio.drive(5, 0)
    assert panel.step(1.0) == [Press("confirm", 0.0)]
    assert panel.interrupted()
    panel.sound(True)
    assert gpio.levels[12] == 1
    panel.close()


@given(st.lists(st.tuples(st.sampled_from([17, 27, 22]), st.integers(1, 200)), max_size=12))
@settings(max_examples=40)
def test_every_press_counts_once(presses):
    bench = Bench()
    bench.open()
    for pin in (17, 27, 22):
        bench.faults.order("bounce", "pins", input=pin, ms=10, times=4)
    names = {17: "confirm", 27: "undo", 22: "next"}
    told = []
    for pin, ms in presses:
        bench.sim.press(pin, ms / 1000)
        told += [press.name for press in bench.run(ms / 1000 + 0.1)]
    bench.panel.close()
    assert told == [names[pin] for pin, _ in presses]

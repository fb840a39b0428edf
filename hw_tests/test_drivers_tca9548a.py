"""Multiplexers: a channel is a bus, and the simulated chip switches as the datasheet says."""

from __future__ import annotations

import pytest
from smbus2 import i2c_msg

from drivers.bus import Bus, BusError, NoAnswer
from drivers.clock import FreeClock
from drivers.mcp23017 import Mcp23017
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.tca9548a import SimTca9548a
from drivers.tca9548a import Muxes


class Bench:
    """Expanders at the same address behind channels of two multiplexers."""

    def __init__(self, *, resets: bool = True) -> None:
        self.clock = FreeClock()
        self.sim = SimBus(self.clock, timeout=0.1)
        self.bus = Bus(self.sim, self.clock)
        self.faults = Faults(self.sim.agenda)
        self.chips = {}
        self.muxes = [SimTca9548a(0x70), SimTca9548a(0x71)]
        for n, mux in enumerate(self.muxes):
            self.sim.attach(mux)
            self.faults.targets[f"mux {n}"] = mux
            for channel in (2, 5):
                chip = self.chips[n, channel] = SimMcp23017(0x20, self.sim.agenda)
                mux.channels[channel].attach(chip)
        self.known = Muxes(
            self.bus, self.clock, {mux.address: mux.reset if resets else None for mux in self.muxes}
        )

    def wire(self, mux: int, channel: int):
        return self.known.channel(0x70 + mux, channel)

    def open(self) -> list[tuple[int, int]]:
        return [
            (n, channel)
            for n, mux in enumerate(self.muxes)
            for channel in range(8)
            if mux.mask >> channel & 1
        ]

    def name(self, wire, value: int) -> None:
        """Leave a mark in the chip behind this wire (its DEFVAL register)."""
        wire.write(0x20, bytes((0x06, value)))

    def named(self, wire) -> int:
        return wire.write_read(0x20, b"\x06", 1)[0]


def test_a_channel_is_a_bus_for_any_driver():
    bench = Bench()
    expanders = {place: Mcp23017(bench.wire(*place), 0x20, bench.clock) for place in bench.chips}
    for chip in bench.chips.values():
        for input in range(16):
            chip.set_input(input, True)
    bench.chips[1, 5].set_input(7, False)
    for _ in range(3):
        closed = [place for place, each in expanders.items() if not each.poll().present >> 7 & 1]
        assert closed == [(1, 5)]


def test_the_control_byte_acts_only_after_stop():
    bench = Bench()
    select, access = i2c_msg.write(0x70, [1 << 2]), i2c_msg.read(0x20, 1)
    with pytest.raises(OSError, match=r"[Rr]emote|121"):
        bench.sim.i2c_rdwr(select, access)  # one transaction: the channel is not open yet
    bench.sim.i2c_rdwr(i2c_msg.read(0x20, 1))  # after its STOP it is
    assert bench.sim.read_byte(0x70) == 1 << 2
    bench.sim.i2c_rdwr(i2c_msg.write(0x70, [0x01, 0x24]))
    assert bench.muxes[0].mask == 0x24  # of several bytes the last one counts
    bench.sim.write_quick(0x70)  # how buses are scanned
    assert bench.muxes[0].mask == 0x24


def test_one_is_closed_before_another_is_opened():
    bench = Bench()
    bench.sim.write_byte(0x71, 0xFF)  # as a process before us may have left it
    for place in [(0, 2), (1, 2), (1, 5), (0, 5), (0, 2)] * 2:
        bench.name(bench.wire(*place), 10 * place[0] + place[1])
        assert bench.open() == [place]
    for place in bench.chips:
        assert bench.named(bench.wire(*place)) == 10 * place[0] + place[1]


def test_an_open_channel_is_not_opened_again():
    bench = Bench()
    wire = bench.wire(0, 2)
    bench.named(wire)
    before = bench.bus.traffic.transactions
    bench.named(wire)
    assert bench.bus.traffic.transactions == before + 1
    bench.clock.advance(1)  # but it is read back now and then
    bench.named(wire)
    assert bench.bus.traffic.transactions == before + 3


def test_a_missing_mux_is_named_and_set_aside_and_the_other_goes_on():
    bench = Bench()
    lost, other = bench.wire(0, 2), bench.wire(1, 5)
    bench.name(lost, 3)
    bench.faults.order("missing", "mux 0")
    with pytest.raises(NoAnswer, match="mux 0x70, channel 2: no answer from 0x20"):
        bench.named(lost)
    for _ in range(3):
        with pytest.raises(NoAnswer, match="0x70"):
            bench.named(lost)
    before = bench.bus.traffic.transactions
    with pytest.raises(NoAnswer, match="set aside"):
        bench.named(lost)
    assert bench.bus.traffic.transactions == before  # nobody asks it meanwhile
    for _ in range(10):
        bench.name(other, 7)
        bench.clock.advance(0.1)
        with pytest.raises(NoAnswer, match="0x70"):
            bench.named(lost)
    assert [health.state for health in bench.known.healths] == ["failed", "ok"]

    bench.faults.mend()
    bench.clock.advance(5)
    assert bench.named(lost) == 3
    assert bench.known.healths[0].state == "ok"


def test_a_mux_that_lost_its_power_for_a_moment_gets_its_channel_back():
    bench = Bench()
    wire = bench.wire(0, 2)
    bench.name(wire, 3)
    bench.faults.order("brownout", "mux 0")
    with pytest.raises(NoAnswer, match="0x20"):
        bench.named(wire)
    assert bench.named(wire) == 3


def test_a_mux_that_does_not_switch_is_found_out_and_reset():
    bench = Bench()
    here, there = bench.wire(0, 2), bench.wire(0, 5)
    bench.name(here, 2)
    bench.name(there, 5)
    bench.clock.advance(0.1)
    bench.faults.order("stuck_channel", "mux 0")
    with pytest.raises(BusError, match="does not switch to channel 2"):
        bench.named(here)  # and not the mark of channel 5
    assert bench.named(here) == 2  # its RESET has freed it
    assert (bench.known.healths[0].errors, bench.known.healths[0].resets) == (1, 1)


def test_without_a_reset_line_it_stays_an_error_that_says_what_to_do():
    bench = Bench(resets=False)
    here, there = bench.wire(0, 2), bench.wire(0, 5)
    bench.name(there, 5)
    bench.clock.advance(0.1)
    bench.faults.order("stuck_channel", "mux 0")
    for _ in range(5):
        with pytest.raises(BusError, match="RESET"):
            bench.named(here)
        bench.clock.advance(1)
    assert bench.known.healths[0].state == "failed"


def test_a_mux_stuck_open_is_reset_before_another_is_used():
    bench = Bench()
    bench.name(bench.wire(0, 2), 2)
    bench.name(bench.wire(1, 2), 12)
    bench.named(bench.wire(0, 2))
    bench.clock.advance(0.1)
    bench.faults.order("stuck_channel", "mux 0")
    with pytest.raises(BusError, match="0x70 does not switch off"):
        bench.named(bench.wire(1, 2))  # or both would answer at once
    assert bench.named(bench.wire(1, 2)) == 12
    assert bench.open() == [(1, 2)]


def test_a_mux_stuck_open_without_a_reset_line_makes_the_bus_unusable():
    bench = Bench(resets=False)
    bench.name(bench.wire(1, 2), 12)
    bench.name(bench.wire(0, 2), 2)
    bench.clock.advance(0.1)
    bench.faults.order("stuck_channel", "mux 0")
    for _ in range(20):
        with pytest.raises(BusError, match="0x70 does not switch off"):
            bench.named(bench.wire(1, 2))
        bench.clock.advance(0.1)
    bench.faults.mend()
    bench.clock.advance(5)
    assert bench.named(bench.wire(1, 2)) == 12


def test_a_reset_line_puts_it_in_order_at_the_start():
    bench = Bench()
    bench.sim.write_byte(0x70, 0x04)
    bench.muxes[0].stuck = True
    bench.name(bench.wire(0, 5), 5)
    assert bench.open() == [(0, 5)]


def test_a_noisy_mux_never_lets_two_answer():
    bench = Bench()
    wires = {place: bench.wire(*place) for place in bench.chips}
    for place, wire in wires.items():
        bench.name(wire, 10 * place[0] + place[1])
    bench.faults.order("nack", "mux 0", p=0.2)
    bench.faults.order("nack", "mux 1", p=0.2)
    told = {"right": 0, "error": 0}
    for _ in range(300):
        for place, wire in wires.items():
            try:
                assert bench.named(wire) == 10 * place[0] + place[1]
                told["right"] += 1
            except BusError:
                told["error"] += 1
        bench.clock.advance(0.01)
    assert told["right"] > 1000
    assert told["error"] > 0


@pytest.mark.parametrize(
    ("mux", "channel", "why"), [(0x72, 0, "0x70, 0x71"), (0x70, 8, "0 to 7"), (0x70, -1, "0 to 7")]
)
def test_a_channel_that_does_not_exist(mux, channel, why):
    with pytest.raises(ValueError, match=why):
        Bench().known.channel(mux, channel)


def test_an_address_that_no_mux_can_have():
    bench = Bench()
    with pytest.raises(ValueError, match="0x70 to 0x77"):
        Muxes(bench.bus, bench.clock, {0x78: None})

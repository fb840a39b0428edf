"""The simulated expander, against its datasheet."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.mcp23017 import Mcp23017
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.mcp23017 import SimMcp23017


def test_registers_in_both_banks_and_both_modes():
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, Agenda(clock))
    sim.attach(chip)
    assert sim.read_i2c_block_data(0x20, 0, 18) == [0xFF, 0xFF] + [0] * 16
    sim.write_byte_data(0x20, 0x0B, 0xFF)  # IOCON at its other place; bit 0 does not exist
    assert sim.read_byte_data(0x20, 0x05) == 0xFE  # BANK=1 now
    sim.write_byte_data(0x20, 0x05, 0x80)  # BANK=1, sequential
    sim.write_i2c_block_data(0x20, 0x10, [0x0F, 0x01, 0x02])
    assert [chip.registers[1][register] for register in range(3)] == [0x0F, 0x01, 0x02]
    assert sim.read_byte_data(0x20, 0x0C) == 0
    assert sim.read_i2c_block_data(0x20, 0x1A, 2) == [0, 0xFF]  # wraps to IODIRA
    sim.write_byte_data(0x20, 0x05, 0x20)  # BANK=0, byte mode: to and fro between the ports
    assert sim.read_i2c_block_data(0x20, 0x00, 4) == [0xFF, 0x0F, 0xFF, 0x0F]


def test_outputs_polarity_and_latches():
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, Agenda(clock))
    sim.attach(chip)
    sim.write_word_data(0x20, 0x00, 0x00F0)  # port B and half of A are outputs
    sim.write_word_data(0x20, 0x0C, 0x00F0)
    sim.write_word_data(0x20, 0x02, 0x0010)
    sim.write_word_data(0x20, 0x12, 0xA50C)  # writing GPIO writes the latch
    assert sim.read_word_data(0x20, 0x14) == 0xA50C
    assert sim.read_word_data(0x20, 0x12) == 0xA5EC  # pull-ups, input 4 inverted
    chip.set_input(4, False)
    assert sim.read_word_data(0x20, 0x12) == 0xA5FC


def test_an_interrupt_holds_its_capture_until_it_is_read():
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, Agenda(clock))
    sim.attach(chip)
    sim.write_word_data(0x20, 0x0C, 0xFFFF)
    sim.write_word_data(0x20, 0x04, 0xFFFF)
    sim.read_word_data(0x20, 0x12)
    levels: list[bool] = []
    chip.interrupt_a.watch(levels.append)
    chip.set_input(1, False)
    chip.set_input(2, False)  # while one is pending, no other is latched
    assert sim.read_byte_data(0x20, 0x0E) == 0x02
    assert sim.read_byte_data(0x20, 0x10) == 0xFD
    assert sim.read_byte_data(0x20, 0x0E) == 0
    assert levels == [True, False, True]
    assert chip.interrupt_b.level

    sim.write_byte_data(0x20, 0x0A, 0x42)  # mirrored, active high
    assert not chip.interrupt_b.level
    chip.set_input(1, None)
    assert chip.interrupt_a.level
    assert chip.interrupt_b.level
    sim.read_byte_data(0x20, 0x12)
    assert not chip.interrupt_b.level


def test_compared_with_a_default_the_interrupt_lasts_as_long_as_the_difference():
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, Agenda(clock))
    sim.attach(chip)
    sim.write_i2c_block_data(
        0x20, 0x00, [0xFF, 0xFF, 0, 0, 1, 0, 1, 0, 1, 0, 0x04, 0x04, 0xFF, 0xFF]
    )
    sim.read_byte_data(0x20, 0x12)
    assert chip.interrupt_a.level
    chip.set_input(0, False)
    sim.read_byte_data(0x20, 0x12)
    assert chip.interrupt_a.asserted()
    chip.set_input(0, None)
    sim.read_byte_data(0x20, 0x12)
    assert not chip.interrupt_a.asserted()


def test_an_undriven_input_without_pull_up_floats_the_same_way_every_time():
    def noise() -> list[int]:
        clock = FreeClock()
        sim = SimBus(clock)
        sim.attach(SimMcp23017(0x20, Agenda(clock)))
        return [sim.read_word_data(0x20, 0x12) for _ in range(20)]

    assert len(set(noise())) > 10
    assert noise() == noise()


@given(st.lists(st.one_of(st.binary(max_size=30), st.integers(1, 30)), max_size=30))
def test_no_traffic_upsets_the_chip(traffic):
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, Agenda(clock))
    sim.attach(chip)
    bus = Bus(sim, clock)
    for what in traffic:
        if isinstance(what, int):
            assert len(bus.read(0x20, what)) == what
        else:
            bus.write(0x20, what)
    assert all(0 <= value <= 0xFF for port in chip.registers for value in port)
    expander = Mcp23017(bus, 0x20, clock)
    reading = expander.poll()
    assert reading is not None
    assert reading.present == 0xFFFF

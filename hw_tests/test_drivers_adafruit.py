"""Adafruit's drivers, unchanged, on our simulated readers and multiplexers.

Nobody here wrote them: where they work on a simulated chip, it is like the real one. They also
have known defects, which is why we do not use them; these are named here.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.mcp23017 import Mcp23017
from drivers.sim.bus import SimBus
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.pn532 import SimPn532
from drivers.sim.radio import Radio, Tag
from drivers.sim.tca9548a import SimTca9548a
from firmware_host.bench.circuitpython import CircuitPythonBus, virtual_time

pn532: Any = pytest.importorskip("adafruit_pn532.i2c")
tca9548a: Any = pytest.importorskip("adafruit_tca9548a")
mcp23017: Any = pytest.importorskip("adafruit_mcp230xx.mcp23017")


class Bench:
    def __init__(self, *, readers: int = 1, mux: bool = False) -> None:
        self.clock = FreeClock()
        self.sim = SimBus(self.clock)
        self.i2c = CircuitPythonBus(self.sim)
        self.radio = Radio(self.sim.agenda)
        self.antennas = [self.radio.antenna(500 * n, 0) for n in range(readers)]
        self.chips = [SimPn532(self.sim.agenda, antenna) for antenna in self.antennas]
        if not mux:
            self.sim.attach(self.chips[0])
            return
        self.mux = SimTca9548a(0x70)
        self.sim.attach(self.mux)
        for lane, chip in zip(self.mux.channels, self.chips, strict=False):
            lane.attach(chip)

    def put(self, uid: str, reader: int = 0) -> Tag:
        tag = Tag(bytes.fromhex(uid))
        self.radio.put(tag, self.antennas[reader].place)
        return tag


@pytest.fixture
def bench():
    with ExitStack() as stack:
        bench = Bench()
        stack.enter_context(virtual_time(bench.clock))
        yield bench


def test_it_wakes_and_knows_the_chip(bench):
    reader = pn532.PN532_I2C(bench.i2c)
    assert reader.firmware_version == (0x32, 1, 6, 7)
    assert bench.chips[0].normal  # it has sent SAMConfiguration


@pytest.mark.parametrize("uid", ["deadbeef", "04a1b2c3d4e5f6"])
def test_it_reads_a_tag_again_and_again(bench, uid):
    reader = pn532.PN532_I2C(bench.i2c)
    bench.put(uid)
    for _ in range(5):
        assert bytes(reader.read_passive_target(timeout=0.5)).hex() == uid


def test_it_finds_a_tag_that_comes_while_it_listens(bench):
    reader = pn532.PN532_I2C(bench.i2c)
    assert reader.listen_for_passive_target(timeout=0.5)
    bench.clock.advance(2.0)
    bench.put("deadbeef")
    bench.clock.advance(0.05)
    assert bytes(reader.get_passive_target(timeout=0.1)).hex() == "deadbeef"


def test_an_empty_field_costs_it_the_whole_timeout(bench):
    """It leaves the chip's retries at "endless", so that only waiting ends the wait."""
    reader = pn532.PN532_I2C(bench.i2c)
    began = bench.clock.now()
    assert reader.read_passive_target(timeout=0.5) is None
    assert bench.clock.now() - began >= 0.5
    assert bench.antennas[0].on  # and its field stays on


def test_with_retries_set_it_takes_an_empty_field_for_an_error(bench):
    """A known defect: no tags at all are told as too many."""
    reader = pn532.PN532_I2C(bench.i2c)
    reader.call_function(0x32, params=[0x05, 0xFF, 0x01, 0x01])
    with pytest.raises(RuntimeError, match="More than one card"):
        reader.read_passive_target(timeout=0.5)
    bench.put("deadbeef")
    assert bytes(reader.read_passive_target(timeout=0.5)).hex() == "deadbeef"


def test_it_puts_the_chip_to_sleep_and_wakes_it(bench):
    reader = pn532.PN532_I2C(bench.i2c)
    assert reader.power_down()
    assert bench.chips[0].asleep
    bench.put("deadbeef")
    assert bytes(reader.read_passive_target(timeout=0.5)).hex() == "deadbeef"


def test_no_reader_is_told():
    clock = FreeClock()
    with virtual_time(clock), pytest.raises(ValueError, match="No I2C device"):
        pn532.PN532_I2C(CircuitPythonBus(SimBus(clock)))


def test_readers_behind_its_multiplexer():
    bench = Bench(readers=3, mux=True)
    hub = tca9548a.TCA9548A(bench.i2c)
    with virtual_time(bench.clock):
        readers = [pn532.PN532_I2C(hub[n]) for n in range(3)]
        bench.put("deadbeef", 1)
        bench.put("04a1b2c3d4e5f6", 2)
        found = [reader.read_passive_target(timeout=0.1) for reader in readers]
    assert [uid and bytes(uid).hex() for uid in found] == [None, "deadbeef", "04a1b2c3d4e5f6"]
    assert bench.mux.mask == 0  # it closes what it has opened


def test_its_multiplexer_scans_a_channel():
    bench = Bench(readers=2, mux=True)
    bench.mux.channels[1].attach(SimMcp23017(0x21, bench.sim.agenda))
    hub = tca9548a.TCA9548A(bench.i2c)
    bench.sim.write_byte(0x70, 0x02)  # wakes the reader there: its first call goes unheard
    bench.i2c.probe(0x24)
    found = []
    for channel in (0, 1):
        assert hub[channel].try_lock()
        found.append(hub[channel].scan())
        hub[channel].unlock()
    assert found == [[0x70], [0x21, 0x24, 0x70]]


def test_its_expander_driver_never_writes_iocon():
    """A known defect: a chip that a disturbance has put into BANK=1 stays out of its reach."""
    clock = FreeClock()
    sim = SimBus(clock)
    chip = SimMcp23017(0x20, sim.agenda)
    sim.attach(chip)
    for input in range(16):
        chip.set_input(input, True)
    chip.registers[0][5] = chip.registers[1][5] = 0x80  # IOCON.BANK
    theirs = mcp23017.MCP23017(CircuitPythonBus(sim))
    assert chip.registers[0][5] == 0x80
    chip.set_input(9, False)
    assert theirs.gpio != 0xFDFF
    ours = Mcp23017(Bus(sim, clock), 0x20, clock)
    reading = ours.poll()
    assert reading is not None
    assert reading.present == 0xFDFF
    assert theirs.gpio == 0xFDFF  # now that ours has put it right

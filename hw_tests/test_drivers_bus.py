"""The clock, health and recovery, and the bus on a simulated wire."""

from __future__ import annotations

import errno

import pytest
from smbus2 import i2c_msg

from drivers.bus import Bus, BusError, BusStuck, NoAnswer, open_bus
from drivers.clock import FreeClock, RealClock, ScaledClock
from drivers.health import Care, Health, Recovery
from drivers.sim.agenda import Agenda
from drivers.sim.bus import Chip, Lane, SimBus


class Memory(Chip):
    """256 registers and a pointer, like many a small EEPROM; keeps a log of what it was sent."""

    def __init__(self, address: int) -> None:
        super().__init__(address)
        self.cells = bytearray(range(256))
        self.pointer = 0
        self.log: list[str] = []

    def start(self, reading: bool) -> bool:
        self.log.append("start r" if reading else "start w")
        return True

    def write(self, data: bytes) -> int:
        for place, value in enumerate(data):
            if place == 0:
                self.pointer = value
            else:
                self.cells[self.pointer] = value
                self.pointer = (self.pointer + 1) % 256
        self.log.append(f"write {data.hex()}")
        return len(data)

    def read(self, count: int) -> bytes:
        found = bytes(self.cells[(self.pointer + n) % 256] for n in range(count))
        self.pointer = (self.pointer + count) % 256
        return found

    def stop(self) -> None:
        self.log.append("stop")


def table(hz: int = 100_000) -> tuple[FreeClock, SimBus, Memory, Bus]:
    clock = FreeClock()
    sim = SimBus(clock, hz, timeout=0.1)
    chip = Memory(0x50)
    sim.attach(chip)
    return clock, sim, chip, Bus(sim, clock)


def test_a_free_clock_moves_only_when_told():
    clock = FreeClock(10)
    clock.spend(0.5)
    clock.advance(0.5)
    clock.advance_to(3)
    assert clock.now() == 11
    clock.advance_to(12)
    assert clock.now() == 12
    with pytest.raises(ValueError, match="go back"):
        clock.advance(-1)


def test_a_scaled_clock_runs_faster_than_the_machine():
    real, scaled = RealClock(), ScaledClock(1000)
    before, start = real.now(), scaled.now()
    scaled.spend(1.0)
    assert scaled.now() - start >= 1.0
    assert real.now() - before < 0.5
    with pytest.raises(ValueError, match="more than 0"):
        ScaledClock(0)


def test_recovery_goes_from_patience_to_reinit_to_reset_to_seldom():
    health = Health("reader 3")
    recovery = Recovery(health, patience=2, has_reset=True, first=0.25, cap=1.0)
    assert (recovery.due(0), health.state) == (Care.REINIT, "starting")
    recovery.renewed()
    recovery.worked(0)
    assert (recovery.due(0), health.state, health.resets) == (Care.WORK, "ok", 0)

    recovery.missed(1, "empty answer")
    assert (recovery.due(1), health.state) == (Care.WORK, "failing")
    recovery.missed(2, NoAnswer("no answer"))
    assert recovery.due(2) is Care.REINIT
    recovery.renewed()
    assert health.state == "failing"  # set up again is not yet progress
    recovery.missed(3, "empty answer")
    recovery.missed(3, "empty answer")
    assert recovery.due(3) is Care.WAIT
    assert recovery.next_due == 3.25
    assert recovery.due(3.25) is Care.RESET
    waits = []
    now = 3.25
    for _ in range(4):
        recovery.missed(now, NoAnswer("still dead"))
        assert recovery.next_due is not None
        waits.append(recovery.next_due - now)
        now = recovery.next_due
    assert waits == [0.5, 1.0, 1.0, 1.0]
    assert (health.state, health.last_error) == ("failed", "still dead")
    assert (health.misses, health.errors) == (3, 5)
    recovery.renewed()
    recovery.worked(now)
    assert (health.state, health.last_ok, recovery.next_due) == ("ok", now, None)


def test_every_call_costs_exactly_its_bits():
    clock, _sim, chip, bus = table(hz=100_000)
    bus.write(0x50, b"\x10\xaa\xbb")
    assert clock.now() == pytest.approx((1 + 4 * 9 + 1) / 100_000)
    assert chip.cells[0x10:0x12] == b"\xaa\xbb"
    start = clock.now()
    assert bus.write_read(0x50, b"\x10", 2) == b"\xaa\xbb"
    assert clock.now() - start == pytest.approx((1 + 2 * 9 + 1 + 3 * 9 + 1) / 100_000)
    assert (bus.traffic.transactions, bus.traffic.bytes, bus.traffic.errors) == (2, 9, 0)
    assert bus.traffic.seconds == pytest.approx(clock.now())


def test_a_combined_transaction_has_one_stop():
    _clock, _sim, chip, bus = table()
    bus.write_read(0x50, b"\x00", 1)
    assert chip.log == ["start w", "write 00", "start r", "stop"]


def test_smbus2_messages_are_filled_as_the_kernel_would():
    _clock, sim, _chip, _bus = table()
    ask, answer = i2c_msg.write(0x50, [0x41]), i2c_msg.read(0x50, 3)
    sim.i2c_rdwr(ask, answer)
    assert (list(answer), bytes(answer), len(answer)) == ([0x41, 0x42, 0x43], b"ABC", 3)


def test_all_the_calls_of_smbus_reach_the_chip():
    _clock, sim, chip, _bus = table()
    sim.write_byte_data(0x50, 1, 0x11)
    sim.write_word_data(0x50, 2, 0x3322)
    sim.write_i2c_block_data(0x50, 4, [4, 5, 6])
    assert chip.cells[1:7] == bytes([0x11, 0x22, 0x33, 4, 5, 6])
    assert sim.read_byte_data(0x50, 1) == 0x11
    assert sim.read_word_data(0x50, 2) == 0x3322
    assert sim.read_i2c_block_data(0x50, 4, 3) == [4, 5, 6]
    sim.write_byte(0x50, 2)
    assert sim.read_byte(0x50) == 0x22
    assert sim.process_call(0x50, 0x60, 0xBBAA) == 0x6362  # stored, then what follows is read
    sim.write_block_data(0x50, 0x70, [9, 8])
    assert chip.cells[0x70:0x73] == bytes([2, 9, 8])
    for refused in (
        lambda: sim.write_i2c_block_data(0x50, 0, [0] * 33),
        lambda: sim.read_i2c_block_data(0x50, 0, 33),
    ):
        with pytest.raises(ValueError, match="32 bytes"):
            refused()
    with pytest.raises(OSError, match="not supported"):
        sim.read_block_data(0x50, 0)


def test_a_scan_finds_who_is_there():
    _clock, sim, chip, bus = table()
    sim.attach(Memory(0x20))
    assert [address for address in range(0x08, 0x78) if bus.probe(address)] == [0x20, 0x50]
    chip.plugged = False
    assert not bus.probe(0x50)
    assert bus.health.state == "ok"  # a silent chip is not a sick bus


def test_a_missing_chip_is_named_after_a_few_attempts():
    clock, _sim, _chip, bus = table()
    with pytest.raises(NoAnswer, match=r"0x51 on bus 1 \(EREMOTEIO\): check its power"):
        bus.write(0x51, b"\x00")
    assert (bus.traffic.transactions, bus.traffic.errors) == (3, 3)
    assert clock.now() == pytest.approx(3 * 11 / 100_000)
    with pytest.raises(NoAnswer):
        bus.write(0x51, b"\x00", attempts=1)
    assert bus.traffic.transactions == 4


def test_a_disturbed_byte_is_tried_again():
    _clock, _sim, chip, bus = table()
    refusals = iter([0, 2, None])
    chip.refuses = lambda length: next(refusals)
    bus.write(0x50, b"\x10\xaa\xbb")
    assert chip.cells[0x10:0x12] == b"\xaa\xbb"
    assert bus.traffic.errors == 2


def test_a_stuck_bus_costs_one_timeout_and_is_then_set_aside():
    clock, sim, _chip, bus = table()
    sim.stuck = True
    with pytest.raises(BusStuck, match=r"stuck \(ETIMEDOUT.*unplug the chips one by one"):
        bus.write(0x50, b"\x00")
    assert clock.now() == pytest.approx(0.1)
    for _ in range(200):
        with pytest.raises(BusStuck):
            bus.read(0x50, 1)
        clock.advance(0.05)
    assert bus.traffic.seconds < 1.0  # of ten seconds: the rest of the table goes on
    assert bus.health.state == "failed"
    sim.stuck = False
    clock.advance(5)
    assert bus.read(0x50, 1)
    assert bus.health.state == "ok"


def test_a_bus_moves_again_though_nobody_answers():
    clock, sim, _chip, bus = table()
    assert bus.probe(0x50)
    sim.stuck = True
    with pytest.raises(BusStuck):
        bus.read(0x51, 1)
    assert bus.health.state == "failing"
    sim.stuck = False
    clock.advance(1)
    with pytest.raises(NoAnswer):
        bus.read(0x51, 1)
    assert bus.health.state == "ok"


def test_a_stuck_bus_is_opened_anew():
    clock, sim, _chip, _bus = table()
    opened = []

    def reopen() -> SimBus:
        opened.append(clock.now())
        if len(opened) == 1:
            raise OSError(errno.ENODEV, "gone")
        sim.open(1)
        return sim

    bus = Bus(sim, clock, reopen=reopen)
    sim.stuck = True
    with pytest.raises(BusStuck):
        bus.read(0x50, 1)
    sim.stuck = False
    with pytest.raises(BusStuck, match="cannot be opened again"):
        bus.read(0x50, 1)
    clock.advance(1)
    assert bus.read(0x50, 1) == b"\x00"
    assert len(opened) == 2


def test_a_closed_bus_says_so():
    _clock, _sim, _chip, bus = table()
    bus.close()
    with pytest.raises(BusError, match="Bad file descriptor"):
        bus.read(0x50, 1)


def test_two_chips_at_one_address_are_refused():
    _clock, sim, _chip, _bus = table()
    with pytest.raises(ValueError, match="0x50 already"):
        sim.attach(Memory(0x50))
    with pytest.raises(ValueError, match="0x08 to 0x77"):
        Memory(0x78)


def test_chips_behind_a_chip_are_on_the_bus_while_it_connects_them():
    _clock, sim, _chip, bus = table()

    class Gate(Memory):
        def __init__(self) -> None:
            super().__init__(0x70)
            self.lane, self.told = Lane(), False

        def write(self, data: bytes) -> int:
            self.told = bool(data[-1])
            return len(data)

        def stop(self) -> None:
            self.lanes = (self.lane,) if self.told else ()

    gate = Gate()
    gate.lane.attach(Memory(0x24))
    sim.attach(gate)
    assert not bus.probe(0x24)
    with pytest.raises(OSError, match="I/O"):  # open only after STOP
        sim.i2c_rdwr(i2c_msg.write(0x70, [1]), i2c_msg.read(0x24, 1))
    assert bus.probe(0x24)


def test_the_agenda_runs_in_order_as_time_passes_on_the_wire():
    clock = FreeClock()
    agenda = Agenda(clock)
    done: list[str] = []
    agenda.after(0.0003, lambda: done.append("later"))
    agenda.after(0.0001, lambda: done.append("soon"))
    agenda.after(9, lambda: done.append("never"))
    sim = SimBus(clock, 100_000, agenda=agenda)
    sim.attach(Memory(0x50))
    sim.write_i2c_block_data(0x50, 0, [0] * 8)
    assert done == ["soon", "later"]
    assert agenda.next_due == 9


def test_opening_a_real_bus_says_what_to_do(tmp_path):
    with pytest.raises(BusError, match=r"i2c-77 does not exist: switch I²C on"):
        open_bus(77, RealClock())
    plain = tmp_path / "i2c-5"
    plain.write_text("")
    with pytest.raises(BusError, match="is no I²C bus"):
        open_bus(str(plain), RealClock())


def test_opening_a_real_bus_bounds_its_calls(monkeypatch):
    asked = []

    class Opened:
        fd = 42

        def __init__(self, path: str) -> None:
            assert path == "/dev/i2c-1"

    monkeypatch.setattr("drivers.bus.SMBus", Opened)
    monkeypatch.setattr("fcntl.ioctl", lambda fd, request, value: asked.append((request, value)))
    bus = open_bus(1, RealClock(), timeout=0.05)
    assert asked == [(0x0702, 5), (0x0701, 0)]
    assert bus.name == "1"

"""Screens: the driver on simulated chips, and the chips against luma's own drivers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import sh1106, ssd1306
from PIL import Image, ImageChops, ImageDraw

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.faults import Faults
from drivers.sim.ssd1306 import SimSh1106, SimSsd1306
from drivers.ssd1306 import Screen

CHIPS = {"ssd1306": SimSsd1306, "sh1106": SimSh1106}
LUMA = {"ssd1306": ssd1306, "sh1106": sh1106}
WHITE = 255
KINDS = pytest.mark.parametrize("kind", list(CHIPS))


@dataclass
class Bench:
    kind: str = "ssd1306"
    rotate: int = 0
    hz: int = 400_000
    clock: FreeClock = field(default_factory=FreeClock)

    def __post_init__(self) -> None:
        self.agenda = Agenda(self.clock)
        self.sim = SimBus(self.clock, self.hz, timeout=0.1, agenda=self.agenda)
        self.chip = CHIPS[self.kind](0x3C)
        self.sim.attach(self.chip)
        self.bus = Bus(self.sim, self.clock)
        self.screen = Screen(self.bus, 0x3C, self.clock, kind=self.kind, rotate=self.rotate)
        self.faults = Faults(self.agenda, seed=1)
        self.faults.targets = {"screen": self.chip, "bus": self.sim}

    def run(self, seconds: float) -> None:
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            self.screen.step(self.clock.now())
            self.clock.advance_to(min(self.screen.next_due, until))
            self.agenda.run()

    def show(self, image: Image.Image) -> tuple[int, float]:
        """Show it to the end: bytes and seconds of bus."""
        traffic = self.bus.traffic
        sent, taken = traffic.bytes, traffic.seconds
        self.screen.show(image)
        while self.screen.pending:
            self.screen.step(self.clock.now())
        return traffic.bytes - sent, traffic.seconds - taken


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.tobytes() == other.tobytes()


def drawing(seed: int, size: tuple[int, int] = (128, 64)) -> Image.Image:
    rng, image = random.Random(seed), Image.new("1", size)
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(0, 6)):
        spot = [rng.randint(0, size[0]), rng.randint(0, size[1])]
        draw.rectangle((*spot, spot[0] + rng.randint(0, 40), spot[1] + rng.randint(0, 24)), WHITE)
    draw.text((rng.randint(0, 60), rng.randint(0, 50)), str(rng.randint(0, 99999)), WHITE)
    return image


def noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(1024))


# Independent proof of the simulated chips: luma's own drivers, unchanged.


@KINDS
@pytest.mark.parametrize("rotate", [0, 1, 2, 3])
def test_lumas_own_frames_come_out_as_they_went_in(kind, rotate):
    sim = SimBus(FreeClock(), 400_000)
    chip = CHIPS[kind]()
    sim.attach(chip)
    device = LUMA[kind](i2c(bus=sim, address=0x3C), rotate=rotate)
    device.persist = True
    assert chip.lit
    assert chip.image().getbbox() is None  # luma clears a new screen
    for seed in range(5):
        image = drawing(seed, device.size)
        device.display(image)
        assert same(chip.image(), device.preprocess(image))
    device.hide()
    assert chip.image().getbbox() is None
    assert chip.unknown == {"ssd1306": 0, "sh1106": 2}[kind]  # luma gives it two of the other's


def test_the_three_addressing_modes():
    sim, chip = SimBus(FreeClock()), SimSsd1306()
    sim.attach(chip)

    def command(*commands: int) -> None:
        sim.write_i2c_block_data(0x3C, 0x00, list(commands))

    def data(*values: int) -> None:
        sim.write_i2c_block_data(0x3C, 0x40, list(values))

    command(0x20, 0x02, 0xB3, 0x0E, 0x17)  # page mode: page 3, column 0x7E
    data(1, 2, 3)
    assert (chip.ram[3][126], chip.ram[3][127], chip.ram[3][0]) == (1, 2, 3)
    command(0x20, 0x00, 0x21, 5, 6, 0x22, 1, 2)
    data(1, 2, 3, 4, 5)
    assert [*chip.ram[1][5:7], *chip.ram[2][5:7]] == [5, 2, 3, 4]
    command(0x20, 0x01, 0x21, 5, 6, 0x22, 1, 2)
    data(1, 2, 3, 4, 5)
    assert [*chip.ram[1][5:7], *chip.ram[2][5:7]] == [5, 3, 2, 4]
    for byte in (0x21, 9, 9, 0x22, 4, 4):  # in pieces, each with its own control byte
        sim.write_i2c_block_data(0x3C, 0x80, [byte])
    sim.write_i2c_block_data(0x3C, 0x80, [0xA7, 0xC0, 0x77, 0x80, 0xE3])  # and interleaved
    assert chip.ram[4][9] == 0x77
    assert chip.inverse
    assert sim.read_byte(0x3C) == 0x40
    command(0x8D, 0x14, 0xAF, 0xD0)
    assert (sim.read_byte(0x3C), chip.unknown) == (0x00, 1)


def test_what_a_viewer_sees_follows_the_settings():
    bench = Bench()
    image = noise(3)
    bench.show(image)

    def told(*commands: int) -> Image.Image:
        bench.sim.write_i2c_block_data(0x3C, 0x00, list(commands))
        return bench.chip.image()

    assert same(told(0xA7), ImageChops.invert(image))
    assert same(told(0xA5), Image.new("1", image.size, WHITE))
    assert same(told(0xA4, 0xA6), image)
    assert same(told(0xA0), image.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
    assert same(told(0xA1, 0xC0), image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))
    assert same(told(0xC8, 0x44), ImageChops.offset(image, 0, -4))
    assert same(told(0x40, 0xD3, 4), ImageChops.offset(image, 0, -4))
    assert told(0xD3, 0, 0xA8, 31).getbbox() == (0, 0, 128, 32)
    assert told(0xA8, 63, 0x8D, 0x10).getbbox() is None  # without its pump the glass is dark


def test_pages_of_the_sh1106_end_at_its_last_column():
    sim, chip = SimBus(FreeClock()), SimSh1106()
    sim.attach(chip)
    before = bytes(chip.ram[0])
    sim.write_i2c_block_data(0x3C, 0x00, [0xB0, 0x02, 0x18])
    sim.write_i2c_block_data(0x3C, 0x40, [1, 2, 3])
    assert chip.ram[0][130:] == b"\x01\x02"
    assert chip.ram[0][:130] == before[:130]


@pytest.mark.parametrize("chip_type", [SimSsd1306, SimSh1106])
@given(traffic=st.lists(st.one_of(st.binary(max_size=40), st.integers(1, 9)), max_size=30))
@settings(max_examples=50)
def test_no_traffic_upsets_the_chips(chip_type, traffic):
    clock = FreeClock()
    sim = SimBus(clock)
    chip = chip_type()
    sim.attach(chip)
    bus = Bus(sim, clock)
    for what in traffic:
        if isinstance(what, int):
            assert len(bus.read(0x3C, what)) == what
        else:
            bus.write(0x3C, what)
    assert chip.image().size == (128, 64)


# The driver.


@KINDS
@pytest.mark.parametrize("rotate", [0, 1, 2, 3])
def test_a_screen_shows_what_luma_would(kind, rotate):
    bench = Bench(kind, rotate)
    peer_bus, peer_chip = SimBus(FreeClock()), CHIPS[kind]()
    peer_bus.attach(peer_chip)
    peer = LUMA[kind](i2c(bus=peer_bus, address=0x3C), rotate=rotate)
    peer.persist = True
    assert bench.screen.size == peer.size
    for seed in range(4):
        image = drawing(seed, bench.screen.size)
        bench.show(image)
        peer.display(image)
        assert same(bench.chip.image(), peer_chip.image())
    assert bench.screen.health.state == "ok"


pictures = st.one_of(
    st.integers(0, 10**6).map(drawing),
    st.integers(0, 10**6).map(noise),
    st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63)), max_size=8).map(
        lambda dots: _dots(dots)
    ),
)


def _dots(dots: list[tuple[int, int]]) -> Image.Image:
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).point(dots, WHITE)
    return image


@KINDS
@given(shows=st.lists(pictures, min_size=1, max_size=6), nack=st.sampled_from([0, 0, 0.05, 0.4]))
@settings(max_examples=60)
def test_the_pixels_are_those_of_the_last_image(kind, shows, nack):
    bench = Bench(kind)
    if nack:
        bench.faults.order("nack", "screen", p=nack)
    for image in shows:
        bench.screen.show(image)
        bench.run(0.03)
    bench.faults.mend()
    bench.run(6)
    assert not bench.screen.pending
    assert same(bench.chip.image(), shows[-1])
    more = drawing(len(shows))
    bench.show(more)
    assert same(bench.chip.image(), more)


@KINDS
def test_nothing_is_sent_when_nothing_has_changed(kind):
    bench = Bench(kind)
    bench.show(drawing(1))
    assert bench.show(drawing(1)) == (0, 0)


def test_the_same_window_again_needs_no_setting_up():
    bench = Bench()
    bench.show(_dots([]))
    assert bench.show(_dots([(40, 20)]))[0] == 10 + 1
    assert bench.show(_dots([]))[0] == 2 + 1
    assert bench.show(_dots([(90, 20)]))[0] == 7 + 1  # the pages are right already


def typical_changes(kind: str) -> dict[str, tuple[int, float]]:
    """Bytes and seconds at 400 kHz of what a table shows from one moment to the next."""

    def track(value: int, hint: str = "Ana: confirm", blink: bool = False) -> Image.Image:
        image = Image.new("1", (128, 64))
        draw = ImageDraw.Draw(image)
        draw.text((4, 2), f"{value:02}", WHITE, font_size=28)
        draw.rectangle((4, 38, 124, 45), outline=WHITE)
        draw.rectangle((4, 38, 4 + 4 * value, 45), fill=WHITE)
        draw.text((4, 50), hint, WHITE)
        if blink:
            draw.rectangle((110, 4, 124, 18), fill=WHITE)
        return image

    changes = {
        "one pixel": (_dots([]), _dots([(40, 20)])),
        "blink a 15×15 mark": (track(12), track(12, blink=True)),
        "bar a step on": (track(12).crop((0, 32, 128, 96)), track(13).crop((0, 32, 128, 96))),
        "number and bar": (track(12), track(13)),
        "a line of text": (track(12), track(12, "Bo: roll again")),
        "all of it": (_dots([]), noise(1)),
    }
    results = {}
    for name, (before, after) in changes.items():
        bench = Bench(kind)
        bench.show(before)
        results[name] = bench.show(after)
    return results


@KINDS
def test_small_changes_cost_a_fraction_of_a_frame(kind, capsys):
    sim = SimBus(FreeClock(), 400_000)
    sim.attach(CHIPS[kind]())
    device = LUMA[kind](i2c(bus=Counting(sim), address=0x3C))
    device.persist = True
    before, start = device._serial_interface._bus.bytes, sim.clock.now()
    device.display(drawing(1))
    frame = device._serial_interface._bus.bytes - before, sim.clock.now() - start
    costs = typical_changes(kind)
    for name, (sent, seconds) in {**costs, "luma's frame": frame}.items():
        print(f"{kind}  {name:20} {sent:5} bytes {1000 * seconds:7.2f} ms  {sent / frame[0]:.1%}")
    for name in ("one pixel", "blink a 15×15 mark", "bar a step on", "number and bar"):
        assert costs[name][0] <= frame[0] / 5, name
        assert costs[name][1] <= frame[1] / 5, name
    assert costs["a line of text"][0] <= frame[0] / 4
    assert costs["all of it"][0] <= frame[0]


class Counting:
    """Counts what luma puts on the wire, addresses included."""

    def __init__(self, sim: SimBus) -> None:
        self.sim, self.bytes = sim, 0

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self.bytes += 2 + len(data)
        self.sim.write_i2c_block_data(address, register, data)


def test_one_step_keeps_to_its_budget():
    bench = Bench(hz=100_000)
    bench.show(_dots([]))
    bench.screen.show(noise(1))
    longest = 0.0
    while bench.screen.pending:
        start = bench.clock.now()
        bench.screen.step(start)
        longest = max(longest, bench.clock.now() - start)
    assert longest < 0.010 + 0.013  # the budget, and the block that was under way
    assert same(bench.chip.image(), noise(1))


def test_a_new_image_overtakes_one_still_on_its_way():
    bench = Bench(hz=100_000)
    bench.show(_dots([]))
    bench.screen.show(noise(1))
    assert bench.screen.pending
    bench.show(drawing(2))
    assert same(bench.chip.image(), drawing(2))


def test_a_new_screen_stays_dark_until_it_is_drawn():
    bench = Bench(hz=100_000)
    bench.screen.show(drawing(1))
    while bench.screen.pending:
        assert not bench.chip.lit
        bench.screen.step(bench.clock.now())
    assert same(bench.chip.image(), drawing(1))


def test_contrast_and_the_switch():
    bench = Bench()
    bench.show(drawing(1))
    bench.screen.contrast(17)
    bench.screen.off()
    bench.run(0.1)
    assert (bench.chip.contrast, bench.chip.lit) == (17, False)
    bench.screen.on()
    bench.run(0.1)
    assert same(bench.chip.image(), drawing(1))
    with pytest.raises(ValueError, match="0 to 255"):
        bench.screen.contrast(256)


def test_a_screen_goes_dark_at_once_though_it_is_not_drawn_yet():
    bench = Bench(hz=100_000)
    bench.show(_dots([]))
    bench.screen.off()
    bench.clock.advance(60)  # a refresh is due as well
    bench.screen.step(bench.clock.now())
    assert bench.screen.pending
    assert not bench.chip.lit


def test_images_of_another_shape_are_refused():
    bench = Bench()
    with pytest.raises(ValueError, match=r"not of mode 'RGB' and \(128, 64\)"):
        bench.screen.show(Image.new("RGB", (128, 64)))
    with pytest.raises(ValueError, match=r"not of mode '1' and \(64, 128\)"):
        bench.screen.show(Image.new("1", (64, 128)))
    with pytest.raises(ValueError, match="known are: ssd1306, sh1106"):
        Screen(bench.bus, 0x3C, bench.clock, kind="e-ink")


@KINDS
def test_an_unplugged_screen_is_told_and_comes_back_as_it_was(kind):
    bench = Bench(kind)
    bench.show(drawing(1))
    bench.screen.contrast(99)
    bench.faults.order("missing", "screen")
    bench.run(1.05)
    assert bench.screen.health.state == "failed"  # within a second, though nothing was drawn
    bench.screen.show(drawing(2))
    bench.run(10)
    assert "no answer from 0x3c" in bench.screen.health.last_error
    errors = bench.bus.traffic.errors
    bench.run(60)
    assert bench.bus.traffic.errors - errors <= 13 * 3  # it is asked seldom
    bench.faults.mend()
    bench.run(6)
    assert same(bench.chip.image(), drawing(2))
    assert (bench.chip.contrast, bench.screen.health.state) == (99, "ok")


def test_what_a_lost_screen_shows_is_unknown():
    bench = Bench()
    bench.show(drawing(1))
    bench.faults.order("missing", "screen")
    bench.run(1.05)
    assert bench.screen.pending  # though nothing new was asked for


@KINDS
def test_a_screen_that_forgot_silently_is_redrawn_within_its_refresh(kind):
    bench = Bench(kind)
    bench.show(drawing(1))
    bench.faults.order("brownout", "screen")
    assert not same(bench.chip.image(), drawing(1))
    bench.run(31)
    assert same(bench.chip.image(), drawing(1))


def test_a_refresh_does_not_blink():
    bench = Bench()
    bench.show(drawing(1))
    until = bench.clock.now() + 65
    while bench.clock.now() < until:
        bench.screen.step(bench.clock.now())
        assert same(bench.chip.image(), drawing(1))
        bench.clock.advance_to(bench.screen.next_due)


class Remembering(SimSsd1306):
    """A chip that remembers how bright and how lit it ever was."""

    def write(self, data: bytes) -> int:
        taken = super().write(data)
        self.looks = getattr(self, "looks", set()) | {(self.contrast, self.lit)}
        return taken


def test_a_refresh_neither_brightens_a_dimmed_screen_nor_lights_a_dark_one():
    clock = FreeClock()
    sim, chip = SimBus(clock, 400_000), Remembering(0x3C)
    sim.attach(chip)
    screen = Screen(Bus(sim, clock), 0x3C, clock)
    screen.show(drawing(1))
    for level, switch, look in ((5, screen.on, (5, True)), (5, screen.off, (5, False))):
        screen.contrast(level)
        switch()
        while screen.pending:
            screen.step(clock.now())
        chip.looks = set()
        until, sent = clock.now() + 65, sim.octets
        while clock.now() < until:
            screen.step(clock.now())
            clock.advance_to(max(screen.next_due, clock.now()))
        assert sim.octets - sent > 2000  # it was refreshed
        assert chip.looks == {look}


def test_a_stuck_bus_never_reaches_the_caller():
    bench = Bench()
    bench.show(drawing(1))
    bench.faults.order("stuck", "bus", lasting=3)
    start = bench.clock.now()
    for seed in range(30):
        bench.screen.show(drawing(seed))
        bench.clock.advance(0.1)
    assert bench.clock.now() - start < 4  # a tenth of a second for each real try, no more
    bench.agenda.run()
    bench.run(10)
    assert same(bench.chip.image(), drawing(29))

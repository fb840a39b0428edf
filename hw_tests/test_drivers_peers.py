"""Other people's drivers for the same chips, unchanged, on our simulated chips."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from drivers.clock import FreeClock
from drivers.sim.agenda import Agenda
from drivers.sim.bus import SimBus
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.ssd1306 import SimSsd1306
from firmware_host.bench.circuitpython import CircuitPythonBus


def test_adafruits_mcp23017():
    mcp23017 = pytest.importorskip("adafruit_mcp230xx.mcp23017")
    digitalio = pytest.importorskip("digitalio")
    clock = FreeClock()
    sim, chip = SimBus(clock), SimMcp23017(0x21, Agenda(clock))
    sim.attach(chip)
    peer = mcp23017.MCP23017(CircuitPythonBus(sim), address=0x21)
    assert (peer.iodir, peer.gppu) == (0xFFFF, 0)
    switch = peer.get_pin(11)
    switch.switch_to_input(pull=digitalio.Pull.UP)
    assert switch.value is True
    chip.set_input(11, False)
    assert switch.value is False
    lamp = peer.get_pin(2)
    lamp.switch_to_output(value=True)
    assert peer.gpio & 1 << 2

    peer.interrupt_enable = 1 << 11
    peer.interrupt_configuration = 0
    peer.io_control = 0x44
    peer.clear_ints()
    assert not chip.interrupt_a.asserted()
    chip.set_input(11, None)
    assert chip.interrupt_a.asserted()  # mirrored, open-drain
    assert peer.int_flag == [11]
    assert peer.int_cap[11]
    assert not chip.interrupt_a.asserted()


def test_adafruits_ssd1306():
    ssd1306 = pytest.importorskip("adafruit_ssd1306")
    sim, chip = SimBus(FreeClock()), SimSsd1306(0x3D)
    sim.attach(chip)
    peer = ssd1306.SSD1306_I2C(128, 64, CircuitPythonBus(sim), addr=0x3D)
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.ellipse((3, 5, 90, 60), outline=255)
    draw.text((40, 20), "Cavale", 255)
    peer.image(image)
    peer.show()
    assert chip.image().tobytes() == image.tobytes()
    peer.contrast(33)
    peer.invert(True)
    assert (chip.contrast, chip.inverse, chip.unknown) == (33, True, 0)
    peer.poweroff()
    assert chip.image().getbbox() is None

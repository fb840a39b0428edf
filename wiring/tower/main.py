"""The tower on its board: sensors from faces.py, the host on native USB, words from protocol.py."""

import binascii
import os
import select
import sys
import time

import micropython
from faces import DICE, fallen, read_faces
from protocol import Tower

LOOK_EVERY = 20  # ms
DOOR = 2000  # ms after power-up in which Ctrl-C still stops the program, for mpremote
READ_MAX = 256  # bytes at a time: a host that babbles does not hide the dice


class Clock:
    """Milliseconds since the boot; the board's own count starts over after some days."""

    def __init__(self):
        self._ticks = time.ticks_ms()
        self._now = 0

    def now(self):
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now


def run():
    time.sleep_ms(DOOR)
    micropython.kbd_intr(-1)  # from now on 0x03 on the line is noise, not a wish to stop
    clock = Clock()
    tower = Tower(binascii.hexlify(os.urandom(4)).decode(), DICE, clock.now())
    heard = select.poll()
    heard.register(sys.stdin, select.POLLIN)
    takes = select.poll()
    takes.register(sys.stdout, select.POLLOUT)
    fallen()
    look_at = 0
    while True:
        now = clock.now()
        for _ in range(READ_MAX):
            if not heard.poll(0):
                break
            tower.receive(now, sys.stdin.buffer.read(1))
        if fallen():
            tower.fell(now)
        if now >= look_at:
            look_at = now + LOOK_EVERY
            tray = read_faces()
            tower.look(now, tray or [], tray is None)
        tower.tick(now)
        for frame in tower.frames_to_send():
            if takes.poll(0):  # nobody there: what matters is repeated anyway
                sys.stdout.buffer.write(frame)
        time.sleep_ms(1)


run()

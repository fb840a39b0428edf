"""OLED screens of 128×64 pixels, SSD1306 or SH1106, on luma.oled.

luma knows the chips and how to set them up; but it sends whole frames. A `Screen` sends only the
windows that have changed, a few milliseconds of bus at a time, and never lets a sick screen
disturb its caller: it is set up again and redrawn when it comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

from luma.oled.device import sh1106, ssd1306
from PIL import Image

from drivers import windows
from drivers.bus import BusError, NoAnswer, Wire
from drivers.clock import Clock
from drivers.health import Care, Health, Recovery
from drivers.windows import Window

COLUMNS, PAGES = 128, 8
COMMAND, DATA = b"\x00", b"\x40"  # control bytes
NOP, CONTRAST, DISPLAY_OFF, DISPLAY_ON = 0xE3, 0x81, 0xAE, 0xAF
RESYNC = (NOP, NOP)  # stand in for the operands of a command that broke off
BLOCK = 128  # bytes of data in one transaction
ATTEMPTS = 3
UNKNOWN = -1

Kind = Literal["ssd1306", "sh1106"]


class Pen(Protocol):
    """Where a chip will put the next byte. Each kind of chip has its own commands for it."""

    def plan(
        self, shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]
    ) -> list[Window]: ...

    def reach(self, window: Window) -> Sequence[int]:
        """The commands that bring the pen to the window; none where it is there already."""
        ...

    def wrote(self, window: Window, rows: int) -> None:
        """The pen was at the window, and its first `rows` pages have been written."""
        ...

    def lost(self) -> None:
        """Something broke off: the pen can be anywhere."""
        ...


class Ssd1306Pen:
    """Horizontal addressing: a window is set once, and the pen wraps around in it."""

    _columns: tuple[int, int]
    _page: int
    _top: int
    _bottom: int

    def __init__(self) -> None:
        self.lost()

    def plan(self, shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> list[Window]:
        # Address and control byte, twice, and three bytes each for columns and pages: 10 in all,
        # often less, because one of them is right already.
        return windows.tall(shown, wanted, setup=9)

    def reach(self, window: Window) -> Sequence[int]:
        commands: list[int] = []
        if self._columns != (window.left, window.right):
            commands += (0x21, window.left, window.right)
        if self._page != window.top or window.bottom > self._bottom:
            commands += (0x22, window.top, window.bottom)
        return commands

    def wrote(self, window: Window, rows: int) -> None:
        if self._page != window.top or window.bottom > self._bottom:
            self._top, self._bottom = window.top, window.bottom
        self._columns = (window.left, window.right)
        after = window.top + rows
        self._page = self._top if after > self._bottom else after

    def lost(self) -> None:
        self._columns = (UNKNOWN, UNKNOWN)
        self._page = self._top = self._bottom = UNKNOWN


class Sh1106Pen:
    """Page addressing only, and 132 columns of which a 128-wide glass shows the middle."""

    offset = 2
    _page: int
    _column: int

    def __init__(self) -> None:
        self.lost()

    def plan(self, shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> list[Window]:
        # A second window in the page: address and control byte, twice, and one or two commands.
        return windows.flat(shown, wanted, gap=5)

    def reach(self, window: Window) -> Sequence[int]:
        column, commands = window.left + self.offset, []
        if self._page != window.top:
            commands.append(0xB0 | window.top)
        if self._column == UNKNOWN or (self._column ^ column) & 0x0F:
            commands.append(column & 0x0F)
        if self._column == UNKNOWN or (self._column ^ column) & 0xF0:
            commands.append(0x10 | column >> 4)
        return commands

    def wrote(self, window: Window, rows: int) -> None:
        self._page = window.top
        self._column = window.right + 1 + self.offset

    def lost(self) -> None:
        self._page = self._column = UNKNOWN


class _Link:
    """What luma sends through. Until it is let through, it keeps luma's commands instead."""

    def __init__(self, bus: Wire, address: int) -> None:
        self.kept: list[tuple[int, ...]] = []
        self.through = False
        self._bus = bus
        self._address = address

    def command(self, *commands: int) -> None:
        if self.through:
            self._bus.write(self._address, COMMAND + bytes(commands), attempts=1)
        else:
            self.kept.append(commands)

    def data(self, data: Iterable[int]) -> None:
        # Tried once: after a partial write, the same bytes again would land further on.
        self._bus.write(self._address, DATA + bytes(data), attempts=1)

    def cleanup(self) -> None:
        """The bus is not ours to close."""


class _Ssd1306(ssd1306):  # type: ignore[misc]
    def display(self, image: Image.Image) -> None:
        """luma clears a new screen with a whole frame; ours is drawn by windows."""


class _Sh1106(sh1106):  # type: ignore[misc]
    display = _Ssd1306.display


KINDS: dict[Kind, tuple[type, type[Ssd1306Pen] | type[Sh1106Pen]]] = {
    "ssd1306": (_Ssd1306, Ssd1306Pen),
    "sh1106": (_Sh1106, Sh1106Pen),
}


class Screen:
    """One screen. `show` what it should show; call `step` until it is not `pending` any more."""

    def __init__(
        self,
        bus: Wire,
        address: int,
        clock: Clock,
        *,
        kind: Kind = "ssd1306",
        rotate: int = 0,
        budget: float = 0.010,
        heartbeat: float = 1.0,
        refresh: float = 30.0,
        health: Health | None = None,
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"no screen {kind!r}; known are: {', '.join(KINDS)}")
        self.health = health or Health(f"screen 0x{address:02x}")
        self.budget = budget  # s of bus in one step
        self.heartbeat = heartbeat  # s without traffic before it is asked whether it is there
        self.refresh = refresh  # s before all is sent again: a chip may have forgotten silently
        self._clock = clock
        self._recovery = Recovery(self.health, patience=1)
        device, pen = KINDS[kind]
        self._link = _Link(bus, address)
        self._device: Any = device(self._link, rotate=rotate)
        self._device.persist = True  # luma would clear the screen at exit by itself
        self._settings = [block for block in self._link.kept if block != (DISPLAY_ON,)]
        self._link.through = True
        self._pen: Pen = pen()
        self._wanted = [[0] * COLUMNS for _ in range(PAGES)]
        self._picture = b""  # the image that is wanted
        self._wished: tuple[int | None, bool] = (None, True)  # contrast, lit
        self._heard = self._refreshed = float("-inf")
        self._forget()

    @property
    def size(self) -> tuple[int, int]:
        return (self._device.width, self._device.height)

    @property
    def pending(self) -> bool:
        """Is there something that the screen does not show yet?"""
        return not self._drawn or self._switched != self._wished

    @property
    def next_due(self) -> float:
        if self._recovery.next_due is not None:
            return self._recovery.next_due
        if self.pending:
            return self._heard
        return min(self._heard + self.heartbeat, self._refreshed + self.refresh)

    def show(self, image: Image.Image) -> None:
        """Show a mode "1" image of our size: at once as far as the budget goes, then by steps."""
        if image.mode != "1" or image.size != self.size:
            raise ValueError(
                f"{self.health.name} shows images of mode '1' and {self.size}, "
                f"not of mode {image.mode!r} and {image.size}"
            )
        picture = image.tobytes()
        if picture != self._picture:
            self._picture = picture
            self._wanted = pages(self._device.preprocess(image))
            self._drawn = self._shown == self._wanted
        self.step(self._clock.now())

    def contrast(self, level: int) -> None:
        if not 0 <= level <= 255:
            raise ValueError(f"contrast goes from 0 to 255, not to {level}")
        self._wished = (level, self._wished[1])

    def on(self) -> None:
        self._wished = (self._wished[0], True)

    def off(self) -> None:
        self._wished = (self._wished[0], False)

    def step(self, now: float) -> None:
        """Send what is due, for about `budget` seconds of bus."""
        care = self._recovery.due(now)
        if care is Care.WAIT:
            return
        try:
            busy = any([self._set_up(now, care), self._draw(), self._switch()])
            if not busy and now >= self._heard + self.heartbeat:
                self._command(NOP)
                busy = True
        except BusError as error:
            self._recovery.missed(self._clock.now(), error)
            self._forget()
            return
        if busy:
            self._heard = self._clock.now()
            self._recovery.worked(self._heard)

    def _set_up(self, now: float, care: Care) -> bool:
        if care is Care.WORK and now < self._refreshed + self.refresh:
            return False
        for block in self._settings:
            # On a screen that is lit, luma's settings are renewed without their dark moment, and
            # on one that is dimmed without a bright one.
            dark = block[0] == DISPLAY_OFF and care is Care.WORK
            if block[0] != CONTRAST or self._wished[0] is None:
                self._command(*block[dark:])
        self._forget()
        self._refreshed = self._clock.now()
        if care is not Care.WORK:
            self._recovery.renewed()
        return True

    def _forget(self) -> None:
        self._shown = [[UNKNOWN] * COLUMNS for _ in range(PAGES)]
        self._drawn = False  # does it show what is wanted? Asked far more often than it changes
        self._switched: tuple[int | None, bool] | None = None
        self._pen.lost()

    def _draw(self) -> bool:
        """Send changed windows, those that the pen reaches cheapest first."""
        if self._drawn:
            return False
        start = self._clock.now()
        waiting = self._pen.plan(self._shown, self._wanted)
        while waiting:
            window = min(waiting, key=lambda each: len(self._pen.reach(each)))
            waiting.remove(window)
            rows = max(1, BLOCK // window.width)
            for top in range(window.top, window.bottom + 1, rows):
                if top > window.top and self._clock.now() - start >= self.budget:
                    return True
                self._send(window._replace(top=top), min(rows, window.bottom + 1 - top))
            if self._clock.now() - start >= self.budget:
                return True
        return True

    def _send(self, window: Window, rows: int) -> None:
        """Write the first rows of a window, and bring the pen there again if they break off."""
        span = slice(window.left, window.right + 1)
        touched = range(window.top, window.top + rows)
        for left in reversed(range(ATTEMPTS)):
            commands = self._pen.reach(window)
            if commands:
                self._command(*commands)
            try:
                self._device.data([c for page in touched for c in self._wanted[page][span]])
                break
            except NoAnswer:
                self._pen.lost()
                if not left:
                    raise
        self._pen.wrote(window, rows)
        for page in touched:
            self._shown[page][span] = self._wanted[page][span]
        self._drawn = self._shown == self._wanted

    def _switch(self) -> bool:
        """Contrast, and lit or not; a new screen stays dark until it is drawn."""
        level, lit = self._wished
        undrawn = self._switched is None and not self._drawn
        if self._switched == self._wished or (lit and undrawn):
            return False
        if level is not None:
            self._command(CONTRAST, level)
        self._command(DISPLAY_ON if lit else DISPLAY_OFF)
        self._switched = self._wished
        return True

    def _command(self, *commands: int) -> None:
        for left in reversed(range(ATTEMPTS)):
            try:
                self._device.command(*commands)
                return
            except NoAnswer:
                if not left:
                    raise
                commands = (*RESYNC, *commands)


def pages(image: Image.Image) -> list[list[int]]:
    """A 128×64 image as the chips keep it: eight pages of columns, the top pixel in bit 0."""
    upright = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return [list(upright[PAGES - 1 - page :: PAGES]) for page in range(PAGES)]

"""Simulated SSD1306 and SH1106: the real stream of commands and data, decoded into pixels."""

from __future__ import annotations

import random

from PIL import Image, ImageChops

from drivers.sim.bus import Chip

PAGES, WIDTH, HEIGHT = 8, 128, 64
HORIZONTAL, VERTICAL, PAGE = range(3)


class _Oled(Chip):
    """What the two chips have in common."""

    columns: int  # of memory
    left: int  # the first that the glass shows
    operands: dict[int, int]  # commands of more than one byte: how many follow

    def __init__(self, address: int = 0x3C) -> None:
        super().__init__(address)
        self.power_cycle()

    def power_cycle(self) -> None:
        noise = random.Random(self.address)
        self.ram = [bytearray(noise.randbytes(self.columns)) for _ in range(PAGES)]
        self.page = self.column = 0
        self.lit = self.inverse = self.all_on = False
        self.mirrored = self.upside_down = True  # as a module's glass is mounted
        self.contrast = 0x7F
        self.start_line = self.offset = 0
        self.multiplex = HEIGHT
        self.unknown = 0  # commands that we do not know
        self._command: list[int] = []
        self._control: int | None = None

    @property
    def powered(self) -> bool:
        """Has the glass its high voltage?"""
        return True

    def image(self) -> Image.Image:
        """What a viewer sees: mode "1", 128×64."""
        if not (self.lit and self.powered):
            return Image.new("1", (WIDTH, HEIGHT))
        upright = bytearray(WIDTH * PAGES)
        for page in range(PAGES):
            seen = self.ram[page][self.left : self.left + WIDTH]
            upright[PAGES - 1 - page :: PAGES] = seen
        image = Image.frombytes("1", (HEIGHT, WIDTH), bytes(upright))
        image = image.transpose(Image.Transpose.ROTATE_90)
        if self.start_line or self.offset:
            image = ImageChops.offset(image, 0, -(self.start_line + self.offset))
        if self.all_on:
            image.paste(255, (0, 0, WIDTH, HEIGHT))
        elif self.inverse:
            image = ImageChops.invert(image)
        if self.multiplex < HEIGHT:
            image.paste(0, (0, self.multiplex, WIDTH, HEIGHT))
        if self.mirrored:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if self.upside_down:
            image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return image

    # The bus's side.

    def start(self, reading: bool) -> bool:
        self._control = None
        return True

    def read(self, count: int) -> bytes:
        return bytes([0x00 if self.lit else 0x40]) * count

    def write(self, data: bytes) -> int:
        for at, value in enumerate(data):
            if self._control is None:
                self._control = value
                continue
            if self._control & 0xC0 == 0x40:  # data to the end of the message
                self._store(data[at:])
                break
            if self._control & 0x40:
                self._store(bytes((value,)))
            else:
                self._command.append(value)
                self._execute()
            if self._control & 0x80:  # one byte, then another control byte
                self._control = None
        return len(data)

    def _store(self, data: bytes) -> None:
        raise NotImplementedError

    def _execute(self) -> None:
        code, *operands = self._command
        if len(operands) < self.operands.get(code, 0):
            return  # a command may come in pieces, even in several transactions
        self._command = []
        if not (self._common(code, operands) or self._own(code, operands)):
            self.unknown += 1

    def _own(self, code: int, operands: list[int]) -> bool:
        """Commands of this chip alone; False if there is no such command."""
        raise NotImplementedError

    def _common(self, code: int, operands: list[int]) -> bool:
        match code:
            case _ if code <= 0x0F:
                self.column = self.column & 0xF0 | code
            case _ if code <= 0x1F:
                self.column = self.column & 0x0F | (code & 0x0F) << 4
            case _ if 0x40 <= code <= 0x7F:
                self.start_line = code & 0x3F
            case 0x81:
                self.contrast = operands[0]
            case 0xA0 | 0xA1:
                self.mirrored = code == 0xA0
            case 0xA4 | 0xA5:
                self.all_on = code == 0xA5
            case 0xA6 | 0xA7:
                self.inverse = code == 0xA7
            case 0xA8:
                self.multiplex = (operands[0] & 0x3F) + 1
            case 0xAE | 0xAF:
                self.lit = code == 0xAF
            case _ if 0xB0 <= code <= 0xB7:
                self.page = code & 0x07
            case _ if 0xC0 <= code <= 0xCF:
                self.upside_down = not code & 0x08
            case 0xD3:
                self.offset = operands[0] & 0x3F
            case 0xD5 | 0xD9 | 0xDA | 0xDB | 0xE3:
                pass  # timing, voltages and wiring of the glass; nothing to see
            case _:
                return False
        return True


COMMON_OPERANDS = dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)


class SimSsd1306(_Oled):
    columns, left = 128, 0
    operands = COMMON_OPERANDS | {
        0x20: 1,
        0x21: 2,
        0x22: 2,
        0x23: 1,
        0x26: 6,
        0x27: 6,
        0x29: 5,
        0x2A: 5,
        0x8D: 1,
        0xA3: 2,
        0xAD: 1,
        0xD6: 1,
    }

    def power_cycle(self) -> None:
        super().power_cycle()
        self.mode = PAGE
        self.pump = False
        self._columns = (0, self.columns - 1)
        self._pages = (0, PAGES - 1)

    @property
    def powered(self) -> bool:
        return self.pump

    def _own(self, code: int, operands: list[int]) -> bool:
        match code:
            case 0x20:
                self.mode = min(operands[0] & 0x03, PAGE)
            case 0x21:
                self._columns = (operands[0] & 0x7F, operands[1] & 0x7F)
                self.column = self._columns[0]
            case 0x22:
                self._pages = (operands[0] & 0x07, operands[1] & 0x07)
                self.page = self._pages[0]
            case 0x8D:
                self.pump = bool(operands[0] & 0x04)
            case 0x23 | 0x26 | 0x27 | 0x29 | 0x2A | 0x2E | 0x2F | 0xA3 | 0xAD | 0xD6:
                pass  # fading, scrolling, zoom and current: they do not change the memory
            case _:
                return False
        return True

    def _store(self, data: bytes) -> None:
        for value in data:
            self.ram[self.page][self.column & 0x7F] = value
            if self.mode == PAGE:
                self.column = (self.column + 1) % self.columns
            elif self.mode == HORIZONTAL:
                if self.column == self._columns[1]:
                    self.column = self._columns[0]
                    self.page, _ = _next(self.page, *self._pages, PAGES)
                else:
                    self.column = (self.column + 1) % self.columns
            else:
                self.page, around = _next(self.page, *self._pages, PAGES)
                if around:
                    self.column, _ = _next(self.column, *self._columns, self.columns)


class SimSh1106(_Oled):
    columns, left = 132, 2
    operands = COMMON_OPERANDS | {0xAD: 1}

    def _own(self, code: int, operands: list[int]) -> bool:
        # Pump voltage and converter; read-modify-write, of use only where memory can be read.
        return code in (0x30, 0x31, 0x32, 0x33, 0xAD, 0xE0, 0xEE)

    def _store(self, data: bytes) -> None:
        kept = data[: max(0, self.columns - self.column)]  # beyond the last nothing is kept
        self.ram[self.page][self.column : self.column + len(kept)] = kept
        self.column += len(kept)


def _next(place: int, first: int, last: int, size: int) -> tuple[int, bool]:
    return (first, True) if place == last else ((place + 1) % size, False)

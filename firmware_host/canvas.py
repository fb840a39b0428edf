"""A small canvas for a 1-bit screen. Boxes are x, y, width, height, in pixels from the top left."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from firmware_host.font import SMALL, Face, shorten, wrap

Box = tuple[int, int, int, int]
Align = Literal["left", "center", "right"]

LINE = 10  # rows from one line of the small face to the next
_MARGIN = 2  # ink kept around inverted text, or its letters run into the dark


class Overflow(NamedTuple):
    """Text that did not go into its box whole (`shown` is what did), or a box off the canvas. A
    paragraph's box is all the lines it may have: a short text must not hide a bad layout."""

    text: str
    shown: str
    box: Box


class Canvas:
    """A picture to draw on. `overflows` lists every text that found too little room."""

    def __init__(self, width: int = 128, height: int = 64) -> None:
        self.width = width
        self.height = height
        self.picture = Image.new("1", (width, height))
        self.overflows: list[Overflow] = []
        self.rolls = False  # does a text on it go by, line after line?
        self.blinks = False  # is there a sign on it that comes and goes?
        self._pen = ImageDraw.Draw(self.picture)

    def text(
        self,
        x: int,
        y: int,
        s: str,
        face: Face = SMALL,
        align: Align = "left",
        width: int | None = None,
        invert: bool = False,
    ) -> int:
        """One line, in a box that reaches to the right edge unless `width` is given. Inverted, the
        box is filled; without a width it then closes around the text. Returns the x after it."""
        margin = _MARGIN if invert else 0
        room = (self.width - x if width is None else width) - 2 * margin
        shown = shorten(face, s, room)
        taken = face.width(shown)
        if invert and width is None:
            room = taken
        self._note(s, shown, (x, y, room + 2 * margin, face.height))
        if invert:
            self.fill(x, y, room + 2 * margin, face.height)
        spare = {"left": 0, "center": (room - taken) // 2, "right": room - taken}[align]
        return face.draw(self.picture, (x + margin + spare, y), shown, 0 if invert else 1)

    def paragraph(
        self,
        x: int,
        y: int,
        width: int,
        lines: int,
        s: str,
        face: Face = SMALL,
        pitch: int | None = None,
        ink: int = 1,
        roll: int | None = None,
    ) -> int:
        """Text in at most `lines` lines, `pitch` rows apart (default: the face's height). A longer
        one is shortened, or rolls, if `roll` says how far it has. Returns the y below the last."""
        pitch = face.height if pitch is None else pitch
        shown = wrap(face, s, width, lines)
        height = pitch * (lines - 1) + face.height
        if roll is not None and _letters("".join(shown)) != _letters(s):
            self.rolls = True
            every = wrap(face, s, width, len(s))
            first = roll % (len(every) - lines + 1)
            shown = every[first : first + lines]
            self._note(s, " ".join(every), (x, y, width, height))
        else:
            self._note(s, " ".join(shown), (x, y, width, height))
        for line in shown:
            face.draw(self.picture, (x, y), line, ink)
            y += pitch
        return y

    def bar(
        self, x: int, y: int, w: int, h: int, value: int, maximum: int, steps: int | None = None
    ) -> None:
        """How far `value` is on its way to `maximum`. Anything above nothing shows, and only the
        maximum is full. With `steps`, cells of equal width, centred in the box, those not reached a
        line on the ground; they merge into a plain bar where a cell and its gap do not fit."""
        value = max(0, min(value, maximum))

        def reached(parts: int) -> int:
            return max(value * parts // maximum, 1) if value else 0

        pitch = (w + 1) // steps if steps else 0
        if steps and pitch >= 2:
            left = x + (w - (pitch * steps - 1)) // 2
            lit = reached(steps)
            for i in range(steps):
                high = h if i < lit else 1
                self.fill(left + i * pitch, y + h - high, pitch - 1, high)
        else:
            self.frame(x, y, w, h)
            self.fill(x + 2, y + 2, reached(w - 4), h - 4)

    def frame(self, x: int, y: int, w: int, h: int, ink: int = 1) -> None:
        if w > 0 and h > 0:
            self._pen.rectangle((x, y, x + w - 1, y + h - 1), outline=ink)

    def fill(self, x: int, y: int, w: int, h: int, ink: int = 1) -> None:
        if w > 0 and h > 0:
            self._pen.rectangle((x, y, x + w - 1, y + h - 1), fill=ink)

    def disc(self, x: int, y: int, size: int, ink: int = 1) -> None:
        self._pen.ellipse((x, y, x + size - 1, y + size - 1), fill=ink)

    def ring(self, x: int, y: int, size: int, ink: int = 1) -> None:
        self._pen.ellipse((x, y, x + size - 1, y + size - 1), outline=ink)

    def invert(self, box: Box | None = None) -> None:
        """Light and dark exchanged, in `box` or everywhere: the blink of danger."""
        x, y, w, h = box or (0, 0, self.width, self.height)
        part = self.picture.crop((x, y, x + w, y + h))
        lit = Image.new("1", part.size, 1)
        self.picture.paste(ImageChops.logical_xor(part, lit), (x, y))

    def image(self, x: int, y: int, image: Image.Image) -> None:
        self.picture.paste(image, (x, y))

    def _note(self, text: str, shown: str, box: Box) -> None:
        x, y, w, h = box
        inside = x >= 0 and y >= 0 and x + w <= self.width and y + h <= self.height
        if not inside or _letters(shown) != _letters(text):
            self.overflows.append(Overflow(text, shown, box))


@lru_cache(maxsize=1024)
def _letters(text: str) -> str:
    """Without the spaces, which a line break swallows."""
    return "".join(unicodedata.normalize("NFC", text).split())

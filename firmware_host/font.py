"""The lettering of the screens: three bitmap faces of our own, and how text is fitted to a width.

The art lies in `data/*.glyphs`, as rows of `#` and `.`. A glyph is kept as the bytes of its
columns, so that setting a line of text is one join and one paste, whatever its length.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, NoReturn

from PIL import Image

UNKNOWN = "\ufffd"
ELLIPSIS = "…"


class FontError(ValueError):
    """A glyph file that cannot be used: says which file, which line, and why."""


class Glyph(NamedTuple):
    """Art, and the row of the line on which it starts."""

    top: int
    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def bottom(self) -> int:
        return self.top + len(self.rows)


class Sheet(NamedTuple):
    """What a glyph file holds: rows of a line, columns between glyphs, and the glyphs."""

    height: int
    gap: int
    glyphs: dict[str, Glyph]


# --- reading a glyph file ---------------------------------------------------------------------


class _Reader:
    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.lines = [line.strip() for line in text.splitlines()]
        self.at = 0
        self.settings: dict[str, int] = {}
        self.glyphs: dict[str, Glyph] = {}
        self.above: dict[str, tuple[str, ...]] = {}
        self.below: dict[str, tuple[str, ...]] = {}

    def refuse(self, why: str) -> NoReturn:
        raise FontError(f"{self.name}, line {self.at}: {why}")

    def read(self) -> Sheet:
        while self.at < len(self.lines):
            words = self.lines[self.at].split()
            self.at += 1
            match words:
                case []:
                    pass
                case [word, *_] if word.startswith(";"):
                    pass
                case [letter, "=", base, mark]:
                    self.add(letter, self.composed(base, mark))
                case [letter, "like", other]:
                    self.add(letter, self.known(other))
                case ["height" | "gap" | "squeeze" as key, number]:
                    self.settings[key] = self.number(number)
                case ["at", row, *letters] if letters:
                    top = self.number(row)
                    for letter, art in zip(letters, self.art(len(letters)), strict=True):
                        self.add(letter, Glyph(top, art))
                case ["above" | "below" as side, *names] if names:
                    marks = self.above if side == "above" else self.below
                    marks.update(zip(names, self.art(len(names)), strict=True))
                case _:
                    self.refuse(
                        "expected `at ROW letters`, `above names`, `below names`, `é = e acute`, "
                        "`x like y`, `height`, `gap` or `squeeze`"
                    )
        self.setting("gap")
        for char, what in ((" ", "the space"), (UNKNOWN, "the box for unknown characters")):
            if char not in self.glyphs:
                self.refuse(f"no glyph U+{ord(char):04X}, {what}")
        return Sheet(self.setting("height"), self.setting("gap"), self.glyphs)

    def number(self, word: str) -> int:
        if not word.isdecimal():
            self.refuse(f"{word!r} is not a whole number")
        return int(word)

    def setting(self, key: str) -> int:
        if key not in self.settings:
            self.refuse(f"`{key}` must be set first, e.g. `{key} 1`")
        return self.settings[key]

    def letter(self, word: str) -> str:
        if re.fullmatch(r"U\+[0-9A-F]{4}", word):
            return chr(int(word[2:], 16))
        if len(word) != 1:
            self.refuse(f"{word!r} is not one character; write it, or its number as U+00E9")
        return word

    def known(self, word: str) -> Glyph:
        if (letter := self.letter(word)) not in self.glyphs:
            self.refuse(f"{word!r} is used before it is drawn")
        return self.glyphs[letter]

    def add(self, word: str, glyph: Glyph) -> None:
        if (letter := self.letter(word)) in self.glyphs:
            self.refuse(f"{word!r} is drawn twice")
        if glyph.bottom > self.setting("height"):
            self.refuse(f"{word!r} ends on row {glyph.bottom - 1}, below the line")
        self.glyphs[letter] = glyph

    def art(self, count: int) -> list[tuple[str, ...]]:
        """The rows that follow, as `count` drawings side by side."""
        rows: list[list[str]] = []
        while self.at < len(self.lines) and self.lines[self.at]:
            cells = self.lines[self.at].split()
            self.at += 1
            if len(cells) != count:
                self.refuse(f"{len(cells)} drawings in this row, {count} named above it")
            for cell, first in zip(cells, rows[0] if rows else cells, strict=True):
                if set(cell) - set("#."):
                    self.refuse(f"{cell!r}: a row is drawn with '#' and '.' alone")
                if len(cell) != len(first):
                    self.refuse(f"{cell!r} is {len(cell)} wide, its first row {len(first)}")
            rows.append(cells)
        if not rows:
            self.refuse("no art follows")
        return list(zip(*rows, strict=True))

    def composed(self, base: str, mark: str) -> Glyph:
        top, rows = self.known(base)
        if mark in self.below:
            return Glyph(top, _stacked(rows, self.below[mark]))
        if mark not in self.above:
            self.refuse(f"no mark {mark!r} above this line")
        sign = (*self.above[mark], ".")
        if top < len(sign):
            cut = self.setting("squeeze")
            top, rows = top + 1, rows[:cut] + rows[cut + 1 :]
        if top < len(sign):
            self.refuse(f"{mark!r} does not fit above {base!r}")
        return Glyph(top - len(sign), _stacked(sign, rows))


def _stacked(upper: Iterable[str], lower: Iterable[str]) -> tuple[str, ...]:
    rows = (*upper, *lower)
    width = max(map(len, rows))
    # str.center leans right for some odd remainders; letters and marks lean left, always
    return tuple(("." * ((width - len(row)) // 2) + row).ljust(width, ".") for row in rows)


def read_sheet(name: str, text: str) -> Sheet:
    """Parse a glyph file; a bad one is refused with line and reason."""
    return _Reader(name, text).read()


def doubled(sheet: Sheet) -> Sheet:
    """The same face at twice the size, its stairs smoothed."""
    glyphs = {c: Glyph(2 * g.top, _doubled(g.rows)) for c, g in sheet.glyphs.items()}
    return Sheet(2 * sheet.height, 2 * sheet.gap, glyphs)


def _doubled(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Each pixel becomes four. A quarter of paper takes ink where it fills the step of a stair:
    ink on its two sides, paper on the corner between them and on the sides opposite. Square
    corners, which have ink on that corner, stay square."""

    blank = "." * (len(rows[0]) + 2)
    ink = [[c == "#" for c in row] for row in (blank, *(f".{row}." for row in rows), blank)]

    def quarter(x: int, y: int, dx: int, dy: int) -> bool:
        return ink[y][x] or (
            ink[y][x + dx]
            and ink[y + dy][x]
            and not (ink[y + dy][x + dx] or ink[y][x - dx] or ink[y - dy][x])
        )

    return tuple(
        "".join(".#"[quarter(x, y, dx, dy)] for x in range(1, len(blank) - 1) for dx in (-1, 1))
        for y in range(1, len(rows) + 1)
        for dy in (-1, 1)
    )


# --- setting text -----------------------------------------------------------------------------


class _Columns(dict[str, bytes]):
    """A character's columns, those of the gap after it included."""

    def __missing__(self, char: str) -> bytes:
        """What stands in: nothing, a space, the bare letter, or the box."""
        if char.isspace():
            return self[" "]
        if unicodedata.category(char) in ("Mn", "Me", "Cc", "Cf"):
            return b""
        bare = [c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)]
        return b"".join(self[c if c in self or c.isspace() else UNKNOWN] for c in bare)


class Face:
    """A face, ready to set text with. Every character can be set; see `_Columns.__missing__`."""

    def __init__(self, sheet: Sheet) -> None:
        self.height = sheet.height
        self.gap = sheet.gap
        self._stride = (sheet.height + 7) // 8
        self._columns = _Columns({c: self._cut(g) for c, g in sheet.glyphs.items()})
        self._set = lru_cache(maxsize=1024)(self._join)  # the same few words, again and again

    def __contains__(self, char: str) -> bool:
        return char in self._columns

    def _cut(self, glyph: Glyph) -> bytes:
        cut = bytearray()
        for column in zip(*glyph.rows, strict=True):
            bits = "." * glyph.top + "".join(column)
            bits = bits.ljust(8 * self._stride, ".").replace("#", "1").replace(".", "0")
            cut += int(bits, 2).to_bytes(self._stride, "big")
        return bytes(cut) + bytes(self._stride * self.gap)

    def _join(self, text: str) -> bytes:
        return b"".join(map(self._columns.__getitem__, unicodedata.normalize("NFC", text)))

    def width(self, text: str) -> int:
        """The columns that `text` takes, without the gap after its last glyph."""
        return max(0, len(self._set(text)) // self._stride - self.gap)

    def draw(self, image: Image.Image, xy: tuple[int, int], text: str, ink: int = 1) -> int:
        """Set `text` with its line's top left corner on `xy`; returns the x where text goes on."""
        columns = self._set(text)
        advance = len(columns) // self._stride
        if advance:
            lying = Image.frombytes("1", (self.height, advance), columns)
            image.paste(ink, xy, lying.transpose(Image.Transpose.TRANSPOSE))
        return xy[0] + advance

    def fitting(self, text: str, width: int) -> int:
        """How many characters of `text`, in composed form, fit in `width`."""
        room = (width + self.gap) * self._stride
        for count, char in enumerate(text):
            room -= len(self._columns[char])
            if room < 0:
                return count
        return len(text)


def shorten(face: Face, text: str, width: int) -> str:
    """`text` if it fits, else as much of it as fits with an ellipsis after it, cut between words
    unless that would waste half of the room."""
    if face.width(text) <= width:
        return text
    room = width - face.width(ELLIPSIS) - face.gap
    if room < -face.gap:
        return ""
    text = unicodedata.normalize("NFC", text)
    kept = text[: face.fitting(text, room)]
    word_end = kept.rfind(" ") if text[len(kept) : len(kept) + 1] != " " else len(kept)
    if 2 * face.width(kept[: max(0, word_end)]) >= room:
        kept = kept[:word_end]
    return kept.rstrip() + ELLIPSIS


# French sets a space before these signs and inside guillemets; a line never breaks there.
_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
_BREAK = re.compile(r"(?<!«) (?![:;!?»%])")


def wrap(face: Face, text: str, width: int, lines: int) -> list[str]:
    """`text` in at most `lines` lines of `width`, the last one shortened; a word too long for a
    line is broken. A width too narrow for a glyph ends the text."""
    return list(_wrapped(face, text, width, lines))


@lru_cache(maxsize=1024)
def _wrapped(face: Face, text: str, width: int, lines: int) -> Sequence[str]:
    words = _BREAK.split(_SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip(" "))
    done: list[str] = []
    while words and words != [""] and len(done) < lines - 1:
        taken = 0
        while taken < len(words) and face.width(" ".join(words[: taken + 1])) <= width:
            taken += 1
        if taken:
            done.append(" ".join(words[:taken]))
            del words[:taken]
        elif cut := face.fitting(words[0], width):
            done.append(words[0][:cut].rstrip(" "))
            words[0] = words[0][cut:].lstrip(" ")
        else:
            return done
    if lines > 0 and (rest := shorten(face, " ".join(words), width)):
        done.append(rest)
    return done


def _sheet(name: str) -> Sheet:
    return read_sheet(name, (files(__package__) / "data" / name).read_text("utf-8"))


_small = _sheet("small.glyphs")
SMALL = Face(_small)
MEDIUM = Face(doubled(_small))
BIG = Face(_sheet("big.glyphs"))

"""SVG as text. Everything people wrote goes through `tag` or `text`, and both escape it.

Colours are classes (boards.css), never `style` attributes: a page that forbids inline styles can
show the boards, and a dark theme is a matter of the style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, NewType
from xml.sax.saxutils import escape

Markup = NewType("Markup", str)
NOTHING = Markup("")

# XML has no way at all to say these.
_UNSPEAKABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDTH = 0.67  # of a letter on average, in heights
_BY_LETTER = {"m": 1.0, "w": 0.92, "i": 0.36, "l": 0.36, "j": 0.4, "t": 0.48, "f": 0.45, " ": 0.36}


class Box(NamedTuple):
    """Where something is drawn."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def within(self, by: float) -> Box:
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


def clean(value: object) -> str:
    return escape(_UNSPEAKABLE.sub("\ufffd", str(value)), {'"': "&quot;", "'": "&#39;"})


def number(value: float) -> str:
    """Short, and the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tag(name: str, *children: Markup, **attributes: object) -> Markup:
    """`class_` is the class; other underscores are dashes, so that data_space is data-space."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{number(value) if isinstance(value, float) else clean(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return Markup(f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>")


def group(children: Iterable[Markup], **attributes: object) -> Markup:
    return tag("g", *children, **attributes)


def title(words: str) -> Markup:
    return Markup(f"<title>{clean(words)}</title>")


def at(x: float, y: float, scale: float = 1.0) -> str:
    moved = f"translate({number(x)} {number(y)})"
    return moved if scale == 1 else f"{moved} scale({number(scale)})"


def rect(box: Box, class_: str, round: float = 0.0) -> Markup:
    x, y, width, height = (float(edge) for edge in box)
    corner = round or None
    return tag("rect", x=x, y=y, width=width, height=height, rx=corner, class_=class_)


def circle(x: float, y: float, radius: float, class_: str) -> Markup:
    return tag("circle", cx=float(x), cy=float(y), r=float(radius), class_=class_)


def path(d: str, class_: str, **attributes: object) -> Markup:
    return tag("path", d=d, class_=class_, **attributes)


def line(points: Iterable[tuple[float, float]], class_: str) -> Markup:
    return path("M" + "L".join(f"{number(x)} {number(y)}" for x, y in points), class_)


def width_of(words: str, size: float) -> float:
    """About how wide: we do not know the reader's font, so rather too wide."""
    return size * sum(_BY_LETTER.get(c, _WIDTH if c.islower() else 0.78) for c in words)


def shortened(words: str, size: float, room: float) -> str:
    if width_of(words, size) <= room:
        return words
    while words and width_of(words + "…", size) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    class_: str,
    anchor: str = "middle",
    room: float | None = None,
) -> Markup:
    """One line, its middle at `y`; words too long for the room are set smaller, then cut."""
    if room is not None:
        wanted = width_of(words, size)
        if wanted > room:
            size = max(size * room / wanted, size * 0.7)
            words = shortened(words, size, room)
    return Markup(
        f'<text x="{number(x)}" y="{number(y + size * 0.36)}" font-size="{number(size)}"'
        f' text-anchor="{anchor}" class="{class_}">{clean(words)}</text>'
    )


_ARTICLE = re.compile(r"^(?:l['’]|la |le |les |un |une |the |an? )", re.IGNORECASE)


def bare(name: str) -> str:
    """A name as it is written on a board: without its article, with a capital."""
    name = _ARTICLE.sub("", name)
    return name[:1].upper() + name[1:]


def initial(name: str) -> str:
    return bare(name.strip())[:1].upper() or "?"


def wrapped(words: str, size: float, room: float, most: int) -> list[str]:
    """The words in at most so many lines; the last one has all that is left."""
    lines: list[str] = []
    left = words.split()
    while left and len(lines) < most - 1:
        taken = [left.pop(0)]
        while left and width_of(" ".join([*taken, left[0]]), size) <= room:
            taken.append(left.pop(0))
        lines.append(" ".join(taken))
    return [*lines, " ".join(left)] if left else lines

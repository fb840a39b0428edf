"""Dice and tracks in the same ink as the boards."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.web.boards.drawing import Box, Markup, circle, group, number, rect, tag, text
from firmware_host.web.boards.layout import words
from game_logic.core import Track

SIDE = 100.0
_PIPS = {
    1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi",
}  # fmt: skip
_SPOTS = {letter: (n % 3, n // 3) for n, letter in enumerate("abcdefghi")}


def die(face: int | None, x: float, y: float, size: float, tint: str = "ivory") -> Markup:
    """A die of six; a face beyond that is a figure, none yet is a dash."""
    box = Box(x, y, size, size)
    unit = size / 4
    if face in _PIPS:
        spots = (_SPOTS[letter] for letter in _PIPS[face])
        marks = [
            circle(x + unit * (column + 1), y + unit * (row + 1), size * 0.09, "pip")
            for column, row in spots
        ]
    else:
        marks = [text(*box.middle, "–" if face is None else str(face), size / 2, "label")]
    return group(
        [rect(box.within(size * 0.05), "body", size * 0.2), *marks], class_=f"die t-{tint}"
    )


def dice_svg(faces: Iterable[int | None], tints: Iterable[str] = (), language: str = "en") -> str:
    """The dice as they lie, side by side; None has not fallen yet."""
    shown, colours = tuple(faces), tuple(tints)
    said = [words()("die_waits").in_(language) if face is None else str(face) for face in shown]
    return tag(
        "svg",
        *(
            die(face, n * SIDE, 0, SIDE, colours[n] if n < len(colours) else "ivory")
            for n, face in enumerate(shown)
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(SIDE * max(1, len(shown)))} {number(SIDE)}",
        role="img",
        aria_label=words()("dice", faces=", ".join(said)).in_(language),
        class_="board dice",
    )


def track_svg(track: Track, language: str) -> str:
    """A bar with a step for each number, the alarming ones marked, and the number itself."""
    wide, high, label = 600.0, 64.0, track.label.in_(language)
    count = max(1, track.maximum)
    gap = 3.0 if count <= 40 else 0.0
    step = wide / count
    danger = count + 1 if track.danger is None else track.danger
    steps = [
        rect(
            Box(n * step, 36, step - gap, 24),
            " ".join(["step", *["full"] * (n < track.value), *["danger"] * (n + 1 >= danger)]),
            min(5.0, step / 3),
        )
        for n in range(count)
    ]
    value = f"{track.value} / {track.maximum}"
    alarming = track.value >= danger
    return tag(
        "svg",
        text(0, 16, label, 24, "name", "start", room=wide - 130),
        text(wide, 16, value, 26, "figure", "end"),
        *steps,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(wide)} {number(high)}",
        role="img",
        aria_label=f"{label}: {value}",
        class_="board track alarming" if alarming else "board track",
    )

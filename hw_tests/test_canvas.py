"""The canvas: text, boxes and shapes on a screen's picture."""

from __future__ import annotations

import pytest
from PIL import Image

from firmware_host.canvas import Canvas, Overflow
from firmware_host.font import (
    SMALL,
)
from hw_tests.ink import drawn, rows


def ink_box(canvas: Canvas) -> tuple[int, int, int, int] | None:
    return canvas.picture.getbbox()


def test_text_is_set_left_centred_and_right():
    wide = SMALL.width("HHH")
    for align, left in (("left", 20), ("center", 20 + (60 - wide) // 2), ("right", 80 - wide)):
        canvas = Canvas()
        end = canvas.text(20, 5, "HHH", align=align, width=60)
        assert ink_box(canvas) == (left, 7, left + wide, 14)
        assert end == left + wide + SMALL.gap
        assert canvas.overflows == []


def test_text_without_a_width_reaches_to_the_edge():
    canvas = Canvas()
    canvas.text(0, 0, "HH", align="right")
    assert ink_box(canvas)[2] == 128
    canvas.text(0, 20, "H" * 30)
    [overflow] = canvas.overflows
    assert overflow.text == "H" * 30
    assert overflow.shown.endswith("H…")
    assert ink_box(canvas)[2] <= 128


def test_inverted_text_is_dark_in_a_lit_box():
    canvas = Canvas()
    canvas.text(10, 10, "Ana", width=40, invert=True)
    assert ink_box(canvas) == (10, 10, 50, 21)
    lit = rows(canvas.picture.crop((10, 10, 50, 21)))
    assert all(r.startswith("##") and r.endswith("##") for r in lit)
    assert sum(r.count(".") for r in lit) == sum(r.count("#") for r in rows(drawn(SMALL, "Ana")))
    canvas = Canvas()
    canvas.text(10, 10, "Ana", invert=True)
    assert ink_box(canvas) == (10, 10, 10 + SMALL.width("Ana") + 4, 21)


def test_a_paragraph_and_what_did_not_fit():
    canvas = Canvas()
    text = "Remettez le pion rouge sur la case 14 !"
    assert canvas.paragraph(0, 10, 128, 3, text, pitch=10) == 30
    assert canvas.overflows == []
    canvas.paragraph(0, 40, 80, 2, text)
    assert canvas.overflows == [
        Overflow(text, "Remettez le pion rouge sur la case…", (0, 40, 80, 22)),
    ]


@pytest.mark.parametrize("at", [(-1, 0), (0, -1), (0, 54), (120, 0)])
def test_a_text_off_the_canvas_is_noted(at):
    canvas = Canvas()
    canvas.text(*at, "Ana", width=20)
    assert [o.text for o in canvas.overflows] == ["Ana"]


def test_thirty_steps_in_124_pixels():
    for value in range(31):
        canvas = Canvas()
        canvas.bar(2, 40, 124, 8, value, 30, steps=30)
        top, ground = (
            "".join(".#"[canvas.picture.getpixel((x, y)) > 0] for x in range(128)) for y in (40, 47)
        )
        assert top.split(".").count("###") == value == top.count("#") / 3
        assert ground.split(".").count("###") == 30
        assert (ground.index("#"), ground.rindex("#")) == (4, 122)


def test_a_plain_bar_shows_something_at_one_and_is_full_only_at_the_end():
    def lit(value: int, steps: int | None = None) -> int:
        canvas = Canvas()
        canvas.bar(0, 0, 54, 8, value, 100, steps)
        assert ink_box(canvas) == (0, 0, 54, 8)
        return rows(canvas.picture)[4][2:52].count("#")

    assert [lit(v) for v in (-5, 0, 1, 50, 99, 100, 120)] == [0, 0, 1, 25, 49, 50, 50]
    assert lit(50, steps=40) == 25  # no room for a gap between forty steps
    Canvas().bar(0, 0, 54, 8, 0, 0)


def test_shapes():
    canvas = Canvas(12, 6)
    canvas.frame(0, 0, 4, 4)
    canvas.fill(1, 1, 2, 2)
    canvas.fill(1, 1, 1, 1, ink=0)
    canvas.fill(0, 0, 0, 5)
    canvas.image(8, 4, Image.new("1", (9, 9), 1))
    canvas.invert((0, 4, 4, 2))
    assert rows(canvas.picture) == [
        "####........",
        "#.##........",
        "####........",
        "####........",
        "####....####",
        "####....####",
    ]
    canvas.invert()
    assert canvas.picture.getpixel((1, 1))
    assert not canvas.picture.getpixel((0, 0))


@pytest.mark.parametrize("size", range(3, 13))
def test_discs_and_rings_are_round(size):
    disc, ring = Canvas(16, 16), Canvas(16, 16)
    disc.disc(2, 2, size)
    ring.ring(2, 2, size)
    for canvas in (disc, ring):
        assert ink_box(canvas) == (2, 2, 2 + size, 2 + size)
        dot = rows(canvas.picture.crop(ink_box(canvas)))
        assert dot == dot[::-1] == [row[::-1] for row in dot]
        assert dot == ["".join(column) for column in zip(*dot, strict=True)]
    assert not ring.picture.getpixel((2 + size // 2, 2 + size // 2))

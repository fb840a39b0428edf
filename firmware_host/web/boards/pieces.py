"""Pieces, on a square of 100 around their middle. Each has a shape or a sign of its own, so that
nobody needs to see colours."""

from __future__ import annotations

import re
from collections.abc import Callable

from firmware_host.web.boards.drawing import (
    NOTHING,
    Box,
    Markup,
    at,
    circle,
    group,
    path,
    rect,
    tag,
    text,
    title,
)
from firmware_host.web.boards.layout import Look, icons
from game_logic.core import Piece

SIZE = 100.0  # what a piece of scale 1 measures
ASPECT = 0.8  # width to height, about
STOREY = 34.0  # by which a stacked piece stands higher


def icon(name: str, x: float, y: float, size: float, class_: str = "icon") -> Markup:
    """An icon with its middle at x, y; nothing where there is none of that name."""
    if name not in icons():
        return NOTHING
    scale = size / 24
    return path(icons()[name], class_, transform=at(x - size / 2, y - size / 2, scale))


def _shadow(rx: float = 34.0, y: float = 43.0) -> Markup:
    return tag("ellipse", cx=0.0, cy=y, rx=rx, ry=8.0, class_="shadow")


def _body(look: Look, d: str, **attributes: object) -> Markup:
    return path(d, "body", fill=look.fill or None, **attributes)


_TORSO = "M-31 42Q-33 16-10 8L10 8Q33 16 31 42Q0 50-31 42Z"


def _pawn(look: Look) -> Markup:
    head = tag("circle", cx=0.0, cy=-16.0, r=27.0, class_="body", fill=look.fill or None)
    shine = path("M-17-22Q-13-35 0-37", "shine")
    return group([_shadow(), _body(look, _TORSO), head, shine, _label(look, -16)])


def _person(look: Look) -> Markup:
    """Square where a pawn is round: somebody from outside."""
    head = _body(look, "M-20-43H20Q27-43 27-36V4Q27 11 20 11H-20Q-27 11-27 4V-36Q-27-43-20-43Z")
    return group([_shadow(), _body(look, _TORSO), head, _label(look, -16)])


def _visitor(look: Look) -> Markup:
    """Six-sided: belongs to nobody."""
    head = _body(look, "M-16-44H16L31-17 16 11H-16L-31-17Z")
    return group([_shadow(), _body(look, _TORSO), head, _label(look, -16)])


def _guard(look: Look) -> Markup:
    cap = path("M-34-22Q-36-44 0-48Q36-44 34-22Q0-32-34-22Z", "cap")
    badge = _body(look, "M-33-19Q0-29 33-19V6Q32 34 0 47Q-32 34-33 6Z")
    mark = icon(look.icon or "star", 0, 9, 44) if not look.label else _label(look, 9)
    return group([_shadow(26, 45), badge, mark, cap, circle(0, -37, 5, "brass")])


def _puck(look: Look) -> Markup:
    """A magnetic pawn that others can stand on: what it is shows on its side."""
    side = _body(look, "M-46-14V18Q-46 36 0 36Q46 36 46 18V-14Z")
    top = tag("ellipse", cx=0.0, cy=-14.0, rx=46.0, ry=17.0, class_="body", fill=look.fill or None)
    gloss = tag("ellipse", cx=0.0, cy=-14.0, rx=46.0, ry=17.0, class_="gloss")
    return group([_shadow(42, 34), side, top, gloss, _label(look, 19, 33)])


def _knot_round(look: Look) -> Markup:
    strands = path(
        "M-38-6Q-8-32 22-36M-42 12Q-2-18 37-18M-32 27Q8 4 42 6M-14 40Q14 22 36 24", "rope"
    )
    return group([_shadow(36, 38), circle(0, 0, 43, "body"), strands])


def _knot_square(look: Look) -> Markup:
    ends = "M-6-46Q0-52 6-46L46-6Q52 0 46 6L6 46Q0 52-6 46L-46 6Q-52 0-46-6Z"
    strands = path("M-26-26L26 26M-38-12L12 38M-12-38L38 12M26-26L10-10M-10 10L-26 26", "rope")
    return group([_shadow(36, 40), _body(look, ends), strands])


def _figure(look: Look) -> Markup:
    """An escapee, arms up; stripes and a sign on the chest."""
    arms = path("M-22 4L-36-30M22 4L36-30", "limb")
    head = circle(0, -30, 16, "skin")
    cap = _body(look, "M-17-33Q-16-50 0-50Q16-50 17-33Z")
    torso = _body(look, "M-22-8Q0-18 22-8L26 46H6L0 24-6 46H-26Z")
    stripes = path("M-23 2H23M-24 16H24M-25 32H-4M4 32H25", "stripe")
    if look.icon == "diamond":
        sign = path("M0-9L14 5 0 19-14 5Z", "sign")
    else:
        sign = circle(0, 5, 12, "sign")
    return group([_shadow(28, 46), arms, torso, stripes, cap, head, sign, _label(look, 5, 18)])


def _token(look: Look) -> Markup:
    mark = _label(look, 0, 40) if look.label else icon(look.icon, 0, 0, 56)
    return group([_shadow(34, 40), circle(0, 0, 40, "body"), mark])


def _tile(look: Look) -> Markup:
    mark = _label(look, 0, 40) if look.label else icon(look.icon, 0, 0, 60)
    return group([_shadow(36, 40), rect(Box(-40, -40, 80, 80), "body", 16), mark])


def _label(look: Look, y: float, size: float = 34.0) -> Markup:
    if not look.label:
        return icon(look.icon, 0, y, size) if look.icon != "diamond" else NOTHING
    return text(0, y, look.label, size * (1 if len(look.label) < 2 else 0.82), "label")


_SHAPES: dict[str, Callable[[Look], Markup]] = {
    "pawn": _pawn,
    "person": _person,
    "visitor": _visitor,
    "guard": _guard,
    "puck": _puck,
    "knot_round": _knot_round,
    "knot_square": _knot_square,
    "figure": _figure,
    "token": _token,
    "tile": _tile,
}
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


def shaped(look: Look, x: float, y: float, size: float) -> Markup:
    """A picture of a piece: not one that stands on the board."""
    if _HEX.fullmatch(look.fill):
        red, green, blue = (int(look.fill[n : n + 2], 16) for n in (1, 3, 5))
        bright = 0.299 * red + 0.587 * green + 0.114 * blue > 150
        tint = "own bright" if bright else "own"
    else:
        look, tint = Look(look.shape, look.tint, look.label, look.icon), f"t-{look.tint}"
    shape = _SHAPES.get(look.shape, _token)
    return group([shape(look)], class_=f"piece {tint}", transform=at(x, y, size / SIZE))


def standing(
    piece: Piece, n: int, name: str, look: Look, x: float, y: float, size: float
) -> Markup:
    """A piece on the board: the `n`th from below of its space."""
    covered = "covered" if piece.covered else None
    return group(
        [title(name), shaped(look, x, y, size)],
        class_=covered,
        data_piece=piece.kind,
        data_id=piece.id or "",
        data_n=n,
    )


def spread(pieces: int, area: Box, most: float) -> tuple[float, list[tuple[float, float]]]:
    """How large so many pieces can be side by side, and where the middle of each is."""
    best, columns = 0.0, 1
    for wide in range(1, pieces + 1):
        rows = -(-pieces // wide)
        size = min(area.width / wide / ASPECT, area.height / rows, most)
        if size > best + 0.01:
            best, columns = size, wide
    rows = -(-pieces // columns)
    x, y = area.middle
    spots = []
    for n in range(pieces):
        row = n // columns
        there = min(columns, pieces - row * columns)
        across = (n % columns - (there - 1) / 2) * best * ASPECT
        spots.append((x + across, y + (row - (rows - 1) / 2) * best))
    return best, spots


def stacked(pieces: int, area: Box, most: float) -> tuple[float, list[tuple[float, float]]]:
    """One above the other from the foot of the area up; a high stack may rise out of it."""
    size = min(area.width / 0.9, area.height, most)
    step = min(STOREY, 190 / max(1, pieces - 1)) * size / SIZE
    x, foot = area.middle[0], area.y + area.height - size / 2
    return size, [(x, foot - n * step) for n in range(pieces)]

"""La grande évasion: a prison on an island, the path to the landing stage, and four boats."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from math import cos, dist, pi, sin

from firmware_host.web.boards.drawing import (
    Box,
    Markup,
    at,
    circle,
    group,
    line,
    path,
    rect,
    tag,
    text,
)
from firmware_host.web.boards.layout import Layout
from firmware_host.web.boards.sheet import Drawing, Sheet

FILE = "la_grande_evasion.toml"
FINE = 12  # points that a bend is drawn with

Point = tuple[float, float]


class IslandLayout(Layout, frozen=True, forbid_unknown_fields=True, kw_only=True):
    wide: float
    high: float
    square: float
    prison: tuple[float, float, float, float]
    hole: Point
    windows: Point
    window_size: Point
    path: tuple[Point, ...]
    boats: tuple[Point, ...]
    boat: Point
    islet: Point
    trees: tuple[Point, ...]
    waves: tuple[Point, ...]


def draw(sheet: Sheet) -> Drawing:
    layout = sheet.layout
    assert isinstance(layout, IslandLayout)
    for pawn in sheet.view["pawns"]:
        sheet.labels[pawn["id"]] = str(pawn["number"])
        sheet.fills[pawn["id"]] = pawn["hex"]
    trail = _curve(layout.path)
    squares = [s for s in sheet.spaces if s == "start" or s.startswith("square_")]
    spots = dict(zip(squares, _evenly(trail, len(squares)), strict=True))
    home = spots.get(sheet.view["home"])
    layers = [
        *_island(layout, trail),
        *_prison(layout),
        *([_sheet_rope(layout, home)] if home and sheet.view["home"] != "start" else []),
        *_windows(sheet, layout),
        *_squares(sheet, layout, spots),
        *_boats(sheet, layout),
    ]
    return Drawing(layout.wide, layout.high, layers)


def _curve(points: tuple[Point, ...]) -> list[Point]:
    """A soft line through all points (Catmull and Rom)."""
    padded = (points[0], *points, points[-1])
    soft = [points[0]]
    for n in range(len(points) - 1):
        a, b, c, d = padded[n : n + 4]
        for step in range(1, FINE + 1):
            t = step / FINE
            x, y = (
                0.5
                * (
                    2 * b[i]
                    + (c[i] - a[i]) * t
                    + (2 * a[i] - 5 * b[i] + 4 * c[i] - d[i]) * t**2
                    + (3 * b[i] - a[i] - 3 * c[i] + d[i]) * t**3
                )
                for i in (0, 1)
            )
            soft.append((x, y))
    return soft


def _evenly(trail: list[Point], count: int) -> list[Point]:
    """So many points on the line, as far from each other as they can be."""
    walked = [0.0]
    for one, other in pairwise(trail):
        walked.append(walked[-1] + dist(one, other))
    spots = []
    for n in range(count):
        wanted = walked[-1] * n / max(1, count - 1)
        after = min(max(1, bisect_left(walked, wanted)), len(trail) - 1)
        (x, y), (to_x, to_y) = trail[after - 1], trail[after]
        share = (wanted - walked[after - 1]) / (walked[after] - walked[after - 1])
        spots.append((x + (to_x - x) * share, y + (to_y - y) * share))
    return spots


def _island(layout: IslandLayout, trail: list[Point]) -> Iterator[Markup]:
    x, y, width, height = layout.prison
    rock = Box(x - 20, y - 10, width + 40, height + 60)
    yield rect(Box(0, 0, layout.wide, layout.high), "sea", 28)
    yield group(path(f"M{wx} {wy}q12-12 24 0t24 0t24 0", "wave") for wx, wy in layout.waves)
    yield from _lighthouse(*layout.islet)
    for shore in ("surf", "sand", "grass"):
        grown = {"surf": 34.0, "sand": 20.0, "grass": 0.0}[shore]
        yield rect(rock.within(-grown), f"{shore} block", 60 + grown)
        yield line(trail, f"{shore} bank")
    x, y = layout.path[-1]
    planks = group(rect(Box(x + 14 + n * 24, y - 34, 20, 68), "plank", 4) for n in range(4))
    yield planks
    yield line(trail, "trail")
    for x, y in layout.trees:
        crown = f"M{x - 24} {y + 6}L{x} {y - 42}L{x + 24} {y + 6}Z"
        yield group([rect(Box(x - 4, y, 8, 22), "trunk", 3), path(crown, "tree")])


def _lighthouse(x: float, y: float) -> Iterator[Markup]:
    for shore, grown in (("surf", 26.0), ("sand", 12.0), ("grass", 0.0)):
        yield tag(
            "ellipse", cx=x, cy=y + 46, rx=64 + grown, ry=22 + grown * 0.7, class_=f"{shore} block"
        )
    yield path(f"M{x} {y - 74}l-150-26v64ZM{x} {y - 74}l150-26v64Z", "ray")
    yield path(f"M{x - 24} {y + 48}l8-112h32l8 112Z", "lighthouse")
    yield path(f"M{x - 21.5} {y + 14}l2.5-34h38l2.5 34Z", "lighthouse-band")
    yield rect(Box(x - 20, y - 90, 40, 28), "lighthouse-lamp", 6)
    yield path(f"M{x - 24} {y - 90}L{x} {y - 114}L{x + 24} {y - 90}Z", "roof")


def _prison(layout: IslandLayout) -> Iterator[Markup]:
    box = Box(*layout.prison)
    yield rect(box, "stone", 10)
    for n in range(int(box.width // 55)):
        yield rect(Box(box.x + n * 55 + 6, box.y - 22, 34, 30), "stone", 3)
    for x in (box.x - 14, box.x + box.width - 56):
        yield rect(Box(x, box.y - 40, 70, box.height + 40), "stone turret", 8)
        yield path(f"M{x - 10} {box.y - 36}L{x + 35} {box.y - 84}L{x + 80} {box.y - 36}Z", "roof")
    x, y = layout.hole
    edge = ((-36, 0), (-40, -40), (-18, -78), (8, -70), (34, -52), (38, 0))
    jags = [(x + dx, y + dy) for dx, dy in edge]
    yield line([*jags, jags[0]], "hole")


def _sheet_rope(layout: IslandLayout, home: Point) -> Markup:
    """The knotted sheet of the short path, from the window above to the path (R25)."""
    first, step = layout.windows
    x = min((first + n * step for n in range(7)), key=lambda at: abs(at - home[0]))
    top = layout.prison[1] + 116
    knots = [
        circle(x + (home[0] - x) * t / 6, top + (home[1] - top) * t / 6, 9, "linen")
        for t in range(1, 6)
    ]
    return group([line([(x, top), home], "linen-rope"), *knots])


def _windows(sheet: Sheet, layout: IslandLayout) -> Iterator[Markup]:
    first, step = layout.windows
    width, height = layout.window_size
    windows = [space for space in sheet.spaces if space.startswith("window_")]
    step = min(step, 7 * step / max(1, len(windows)))
    for n, space in enumerate(windows):
        x, y = first + n * step - width / 2, layout.prison[1] + 38
        box = Box(x, y, width, height)
        half = width / 2
        arch = f"M{x} {y + height}V{y + 26}q0-26 {half}-26t{half} 26V{y + height}Z"
        bars = group(
            line([(x + width * b / 4, y + 8), (x + width * b / 4, y + height)], "bar")
            for b in (1, 2, 3)
        )
        label = text(box.middle[0], y + height + 20, space.removeprefix("window_"), 20, "carved")
        stand = Box(x, y + 14, width, height - 16)
        yield sheet.space(space, path(arch, "drop window"), stand, 70, bars, label)


def _squares(sheet: Sheet, layout: IslandLayout, spots: dict[str, Point]) -> Iterator[Markup]:
    apart = min((dist(a, b) for a, b in pairwise(spots.values())), default=100.0)
    radius = min(layout.square, apart * 0.47)
    last = len(spots) - 1
    for n, (space, (x, y)) in enumerate(spots.items()):
        kind = "drop stone-slab" + (" ends" if n in (0, last) else "")
        words = sheet.short(space).split(" ")[-1] if n else "★"
        number = text(x, y, words, radius * 0.62, "slab-number")
        label = _flag(x, y, radius) if n == last else number
        stand = Box(x - radius, y - radius * 0.9, 2 * radius, radius * 1.8)
        yield sheet.space(space, circle(x, y, radius, kind), stand, radius * 1.8, label)


def _flag(x: float, y: float, radius: float) -> Markup:
    scale = radius / 40
    cloth = path("M-12-24h32l-8 12 8 12h-32Z", "pennant", transform=at(x, y, scale))
    mast = [(x - 12 * scale, y + 24 * scale), (x - 12 * scale, y - 24 * scale)]
    return group([cloth, line(mast, "mast")])


def _boats(sheet: Sheet, layout: IslandLayout) -> Iterator[Markup]:
    boats = [space for space in sheet.spaces if space.startswith("boat_")]
    width, height = layout.boat
    for n, space in enumerate(boats[: len(layout.boats)]):
        x, y = layout.boats[n]
        hull = f"M{-width / 2} 0Q0 16 {width / 2} 0L{width / 2 - 28} {height / 2}H{28 - width / 2}Z"
        ripple = tag("ellipse", cx=x, cy=y + height / 2, rx=width * 0.48, ry=12.0, class_="ripple")
        oars = group(_oar(x + way * width * 0.42, y + 26, way) for way in (-1, 1))
        name = text(x, y + height * 0.29, space.removeprefix("boat_"), 34, "hull-number")
        stand = Box(x - width / 2 + 14, y - 66, width - 28, 76)
        drop = rect(Box(x - width / 2, y - 72, width, height + 16), "drop berth", 30)
        yield sheet.space(
            space, drop, stand, 74, ripple, oars, path(hull, "hull", transform=at(x, y)), name
        )


def _oar(x: float, y: float, way: int) -> Markup:
    end = (x + way * 20 * cos(pi / 4), y + 34 * sin(pi / 4))
    return group([line([(x - way * 14, y - 10), end], "oar"), circle(*end, 6, "blade")])

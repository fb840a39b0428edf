"""Breakout: the wall at night, its ten openings, the ropes that have grown on it, and who is up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_host.web.boards.drawing import (
    Box,
    Markup,
    circle,
    group,
    line,
    path,
    rect,
    tag,
    text,
    title,
)
from firmware_host.web.boards.layout import Layout
from firmware_host.web.boards.pieces import icon, shaped
from firmware_host.web.boards.sheet import Drawing, Sheet
from game_logic.core import Piece

FILE = "breakout.toml"
FLOORS = COLUMNS = range(1, 6)
COLOURS = ("red", "blue")
SIDES = ("left", "right")
STARS = ((60, 70), (130, 30), (300, 22), (470, 40), (610, 16), (720, 52), (955, 150), (40, 170))


class WallLayout(Layout, frozen=True, forbid_unknown_fields=True):
    wide: float = 1000
    high: float = 1000
    cell: float = 130
    left: float = 170
    top: float = 190


def draw(sheet: Sheet) -> Drawing:
    layout = sheet.layout
    assert isinstance(layout, WallLayout)
    cells = {
        f"r{row}c{column}": Box(
            layout.left + (column - 1) * layout.cell,
            layout.top + (row - 1) * layout.cell,
            layout.cell,
            layout.cell,
        )
        for row in FLOORS
        for column in COLUMNS
    }
    wall = Box(layout.left, layout.top, 5 * layout.cell, 5 * layout.cell)
    layers = [
        *_night(layout, wall),
        group(rect(cell.within(5), "recess", 14) for cell in cells.values()),
        group(_ropes(sheet, cells), class_="ropes"),
        *(
            sheet.space(id, rect(cell.within(5), "drop cell", 14), cell.within(16), 112)
            for id, cell in cells.items()
        ),
        *(_exit(sheet, n, wall, layout.cell) for n in COLUMNS),
        *(_opening(sheet, row, side, wall, layout.cell) for row in FLOORS for side in SIDES),
        *(_stock(sheet, seat, layout) for seat in (0, 1)),
    ]
    return Drawing(layout.wide, layout.high, layers)


def _night(layout: WallLayout, wall: Box) -> Iterator[Markup]:
    ground = wall.y + wall.height
    yield rect(Box(0, 0, layout.wide, layout.high), "sky", 28)
    yield group(circle(x, y, 2.2, "star") for x, y in STARS)
    yield circle(905, 85, 42, "moon")
    yield circle(889, 76, 40, "sky")
    yield path(
        f"M0 {ground + 22}H{layout.wide}V{layout.high - 28}q0 28-28 28H28q-28 0-28-28Z", "earth"
    )
    yield rect(Box(wall.x - 26, wall.y - 22, wall.width + 52, wall.height + 48), "wall", 8)
    courses = range(int(wall.y - 22), int(ground + 26), 33)
    yield group(
        line([(wall.x - 26, y), (wall.x + wall.width + 26, y)], "mortar") for y in courses[1:]
    )
    yield group(
        line([(x + 37 * (n % 2), y), (x + 37 * (n % 2), min(y + 33, ground + 26))], "mortar")
        for n, y in enumerate(courses)
        for x in range(int(wall.x) + 11, int(wall.x + wall.width - 20), 74)
    )
    # The parapet: a merlon on either side of each exit.
    for n in range(6):
        x = wall.x + n * layout.cell
        yield rect(Box(x - 20, wall.y - 58, 40, 42), "wall merlon", 5)


def _ropes(sheet: Sheet, cells: dict[str, Box]) -> Iterator[Markup]:
    """Neighbouring knots of a colour hold together: that is what a link is made of."""
    colour = {space: sheet.image[space][0].kind for space in cells if sheet.image.get(space)}
    for row in FLOORS:
        for column in COLUMNS:
            here = f"r{row}c{column}"
            for beside in (f"r{row + 1}c{column}", f"r{row}c{column + 1}"):
                if here in colour and colour[here] == colour.get(beside):
                    ends = [cells[here].middle, cells[beside].middle]
                    tint = f"t-{colour[here].removeprefix('knot_')}"
                    yield group([line(ends, "strand"), line(ends, "twist")], class_=tint)


def _exit(sheet: Sheet, n: int, wall: Box, cell: float) -> Markup:
    box = Box(wall.x + (n - 1) * cell + 22, wall.y - 172, cell - 44, 150)
    choices: list[dict[str, Any]] = sheet.view["choices"]
    chosen = any(n in _exits(choice) for choice in choices)
    number = text(box.middle[0], box.y + box.height - 14, str(n), 22, "exit-number")
    stand = Box(box.x, box.y + 4, box.width, box.height - 30)
    drop = rect(box, "drop exit chosen" if chosen else "drop exit", 16)
    return sheet.space(f"exit_{n}", drop, stand, 138, number)


def _exits(choice: Any) -> tuple[int, ...]:
    return tuple(choice["exits"] if isinstance(choice, dict) else choice)


def _opening(sheet: Sheet, row: int, side: str, wall: Box, cell: float) -> Markup:
    """Where knots go in. The barred one is barred for whoever's turn it is (R14)."""
    turn, bans = sheet.view["turn"], sheet.view["bans"]
    barred = turn in (0, 1) and bans[turn] is not None and _same(bans[turn], row, side)
    words = sheet.say("opening", row=row, side=sheet.say(side))
    if barred:
        words = sheet.say("banned", opening=words)
    y = wall.y + (row - 0.5) * cell
    out = wall.x - 26 if side == "left" else wall.x + wall.width + 26
    way = 1 if side == "left" else -1
    box = Box(out - 104 if side == "left" else out, y - 46, 104, 92)
    tip = out - 12 * way
    shaft, head = 34 * way, f"l{34 * way} 32l{-34 * way} 32"
    arrow = path(f"M{tip - 66 * way} {y - 16}h{shaft}v-16{head}v-16h{-shaft}Z", "arrow")
    bar = [icon("cross", box.middle[0], y, 66, "icon barred")] if barred else []
    return group(
        [title(words), rect(box.within(4), "gate", 18), arrow, *bar],
        class_="opening barred" if barred else "opening",
        data_opening=f"{row}_{side}",
    )


def _same(ban: Any, row: int, side: str) -> bool:
    return bool(ban["row"] == row and ban["side"] == side)


def _stock(sheet: Sheet, seat: int, layout: WallLayout) -> Markup:
    """What a player still has to push in; the knots lie in two rows under his name."""
    n, name = sheet.view["stocks"][seat], sheet.view["seats"][seat]
    turn = "stock turn" if sheet.view["turn"] == seat else "stock"
    half = layout.wide / 2
    box = Box(24 + seat * half - 8 * seat, layout.high - 124, half - 32, 106)
    said = sheet.say("stock_one" if n == 1 else "stock", name=name, n=n)
    knot = Piece(f"knot_{COLOURS[seat]}")
    look = sheet.look(knot)
    knots = [
        shaped(look, box.x + 38 + (i % 13) * 32.5, box.y + 74 + i // 13 * 20, 33) for i in range(n)
    ]
    head = shaped(sheet.look(Piece(f"figure_{COLOURS[seat]}")), box.x + 30, box.y + 28, 44)
    return tag(
        "g",
        title(said),
        rect(box, "panel", 16),
        head,
        text(box.x + 58, box.y + 28, name, 26, "name", "start", room=box.width - 120),
        text(box.x + box.width - 20, box.y + 28, str(n), 28, "figure", "end"),
        *knots,
        class_=turn,
        data_stock=seat,
    )

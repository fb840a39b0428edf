"""Prison Break: five zones of nine squares, fourteen buildings, and what watches over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from firmware_host.web.boards.drawing import (
    NOTHING,
    Box,
    Markup,
    circle,
    group,
    line,
    rect,
    text,
    title,
    wrapped,
)
from firmware_host.web.boards.layout import Layout
from firmware_host.web.boards.pieces import icon
from firmware_host.web.boards.sheet import Drawing, Sheet
from game_logic.prison_break.board import Board, bits

FILE = "prison_break.toml"
TOKEN = 0.46  # the place of a camera, tower, tool or route token, in squares


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: tuple[float, float, float, float]
    icon: str = ""


class PlanLayout(Layout, frozen=True, forbid_unknown_fields=True, kw_only=True):
    unit: float
    margin: tuple[float, float]
    size: tuple[float, float]
    rooms: dict[str, Room]
    spots: dict[str, tuple[float, float]]
    corridors: dict[str, tuple[tuple[float, float], ...]]


def draw(sheet: Sheet) -> Drawing:
    assert isinstance(sheet.layout, PlanLayout)
    for space in sheet.image.values():
        for piece in space:
            if piece.kind in ("pawn", "external") and piece.id:
                sheet.labels[piece.id] = sheet.piece(piece).split()[-1][:2].title()
    return _Plan(sheet, sheet.layout).drawn()


class _Plan:
    """Both the game's own board and our layout, while one picture is drawn."""

    def __init__(self, sheet: Sheet, layout: PlanLayout) -> None:
        game: Any = sheet.game
        self.sheet = sheet
        self.layout = layout
        self.board: Board = game.box.board
        self.tools = {
            f"tool_{tool.id}": self.board.squares[at]
            for tool, at in zip(game.box.tools, game.box.tool_spaces, strict=True)
        }
        self.building_of = {
            self.board.squares[n]: id
            for id, mask in self.board.buildings.items()
            for n in bits(mask)
        }
        lit = sheet.view["lit"]
        self.lit_zone = lit["tower"]["number"] if lit["tower"] else None
        self.lit_camera = lit["camera"]["number"] if lit["camera"] else None
        plan = sheet.view["plan"]
        self.route: list[str] = plan["route"] if plan else []
        self.planned = {f"route_{place}" for place in self.route}
        if plan:
            self.planned.add(plan["perimeter"])

    def drawn(self) -> Drawing:
        width, height = (side * self.layout.unit for side in self.layout.size)
        squares = self.board.squares
        layers = [
            rect(Box(0, 0, width, height), "yard-ground", 28),
            rect(Box(0, 0, width, height).within(12), "fence", 22),
            group(self._ways()),
            *(self._zone(number) for number in range(1, 6)),
            *(
                self._square(n, space) if self.board.zone_of[n] else self._room(n, space)
                for n, space in enumerate(squares)
            ),
            *self._tokens(),
        ]
        return Drawing(width, height, layers)

    # -- where things are -----------------------------------------------------------------------

    def _at(self, x: float, y: float) -> tuple[float, float]:
        left, top = self.layout.margin
        return (x + left) * self.layout.unit, (y + top) * self.layout.unit

    def _box(self, space: str) -> Box:
        """In units of the grid."""
        if space in self.layout.rooms:
            return Box(*self.layout.rooms[space].box)
        x, y = self.board.at[self.board.index[space]]
        return Box(x, y, 1, 1)

    def _on_sheet(self, box: Box) -> Box:
        x, y = self._at(box.x, box.y)
        return Box(x, y, box.width * self.layout.unit, box.height * self.layout.unit)

    # -- ground ---------------------------------------------------------------------------------

    def _ways(self) -> Iterator[Markup]:
        """Doors and gates: the steps that do not lie in a zone."""
        squares = self.board.squares
        indoors = [
            step for step in self.board.steps if not any(self.board.zone_of[n] for n in step)
        ]
        for a, b in (*self.board.gates, *self.board.doors, *indoors):
            one, other = self._box(squares[a]), self._box(squares[b])
            bends = self.layout.corridors.get(f"{squares[a]}-{squares[b]}")
            if bends:
                ends = (_edge(one, bends[0]), *bends, _edge(other, bends[-1]))
            else:
                ends = _straight(one, other)
            points = [self._at(*point) for point in ends]
            yield line(points, "way")
            yield line(points, "way-inner")

    def _zone(self, number: int) -> Markup:
        first = self._box(f"z{number}_1")
        box = self._on_sheet(Box(first.x, first.y, 3, 3)).within(-7)
        lit = number == self.lit_zone
        shine = [rect(box.within(-8), "beam", 24)] if lit else []
        return group([*shine, rect(box, f"zone z{number}", 16)])

    def _square(self, n: int, space: str) -> Markup:
        number = self.board.zone_of[n]
        box = self._on_sheet(self._box(space)).within(3)
        tower = self.board.tower_of.get(n)
        decor = [self._object(space, box)]
        if tower:
            decor.append(icon("tower", *box.middle, box.width * 0.8, "icon printed"))
        drop = rect(box, f"drop square z{number}", 9)
        return self.sheet.space(space, drop, box.within(3), 58, *decor)

    def _room(self, n: int, space: str) -> Markup:
        sheet, unit = self.sheet, self.layout.unit
        building = self.building_of[space]
        room = self.layout.rooms.get(space)
        box = self._on_sheet(self._box(space)).within(2)
        kind = "strategic" if self.board.strategic >> n & 1 else "white"
        watched = self.lit_camera is not None and self.board.camera_of.get(n) == self.lit_camera
        state = f"{' lit' if watched else ''}{' planned' if building in self.route else ''}"
        drop = rect(box, f"drop building {kind}{state}", 10)
        if room is None:
            mark = icon("bars", *box.middle, unit * 0.62, "icon printed")
            return sheet.space(space, drop, box.within(4), 58, mark)
        x, y, width, height = box
        small = width < unit * 1.5
        size = 12.5 if small else 15.5
        lines = wrapped(sheet.short(space), size, width - (8 if small else 40), most=2)
        shift = 0.0 if small else 10.0
        room_left = width - (6 if small else 36)
        label = [
            text(
                x + width / 2 + shift, y + 13 + k * (size + 1), line_, size, "name", room=room_left
            )
            for k, line_ in enumerate(lines)
        ]
        sign = NOTHING if small else icon(room.icon, x + 17, y + 16, 21)
        top = 12 + len(lines) * (size + 1)
        stand = Box(x + 4, y + top, width - 8, height - top - unit * TOKEN - 6)
        return sheet.space(space, drop, stand, 58, sign, *label, self._object(space, box))

    def _object(self, space: str, box: Box) -> Markup:
        """A token on the ground; a seat that has looked at it sees what it is."""
        token = self.sheet.view["ground"].get(space)
        if token is None:
            return NOTHING
        sheet: Any = self.sheet
        known = token in sheet.game.box.kinds
        words = sheet.say("object") if not known else token
        x, y = box.x + 15, box.y + box.height - 15
        mark = icon(token if known else "unknown", x, y, 15)
        return group([title(words), circle(x, y, 11, "found"), mark], class_="object")

    # -- tokens ---------------------------------------------------------------------------------

    def _tokens(self) -> Iterator[Markup]:
        cameras = {
            f"camera_{n}": self.board.squares[square] for square, n in self.board.camera_of.items()
        }
        routes = {
            f"route_{id}": self.board.squares[bits(mask)[0]]
            for id, mask in self.board.buildings.items()
        }
        for square, n in self.board.tower_of.items():
            box = self._box(self.board.squares[square])
            yield self._token(
                f"tower_{n}", (box.x + box.width - 0.08, box.y + 0.08), "lamp", str(n)
            )
        for order, (places, sign) in enumerate(
            ((routes, "steps"), (cameras, "camera"), (self.tools, "tools"))
        ):
            for space, home in places.items():
                number = space.removeprefix("camera_") if places is cameras else ""
                yield self._token(space, self._foot(home, order), sign, number)
        for space, spot in self.layout.spots.items():
            yield self._token(space, spot, "steps")

    def _foot(self, home: str, order: int) -> tuple[float, float]:
        """A place at the foot of a room, from the right; an object lies on the left."""
        box = self._box(home)
        return (
            box.x + box.width - 0.08 - TOKEN * (order + 0.5),
            box.y + box.height - 0.08 - TOKEN / 2,
        )

    def _token(
        self, space: str, middle: tuple[float, float], sign: str, number: str = ""
    ) -> Markup:
        spot = self.layout.spots.get(space, middle)
        x, y = self._at(*spot)
        size = TOKEN * self.layout.unit
        box = Box(x - size / 2, y - size / 2, size, size).within(1.5)
        mark = (
            text(x, y, number, size * 0.55, "token-number")
            if number
            else icon(sign, x, y, size * 0.6, "icon printed")
        )
        kind = space.split("_")[0]
        wanted = " planned" if space in self.planned else ""
        drop = rect(box, f"drop token-spot {kind}{wanted}", size / 2)
        return self.sheet.space(space, drop, box, size * 1.1, mark)


def _edge(box: Box, towards: tuple[float, float]) -> tuple[float, float]:
    """Where a way to that point leaves the box: straight out of a side if it can."""
    x, y = towards
    return min(max(x, box.x), box.x + box.width), min(max(y, box.y), box.y + box.height)


def _straight(one: Box, other: Box) -> tuple[tuple[float, float], ...]:
    """From box to box: square to their sides where they face each other, else corner to corner."""
    left, right = max(one.x, other.x), min(one.x + one.width, other.x + other.width)
    top, foot = max(one.y, other.y), min(one.y + one.height, other.y + other.height)
    if right > left:
        towards = ((left + right) / 2, other.middle[1]), ((left + right) / 2, one.middle[1])
    elif foot > top:
        towards = (other.middle[0], (top + foot) / 2), (one.middle[0], (top + foot) / 2)
    else:
        towards = other.middle, one.middle
    return _edge(one, towards[0]), _edge(other, towards[1])

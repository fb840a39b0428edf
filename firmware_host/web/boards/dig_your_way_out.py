"""Dig Your Way Out: the plan of Blackgate, and below it, cut open, the tunnel of every prisoner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from firmware_host.scenes.gauges import initials
from firmware_host.web.boards.drawing import Box, Markup, circle, group, path, rect, text, title
from firmware_host.web.boards.gauges import die
from firmware_host.web.boards.layout import Layout
from firmware_host.web.boards.pieces import icon, shaped
from firmware_host.web.boards.sheet import Drawing, Sheet
from game_logic.core import Piece

FILE = "dig_your_way_out.toml"
STONES = ((90, 4, 9), (310, 2, 6), (560, 6, 8), (770, 0, 5), (1010, 4, 10), (1140, 3, 6))
NAME = 290.0  # the room for a name before its tunnel


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    box: tuple[float, float, float, float]
    icon: str = ""
    open_air: bool = False


class BlackgateLayout(Layout, frozen=True, forbid_unknown_fields=True, kw_only=True):
    wide: float
    building: tuple[float, float, float, float]
    corridor: tuple[float, float, float, float]
    under: float
    tunnel_high: float
    rooms: dict[str, Room]
    actions: dict[str, str]


class Tunnel(msgspec.Struct, frozen=True):
    """Somebody's, or a team's."""

    name: str
    seats: tuple[int, ...]
    points: int
    turn: bool


def draw(sheet: Sheet) -> Drawing:
    layout = sheet.layout
    assert isinstance(layout, BlackgateLayout)
    game: Any = sheet.game
    letters = initials(list(sheet.view["seats"]))
    pawns = [pawn.id for pawn in game.box.pawns[: len(letters)]]
    sheet.labels |= dict(zip(pawns, letters, strict=False))
    tunnels = list(_tunnels(sheet))
    high = layout.under + len(tunnels) * layout.tunnel_high + 40
    layers = [
        rect(Box(0, 0, layout.wide, high), "ground", 28),
        path(f"M0 {layout.under}H{layout.wide}V{high - 28}q0 28-28 28H28q-28 0-28-28Z", "soil"),
        path(f"M0 {layout.under}H{layout.wide}v10H0Z", "turf"),
        group(circle(x, high - 12 - y, r, "pebble") for x, y, r in STONES),
        rect(Box(*layout.building), "masonry", 14),
        rect(Box(*layout.corridor), "corridor", 0),
        *(_room(sheet, layout, space, room) for space, room in layout.rooms.items()),
        *(
            _tunnel(sheet, pawns, tunnel, layout, layout.under + 24 + n * layout.tunnel_high)
            for n, tunnel in enumerate(tunnels)
        ),
    ]
    return Drawing(layout.wide, high, layers)


def _room(sheet: Sheet, layout: BlackgateLayout, space: str, room: Room) -> Markup:
    box = Box(*room.box)
    x, y, width, height = box
    upper = y < layout.corridor[1]
    door = Box(x + width / 2 - 32, y + height - 6 if upper else y - 14, 64, 20)
    air = " open-air" if room.open_air else ""
    decor = [
        rect(door, "doorway"),
        icon(room.icon, x + width / 2, y + 122, 140, "icon watermark"),
        rect(Box(x + 10, y + 10, width - 20, 44), "sign-board", 12),
        icon(room.icon, x + 34, y + 32, 28),
        text(x + 58, y + 33, sheet.short(space), 25, "name", "start", room=width - 140),
        *_printed(sheet, layout, space, box),
    ]
    stand = Box(x + 10, y + 60, width - 20, height - 112)
    return sheet.space(space, rect(box, f"drop room{air}", 12), stand, 120, *decor)


def _printed(sheet: Sheet, layout: BlackgateLayout, space: str, box: Box) -> Iterator[Markup]:
    """Dice that lead here, what can be done here, how many cards a search gives."""
    game: Any = sheet.game
    options = sheet.view["options"]
    board = game.box.boards[options["teams"], options["use_solitary"]]
    x, y, width, height = box
    faces = [face for face, goals in enumerate(board.die) if space in goals]
    for n, face in enumerate(faces):
        at = x + 14 + n * 38
        words = sheet.say("face", face=face)
        yield group([title(words), die(face, at, y + height - 44, 34)])
    here = [layout.actions.get(action, "star") for action in sorted(board.actions.get(space, ()))]
    if space in board.craft:
        here.append("craft")
    for n, name in enumerate(here):
        yield icon(name, x + width - 30 - n * 40, y + height - 27, 28)
    if found := board.search.get(space, 0):
        yield icon("search", x + width - 58, y + 32, 24)
        yield text(x + width - 34, y + 33, str(found), 24, "figure")


def _tunnels(sheet: Sheet) -> Iterator[Tunnel]:
    view = sheet.view
    prisoners, turn = view["prisoners"], view["turn"]["seat"]
    teams = sorted({p["team"] for p in prisoners if p["team"] is not None})
    for team in teams:
        seats = tuple(s for s, p in enumerate(prisoners) if p["team"] == team)
        points = sum(prisoners[s]["points"] for s in seats)
        names = ", ".join(view["seats"][s] for s in seats)
        yield Tunnel(f"{team}: {names}", seats, points, turn in seats)
    if not teams:
        for seat, prisoner in enumerate(prisoners):
            yield Tunnel(view["seats"][seat], (seat,), prisoner["points"], turn == seat)


def _tunnel(
    sheet: Sheet, pawns: list[str], tunnel: Tunnel, layout: BlackgateLayout, y: float
) -> Markup:
    goal = max(1, sheet.view["goal"])
    high = layout.tunnel_high - 12
    first = 60.0 + 40 * (len(tunnel.seats) - 1)
    start, end = first + NAME, layout.wide - 96
    dug = min(goal, tunnel.points)
    step = (end - start) / goal
    looks = [sheet.look(Piece("pawn", pawns[s])) for s in tunnel.seats if s < len(pawns)]
    heads = [shaped(look, 44 + n * 40, y + high / 2, 46) for n, look in enumerate(looks)]
    said = sheet.say("tunnel", name=tunnel.name, n=tunnel.points, goal=goal)
    lumps = [
        rect(Box(start + n * step + 2, y + 6, step - 4, high - 12), "clod", 10)
        for n in range(dug, goal)
    ]
    burrow = [rect(Box(start - 6, y + 3, dug * step + 10, high - 6), "burrow", 18)] if dug else []
    spade = icon("shovel", start + dug * step - 24, y + high / 2, 30, "icon digger")
    lantern = rect(Box(12, y - 3, layout.wide - 24, high + 6), "lantern", 18)
    out = [icon("sun", end + 34, y + high / 2, 36, "icon free")]
    return group(
        [
            title(said),
            *([lantern] if tunnel.turn else []),
            *lumps,
            *burrow,
            *([spade] if dug else []),
            *heads,
            text(first + 12, y + high / 2, tunnel.name, 25, "on-soil", "start", room=NAME - 84),
            text(start - 16, y + high / 2, f"{tunnel.points}/{goal}", 22, "on-soil", "end"),
            *out,
        ],
        class_="tunnel turn" if tunnel.turn else "tunnel",
    )

"""Alcatraz: twelve tiles as they lie, what lies and who stands on them, and the plan's parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_host.scenes.gauges import initials
from firmware_host.web.boards.drawing import (
    NOTHING,
    Box,
    Markup,
    circle,
    group,
    path,
    rect,
    text,
    title,
    wrapped,
)
from firmware_host.web.boards.layout import Layout
from firmware_host.web.boards.pieces import icon, shaped
from firmware_host.web.boards.sheet import Drawing, Sheet
from game_logic.alcatraz.box import PARTS
from game_logic.core import Piece

FILE = "alcatraz.toml"
CHIP = 40.0  # an object lying on a tile


class RockLayout(Layout, frozen=True, forbid_unknown_fields=True, kw_only=True):
    wide: float
    columns: int
    tile: tuple[float, float]
    sheet_high: float
    icons: dict[str, str]


def draw(sheet: Sheet) -> Drawing:
    layout = sheet.layout
    assert isinstance(layout, RockLayout)
    view = sheet.view
    prisoners = view["prisoners"]
    letters = initials(list(view["seats"]))
    sheet.labels |= {p["pawn"]: letters[seat] for seat, p in enumerate(prisoners)}
    tiles = {place["id"]: place for place in view["locations"]}
    width, height = layout.tile
    known = [space for space in sheet.spaces if space in tiles]
    rows = -(-len(known) // layout.columns)
    high = rows * height + layout.sheet_high + 16
    layers = [rect(Box(0, 0, layout.wide, high), "rock", 28)]
    for n, space in enumerate(known):
        box = Box(n % layout.columns * width, n // layout.columns * height, width, height)
        layers.append(_tile(sheet, layout, tiles[space], box.within(7)))
    across = layout.wide / max(1, len(prisoners))
    for seat in range(len(prisoners)):
        box = Box(seat * across, rows * height + 4, across, layout.sheet_high + 4)
        layers.append(_prisoner(sheet, seat, box.within(7)))
    return Drawing(layout.wide, high, layers)


def _tile(sheet: Sheet, layout: RockLayout, place: dict[str, Any], box: Box) -> Markup:
    x, y, width, height = box
    space, face = place["id"], place["face"]
    shut = "closed" if place["closed"] else "watched" if place["watched"] else ""
    game: Any = sheet.game
    number = game.box.index[space] + 1
    decor = [
        path(
            f"M{x} {y + 44}V{y + 16}q0-16 16-16H{x + width - 16}q16 0 16 16V{y + 44}Z",
            f"band {face}",
        ),
        icon(layout.icons.get(space, ""), x + width / 2, y + 116, 118, "icon watermark"),
        icon(layout.icons.get(space, ""), x + 26, y + 22, 28, "icon on-band"),
        text(x + 50, y + 23, sheet.short(space), 23, "on-band", "start", room=width - 92),
        text(x + width - 20, y + 23, str(number), 20, "on-band faint"),
        *_function(sheet, space, face, box),
        *(
            _chip(sheet, object, x + 28 + n * (CHIP + 6), y + height - 66)
            for n, object in enumerate(place["objects"])
        ),
    ]
    task = _task(sheet, place["task"], Box(x + width - 74, y + 54, 62, 84))
    if shut:
        decor.append(_ribbon(sheet, shut, box))
    room = width - (92 if place["task"] else 16)
    stand = Box(x + 8, y + 50, room, height - 50 - 92)
    drop = rect(box, f"drop tile {shut}".rstrip(), 16)
    return sheet.space(space, drop, stand, 96, *decor, task)


def _function(sheet: Sheet, space: str, face: str | None, box: Box) -> Iterator[Markup]:
    """What the tile does, as it is printed on the face that is up."""
    if face is None:
        return
    game: Any = sheet.game
    silver, alternative = game.box.functions[game.box.index[space]]
    does = silver if face == "silver" else alternative
    lines = wrapped(does.text.in_(sheet.language), 14, box.width - 20, most=2)
    for n, words in enumerate(lines):
        y = box.y + box.height - 12 - (len(lines) - 1 - n) * 17
        yield text(box.x + 12, y, words, 14, "fine", "start", room=box.width - 20)


def _chip(sheet: Sheet, object: str, x: float, y: float) -> Markup:
    game: Any = sheet.game
    kind = game.box.kinds.get(object)
    name = Markup("") if kind is None else title(kind.fr if sheet.language == "fr" else kind.en)
    known = _known(sheet, object)
    return group(
        [name, circle(x, y, CHIP / 2, f"chip o-{known}"), icon(known, x, y, 25)], class_="object"
    )


def _task(sheet: Sheet, id: str | None, box: Box) -> Markup:
    """A task card: the large letter is the part of the plan that it is good for."""
    game: Any = sheet.game
    task = game.box.tasks.get(id) if id else None
    if task is None:
        return NOTHING
    words = task.fr if sheet.language == "fr" else task.en
    middle = box.middle[0]
    needs = [
        icon(object, middle + (n - (len(task.objects) - 1) / 2) * 18, box.y + 70, 16, "icon fine")
        for n, object in enumerate(task.objects)
    ]
    return group(
        [
            title(sheet.say("task", part=task.part, task=words)),
            rect(box, "card", 8),
            text(middle, box.y + 34, task.part, 44, "part"),
            *needs,
        ],
        class_=f"task part-{task.part.lower()}",
    )


def _ribbon(sheet: Sheet, shut: str, box: Box) -> Markup:
    x, y = box.middle
    words = sheet.say(shut)
    return group(
        [
            rect(Box(x - 70, y + 6, 140, 34), f"ribbon {shut}", 8),
            text(x, y + 23, words, 20, "on-ribbon", room=130),
        ]
    )


def _prisoner(sheet: Sheet, seat: int, box: Box) -> Markup:
    """A prisoner's sheet: who it is, the parts he has, what he carries."""
    view = sheet.view
    me, name = view["prisoners"][seat], view["seats"][seat]
    x, y, width, _ = box
    turn = view.get("turn", {}).get("seat") == seat
    goat = view["scapegoat"] == seat
    said = sheet.say("plan_of" if me["parts"] else "plan_none", name=name, parts=me["parts"])
    step = min(38.0, (width - 24) / len(PARTS))
    parts = [
        _part(part, part in me["parts"], x + 28 + n * step, y + 74) for n, part in enumerate(PARTS)
    ]
    foot = y + 114
    stock = [
        icon("heart", x + 26, foot, 22, "icon stamina"),
        text(x + 50, foot, str(me["stamina"]), 20, "figure"),
        icon("coins", x + 86, foot, 22, "icon cash"),
        text(x + 110, foot, str(me["cash"]), 20, "figure"),
        *(
            icon(_known(sheet, object), x + 150 + n * 30, foot, 23)
            for n, object in enumerate(me["objects"])
        ),
    ]
    mark = [icon("horns", x + width - 26, y + 28, 30, "icon goat")] if goat else []
    return group(
        [
            title(said),
            rect(box, "panel", 16),
            shaped(sheet.look(Piece("pawn", me["pawn"])), x + 32, y + 28, 50),
            text(x + 62, y + 28, name, 24, "name", "start", room=width - 110),
            *mark,
            *parts,
            *stock,
        ],
        class_="seat turn" if turn else "seat",
        data_seat=seat,
    )


def _part(part: str, got: bool, x: float, y: float) -> Markup:
    letter = text(x, y, part, 20, "got-letter" if got else "part-letter")
    return group([circle(x, y, 16, "part-spot got" if got else "part-spot"), letter])


def _known(sheet: Sheet, object: str) -> str:
    """The icon of an object; at some tables nobody has told the house what a token is."""
    game: Any = sheet.game
    return object if object in game.box.kinds else "unknown"

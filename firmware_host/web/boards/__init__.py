"""The boards of the games as SVG, for the page and the bench. Pure functions of what people may
see: the view says everything but where pieces stand, and that is in the image.

A board is one `<svg role="img">`. Every space is a `<g data-space="ID">` with its name and
something to drop on, and in it every piece a `<g data-piece="KIND" data-id="ID" data-n="0">`, the
lowest first; Breakout's openings are `<g data-opening="3_left">`. `boards.css`, beside this file,
has the colours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from firmware_host.web.boards import (
    alcatraz,
    breakout,
    dig_your_way_out,
    la_grande_evasion,
    prison_break,
)
from firmware_host.web.boards.drawing import number, tag
from firmware_host.web.boards.gauges import dice_svg, track_svg
from firmware_host.web.boards.layout import Layout, read
from firmware_host.web.boards.pieces import SIZE, shaped
from firmware_host.web.boards.sheet import Drawing, Sheet
from game_logic.core import Game, Image, Piece

__all__ = ["CSS", "dice_svg", "pieces_svg", "stackable", "svg", "track_svg"]

CSS = files(__package__) / "boards.css"
PLAIN = 900.0  # the width of a board that has no layout at all


class _Board(NamedTuple):
    draw: Callable[[Sheet], Drawing]
    file: str
    layout: type[Layout]


_BOARDS = {
    "breakout": _Board(breakout.draw, breakout.FILE, breakout.WallLayout),
    "la_grande_evasion": _Board(
        la_grande_evasion.draw, la_grande_evasion.FILE, la_grande_evasion.IslandLayout
    ),
    "alcatraz": _Board(alcatraz.draw, alcatraz.FILE, alcatraz.RockLayout),
    "dig_your_way_out": _Board(
        dig_your_way_out.draw, dig_your_way_out.FILE, dig_your_way_out.BlackgateLayout
    ),
    "prison_break": _Board(prison_break.draw, prison_break.FILE, prison_break.PlanLayout),
}


@cache
def _layout(game: str) -> Layout:
    board = _BOARDS.get(game)
    return read(board.file, board.layout) if board else Layout()


def svg(
    game: Game[Any],
    view: Mapping[str, Any],
    image: Image,
    language: str,
    spaces: Sequence[str],
) -> str:
    """The board as this view may see it; `spaces` are `game.spaces(state)`.

    A game or a space that no layout knows is drawn all the same, in rows below the board.
    """
    seen = msgspec.to_builtins(view)  # as it would come over the wire
    sheet = Sheet(game, seen, image, language, spaces, _layout(game.id))
    board = _BOARDS.get(game.id)
    width, height, layers = board.draw(sheet) if board else Drawing(PLAIN, 0, [])
    more, spilt = sheet.spill(width, height + 8)
    return tag(
        "svg",
        *layers,
        *spilt,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height + more)}",
        role="img",
        aria_label=sheet.in_words(),
        class_=f"board {game.id}",
    )


def pieces_svg(
    game: Game[Any], view: Mapping[str, Any], pieces: Sequence[Piece], language: str
) -> list[str]:
    """Each of these pieces by itself, as it looks on this board."""
    sheet = Sheet(game, msgspec.to_builtins(view), {}, language, (), _layout(game.id))
    board = _BOARDS.get(game.id)
    if board:
        board.draw(sheet)  # which also says whose colours and letters the pieces wear
    middle = SIZE / 2
    return [
        tag(
            "svg",
            shaped(sheet.look(piece), middle, middle, SIZE),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(SIZE)} {number(SIZE)}",
            role="img",
            aria_label=sheet.piece(piece),
            class_=f"board {game.id} alone",
        )
        for piece in pieces
    ]


def stackable(game: Game[Any], piece: Piece) -> bool:
    """Can others stand on it?"""
    looks = _layout(game.id).pieces
    look = looks.get(f"{piece.kind}:{piece.id}") or looks.get(piece.kind)
    return look is not None and look.shape == "puck"

"""The board as it lies on the table: windows, start, squares and boats, and who stands there.

Each prisoner waits at the window of its own number, so that a board of switches can tell who
leaves; the rules do not mind (A18).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from game_logic.core import Attempt, Image, Piece
from game_logic.la_grande_evasion import turn
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.path import ahead, behind, put, stack
from game_logic.la_grande_evasion.state import WINDOW, Evasion, Options


def spaces(box: Box, options: Options) -> tuple[str, ...]:
    return (
        *(f"window_{pawn.number}" for pawn in box.pawns),
        *(space(options, n) for n in range(options.start_position, options.path_length + 1)),
        *(f"boat_{n}" for n, _ in enumerate(box.boats, 1)),
    )


def space(options: Options, position: int) -> str:
    return "start" if position == options.start_position else f"square_{position}"


def boat(box: Box, arrival: int) -> str:
    """The boat of the pawn that arrived after `arrival` others."""
    return f"boat_{box.boat_of[arrival] + 1}"


def image(box: Box, state: Evasion) -> Image:
    shown: dict[str, tuple[Piece, ...]] = {}
    options = state.options
    for pawn, at in enumerate(state.squares):
        if at == WINDOW:
            shown[f"window_{pawn}"] = (_piece(box, pawn),)
    for at in sorted({at for at in state.squares if options.home <= at < options.path_length}):
        shown[space(options, at)] = tuple(
            _piece(box, pawn, covered=state.above[pawn] is not None) for pawn in stack(state, at)
        )
    for arrival, pawn in enumerate(state.arrivals):
        where = boat(box, arrival)
        shown[where] = (*shown.get(where, ()), _piece(box, pawn))
    return shown


def standing(box: Box, state: Evasion, image: Image) -> Evasion:
    """The pawns as they stand. Who reached a boat before stays in the order of arrival."""
    options = state.options
    positions = {space(options, n): n for n in range(options.home, options.path_length)}
    positions |= {f"window_{pawn.number}": WINDOW for pawn in box.pawns}
    squares = [options.path_length] * len(state.squares)
    above: list[int | None] = [None] * len(state.squares)
    afloat: list[int] = []
    for where, pieces in image.items():
        pawns = [box.number[piece.id or ""] for piece in pieces]
        if where not in positions:
            afloat += pawns
            continue
        for pawn in pawns:
            squares[pawn] = positions[where]
        if positions[where] > options.home:
            for lower, upper in pairwise(pawns):
                above[lower] = upper
    arrivals = [pawn for pawn in state.arrivals if pawn in afloat]
    arrivals += [pawn for pawn in afloat if pawn not in arrivals]
    return replace(state, squares=tuple(squares), above=tuple(above), arrivals=tuple(arrivals))


def _piece(box: Box, pawn: int, covered: bool = False) -> Piece:
    return Piece("pawn", box.pawns[pawn].id, covered)


# Reasons against going back that hands forget.
_TRIED = ("pawn_rolled", "pawn_blocked", "white_after_advances")


def attempts(box: Box, state: Evasion) -> Iterator[Attempt]:
    """What hands do against the rules: pull a blocked pawn out, move a rolled one back."""
    if state.phase != "move":
        return
    seat, pips = state.player, turn.face_of(state, box.white)
    for pawn, at in enumerate(state.squares):
        forward = turn.face_of(state, pawn)
        advance, back = box.advances[pawn], box.backs[pawn]
        if forward and turn.why_not_advance(box, state, advance, seat):
            moved = put(state, pawn, ahead(state, pawn, forward))
            yield Attempt(seat, advance, image(box, moved))
        on_path = state.options.home < at < state.options.path_length
        if pips and on_path and turn.why_not_back(box, state, back, seat) in _TRIED:
            moved = put(state, pawn, behind(state, pawn, pips))
            yield Attempt(seat, back, image(box, moved))

"""The board as it lies on the table: windows, start, squares and boats, and who stands there.

Each prisoner waits at the window of its own number, so that a board of switches can tell who
leaves; the rules do not mind (A18).
"""

from __future__ import annotations

from collections.abc import Iterator

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

"""The path: how far pawns get, who stands on whom, who comes next."""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.la_grande_evasion.state import WINDOW, Evasion


def position(state: Evasion, pawn: int) -> int:
    at = state.squares[pawn]
    return state.options.home if at == WINDOW else at


def on_the_way(state: Evasion) -> int:
    """How many pawns are not in a boat yet."""
    return len(state.squares) - len(state.arrivals)


def ahead(state: Evasion, pawn: int, pips: int) -> int:
    """Where an advance ends; path_length stands for the boats (R7, R10, R18, A4)."""
    at, last = position(state, pawn), state.options.path_length
    if state.options.leap == "skip_occupied":
        taken = _taken(state)
        for _ in range(pips - 1):
            at += 1
            while at in taken:
                at += 1
        pips = 1
    return min(at + pips, last)


def behind(state: Evasion, pawn: int, pips: int) -> int:
    """Where going back ends: at the starting point at the latest (R16, A3, A4)."""
    at, home = position(state, pawn), state.options.home
    if state.options.leap == "skip_occupied":
        taken = _taken(state)
        for _ in range(pips - 1):
            at -= 1
            while at in taken:
                at -= 1
        pips = 1
    return max(at - pips, home)


def _taken(state: Evasion) -> set[int]:
    """Occupied squares. Windows, start and boats always count as empty (A4)."""
    home, last = state.options.home, state.options.path_length
    return {at for at in state.squares if home < at < last}


def put(state: Evasion, pawn: int, to: int) -> Evasion:
    """The pawn on top of whoever stands there (R11); in a boat if that is where it gets (R18)."""
    squares, above = list(state.squares), list(state.above)
    if pawn in above:
        above[above.index(pawn)] = above[pawn]
    above[pawn] = None
    last = state.options.path_length
    if to == last:
        squares[pawn] = last
        return replace(
            state,
            squares=tuple(squares),
            above=tuple(above),
            arrivals=(*state.arrivals, pawn),
        )
    if to != state.options.home:
        for other, at in enumerate(squares):
            if at == to and above[other] is None and other != pawn:
                above[other] = pawn
    squares[pawn] = to
    return replace(state, squares=tuple(squares), above=tuple(above))


def stack(state: Evasion, square: int) -> tuple[int, ...]:
    """The pawns on a square of the path, the lowest first."""
    here = [pawn for pawn, at in enumerate(state.squares) if at == square]
    return tuple(sorted(here, key=lambda pawn: -height_above(state, pawn)))


def height_above(state: Evasion, pawn: int) -> int:
    """How many pawns stand on this one."""
    height, upper = 0, state.above[pawn]
    while upper is not None and height < len(state.above):
        height, upper = height + 1, state.above[upper]
    return height


def ranked(state: Evasion) -> tuple[int, ...]:
    """The pawns on the way, the next to arrive first: by position, upper before lower, at the
    start by number (A16)."""
    last = state.options.path_length
    left = (pawn for pawn, at in enumerate(state.squares) if at != last)
    return tuple(sorted(left, key=lambda p: (-position(state, p), height_above(state, p), p)))

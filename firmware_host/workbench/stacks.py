"""Pieces on a space, the lowest first: one that others stand on is covered by them."""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.core import Piece

Pieces = tuple[Piece, ...]


def taken(there: Pieces, n: int) -> tuple[Pieces, Pieces]:
    """The `n`th piece with all that stands on it, and what stays."""
    top = _top(there, n)
    below = there[:n]
    if below and below[-1].covered:
        below = (*below[:-1], replace(below[-1], covered=False))
    return there[n : top + 1], below + there[top + 1 :]


def added(there: Pieces, more: Pieces, on: int | None = None) -> Pieces:
    """With these beside the others, or on top of the stack that the piece `on` is part of."""
    if on is None:
        return there + more
    top = _top(there, on)
    return (*there[:top], replace(there[top], covered=True), *more, *there[top + 1 :])


def _top(there: Pieces, n: int) -> int:
    while there[n].covered and n + 1 < len(there):
        n += 1
    return n

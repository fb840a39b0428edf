"""Legal moves that a shared screen may offer, and the board as hands leave it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_host.sighting import Sightings, seen_change
from game_logic.core import CHANCE, Act, Game, Image, Piece


def unseen(game: Game[Any], state: Any, sightings: Sightings) -> tuple[list[Act], bool]:
    """Those that this table's sensors would not notice; and whether there are any others."""
    before, acts, others = game.image(state), list[Act](), False
    for act, board in _open_moves(game, state):
        signs = {sign.rstrip("?") for sign in game.signs(state, act.move)}
        if signs & sightings.sensed or seen_change(before, board, sightings):
            others = True
        else:
            acts.append(act)
    return acts, others


def moving(piece: Piece, game: Game[Any], state: Any) -> list[Act]:
    """Those that carry this piece somewhere."""
    stands = _where(piece, game.image(state))
    return [act for act, board in _open_moves(game, state) if _where(piece, board) != stands]


def left_by(game: Game[Any], state: Any, acts: tuple[Act, ...]) -> Image:
    """The board as the last of these hands leaves it."""
    board = game.image(state)
    for act in acts:
        after = game.play(state, act.move, act.by)
        board = game.by_hand(state, act.move, after)
        state = after
    return board


def _open_moves(game: Game[Any], state: Any) -> Iterator[tuple[Act, Image]]:
    """And the board as each leaves it."""
    for by in game.to_act(state):
        for move in game.moves(state, by) if by != CHANCE else ():
            if not game.hidden(state, move, by):
                yield Act(by, move), game.by_hand(state, move, game.play(state, move, by))


def _where(piece: Piece, image: Image) -> list[str]:
    """The spaces on which such a piece stands."""
    here = (piece.kind, piece.id)
    return sorted(s for s, pieces in image.items() for p in pieces if (p.kind, p.id) == here)

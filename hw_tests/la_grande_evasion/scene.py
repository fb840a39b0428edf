"""Scenes of the rules file: a table in the middle of a game, and hands that play on it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest
from msgspec.structs import replace

from game_logic import load
from game_logic.core import CHANCE, Drawn, Illegal, Move, Rolled
from game_logic.la_grande_evasion.moves import Bet, Lock, Take, Throw
from game_logic.la_grande_evasion.state import Evasion

GAME = load("la_grande_evasion")
COLOURS = ("light_green", "dark_green", "yellow", "orange", "red", "brown", "blue")
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")


def start(seats: int = 4, bets: Mapping[int, str] | None = None, **options: object) -> Evasion:
    """Bets are in (by default all alike), and seat 0 begins. On paper they are only written."""
    state = GAME.new(NAMES[:seats], options)
    for seat in range(seats):
        if state.options.secrets == "house":
            state = bet(state, seat, (bets or {}).get(seat, " ".join(COLOURS)))
        state = GAME.play(state, Lock(), seat)
    return GAME.play(state, Drawn("first_player", "seat_0"), CHANCE)


def bet(state: Evasion, seat: int, colours: str) -> Evasion:
    for colour in colours.split():
        state = GAME.play(state, Bet(colour), seat)
    return state


def scene(
    path: Mapping[int, str] | None = None,
    arrived: str = "",
    *,
    turn: int = 20,
    seats: int = 4,
    bets: Mapping[int, str] | None = None,
    **options: object,
) -> Evasion:
    """A turn about to begin: `path` has the pawns of each square, the lowest first; whom nobody
    names waits at a window."""
    state = start(seats, bets, **options)
    last, home = state.options.path_length, state.options.home
    squares, above = list(state.squares), list(state.above)
    for square, colours in (path or {}).items():
        stack = [COLOURS.index(colour) for colour in colours.split()]
        for pawn in stack:
            squares[pawn] = square
        for pawn, upper in pairwise(stack):
            above[pawn] = upper if square != home else None
    arrivals = tuple(COLOURS.index(colour) for colour in arrived.split())
    for pawn in arrivals:
        squares[pawn] = last
    state = replace(
        state,
        squares=tuple(squares),
        above=tuple(above),
        arrivals=arrivals,
        arrived_before=len(arrivals),
        turn=turn,
    )
    assert GAME.problems(state) == ()
    return state


def throw(state: Evasion, **faces: int) -> Evasion:
    """The player takes these dice, throws, and they fall."""
    for die in faces:
        state = GAME.play(state, Take(die))
    state = GAME.play(state, Throw())
    for die, face in faces.items():
        state = GAME.play(state, Rolled(die, face), CHANCE)
    return state


def go(state: Evasion, *moves: Move) -> Evasion:
    for move in moves:
        state = GAME.play(state, move)
    return state


def refused(state: Evasion, move: Move, code: str, rule: str, seat: int | None = None) -> None:
    """The move is refused for this reason, in words that name the rule, and is not listed."""
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, move, seat)
    assert refusal.value.code == code
    assert rule in refusal.value.text.fr
    assert rule in refusal.value.text.en
    assert move not in GAME.moves(state, seat)


def where(state: Evasion, colour: str) -> str:
    """The space a pawn stands on."""
    (space,) = [
        space
        for space, pieces in GAME.image(state).items()
        if colour in [piece.id for piece in pieces]
    ]
    return space


def standing(state: Evasion, space: str) -> str:
    """Who stands on a space, the lowest first."""
    return " ".join(str(piece.id) for piece in GAME.image(state).get(space, ()))


def boats(state: Evasion) -> list[str]:
    return [standing(state, f"boat_{n}") for n in range(1, 5)]


def playable(state: Evasion, kind: type[Move]) -> set[str]:
    """The colours named by the legal moves of a kind."""
    return {
        getattr(move, "pawn", None) or getattr(move, "die", "")
        for move in GAME.moves(state)
        if isinstance(move, kind)
    }

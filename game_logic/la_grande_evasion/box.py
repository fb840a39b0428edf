"""What is in the box, from data/board.toml: pawns, boats, and how many dice a turn has."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from game_logic.core import Part, Rolled, Text
from game_logic.data import Data, DataError
from game_logic.la_grande_evasion.moves import Advance, Back, Bet, Leave, Take

FILE = "board.toml"
WHITE = "white"

Count = Annotated[int, Meta(ge=1, le=20)]


class Pawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern=r"^[a-z][a-z_]*$")]
    number: int
    fr: str
    en: str
    hex: Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$")]

    @property
    def colour(self) -> Text:
        return Text(self.fr, self.en)


class Boat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    places: Count
    points: Annotated[int, Meta(ge=0)]


class TurnDice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dice of a turn that begins with `arrived` or more pawns in the boats."""

    arrived: Annotated[int, Meta(ge=0)]
    coloured: Count
    white: Literal["extra", "instead"]


class _Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seats_fewest: Count
    seats_most: Count
    faces: Count
    pawns: tuple[Pawn, ...]
    boats: tuple[Boat, ...]
    dice: tuple[TurnDice, ...]


class Box:
    """The components, with what the rules look up at every move made ready."""

    def __init__(self, data: Data) -> None:
        board = data.read(FILE, _Board)
        _check(board)
        self.seats = (board.seats_fewest, board.seats_most)
        self.faces = board.faces
        self.pawns = board.pawns
        self.boats = board.boats
        self.white = len(board.pawns)  # the white die's number
        self.dice = (*(pawn.id for pawn in board.pawns), WHITE)
        self.number = {pawn.id: pawn.number for pawn in board.pawns}
        self.die_number = {die: n for n, die in enumerate(self.dice)}
        # the boat of each arrival: 0, 0, 1, 1, 2, 2, 3
        self.boat_of = tuple(n for n, boat in enumerate(board.boats) for _ in range(boat.places))
        # the dice by the number of pawns arrived when the turn begins
        self.turn_dice = tuple(
            max((d for d in board.dice if d.arrived <= n), key=lambda d: d.arrived)
            for n in range(len(board.pawns))
        )
        self.bets = tuple(Bet(pawn.id) for pawn in board.pawns)
        self.takes = tuple(Take(die) for die in self.dice)
        self.advances = tuple(Advance(pawn.id) for pawn in board.pawns)
        self.leaves = tuple(Leave(pawn.id) for pawn in board.pawns)
        self.backs = tuple(Back(pawn.id) for pawn in board.pawns)
        self.falls = tuple(
            tuple(Rolled(die, face) for face in range(1, board.faces + 1)) for die in self.dice
        )
        self.parts = tuple(
            Part(die, tuple((move, 1) for move in falls))
            for die, falls in zip(self.dice, self.falls, strict=True)
        )


def _check(board: _Board) -> None:
    """What the types cannot say. Two pawns at least must be able to be last (R21)."""
    where = f"la_grande_evasion/{FILE}"
    pawns = len(board.pawns)
    if board.seats_fewest > board.seats_most:
        raise DataError(where, "seats_fewest is more than seats_most")
    if pawns < 2:
        raise DataError(where, f"pawns: {pawns} of them; the game needs 2 or more")
    for n, pawn in enumerate(board.pawns):
        if pawn.number != n:
            raise DataError(
                where, f"pawns[{n}] ({pawn.id}): number {pawn.number}; they count from 0 in order"
            )
        if pawn.id == WHITE:
            raise DataError(where, f"pawns[{n}]: {WHITE!r} is the special die, not a pawn")
    if len({pawn.id for pawn in board.pawns}) != pawns:
        raise DataError(where, "pawns: an id is there twice")
    places = sum(boat.places for boat in board.boats)
    if places != pawns:
        raise DataError(where, f"boats: {places} places for {pawns} pawns")
    steps = [dice.arrived for dice in board.dice]
    if steps != sorted(set(steps)) or steps[:1] != [0]:
        raise DataError(where, f"dice: arrived is {steps}; it must begin at 0 and rise")
    for n, dice in enumerate(board.dice):
        if dice.arrived >= pawns:
            raise DataError(where, f"dice[{n}]: no turn begins with {dice.arrived} arrived")
        if dice.white == "instead" and dice.coloured < 2:
            raise DataError(where, f"dice[{n}]: the white die would replace the only coloured one")

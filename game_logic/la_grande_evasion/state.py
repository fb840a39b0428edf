"""The state of a game: seven pawns, the dice of the turn, and everybody's bet."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from game_logic.core import State, Value

Phase = Literal["bets", "lot", "choose", "roll", "move", "scoring", "over"]

# Where a pawn stands that has not left the prison yet. For movement that is the starting point.
WINDOW = -1


class Options(Value, frozen=True):
    """The options of data/options.toml, typed."""

    secrets: Literal["house", "table"]
    path_length: Annotated[int, Meta(ge=2, le=99)]
    start_position: Annotated[int, Meta(ge=0)]
    short_path: bool
    sheet_start: Annotated[int, Meta(ge=1)]
    leap: Literal["count_all", "skip_occupied"]
    move_mandatory: bool
    white_declared_before_roll: bool
    white_move_optional: bool
    white_any_time: bool
    white_first_round: bool
    auto_finish_last: bool
    turn_limit: Annotated[int, Meta(ge=0, le=10_000)]

    def __post_init__(self) -> None:
        if self.short_path and self.sheet_start <= self.start_position:
            raise ValueError(
                f"sheet_start is {self.sheet_start}, but the sheet ends on the path, beyond "
                f"start_position = {self.start_position}"
            )
        if self.home >= self.path_length:
            key = "sheet_start" if self.short_path else "start_position"
            raise ValueError(f"{key} is {self.home}, not before path_length = {self.path_length}")

    @property
    def home(self) -> int:
        """The starting point: the start square, or the foot of the knotted sheet (A3, A17)."""
        return self.sheet_start if self.short_path else self.start_position


class Evasion(State, frozen=True):
    """Pawns and coloured dice go by the pawn's printed number; the white die is the next number."""

    seats: tuple[str, ...]
    options: Options
    squares: tuple[
        int, ...
    ]  # of each pawn: WINDOW, home … path_length - 1, path_length = in a boat
    above: tuple[int | None, ...]  # the pawn that stands on each pawn and blocks it
    bets: tuple[tuple[int, ...], ...]  # of each seat, the first to arrive first
    locked: tuple[bool, ...]
    phase: Phase = "bets"
    first: int = 0  # the seat of turn 1, once the lot has fallen
    turn: int = 0  # counts the turns of single players
    arrivals: tuple[int, ...] = ()
    arrived_before: int = 0  # how many when the turn began: fixes its dice (A10)
    dice: tuple[int, ...] = ()  # taken this turn, in order of their numbers
    faces: tuple[int | None, ...] = ()  # of each die taken: None not fallen yet, 0 used or lost

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return (self.first + self.turn - 1) % len(self.seats)

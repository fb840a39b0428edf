"""A match of Breakout, as a value."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from game_logic.breakout.moves import Escape, Push
from game_logic.core import CHANCE, State, Value

RED, BLUE = 0, 1
COLOURS = ("red", "blue")
FIGURES = 3  # of each player, in the box

# Fewer insertions than this could not give both players the six knots of the shortest rope.
SHORTEST_ROUND = 12


class Options(Value, frozen=True, gc=False):
    """The documented options; data/options.toml holds defaults and reasons."""

    rows: Literal[5]
    cols: Literal[5]
    knots_per_player: Annotated[int, Meta(ge=13, le=25)]
    figures_per_player: Annotated[int, Meta(ge=1, le=FIGURES)]
    figures_to_win: Annotated[int, Meta(ge=1, le=FIGURES)]
    stalemate_turns: Annotated[int, Meta(ge=1, le=100)]
    stalemate_unit: Literal["insertion", "round"]
    ko_scope: Literal["owner", "both"]
    angle_rule: Literal["any_bend", "interior_bend"]
    closed_cells_usable: bool
    double_requires_disjoint: bool
    round_limit: Annotated[int, Meta(ge=0)]

    def __post_init__(self) -> None:
        if self.figures_to_win > self.figures_per_player:
            raise ValueError(
                f"figures_to_win is {self.figures_to_win}, but a player has only "
                f"figures_per_player = {self.figures_per_player}"
            )
        if 0 < self.round_limit < SHORTEST_ROUND:
            raise ValueError(
                f"round_limit is 0 (none) or at least {SHORTEST_ROUND}: in fewer insertions "
                "not both players could make a rope of six knots"
            )

    @property
    def stalemate_limit(self) -> int:
        """R22 in turns: a "round" is one turn of each player (A8)."""
        return self.stalemate_turns * (2 if self.stalemate_unit == "round" else 1)


Exits = tuple[int | None, int | None, int | None, int | None, int | None]


class Match(State, frozen=True, gc=False):
    """Stocks and figures are not written down: they are what is not on the wall, and what is."""

    names: tuple[str, str]
    options: Options
    turn: int | None = CHANCE  # who acts; None: the match is over
    red: int = 0  # knots on the wall, as bits (see wall.py)
    blue: int = 0
    bans: tuple[Push | None, Push | None] = (None, None)  # R14, by seat
    insertions: int = 0  # in this round
    stalled: int = 0  # turns since the wall became full (R22)
    choices: tuple[Escape, ...] = ()  # where the winner's figures may go, when it is his to choose
    round: int = 1
    starter: int = CHANCE  # of this round
    exits: Exits = (None, None, None, None, None)  # whose figure stands there

    def wall(self, seat: int) -> int:
        return self.blue if seat else self.red

    def stock(self, seat: int) -> int:
        return self.options.knots_per_player - self.wall(seat).bit_count()

    def figures(self, seat: int) -> int:
        return self.exits.count(seat)

    @property
    def free(self) -> tuple[int, ...]:
        """The exits without a figure, from 1 (R24)."""
        return tuple(exit for exit, seat in enumerate(self.exits, 1) if seat is None)

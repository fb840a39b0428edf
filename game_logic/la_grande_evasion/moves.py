"""What players do. Pawns and dice are named by their colours."""

from __future__ import annotations

from game_logic.core import Drawn, Move, Rolled


class Bet(Move, frozen=True):
    """Write the next name of one's own bet: the first to arrive comes first."""

    pawn: str


class Erase(Move, frozen=True):
    """Strike the last name of one's own bet."""


class Lock(Move, frozen=True):
    """The bet is final. Where bets are on paper: it is written."""


class Take(Move, frozen=True):
    """Choose one more die for the throw."""

    die: str


class Throw(Move, frozen=True):
    """The choice of dice is done: they fall."""


class Advance(Move, frozen=True):
    """A rolled pawn advances by its die."""

    pawn: str


class Leave(Move, frozen=True):
    """A rolled pawn's turn comes and it stays: its roll is lost."""

    pawn: str


class Back(Move, frozen=True):
    """A pawn goes back by the white die."""

    pawn: str


class Done(Move, frozen=True):
    """The turn is over; what is left of the roll is given up."""


AnyMove = Bet | Erase | Lock | Take | Throw | Advance | Leave | Back | Done | Rolled | Drawn

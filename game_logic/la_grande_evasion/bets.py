"""The bets: written in secret, locked, and paid by boat at the end.

With secrets = "house" a bet is written and locked before the first roll. With "table" it is on
paper: only that it is written is known then, and it is entered when all pawns are in the boats.
"""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.core import Drawn, Move, Part
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.moves import Bet, Erase, Lock
from game_logic.la_grande_evasion.state import Evasion

LOT = "first_player"

_ERASE = Erase()
_LOCK = Lock()


def on_paper(state: Evasion) -> bool:
    """Bets are being written where the house cannot see them."""
    return state.phase == "bets" and state.options.secrets == "table"


def open_seats(state: Evasion) -> tuple[int, ...]:
    return tuple(seat for seat, locked in enumerate(state.locked) if not locked)


def moves(box: Box, state: Evasion, seat: int) -> tuple[Move, ...]:
    if on_paper(state):
        return (_LOCK,)
    bet = state.bets[seat]
    names = tuple(move for n, move in enumerate(box.bets) if n not in bet)
    if not names:
        return (_LOCK, _ERASE)
    return (*names, _ERASE) if bet else names


def why_not_bet(box: Box, state: Evasion, move: Bet, seat: int) -> str | None:
    if on_paper(state):
        return "bet_on_paper"
    if move.pawn not in box.number:
        return "no_such_pawn"
    return "pawn_already_bet" if box.number[move.pawn] in state.bets[seat] else None


def why_not_erase(box: Box, state: Evasion, move: Erase, seat: int) -> str | None:
    if on_paper(state):
        return "bet_on_paper"
    return None if state.bets[seat] else "bet_empty"


def why_not_lock(box: Box, state: Evasion, move: Lock, seat: int) -> str | None:
    complete = on_paper(state) or len(state.bets[seat]) == len(box.pawns)
    return None if complete else "bet_incomplete"


def bet(box: Box, state: Evasion, move: Bet, seat: int) -> Evasion:
    return _written(state, seat, (*state.bets[seat], box.number[move.pawn]))


def erase(box: Box, state: Evasion, move: Erase, seat: int) -> Evasion:
    return _written(state, seat, state.bets[seat][:-1])


def _written(state: Evasion, seat: int, bet: tuple[int, ...]) -> Evasion:
    return replace(state, bets=(*state.bets[:seat], bet, *state.bets[seat + 1 :]))


def lock(box: Box, state: Evasion, move: Lock, seat: int) -> Evasion:
    locked = (*state.locked[:seat], True, *state.locked[seat + 1 :])
    if not all(locked):
        return replace(state, locked=locked)
    return replace(state, locked=locked, phase="lot" if state.phase == "bets" else "over")


# -- who begins (A14) -----------------------------------------------------------------------------


def lot(state: Evasion) -> Part:
    return Part(LOT, tuple((Drawn(LOT, f"seat_{n}"), 1) for n in range(len(state.seats))))


def why_not_draw(box: Box, state: Evasion, move: Drawn, seat: int) -> str | None:
    return None if (move, 1) in lot(state).odds else "no_such_lot"


def draw(box: Box, state: Evasion, move: Drawn, seat: int) -> Evasion:
    return replace(state, first=drawn_seat(move), turn=1, phase="choose")


def drawn_seat(move: Drawn) -> int:
    return int(move.card.removeprefix("seat_"))


# -- scoring --------------------------------------------------------------------------------------


def scores(box: Box, state: Evasion) -> tuple[int, ...]:
    """The points of each seat: a boat's number of points for each pawn rightly in it (R23)."""
    boat = {pawn: box.boat_of[place] for place, pawn in enumerate(state.arrivals)}
    return tuple(
        sum(
            box.boats[box.boat_of[place]].points
            for place, pawn in enumerate(bet)
            if boat[pawn] == box.boat_of[place]
        )
        for bet in state.bets
    )

"""What cannot be true of a match: for loaded saves, corrections by hand, and tests."""

from __future__ import annotations

from collections.abc import Iterator

from game_logic.breakout.links import escapes
from game_logic.breakout.moves import PUSHES
from game_logic.breakout.state import BLUE, COLOURS, RED, Match
from game_logic.breakout.wall import FULL, ROWS
from game_logic.core import CHANCE

_SEATS = (RED, BLUE)


def found(state: Match) -> Iterator[str]:
    """Every broken invariant. Ranges come first: out of range, nothing else can be asked."""
    out_of_range = tuple(_ranges(state))
    yield from out_of_range
    if out_of_range:
        return
    yield from _figures(state)
    if state.turn == CHANCE:
        yield from _untouched(state, "the starter has not been drawn")
        if state.round != 1 or state.starter != CHANCE or any(_placed(state)):
            yield "the starter has not been drawn, yet rounds have been played"
        return
    if state.starter not in _SEATS:
        yield "the match runs, but nobody started the round"
    if state.turn is None:
        yield from _untouched(state, "the match is over")
        return
    yield from _knots(state)
    yield from _bans(state)
    yield from _counts(state)
    yield from _links(state)


def _placed(state: Match) -> tuple[int, int]:
    return state.figures(RED), state.figures(BLUE)


def _ranges(state: Match) -> Iterator[str]:
    if state.turn not in (None, CHANCE, RED, BLUE):
        yield f"turn is {state.turn}: no such seat"
    if state.starter not in (CHANCE, RED, BLUE):
        yield f"starter is {state.starter}: no such seat"
    for colour, wall in zip(COLOURS, (state.red, state.blue), strict=True):
        if not 0 <= wall <= FULL:
            yield f"{colour} has knots outside the wall"
    if len(state.exits) != 5 or any(seat not in (None, RED, BLUE) for seat in state.exits):
        yield "an exit holds a figure of nobody's"
    if any(ban is not None and ban not in PUSHES for ban in state.bans):
        yield "a ban is on an opening that the wall does not have"
    if state.insertions < 0 or state.stalled < 0 or state.round < 1:
        yield "a count is below its beginning"


def _figures(state: Match) -> Iterator[str]:
    """R24, R25: figures only stand after rounds, and the last one ends the match."""
    need = state.options.figures_to_win
    for colour, placed in zip(COLOURS, _placed(state), strict=True):
        if placed > need:
            yield f"{colour} has {placed} figures on the wall, and {need} win"
    complete = sum(placed >= need for placed in _placed(state))
    if complete and state.turn is not None:
        yield "somebody has all figures on the wall, yet the match goes on"
    if state.turn is None and complete != 1:
        yield "the match is over without one winner"
    # A round places two figures at most (R21); the last round is not followed by another.
    played = state.round - (state.turn is not None)
    if sum(_placed(state)) > 2 * played:
        yield f"{sum(_placed(state))} figures in {played} rounds"


def _untouched(state: Match, why: str) -> Iterator[str]:
    """Between rounds the wall is empty and nothing is left of the last one (R3, R23)."""
    if state.red or state.blue:
        yield f"{why}, yet knots are on the wall"
    if state.insertions or state.stalled or state.choices or any(state.bans):
        yield f"{why}, yet a round is under way"


def _knots(state: Match) -> Iterator[str]:
    if state.red & state.blue:
        yield "a cell holds a knot of each colour"
    for seat in _SEATS:
        if state.stock(seat) < 0:
            yield f"{COLOURS[seat]} has more knots on the wall than it owns"
    on_wall = state.red.bit_count() + state.blue.bit_count()
    if on_wall > state.insertions:
        yield f"{on_wall} knots on the wall after {state.insertions} insertions"
    if state.turn in _SEATS and not state.choices and state.stock(state.turn) <= 0:
        yield f"{COLOURS[state.turn]} is to push, but has no knot left"
    full_floor = any((state.red | state.blue) & cells == cells for cells in ROWS)
    if on_wall < state.insertions and not full_floor:
        yield f"{state.insertions} insertions, but knots are missing and no floor is full"


def _bans(state: Match) -> Iterator[str]:
    """R14: a knot left by that opening just now, so the floor is full and its owner has it."""
    for seat, ban in zip(_SEATS, state.bans, strict=True):
        if ban is None:
            continue
        cells = ROWS[ban.row - 1]
        if (state.red | state.blue) & cells != cells:
            yield f"floor {ban.row} is banned to {COLOURS[seat]}, but nothing can have left it"
        if state.options.ko_scope == "owner" and state.stock(seat) <= 0:
            yield f"{COLOURS[seat]} is banned from an opening, but has no knot that left by it"
    if any(state.bans) and state.insertions == (state.red | state.blue).bit_count():
        yield "an opening is banned, but no knot has left the wall"


def _counts(state: Match) -> Iterator[str]:
    """R22, A15: the counts agree with the wall, and none has run out."""
    options = state.options
    full = state.red | state.blue == FULL
    # The insertion that filled the wall is not counted; a pass after any insertion may be.
    since_full = max(0, state.insertions - FULL.bit_count())
    most = since_full if options.stalemate_unit == "insertion" else 2 * since_full + 1
    if state.stalled and not full:
        yield "turns are counted on a full wall, but the wall is not full"
    elif state.stalled > most:
        yield f"{state.stalled} turns on a full wall after {state.insertions} insertions"
    if state.stalled >= options.stalemate_limit:
        yield f"{state.stalled} turns on a full wall, yet the round goes on"
    if options.round_limit and state.insertions >= options.round_limit and not state.choices:
        yield f"{state.insertions} insertions, yet the round goes on"
    # Nobody passes before he has used up all his knots, so until then the turns alternate.
    if (
        not state.choices
        and state.insertions < 2 * options.knots_per_player - 1
        and state.turn != (state.starter + state.insertions) % 2
    ):
        yield "it is the other player's turn"


def _links(state: Match) -> Iterator[str]:
    """R19: a link ends the round at once, unless its owner still has to choose his exit."""
    standing = {seat: escapes(state, state.wall(seat), seat, double=True) for seat in _SEATS}
    if not state.choices:
        for seat, link in standing.items():
            if link:
                yield f"{COLOURS[seat]} has a link, yet the round goes on"
        return
    if state.turn is None or state.turn == CHANCE:
        return
    # One figure where two links stand: the rival pushed (A6), and then had no link himself (R20).
    single = escapes(state, state.wall(state.turn), state.turn, double=False)
    rival_pushed = state.choices == single and not standing[1 - state.turn]
    if state.choices != standing[state.turn] and not rival_pushed:
        yield "the exits to choose from are not those of the links on the wall"
    if len(state.choices) == 1:
        yield "there is only one exit, so nothing to choose"
    if any(state.bans):
        yield "the round is won, yet openings are banned"

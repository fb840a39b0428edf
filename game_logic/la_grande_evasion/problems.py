"""Every invariant of a state, in words: for loaded saves, corrections by hand, and tests."""

from __future__ import annotations

from collections.abc import Iterator

from game_logic.la_grande_evasion import turn
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.path import height_above, on_the_way
from game_logic.la_grande_evasion.state import WINDOW, Evasion


def found(box: Box, state: Evasion) -> tuple[str, ...]:
    shape = tuple(_shape(box, state))
    if shape:  # nothing else can be said of a state whose parts do not fit together
        return shape
    return (
        *_pawns(box, state),
        *_stacks(box, state),
        *_bets(box, state),
        *_turn(box, state),
        *_dice(box, state),
    )


def _shape(box: Box, state: Evasion) -> Iterator[str]:
    seats, pawns = len(state.seats), len(box.pawns)
    if not box.seats[0] <= seats <= box.seats[1]:
        yield f"{seats} seats"
    if len(state.bets) != seats or len(state.locked) != seats:
        yield "there is not one bet for each seat"
    if not 0 <= state.first < seats:
        yield f"seat {state.first} begins, and there is none"
    if len(state.squares) != pawns or len(state.above) != pawns:
        yield f"there are not {pawns} pawns"
    if len(state.arrivals) > pawns or not set(state.arrivals) <= set(range(pawns)):
        yield "a pawn has arrived that does not exist"
    if not set(state.above) - {None} <= set(range(pawns)):
        yield "a pawn that does not exist stands on another"
    if not set(state.dice) <= set(range(pawns + 1)):
        yield "a die is taken that does not exist"
    if state.phase in ("choose", "bets", "lot", "scoring", "over"):
        if state.faces:
            yield "dice have fallen that were not thrown"
    elif len(state.faces) != len(state.dice):
        yield "there is not one face for each die"
    if not 0 <= state.arrived_before <= len(state.arrivals):
        yield "more pawns had arrived when the turn began than have now"
    if state.phase in ("choose", "roll", "move") and state.arrived_before >= pawns:
        yield "a turn has begun with every pawn arrived"


def _pawns(box: Box, state: Evasion) -> Iterator[str]:
    """Every pawn is somewhere, once (R2, R18, S23)."""
    home, last = state.options.home, state.options.path_length
    for pawn, at in enumerate(state.squares):
        if at != WINDOW and not home <= at <= last:
            yield f"{box.pawns[pawn].id} is on square {at}, which is no place"
    in_boats = [pawn for pawn, at in enumerate(state.squares) if at == last]
    if sorted(state.arrivals) != in_boats:
        yield "the pawns in the boats are not those that have arrived"


def _stacks(box: Box, state: Evasion) -> Iterator[str]:
    """Pawns that share a square are one stack; at windows, start and boats nobody is (A2)."""
    uppers = [upper for upper in state.above if upper is not None]
    if len(set(uppers)) != len(uppers):
        yield "a pawn stands on two others at once"
    home, last = state.options.home, state.options.path_length
    for pawn, upper in enumerate(state.above):
        if upper is None:
            continue
        at = state.squares[pawn]
        if state.squares[upper] != at or upper == pawn:
            yield f"{box.pawns[upper].id} is not where it stands on {box.pawns[pawn].id}"
        elif not home < at < last:
            yield f"{box.pawns[pawn].id} is covered where nobody stacks"
    for at in {at for at in state.squares if home < at < last}:
        heights = [height_above(state, p) for p, square in enumerate(state.squares) if square == at]
        if sorted(heights) != list(range(len(heights))):
            yield f"the pawns on square {at} are not one stack"


def _bets(box: Box, state: Evasion) -> Iterator[str]:
    """R3, A23: bets are locked before the first roll; those on paper are entered at the end."""
    pawns = len(box.pawns)
    on_table = state.options.secrets == "table"
    for seat, bet in enumerate(state.bets):
        if len(set(bet)) != len(bet) or not set(bet) <= set(range(pawns)):
            yield f"the bet of seat {seat} names a pawn twice, or one that does not exist"
        unwritten = on_table and state.phase not in ("scoring", "over")
        if unwritten and bet:
            yield f"the bet of seat {seat} is on paper, yet the house knows it"
        if not unwritten and state.locked[seat] and len(bet) != pawns:
            yield f"the bet of seat {seat} is locked before it is complete"
    if state.phase in ("bets", "scoring"):
        if all(state.locked):
            yield "all bets are locked, yet bets are awaited"
    elif not all(state.locked):
        yield "a bet is still open"


def _turn(box: Box, state: Evasion) -> Iterator[str]:
    options, left = state.options, on_the_way(state)
    before = state.phase in ("bets", "lot")
    ended = state.phase in ("scoring", "over")
    if state.phase == "scoring" and options.secrets == "house":
        yield "bets are entered at scoring only if they are on paper"
    if before:
        if state.turn or state.arrivals or set(state.squares) != {WINDOW}:
            yield "the race has begun before the bets are in"
    elif state.turn < 1 or (options.turn_limit and state.turn > options.turn_limit):
        yield f"turn {state.turn} of {options.turn_limit}"
    if ended != (left == 0):
        yield "the race is over when every pawn has arrived, not sooner or later"
    if left == 1 and options.auto_finish_last:
        yield "the last pawn on the way has not gone to its boat"
    if (state.phase == "choose" or ended) and state.arrived_before != len(state.arrivals):
        yield "a pawn has arrived between two turns"


def _dice(box: Box, state: Evasion) -> Iterator[str]:
    if list(state.dice) != sorted(set(state.dice)):
        yield "a die is taken twice, or the dice are not in order"
    if state.phase not in ("choose", "roll", "move"):
        if state.dice:
            yield "dice are taken outside a turn"
        return
    white = box.white in state.dice
    wanted = turn.coloured_wanted(box, state, white)
    taken = turn.coloured_taken(box, state)
    if taken > wanted or (taken != wanted and state.phase != "choose"):
        yield f"{taken} coloured dice are taken, and the turn has {wanted}"
    if white and turn.first_round(state):
        yield "the white die is used in the first round of the table"
    gone = state.arrivals[: state.arrived_before]
    if any(die in gone for die in state.dice):
        yield "the die of a pawn in a boat is taken"
    for die, face in zip(state.dice, state.faces, strict=False):
        if face is not None and not 0 <= face <= box.faces:
            yield f"the {box.dice[die]} die shows {face}"
        if die in state.arrivals and face != 0:
            yield f"{box.dice[die]} has arrived, yet its die is still to be used"
    if state.phase == "roll" and None not in state.faces:
        yield "a roll is awaited, but every die has fallen"
    if state.phase == "move":
        if None in state.faces:
            yield "pawns move before every die has fallen"
        elif turn.is_spent(box, state):
            yield "nothing is left to do, yet the turn goes on"

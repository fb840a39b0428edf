"""A turn: dice are chosen, fall, and move pawns.

Each kind of move has one predicate that says why it is refused (a code of texts.toml) or None;
`moves` lists by it and `play` refuses by it. The steps that follow assume it was asked.
"""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.core import Move, Rolled
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.moves import Advance, Back, Done, Leave, Take, Throw
from game_logic.la_grande_evasion.path import ahead, behind, on_the_way, put, ranked
from game_logic.la_grande_evasion.state import Evasion

_THROW = Throw()
_DONE = Done()


# -- choosing -------------------------------------------------------------------------------------


def coloured_wanted(box: Box, state: Evasion, white: bool) -> int:
    """How many coloured dice the throw must have, with or without the white one (R6, R19, R20);
    never more than there are pawns on the way (A22)."""
    dice = box.turn_dice[state.arrived_before]
    replaced = white and dice.white == "instead"
    return min(dice.coloured - replaced, len(box.pawns) - state.arrived_before)


def coloured_taken(box: Box, state: Evasion) -> int:
    return len(state.dice) - (box.white in state.dice)


def white_comes_late(box: Box, state: Evasion) -> bool:
    """May the white die still be rolled after the others? Not where it replaces one (A6, R20)."""
    return (
        not state.options.white_declared_before_roll
        and box.white not in state.dice
        and box.turn_dice[state.arrived_before].white == "extra"
        and not first_round(state)
    )


def first_round(state: Evasion) -> bool:
    return state.turn <= len(state.seats) and not state.options.white_first_round


def why_not_take(box: Box, state: Evasion, move: Take, seat: int) -> str | None:
    die = box.die_number.get(move.die)
    if die is None:
        return "no_such_die"
    if state.phase == "move" and die != box.white:
        return "dice_thrown"
    if die in state.dice:
        return "die_taken"
    if die != box.white:
        if state.squares[die] == state.options.path_length:
            return "die_put_aside"
        wanted = coloured_wanted(box, state, box.white in state.dice)
        return "dice_enough" if coloured_taken(box, state) >= wanted else None
    if first_round(state):
        return "white_first_round"
    if state.phase == "move":
        if not white_comes_late(box, state):
            return "white_announced"
        return None if _white_time(box, state) else "white_after_advances"
    too_many = coloured_taken(box, state) > coloured_wanted(box, state, True)
    return "white_instead" if too_many else None


def why_not_throw(box: Box, state: Evasion, move: Throw, seat: int) -> str | None:
    wanted = coloured_wanted(box, state, box.white in state.dice)
    return "dice_too_few" if coloured_taken(box, state) < wanted else None


def take(box: Box, state: Evasion, move: Take, seat: int) -> Evasion:
    dice = tuple(sorted((*state.dice, box.die_number[move.die])))
    if state.phase == "move":
        return replace(state, dice=dice, faces=(*state.faces, None), phase="roll")
    return replace(state, dice=dice)


def throw(box: Box, state: Evasion, move: Throw, seat: int) -> Evasion:
    return replace(state, faces=(None,) * len(state.dice), phase="roll")


def choices(box: Box, state: Evasion, seat: int) -> tuple[Move, ...]:
    takes = [t for t in box.takes if why_not_take(box, state, t, seat) is None]
    return (*takes, _THROW) if why_not_throw(box, state, _THROW, seat) is None else tuple(takes)


# -- the roll -------------------------------------------------------------------------------------


def falling(state: Evasion) -> list[int]:
    """The dice that have not fallen yet."""
    return [die for die, face in zip(state.dice, state.faces, strict=True) if face is None]


def why_not_roll(box: Box, state: Evasion, move: Rolled, seat: int) -> str | None:
    die = box.die_number.get(move.die)
    if die is None:
        return "no_such_die"
    if die not in falling(state):
        return "die_not_awaited"
    return None if 1 <= move.face <= box.faces else "no_such_face"


def roll(box: Box, state: Evasion, move: Rolled, seat: int) -> Evasion:
    faces = _face(state, box.die_number[move.die], move.face)
    if None in faces:
        return replace(state, faces=faces)
    return _go_on(box, replace(state, faces=faces, phase="move"))


def _face(state: Evasion, die: int, face: int) -> tuple[int | None, ...]:
    at = state.dice.index(die)
    return (*state.faces[:at], face, *state.faces[at + 1 :])


# -- moving ---------------------------------------------------------------------------------------


def face_of(state: Evasion, die: int) -> int | None:
    """What the die shows while it is still to be used; 0 once it is; None if it is not there."""
    return state.faces[state.dice.index(die)] if die in state.dice else None


def free_to_advance(box: Box, state: Evasion) -> list[int]:
    """The pawns whose dice are still to be used and on which nobody stands."""
    return [
        die
        for die, face in zip(state.dice, state.faces, strict=True)
        if face and die != box.white and state.above[die] is None
    ]


def _die_refused(box: Box, state: Evasion, pawn: str) -> str | None:
    number = box.number.get(pawn)
    if number is None:
        return "no_such_pawn"
    face = face_of(state, number)
    if face is None:
        return "pawn_not_rolled"
    return None if face else "die_spent"


def why_not_advance(box: Box, state: Evasion, move: Advance, seat: int) -> str | None:
    refused = _die_refused(box, state, move.pawn)
    if refused:
        return refused
    return None if state.above[box.number[move.pawn]] is None else "pawn_blocked"


def why_not_leave(box: Box, state: Evasion, move: Leave, seat: int) -> str | None:
    refused = _die_refused(box, state, move.pawn)
    if refused:
        return refused
    blocked = state.above[box.number[move.pawn]] is not None
    return None if blocked or not state.options.move_mandatory else "must_advance"


def _white_time(box: Box, state: Evasion) -> bool:
    """Is this a moment for the white die (A7)?"""
    return state.options.white_any_time or not any(
        face for die, face in zip(state.dice, state.faces, strict=True) if die != box.white
    )


def why_not_back(box: Box, state: Evasion, move: Back, seat: int) -> str | None:
    pawn = box.number.get(move.pawn)
    if pawn is None:
        return "no_such_pawn"
    face = face_of(state, box.white)
    if not face:
        return "white_not_rolled" if face is None else "white_spent"
    if not _white_time(box, state):
        return "white_after_advances"
    if pawn in state.dice:
        return "pawn_rolled"
    return _back_refused(state, pawn)


def _back_refused(state: Evasion, pawn: int) -> str | None:
    at = state.squares[pawn]
    if at == state.options.path_length:
        return "pawn_in_boat"
    if at <= state.options.home:
        return "pawn_at_start"
    return None if state.above[pawn] is None else "pawn_blocked"


def _some_pawn_can_go_back(state: Evasion) -> bool:
    return any(
        pawn not in state.dice and _back_refused(state, pawn) is None
        for pawn in range(len(state.squares))
    )


def why_not_done(box: Box, state: Evasion, move: Done, seat: int) -> str | None:
    if state.options.move_mandatory and free_to_advance(box, state):
        return "must_advance"
    must_go_back = not state.options.white_move_optional and face_of(state, box.white)
    return "white_must_be_used" if must_go_back and _some_pawn_can_go_back(state) else None


def steps(box: Box, state: Evasion, seat: int) -> tuple[Move, ...]:
    found: list[Move] = []
    for die, face in zip(state.dice, state.faces, strict=True):
        if face and die != box.white:
            if why_not_advance(box, state, box.advances[die], seat) is None:
                found.append(box.advances[die])
            if why_not_leave(box, state, box.leaves[die], seat) is None:
                found.append(box.leaves[die])
    if face_of(state, box.white):
        found += [back for back in box.backs if why_not_back(box, state, back, seat) is None]
    take_white = box.takes[box.white]
    if why_not_take(box, state, take_white, seat) is None:
        found.append(take_white)
    if why_not_done(box, state, _DONE, seat) is None:
        found.append(_DONE)
    return tuple(found)


def advance(box: Box, state: Evasion, move: Advance, seat: int) -> Evasion:
    pawn = box.number[move.pawn]
    pips = face_of(state, pawn) or 0
    state = replace(
        put(state, pawn, ahead(state, pawn, pips)),
        faces=_face(state, pawn, 0),
    )
    left = on_the_way(state)
    if left == 0 or (left == 1 and state.options.auto_finish_last):
        return all_aboard(state, ranked(state))
    return _go_on(box, state)


def leave(box: Box, state: Evasion, move: Leave, seat: int) -> Evasion:
    return _go_on(box, replace(state, faces=_face(state, box.number[move.pawn], 0)))


def back(box: Box, state: Evasion, move: Back, seat: int) -> Evasion:
    pawn = box.number[move.pawn]
    pips = face_of(state, box.white) or 0
    state = replace(
        put(state, pawn, behind(state, pawn, pips)),
        faces=_face(state, box.white, 0),
    )
    if state.squares[pawn] == state.options.home and on_the_way(state) == 2:  # R21
        other = next(p for p in ranked(state) if p != pawn)
        return all_aboard(state, (other, pawn))
    return _go_on(box, state)


def done(box: Box, state: Evasion, move: Done, seat: int) -> Evasion:
    return _next_turn(state)


def is_spent(box: Box, state: Evasion) -> bool:
    """Is there nothing left to do with the dice? A white die may still free a blocked pawn, but
    one that no pawn can follow has no effect (A5, A21)."""
    if free_to_advance(box, state):
        return False
    white = face_of(state, box.white) or white_comes_late(box, state)
    return not (white and _some_pawn_can_go_back(state))


def _go_on(box: Box, state: Evasion) -> Evasion:
    if is_spent(box, state):
        return _next_turn(state)
    if state.options.white_any_time or free_to_advance(box, state):
        return state
    # The advances are over: blocked pawns lose their rolls before the white die is played (A7).
    dice = zip(state.dice, state.faces, strict=True)
    return replace(state, faces=tuple(face if die == box.white else 0 for die, face in dice))


def _next_turn(state: Evasion) -> Evasion:
    if state.turn == state.options.turn_limit:  # 0, no limit, is no turn's number
        return all_aboard(state, ranked(state))
    return replace(
        state,
        phase="choose",
        turn=state.turn + 1,
        arrived_before=len(state.arrivals),
        dice=(),
        faces=(),
    )


def all_aboard(state: Evasion, rest: tuple[int, ...]) -> Evasion:
    """The rest take the last places in this order, and the race is over; unused dice are void
    (R22, A20). Bets on paper are entered now."""
    on_table = state.options.secrets == "table"
    arrivals = (*state.arrivals, *rest)
    return replace(
        state,
        phase="scoring" if on_table else "over",
        squares=(state.options.path_length,) * len(state.squares),
        above=(None,) * len(state.above),
        arrivals=arrivals,
        arrived_before=len(arrivals),
        dice=(),
        faces=(),
        locked=(not on_table,) * len(state.locked),
    )

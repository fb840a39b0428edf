"""Who stands where, whom they meet, and how guilt and things change hands."""

from __future__ import annotations

from msgspec.structs import replace

from game_logic.prison_break.board import CAMERA, TOWER, mask_of
from game_logic.prison_break.box import Box
from game_logic.prison_break.state import (
    NOBODY,
    NOWHERE,
    UNKNOWN,
    Break,
    Contact,
    push,
    put,
    without,
)


def full(state: Break, but: int = NOBODY) -> int:
    """The squares where nobody else may stop (R28); `but` is the person who wants to."""
    seen = 0
    more = []  # once for everybody who is not the first on his square
    for who, square in enumerate(state.where):
        if square != NOWHERE and who != but:
            if seen >> square & 1:
                more.append(square)
            seen |= 1 << square
    for square, _ in state.guards:
        if seen >> square & 1:
            more.append(square)
        seen |= 1 << square
    most = state.options.persons_per_square
    return mask_of(square for square in more if more.count(square) >= most - 1) if more else 0


def guarded(state: Break) -> int:
    """The squares that have as many guards as there may be (A35)."""
    once = twice = 0
    for square, _ in state.guards:
        twice |= once & 1 << square
        once |= 1 << square
    return once if state.options.guards_per_square == 1 else twice


def guards_at(state: Break, square: int) -> list[int]:
    """The logos of the guards there, each once."""
    return sorted({logo for at, logo in state.guards if at == square})


def watched(box: Box, state: Break) -> int:
    """The areas under the camera and the tower that are on (R46)."""
    camera, tower = state.lit
    return box.board.watched[CAMERA][camera] | box.board.watched[TOWER][tower]


def move_to(state: Break, who: int, square: int) -> Break:
    """Put a pawn down; a team member meets the guards there (A9)."""
    state = replace(state, where=put(state.where, who, square))
    if who not in state.team or state.options.contact != "always":
        return state
    return push(state, *(Contact(who, logo) for at, logo in state.guards if at == square))


def met(state: Break, square: int, logo: int) -> tuple[Contact, ...]:
    """A guard has come to this square: the team members he meets, in order."""
    return tuple(Contact(who, logo) for who in in_order(state) if state.where[who] == square)


def in_order(state: Break) -> list[int]:
    """The team as it acts (A13): seats from Scofield on, then externals, then Lincoln."""
    first, seats = state.scofield, len(state.seats)
    leaders = [state.cast[(first + n) % seats] for n in range(seats)]
    order = [who for who in leaders if who in state.team]
    return order + [who for who in state.team if who not in leaders]


def blame(state: Break, points: int) -> Break:
    """Culpability rises, or falls where points are negative (R4, A28, A50)."""
    limit = state.options.guilt_limit
    guilt = min(max(state.guilt + points, 0), limit)
    return replace(state, guilt=guilt, over="guilt" if guilt == limit else state.over)


def spend(state: Break, who: int, kind: str) -> Break:
    """An object leaves the game, for all to see."""
    hand = state.hands[who]
    bag = state.bag if kind in hand else state.bag.take(kind)
    hand = without(hand, kind if kind in hand else UNKNOWN)
    gone = tuple(sorted((*state.gone, kind)))
    return replace(state, hands=put(state.hands, who, hand), bag=bag, gone=gone)


def dismiss(state: Break, square: int, logo: int) -> Break:
    """A guard leaves the game for good (R33)."""
    return replace(state, guards=without(state.guards, (square, logo)))


def dooms(box: Box, state: Break, kind: str, recruiting: int = NOBODY) -> bool:
    """Would the game become impossible to win if this object left it (A27)?"""
    if state.phase != 1:
        return False
    needed = sum(
        box.wants[who][state.wish - 1] == kind
        for who in state.wanted
        if who not in state.team and who != recruiting
    )
    left = box.copies[kind] - state.gone.count(kind)
    return left - 1 < needed <= left


def to_isolation(box: Box, state: Break, who: int) -> Break:
    """A card sends a pawn to isolation; if there is no room, culpability rises instead (A51)."""
    cell = box.board.isolation
    if state.where[who] == cell:
        return state
    if full(state) >> cell & 1:
        return blame(state, 1)
    return move_to(state, who, cell)

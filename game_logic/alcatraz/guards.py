"""What guards do to the prisoner whose turn it is (R39–R42)."""

from __future__ import annotations

from game_logic.alcatraz.state import FULL, Prison

SLOWING = 2  # actions cost 1 AP more (R40)
BARRING = 3  # no action that costs AP, but moving and blackmail (R41)


def counted(s: Prison) -> int:
    """Guards present less those he bribed (A29)."""
    here = s.here
    return max(0, s.guards[here] - s.turn.bribed[here])


def price(s: Prison) -> int:
    """AP for an action here, moving and blackmail aside (R40, X9)."""
    return 1 + (counted(s) >= SLOWING) + (s.here in s.watched)


def bar_free(s: Prison) -> str | None:
    """Why not even a free action is possible here."""
    return "four_guards_here" if counted(s) >= FULL else None


def bar_costly(s: Prison) -> str | None:
    """Why an action that guards hinder is impossible here."""
    present = counted(s)
    if present >= BARRING:
        return "four_guards_here" if present >= FULL else "three_guards_here"
    if s.turn.ap < 1 + (present >= SLOWING) + (s.here in s.watched):
        return "too_dear"
    return None

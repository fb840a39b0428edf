"""The end (R60–R66): who is left behind."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz.box import PARTS
from game_logic.alcatraz.handling import Draw, evenly
from game_logic.alcatraz.setup import new_task
from game_logic.alcatraz.state import Prison, Prisoner
from game_logic.alcatraz.steps import Ballot, Fate, Over
from game_logic.core import Drawn, Move, Part


def essential(prisoners: Sequence[Prisoner], seat: int) -> bool:
    """Do the others lack at least one letter without him (A25)?"""
    held = set().union(*(p.parts for n, p in enumerate(prisoners) if n != seat))
    return len(held) < len(PARTS)


def left_behind(prisoners: Sequence[Prisoner], scapegoat: int) -> tuple[int, ...]:
    """Who may have to stay: nobody (the game goes on), one, or several who are tied (R65)."""
    spare = [seat for seat in range(len(prisoners)) if not essential(prisoners, seat)]
    if scapegoat in spare:
        return (scapegoat,)
    if not spare:
        return ()
    worth = {seat: _worth(prisoners[seat]) for seat in spare}
    least = min(worth.values())
    return tuple(seat for seat in spare if worth[seat] == least)


def _worth(prisoner: Prisoner) -> tuple[int, int, int, int]:
    """R64, in the order of comparison."""
    return len(prisoner.parts), prisoner.cash, len(prisoner.objects), prisoner.stamina


def settle(s: Prison) -> Prison:
    """After the rewards: the end, or a new task in place of the completed one (R50, R60)."""
    behind = left_behind(s.prisoners, s.scapegoat)
    if not behind:
        return new_task(s)
    if len(behind) == 1:
        return replace(s, step=Over(behind[0]))
    return replace(s, step=Ballot((None,) * len(s.seats), behind))


class FateHandler(Draw[Fate]):
    """A26: the escapees' votes were tied as well."""

    def kind(self, s: Prison) -> str:
        return "lot"

    def odds(self, s: Prison, step: Fate) -> Part:
        pawns = self.box.settings.pawns
        return evenly("stays", [Drawn("stays", pawns[seat]) for seat in step.tied])

    def after(self, s: Prison, step: Fate, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        return replace(s, step=Over(self.box.settings.pawns.index(move.card)))

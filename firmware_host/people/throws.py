"""Dice as simulated people throw them: now and then one is forgotten, or lies on an edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_host.simulated import SimulatedTable
from game_logic.core import CHANCE, Act, Chance, Game
from game_logic.dice import rolled

UNSEEN = 60.0  # s until people roll again untold: the tower keeps a roll until it is taken


class Throws:
    def __init__(
        self, sim: SimulatedTable, now: Callable[[], float], below: Callable[[int], int]
    ) -> None:
        self._sim = sim
        self._now = now
        self._below = below
        self.spoilt: float | None = None  # when dice were thrown that cannot count
        self._unseen: list[tuple[Act, ...]] = []  # throws that nobody seemed to see

    def due(self, told: bool) -> bool:
        """Is there a reason to throw: nothing lies there, the table has asked, or it never will?"""
        return self.spoilt is None or told or self._now() > self.spoilt + UNSEEN

    def roll(self, game: Game[Any], chance: Chance, mistakes: float) -> tuple[Act, ...] | str:
        """What has been thrown, or the mistake."""
        tower = self._sim.tower
        assert tower is not None
        tower.remove(*tower.in_tray)
        dice = [part.id for part in chance.parts]
        self.spoilt = None
        clumsy = mistakes and self._below(1000) < mistakes * 1000
        if clumsy and len(dice) > 1 and self._below(2):
            tower.drop(dice[1:])
            self.spoilt = self._now()
            return "die forgotten"
        if clumsy:
            tower.drop(dice)
            tower.cock(dice[0])
            self.spoilt = self._now()
            return "die cocked"
        falls = rolled(chance, tuple(tower.drop(dice).items()), game.die)
        return tuple(Act(CHANCE, fall) for fall in falls)

    def unseen(self, acts: tuple[Act, ...]) -> None:
        """Nothing has come of it: it will be thrown again."""
        if acts and acts[0].by == CHANCE:
            self._unseen.append(acts)

    def told_late(self, acts: tuple[Act, ...]) -> bool:
        """Is what the table goes on with a throw before the last?"""
        late = acts in self._unseen
        self._unseen = []
        return late

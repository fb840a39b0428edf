"""Switches, magnets and fingers: what drives an input from outside, with its bounces and faults."""

from __future__ import annotations

from drivers.sim.agenda import Agenda


class Contacts:
    """Inputs by number. Each is driven high or low, or nothing drives it (None)."""

    def __init__(self, agenda: Agenda) -> None:
        self.bounce: dict[int, tuple[float, int]] = {}  # inputs that bounce: seconds, times
        self._agenda = agenda
        self._driven: dict[int, bool | None] = {}
        self._stuck: dict[int, bool] = {}
        self._moves: dict[int, int] = {}  # so that no bounce outlives a newer movement

    def changed(self, input: int) -> None:
        """What drives this input may have changed."""
        raise NotImplementedError

    def driven(self, input: int) -> bool | None:
        return self._stuck.get(input, self._driven.get(input))

    def set_input(self, input: int, level: bool | None) -> None:
        """Drive an input high or low, or let go of it (None), as a hand or a magnet does."""
        move = self._moves[input] = self._moves.get(input, 0) + 1
        before = self._driven.get(input)
        seconds, times = self.bounce.get(input, (0.0, 0))
        if before != level:
            for n in range(1, 2 * times + 1):

                def again(to: bool | None = before if n % 2 else level) -> None:
                    if self._moves[input] == move:
                        self._drive(input, to)

                self._agenda.after(seconds * n / (2 * times), again)
        self._drive(input, level)

    def pulse(self, input: int, seconds: float, level: bool = False) -> None:
        """Drive an input for a while, then let go of it."""
        self.set_input(input, level)
        self._agenda.after(seconds, lambda: self.set_input(input, None))

    def stick(self, input: int, level: bool | None) -> None:
        """Whatever drives it, the input stays at this level; None frees it."""
        if level is None:
            self._stuck.pop(input, None)
        else:
            self._stuck[input] = level
        self.changed(input)

    def _drive(self, input: int, level: bool | None) -> None:
        self._driven[input] = level
        self.changed(input)

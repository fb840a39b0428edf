"""The simulated board: pieces stand on spaces and close the switches under them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from drivers.mcp23017 import WIDTH
from drivers.sim.agenda import Agenda
from drivers.sim.mcp23017 import SimMcp23017
from firmware_host.config import Config, input_number
from firmware_host.sighting import changed
from game_logic.core import Image, Piece

CLOSED = False  # a closed switch pulls its input to ground


class World:
    """What is physically there, whatever the rules say. Spaces without a sensor hold pieces too."""

    def __init__(self, config: Config, chips: Sequence[SimMcp23017], agenda: Agenda) -> None:
        self.agenda = agenda
        self.pieces: dict[str, tuple[Piece, ...]] = {}
        self._chips = chips
        self._switches: dict[str, list[tuple[int, str | None]]] = {}
        self._gates: dict[str, int] = {}
        addresses = config.expanders.addresses if config.expanders else ()
        for name, part in config.inputs.items():
            number = input_number(name, addresses)
            assert number is not None
            if part.sign:
                self._gates[part.sign] = number
            elif part.space:
                self._switches.setdefault(part.space, []).append((number, part.piece))

    def put(self, space: str, pieces: tuple[Piece, ...]) -> None:
        """These pieces, and no others, stand on the space from now on."""
        self.pieces[space] = pieces
        kinds = {piece.kind for piece in pieces}
        for number, kind in self._switches.get(space, ()):
            closed = kind in kinds if kind else bool(kinds)
            self._chip(number).set_input(number % WIDTH, CLOSED if closed else None)

    def arrange(self, image: Image) -> None:
        """Everything at once as the image has it."""
        for space in changed(self.pieces, image):
            self.put(space, image.get(space, ()))

    def slide(self, image: Image, seconds: float) -> None:
        """The pieces come to stand as the image has it one after another, in that time."""
        spaces = sorted(changed(self.pieces, image))
        for n, space in enumerate(spaces, 1):
            pieces = image.get(space, ())
            self.agenda.after(seconds * n / len(spaces), partial(self.put, space, pieces))

    def pass_by(self, sign: str, seconds: float = 0.06) -> None:
        """Something shows for a moment: a knot in an opening."""
        number = self._gates.get(sign)
        if number is not None:
            self._chip(number).pulse(number % WIDTH, seconds, CLOSED)

    def _chip(self, number: int) -> SimMcp23017:
        return self._chips[number // WIDTH]

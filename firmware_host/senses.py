"""Switches -> sightings and signs: what each input of this table means, and when it has settled."""

from __future__ import annotations

from drivers.mcp23017 import Edge, Inputs
from firmware_host.config import Config, input_number
from firmware_host.sighting import Grade, Sighting, Sightings
from game_logic.core import Piece


class Senses:
    """What the switches of a table say. A space whose switches all answer is seen; one with a
    dead expander behind it is blind until that is mended."""

    def __init__(self, config: Config, inputs: Inputs | None) -> None:
        addresses = config.expanders.addresses if config.expanders else ()
        self._inputs = inputs
        self._settle = config.settle_ms / 1000
        self._spaces: dict[str, list[tuple[int, str | None]]] = {}
        self._signs: dict[int, str] = {}
        for name, part in config.inputs.items():
            number = input_number(name, addresses)
            assert number is not None  # checked with the configuration
            if part.sign:
                self._signs[number] = part.sign
            elif part.space:
                self._spaces.setdefault(part.space, []).append((number, part.piece))
        self._shown: list[str] = []
        self.last_change = float("-inf")
        self._kept: Sightings | None = None
        self._trusted: tuple[bool, ...] = ()

    @property
    def next_due(self) -> float:
        return self._inputs.next_due if self._inputs else float("inf")

    def hint(self) -> None:
        if self._inputs:
            self._inputs.hint()

    def step(self, now: float) -> bool:
        """Look at what is due; True if anything changed."""
        if self._inputs is None:
            return False
        edges = self._inputs.step(now)
        trusted = tuple(chip.trusted for chip in self._inputs.chips)
        if trusted != self._trusted:
            self._trusted = trusted
            self._kept = None
        for edge in edges:
            self._take(edge)
        return bool(edges)

    def _take(self, edge: Edge) -> None:
        self.last_change = edge.at
        self._kept = None
        sign = self._signs.get(edge.input)
        if sign is not None and edge.closed:
            self._shown.append(sign)

    def settled_at(self) -> float:
        """When the board will have been quiet for long enough, if nothing moves before."""
        return self.last_change + self._settle

    def sightings(self) -> Sightings:
        if self._kept is None:
            levels = self._inputs.levels if self._inputs else ()
            spaces = {}
            for space, switches in self._spaces.items():
                known = [(levels[n], piece) for n, piece in switches]
                if None not in (level for level, _ in known):
                    spaces[space] = _sighting(
                        [piece for level, piece in known if not level],
                        [piece for _, piece in known],
                    )
            sensed = frozenset(s for n, s in self._signs.items() if levels[n] is not None)
            self._kept = Sightings(spaces, tuple(self._shown), sensed)
        return self._kept

    def forget_signs(self) -> None:
        """They have been judged."""
        if self._shown:
            self._shown.clear()
            self._kept = None


def _sighting(closed: list[str | None], switches: list[str | None]) -> Sighting:
    """Where only one kind of piece closes a switch, it tells the kind; else that one is there."""
    kinds = [kind for kind in switches if kind is not None]
    if len(kinds) < len(switches):
        return Sighting(Grade.SOME, count=int(bool(closed)))
    return Sighting(Grade.KIND, tuple(Piece(kind) for kind in sorted(kinds) if kind in closed))

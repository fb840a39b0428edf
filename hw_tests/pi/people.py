"""Who is at the table on trial: a person at the terminal, or a simulated one at simulated chips."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from drivers.sim.radio import Tag
from firmware_host.people import Hands
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.table import Table
from game_logic import load
from game_logic.core import Piece
from hw_tests.pi.trials import Request, picture

TERMINAL = "/dev/tty"  # pytest keeps the usual streams for itself
UID = bytes.fromhex("04a1b2c3d4e5f6")


class AtTheTerminal:
    def __init__(self, language: str, terminal: str = TERMINAL) -> None:
        self._language = language
        self._terminal = terminal

    def do(self, request: Request) -> None:
        with open(self._terminal, "w", encoding="utf-8") as out:
            print(f"\n→ {request.text.in_(self._language)}", file=out)

    def sees(self, request: Request) -> bool:
        self.do(request)
        with open(self._terminal, encoding="utf-8") as typed:
            return typed.readline().strip().lower() in ("", "y", "yes", "o", "oui")

    def plays(self, table: Table, events: list[Event]) -> Callable[[], float]:
        return lambda: float("inf")


class Simulated:
    """Does to the simulated table what it is asked for, and looks at its pixels and pins.

    `astray` are things it gets wrong, as swapped wires would: what was meant, and what is done.
    """

    def __init__(self, sim: SimulatedTable, astray: Mapping[str, str] | None = None) -> None:
        self._sim = sim
        self._astray = astray or {}
        self._tag = Tag(UID)

    def do(self, request: Request) -> None:
        """A moment later, as people do."""
        what = self._astray.get(request.what, request.what)
        self._sim.agenda.after(0.3, lambda: self._act(request.kind, what, request.piece))

    def _act(self, kind: str, what: str, piece: str | None) -> None:
        sim, world = self._sim, self._sim.world
        match kind:
            case "press":
                sim.press(what)
            case "put":
                world.put(what, (Piece(piece or "pawn"),))
            case "take":
                world.put(what, ())
            case "pass":
                world.pass_by(what)
            case "lay":
                sim.radio.put(self._tag, sim.readers[what].antenna.place)
            case "lift":
                sim.radio.take(self._tag)
            case "throw":
                assert sim.tower is not None
                sim.tower.drop(what.split())
            case "drop":
                sim.break_beam()

    def sees(self, request: Request) -> bool:
        sim, panel = self._sim, self._sim.config.panel
        match request.kind:
            case "screen":
                shown = sim.pictures()[int(request.what) - 1]
                return shown.tobytes() == picture(request.what, shown.size).tobytes()
            case "light":
                pins = {c: getattr(panel, c) for c in ("red", "green", "blue")}
                lit = {c for c, pin in pins.items() if pin is not None and sim.pins.level(pin)}
                return lit == {self._astray.get(request.what, request.what)}
            case "buzzer":
                return bool(sim.pins.level(panel.buzzer))
            case "faces":
                assert sim.tower is not None
                said = dict(word.split() for word in request.what.split(", "))
                return said == {die: str(face) for die, face in sim.tower.tray.items()}
        raise AssertionError(f"nobody knows how to look for {request.kind}")

    def plays(self, table: Table, events: list[Event]) -> Callable[[], float]:
        game = load(self._sim.config.game)
        self._sim.open_box(game)
        hands = Hands(table, self._sim, lambda: table.now, random.Random(3).randrange)
        heard = 0

        def step() -> float:
            nonlocal heard
            for event in events[heard:]:
                hands.heard(event)
            heard = len(events)
            return hands.step()

        return step

"""The physical table at one moment, as the page gets to see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from firmware_host.simulated import SimulatedTable
from game_logic.core import Image, Piece, Text, Thing

COLOURS = ("red", "green", "blue")


class Die(NamedTuple):
    """A die of the tower. `where`: "box", "falling", "tray" or, lying askew, "cocked"."""

    name: str
    where: str
    face: int | None = None


class Frame(NamedTuple):
    """The physical table at one moment, whatever the game makes of it."""

    pieces: Image
    box: tuple[tuple[Thing, int], ...]  # pieces beside the board, and how many of each are left
    hand: tuple[Piece, ...]
    screens: tuple[bytes, ...]  # 128×64 pixels each, a bit a pixel, as the chips show them
    light: tuple[float, ...] | None  # red, green, blue
    sounding: bool | None
    beeps: int  # how often the buzzer has begun to sound
    dice: tuple[Die, ...]
    faults: tuple[tuple[str, str], ...]
    cards: tuple[Thing, ...]  # that can be held to a pad
    told: tuple[Text, ...]  # what has happened lately, the newest last


def look(
    sim: SimulatedTable,
    things: Sequence[Thing],
    hand: tuple[Piece, ...],
    beeps: int,
    lifted: tuple[Piece, ...],
    told: tuple[Text, ...],
) -> Frame:
    """`hand`: what it holds; `lifted`: that of it which touches no space."""
    pins = sim.config.panel
    lamp = [getattr(pins, colour) for colour in COLOURS]
    lit = tuple(0.0 if pin is None else sim.pins.level(pin) for pin in lamp)
    return Frame(
        {space: there for space, there in sim.world.pieces.items() if there},
        box(sim, things, lifted),
        hand,
        tuple(picture.tobytes() for picture in sim.pictures()),
        None if lamp == [None] * 3 else lit,
        sounds(sim),
        beeps,
        _dice(sim),
        tuple((str(fault[0]), str(fault[1])) for fault in sim.faults.active),
        cards(sim, things),
        told,
    )


def sounds(sim: SimulatedTable) -> bool | None:
    """Does the buzzer sound now? None: there is none."""
    pin = sim.config.panel.buzzer
    return None if pin is None else sim.pins.level(pin) > 0


def box(
    sim: SimulatedTable, things: Sequence[Thing], lifted: tuple[Piece, ...]
) -> tuple[tuple[Thing, int], ...]:
    """The pieces of the game, and how many of each lie beside the board."""
    out = Counter(key(piece) for there in (*sim.world.pieces.values(), lifted) for piece in there)
    return tuple(
        (thing, max(0, thing.count - out[key(thing.piece)]))
        for thing in things
        if thing.piece is not None
    )


def cards(sim: SimulatedTable, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """What can be held to a pad, where there is one."""
    return tuple(thing for thing in things if thing.sign is not None) if sim.world.pads else ()


def _dice(sim: SimulatedTable) -> tuple[Die, ...]:
    if sim.tower is None:
        return ()
    lying, falling = sim.tower.tray, sim.tower.falling
    return tuple(
        Die(name, "falling")
        if name in falling
        else Die(name, "box")
        if name not in lying
        else Die(name, "cocked" if lying[name] is None else "tray", lying[name])
        for name in sim.tower.dice
    )


def key(piece: Piece) -> tuple[str, str | None]:
    """Which piece it is, however it lies."""
    return piece.kind, piece.id

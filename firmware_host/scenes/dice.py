"""Dice as faces: what was rolled since a person last did anything."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.canvas import Canvas
from firmware_host.font import SMALL
from firmware_host.journal import Record
from firmware_host.journal.entries import Intent
from game_logic.core import Rolled

PIPS = {  # by row and column of a die's three by three places
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)),
}
TOP = 12  # of the dice on their screen
WIDEST = 30  # columns from a die with a name to the next


class Size(NamedTuple):
    """Of a die, its pips, and the first pip from the edge; size and pip are both odd or even."""

    die: int
    pip: int
    edge: int


LARGE, NAMED, MANY = Size(28, 6, 4), Size(18, 4, 2), Size(15, 3, 2)


class Die(NamedTuple):
    """A face, and which die shows it, where there are several."""

    face: int
    name: str = ""


def rolled(record: Record) -> tuple[Die, ...]:
    """The dice that chance gave since a person last acted, where everybody may see them."""
    faces: list[Die] = []
    steps = record.steps
    for before, step in zip(reversed(steps[:-1]), reversed(steps), strict=False):
        if not isinstance(step.entry, Intent):
            break
        acts = step.entry.acts
        chance = record.game.chance(before.state) if acts[0].by < 0 else None
        if chance is None or chance.sees is None:
            faces[:0] = [Die(a.move.face) for a in acts if isinstance(a.move, Rolled)]
        if any(act.by >= 0 for act in acts):
            break
    return tuple(faces)


def large(canvas: Canvas, die: Die, beside: list[str]) -> None:
    """One die, to be seen from across the table, and what else there is to say in lines."""
    draw(canvas, 2, TOP, die.face, LARGE)
    for n, line in enumerate(beside[:2]):
        canvas.text(LARGE.die + 10, TOP + 2 + n * 13, line)


def row(canvas: Canvas, dice: tuple[Die, ...]) -> None:
    """Several dice, each under its name."""
    pitch = min(WIDEST, canvas.width // len(dice))
    size = NAMED if pitch > NAMED.die else MANY
    left = (canvas.width - pitch * len(dice)) // 2
    for n, die in enumerate(dice):
        x = left + n * pitch
        name = die.name if SMALL.width(die.name) <= pitch else ""
        canvas.text(x, TOP - 1, name, align="center", width=pitch)
        draw(canvas, x + (pitch - size.die) // 2, TOP + 11, die.face, size)


def draw(canvas: Canvas, x: int, y: int, face: int, size: Size) -> None:
    _rounded(canvas, x, y, size.die, ink=1)
    step = (size.die - size.pip) // 2 - size.edge
    for r, c in PIPS.get(face, ()):
        _rounded(canvas, x + size.edge + c * step, y + size.edge + r * step, size.pip, ink=0)
    if face not in PIPS:  # no six-sided die: its number
        width = SMALL.width(str(face))
        canvas.fill(x + 2, y + 2, size.die - 4, size.die - 4, ink=0)
        canvas.text(x + (size.die - width) // 2, y + (size.die - 11) // 2, str(face), width=width)


def _rounded(canvas: Canvas, x: int, y: int, side: int, ink: int) -> None:
    """A square without its corners, where it is large enough for them to show."""
    cut = side > 3
    canvas.fill(x + cut, y, side - 2 * cut, side, ink)
    canvas.fill(x, y + cut, side, side - 2 * cut, ink)

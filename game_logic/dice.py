"""A tower's reading as moves: the dice in its tray, checked against what chance is asked for.

A roll is taken whole or not at all. Where it cannot be taken, the refusal names one die and what
to do with it, so that a table is put right one step at a time and no die that lies well is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from game_logic.core import Chance, Illegal, Rolled, Text
from game_logic.data import Texts

# A die in the tray and its face; None while it is cocked.
Seen = tuple[str, int | None]

_TEXTS = Texts(
    {
        "no_dice_awaited": Text(
            "Aucun lancer n'est attendu : reprenez {die}.",
            "No roll is awaited: take {die} back.",
        ),
        "wrong_die": Text(
            "{die} n'est pas de ce lancer : reprenez-le et lancez {missing}.",
            "{die} is not in this roll: take it back and roll {missing}.",
        ),
        "die_too_many": Text(
            "Un dé de trop : reprenez {die}.",
            "One die too many: take {die} back.",
        ),
        "die_twice": Text(
            "Deux dés sont lus sous le même nom, {die} : n'en laissez qu'un.",
            "Two dice are read by one name, {die}: leave only one of them.",
        ),
        "die_cocked": Text(
            "Dé cassé : relancez {die}.",
            "A cocked die: roll {die} again.",
        ),
        "no_such_face": Text(
            "Face impossible ({face}) : relancez {die}.",
            "An impossible face ({face}): roll {die} again.",
        ),
        "die_missing": Text(
            "Il manque un dé : lancez aussi {die}.",
            "A die is missing: roll {die} too.",
        ),
    }
)


def rolled(
    chance: Chance | None, seen: Iterable[Seen], named: Callable[[str], Text]
) -> tuple[Rolled, ...]:
    """The moves of one roll, in the order of the chance's parts.

    `named` gives a die's name with its article, whatever id the tower has read.
    """
    tray = tuple(seen)
    dice = {
        part.id: {move.face: move for move, _ in part.odds if isinstance(move, Rolled)}
        for part in (chance.parts if chance and chance.kind == "dice" else ())
    }

    def refused(code: str, die: str, **fields: object) -> Illegal:
        return Illegal(code, _TEXTS(code, die=named(die), **fields).capital())

    there = [die for die, _ in tray]
    missing = [die for die in dice if die not in there]
    for n, (die, _) in enumerate(tray):
        if not dice:
            raise refused("no_dice_awaited", die)
        if die not in dice and missing:
            raise refused("wrong_die", die, missing=named(missing[0]))
        if die not in dice:
            raise refused("die_too_many", die)
        if die in there[:n]:
            raise refused("die_twice", die)
    faces = dict(tray)
    moves = []
    for die, falls in dice.items():
        if die in missing:
            continue
        face = faces[die]
        if face is None:
            raise refused("die_cocked", die)
        if face not in falls:
            raise refused("no_such_face", die, face=face)
        moves.append(falls[face])
    if missing:
        raise refused("die_missing", missing[0])
    return tuple(moves)

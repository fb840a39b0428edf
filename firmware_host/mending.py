"""How to put the board right: one instruction at a time, in the players' words."""

from __future__ import annotations

from typing import Any

from firmware_host.sighting import Grade, Sighting, Sightings, fits, unfit
from firmware_host.texts import TEXTS
from game_logic.core import Game, Illegal, Image, Piece, Text, Value


class Instruction(Value, frozen=True, gc=False):
    """`piece` None: the sensor cannot say which. `origin` None: from beside the board; `to` None:
    off the board."""

    piece: Piece | None
    origin: str | None
    to: str | None

    def text(self, game: Game[Any]) -> Text:
        piece = game.piece(self.piece) if self.piece else TEXTS("the_piece")
        if self.origin and self.to:
            return TEXTS(
                "mend_move", piece=piece, origin=game.place(self.origin), to=game.place(self.to)
            )
        if self.to:
            return TEXTS("mend_put", piece=piece, to=game.place(self.to))
        assert self.origin
        return TEXTS("mend_take", piece=piece, origin=game.place(self.origin))


def instructions(game: Game[Any], state: Any, sightings: Sightings) -> tuple[Instruction, ...]:
    """What to do until the board is as the state says: pieces on a wrong space first (they are
    nearest at hand), then what must leave, then what is missing."""
    image = game.image(state)
    order = {space: n for n, space in enumerate(game.spaces(state))}
    extra: list[tuple[str, Piece | None]] = []
    missing: list[tuple[str, Piece | None]] = []
    for space in sorted(unfit(image, sightings), key=lambda s: order.get(s, len(order))):
        more, fewer = _difference(image, space, sightings.at(space))
        extra += [(space, piece) for piece in more]
        missing += [(space, piece) for piece in fewer]
    moved: list[Instruction] = []
    for origin, piece in tuple(extra):
        homes = [to for to, lost in missing if lost == piece and to != origin]
        if homes:
            to = min(homes, key=lambda s: abs(order.get(s, 0) - order.get(origin, 0)))
            extra.remove((origin, piece))
            missing.remove((to, piece))
            moved.append(Instruction(piece, origin, to))
    if [piece for _, piece in extra] == [None] and len(missing) == 1:
        # A switch cannot say what stands on it; but one is there that is missing elsewhere.
        ((origin, _),), ((to, lost),) = extra, missing
        return (*moved, Instruction(lost, origin, to))
    return (
        *moved,
        *(Instruction(piece, origin, None) for origin, piece in extra),
        *(Instruction(piece, None, to) for to, piece in missing),
    )


def surplus(image: Image, space: str, sighting: Sighting) -> bool:
    """Does something stand there that should not?"""
    return bool(_difference(image, space, sighting)[0])


def _difference(
    image: Image, space: str, sighting: Sighting
) -> tuple[list[Piece | None], list[Piece | None]]:
    """(what stands there and should not, what should and does not)."""
    there = [p for p in image.get(space, ()) if p.kind not in sighting.unseen]
    if sighting.grade in (Grade.COUNT, Grade.SOME):
        wanted: list[Piece | None] = [Piece(p.kind, p.id) for p in there]
        if sighting.grade is Grade.SOME:
            return ([], wanted) if wanted else ([None], [])
        surplus = sighting.count - len(there)
        return ([None] * surplus, []) if surplus > 0 else ([], wanted[surplus:])
    named = sighting.grade is Grade.WHO
    seen = [Piece(p.kind, p.id if named else None) for p in sighting.pieces]
    lost: list[Piece | None] = []
    for p in there:
        key = Piece(p.kind, p.id if named else None)
        if key in seen:
            seen.remove(key)
        elif not p.covered:
            lost.append(Piece(p.kind, p.id))
    return list(seen), lost


def corrected(game: Game[Any], state: Any, sightings: Sightings) -> Any:
    """The state with the pieces as they stand; None where the sensors cannot tell which they are,
    or the rules cannot have them stand so."""
    image = {space: list(pieces) for space, pieces in game.image(state).items()}
    for step in instructions(game, state, sightings):
        if step.piece is None:
            return None
        if step.to is not None:
            there = image[step.to]
            there.remove(
                next(p for p in there if (p.kind, p.id) == (step.piece.kind, step.piece.id))
            )
        if step.origin is not None:
            image.setdefault(step.origin, []).append(step.piece)
    try:
        after = game.placed(state, {space: tuple(pieces) for space, pieces in image.items()})
    except Illegal:
        return None
    return None if game.problems(after) else after


def progress(game: Game[Any], state: Any, sightings: Sightings) -> tuple[int, int]:
    """(spaces already right, all spaces that should hold a piece): for setting up."""
    wanted = {s: p for s, p in game.image(state).items() if sightings.at(s).grade != Grade.BLIND}
    right = sum(fits(pieces, sightings.at(space)) for space, pieces in wanted.items())
    return right, len(wanted)

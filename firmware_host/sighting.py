"""What the sensors say of a space, at the grade they are able to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from game_logic.core import Image, Piece, Value


class Grade(StrEnum):
    WHO = "who"  # which pieces (RFID)
    KIND = "kind"  # pieces of which kind (a knot's pole)
    COUNT = "count"  # how many
    SOME = "some"  # something or nothing (a switch)
    BLIND = "blind"  # nothing at all


class Sighting(Value, frozen=True, gc=False):
    """`pieces` at the grades WHO and KIND, `count` at COUNT and SOME.

    `unseen` are kinds that this sensor never sees, such as untagged guards on an RFID reader.
    """

    grade: Grade
    pieces: tuple[Piece, ...] = ()
    count: int = 0
    unseen: tuple[str, ...] = ()


BLIND = Sighting(Grade.BLIND)


class Sightings(Value, frozen=True, gc=False):
    """The whole table at one moment: spaces left out are blind.

    `signs` are what showed for a moment since the last look (an opening passed, a card shown), in
    order; `sensed` are all the signs this table is able to notice at all. `shaken`: a sensor has
    fallen silent since the last look, and what happened then is seen less well than it was done.
    `cards`: those of the signs whose order tells nothing, since several may lie on a pad at once.
    `lost`: spaces, and signs of openings, that were seen in this game and are not for now.
    """

    spaces: dict[str, Sighting]
    signs: tuple[str, ...] = ()
    sensed: frozenset[str] = frozenset()
    shaken: bool = False
    cards: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()

    def at(self, space: str) -> Sighting:
        return self.spaces.get(space, BLIND)


def _names(pieces: tuple[Piece, ...], grade: Grade) -> Counter[tuple[str, str | None]]:
    return Counter((p.kind, p.id if grade is Grade.WHO else None) for p in pieces)


@lru_cache(maxsize=4096)  # the same pieces and sensors are compared for every move that might be
def fits(pieces: tuple[Piece, ...], sighting: Sighting) -> bool:
    """Could these pieces give this sighting? The only comparison between board and rules.

    A covered piece may be read or not; every other must be.
    """
    grade = sighting.grade
    if grade is Grade.BLIND:
        return True
    if sighting.unseen:
        pieces = tuple(p for p in pieces if p.kind not in sighting.unseen)
    if grade is Grade.SOME:
        return bool(pieces) == bool(sighting.count)
    open_ones = tuple(p for p in pieces if not p.covered)
    if grade is Grade.COUNT:
        return len(open_ones) <= sighting.count <= len(pieces)
    seen = _names(sighting.pieces, grade)
    return _names(open_ones, grade) <= seen <= _names(pieces, grade)


def unfit(image: Image, sightings: Sightings) -> frozenset[str]:
    """The spaces where the board is not as the image has it."""
    return frozenset(
        space
        for space, sighting in sightings.spaces.items()
        if not fits(image.get(space, ()), sighting)
    )


def fit(image: Image, sightings: Sightings) -> bool:
    """Is the board everywhere as the image has it, as far as sensors see?"""
    get = image.get
    return all(fits(get(space, ()), sighting) for space, sighting in sightings.spaces.items())


@lru_cache(maxsize=4096)
def as_seen(pieces: tuple[Piece, ...], like: Sighting) -> Sighting:
    """The sighting of the same sensor if these pieces stood there, nothing covered."""
    visible = tuple(p for p in pieces if p.kind not in like.unseen)
    match like.grade:
        case Grade.WHO | Grade.KIND:
            who = like.grade is Grade.WHO
            seen = tuple(sorted((Piece(p.kind, p.id if who else None) for p in visible), key=str))
            return Sighting(like.grade, seen, 0, like.unseen)
        case Grade.COUNT:
            return Sighting(like.grade, (), len(visible), like.unseen)
        case Grade.SOME:
            return Sighting(like.grade, (), int(bool(visible)), like.unseen)
        case Grade.BLIND:
            return like


def changed(before: Image, after: Image) -> frozenset[str]:
    """The spaces on which two images differ."""
    found = [space for space, pieces in before.items() if after.get(space) != pieces]
    found += [space for space in after if space not in before]
    return frozenset(found)


def seen_change(before: Image, after: Image, sightings: Sightings) -> frozenset[str]:
    """The spaces whose difference this table's sensors can notice."""
    return frozenset(
        space
        for space in changed(before, after)
        if (like := sightings.at(space)).grade is not Grade.BLIND
        and as_seen(before.get(space, ()), like) != as_seen(after.get(space, ()), like)
    )


def all_seen(image: Image, like: Mapping[str, Sighting]) -> dict[str, Sighting]:
    """What the sensors of `like` would say of a board that stands as the image."""
    return {space: as_seen(image.get(space, ()), s) for space, s in like.items()}

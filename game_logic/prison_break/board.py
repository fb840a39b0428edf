"""The plan of the prison, from data/board.toml: squares, who is next to whom, and what is near.

Sets of squares are integers, one bit a square; what the rules ask at every move is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal, NoReturn

import msgspec
from msgspec import Meta

from game_logic.data import Data, DataError

FILE = "board.toml"
SIDE = 3  # a zone is a block of 3 × 3 squares

CAMERA, TOWER = 0, 1
DEVICES = ("camera", "tower")


class _Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    x: int
    y: int


class _Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: Annotated[int, Meta(ge=1, le=5)]
    colour: str
    x: int
    y: int
    tower: str


class _Building(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    kind: Literal["strategic", "white"]
    squares: Annotated[tuple[_Spot, ...], Meta(min_length=1)]
    doors: Annotated[tuple[tuple[str, str], ...], Meta(min_length=1)]
    camera: Annotated[int, Meta(ge=1, le=6)] | None = None


class _Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    isolation: str
    yard: int
    gates: tuple[tuple[str, str], ...]
    zones: tuple[_Zone, ...]
    buildings: tuple[_Building, ...]


def bits(mask: int) -> tuple[int, ...]:
    """The squares of a set, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Board:
    def __init__(self, data: Data) -> None:
        plan = data.read(FILE, _Plan)
        self.reach = lru_cache(maxsize=1 << 15)(self._find_reach)
        self.ways = lru_cache(maxsize=1 << 12)(self._find_ways)
        self._name_squares(plan)
        self._join(plan)
        self._set_watch(plan)

    def _name_squares(self, plan: _Plan) -> None:
        zones = sorted(plan.zones, key=lambda zone: zone.number)
        if [zone.number for zone in zones] != [1, 2, 3, 4, 5]:
            _wrong("zones: their numbers must be 1 to 5, each once")
        spots = [
            _Spot(f"z{z.number}_{n + 1}", z.x + n % SIDE, z.y + n // SIDE)
            for z in zones
            for n in range(SIDE * SIDE)
        ]
        outdoors = len(spots)
        spots += [spot for building in plan.buildings for spot in building.squares]
        self.squares = tuple(spot.id for spot in spots)
        self.index = {id: n for n, id in enumerate(self.squares)}
        self.at = tuple((spot.x, spot.y) for spot in spots)
        for what, unique in (("square", self.squares), ("spot on the grid", self.at)):
            for one in unique:
                if unique.count(one) > 1:
                    _wrong(f"the {what} {one} is there twice")
        self.zone_of = tuple(
            n // (SIDE * SIDE) + 1 if n < outdoors else 0 for n in range(len(spots))
        )
        self.outdoors = (1 << outdoors) - 1

    def _join(self, plan: _Plan) -> None:
        steps: list[tuple[int, int]] = []
        for n in range(self.outdoors.bit_length()):
            if n % SIDE != SIDE - 1:
                steps.append((n, n + 1))
            if n % (SIDE * SIDE) < SIDE * (SIDE - 1):
                steps.append((n, n + SIDE))
        for n, (one, other) in enumerate(plan.gates):
            a, b = self._square(one, f"gates[{n}]"), self._square(other, f"gates[{n}]")
            if not self.zone_of[a] or self.zone_of[a] == self.zone_of[b] or not self.zone_of[b]:
                _wrong(f"gates[{n}]: {one}-{other} does not join two zones")
            steps.append((a, b))
        self.gates = tuple(steps[-len(plan.gates) :]) if plan.gates else ()
        self.buildings: dict[str, int] = {}
        doors = []
        for building in plan.buildings:
            where = f"buildings, {building.id}"
            row = [self.index[spot.id] for spot in building.squares]
            self.buildings[building.id] = mask_of(row)
            steps += pairwise(row)
            for inside, outside in building.doors:
                a, b = self._square(inside, where), self._square(outside, where)
                if a not in row or not self.zone_of[b]:
                    _wrong(f"{where}: the door {inside}-{outside} does not lead out of it")
                doors.append((a, b))
        if len(self.buildings) != len(plan.buildings):
            _wrong("buildings: an id is there twice")
        self.doors = tuple(doors)
        near: list[list[int]] = [[] for _ in self.squares]
        for a, b in (*steps, *doors):
            near[a].append(b)
            near[b].append(a)
        self.steps = (*steps, *doors)
        self.neighbours = tuple(tuple(sorted(n)) for n in near)
        self._near = tuple(mask_of(n) for n in near)
        whole = (1 << len(self.squares)) - 1
        lost = whole & ~self.reach(0, 0, 0, len(self.squares))
        if lost:
            _wrong(f"{self.squares[bits(lost)[0]]} cannot be reached from {self.squares[0]}")

    def _set_watch(self, plan: _Plan) -> None:
        cameras = {b.camera: b for b in plan.buildings if b.camera}
        if sorted(cameras) != list(range(1, 7)) or len(cameras) != sum(
            b.camera is not None for b in plan.buildings
        ):
            _wrong("buildings: the cameras must be 1 to 6, each in one building")
        if any(cameras[n].kind != "strategic" for n in cameras):
            _wrong("buildings: only strategic buildings have a camera (A20)")
        strategic = [self.buildings[b.id] for b in plan.buildings if b.kind == "strategic"]
        white = [self.buildings[b.id] for b in plan.buildings if b.kind == "white"]
        self.strategic, self.white = sum(strategic), sum(white)
        if not white:
            _wrong("buildings: there must be a white room (R23)")
        self.zones = tuple(
            mask_of(n for n, zone in enumerate(self.zone_of) if zone == z) for z in range(6)
        )
        # What camera n and tower n watch; number 0 is none.
        self.watched = (
            (0, *(self.buildings[cameras[n].id] for n in range(1, 7))),
            (0, *self.zones[1:]),
        )
        towers = [0] * 6
        for zone in plan.zones:
            square = self._square(zone.tower, f"zones, {zone.number}")
            if self.zone_of[square] != zone.number:
                _wrong(f"zones, {zone.number}: the tower {zone.tower} is not in the zone")
            towers[zone.number] = 1 << square
        # Where camera n and tower n are put out of order (A19).
        self.sites = (self.watched[CAMERA], tuple(towers))
        self.camera_of = {
            square: n for n in range(1, 7) for square in bits(self.watched[CAMERA][n])
        }
        self.tower_of = {bits(towers[n])[0]: n for n in range(1, 6)}
        outside = mask_of(b for _, b in self.doors)
        if any(not outside & zone for zone in self.zones[1:]):
            _wrong("zones: every zone needs a door square (R48b)")
        # Where the die sends the expelled (R48): from a camera's building, from a tower's zone.
        self.refuges = (
            self.watched[CAMERA],
            (0, *(outside & zone for zone in self.zones[1:]), self.white),
        )
        if plan.isolation not in self.buildings:
            _wrong(f"isolation: there is no building {plan.isolation!r}")
        self.isolation = bits(self.buildings[plan.isolation])[0]
        if not 1 <= plan.yard <= 5:
            _wrong(f"yard: there is no zone {plan.yard}")
        # The places of a route (A23), and which one each square is part of.
        self.places = (*self.buildings, "yard")
        areas = (*self.buildings.values(), self.zones[plan.yard])
        self.place_index = {id: n for n, id in enumerate(self.places)}
        self.place_squares = areas
        self.place_of = tuple(
            next((p for p, area in enumerate(areas) if area >> n & 1), -1)
            for n in range(len(self.squares))
        )

    def _square(self, id: str, where: str) -> int:
        if id not in self.index:
            _wrong(f"{where}: there is no square {id!r}")
        return self.index[id]

    # -- how far one comes ------------------------------------------------------------------------

    def _find_reach(self, start: int, closed: int, least: int, most: int) -> int:
        """Where a walk of `least` to `most` steps may end that never enters a closed square."""
        layer = 1 << start
        found = 0 if least else layer
        for step in range(1, most + 1):
            wider = 0
            for square in bits(layer):
                wider |= self._near[square]
            layer = wider & ~closed
            if step >= least:
                found |= layer
        return found

    def _find_ways(
        self, start: int, end: int, closed: int, least: int, most: int, places: int
    ) -> tuple[int, ...]:
        """Which of these places a walk may enter on its way (A43): for every kind of walk that
        is not outdone by another, the set of places it enters."""
        layer: dict[int, set[int]] = {start: {0}}
        found = {0} if least == 0 and start == end else set()
        for step in range(1, most + 1):
            wider: dict[int, set[int]] = {}
            for square, passed in layer.items():
                for to in self.neighbours[square]:
                    if closed >> to & 1 or not self.reach(to, closed, 0, most - step) >> end & 1:
                        continue
                    here = places & (1 << self.place_of[to]) if self.place_of[to] >= 0 else 0
                    wider.setdefault(to, set()).update(mask | here for mask in passed)
            layer = {square: set(largest(passed)) for square, passed in wider.items()}
            if step >= least:
                found |= layer.get(end, set())
        return tuple(mask for mask in largest(found) if mask)

    def way_out(self, start: int, lit: int) -> tuple[int, ...]:
        """A22, by the zone's gates: for one who is locked in because zone `lit` is watched, the
        far squares of the gates nearest to his building's doors. Empty if he is not locked in."""
        home = next(area for area in self.buildings.values() if area >> start & 1)
        doors = [outside for inside, outside in self.doors if home >> inside & 1]
        zone = self.zones[lit]
        if any(not zone >> outside & 1 for outside in doors):
            return ()
        far = [
            (min(self.distance(door, inner, zone) for door in doors), outer)
            for gate in self.gates
            for inner, outer in (gate, gate[::-1])
            if zone >> inner & 1
        ]
        nearest = min(far, default=(0, 0))[0]
        return tuple(sorted(outer for steps, outer in far if steps == nearest))

    def distance(self, start: int, end: int, within: int = -1) -> int:
        """Steps from one square to another that stay within these squares."""
        steps = range(len(self.squares))
        return next(n for n in steps if self.reach(start, ~within, 0, n) >> end & 1)


def mask_of(squares: Iterable[int]) -> int:
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def largest(masks: Iterable[int]) -> tuple[int, ...]:
    """Those sets that no other contains, in order."""
    every = sorted(set(masks))
    return tuple(m for m in every if not any(m != other and m | other == other for other in every))


def _wrong(why: str) -> NoReturn:
    raise DataError(f"prison_break/{FILE}", why)

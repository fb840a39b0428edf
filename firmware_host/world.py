"""The simulated board: pieces stand on spaces, close the switches and lie on the readers there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from drivers.mcp23017 import WIDTH
from drivers.sim.agenda import Agenda
from drivers.sim.mcp23017 import SimMcp23017
from drivers.sim.radio import Place, Radio, Tag
from firmware_host.config import Config, input_number
from firmware_host.sighting import changed
from game_logic.core import Image, Piece, Thing

CLOSED = False  # a closed switch pulls its input to ground
HELD = 0.7  # s that a card is held to a pad

_Key = tuple[str, str | None]  # kind and id of a piece


class World:
    """What is physically there, whatever the rules say. Spaces without a sensor hold pieces too."""

    def __init__(
        self, config: Config, chips: Sequence[SimMcp23017], agenda: Agenda, radio: Radio
    ) -> None:
        self.agenda = agenda
        self.pieces: dict[str, tuple[Piece, ...]] = {}
        self.rested = float("inf")  # when something was last put somewhere
        self.pads: dict[str, Place] = {}
        self.tags: dict[
            str, Tag
        ] = {}  # by the name of the thing, "guard 3" where there are several
        self._radio = radio
        self._chips = chips
        self._switches: dict[str, list[tuple[int, str | None]]] = {}
        self._gates: dict[str, int] = {}
        self._readers: dict[str, Place] = {}
        self._box: dict[_Key, list[Tag]] = defaultdict(list)  # tags of pieces on no reader
        self._lying: dict[str, list[tuple[_Key, Tag]]] = {}
        self._cards: dict[str, list[Tag]] = defaultdict(list)
        addresses = config.expanders.addresses if config.expanders else ()
        for name, part in config.inputs.items():
            number = input_number(name, addresses)
            assert number is not None
            if part.sign:
                self._gates[part.sign] = number
            elif part.space:
                self._switches.setdefault(part.space, []).append((number, part.piece))
        for reader, antenna in zip(config.reader, radio.antennas, strict=True):
            if reader.space:
                self._readers[reader.space] = antenna.place
            elif reader.pad:
                self.pads[reader.name] = antenna.place

    def open_box(self, tagged: Sequence[tuple[Thing, bytes]]) -> None:
        """The things of the game that is played, each with the tag on it."""
        for lying in self._lying.values():
            for _, tag in lying:
                self._radio.take(tag)
        self._lying.clear()
        self._box.clear()
        self._cards.clear()
        self.tags.clear()
        for thing, uid in tagged:
            tag = Tag(uid)
            self.tags[thing.name if thing.count == 1 else f"{thing.name} {len(self.tags)}"] = tag
            if thing.piece:
                self._box[_key(thing.piece)].append(tag)
            elif thing.sign:
                self._cards[thing.sign].append(tag)
        for space in self.pieces:
            self._retag(space)

    def put(self, space: str, pieces: tuple[Piece, ...]) -> None:
        """These pieces, and no others, stand on the space from now on."""
        self.pieces[space] = pieces
        self.rested = self.agenda.clock.now()
        kinds = {piece.kind for piece in pieces}
        for number, kind in self._switches.get(space, ()):
            closed = kind in kinds if kind else bool(kinds)
            self._chip(number).set_input(number % WIDTH, CLOSED if closed else None)
        self._retag(space, carried=True)
        for other in tuple(self._lying):  # what was lifted here may be what is missed there
            self._retag(other)

    def arrange(self, image: Image) -> None:
        """Everything at once as the image has it."""
        for space in sorted(changed(self.pieces, image)):
            self.put(space, image.get(space, ()))

    def slide(self, image: Image, seconds: float) -> None:
        """The pieces come to stand as the image has it one after another, in that time."""
        spaces = sorted(changed(self.pieces, image))
        for n, space in enumerate(spaces, 1):
            pieces = image.get(space, ())
            self.agenda.after(seconds * n / len(spaces), partial(self.put, space, pieces))

    def pass_by(self, sign: str, seconds: float = 0.06, *, again: bool = False) -> None:
        """Something shows for a moment: a knot in an opening, a card at a pad. `again`: the same
        card as the last time, of several that look alike."""
        number = self._gates.get(sign)
        if number is not None:
            self._chip(number).pulse(number % WIDTH, seconds, CLOSED)
        elif self._cards.get(sign) and self.pads:
            if not again:
                self._cards[sign].append(self._cards[sign].pop(0))
            self.hold(self._cards[sign][-1])

    def hold_tag(self, uid: bytes) -> None:
        """A tag of no box, such as the one that chooses a game."""
        self.hold(Tag(uid))

    def hold(self, tag: Tag, pad: str | None = None) -> None:
        """A card or a piece is held to a pad, and taken away again."""
        place = self.pads[pad or next(iter(self.pads))]
        if tag.place is None:
            self.rested = self.agenda.clock.now()
            self._radio.put(tag, place)
            self.agenda.after(HELD, partial(self._radio.take, tag))

    def tag_of(self, piece: Piece) -> Tag | None:
        """A piece beside the readers, to be held to a pad."""
        return next(iter(self._box[_key(piece)]), None)

    def _retag(self, space: str, *, carried: bool = False) -> None:
        """`carried`: a piece comes here, though it has not yet been missed where it was."""
        place = self._readers.get(space)
        if place is None:
            return
        lying = self._lying.setdefault(space, [])
        wanted = [_key(piece) for piece in self.pieces.get(space, ())]
        for key, tag in tuple(lying):
            if key in wanted:
                wanted.remove(key)
            else:
                lying.remove((key, tag))
                self._radio.take(tag)
                self._box[key].append(tag)
        for key in wanted:
            fetched = self._fetch(key, carried)
            if fetched is not None:
                lying.append((key, fetched))
                self._radio.put(fetched, place)
        covered = {_key(piece) for piece in self.pieces.get(space, ()) if piece.covered}
        for key, tag in lying:
            tag.covered = key in covered

    def _fetch(self, key: _Key, carried: bool) -> Tag | None:
        """From beside the board; or, if it is the only one, from wherever it still lies."""
        if self._box[key]:
            return self._box[key].pop()
        for lying in self._lying.values():
            for entry in lying if carried and key[1] is not None else ():
                if entry[0] == key:
                    lying.remove(entry)
                    return entry[1]
        return None

    def _chip(self, number: int) -> SimMcp23017:
        return self._chips[number // WIDTH]


def _key(piece: Piece) -> _Key:
    return piece.kind, piece.id

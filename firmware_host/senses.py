"""Switches and readers -> sightings and signs: what each sensor of this table means in the game
that is played, and when the board has settled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drivers.mcp23017 import Inputs
from drivers.readers import Readers, Seen
from firmware_host.config import Config, input_number
from firmware_host.journal import Record
from firmware_host.sighting import Grade, Sighting, Sightings, changed
from firmware_host.tags import Tags
from firmware_host.texts import TEXTS
from game_logic.core import Game, Piece, Text, Thing

READ_SETTLE = 0.1  # s; a tag that slides by is read seldom, and one that rests again and again
LOST = 1.0  # s that a sensor which fell silent is given to come back before its spaces are blind;
# and after it is back, what has just begun may still go on
UNKNOWN = 2.0  # s that a tag nobody knows must lie before it is spoken of: misreadings pass
SAME = 2.0  # s after which a card held up again means something more
MANY = 300  # moves; beyond these, where the next one happens is no longer worth the asking


class Senses:
    """What the sensors of a table say. A space whose sensors all answer is seen; one with a dead
    expander or reader behind it is blind until that is mended."""

    def __init__(
        self,
        config: Config,
        inputs: Inputs | None,
        readers: Readers | None = None,
        tags: Tags | None = None,
    ) -> None:
        addresses = config.expanders.addresses if config.expanders else ()
        self.tags = tags or Tags()
        self.news = 0  # counts what was sensed
        self.last_change = float("-inf")
        self.noticed = float("-inf")  # when any sensor last saw anything happen
        self.shown: list[Piece] = []  # pieces held to a pad
        self.games: list[str] = []  # games whose tag was held to a pad
        self._inputs = inputs
        self._readers = readers
        self._settle = config.settle_ms / 1000
        self._switches: dict[str, list[tuple[int, str | None]]] = {}
        self._gates: dict[int, str] = {}
        for name, part in config.inputs.items():
            number = input_number(name, addresses)
            assert number is not None  # checked with the configuration
            if part.sign:
                self._gates[number] = part.sign
            elif part.space:
                self._switches.setdefault(part.space, []).append((number, part.piece))
        self._under = {part.space: part.name for part in config.reader if part.space}
        self._pads = frozenset(part.name for part in config.reader if part.pad)
        self._settled_at = float("-inf")
        self._heard_of_all = False
        self._signs: list[str] = []
        self._carded: set[str] = set()  # the tags of those signs that are cards
        self._taken: dict[str, float] = {}  # cards of which moves were made, by their tags; when
        self._now = float("-inf")
        self._shaken = False
        self._kept: Sightings | None = None
        self._met: set[str] = set()  # spaces and openings that have been seen
        self._trusted: tuple[bool, ...] = ()  # of the expanders
        self._back_at = float("-inf")  # when one of them that had been silent was back
        self._answering: frozenset[str] = frozenset()  # readers under spaces
        self._game: Game[Any] | None = None
        self._spaces: frozenset[str] | None = None  # of the game; None: not known yet
        self._things: Mapping[str, Thing] = {}  # by tag, of this game
        self._untagged: tuple[str, ...] = ()  # kinds of which some piece has no tag
        self._cards: frozenset[str] = frozenset()
        self._heeded = -1  # how many changes at the readers have been taken notice of
        self._places: dict[str, str] = {}
        self._unknown: dict[str, float] = {}  # tags nobody knows, since when

    def play(self, record: Record) -> None:
        """This is the state now: which tags mean what, and where to look most often."""
        game, state = record.game, record.state
        if game is not self._game:
            self._meet(game)
        spaces = frozenset(game.spaces(state))
        if spaces != self._spaces:
            self._spaces, self._kept = spaces, None
        if self._readers is not None:
            self._readers.hot({*self._pads, *self._next_to_change(game, state)})

    def _meet(self, game: Game[Any]) -> None:
        self._game = game
        self._things = self.tags.things(game)
        learnt = [thing.name for thing in self._things.values()]
        missing = [t for t in game.things() if t.piece and learnt.count(t.name) < t.count]
        self._untagged = tuple(sorted({t.piece.kind for t in missing if t.piece}))
        cards = (thing.sign for thing in self._things.values() if self._pads)
        self._cards = frozenset(sign for sign in cards if sign)
        self._kept = None

    def _next_to_change(self, game: Game[Any], state: Any) -> set[str]:
        """The readers under spaces that a legal move can change."""
        before, spaces = game.image(state), set[str]()
        for by in game.to_act(state):
            for move in game.moves(state, by)[:MANY] if by >= 0 else ():
                after = game.play(state, move, by)
                spaces |= changed(before, game.by_hand(state, move, after))
        return {self._under[space] for space in spaces if space in self._under}

    @property
    def next_due(self) -> float:
        inputs = self._inputs.next_due if self._inputs is not None else float("inf")
        return min(inputs, self._readers.next_due) if self._readers is not None else inputs

    def hint(self) -> None:
        if self._inputs:
            self._inputs.hint()

    def step(self, now: float) -> None:
        """Look at what is due."""
        self._now = now
        if self._inputs is not None:
            self._look(self._inputs, now)
        if self._readers is not None:
            self._read(self._readers, now)

    def _look(self, inputs: Inputs, now: float) -> None:
        waiting = self._stale
        edges = inputs.step(now)
        if waiting and not self._stale:
            self.news += 1
        trusted = tuple(chip.trusted for chip in inputs.chips)
        if trusted != self._trusted:
            lost = any(map(_gone, self._trusted, trusted))
            # What passed an opening meanwhile will not be seen any more, though all answer again.
            whole = all(trusted) and not (self._shaken and self._signs)
            self._other_sensors(now, lost=lost, whole=whole)
            if any(map(_gone, trusted, self._trusted)):
                self._back_at = now
            self._trusted = trusted
        for edge in edges:
            self.noticed = edge.at
            self._changed(edge.at, self._settle)
            sign = self._gates.get(edge.input)
            if sign is not None and edge.closed:
                self._signs.append(sign)
                # A knot that falls out now may have gone in while nobody saw it.
                self._shaken |= edge.at < self._back_at + LOST

    def _read(self, readers: Readers, now: float) -> None:
        for event in readers.step(now):
            self.noticed = now
            if isinstance(event, Seen) and event.reader in self._pads:
                self._held(event.uid, event.at)
        if readers.changes == self._heeded:
            return  # at most steps: nothing has come or gone
        self._heeded = readers.changes
        places = readers.places()
        if places != self._places:
            # A misread or a stranger's tag is no change of the board.
            if _known(places, self._things) != _known(self._places, self._things):
                self._changed(now, READ_SETTLE)
            self._places = places
            strangers = [uid for uid in places if not self.tags.knows(uid)]
            self._unknown = {uid: self._unknown.get(uid, now) for uid in strangers}
        answering = frozenset(n for n in self._under.values() if readers.present(n) is not None)
        if answering != self._answering:
            whole = answering == frozenset(self._under.values())
            self._other_sensors(now, lost=not self._answering <= answering, whole=whole)
            self._answering = answering

    def _held(self, uid: str, at: float) -> None:
        """A tag was held to a pad: a card, a piece, or a game's own."""
        self.news += 1
        thing = self._things.get(uid)
        chosen = self.tags.game(uid)
        if thing is not None and thing.sign:
            # One card held up again is no second one, nor is one that was just taken.
            if uid not in self._carded and at >= self._taken.get(uid, float("-inf")) + SAME:
                self._carded.add(uid)
                self._signs.append(thing.sign)
            self._changed(at, 0.0)
        elif thing is not None and thing.piece:
            self.shown.append(thing.piece)
        elif chosen is not None:
            self.games.append(chosen)

    def _other_sensors(self, now: float, *, lost: bool, whole: bool) -> None:
        """Less is seen now, or more, or (`whole`) all again. What happened while all was seen is
        not judged by the rest at once: a chip whose supply has dipped is back before long."""
        self.news += 1
        self._shaken = not whole and (self._shaken or lost)
        self._settle_at(now + (LOST if lost else self._settle))
        self._kept = None

    def _changed(self, at: float, settle: float) -> None:
        self.news += 1
        self.last_change = at
        self._settle_at(at + settle)
        self._kept = None

    def _settle_at(self, instant: float) -> None:
        """Not before, and by what the switches say then."""
        self._settled_at = max(self._settled_at, instant)
        if self._inputs is not None:
            self._inputs.look_by(self._settled_at)

    def settled(self, now: float) -> bool:
        """Has the board been quiet for long enough, and been looked at since?"""
        return now >= self.settled_at() and not self._stale

    def settled_at(self) -> float:
        """When the board will have been quiet for long enough, if nothing moves before; never,
        while readers are still to be heard of for the first time."""
        if self._readers is not None and not self._heard_of_all:
            self._heard_of_all = all(h.state != "starting" for h in self._readers.healths)
            if not self._heard_of_all:
                return float("inf")
        if self._inputs is not None and self._stale:
            return max(self._settled_at, self._inputs.next_due)
        return self._settled_at

    @property
    def _stale(self) -> bool:
        """Is what we know of some switch older than the quiet? Its chip may have called in vain."""
        return self._inputs is not None and self._inputs.seen_since < self._settled_at

    def trouble(self, now: float) -> Text | None:
        """A tag lies here that nobody knows."""
        for uid, since in self._unknown.items():
            if now >= since + UNKNOWN:
                return TEXTS("unknown_tag", uid=uid, reader=self._places[uid])
        return None

    def sightings(self) -> Sightings:
        if self._kept is None:
            levels = self._inputs.levels if self._inputs else ()
            spaces = {}
            for space, switches in self._switches.items():
                known = [(levels[n], piece) for n, piece in switches]
                if self._plays_on(space) and None not in (level for level, _ in known):
                    spaces[space] = _sighting(
                        [piece for level, piece in known if not level],
                        [piece for _, piece in known],
                    )
            for space, reader in self._under.items():
                if self._plays_on(space) and reader in self._answering and self._things:
                    spaces[space] = self._who(reader)
            sensed = frozenset(s for n, s in self._gates.items() if levels[n] is not None)
            signs = tuple(self._signs)
            self._met |= spaces.keys() | sensed
            lost = frozenset(
                what
                for what in self._met - spaces.keys() - sensed
                if what in self._gates.values() or self._plays_on(what)
            )
            sensed |= self._cards
            self._kept = Sightings(spaces, signs, sensed, self._shaken, self._cards, lost)
        return self._kept

    def _plays_on(self, space: str) -> bool:
        return self._spaces is None or space in self._spaces

    def _who(self, reader: str) -> Sighting:
        uids = [uid for uid, place in self._places.items() if place == reader]
        pieces = [thing.piece for uid in uids if (thing := self._things.get(uid)) and thing.piece]
        seen = [piece for piece in pieces if piece.kind not in self._untagged]
        return Sighting(Grade.WHO, tuple(sorted(seen, key=str)), 0, self._untagged)

    @property
    def pads_answer(self) -> bool:
        """Can a card still be shown?"""
        readers = self._readers
        return readers is not None and any(readers.present(n) is not None for n in self._pads)

    @property
    def signs(self) -> tuple[str, ...]:
        """What has shown for a moment and is not judged yet."""
        return tuple(self._signs)

    def forget_signs(self, *, taken: bool = False) -> None:
        """They have been judged, and what may have been missed has been reckoned with. `taken`: a
        move was made of them, and whoever holds one up a moment longer means no other."""
        if self._signs or self._shaken:
            self._signs.clear()
            if taken:
                self._taken |= dict.fromkeys(self._carded, self._now)
            self._carded.clear()
            self._shaken = False
            self._kept = None


def _gone(before: bool, now: bool) -> bool:
    return before and not now


def _known(places: dict[str, str], things: Mapping[str, Thing]) -> dict[str, str]:
    return {uid: reader for uid, reader in places.items() if uid in things}


def _sighting(closed: list[str | None], switches: list[str | None]) -> Sighting:
    """Where only one kind of piece closes a switch, it tells the kind; else that one is there."""
    kinds = [kind for kind in switches if kind is not None]
    if len(kinds) < len(switches):
        return Sighting(Grade.SOME, count=int(bool(closed)))
    return Sighting(Grade.KIND, tuple(Piece(kind) for kind in sorted(kinds) if kind in closed))

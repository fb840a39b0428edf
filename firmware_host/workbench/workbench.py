"""What hands do at a simulated table.

The workbench belongs to the loop's thread, like the table that it is about; the page reaches it
with `Do`, and gets frames, which are values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from drivers.sim.faults import KINDS
from firmware_host import wall
from firmware_host.demo import UNTAGGED
from firmware_host.journal import Record
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.tags import Tags
from firmware_host.texts import TEXTS
from firmware_host.words import texts
from firmware_host.workbench.deeds import (
    Cock,
    Deed,
    Hold,
    Lift,
    Lower,
    Mend,
    Order,
    Press,
    Push,
    PutRight,
    Remove,
    Slide,
    Throw,
)
from firmware_host.workbench.frame import Frame, box, cards, key, look, sounds
from firmware_host.workbench.hints import reach
from firmware_host.workbench.stacks import added, taken
from game_logic import GAMES, load
from game_logic.core import Game, Image, Piece, Text, Thing

OFTEN = 0.1  # s between two looks at what the chips show, while somebody watches
SELDOM = 1.0
LATELY = 4  # lines of the log
SETTING_UP = 0.4  # s that a helping hand takes to put all pieces in their places
BUTTONS = ("confirm", "undo", "next")


class CannotDo(ValueError):
    """Something that hands cannot do here and now: the text says what they can."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


class _Left(msgspec.Struct):
    """What a power cut leaves on the table."""

    pieces: dict[str, list[Piece]]
    orders: list[str]
    tray: dict[str, int | None]


class _Hand(NamedTuple):
    pieces: tuple[Piece, ...]
    origin: str | None  # None: the box
    touching: str | None = None  # a space that they slide over


EMPTY = _Hand((), None)


class Workbench:
    def __init__(self, sim: SimulatedTable, wake: Callable[[], None] = lambda: None) -> None:
        """`wake` is called on the loop's thread when there is a new frame."""
        self.frame: Frame
        self._watched = False  # does anybody look?
        self._sim = sim
        self._wake = wake
        self._game: Game[Any] | None = None
        self._record: Record | None = None
        self._hand = EMPTY
        self._untouched = False  # has nobody made a move yet?
        self._orders: dict[tuple[str, str], str] = {}
        self._beeps = 0
        self._told: tuple[Text, ...] = ()
        self._sounding = False
        self._look_at = 0.0
        known = [load(id) for id in GAMES]
        self._tags = Tags.simulated(*known)
        self.reach = reach(sim.config, UNTAGGED if sim.config.reader else ())
        for game in known:
            for uid, thing in self._tags.things(game).items():
                if thing.piece is not None and thing.piece.kind in self.reach.unseen:
                    self._tags = self._tags.forget(uid)
        sim.parts.senses.tags = self._tags
        self.frame = self._seen()

    # -- the game on it -------------------------------------------------------------------------

    def play(self, game: Game[Any], image: Image) -> None:
        """This game's box is opened, and its pieces stand so."""
        self._hand = EMPTY
        self._sim.world.arrange({})
        if self._game is None or game.id != self._game.id:
            self._sim.open_box(game, self.reach.unseen)
            self._sim.parts.senses.tags = self._tags  # of any game that may follow
        self._game = game
        self._sim.world.arrange(image)
        self.frame = self._seen()

    def heard(self, event: Event) -> None:
        """A helping hand follows the game: until somebody makes a move it sets the board up, as
        hosts do for guests; later it moves what no sensor sees, for which nobody would be asked."""
        record = event.record
        if record is None or event.kind not in ("begin", "move", "undo", "correction"):
            return
        self._told = (*self._told, *texts(event))[-LATELY:]
        image = record.game.image(record.state)
        if event.kind == "begin":
            self._untouched = True
            self.play(record.game, image)
            return
        self._untouched = self._untouched and all(act.by < 0 for act in event.acts)
        if not self._hand.pieces:
            self._sim.world.slide(image if self._untouched else self._tidied(image), SETTING_UP)

    def _tidied(self, image: Image) -> Image:
        """The board as it stands where sensors look, and as the game has it elsewhere. Each piece
        is there once: what still stands under a sensor is for people to move."""
        there = self._sim.world.pieces
        left = Counter({key(t.piece): t.count for t in self._things() if t.piece})
        kept = {s: tuple(p for p in pieces if self._is_seen(s, p)) for s, pieces in there.items()}
        left.subtract(key(piece) for pieces in kept.values() for piece in pieces)
        tidy: dict[str, tuple[Piece, ...]] = {}
        for space in {*there, *image}:
            pieces = list(kept.get(space, ()))
            for piece in image.get(space, ()):
                if not self._is_seen(space, piece) and left[key(piece)] > 0:
                    left[key(piece)] -= 1
                    pieces.append(piece)
            wanted = image.get(space, ())
            same = Counter(map(key, pieces)) == Counter(map(key, wanted))
            tidy[space] = wanted if same else tuple(pieces)
        return tidy

    def _is_seen(self, space: str, piece: Piece) -> bool:
        return space in self.reach.spaces and piece.kind not in self.reach.unseen

    def resume(self, record: Record, left: str | None = None) -> None:
        """The pieces of a game that goes on stand as they were left, or else as it has them."""
        self.play(record.game, {} if left else record.game.image(record.state))
        if left:
            self._recall(left)
            self.frame = self._seen()

    def set_up(self, image: Image) -> None:
        """A helping hand puts every piece where it should stand."""
        self._hand = EMPTY
        self._sim.world.slide(image, SETTING_UP)

    def remember(self) -> str:
        """What stays as it is when the power goes: wood, dice, and what is broken."""
        self._put_back()
        pieces = {space: list(there) for space, there in self._sim.world.pieces.items() if there}
        tower = self._sim.tower
        tray = {} if tower is None else dict(tower.tray)
        left = _Left(pieces, list(self._orders.values()), tray)
        return msgspec.json.encode(left).decode()

    def _recall(self, left: str) -> None:
        found = msgspec.json.decode(left, type=_Left)
        self._sim.world.arrange({space: tuple(there) for space, there in found.pieces.items()})
        if self._sim.tower is not None and found.tray:
            self._sim.tower.lay(found.tray)
        for order in found.orders:
            self._order(order)

    # -- what is done to it ---------------------------------------------------------------------

    def do(self, deed: Deed, record: Record | None) -> None:
        """Raises CannotDo, and then nothing has changed. `record` is what is being played."""
        self._record = record
        match deed:
            case Lift():
                self._lift(deed)
            case Slide(space):
                self._touch(self._space(space))
            case Lower(space, on):
                self._lower(space, on)
            case Push():
                self._push(deed)
            case Hold():
                self._hold(deed)
            case Throw(dice):
                self._throw(dice)
            case Cock(die):
                self._cock(die)
            case Remove(die):
                self._tower.remove(die)
            case Press(button):
                self._press(button)
            case Order(order):
                self._order(order)
            case Mend(fault, target):
                self._mend(fault, target)
            case PutRight():
                if record is not None:
                    self.set_up(record.game.image(record.state))
        self._look_at = 0.0

    def _lift(self, deed: Lift) -> None:
        self._put_back()
        if deed.space is not None:
            there = self._sim.world.pieces.get(deed.space, ())
            if not 0 <= deed.n < len(there):
                raise CannotDo(TEXTS("bench_nothing_there"))
            lifted, rest = taken(there, deed.n)
            self._sim.world.put(deed.space, rest)
            self._hand = _Hand(lifted, deed.space)
            return
        piece = Piece(deed.kind or "", deed.id)
        if not any(
            left and thing.piece == piece
            for thing, left in box(self._sim, self._things(), self._in_hand())
        ):
            raise CannotDo(TEXTS("bench_box_empty"))
        self._hand = _Hand((piece,), None)

    def _put_back(self) -> None:
        """A hand that let go of its pieces puts them back where it took them."""
        if self._hand.pieces:
            self._lower(self._hand.origin, None)

    def _touch(self, space: str | None) -> None:
        """The hand's pieces stand on this space for now, and no longer on the one before."""
        pieces, _, before = self._hand
        if before is not None:
            there = self._sim.world.pieces.get(before, ())
            self._sim.world.put(before, there[: len(there) - len(pieces)])
        if space is not None and pieces:
            self._sim.world.put(space, (*self._sim.world.pieces.get(space, ()), *pieces))
        self._hand = self._hand._replace(touching=space if pieces else None)

    def _lower(self, space: str | None, on: int | None) -> None:
        if space is not None:
            self._space(space)
        self._touch(None)
        pieces, self._hand = self._hand.pieces, EMPTY
        if space is not None and pieces:
            there = self._sim.world.pieces.get(space, ())
            if on is not None and not 0 <= on < len(there):
                on = None
            self._sim.world.put(space, added(there, pieces, on))

    def _push(self, deed: Push) -> None:
        """What is in the hand goes through an opening of the wall; else a knot out of the box."""
        row, _, side = deed.opening.partition("_")
        if not row.isdigit() or not 1 <= int(row) <= wall.ROWS or side not in ("left", "right"):
            raise CannotDo(TEXTS("bench_no_opening", opening=deed.opening))
        if not self._hand.pieces:
            self._lift(Lift(kind=deed.kind))
        knot = self._hand.pieces[0]
        if not knot.kind.startswith("knot_"):
            self._put_back()
            raise CannotDo(TEXTS("bench_only_knots"))
        self._touch(None)
        self._hand = EMPTY
        wall.push(self._sim.world, int(row), side, knot.kind)

    def _hold(self, deed: Hold) -> None:
        """A card, a piece out of the box, or the piece in the hand: to a pad, and away again."""
        world = self._sim.world
        if not world.pads:
            raise CannotDo(TEXTS("bench_no_pad"))
        if deed.card is not None:
            if deed.card not in {thing.sign for thing in cards(self._sim, self._things())}:
                raise CannotDo(TEXTS("bench_no_card", card=deed.card))
            world.pass_by(deed.card)
            return
        piece = self._hand.pieces[0] if self._hand.pieces else Piece(deed.kind or "", deed.id)
        tag = world.tag_of(piece)
        self._put_back()
        if tag is None:
            raise CannotDo(TEXTS("bench_no_tag"))
        world.hold(tag, deed.pad if deed.pad in world.pads else None)

    @property
    def _tower(self) -> Any:
        if self._sim.tower is None:
            raise CannotDo(TEXTS("bench_no_tower"))
        return self._sim.tower

    def _throw(self, dice: Mapping[str, int | None]) -> None:
        if self._sim.tower is None and self._sim.config.panel.beam is not None:
            self._sim.break_beam()
            return
        tower = self._tower
        for name, face in dice.items():
            if name not in tower.dice or not (face is None or 1 <= face <= tower.dice[name]):
                raise CannotDo(TEXTS("bench_no_die", die=name, dice=", ".join(tower.dice)))
        if not dice:
            raise CannotDo(TEXTS("bench_no_die", die="", dice=", ".join(tower.dice)))
        loaded = {name: face for name, face in dice.items() if face is not None}
        free = [name for name in dice if name not in loaded]
        tower.remove(*tower.in_tray)  # people take out what lies there before they throw
        tower.drop({**tower.chance(free), **loaded})

    def _cock(self, die: str) -> None:
        try:
            self._tower.cock(die)
        except ValueError:
            raise CannotDo(TEXTS("bench_not_in_tray")) from None

    def _press(self, button: str) -> None:
        if button not in BUTTONS or getattr(self._sim.config.panel, button) is None:
            raise CannotDo(TEXTS("bench_no_button", button=button))
        self._sim.press(button)

    def _order(self, order: str) -> None:
        words = order.split()
        if not words or ";" in order:
            raise CannotDo(TEXTS("bench_no_fault", detail=repr(order)))
        try:
            self._sim.order(order)
        except (ValueError, TypeError) as error:
            raise CannotDo(TEXTS("bench_no_fault", detail=error)) from None
        target = " ".join(word for word in words[1:] if "=" not in word)
        self._orders[words[0], target] = order

    def _mend(self, fault: str | None, target: str | None) -> None:
        self._sim.faults.mend(fault, target)
        for ordered in tuple(self._orders):
            if fault in (None, ordered[0]) and target in (None, ordered[1]):
                del self._orders[ordered]

    def _space(self, space: str) -> str:
        """Any space of the game; the board has no others."""
        record = self._record
        spaces = record.game.spaces(record.state) if record is not None else ()
        if space not in spaces and space not in self._sim.world.pieces:
            raise CannotDo(TEXTS("bench_no_space", space=space))
        return space

    # -- what can be seen of it -----------------------------------------------------------------

    def watch(self, watched: bool) -> None:
        """Somebody looks from now on, or nobody does."""
        self._watched = watched
        self._look_at = 0.0

    def step(self) -> float:
        """Part of the loop: look at the chips now and then, and hear the buzzer at once."""
        now = self._sim.agenda.clock.now()
        sounding = sounds(self._sim)
        if sounding and not self._sounding:
            self._beeps += 1
        self._sounding = bool(sounding)
        if now >= self._look_at:
            self._look_at = now + (OFTEN if self._watched else SELDOM)
            frame = self._seen()
            if frame != self.frame:
                self.frame = frame
                self._wake()
        return self._look_at

    def _seen(self) -> Frame:
        hand, lifted = self._hand.pieces, self._in_hand()
        return look(self._sim, self._things(), hand, self._beeps, lifted, self._told)

    def _in_hand(self) -> tuple[Piece, ...]:
        """What is on no space: pieces that slide are."""
        return () if self._hand.touching is not None else self._hand.pieces

    def _things(self) -> tuple[Thing, ...]:
        return self._game.things() if self._game is not None else ()

    @property
    def buttons(self) -> tuple[str, ...]:
        return tuple(b for b in BUTTONS if getattr(self._sim.config.panel, b) is not None)

    @property
    def pads(self) -> bool:
        return bool(self._sim.world.pads)

    def breakable(self) -> dict[str, tuple[str, ...]]:
        """What can be ordered to go wrong, by target; tags are too many to list."""
        return {
            name: fitting
            for name, target in self._sim.faults.targets.items()
            if not name.startswith("tag ")
            and (fitting := tuple(k.name for k in KINDS.values() if isinstance(target, k.befalls)))
        }

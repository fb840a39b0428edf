"""Blackmail cards on their way between pile, hands and discards (R59, A19–A21).

With secrets = "table" the house knows how many cards there are, not which: they are UNKNOWN until
one is laid open, and then it must be one that has not been discarded.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz.box import Box, without
from game_logic.alcatraz.handling import ACTING, Draw, Handler, changed, evenly
from game_logic.alcatraz.moves import Shed, Target
from game_logic.alcatraz.setup import unseen_pile
from game_logic.alcatraz.state import UNKNOWN, Prison
from game_logic.alcatraz.steps import Drawing, Plucking, Robbing, Shedding, Sorting
from game_logic.core import Drawn, Move, Part
from game_logic.pile import Pile, bag


def could_be(box: Box, s: Prison, held: Sequence[str]) -> list[str]:
    """The cards that these may turn out to be."""
    if s.options.secrets == "house" or not held:
        return list(held)
    return [card for card in box.cards if card not in s.discards]


def lay_open(held: tuple[str, ...], card: str) -> tuple[str, ...]:
    """What is left in hand once the card is shown."""
    return without(held, card if card in held else UNKNOWN)


def draw(box: Box, s: Prison, cards: int) -> Prison:
    """The active player draws; if the pile is empty the discards are shuffled (A21)."""
    if s.options.secrets == "house":
        return replace(_shuffled(s), step=Drawing(cards))
    for _ in range(cards):
        s = _shuffled(s)
        s = replace(s, blackmail=s.blackmail.take(UNKNOWN))
    return _drawn(box, s, (UNKNOWN,) * cards)


def _shuffled(s: Prison) -> Prison:
    if len(s.blackmail):
        return s
    hidden = s.options.secrets == "table"
    pile = unseen_pile(len(s.discards)) if hidden else Pile(bag(s.discards))
    return replace(s, blackmail=pile, discards=())


def _drawn(box: Box, s: Prison, drawn: tuple[str, ...]) -> Prison:
    keep = box.functions[s.here][s.faces[s.here]].keep
    if keep is not None and len(drawn) > keep:
        return replace(s, step=Sorting(drawn))
    return _to_hand(box, s, drawn)


def _to_hand(box: Box, s: Prison, cards: tuple[str, ...]) -> Prison:
    hand = s.me.cards + cards
    s = changed(s, s.turn.seat, cards=hand)
    return replace(s, step=Shedding() if len(hand) > box.settings.blackmail_hand_max else ACTING)


class DrawingHandler(Draw[Drawing]):
    def kind(self, s: Prison) -> str:
        return "lot"

    def odds(self, s: Prison, step: Drawing) -> Part:
        return s.blackmail.part("blackmail")

    def sees(self, s: Prison, step: Drawing) -> tuple[int, ...] | None:
        return (s.turn.seat,)

    def after(self, s: Prison, step: Drawing, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        drawn = (*step.drawn, move.card)
        s = replace(s, blackmail=s.blackmail.take(move.card))
        if step.left > 1:
            return replace(_shuffled(s), step=Drawing(step.left - 1, drawn))
        return _drawn(self.box, s, drawn)


class SortingHandler(Handler[Sorting]):
    def moves(self, s: Prison, step: Sorting, seat: int) -> Sequence[Move]:
        return [self.box.ready.shed[card] for card in could_be(self.box, s, step.drawn)]

    def explain(self, s: Prison, step: Sorting, move: Move, seat: int) -> str:
        return "card_not_held" if isinstance(move, Shed) else "shed_first"

    def after(self, s: Prison, step: Sorting, move: Move, seat: int) -> Prison:
        assert isinstance(move, Shed)
        s = replace(s, discards=(*s.discards, move.card))
        return _drawn(self.box, s, lay_open(step.drawn, move.card))


class SheddingHandler(Handler[Shedding]):
    def moves(self, s: Prison, step: Shedding, seat: int) -> Sequence[Move]:
        return [self.box.ready.shed[card] for card in could_be(self.box, s, s.me.cards)]

    def explain(self, s: Prison, step: Shedding, move: Move, seat: int) -> str:
        return "card_not_held" if isinstance(move, Shed) else "shed_first"

    def after(self, s: Prison, step: Shedding, move: Move, seat: int) -> Prison:
        assert isinstance(move, Shed)
        s = replace(s, discards=(*s.discards, move.card))
        s = changed(s, seat, cards=lay_open(s.me.cards, move.card))
        return _to_hand(self.box, s, ())


# -- the chapel ---------------------------------------------------------------------------------


class RobbingHandler(Handler[Robbing]):
    """Whose card; which one is chance (A19, A20), at the table as on the pages."""

    def moves(self, s: Prison, step: Robbing, seat: int) -> Sequence[Move]:
        return [self.box.ready.target[n] for n in s.others() if s.prisoners[n].cards]

    def explain(self, s: Prison, step: Robbing, move: Move, seat: int) -> str:
        if not isinstance(move, Target):
            return "target_first"
        return "has_no_card" if move.seat in s.others() else "no_such_player"

    def after(self, s: Prison, step: Robbing, move: Move, seat: int) -> Prison:
        assert isinstance(move, Target)
        if _laid_open(self.box, s) or s.options.secrets == "house":
            return replace(s, step=Plucking(move.seat))
        left = without(s.prisoners[move.seat].cards, UNKNOWN)
        return _to_hand(self.box, changed(s, move.seat, cards=left), (UNKNOWN,))


class PluckingHandler(Draw[Plucking]):
    def kind(self, s: Prison) -> str:
        return "lot" if s.options.secrets == "house" else "draw"

    def odds(self, s: Prison, step: Plucking) -> Part:
        cards = could_be(self.box, s, s.prisoners[step.victim].cards)
        return evenly("hand", [Drawn("hand", card) for card in cards])

    def sees(self, s: Prison, step: Plucking) -> tuple[int, ...] | None:
        return None if _laid_open(self.box, s) else tuple(sorted((s.turn.seat, step.victim)))

    def after(self, s: Prison, step: Plucking, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        left = lay_open(s.prisoners[step.victim].cards, move.card)
        s = changed(s, step.victim, cards=left)
        if _laid_open(self.box, s):
            return replace(s, discards=(*s.discards, move.card), step=ACTING)
        return _to_hand(self.box, s, (move.card,))


def _laid_open(box: Box, s: Prison) -> bool:
    """Does the chapel's face send the card to the discards?"""
    return box.functions[s.here][s.faces[s.here]].does == "discard_blackmail"

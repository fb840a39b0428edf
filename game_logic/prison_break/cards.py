"""Handicap and chance cards: drawn, active, kept and used (R7, R8, R22)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break.board import CAMERA, DEVICES, TOWER
from game_logic.prison_break.box import CHANCE_CARD, HITS_DRAWER, Box
from game_logic.prison_break.crowd import blame, dismiss, guards_at, spend, to_isolation
from game_logic.prison_break.moves import (
    KeepCard,
    LoseObject,
    NameDrawer,
    Peek,
    UseCard,
)
from game_logic.prison_break.rule import Draw, Rule
from game_logic.prison_break.state import (
    BELLICK,
    LINCOLN,
    UNKNOWN,
    Break,
    CardDraw,
    ChanceCard,
    GuardRoll,
    Losing,
    Lot,
    Naming,
    Tip,
    push,
    put,
    swap,
    without,
)
from game_logic.prison_break.watch import card_ends, switch_off, switch_on, why_not_lit

_KEEP = KeepCard()


def draw(state: Break, who: int) -> Break:
    """Somebody draws; an empty pile is made of the discard first (R7)."""
    state = push(state, CardDraw(who))
    if len(state.pile) > state.hidden_cards():
        return state
    return replace(state, pile=state.pile.shuffled_in(state.discard), discard=())


def discarded(state: Break, card: str) -> Break:
    return replace(state, discard=tuple(sorted((*state.discard, card))))


def laid_down(state: Break, who: int, card: str) -> Break:
    """A kept card is shown and goes to the discard."""
    kept = state.kept[who]
    if card in kept:
        state = replace(state, kept=put(state.kept, who, without(kept, card)))
    else:
        kept = without(kept, UNKNOWN)
        state = replace(state, kept=put(state.kept, who, kept), pile=state.pile.take(card))
    return discarded(state, card)


# -- drawing -------------------------------------------------------------------------------------


class CardDrawRule(Draw[CardDraw]):
    """All see a handicap, and that it is a chance card; which one is for the drawer to see."""

    pile = "cards"

    def odds(self, state: Break, task: CardDraw) -> tuple[tuple[str, int], ...]:
        chances = self.box.chances
        odds = [(card, n) for card, n in state.pile.rest if card not in chances]
        hidden = sum(n for card, n in state.pile.rest if card in chances) - state.hidden_cards()
        return (*odds, (CHANCE_CARD, hidden)) if hidden else tuple(odds)

    def drawn(self, state: Break, task: CardDraw, card: str) -> Break:
        if state.active:  # A38: every draw ends the card before it
            state = card_ends(discarded(state, state.active))
        if card == CHANCE_CARD:
            known = state.house or task.who == BELLICK
            return swap(state, ChanceCard(task.who, "" if known else UNKNOWN), active="")
        state = swap(state, active=card, pile=state.pile.take(card))
        if task.who == BELLICK and self.box.cards[card].effect in HITS_DRAWER:
            return push(state, Naming())
        return takes_effect(self.box, state, card, task.who)


def takes_effect(box: Box, state: Break, id: str, who: int) -> Break:
    """What a handicap card does when it is drawn; lockdown and riot act while it is active."""
    card = box.cards[id]
    match card.effect:
        case "camera" | "tower":
            device = DEVICES.index(card.effect)
            if why_not_lit(state, device, card.n) is None:  # A39
                return switch_on(box, state, device, card.n, by_card=True)
        case "guards":
            return push(state, *(GuardRoll(who) for _ in range(card.n)))
        case "guilt":
            return blame(state, card.n)
        case "lose_object":
            return push(state, Losing(who)) if state.hands[who] else blame(state, 1)
        case "lose_turn":
            return replace(state, skips=put(state.skips, who, state.skips[who] + 1))
        case "isolation":
            return to_isolation(box, state, who)
        case "captive_to_isolation":
            return to_isolation(box, state, LINCOLN)
        case "roll_call":
            if any(box.board.outdoors >> state.where[who] & 1 for who in state.team):
                return blame(state, card.n)
    return state


class NamingRule(Rule[Naming]):
    def actors(self, state: Break, task: Naming) -> tuple[int, ...]:
        return (state.bellick,)

    def moves(self, state: Break, task: Naming, seat: int) -> Sequence[Move]:
        return [NameDrawer(self.box.people[who]) for who in state.team]

    def play(self, state: Break, task: Naming, move: Move, seat: int) -> Break:
        if not isinstance(move, NameDrawer):
            raise self.no("name_the_drawer")
        who = self.box.person.get(move.person)
        if who not in state.team:
            raise self.no("not_in_the_team")
        assert who is not None
        return takes_effect(self.box, swap(state), state.active, who)


class LosingRule(Rule[Losing]):
    def moves(self, state: Break, task: Losing, seat: int) -> Sequence[Move]:
        return [LoseObject(kind) for kind in self.box.kinds if state.has(task.who, kind)]

    def play(self, state: Break, task: Losing, move: Move, seat: int) -> Break:
        if not isinstance(move, LoseObject):
            raise self.no("lose_an_object")
        if not state.has(task.who, move.object):
            raise self.no("object_not_held")
        return spend(swap(state), task.who, move.object)


# -- chance cards --------------------------------------------------------------------------------


class ChanceCardRule(Draw[ChanceCard]):
    """Which chance card it is, and whether it is used at once or kept (R8)."""

    pile = CHANCE_CARD

    def actors(self, state: Break, task: ChanceCard) -> tuple[int, ...]:
        return (state.seat_of(task.who),) if task.card else super().actors(state, task)

    def odds(self, state: Break, task: ChanceCard) -> tuple[tuple[str, int], ...]:
        return tuple((card, n) for card, n in state.pile.rest if card in self.box.chances)

    def sees(self, state: Break, task: ChanceCard) -> tuple[int, ...] | None:
        return None if task.who == BELLICK else (state.seat_of(task.who),)

    def drawn(self, state: Break, task: ChanceCard, card: str) -> Break:
        state = replace(state, pile=state.pile.take(card))
        if task.who == BELLICK:  # A25: no effect
            return discarded(swap(state), card)
        return swap(state, ChanceCard(task.who, card))

    def _possible(self, state: Break, task: ChanceCard) -> Iterable[str]:
        return [c for c, _ in self.odds(state, task)] if task.card == UNKNOWN else (task.card,)

    def moves(self, state: Break, task: ChanceCard, seat: int) -> Sequence[Move]:
        if not task.card:
            return super().moves(state, task, seat)
        return [*uses(self.box, state, task.who, self._possible(state, task)), _KEEP]

    def play(self, state: Break, task: ChanceCard, move: Move, seat: int) -> Break:
        if not task.card:
            return super().play(state, task, move, seat)
        who, card = task.who, task.card
        # A card that is used at once has been in the hand for a moment.
        kept = tuple(sorted((*state.kept[who], card)))
        held = swap(state, kept=put(state.kept, who, kept))
        if isinstance(move, KeepCard):
            return held
        if not isinstance(move, UseCard):
            raise self.no("use_or_keep")
        if move.card not in self._possible(state, task):
            raise self.no("card_not_drawn")
        if code := _why_no_effect(self.box, state, who, move):
            raise self.no(code)
        return use(self.box, held, who, move)


def uses(box: Box, state: Break, who: int, cards: Iterable[str]) -> list[Move]:
    """Every use of these cards that the person could make now."""
    found: list[Move] = []
    for card in cards:
        guards: list[str | None] = [None]
        if box.cards[card].effect == "favour":
            guards = [box.kinds[logo] for logo in guards_at(state, state.where[who])]
        every = [UseCard(card, guard) for guard in guards]
        found += [move for move in every if _why_no_effect(box, state, who, move) is None]
    return found


def uses_kept(box: Box, state: Break, who: int) -> list[Move]:
    """A29: what he may use on his own turn."""
    kept = state.kept[who]
    if not kept:
        return []
    if UNKNOWN in kept:
        return uses(box, state, who, [c for c in box.chances if state.keeps(who, c)])
    return uses(box, state, who, dict.fromkeys(kept))


def why_not_use(box: Box, state: Break, who: int, move: UseCard) -> str | None:
    if move.card not in box.chances or not state.keeps(who, move.card):
        return "card_not_kept"
    return _why_no_effect(box, state, who, move)


def _why_no_effect(box: Box, state: Break, who: int, move: UseCard) -> str | None:
    effect = box.cards[move.card].effect
    if (move.guard is not None) != (effect == "favour"):
        return "which_guard"
    turn = state.turn_of(who)
    match effect:
        case "camera_off" if not state.lit[CAMERA]:
            return "nothing_on"
        case "tower_off" if not state.lit[TOWER]:
            return "nothing_on"
        case "good_conduct" if not state.guilt:
            return "no_guilt"
        case "short_cut" if turn is None or not turn.escapes or turn.short_cut:
            return "no_walk_left"
        case "favour" if box.kind.get(move.guard or "") not in guards_at(state, state.where[who]):
            return "no_such_guard_here"
        case "diversion":
            return "only_on_contact"
        case "second_wind" if turn is None:
            return "only_on_own_turn"
        case "tip" if not any(state.ground):
            return "no_tokens"
    return None


def use(box: Box, state: Break, who: int, move: UseCard) -> Break:
    card = box.cards[move.card]
    state = laid_down(state, who, move.card)
    match card.effect:
        case "camera_off":
            return switch_off(state, CAMERA)
        case "tower_off":
            return switch_off(state, TOWER)
        case "good_conduct":
            return blame(state, -card.n)
        case "favour":
            return dismiss(state, state.where[who], box.kind[move.guard or ""])
        case "tip":
            tokens = sum(1 for token in state.ground if token)
            return push(state, Tip(who, min(card.n, tokens)))
    turn = state.turn_of(who)
    assert turn is not None
    if card.effect == "short_cut":
        turn = replace(turn, short_cut=card.n)
    else:
        turn = replace(turn, escapes=turn.escapes + 1)
    return replace(state, todo=(turn, *state.todo[1:]))


class TipRule(Rule[Tip]):
    """c08: tokens that stay where they lie, for one pair of eyes."""

    def _spaces(self, state: Break, task: Tip) -> list[int]:
        return [n for n, t in enumerate(state.ground) if t and n not in task.spaces]

    def moves(self, state: Break, task: Tip, seat: int) -> Sequence[Move]:
        squares, spaces = self.board.squares, self.box.spaces
        return [Peek(squares[spaces[n]]) for n in self._spaces(state, task)]

    def play(self, state: Break, task: Tip, move: Move, seat: int) -> Break:
        if not isinstance(move, Peek):
            raise self.no("peek_first")
        space = self.box.space_at.get(self.board.index.get(move.at, -1))
        if space is None or space not in self._spaces(state, task):
            raise self.no("nothing_to_peek_at")
        rest = (Tip(task.who, task.left - 1, (*task.spaces, space)),) if task.left > 1 else ()
        return looked_at(swap(state, *rest), task.who, space)


def looked_at(state: Break, who: int, space: int) -> Break:
    """Somebody looks at a token: it comes out of the bag the first time, for his seat alone."""
    if not state.house:
        return state
    if state.ground[space] == UNKNOWN:
        return push(state, Lot(who, space))
    knows = state.seen[space] | 1 << state.seat_of(who)
    return replace(state, seen=put(state.seen, space, knows))


class LotRule(Draw[Lot]):
    pile = "tokens"

    def odds(self, state: Break, task: Lot) -> tuple[tuple[str, int], ...]:
        return state.bag.rest

    def sees(self, state: Break, task: Lot) -> tuple[int, ...]:
        return (state.seat_of(task.who),)

    def drawn(self, state: Break, task: Lot, card: str) -> Break:
        return swap(
            state,
            bag=state.bag.take(card),
            ground=put(state.ground, task.space, card),
            seen=put(state.seen, task.space, 1 << state.seat_of(task.who)),
        )

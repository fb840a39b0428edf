"""Hands, piles and discards: every card that changes its place does it here.

One set of functions for both ways of keeping secrets (see state.py): a card can be named when it
is among the cards the house knows, or when one of the unknown ones may be it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from game_logic.dig_your_way_out.box import STOCK
from game_logic.dig_your_way_out.state import Blackgate, clockwise, with_prisoner
from game_logic.pile import Bag, bag, unpack

SLOT = {item: n for n, item in enumerate(STOCK)}


def less(cards: Bag, card: str) -> Bag | None:
    """The bag without one copy of the card; None if there is none."""
    for at, (name, copies) in enumerate(cards):
        if name == card:
            left = ((name, copies - 1),) if copies > 1 else ()
            return cards[:at] + left + cards[at + 1 :]
    return None


def more(cards: Bag, new: Iterable[str]) -> Bag:
    return bag((*unpack(cards), *new))


def total(cards: Bag) -> int:
    return sum(copies for _, copies in cards)


# -- what a seat may name --------------------------------------------------------------------------


def hidden_search_cards(state: Blackgate) -> int:
    """How many unknown hand cards are search cards: loose tools and shivs must be in hands too."""
    unknown = sum(prisoner.unknown for prisoner in state.prisoners)
    return unknown - sum(copies for card, copies in state.loose if card in SLOT)


def holds(state: Blackgate, seat: int, card: str) -> bool:
    """May this seat have the card? Where the house knows all hands: has it?"""
    me = state.prisoners[seat]
    if card in me.hand:
        return True
    if not me.unknown or not any(name == card for name, _ in state.loose):
        return False
    return card in SLOT or hidden_search_cards(state) > 0


def holds_all(state: Blackgate, seat: int, cards: tuple[str, ...]) -> bool:
    """May this seat have all of these cards at once?"""
    me = state.prisoners[seat]
    rest = list(me.hand)
    missing = []
    for card in cards:
        if card in rest:
            rest.remove(card)
        else:
            missing.append(card)
    if not missing:
        return True
    if len(missing) > me.unknown:
        return False
    loose = state.loose
    for card in missing:
        rest_of = less(loose, card)
        if rest_of is None:
            return False
        loose = rest_of
    return sum(card not in SLOT for card in missing) <= hidden_search_cards(state)


def holdings(state: Blackgate, seat: int) -> tuple[str, ...]:
    """Every card this seat may name, once each."""
    me = state.prisoners[seat]
    if not me.unknown:
        return tuple(dict.fromkeys(me.hand))
    search_too = hidden_search_cards(state) > 0
    loose = (card for card, _ in state.loose if search_too or card in SLOT)
    return tuple(sorted({*me.hand, *loose}))


# -- cards that everybody sees ---------------------------------------------------------------------


def spend(state: Blackgate, seat: int, card: str) -> Blackgate:
    """The card leaves the hand, face up; the caller says where it goes."""
    me = state.prisoners[seat]
    hand = me.hand
    if card in hand:
        at = hand.index(card)
        return with_prisoner(state, seat, replace(me, hand=hand[:at] + hand[at + 1 :]))
    loose = less(state.loose, card)
    if loose is None or not me.unknown:
        raise ValueError(f"seat {seat} cannot have {card}")
    return replace(with_prisoner(state, seat, replace(me, unknown=me.unknown - 1)), loose=loose)


def toss(state: Blackgate, cards: Iterable[str]) -> Blackgate:
    """Tools and shivs go back on their piles, everything else on the search discard (A31)."""
    stock, discard = list(state.stock), list(state.discard)
    for card in cards:
        if card in SLOT:
            stock[SLOT[card]] += 1
        else:
            discard.append(card)
    return replace(state, stock=tuple(stock), discard=tuple(discard))


def drop(state: Blackgate, seat: int, card: str) -> Blackgate:
    """Discard a card from hand."""
    return toss(spend(state, seat, card), (card,))


def receive(state: Blackgate, seat: int, *cards: str) -> Blackgate:
    """These cards come to the hand, and the house knows them."""
    me = state.prisoners[seat]
    return with_prisoner(state, seat, replace(me, hand=tuple(sorted((*me.hand, *cards)))))


def from_stock(state: Blackgate, seat: int, item: str, cards: int) -> Blackgate:
    """Take from a face-up pile what is left of so many (A29)."""
    slot = SLOT[item]
    cards = min(cards, state.stock[slot])
    stock = state.stock
    stock = (*stock[:slot], stock[slot] - cards, *stock[slot + 1 :])
    return receive(replace(state, stock=stock), seat, *(item,) * cards)


def left(state: Blackgate, item: str) -> int:
    return state.stock[SLOT[item]]


# -- cards that nobody else sees -------------------------------------------------------------------


def refill(state: Blackgate) -> Blackgate:
    """When the search pile is empty, the discard is shuffled into a new one (R3)."""
    if state.pile or not state.discard:
        return state
    loose = more(state.loose, state.discard)
    return replace(state, loose=loose, pile=len(state.discard), discard=())


def draw(state: Blackgate, seat: int, card: str) -> Blackgate | None:
    """The top card of the pile comes to the hand; None if it cannot be that card."""
    loose = less(state.loose, card)
    if loose is None:
        return None
    return receive(replace(state, loose=loose, pile=state.pile - 1), seat, card)


def draw_unseen(state: Blackgate, seat: int, cards: int) -> Blackgate:
    """So many cards come to the hand, as far as pile and discard go; only their owner sees them."""
    while cards:
        state = refill(state)
        some = min(cards, state.pile)
        if not some:
            break
        me = state.prisoners[seat]
        state = with_prisoner(state, seat, replace(me, unknown=me.unknown + some))
        state = replace(state, pile=state.pile - some)
        cards -= some
    return state


def forget(state: Blackgate, seat: int) -> Blackgate:
    """The house no longer knows which cards these are: one of them went, nobody said which."""
    me = state.prisoners[seat]
    if not me.hand:
        return state
    loose = more(state.loose, me.hand)
    return replace(with_prisoner(state, seat, replace(me, hand=(), unknown=me.cards)), loose=loose)


def pass_unseen(state: Blackgate, giver: int, taker: int, cards: int) -> Blackgate:
    """So many cards go from hand to hand; the house does not learn which."""
    state = forget(state, giver)
    cards = min(cards, state.prisoners[giver].unknown)
    for seat, change in ((giver, -cards), (taker, cards)):
        me = state.prisoners[seat]
        state = with_prisoner(state, seat, replace(me, unknown=me.unknown + change))
    return state


def hand_over(state: Blackgate, giver: int, taker: int, card: str) -> Blackgate:
    """A card that the house can name goes from hand to hand."""
    return receive(spend(state, giver, card), taker, card)


def gather(state: Blackgate) -> tuple[Blackgate, Bag]:
    """All hands that the house knows, in one heap."""
    heap = bag(card for prisoner in state.prisoners for card in prisoner.hand)
    empty = tuple(replace(prisoner, hand=()) for prisoner in state.prisoners)
    return replace(state, prisoners=empty), heap


def redeal_unseen(state: Blackgate, start: int) -> Blackgate:
    """All hands are shuffled and dealt clockwise; the house knows only how many each gets."""
    for seat in range(len(state.seats)):
        state = forget(state, seat)
    cards = sum(prisoner.unknown for prisoner in state.prisoners)
    each, extra = divmod(cards, len(state.seats))
    for n, seat in enumerate(clockwise(state, start)):
        me = replace(state.prisoners[seat], unknown=each + (n < extra))
        state = with_prisoner(state, seat, me)
    return state

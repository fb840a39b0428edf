"""Tasks about one's own cards: drawing, discarding, paying, selling, digging once more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Chance, Drawn, Move, Part
from game_logic.dig_your_way_out import hands
from game_logic.dig_your_way_out.box import TOOLS, Box
from game_logic.dig_your_way_out.deeds import can_dig_again, paid, scored
from game_logic.dig_your_way_out.moves import Buy, Dig, Discard, Done, Sell
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.prices import affordable, in_stock, price
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, pop, swap, with_prisoner
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.tasks import (
    DigAgain,
    Draw,
    DrawGang,
    Lose,
    Purchase,
    Redeal,
    Sale,
    Shed,
    Tidy,
    Tribute,
)
from game_logic.pile import Bag, bag


def part(id: str, cards: Bag) -> Part:
    """A draw from these cards, by their numbers."""
    return Part(id, tuple([(Drawn(id, card), copies) for card, copies in cards]))


def hand_id(seat: int) -> str:
    """The name of a hand as something to draw from."""
    return f"hand_{seat}"


# -- drawing ---------------------------------------------------------------------------------------


class DrawStep(Step[Draw]):
    def settle(self, box: Box, state: Blackgate, task: Draw) -> Blackgate | None:
        if state.options.secrets == "table":
            return hands.draw_unseen(pop(state), task.seat, task.left)
        if not task.left or not (state.pile or state.discard):  # A17
            return pop(state)
        return None if state.pile else hands.refill(state)

    def chance(self, box: Box, state: Blackgate, task: Draw) -> Chance:
        return Chance("draw", (part("search", state.loose),), (task.seat,))

    def luck(self, box: Box, state: Blackgate, task: Draw, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != "search":
            return None
        after = hands.draw(state, task.seat, move.card)
        if after is None:
            return None
        return swap(after, Draw(task.seat, task.left - 1)) if task.left > 1 else pop(after)


class RedealStep(Step[Redeal]):
    def settle(self, box: Box, state: Blackgate, task: Redeal) -> Blackgate | None:
        return None if task.pool else pop(state)

    def chance(self, box: Box, state: Blackgate, task: Redeal) -> Chance:
        return Chance("draw", (part("hands", task.pool),), (task.seat,))

    def luck(self, box: Box, state: Blackgate, task: Redeal, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != "hands":
            return None
        pool = hands.less(task.pool, move.card)
        if pool is None:
            return None
        after = hands.receive(state, task.seat, move.card)
        return swap(after, Redeal((task.seat + 1) % len(state.seats), pool))


class DrawGangStep(Step[DrawGang]):
    """R18, R20: the old card goes under its pile, then the top card is taken."""

    def chance(self, box: Box, state: Blackgate, task: DrawGang) -> Chance:
        pile = state.gangs[box.gang_slot[task.gang]]
        return Chance("draw", (pile.part(task.gang),))

    def luck(self, box: Box, state: Blackgate, task: DrawGang, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != task.gang:
            return None
        gangs, at = list(state.gangs), box.gang_slot[task.gang]
        try:
            gangs[at] = gangs[at].take(move.card)
        except ValueError:
            return None
        me = state.prisoners[task.seat]
        if me.gang:
            old = box.gang_slot[box.gang_of[me.gang]]
            gangs[old] = gangs[old].put_under(me.gang)
        state = with_prisoner(state, task.seat, replace(me, gang=move.card))
        return pop(replace(state, gangs=tuple(gangs)))


# -- discarding ------------------------------------------------------------------------------------


class TidyStep(Step[Tidy]):
    def settle(self, box: Box, state: Blackgate, task: Tidy) -> Blackgate | None:
        return hands.toss(pop(state), (task.card,))


class _Discards(Step[Any]):
    takes = (Discard,)

    def options(self, now: Now, task: Any) -> Iterable[Move]:
        return (Discard(card) for card in hands.holdings(now.state, now.seat))

    def refusal(self, now: Now, task: Any, move: Discard) -> Code | None:
        return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"


class ShedStep(_Discards):
    def settle(self, box: Box, state: Blackgate, task: Shed) -> Blackgate | None:
        return None if task.left and state.prisoners[task.seat].cards else pop(state)

    def do(self, now: Now, task: Shed, move: Discard) -> Blackgate:
        return swap(hands.drop(now.state, now.seat, move.card), Shed(now.seat, task.left - 1))


class LoseStep(_Discards):
    def settle(self, box: Box, state: Blackgate, task: Lose) -> Blackgate | None:
        return None if state.prisoners[task.seat].cards else pop(state)

    def do(self, now: Now, task: Lose, move: Discard) -> Blackgate:
        return pop(hands.drop(now.state, now.seat, move.card))

    def chance(self, box: Box, state: Blackgate, task: Lose) -> Chance:
        hand = bag(state.prisoners[task.seat].hand)
        return Chance("lot", (part(hand_id(task.seat), hand),))

    def luck(self, box: Box, state: Blackgate, task: Lose, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != hand_id(task.seat):
            return None
        if move.card not in state.prisoners[task.seat].hand:
            return None
        return pop(hands.drop(state, task.seat, move.card))


class TributeStep(Step[Tribute]):
    takes = (Discard,)

    def options(self, now: Now, task: Tribute) -> Iterable[Move]:
        return (Discard(card) for card in now.box.gangs[task.gang].accepts)

    def refusal(self, now: Now, task: Tribute, move: Discard) -> Code | None:
        if move.card not in now.box.gangs[task.gang].accepts:
            return "not_accepted"
        if move.card in task.paid:
            return "accessory_twice"
        return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"

    def do(self, now: Now, task: Tribute, move: Discard) -> Blackgate:
        state, paid_now = hands.drop(now.state, now.seat, move.card), (*task.paid, move.card)
        if len(paid_now) < now.box.gangs[task.gang].different:
            return swap(state, replace(task, paid=paid_now))
        return swap(state, DrawGang(now.seat, task.gang))


# -- trade and tunnel ------------------------------------------------------------------------------


class SaleStep(Step[Sale]):
    takes = (Sell, Done)

    def settle(self, box: Box, state: Blackgate, task: Sale) -> Blackgate | None:
        return None if state.prisoners[task.seat].cards else pop(state)

    def options(self, now: Now, task: Sale) -> Iterable[Move]:
        if task.sold:
            yield Done()
        yield from (Sell(card) for card in hands.holdings(now.state, now.seat))

    def refusal(self, now: Now, task: Sale, move: Any) -> Code | None:
        if isinstance(move, Done):
            return None if task.sold else "sell_something"
        return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"

    def do(self, now: Now, task: Sale, move: Any) -> Blackgate:
        if isinstance(move, Done):
            return pop(now.state)
        return swap(sold(now, move.card, task.sold), Sale(now.seat, True))


def sold(now: Now, card: str, before: bool) -> Blackgate:
    """The cigarettes on the card, and the gang's extra once per sale (A38)."""
    bonus = 0 if before else now.perks.sell_bonus
    state = hands.drop(now.state, now.seat, card)
    return paid(state, now.seat, now.box.cigarettes[card] + bonus)


class PurchaseStep(Step[Purchase]):
    takes = (Buy,)

    def settle(self, box: Box, state: Blackgate, task: Purchase) -> Blackgate | None:
        now = Now(box, state, task.seat)
        can = any(affordable(now, offer, task.percent) for offer in box.offers.values())
        return None if can and state.turn.actions else pop(state)

    def options(self, now: Now, task: Purchase) -> Iterable[Move]:
        return (Buy(offer) for offer in now.box.offers)

    def refusal(self, now: Now, task: Purchase, move: Buy) -> Code | None:
        return buy_refusal(now, move.purchase, task.percent)

    def do(self, now: Now, task: Purchase, move: Buy) -> Blackgate:
        turn = replace(now.turn, actions=now.turn.actions - 1)
        return pop(bought(now, replace(now.state, turn=turn), move.purchase, task.percent))


def buy_refusal(now: Now, purchase: str, percent: int = 100) -> Code | None:
    offer = now.box.offers.get(purchase)
    if offer is None or not in_stock(now, offer):
        return "pile_empty"
    return None if price(now, offer, percent) <= now.me.cigarettes else "too_dear"


def bought(now: Now, state: Blackgate, purchase: str, percent: int = 100) -> Blackgate:
    offer = now.box.offers[purchase]
    state = paid(state, now.seat, -price(now, offer, percent))
    return hands.from_stock(state, now.seat, offer.item, offer.cards)


class DigAgainStep(Step[DigAgain]):
    takes = (Dig,)

    def settle(self, box: Box, state: Blackgate, task: DigAgain) -> Blackgate | None:
        can = can_dig_again(Now(box, state, task.seat))
        return None if can else pop(state)

    def options(self, now: Now, task: DigAgain) -> Iterable[Move]:
        return (Dig(tool) for tool in TOOLS)

    def refusal(self, now: Now, task: DigAgain, move: Dig) -> Code | None:
        if move.tool not in TOOLS:
            return "not_a_tool"
        return None if hands.holds(now.state, now.seat, move.tool) else "not_in_hand"

    def do(self, now: Now, task: DigAgain, move: Dig) -> Blackgate:
        return dug(now.box, pop(now.state), now.seat, move.tool)


def dug(box: Box, state: Blackgate, seat: int, tool: str) -> Blackgate:
    """The tool lies beside the board for the rest of the game and scores (R36, A20)."""
    state = hands.spend(state, seat, tool)
    me = state.prisoners[seat]
    state = with_prisoner(state, seat, replace(me, dug=(*me.dug, tool)))
    return scored(box, state, seat, box.points[tool])

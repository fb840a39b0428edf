"""Trades (R36): an offer is put together piece by piece, then the other side answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.box import added, swap, without
from game_logic.alcatraz.handling import ACTING, Action, Handler
from game_logic.alcatraz.moves import (
    AGREE,
    CASH,
    PROPOSE,
    REFUSE,
    WITHDRAW,
    Ask,
    Give,
    Offer,
    Propose,
    Refuse,
    Withdraw,
)
from game_logic.alcatraz.state import Prison, Prisoner
from game_logic.alcatraz.steps import Answer, Bargain
from game_logic.core import Move


class Offering(Action):
    """A15: the active player with somebody in his location; A34: not without end."""

    kind = Offer

    def bar(self, s: Prison) -> str | None:
        limit = s.options.trade_offers_per_turn
        if limit and s.turn.offers >= limit:
            return "offers_used_up"
        return guards.bar_free(s)

    def each(self, s: Prison) -> Sequence[Move]:
        here, offer = s.here, self.box.ready.offer
        mine = self._has_goods(s.me)
        return [
            offer[seat]
            for seat in s.others()
            if s.prisoners[seat].place == here and (mine or self._has_goods(s.prisoners[seat]))
        ]

    @staticmethod
    def _has_goods(prisoner: Prisoner) -> bool:
        return bool(prisoner.objects or prisoner.cash)

    def explain(self, s: Prison, move: Move) -> str:
        assert isinstance(move, Offer)
        if move.seat not in s.others():
            return "no_such_player"
        together = s.prisoners[move.seat].place == s.here
        return "nothing_to_trade" if together else "not_together"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Offer)
        turn = replace(s.turn, offers=s.turn.offers + 1)
        return replace(s, turn=turn, step=Bargain(move.seat))


class BargainHandler(Handler[Bargain]):
    def moves(self, s: Prison, step: Bargain, seat: int) -> Sequence[Move]:
        ready, other = self.box.ready, s.prisoners[step.seat]
        listed: list[Move] = [WITHDRAW]
        listed += _more(s.me, step.gives, step.asks, ready.give)
        listed += _more(other, step.asks, step.gives, ready.ask)
        if (step.gives or step.asks) and self._fits(s, step):
            listed.append(PROPOSE)
        return listed

    def _fits(self, s: Prison, step: Bargain | Answer) -> bool:
        """Both sheets must hold what they would get (R12)."""
        slots, purse = self.box.settings.object_slots, s.options.cash_max
        return all(
            len(after.objects) <= slots and after.cash <= purse for after in exchanged(s, step)
        )

    def explain(self, s: Prison, step: Bargain, move: Move, seat: int) -> str:
        if isinstance(move, Propose):
            return "no_space" if step.gives or step.asks else "empty_offer"
        if isinstance(move, Give | Ask):
            wanted = step.asks if isinstance(move, Give) else step.gives
            if move.what in wanted:
                return "same_for_same"
            return "not_held" if isinstance(move, Give) else "has_it_not"
        return "finish_offer"

    def after(self, s: Prison, step: Bargain, move: Move, seat: int) -> Prison:
        match move:
            case Give(what):
                return replace(s, step=replace(step, gives=added(step.gives, what)))
            case Ask(what):
                return replace(s, step=replace(step, asks=added(step.asks, what)))
            case Withdraw():
                return replace(s, step=ACTING)
        return replace(s, step=Answer(step.seat, step.gives, step.asks))


def _more(
    holder: Prisoner,
    named: tuple[str, ...],
    back: tuple[str, ...],
    ready: Mapping[str, Move],
) -> Iterator[Move]:
    """What else the holder could put in; nothing is given for its like (A31)."""
    objects = holder.objects
    for what in dict.fromkeys(objects):
        if what not in back and named.count(what) < objects.count(what):
            yield ready[what]
    if CASH not in back and named.count(CASH) < holder.cash:
        yield ready[CASH]


def exchanged(s: Prison, step: Bargain | Answer) -> tuple[Prisoner, Prisoner]:
    """The active player's sheet and the other one after the trade."""
    me, other = s.me, s.prisoners[step.seat]
    return _swapped(me, step.gives, step.asks), _swapped(other, step.asks, step.gives)


def _swapped(sheet: Prisoner, out: tuple[str, ...], back: tuple[str, ...]) -> Prisoner:
    objects, cash = sheet.objects, sheet.cash
    for what in out:
        if what == CASH:
            cash -= 1
        else:
            objects = without(objects, what)
    for what in back:
        if what == CASH:
            cash += 1
        else:
            objects = added(objects, what)
    return replace(sheet, objects=objects, cash=cash)


class AnswerHandler(Handler[Answer]):
    def who(self, s: Prison, step: Answer) -> tuple[int, ...]:
        return (step.seat,)

    def moves(self, s: Prison, step: Answer, seat: int) -> Sequence[Move]:
        return (AGREE, REFUSE)

    def explain(self, s: Prison, step: Answer, move: Move, seat: int) -> str:
        return "answer_first"

    def after(self, s: Prison, step: Answer, move: Move, seat: int) -> Prison:
        if isinstance(move, Refuse):
            return replace(s, step=ACTING)
        me, other = exchanged(s, step)
        prisoners = swap(swap(s.prisoners, s.turn.seat, me), step.seat, other)
        return replace(s, prisoners=prisoners, step=ACTING)

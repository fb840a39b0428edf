"""Using a location (R30, R54–R58): its function, and what that goes on to ask."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.box import Box, Function, added, swap, without
from game_logic.alcatraz.handling import ACTING, Action, Handler, changed, discarded
from game_logic.alcatraz.hands import draw
from game_logic.alcatraz.moves import CASH, STOP, USE, Lift, Pay, Post, Stop, Take, Use
from game_logic.alcatraz.state import FULL, PLACES, Prison
from game_logic.alcatraz.steps import Lifting, Paying, Posting, Robbing, Taking
from game_logic.core import Move


def function(box: Box, s: Prison) -> Function:
    """Of the location where the active player is."""
    return box.functions[s.here][s.faces[s.here]]


def payments(box: Box, s: Prison, does: Function) -> list[str]:
    """What may pay: an object also frees the space that taking one needs (A32)."""
    me = s.me
    goods = list(dict.fromkeys(me.objects))
    if me.cash and (does.does != "take" or len(me.objects) < box.settings.object_slots):
        goods.append(CASH)
    return goods


class Using(Action):
    kind = Use

    def bar(self, s: Prison) -> str | None:
        does = function(self.box, s)
        if bar := guards.bar_free(s) if does.free else guards.bar_costly(s):
            return bar
        if s.here in s.turn.used:
            return "used_already"
        return self._useless(s, does) or (self._unpaid(s, does) if does.pays else None)

    def _useless(self, s: Prison, does: Function) -> str | None:
        """R54, A31."""
        match does.does:
            case "take":
                if not s.lying[s.here]:
                    return "nothing_there"
                full = len(s.me.objects) >= self.box.settings.object_slots
                return "no_space" if full and not does.pays else None
            case "gain_stamina":
                return None if s.me.stamina < s.options.stamina_max else "stamina_full"
            case "gain_cash":
                return None if s.me.cash < s.options.cash_max else "cash_full"
            case "discard_blackmail" | "take_blackmail":
                return None if any(s.prisoners[n].cards for n in s.others()) else "no_hands"
        return None

    def _unpaid(self, s: Prison, does: Function) -> str | None:
        if payments(self.box, s, does):
            return None
        return "no_space" if s.me.cash else "nothing_to_pay"

    def each(self, s: Prison) -> Sequence[Move]:
        return (USE,)

    def after(self, s: Prison, move: Move) -> Prison:
        does, turn = function(self.box, s), s.turn
        turn = replace(turn, ap=turn.ap - self.price(s), used=(*turn.used, s.here))
        s = replace(s, turn=turn)
        return replace(s, step=Paying()) if does.pays else begin(self.box, s, s.lying[s.here])

    def price(self, s: Prison) -> int:
        return 0 if function(self.box, s).free else guards.price(s)


def begin(box: Box, s: Prison, shelf: tuple[str, ...]) -> Prison:
    """The function itself, once it is paid for; `shelf` lay there before (A32)."""
    does, me, seat = function(box, s), s.me, s.turn.seat
    s = replace(s, step=ACTING)
    match does.does:
        case "take":
            room = box.settings.object_slots - len(me.objects)
            return take(s, shelf, min(does.amount, len(shelf), room))
        case "gain_stamina":
            return changed(s, seat, stamina=min(me.stamina + does.amount, s.options.stamina_max))
        case "gain_cash":
            return changed(s, seat, cash=min(me.cash + does.amount, s.options.cash_max))
        case "move_guards":
            return replace(s, step=Lifting(does.amount))
        case "discard_blackmail" | "take_blackmail":
            return replace(s, step=Robbing())
        case "draw_blackmail":
            return draw(box, s, does.amount)


def take(s: Prison, shelf: tuple[str, ...], left: int) -> Prison:
    """`left` objects come from the shelf; with one kind on it there is nothing to choose."""
    if left and len(set(shelf)) > 1:
        return replace(s, step=Taking(shelf, left))
    for what in shelf[:left]:
        s = _taken(s, what)
    return replace(s, step=ACTING)


def _taken(s: Prison, what: str) -> Prison:
    lying = swap(s.lying, s.here, without(s.lying[s.here], what))
    return replace(changed(s, s.turn.seat, objects=added(s.me.objects, what)), lying=lying)


class PayingHandler(Handler[Paying]):
    def moves(self, s: Prison, step: Paying, seat: int) -> Sequence[Move]:
        pay = self.box.ready.pay
        return [pay[what] for what in payments(self.box, s, function(self.box, s))]

    def explain(self, s: Prison, step: Paying, move: Move, seat: int) -> str:
        if not isinstance(move, Pay):
            return "pay_first"
        return "no_space" if move.what == CASH and s.me.cash else "not_held"

    def after(self, s: Prison, step: Paying, move: Move, seat: int) -> Prison:
        assert isinstance(move, Pay)
        shelf = s.lying[s.here]
        if move.what == CASH:
            return begin(self.box, changed(s, seat, cash=s.me.cash - 1), shelf)
        return begin(self.box, discarded(self.box, s, seat, move.what), shelf)


class TakingHandler(Handler[Taking]):
    def moves(self, s: Prison, step: Taking, seat: int) -> Sequence[Move]:
        return [self.box.ready.take[what] for what in dict.fromkeys(step.shelf)]

    def explain(self, s: Prison, step: Taking, move: Move, seat: int) -> str:
        return "not_on_shelf" if isinstance(move, Take) else "take_first"

    def after(self, s: Prison, step: Taking, move: Move, seat: int) -> Prison:
        assert isinstance(move, Take)
        return take(_taken(s, move.what), without(step.shelf, move.what), step.left - 1)


class LiftingHandler(Handler[Lifting]):
    """A22: every guard moved changes location; a second one may stay."""

    def moves(self, s: Prison, step: Lifting, seat: int) -> Sequence[Move]:
        lift = self.box.ready.lift
        guarded = [lift[p] for p in range(PLACES) if s.guards[p]]
        return guarded if step.first else [*guarded, STOP]

    def explain(self, s: Prison, step: Lifting, move: Move, seat: int) -> str:
        if isinstance(move, Lift) and move.origin in self.box.index:
            return "no_guard_there"
        return "move_one_guard" if isinstance(move, Stop) else "lift_first"

    def after(self, s: Prison, step: Lifting, move: Move, seat: int) -> Prison:
        if isinstance(move, Stop):
            return replace(s, step=ACTING)
        assert isinstance(move, Lift)
        origin = self.box.index[move.origin]
        lifted = swap(s.guards, origin, s.guards[origin] - 1)
        return replace(s, guards=lifted, step=Posting(origin, step.left - 1))


class PostingHandler(Handler[Posting]):
    def moves(self, s: Prison, step: Posting, seat: int) -> Sequence[Move]:
        post = self.box.ready.post
        return [post[p] for p in range(PLACES) if p != step.origin and s.guards[p] < FULL]

    def explain(self, s: Prison, step: Posting, move: Move, seat: int) -> str:
        if not isinstance(move, Post) or move.to not in self.box.index:
            return "post_first"
        return "same_place" if self.box.index[move.to] == step.origin else "place_is_full"

    def after(self, s: Prison, step: Posting, move: Move, seat: int) -> Prison:
        assert isinstance(move, Post)
        to = self.box.index[move.to]
        s = replace(s, guards=swap(s.guards, to, s.guards[to] + 1))
        return replace(s, step=Lifting(step.left, first=False) if step.left else ACTING)

"""A turn (R29–R38): the actions that need no more than one word."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.blackmail import Blackmailing
from game_logic.alcatraz.box import Box, swap
from game_logic.alcatraz.handling import (
    Action,
    Handler,
    changed,
    discarded,
    handed_over,
    moved_guard,
    paid,
)
from game_logic.alcatraz.moves import (
    BRIBE,
    CASH,
    END,
    STAMINA,
    Bribe,
    Discard,
    EndTurn,
    Riot,
    Steal,
    UseStamina,
    Walk,
)
from game_logic.alcatraz.places import Using
from game_logic.alcatraz.rounds import end_turn
from game_logic.alcatraz.state import FULL, Prison
from game_logic.alcatraz.steps import Acting
from game_logic.alcatraz.tasks import Completing
from game_logic.alcatraz.trade import Offering
from game_logic.core import Move


class Walking(Action):
    """R29, R42: never into four guards, nor into a lockdown (X1)."""

    kind = Walk

    def bar(self, s: Prison) -> str | None:
        return None if s.turn.ap else "no_ap"

    def each(self, s: Prison) -> Sequence[Move]:
        walk, near = self.box.ready.walk, self.box.neighbours(s.layout)[s.here]
        return [walk[p] for p in near if s.guards[p] < FULL and p not in s.closed]

    def explain(self, s: Prison, move: Move) -> str:
        assert isinstance(move, Walk)
        to = self.box.index.get(move.to)
        if to is None:
            return "no_such_place"
        if to not in self.box.neighbours(s.layout)[s.here]:
            return "not_adjacent"
        return "locked_down" if to in s.closed else "four_guards_there"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Walk)
        walker = replace(s.me, place=self.box.index[move.to])
        return replace(s, prisoners=swap(s.prisoners, s.turn.seat, walker), turn=paid(s, 1))

    def price(self, s: Prison) -> int:
        return 1


class Costly(Action):
    """What guards make dearer or forbid."""

    def bar(self, s: Prison) -> str | None:
        return guards.bar_costly(s)

    def price(self, s: Prison) -> int:
        return guards.price(s)


class Stealing(Costly):
    """R31, A16."""

    kind = Steal

    def bar(self, s: Prison) -> str | None:
        return "stole_already" if s.turn.stole else guards.bar_costly(s)

    def each(self, s: Prison) -> Sequence[Move]:
        here, me = s.here, s.me
        room = len(me.objects) < self.box.settings.object_slots
        purse = me.cash < s.options.cash_max
        loot: list[Move] = []
        for seat in s.others():
            victim = s.prisoners[seat]
            if victim.place != here:
                continue
            steal = self.box.ready.steal[seat]
            if room:
                loot += [steal[what] for what in dict.fromkeys(victim.objects)]
            if purse and victim.cash:
                loot.append(steal[CASH])
        return loot

    def explain(self, s: Prison, move: Move) -> str:
        assert isinstance(move, Steal)
        if move.seat not in s.others():
            return "no_such_player"
        victim = s.prisoners[move.seat]
        if victim.place != s.here:
            return "not_together"
        has = victim.cash > 0 if move.what == CASH else move.what in victim.objects
        return ("cash_full" if move.what == CASH else "no_space") if has else "has_it_not"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Steal)
        turn = replace(s.turn, ap=s.turn.ap - guards.price(s), stole=True)
        return replace(handed_over(s, move.seat, s.turn.seat, move.what), turn=turn)


class Rioting(Costly):
    """R32, A35."""

    kind = Riot

    def bar(self, s: Prison) -> str | None:
        return "place_is_full" if s.guards[s.here] >= FULL else guards.bar_costly(s)

    def each(self, s: Prison) -> Sequence[Move]:
        riot = self.box.ready.riot
        return [riot[p] for p in self.box.neighbours(s.layout)[s.here] if s.guards[p]]

    def explain(self, s: Prison, move: Move) -> str:
        assert isinstance(move, Riot)
        origin = self.box.index.get(move.origin)
        if origin is None:
            return "no_such_place"
        near = origin in self.box.neighbours(s.layout)[s.here]
        return "no_guard_there" if near else "not_adjacent"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Riot)
        moved = moved_guard(s.guards, self.box.index[move.origin], s.here)
        return replace(s, guards=moved, turn=paid(s, guards.price(s)))  # A17


class Discarding(Costly):
    """R34, R51."""

    kind = Discard

    def each(self, s: Prison) -> Sequence[Move]:
        return [self.box.ready.discard[what] for what in dict.fromkeys(s.me.objects)]

    def explain(self, s: Prison, move: Move) -> str:
        return "not_held"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Discard)
        turn = paid(s, guards.price(s))
        return replace(discarded(self.box, s, s.turn.seat, move.what), turn=turn)


class Bribing(Action):
    """R37, A7, A8."""

    kind = Bribe

    def bar(self, s: Prison) -> str | None:
        if bar := guards.bar_free(s):
            return bar
        if not s.me.cash:
            return "no_cash"
        return None if guards.counted(s) else "nobody_to_bribe"

    def each(self, s: Prison) -> Sequence[Move]:
        return (BRIBE,)

    def after(self, s: Prison, move: Move) -> Prison:
        here = s.here
        bribed = swap(s.turn.bribed, here, s.turn.bribed[here] + 1)
        s = changed(s, s.turn.seat, cash=s.me.cash - 1)
        return replace(s, turn=replace(s.turn, bribed=bribed))


class Exerting(Action):
    """R38, A8."""

    kind = UseStamina

    def bar(self, s: Prison) -> str | None:
        if bar := guards.bar_free(s):
            return bar
        if s.turn.stamina >= self.box.settings.stamina_per_turn:
            return "stamina_used"
        return None if s.me.stamina else "no_stamina"

    def each(self, s: Prison) -> Sequence[Move]:
        return (STAMINA,)

    def after(self, s: Prison, move: Move) -> Prison:
        s = changed(s, s.turn.seat, stamina=s.me.stamina - 1)
        return replace(s, turn=replace(s.turn, ap=s.turn.ap + 1, stamina=s.turn.stamina + 1))


class Ending(Action):
    """R27."""

    kind = EndTurn

    def bar(self, s: Prison) -> str | None:
        return None

    def each(self, s: Prison) -> Sequence[Move]:
        return (END,)

    def after(self, s: Prison, move: Move) -> Prison:
        return end_turn(self.box, s)

    def price(self, s: Prison) -> int | None:
        return None


class ActingHandler(Handler[Acting]):
    def __init__(self, box: Box) -> None:
        super().__init__(box)
        kinds: tuple[type[Action], ...] = (
            Walking, Using, Completing, Stealing, Rioting, Discarding,
            Blackmailing, Offering, Bribing, Exerting, Ending,
        )  # fmt: skip
        self.actions = tuple(kind(box) for kind in kinds)
        self.by_move = {action.kind: action for action in self.actions}

    def moves(self, s: Prison, step: Acting, seat: int) -> Sequence[Move]:
        listed: list[Move] = []
        for action in self.actions:
            if action.bar(s) is None:
                listed += action.each(s)
        return listed

    def legal(self, s: Prison, step: Acting, move: Move, seat: int) -> bool:
        action = self.by_move.get(type(move))
        return action is not None and action.bar(s) is None and move in action.each(s)

    def explain(self, s: Prison, step: Acting, move: Move, seat: int) -> str:
        action = self.by_move.get(type(move))
        if action is None:
            return "choose_an_action"
        return action.bar(s) or action.explain(s, move)

    def after(self, s: Prison, step: Acting, move: Move, seat: int) -> Prison:
        return self.by_move[type(move)].after(s, move)

    def price(self, s: Prison, move: Move) -> int | None:
        action = self.by_move.get(type(move))
        return None if action is None else action.price(s)

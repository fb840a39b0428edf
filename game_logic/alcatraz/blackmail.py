"""Playing blackmail cards (R22, R35, A37): whom they hit, and what they do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.box import Box, Effect, swap
from game_logic.alcatraz.handling import (
    ACTING,
    Action,
    Handler,
    changed,
    discarded,
    handed_over,
    moved_guard,
    paid,
)
from game_logic.alcatraz.hands import could_be, lay_open
from game_logic.alcatraz.moves import (
    CASH,
    STOP,
    At,
    Blackmail,
    Bring,
    Seize,
    Stop,
    Surrender,
    Target,
)
from game_logic.alcatraz.setup import new_task
from game_logic.alcatraz.state import FULL, PLACES, Prison
from game_logic.alcatraz.steps import Aiming, Bringing, Seizing, Spot, Surrendering
from game_logic.core import Move


class Blackmailing(Action):
    """R35: 1 AP whatever the guards (R40, R41), but not among four (R42)."""

    kind = Blackmail

    def bar(self, s: Prison) -> str | None:
        if s.turn.seat != s.scapegoat:
            return "only_the_scapegoat"
        if bar := guards.bar_free(s):
            return bar
        if not s.me.cards:
            return "no_cards"
        return None if s.turn.ap else "no_ap"

    def each(self, s: Prison) -> Sequence[Move]:
        ready = self.box.ready.blackmail
        return [
            ready[card]
            for card in could_be(self.box, s, s.me.cards)
            if aims(self.box, s, self.box.cards[card].effect)
        ]

    def explain(self, s: Prison, move: Move) -> str:
        assert isinstance(move, Blackmail)
        held = move.card in could_be(self.box, s, s.me.cards)
        return "no_effect" if held else "card_not_held"

    def after(self, s: Prison, move: Move) -> Prison:
        assert isinstance(move, Blackmail)
        turn = paid(s, 1)
        s = changed(s, s.turn.seat, cards=lay_open(s.me.cards, move.card))
        return replace(s, turn=turn, discards=(*s.discards, move.card), step=Aiming(move.card))

    def price(self, s: Prison) -> int:
        return 1


# -- whom or where ------------------------------------------------------------------------------


def aims(box: Box, s: Prison, effect: Effect) -> list[Move]:
    """Every target that the card would do something to (A31)."""
    at, target = box.ready.at, box.ready.target
    others = [(seat, s.prisoners[seat]) for seat in s.others()]
    match effect:
        case "lockdown":
            return [at[p] for p in range(PLACES) if p not in s.closed]
        case "double_watch":
            return [at[p] for p in range(PLACES) if p not in s.watched]
        case "tip_off":
            total = sum(s.guards)
            return [at[p] for p in range(PLACES) if s.guards[p] < FULL and s.guards[p] < total]
        case "confiscation":
            hit = {other.place for _, other in others if other.objects}
            return [at[p] for p in sorted(hit)]
        case "counter_order" | "plan_blown":
            return [at[p] for p in range(PLACES) if s.tasks[p] is not None]
        case "roll_call":
            if s.guards[box.roll_call] >= FULL or box.roll_call in s.closed:
                return []
            return [target[seat] for seat, other in others if other.place != box.roll_call]
        case "punishment_duty":
            return [target[seat] for seat, _ in others if seat not in s.duty]
        case "body_search":
            return [target[seat] for seat, other in others if other.objects]
        case "no_supper":
            return [target[seat] for seat, other in others if other.stamina]
        case "extortion":
            return [target[seat] for seat, _ in others if extortable(box, s, seat)]


def extortable(box: Box, s: Prison, seat: int) -> list[str]:
    """What the player could give: only what fits on the Scapegoat's sheet."""
    victim, me = s.prisoners[seat], s.me
    room = len(me.objects) < box.settings.object_slots
    goods = list(dict.fromkeys(victim.objects)) if room else []
    return [*goods, CASH] if victim.cash and me.cash < s.options.cash_max else goods


class AimingHandler(Handler[Aiming]):
    def moves(self, s: Prison, step: Aiming, seat: int) -> Sequence[Move]:
        return aims(self.box, s, self.box.cards[step.card].effect)

    def explain(self, s: Prison, step: Aiming, move: Move, seat: int) -> str:
        return "no_effect" if isinstance(move, At | Target) else "aim_first"

    def after(self, s: Prison, step: Aiming, move: Move, seat: int) -> Prison:
        s = replace(s, step=ACTING)
        if isinstance(move, Target):
            return self._on(s, step.card, move.seat)
        assert isinstance(move, At)
        return self._at(s, step.card, self.box.index[move.place])

    def _on(self, s: Prison, card: str, seat: int) -> Prison:
        match self.box.cards[card].effect:
            case "roll_call":
                return changed(s, seat, place=self.box.roll_call)
            case "punishment_duty":
                return replace(s, duty=(*s.duty, seat))
            case "no_supper":
                return changed(s, seat, stamina=0)
            case "body_search":
                return replace(s, step=Seizing(seat))
        return replace(s, step=Surrendering(card, (seat,)))

    def _at(self, s: Prison, card: str, place: int) -> Prison:
        match self.box.cards[card].effect:
            case "lockdown":
                return replace(s, closed=(*s.closed, place))
            case "double_watch":
                return replace(s, watched=(*s.watched, place))
            case "tip_off":
                return replace(s, step=Bringing(place, self.box.settings.tip_off_guards))
            case "confiscation":
                hit = (n for n in s.others() if s.prisoners[n].place == place)
                seats = tuple(n for n in hit if s.prisoners[n].objects)
                return replace(s, step=Surrendering(card, seats))
        task = s.tasks[place]
        assert task is not None
        s = replace(s, tasks=swap(s.tasks, place, None))
        if self.box.cards[card].effect == "counter_order":
            return replace(s, step=Spot(task, place))
        return new_task(replace(s, task_pile=s.task_pile.put_under(task)))


# -- what some cards go on to ask ---------------------------------------------------------------


class SeizingHandler(Handler[Seizing]):
    def moves(self, s: Prison, step: Seizing, seat: int) -> Sequence[Move]:
        seize = self.box.ready.seize
        return [seize[what] for what in dict.fromkeys(s.prisoners[step.seat].objects)]

    def explain(self, s: Prison, step: Seizing, move: Move, seat: int) -> str:
        return "has_it_not" if isinstance(move, Seize) else "seize_first"

    def after(self, s: Prison, step: Seizing, move: Move, seat: int) -> Prison:
        assert isinstance(move, Seize)
        return replace(discarded(self.box, s, step.seat, move.what), step=ACTING)


class SurrenderingHandler(Handler[Surrendering]):
    def who(self, s: Prison, step: Surrendering) -> tuple[int, ...]:
        return step.seats[:1]

    def _goods(self, s: Prison, step: Surrendering) -> list[str]:
        victim = step.seats[0]
        if self.box.cards[step.card].effect == "extortion":
            return extortable(self.box, s, victim)
        return list(dict.fromkeys(s.prisoners[victim].objects))

    def moves(self, s: Prison, step: Surrendering, seat: int) -> Sequence[Move]:
        return [self.box.ready.surrender[what] for what in self._goods(s, step)]

    def explain(self, s: Prison, step: Surrendering, move: Move, seat: int) -> str:
        return "not_surrendered" if isinstance(move, Surrender) else "surrender_first"

    def after(self, s: Prison, step: Surrendering, move: Move, seat: int) -> Prison:
        assert isinstance(move, Surrender)
        if self.box.cards[step.card].effect == "extortion":
            return replace(handed_over(s, seat, s.turn.seat, move.what), step=ACTING)
        s = discarded(self.box, s, seat, move.what)
        left = step.seats[1:]
        return replace(s, step=Surrendering(step.card, left) if left else ACTING)


class BringingHandler(Handler[Bringing]):
    def moves(self, s: Prison, step: Bringing, seat: int) -> Sequence[Move]:
        bring = self.box.ready.bring
        guarded = [bring[p] for p in range(PLACES) if s.guards[p] and p != step.place]
        return guarded if step.first else [*guarded, STOP]

    def explain(self, s: Prison, step: Bringing, move: Move, seat: int) -> str:
        if isinstance(move, Bring) and move.origin in self.box.index:
            here = self.box.index[move.origin] == step.place
            return "same_place" if here else "no_guard_there"
        return "move_one_guard" if isinstance(move, Stop) else "lift_first"

    def after(self, s: Prison, step: Bringing, move: Move, seat: int) -> Prison:
        if isinstance(move, Stop):
            return replace(s, step=ACTING)
        assert isinstance(move, Bring)
        moved = moved_guard(s.guards, self.box.index[move.origin], step.place)
        s = replace(s, guards=moved)
        if step.left == 1 or moved[step.place] >= FULL:
            return replace(s, step=ACTING)
        return replace(s, step=Bringing(step.place, step.left - 1, first=False))

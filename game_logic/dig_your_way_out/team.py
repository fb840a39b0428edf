"""Team mode: going to a comrade (R58) and the exchange between teammates (R57)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.dig_your_way_out import hands, tasks
from game_logic.dig_your_way_out.box import Box
from game_logic.dig_your_way_out.deeds import paid
from game_logic.dig_your_way_out.moves import Done, Exchange, Give, GiveCigarettes, Rejoin
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, others_here, pop, push, swap, team
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.walking import arrive, goal_refusal


def used(now: Now) -> Blackgate:
    turn = replace(now.turn, actions=now.turn.actions - 1, fresh="")
    return replace(now.state, turn=turn)


def _barred(now: Now) -> Code | None:
    if not now.state.options.teams:
        return "no_teams"
    return None if now.turn.actions else "no_actions"


# -- R58 -------------------------------------------------------------------------------------------


def rejoin_barred(now: Now) -> Code | None:
    why = _barred(now)
    return why or (None if now.me.gang else "no_comrade")


def _comrades(now: Now) -> list[str]:
    """The places of teammates in the same gang, once each."""
    gang, mine = now.box.gang_of[now.me.gang], team(now.state, now.seat)
    return sorted(
        {
            prisoner.place
            for seat, prisoner in enumerate(now.state.prisoners)
            if seat != now.seat
            and team(now.state, seat) == mine
            and now.box.gang_of[prisoner.gang] == gang
        }
    )


def rejoins(now: Now) -> Iterable[Move]:
    return [Rejoin(place) for place in _comrades(now)]


def rejoin_refusal(now: Now, move: Rejoin) -> Code | None:
    why = goal_refusal(now, move.place, now.me.place)
    return why or (None if move.place in _comrades(now) else "no_comrade")


def rejoin(now: Now, move: Rejoin) -> Blackgate:
    return arrive(now.box, used(now), now.seat, move.place)


# -- R57 -------------------------------------------------------------------------------------------


def exchange_barred(now: Now) -> Code | None:
    return _barred(now)


def exchanges(now: Now) -> Iterable[Move]:
    mine = team(now.state, now.seat)
    here = others_here(now.state, now.seat)
    return [Exchange(seat) for seat in here if team(now.state, seat) == mine]


def exchange_refusal(now: Now, move: Exchange) -> Code | None:
    state, partner = now.state, move.partner
    if not 0 <= partner < len(state.seats) or partner == now.seat:
        return "no_target"
    if team(state, partner) != team(state, now.seat):
        return "not_teammate"
    mate = state.prisoners[partner]
    if mate.place != now.me.place:
        return "target_away"
    something = now.me.cards or now.me.cigarettes or mate.cards or mate.cigarettes
    return None if something else "nothing_to_give"


def exchange(now: Now, move: Exchange) -> Blackgate:
    return push(used(now), tasks.Trade(now.seat, move.partner, giver=now.seat))


class TradeStep(Step[tasks.Trade]):
    """Each gives what he agreed to give, by giving it (A47)."""

    takes = (Give, GiveCigarettes, Done)

    def settle(self, box: Box, state: Blackgate, task: tasks.Trade) -> Blackgate | None:
        giver = state.prisoners[task.giver]
        if giver.cards or (giver.cigarettes and not task.smoked):
            return None
        return self._next(state, task)

    def options(self, now: Now, task: tasks.Trade) -> Iterable[Move]:
        yield Done()
        if now.state.options.secrets == "table":
            yield Give()
        else:
            yield from (Give(card) for card in dict.fromkeys(now.me.hand))
        if not task.smoked:
            yield from (GiveCigarettes(n) for n in range(1, now.me.cigarettes + 1))

    def refusal(self, now: Now, task: tasks.Trade, move: Any) -> Code | None:
        match move:
            case Give(card):
                if now.state.options.secrets == "table":
                    return "not_in_hand" if card or not now.me.cards else None
                return None if card in now.me.hand else "not_in_hand"
            case GiveCigarettes(amount):
                can = not task.smoked and 0 < amount <= now.me.cigarettes
                return None if can else "too_many_cigarettes"
        return None

    def do(self, now: Now, task: tasks.Trade, move: Any) -> Blackgate:
        other = task.partner if now.seat == task.seat else task.seat
        match move:
            case Give(""):
                return hands.pass_unseen(now.state, now.seat, other, 1)
            case Give(card):
                return hands.hand_over(now.state, now.seat, other, card)
            case GiveCigarettes(amount):
                state = paid(paid(now.state, now.seat, -amount), other, amount)
                return swap(state, replace(task, smoked=True))
        return self._next(now.state, task)

    def _next(self, state: Blackgate, task: tasks.Trade) -> Blackgate:
        if task.giver == task.seat:
            return swap(state, replace(task, giver=task.partner, smoked=False))
        return pop(state)

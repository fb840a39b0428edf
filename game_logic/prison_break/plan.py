"""The change to phase 2, and how the escape succeeds (R36–R40, A15–A17, A24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break import cards
from game_logic.prison_break.box import Box, Plan
from game_logic.prison_break.crowd import spend
from game_logic.prison_break.moves import Eliminate, NotYet, Show, ShowPlan, Vote
from game_logic.prison_break.rule import Rule
from game_logic.prison_break.state import (
    EXTERNALS,
    LINCOLN,
    NOBODY,
    NOWHERE,
    UNKNOWN,
    Break,
    Claim,
    Surrender,
    TieBreak,
    Voting,
    Wrap,
    push,
    put,
    swap,
)

_NOT_YET = NotYet()


# -- who turns guard -----------------------------------------------------------------------------


class VotingRule(Rule[Voting]):
    def actors(self, state: Break, task: Voting) -> tuple[int, ...]:
        return tuple(seat for seat, vote in enumerate(state.votes) if vote == NOBODY)

    def moves(self, state: Break, task: Voting, seat: int) -> Sequence[Move]:
        return [Vote(s) for s in range(len(state.seats)) if s != state.scofield]

    def play(self, state: Break, task: Voting, move: Move, seat: int) -> Break:
        if not isinstance(move, Vote):
            raise self.no("vote_first")
        if not 0 <= move.seat < len(state.seats):
            raise self.no("no_such_seat")
        if move.seat == state.scofield:
            raise self.no("not_scofield")
        votes = put(state.votes, seat, move.seat)
        state = replace(state, votes=votes)
        if NOBODY in votes:
            return state
        named = Counter(votes)
        most = tuple(sorted(s for s, n in named.items() if n == max(named.values())))
        if len(most) > 1:
            return swap(state, TieBreak(most))
        return eliminate(self.box, swap(state), most[0])


class TieBreakRule(Rule[TieBreak]):
    def actors(self, state: Break, task: TieBreak) -> tuple[int, ...]:
        return (state.scofield,)

    def moves(self, state: Break, task: TieBreak, seat: int) -> Sequence[Move]:
        return [Eliminate(s) for s in task.seats]

    def play(self, state: Break, task: TieBreak, move: Move, seat: int) -> Break:
        if not isinstance(move, Eliminate):
            raise self.no("break_the_tie")
        if move.seat not in task.seats:
            raise self.no("not_tied")
        return eliminate(self.box, swap(state), move.seat)


def eliminate(box: Box, state: Break, seat: int) -> Break:
    """R37, R38, A17: he leaves with all he had and takes the guards' side; unrecruited externals
    leave too. What he learnt stays in his memory, not on his page."""
    who = state.cast[seat]
    where = tuple(
        NOWHERE if p == who or (p in EXTERNALS and p not in state.team) else at
        for p, at in enumerate(state.where)
    )
    first, second = (NOBODY if carrier == who else carrier for carrier in state.tools)
    state = replace(
        state,
        phase=2,
        bellick=seat,
        where=where,
        team=tuple(member for member in state.team if member != who),
        skips=put(state.skips, who, 0),
        tools=(first, second),
        seen=tuple(seats & ~(1 << seat) for seats in state.seen),
    )
    for kind in state.hands[who]:
        if kind != UNKNOWN:
            state = spend(state, who, kind)
    for card in state.kept[who]:
        if card != UNKNOWN:
            state = cards.laid_down(state, who, card)
    return push(state, Surrender(who))


class SurrenderRule(Rule[Surrender]):
    """What only he knew is laid down one by one, objects first."""

    def skip(self, state: Break, task: Surrender) -> Break | None:
        return None if state.hands[task.who] or state.kept[task.who] else swap(state)

    def moves(self, state: Break, task: Surrender, seat: int) -> Sequence[Move]:
        who = task.who
        if state.hands[who]:
            return [Show(kind) for kind in self.box.kinds if state.has(who, kind)]
        return [Show(card) for card in self.box.chances if state.keeps(who, card)]

    def play(self, state: Break, task: Surrender, move: Move, seat: int) -> Break:
        if not isinstance(move, Show):
            raise self.no("show_first")
        if move not in self.moves(state, task, seat):
            raise self.no("not_in_the_box")
        if state.hands[task.who]:
            return spend(state, task.who, move.what)
        return cards.laid_down(state, task.who, move.what)


# -- the end of a team action --------------------------------------------------------------------


def fulfilled(box: Box, state: Break, plan: Plan) -> bool:
    """Are all missions of this escape card done (R3, A24)?"""
    return (
        LINCOLN in state.team
        and all(external in state.team for external in plan.externals)
        and all(place in state.route for place in plan.route)
        and state.broken[plan.device] == plan.number
        and (state.options.win == "missions_only" or bool(plan.exit >> state.where[LINCOLN] & 1))
    )


class WrapRule(Rule[Wrap]):
    """A36: Lincoln joins whoever walked up to him, then the escape may have succeeded."""

    def skip(self, state: Break, task: Wrap) -> Break:
        state = swap(state)
        if state.phase == 1:
            return state
        here = state.where[task.who]
        if task.at == here == state.where[LINCOLN] and LINCOLN not in state.team:
            state = replace(state, team=(*state.team, LINCOLN))
        if state.house:
            done = fulfilled(self.box, state, self.box.plans[state.plan])
            return replace(state, over="escaped") if done else state
        plans = tuple(
            id
            for id, plan in self.box.plans.items()
            if plan.externals == state.wanted and fulfilled(self.box, state, plan)
        )
        declined = tuple(plan for plan in state.declined if plan in plans)
        news = tuple(plan for plan in plans if plan not in declined)
        state = replace(state, declined=declined) if declined != state.declined else state
        return push(state, Claim(news)) if news else state


class ClaimRule(Rule[Claim]):
    """The card is in Scofield's hand: he shows it when it is one of those that are fulfilled."""

    def actors(self, state: Break, task: Claim) -> tuple[int, ...]:
        return (state.scofield,)

    def moves(self, state: Break, task: Claim, seat: int) -> Sequence[Move]:
        return [*(ShowPlan(plan) for plan in task.plans), _NOT_YET]

    def play(self, state: Break, task: Claim, move: Move, seat: int) -> Break:
        if isinstance(move, NotYet):
            return swap(state, declined=tuple(sorted((*state.declined, *task.plans))))
        if not isinstance(move, ShowPlan):
            raise self.no("claim_first")
        if move.plan not in task.plans:
            raise self.no("missions_open")
        return swap(state, plan=move.plan, over="escaped")

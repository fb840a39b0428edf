"""The start of a game: who plays whom, Scofield's plan, and what the externals want (R15–R19)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break.box import Box
from game_logic.prison_break.moves import Announce, Choose, KeepPlan
from game_logic.prison_break.rule import Draw, Roll, Rule
from game_logic.prison_break.state import (
    LEADERS,
    NOBODY,
    NOWHERE,
    PEOPLE,
    SCOFIELD,
    UNKNOWN,
    Announcing,
    Break,
    Casting,
    FirstRoll,
    Options,
    Planning,
    WishRoll,
    put,
    swap,
)


def start(box: Box, seats: tuple[str, ...], options: Options) -> Break:
    """R7–R13: everything in its place; the leaders' pawns come when they are chosen."""
    where = tuple(NOWHERE if who in LEADERS else box.starts[who] for who in PEOPLE)
    return Break(
        seats=seats,
        options=options,
        todo=(FirstRoll(tuple(range(len(seats)))),),
        cast=(NOBODY,) * len(seats),
        where=where,
        team=(),
        skips=(0,) * len(PEOPLE),
        hands=((),) * len(PEOPLE),
        kept=((),) * len(PEOPLE),
        ground=(UNKNOWN,) * len(box.spaces),
        seen=(0,) * len(box.spaces),
        bag=box.tokens,
        gone=(),
        pile=box.deck,
        discard=(),
        spare=box.guards,
    )


class FirstRollRule(Roll[FirstRoll]):
    """The highest chooses first; equals roll again (R15, A48)."""

    def rolled(self, state: Break, task: FirstRoll, face: int) -> Break:
        faces = (*task.faces, face)
        if len(faces) < len(task.seats):
            return swap(state, FirstRoll(task.seats, faces))
        best = tuple(s for s, f in zip(task.seats, faces, strict=True) if f == max(faces))
        if len(best) > 1:
            return swap(state, FirstRoll(best))
        seats = len(state.seats)
        return swap(state, Casting(tuple((best[0] + n) % seats for n in range(seats))))


class CastingRule(Rule[Casting]):
    def actors(self, state: Break, task: Casting) -> tuple[int, ...]:
        return task.seats[:1]

    def moves(self, state: Break, task: Casting, seat: int) -> Sequence[Move]:
        every = [Choose(self.box.people[who]) for who in LEADERS]
        return [move for move in every if self._why_not(state, task, move) is None]

    def _why_not(self, state: Break, task: Casting, move: Choose) -> str | None:
        who = self.box.person.get(move.leader)
        if who not in LEADERS:
            return "no_such_leader"
        if who in state.cast:
            return "leader_taken"
        alone = len(task.seats) == 1 and SCOFIELD not in state.cast
        return "scofield_must_play" if alone and who != SCOFIELD else None  # A32

    def play(self, state: Break, task: Casting, move: Move, seat: int) -> Break:
        if not isinstance(move, Choose):
            raise self.no("choose_a_leader")
        if code := self._why_not(state, task, move):
            raise self.no(code)
        who = self.box.person[move.leader]
        state = replace(
            state,
            cast=put(state.cast, task.seats[0], who),
            where=put(state.where, who, self.box.starts[who]),
            team=tuple(sorted((*state.team, who))),
        )
        if len(task.seats) > 1:
            return swap(state, Casting(task.seats[1:]))
        if state.house:
            return swap(state, Planning())
        return swap(state, Announcing(), plan=UNKNOWN)


class PlanningRule(Draw[Planning]):
    """Escape cards for Scofield's eyes only, of which he keeps one (R16)."""

    pile = "escape"

    def _drawing(self, state: Break, task: Planning) -> bool:
        return len(task.cards) < min(state.options.escape_cards_drawn, len(self.box.plans))

    def actors(self, state: Break, task: Planning) -> tuple[int, ...]:
        drawing = self._drawing(state, task)
        return super().actors(state, task) if drawing else (state.scofield,)

    def odds(self, state: Break, task: Planning) -> tuple[tuple[str, int], ...]:
        return tuple((plan, 1) for plan in self.box.plans if plan not in task.cards)

    def sees(self, state: Break, task: Planning) -> tuple[int, ...]:
        return (state.scofield,)

    def drawn(self, state: Break, task: Planning, card: str) -> Break:
        return swap(state, Planning(tuple(sorted((*task.cards, card)))))

    def moves(self, state: Break, task: Planning, seat: int) -> Sequence[Move]:
        if self._drawing(state, task):
            return super().moves(state, task, seat)
        return [KeepPlan(plan) for plan in task.cards]

    def play(self, state: Break, task: Planning, move: Move, seat: int) -> Break:
        if self._drawing(state, task):
            return super().play(state, task, move, seat)
        if not isinstance(move, KeepPlan):
            raise self.no("keep_a_plan")
        if move.plan not in task.cards:
            raise self.no("plan_not_drawn")
        return swap(state, Announcing(), plan=move.plan)


class AnnouncingRule(Rule[Announcing]):
    def actors(self, state: Break, task: Announcing) -> tuple[int, ...]:
        return (state.scofield,)

    def moves(self, state: Break, task: Announcing, seat: int) -> Sequence[Move]:
        return [Announce(tuple(self.box.people[e] for e in pair)) for pair in self._pairs(state)]

    def _pairs(self, state: Break) -> list[tuple[int, ...]]:
        if state.house:
            return [self.box.plans[state.plan].externals]
        return sorted({plan.externals for plan in self.box.plans.values()})

    def play(self, state: Break, task: Announcing, move: Move, seat: int) -> Break:
        if not isinstance(move, Announce):
            raise self.no("announce_first")
        pair = tuple(self.box.person.get(external, NOBODY) for external in move.externals)
        if pair not in self._pairs(state):
            raise self.no("not_on_the_plan")
        return swap(state, WishRoll(), wanted=pair)


class WishRollRule(Roll[WishRoll]):
    def rolled(self, state: Break, task: WishRoll, face: int) -> Break:
        return swap(state, wish=face)

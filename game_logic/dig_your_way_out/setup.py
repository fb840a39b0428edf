"""The start of a game, and the passing of the turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.core import Chance, Drawn, Malformed, Part
from game_logic.dig_your_way_out import hands, tasks
from game_logic.dig_your_way_out.box import TOOLS, Box
from game_logic.dig_your_way_out.deeds import goal, paid
from game_logic.dig_your_way_out.errands import part
from game_logic.dig_your_way_out.state import (
    Blackgate,
    Options,
    Prisoner,
    Turn,
    pop,
    push,
    swap,
    team,
    with_prisoner,
)
from game_logic.dig_your_way_out.steps import Step
from game_logic.pile import Pile, bag


def start(box: Box, seats: Sequence[str], options: Options) -> Blackgate:
    """R1 to R8. The house deals in its own mode; at the table the cards are dealt already."""
    if options.teams and len(seats) not in box.team_target:
        sizes = " or ".join(str(n) for n in sorted(box.team_target))
        raise Malformed(f"teams need {sizes} seats, not {len(seats)}")
    board = box.boards[options.teams, options.use_solitary]
    n = len(seats)
    by_gang = {
        gang: [c.id for c in box.gang_cards.values() if c.gang == gang] for gang in box.gangs
    }
    prowls = options.michel != "none"
    state = Blackgate(
        seats=tuple(seats),
        options=options,
        prisoners=tuple(Prisoner(board.homes[seat % 2]) for seat in range(n)),
        turn=Turn(0, 0, 0),
        stock=box.stock,
        loose=box.search,
        pile=hands.total(box.search),
        discard=(),
        gangs=tuple(Pile(bag(cards)) for cards in by_gang.values()),
        passives=bag(box.passives),
        michel_place=box.michel_start if prowls else "",
        michel_pile=bag(box.michel) if prowls else (),
    )
    _check_target(box, state)
    deals: list[tasks.AnyTask] = []
    if options.secrets == "house":
        deals = [tasks.DealPassive(seat) for seat in range(n)]
    if options.start_hand:
        deals += [tasks.Draw(seat, options.start_hand) for seat in range(n)]
    return push(state, *deals, tasks.PickFirst())


def _check_target(box: Box, state: Blackgate) -> None:
    """All tools together must be enough for somebody to get out, whoever digs them."""
    supply = sum(left * box.points[tool] for tool, left in zip(TOOLS, box.stock, strict=False))
    sides = len({team(state, seat) for seat in range(len(state.seats))})
    most = (supply - 1) // sides + 1
    if goal(box, state) > most:
        raise Malformed(f"bad option: target must be at most {most} here: the piles hold no more")


def begin_turn(box: Box, state: Blackgate, seat: int) -> Blackgate:
    turn = Turn(seat, state.turn.number + 1, state.options.actions_per_turn)
    wages = box.perks[state.prisoners[seat].gang].wages
    return paid(replace(state, turn=turn), seat, wages)


class DealPassiveStep(Step[tasks.DealPassive]):
    def chance(self, box: Box, state: Blackgate, task: tasks.DealPassive) -> Chance:
        return Chance("draw", (part("passives", state.passives),), (task.seat,))

    def luck(
        self, box: Box, state: Blackgate, task: tasks.DealPassive, move: Any
    ) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != "passives":
            return None
        left = hands.less(state.passives, move.card)
        if left is None:
            return None
        me = replace(state.prisoners[task.seat], passive=move.card)
        return pop(with_prisoner(replace(state, passives=left), task.seat, me))


class PickFirstStep(Step[tasks.PickFirst]):
    """A11: by lot."""

    def chance(self, box: Box, state: Blackgate, task: tasks.PickFirst) -> Chance:
        lots = tuple((Drawn("first", str(seat)), 1) for seat in range(len(state.seats)))
        return Chance("lot", (Part("first", lots),))

    def luck(
        self, box: Box, state: Blackgate, task: tasks.PickFirst, move: Any
    ) -> Blackgate | None:
        seats = [str(seat) for seat in range(len(state.seats))]
        if not isinstance(move, Drawn) or move.pile != "first" or move.card not in seats:
            return None
        return begin_turn(box, pop(state), int(move.card))


class TrimStep(Step[tasks.Trim]):
    def settle(self, box: Box, state: Blackgate, task: tasks.Trim) -> Blackgate | None:
        me = state.prisoners[task.seat]
        limit = box.perks[me.gang].hand_limit or state.options.hand_limit
        return swap(state, tasks.Shed(task.seat, max(0, me.cards - limit)))


class NextTurnStep(Step[tasks.NextTurn]):
    def settle(self, box: Box, state: Blackgate, task: tasks.NextTurn) -> Blackgate | None:
        limit = state.options.turn_limit
        if limit and state.turn.number >= limit:
            return _time_is_up(pop(state))
        return begin_turn(box, pop(state), (state.turn.seat + 1) % len(state.seats))


def _time_is_up(state: Blackgate) -> Blackgate:
    """A49: the most tunnel points win, a tie is shared."""
    seats = range(len(state.seats))
    side = {
        s: sum(state.prisoners[x].points for x in seats if team(state, x) == team(state, s))
        for s in seats
    }
    best = max(side.values())
    return replace(state, end="time", winners=tuple(s for s in seats if side[s] == best))

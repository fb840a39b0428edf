"""Players who know what they want, so that games reach the second phase and the escape. They see
through all hands; they are for tests, not for tables."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from game_logic.core import CHANCE, Act, Game, Move, pick
from game_logic.prison_break import moves as m
from game_logic.prison_break.board import bits
from game_logic.prison_break.box import Plan
from game_logic.prison_break.state import (
    BLANK,
    EXTERNALS,
    LEADERS,
    LINCOLN,
    UNKNOWN,
    Break,
    Contact,
    Turn,
    Warned,
)
from hw_tests.prison_break.scene import BOARD, BOX

EAGER = (m.Declare, m.ShowPlan, m.Recruit, m.PickUp, m.Search, m.ThrowAway, m.Take)


def keen(game: Game[Break], state: Break, rng: Random) -> Act:
    by = rng.choice(game.to_act(state))
    if by == CHANCE:
        chance = game.chance(state)
        assert chance is not None
        return Act(by, pick(chance.parts[0], rng.randrange))
    moves = game.moves(state, by)
    if by == state.bellick or rng.random() < 0.08:
        return Act(by, rng.choice(moves))
    return Act(by, best(state, moves, rng))


def best(state: Break, moves: tuple[Move, ...], rng: Random) -> Move:
    task: Any = state.todo[-1]
    if isinstance(task, Warned):
        right = not isinstance(task.move, m.PlaceTool) or _right_place(state, state.todo[-2])
        return m.Confirm() if right else m.Reconsider()
    for kind in EAGER:
        for move in moves:
            if isinstance(move, kind):
                return move
    for move in moves:
        if isinstance(move, m.Mark) and BOARD.place_index[move.place] in _plan(state).route:
            return move
        if isinstance(move, m.PlaceTool) and _right_place(state, task):
            return move
    if isinstance(task, Contact):
        mild = [x for x in moves if isinstance(x, m.UseCard | m.LoseTurn | m.DrawCard)]
        return rng.choice(mild)
    if isinstance(task, Turn) and not task.harm:
        return _onward(state, task.who, moves, rng)
    if m.Done() in moves:
        return m.Done()
    costly = (m.LoseObject, m.RaiseGuilt) if state.guilt > 4 else (m.LoseObject,)
    return rng.choice([x for x in moves if not isinstance(x, costly)] or moves)


def _plan(state: Break) -> Plan:
    """The escape card, or one that it might be where it is in a hand."""
    if state.plan in BOX.plans:
        return BOX.plans[state.plan]
    return next(plan for plan in BOX.plans.values() if plan.externals == state.wanted)


def _right_place(state: Break, task: Any) -> bool:
    plan = _plan(state)
    return bool(BOARD.sites[plan.device][plan.number] >> state.where[task.who] & 1)


def _goals(state: Break, who: int) -> list[int]:
    plan = _plan(state)
    if state.phase == 1:
        missing = [e for e in state.wanted if e not in state.team]
        for e in missing:
            if state.has(who, BOX.wants[e][state.wish - 1]) and UNKNOWN not in state.hands[who]:
                return [state.where[e]]
        tool = BOX.tool_spaces[plan.device]
        if who in LEADERS and who % 2 and state.tools[plan.device] == -1:
            return [tool]
        tokens = [BOX.spaces[n] for n, t in enumerate(state.ground) if t and t != BLANK]
        if UNKNOWN in state.hands[who]:
            tokens += [state.where[e] for e in missing]
        return tokens if missing else []
    if state.tools[plan.device] == who:
        return list(bits(BOARD.sites[plan.device][plan.number]))
    if state.tools[plan.device] == -1 and not state.broken[plan.device] and who in LEADERS:
        return [BOX.tool_spaces[plan.device]]
    if LINCOLN not in state.team and who not in EXTERNALS:
        return [state.where[LINCOLN]]
    unmarked = [place for place in plan.route if place not in state.route]
    if who == LINCOLN and (not unmarked or unmarked == [plan.route[-1]]):
        return list(bits(plan.exit))
    return [square for place in unmarked for square in bits(BOARD.place_squares[place])]


@cache
def _steps(start: int, end: int) -> int:
    return int(BOARD.distance(start, end))


def _onward(state: Break, who: int, moves: tuple[Move, ...], rng: Random) -> Move:
    goals = _goals(state, who)
    walks = [move for move in moves if isinstance(move, m.Walk)]
    if not goals or not walks:
        return m.LowerGuilt()
    rng.shuffle(walks)
    return min(walks, key=lambda w: min(_steps(BOARD.index[w.to], goal) for goal in goals))

"""Pawns: the die, the place it leads to, and what waits there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Chance, Move, Part, Rolled
from game_logic.dig_your_way_out import passives
from game_logic.dig_your_way_out.box import FACES, Box
from game_logic.dig_your_way_out.moves import Go, Reroll, Reveal, SetDie
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import (
    Blackgate,
    clockwise,
    others_here,
    pop,
    push,
    swap,
    with_prisoner,
)
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.tasks import (
    AnyTask,
    Draw,
    PickPlace,
    RollDie,
    Shakedown,
    Steer,
)

_DIE = Chance("dice", (Part("die", tuple((Rolled("die", face), 1) for face in FACES)),))


def goal_refusal(now: Now, place: str, here: str) -> Code | None:
    """Why an ordinary move from here cannot end there (A4, A28)."""
    if place not in now.board.places:
        return "no_such_place"
    if place not in now.board.open:
        return "not_solitary"
    return "same_place" if place == here else None


def arrive(box: Box, state: Blackgate, seat: int, place: str) -> Blackgate:
    """The seat ends a move (A40): Michel(le) comes at once, then those who greet arrivals."""
    state = with_prisoner(state, seat, replace(state.prisoners[seat], place=place))
    then: list[AnyTask] = [Shakedown(seat)] if place == state.michel_place else []
    greeters = [
        s
        for s in others_here(state, seat)
        if box.perks[state.prisoners[s].gang].greet and s not in state.turn.greeted
    ]
    if greeters:
        then += [Draw(s, box.perks[state.prisoners[s].gang].greet) for s in greeters]
        turn = replace(state.turn, greeted=(*state.turn.greeted, *greeters))
        state = replace(state, turn=turn)
    return push(state, *then)


def michel_arrives(state: Blackgate, mover: int, place: str) -> Blackgate:
    """R43: everybody there is racketed, clockwise from who moved him/her."""
    there = [s for s in clockwise(state, mover) if state.prisoners[s].place == place]
    return push(replace(state, michel_place=place), *(Shakedown(s) for s in there))


class RollDieStep(Step[RollDie]):
    def chance(self, box: Box, state: Blackgate, task: RollDie) -> Chance:
        return _DIE

    def luck(self, box: Box, state: Blackgate, task: RollDie, move: Any) -> Blackgate | None:
        if not isinstance(move, Rolled) or move.die != "die" or move.face not in FACES:
            return None
        return swap(state, Steer(task.seat, move.face, task.rerolls, michel=task.michel))


class SteerStep(Step[Steer]):
    takes = (Go, Reroll, SetDie, Reveal)

    def options(self, now: Now, task: Steer) -> Iterable[Move]:
        if task.fixing:
            yield from (SetDie(face) for face in FACES)
            return
        yield from (Go(place) for place in now.board.die[task.face])
        if task.michel:
            return
        yield Reroll()
        if now.perks.nudge:
            yield from (SetDie(face) for face in FACES)
        yield from passives.options(now)

    def refusal(self, now: Now, task: Steer, move: Any) -> Code | None:
        if task.fixing:
            if not isinstance(move, SetDie):
                return "not_now"
            return None if move.face in FACES else "no_nudge"
        match move:
            case Go(place):
                here = now.state.michel_place if task.michel else now.me.place
                why = goal_refusal(now, place, here)
                if why is None and place not in now.board.die[task.face]:
                    return "not_rolled"
                return why
            case Reroll():
                can = not task.michel and task.rerolls < now.perks.rerolls
                return None if can else "no_reroll"
            case SetDie(face):
                reach = 0 if task.michel or task.nudged else now.perks.nudge
                can = face in FACES and 0 < abs(face - task.face) <= reach
                return None if can else "no_nudge"
        return "not_the_moment" if task.michel else passives.refusal(now, move, "roll")

    def do(self, now: Now, task: Steer, move: Any) -> Blackgate:
        match move:
            case Go(place):
                state = pop(now.state)
                if task.michel:
                    return michel_arrives(state, now.seat, place)
                return arrive(now.box, state, now.seat, place)
            case Reroll():
                return swap(now.state, RollDie(now.seat, task.rerolls + 1))
            case SetDie(face):
                nudged = task.nudged or not task.fixing
                return swap(now.state, replace(task, face=face, nudged=nudged, fixing=False))
        return passives.reveal(now, move)


class PickPlaceStep(Step[PickPlace]):
    takes = (Go,)

    def options(self, now: Now, task: PickPlace) -> Iterable[Move]:
        return (Go(place) for place in now.board.open)

    def refusal(self, now: Now, task: PickPlace, move: Go) -> Code | None:
        return goal_refusal(now, move.place, now.me.place)

    def do(self, now: Now, task: PickPlace, move: Go) -> Blackgate:
        return arrive(now.box, pop(now.state), now.seat, move.place)

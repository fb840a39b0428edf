"""Rackets between players: intimidation, answer, combat, spoils (R22 to R28, R54, A33, A46)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.dig_your_way_out import hands, passives, tasks
from game_logic.dig_your_way_out.box import Box
from game_logic.dig_your_way_out.deeds import end_racket, paid
from game_logic.dig_your_way_out.moves import (
    Cooperate,
    Duck,
    Pass,
    PayOff,
    PlayWeapon,
    Refuse,
    Reveal,
)
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, others_here, pop, swap, team
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.tasks import Extortion, Loot, Won


def weapon_refusal(now: Now, card: str, gang: str) -> Code | None:
    """Why this card is no weapon for who fights as a member of that gang."""
    if card not in now.box.weapons[gang]:
        return "not_a_weapon"
    return None if hands.holds(now.state, now.seat, card) else "not_in_hand"


def weapons(now: Now, gang: str) -> list[Move]:
    """The weapons this seat may have."""
    armed = now.box.weapons[gang]
    return [PlayWeapon(card) for card in hands.holdings(now.state, now.seat) if card in armed]


class ExtortionStep(Step[Extortion]):
    takes = (PlayWeapon, Refuse, Cooperate, PayOff, Reveal, Duck, Pass)

    def settle(self, box: Box, state: Blackgate, task: Extortion) -> Blackgate | None:
        if task.stage == "boxer" and not passives.hidden(state, task.seat):
            return swap(state, _combat(task))
        if task.stage != "fight" or self._can_answer(state, task):
            return None
        return self._passed(box, state, task)

    def options(self, now: Now, task: Extortion) -> Iterable[Move]:
        match task.stage:
            case "weapon":
                return weapons(now, now.me.gang)
            case "answer":
                answers: tuple[Move, ...] = (Refuse(), Cooperate(task.tool), PayOff())
                return (*answers, *passives.options(now))
            case "boxer":
                return (Pass(), *passives.options(now))
        return (Pass(), Duck(), *weapons(now, _gang(now, task)), *passives.options(now))

    def refusal(self, now: Now, task: Extortion, move: Any) -> Code | None:
        stage = task.stage
        match move:
            case PlayWeapon(card) if stage in ("weapon", "fight"):
                return weapon_refusal(now, card, _gang(now, task))
            case Refuse() if stage == "answer":
                return None
            case Cooperate(tool) if stage == "answer":
                if tool != task.tool:
                    return "not_the_tool"
                return None if hands.holds(now.state, now.seat, tool) else "not_in_hand"
            case PayOff() if stage == "answer":
                price = now.perks.pay_off
                return None if 0 < price <= now.me.cigarettes else "no_pay_off"
            case Pass() if stage in ("boxer", "fight"):
                return None
            case Duck() if stage == "fight":
                return None if _ducks(task, now.seat) else "no_duck"
            case Reveal():
                if stage == "answer":
                    return passives.refusal(now, move, "racketed")
                fighter = now.seat == (task.seat if stage == "boxer" else task.target)
                opens = fighter and stage in ("boxer", "fight") and task.opening
                return passives.refusal(now, move, *(("combat",) if opens else ()))
        return "not_now"

    def do(self, now: Now, task: Extortion, move: Any) -> Blackgate:
        box, state = now.box, now.state
        match move:
            case PlayWeapon(card):
                return self._played(hands.spend(state, now.seat, card), task, now.seat, card)
            case Refuse():
                return swap(state, replace(task, stage="boxer", asked=task.seat))
            case Cooperate(tool):
                state = hands.hand_over(state, now.seat, task.seat, tool)
                return end_racket(box, state, task)
            case PayOff():
                price = now.perks.pay_off
                return end_racket(box, paid(paid(state, now.seat, -price), task.seat, price), task)
            case Duck():
                mine, his = task.ducks
                ducks = (mine - 1, his) if now.seat == task.seat else (mine, his - 1)
                return swap(state, _answered(replace(task, ducks=ducks)))
            case Reveal():
                return passives.reveal(now, move)
        if task.stage == "boxer":
            return swap(state, _combat(task))
        return self._passed(box, state, task)

    def _played(self, state: Blackgate, task: Extortion, seat: int, card: str) -> Blackgate:
        task = replace(task, played=(*task.played, card))
        if task.stage == "weapon":
            return swap(state, replace(task, stage="answer", asked=task.target))
        if seat not in (task.seat, task.target, *task.helpers):
            task = replace(task, helpers=(*task.helpers, seat))
        return swap(state, _answered(task, team(state, seat) == team(state, task.seat)))

    def _can_answer(self, state: Blackgate, task: Extortion) -> bool:
        """Somebody with cards may have a weapon; the defender may turn out to be a boxer."""
        if state.prisoners[task.asked].cards or _ducks(task, task.asked):
            return True
        return task.opening and task.asked == task.target and passives.hidden(state, task.target)

    def _passed(self, box: Box, state: Blackgate, task: Extortion) -> Blackgate:
        """The next teammate in the place is asked (A46); if there is none, the side has lost."""
        attacking = team(state, task.asked) == team(state, task.seat)
        fighter = task.seat if attacking else task.target
        side = (fighter, *_mates(state, fighter))
        after = side[side.index(task.asked) + 1 :]
        if after:
            return swap(state, replace(task, asked=after[0]))
        winner = task.target if attacking else task.seat
        helpers = tuple(s for s in side[1:] if s in task.helpers)
        return _lost(box, state, task, winner, fighter, helpers)


def _gang(now: Now, task: Extortion) -> str:
    """Gangs of helpers do not act (A46)."""
    return now.me.gang if now.seat in (task.seat, task.target) else ""


def _combat(task: Extortion) -> Extortion:
    """The defender begins (R26)."""
    return replace(task, stage="fight", asked=task.target)


def _ducks(task: Extortion, seat: int) -> int:
    if seat == task.seat:
        return task.ducks[0]
    return task.ducks[1] if seat == task.target else 0


def _answered(task: Extortion, by_attacker: bool | None = None) -> Extortion:
    """Now it is up to the other side; a duck is always the fighter's own."""
    if by_attacker is None:
        by_attacker = task.asked == task.seat
    asked = task.target if by_attacker else task.seat
    return replace(task, asked=asked, opening=False)


def _mates(state: Blackgate, fighter: int) -> tuple[int, ...]:
    mine = team(state, fighter)
    return tuple(s for s in others_here(state, fighter) if team(state, s) == mine)


def _lost(
    box: Box,
    state: Blackgate,
    task: Extortion,
    winner: int,
    loser: int,
    helpers: tuple[int, ...],
) -> Blackgate:
    """Beatings for the losing side, then the cards (A25, A36), then the target's consolation."""
    then: list[tasks.AnyTask] = [tasks.Blow(s) for s in (loser, *helpers)]
    if not box.perks[state.prisoners[loser].gang].guarded:
        then += [Loot(loser, winner, task.tool if loser == task.target else "")]
        then += [Won(winner, loser)]
    then += [tasks.Take(winner, helper, 1) for helper in helpers]
    return end_racket(box, state, task, *then)


class LootStep(Step[Loot]):
    """R27. Where the house does not know the hand, the loser says whether he has the tool."""

    takes = (Cooperate, Pass)

    def settle(self, box: Box, state: Blackgate, task: Loot) -> Blackgate | None:
        if task.tool in state.prisoners[task.seat].hand:
            return self._given(box, state, task)
        if task.tool and hands.holds(state, task.seat, task.tool):
            return None
        return self._random(box, state, task)

    def options(self, now: Now, task: Loot) -> Iterable[Move]:
        return (Cooperate(task.tool), Pass())

    def refusal(self, now: Now, task: Loot, move: Any) -> Code | None:
        wrong = isinstance(move, Cooperate) and move.tool != task.tool
        return "not_the_tool" if wrong else None

    def do(self, now: Now, task: Loot, move: Any) -> Blackgate:
        resolve = self._random if isinstance(move, Pass) else self._given
        return resolve(now.box, now.state, task)

    def _given(self, box: Box, state: Blackgate, task: Loot) -> Blackgate:
        state = hands.hand_over(state, task.seat, task.winner, task.tool)
        return swap(state, tasks.Take(task.winner, task.seat, _extra(box, state, task)))

    def _random(self, box: Box, state: Blackgate, task: Loot) -> Blackgate:
        return swap(state, tasks.Take(task.winner, task.seat, 1 + _extra(box, state, task)))


def _extra(box: Box, state: Blackgate, task: Loot) -> int:
    return box.perks[state.prisoners[task.winner].gang].loot


class WonStep(Step[Won]):
    takes = (Reveal, Pass)

    def settle(self, box: Box, state: Blackgate, task: Won) -> Blackgate | None:
        something = state.prisoners[task.loser].cards and passives.hidden(state, task.seat)
        return None if something else pop(state)

    def options(self, now: Now, task: Won) -> Iterable[Move]:
        return (Pass(), *passives.options(now))

    def refusal(self, now: Now, task: Won, move: Any) -> Code | None:
        return passives.refusal(now, move, "won") if isinstance(move, Reveal) else None

    def do(self, now: Now, task: Won, move: Any) -> Blackgate:
        return passives.reveal(now, move) if isinstance(move, Reveal) else pop(now.state)

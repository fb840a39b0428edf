"""Rackets by Michel(le) (R45 to R50). He/she belongs to nobody: what speaks of players is silent
here (A35)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Chance, Drawn, Move
from game_logic.dig_your_way_out import hands, passives, tasks
from game_logic.dig_your_way_out.box import TOOLS, Box
from game_logic.dig_your_way_out.errands import part
from game_logic.dig_your_way_out.moves import Cooperate, Discard, Duck, Pass, PlayWeapon, Reveal
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.racket import weapon_refusal, weapons
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, pop, push, swap
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.tasks import Forfeit, Shakedown
from game_logic.pile import bag


class ShakedownStep(Step[Shakedown]):
    takes = (Cooperate, PlayWeapon, Duck, Reveal, Pass)

    def settle(self, box: Box, state: Blackgate, task: Shakedown) -> Blackgate | None:
        if task.stage == "reveal":
            if state.michel_pile:
                return None
            return replace(state, michel_pile=bag(state.michel_discard), michel_discard=())
        can = (
            state.prisoners[task.seat].cards
            or task.ducks
            or (task.stage == "answer" and passives.hidden(state, task.seat))
        )
        return None if can else self._lost(state, task)

    # -- his/her card

    def chance(self, box: Box, state: Blackgate, task: Shakedown) -> Chance:
        return Chance("draw", (part("michel", state.michel_pile),))

    def luck(self, box: Box, state: Blackgate, task: Shakedown, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != "michel":
            return None
        pile = hands.less(state.michel_pile, move.card)
        if pile is None:
            return None
        state, first = replace(state, michel_pile=pile), not task.cards
        task = replace(task, cards=(*task.cards, move.card))
        if box.michel[move.card].shiv:
            return swap(state, replace(task, stage="answer" if first else "fight"))
        state = self._over(state, task)
        return state if first else push(state, tasks.Draw(task.seat, 1))  # R45, R49

    # -- the prisoner's answer

    def options(self, now: Now, task: Shakedown) -> Iterable[Move]:
        yield from (Pass(), Duck())
        yield from weapons(now, now.me.gang)
        if task.stage == "answer":
            yield from (Cooperate(tool) for tool in now.box.michel[task.cards[0]].tools)
            yield from passives.options(now)

    def refusal(self, now: Now, task: Shakedown, move: Any) -> Code | None:
        match move:
            case Cooperate(tool):
                if task.stage != "answer" or tool not in now.box.michel[task.cards[0]].tools:
                    return "not_the_tool"
                return None if hands.holds(now.state, now.seat, tool) else "not_in_hand"
            case PlayWeapon(card):
                return weapon_refusal(now, card, now.me.gang)
            case Duck():
                return None if task.ducks else "no_duck"
            case Reveal():
                moments = ("combat",) if task.stage == "answer" else ()
                return passives.refusal(now, move, *moments)
        return None

    def do(self, now: Now, task: Shakedown, move: Any) -> Blackgate:
        state = now.state
        match move:
            case Cooperate(tool):
                return self._over(hands.drop(state, now.seat, tool), task)
            case PlayWeapon(card):
                played = (*task.played, card)
                state = hands.spend(state, now.seat, card)
                return swap(state, replace(task, stage="reveal", played=played))
            case Duck():
                return swap(state, replace(task, stage="reveal", ducks=task.ducks - 1))
            case Reveal():
                return passives.reveal(now, move)
        return self._lost(state, task)

    def _lost(self, state: Blackgate, task: Shakedown) -> Blackgate:
        state = self._over(state, task)
        return push(state, tasks.Blow(task.seat), Forfeit(task.seat, task.cards[0]))

    def _over(self, state: Blackgate, task: Shakedown) -> Blackgate:
        """R50, and the weapons played are discarded too."""
        state = replace(state, michel_discard=(*state.michel_discard, *task.cards))
        return pop(hands.toss(state, task.played))


class ForfeitStep(Step[Forfeit]):
    """R48: a tool of the first card if he has one, otherwise a random card."""

    takes = (Discard, Pass)

    def settle(self, box: Box, state: Blackgate, task: Forfeit) -> Blackgate | None:
        tools = box.michel[task.card].tools
        if any(hands.holds(state, task.seat, tool) for tool in tools):
            return None
        return self._random(state, task)

    def options(self, now: Now, task: Forfeit) -> Iterable[Move]:
        yield from (Discard(tool) for tool in now.box.michel[task.card].tools)
        yield Pass()

    def refusal(self, now: Now, task: Forfeit, move: Any) -> Code | None:
        tools = now.box.michel[task.card].tools
        if isinstance(move, Pass):  # "I have none": only where the house cannot know
            return "has_the_tool" if any(t in now.me.hand for t in tools) else None
        if move.card not in tools:
            return "not_the_tool" if move.card in TOOLS else "not_a_tool"
        return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"

    def do(self, now: Now, task: Forfeit, move: Any) -> Blackgate:
        if isinstance(move, Pass):
            return self._random(now.state, task)
        return pop(hands.drop(now.state, now.seat, move.card))

    def _random(self, state: Blackgate, task: Forfeit) -> Blackgate:
        named = state.options.secrets == "table"
        return swap(state, tasks.Lose(task.seat, named))

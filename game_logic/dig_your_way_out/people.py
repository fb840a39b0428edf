"""Tasks between players: choosing one, taking his cards, and what he may say against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from game_logic.core import Chance, Drawn, Move
from game_logic.dig_your_way_out import hands, passives
from game_logic.dig_your_way_out.box import MOST_BEATINGS, TOOLS, Box
from game_logic.dig_your_way_out.deeds import beaten, targets
from game_logic.dig_your_way_out.errands import hand_id, part
from game_logic.dig_your_way_out.moves import Choose, Discard, Done, Pass, Return, Reveal, TakeCard
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, pop, swap, with_prisoner
from game_logic.dig_your_way_out.steps import Step
from game_logic.dig_your_way_out.tasks import Blow, Inform, PickTarget, Riot, Take
from game_logic.pile import bag


class PickTargetStep(Step[PickTarget]):
    takes = (Choose,)

    def settle(self, box: Box, state: Blackgate, task: PickTarget) -> Blackgate | None:
        return None if targets(box, state, task.seat, task.deed) else pop(state)

    def options(self, now: Now, task: PickTarget) -> Iterable[Move]:
        return (Choose(s) for s in targets(now.box, now.state, now.seat, task.deed))

    def refusal(self, now: Now, task: PickTarget, move: Choose) -> Code | None:
        can = move.target in targets(now.box, now.state, now.seat, task.deed)
        return None if can else "no_target"

    def do(self, now: Now, task: PickTarget, move: Choose) -> Blackgate:
        match task.deed:
            case "beat":
                return swap(now.state, Blow(move.target))
            case "rob":
                return swap(now.state, Take(now.seat, move.target, task.amount))
            case "send":
                return swap(now.state, Blow(move.target, solitary=True))
        return swap(now.state, Inform(now.seat, move.target))


class TakeStep(Step[Take]):
    """Only the two of them learn which card it is."""

    takes = (TakeCard,)

    def settle(self, box: Box, state: Blackgate, task: Take) -> Blackgate | None:
        if not task.left or not state.prisoners[task.victim].cards:  # A13
            return pop(state)
        if state.options.secrets == "table":
            return hands.pass_unseen(pop(state), task.victim, task.seat, task.left)
        return None

    def options(self, now: Now, task: Take) -> Iterable[Move]:
        hand = now.state.prisoners[task.victim].hand
        return (TakeCard(card) for card in dict.fromkeys(hand))

    def refusal(self, now: Now, task: Take, move: TakeCard) -> Code | None:
        return None if move.card in now.state.prisoners[task.victim].hand else "no_such_card"

    def do(self, now: Now, task: Take, move: TakeCard) -> Blackgate:
        return self._taken(now.state, task, move.card)

    def chance(self, box: Box, state: Blackgate, task: Take) -> Chance:
        hand = bag(state.prisoners[task.victim].hand)
        return Chance("draw", (part(hand_id(task.victim), hand),), (task.seat, task.victim))

    def luck(self, box: Box, state: Blackgate, task: Take, move: Any) -> Blackgate | None:
        if not isinstance(move, Drawn) or move.pile != hand_id(task.victim):
            return None
        if move.card not in state.prisoners[task.victim].hand:
            return None
        return self._taken(state, task, move.card)

    def _taken(self, state: Blackgate, task: Take, card: str) -> Blackgate:
        state = hands.hand_over(state, task.victim, task.seat, card)
        return swap(state, replace(task, left=task.left - 1))


class InformStep(Step[Inform]):
    """A43: only `seat` sees the hand; it is always asked, so that the wait tells nothing."""

    takes = (Return, Done)

    def options(self, now: Now, task: Inform) -> Iterable[Move]:
        yield from (Return(tool) for tool in TOOLS)
        yield Done()

    def refusal(self, now: Now, task: Inform, move: Any) -> Code | None:
        if isinstance(move, Return):
            if move.tool not in TOOLS:
                return "not_a_tool"
            has = hands.holds(now.state, task.target, move.tool)
            return None if has else "no_such_card"
        known = now.state.prisoners[task.target].hand
        return "must_return" if any(tool in known for tool in TOOLS) else None

    def do(self, now: Now, task: Inform, move: Any) -> Blackgate:
        state = pop(now.state)
        return hands.drop(state, task.target, move.tool) if isinstance(move, Return) else state


class RiotStep(Step[Riot]):
    takes = (Discard, Pass)

    def settle(self, box: Box, state: Blackgate, task: Riot) -> Blackgate | None:
        me = state.prisoners[task.seat]
        if me.beatings >= MOST_BEATINGS:  # one more would do nothing (A16)
            return pop(state)
        return None if me.cards else swap(state, Blow(task.seat))

    def options(self, now: Now, task: Riot) -> Iterable[Move]:
        yield Pass()
        yield from (Discard(card) for card in sorted(now.box.weapons[""]))

    def refusal(self, now: Now, task: Riot, move: Any) -> Code | None:
        if isinstance(move, Pass):
            return None
        if move.card not in now.box.weapons[""]:
            return "not_a_weapon"
        return None if hands.holds(now.state, now.seat, move.card) else "not_in_hand"

    def do(self, now: Now, task: Riot, move: Any) -> Blackgate:
        if isinstance(move, Pass):
            return swap(now.state, Blow(now.seat))
        return pop(hands.drop(now.state, now.seat, move.card))


class BlowStep(Step[Blow]):
    takes = (Reveal, Pass)

    def settle(self, box: Box, state: Blackgate, task: Blow) -> Blackgate | None:
        me = state.prisoners[task.seat]
        if not task.solitary and me.beatings >= MOST_BEATINGS:  # R34
            return pop(state)
        return None if passives.hidden(state, task.seat) else self._lands(box, state, task)

    def options(self, now: Now, task: Blow) -> Iterable[Move]:
        yield Pass()
        yield from passives.options(now)

    def refusal(self, now: Now, task: Blow, move: Any) -> Code | None:
        return passives.refusal(now, move, "hurt") if isinstance(move, Reveal) else None

    def do(self, now: Now, task: Blow, move: Any) -> Blackgate:
        if isinstance(move, Reveal):
            return passives.reveal(now, move)
        return self._lands(now.box, now.state, task)

    def _lands(self, box: Box, state: Blackgate, task: Blow) -> Blackgate:
        state = pop(state)
        if not task.solitary:
            return beaten(state, task.seat)
        me = replace(state.prisoners[task.seat], place=box.solitary)
        return with_prisoner(state, task.seat, me)

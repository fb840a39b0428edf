"""Completing a part of the plan (R43–R50)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.box import Box, Task, swap
from game_logic.alcatraz.ending import settle
from game_logic.alcatraz.handling import ACTING, Action, Draw, Handler, changed, discarded, paid
from game_logic.alcatraz.moves import AGREE, COMPLETE, REFUSE, Complete, Refuse, Spend
from game_logic.alcatraz.state import Prison, Request
from game_logic.alcatraz.steps import Consent, Naming, Reward, Token
from game_logic.core import Drawn, Move, Part

Way = tuple[Token, ...]  # a token for each object of the task, in its order


def task_here(box: Box, s: Prison) -> Task | None:
    id = s.tasks[s.here]
    return None if id is None else box.tasks[id]


def ways(box: Box, s: Prison, task: Task) -> list[Way]:
    """Every choice of tokens among those present that would do (R44, R46)."""
    here = s.here
    held = [(seat, p.objects) for seat, p in enumerate(s.prisoners) if p.place == here]
    found: list[Way] = [()]
    for need in task.objects:
        found = [
            (*way, (seat, what))
            for way in found
            for seat, objects in held
            for what in dict.fromkeys(objects)
            if (what == need or what in box.wild) and way.count((seat, what)) < objects.count(what)
        ]
    return found


def request(task: Task, way: Way) -> Request:
    return Request(task.id, tuple(sorted(way)))


def open_ways(box: Box, s: Prison, task: Task) -> list[Way]:
    """Without the requests that somebody has refused on this turn (A33)."""
    refused = s.turn.refused
    found = ways(box, s, task)
    return [way for way in found if request(task, way) not in refused] if refused else found


class Completing(Action):
    kind = Complete

    def bar(self, s: Prison) -> str | None:
        task = task_here(self.box, s)
        if task is None:
            return "no_task_here"
        if s.turn.seat == s.scapegoat:
            return "scapegoat_completes_nothing"
        if bar := guards.bar_costly(s):
            return bar
        here = s.here
        if sum(prisoner.place == here for prisoner in s.prisoners) < task.prisoners:
            return "too_few_prisoners"
        if guards.counted(s) > task.guards:
            return "too_many_guards"
        if open_ways(self.box, s, task):
            return None
        return "refused_before" if ways(self.box, s, task) else "objects_missing"

    def each(self, s: Prison) -> Sequence[Move]:
        return (COMPLETE,)

    def after(self, s: Prison, move: Move) -> Prison:
        return name(self.box, s, ())

    def price(self, s: Prison) -> int:
        return guards.price(s)


def _next_tokens(box: Box, s: Prison, named: Way) -> list[Token]:
    task = task_here(box, s)
    assert task is not None
    so_far = len(named)
    fitting = (way for way in open_ways(box, s, task) if way[:so_far] == named)
    return list(dict.fromkeys(way[so_far] for way in fitting if len(way) > so_far))


def name(box: Box, s: Prison, tokens: Way) -> Prison:
    """Tokens are named until there is a choice; then their owners are asked."""
    while choice := _next_tokens(box, s, tokens):
        if len(choice) > 1:
            return replace(s, step=Naming(tokens))
        tokens = (*tokens, choice[0])
    owners = {seat for seat, _ in tokens}
    asked = tuple(seat for seat in s.others() if seat in owners)
    return replace(s, step=Consent(tokens, asked)) if asked else accomplish(box, s, tokens)


class NamingHandler(Handler[Naming]):
    def moves(self, s: Prison, step: Naming, seat: int) -> Sequence[Move]:
        spend = self.box.ready.spend
        return [spend[owner][what] for owner, what in _next_tokens(self.box, s, step.tokens)]

    def explain(self, s: Prison, step: Naming, move: Move, seat: int) -> str:
        return "token_unfit" if isinstance(move, Spend) else "name_tokens_first"

    def after(self, s: Prison, step: Naming, move: Move, seat: int) -> Prison:
        assert isinstance(move, Spend)
        return name(self.box, s, (*step.tokens, (move.seat, move.what)))


class ConsentHandler(Handler[Consent]):
    """A9: whoever's objects are wanted may refuse, and then nothing is spent (A33)."""

    def who(self, s: Prison, step: Consent) -> tuple[int, ...]:
        return step.asked[:1]

    def moves(self, s: Prison, step: Consent, seat: int) -> Sequence[Move]:
        return (AGREE, REFUSE)

    def explain(self, s: Prison, step: Consent, move: Move, seat: int) -> str:
        return "answer_first"

    def after(self, s: Prison, step: Consent, move: Move, seat: int) -> Prison:
        if isinstance(move, Refuse):
            task = task_here(self.box, s)
            assert task is not None
            refused = (*s.turn.refused, request(task, step.tokens))
            return replace(s, turn=replace(s.turn, refused=refused), step=ACTING)
        asked = step.asked[1:]
        if asked:
            return replace(s, step=Consent(step.tokens, asked))
        return accomplish(self.box, s, step.tokens)


def accomplish(box: Box, s: Prison, tokens: Way) -> Prison:
    """R45, R47–R49: AP and objects are spent, the part is marked, the card leaves the game."""
    task = task_here(box, s)
    assert task is not None
    turn = paid(s, guards.price(s))
    for owner, what in tokens:
        s = discarded(box, s, owner, what)
    s = mark(s, s.turn.seat, task.part)
    s = replace(
        s,
        turn=turn,
        tasks=swap(s.tasks, s.here, None),
        spent=(*s.spent, task.id),
        step=Reward(),
    )
    return s if len(s.task_pile) else settle(s)  # A12


def mark(s: Prison, seat: int, part: str) -> Prison:
    """A part marked twice is marked (A11)."""
    parts = s.prisoners[seat].parts
    return s if part in parts else changed(s, seat, parts="".join(sorted(parts + part)))


class RewardHandler(Draw[Reward]):
    """R48: everybody marks it but the acting player and the Scapegoat."""

    def odds(self, s: Prison, step: Reward) -> Part:
        return s.task_pile.part("task")

    def after(self, s: Prison, step: Reward, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        s = replace(s, task_pile=s.task_pile.take(move.card), spent=(*s.spent, move.card))
        for other in s.others():
            if other != s.scapegoat:
                s = mark(s, other, self.box.tasks[move.card].part)
        return settle(s)

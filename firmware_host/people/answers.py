"""What people answer to the table's questions: what they did; or, asked what to do, anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

from firmware_host.journal import Record
from firmware_host.notices import Accept, Back, Nothing, Notice, Question
from firmware_host.texts import TEXTS
from firmware_host.words import in_one
from game_logic.core import Act, Game, Illegal, Text, play_all


class Answers:
    """`choose`: a move that somebody would like to make; `below`: a die."""

    def __init__(
        self, choose: Callable[[Game[Any], Any], Act], below: Callable[[int], int]
    ) -> None:
        self._choose = choose
        self._below = below
        self._meant: tuple[object, int] = (None, 0)  # a question, and the option that is meant

    def wanted(
        self, question: Question, record: Record, acts: tuple[Act, ...], truth: Any
    ) -> int | None:
        """The option that says what was done; any, where the question is what to do."""
        if not acts and record.state == truth and question.kind == "menu":
            return self._next_choice(question, record)
        done = [truth, *along(record.game, record.state, acts)]
        for n, answer in enumerate(question.answers):
            if isinstance(answer, Nothing):
                return n  # told how to mend it, and it will be mended
            if isinstance(answer, Accept):
                after = play_all(record.game, record.state, answer.acts)
            elif isinstance(answer, Back):
                after = record.takebacks[answer.intents - 1].state
            else:
                continue
            if after in done or truth in along(record.game, after, acts):
                return n
        return None if acts else self._next_choice(question, record)

    def _next_choice(self, question: Question, record: Record) -> int:
        """What is to be done next, of what is offered; chosen once."""
        asked = (record.seq, question.options)
        if self._meant[0] != asked:
            moves = {a.acts: n for n, a in enumerate(question.answers) if isinstance(a, Accept)}
            act = self._choose(record.game, record.state)
            any_other = list(moves.values())[self._below(len(moves))]
            self._meant = (asked, moves.get((act,), any_other))
        return self._meant[1]


def along(game: Game[Any], state: Any, acts: tuple[Act, ...]) -> list[Any]:
    """The states on the way: of several moves the table may ask for the first; and where it has
    taken one back that stands, these come after that one."""
    states = []
    for act in acts:
        try:
            state = game.play(state, act.move, act.by)
        except Illegal:
            break
        states.append(state)
    return states


def is_meant(notice: Notice, record: Record, acts: tuple[Act, ...]) -> bool:
    """Is what the table would like to see confirmed what was made, or the first part of it, and
    nothing else?"""
    if notice.kind != "provisional" or not notice.confirm:
        return False
    some = (part for n in range(len(acts)) for part in permutations(acts, n + 1))
    return notice.text in _told(record, some)


def _told(record: Record, some: Iterable[tuple[Act, ...]]) -> Iterator[Text]:
    for acts in some:
        try:
            yield in_one(record.game, record.state, acts)
        except Illegal:  # not in this order
            continue


def in_the_menu(question: Question, record: Record, acts: tuple[Act, ...]) -> str:
    """The button that leads to a move which the sensors have missed; else out of the menu."""
    game, state = record.game, record.state
    told = [game.offered(state, a.move, a.by) for a in acts[:1] if a.by >= 0]
    for wanted in (*told, *([TEXTS("menu_by_hand")] if told else [])):
        if wanted in question.options:
            return "confirm" if question.options[question.at] == wanted else "next"
    return "undo"

"""Games for the journal's tests: the toy, at random, and rules that have been updated."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from firmware_host.journal import Journal, Record
from game_logic.core import Act, Game, Malformed
from hw_tests.toy import ToyGame

GAME = ToyGame()


def rules_of(game: Game[Any]) -> Callable[[str, Mapping[str, str]], Game[Any]]:
    def rules(id: str, deck: Mapping[str, str]) -> Game[Any]:
        if id != game.id:
            raise Malformed(f"there is no game {id!r}")
        return game

    return rules


toy_rules = rules_of(GAME)


def some_act(record: Record, rng: random.Random) -> Act:
    by = rng.choice(record.game.to_act(record.state))
    return Act(by, rng.choice(record.game.moves(record.state, by)))


def play_on(journal: Journal, record: Record, rng: random.Random, entries: int) -> Record:
    """So many intents more, or fewer if the game is over before."""
    for _ in range(entries):
        if not record.game.to_act(record.state):
            break
        record = journal.append(record.intent((some_act(record, rng),)))
    return record


def begun(journal: Journal, game: Game[Any] = GAME) -> Record:
    return journal.append(Record.begin(game, ("Ana", "Bo")))


def toy_journal(path: Path, **more: Any) -> Journal:
    return Journal.open(path, rules=toy_rules, **more)

"""Whole games by the rules alone: no table, no chips, as fast as the rules go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from game_logic.bots import Bot
from game_logic.bots import bot as named
from game_logic.core import CHANCE, HOUSE, Game, Malformed, Outcome, pick

# A game that is longer than this is counted as unfinished; random players may go in circles.
LONGEST = 100_000
# Every so many moves the house lets a timer run out, if one is running.
PATIENCE = 50


class Summary(msgspec.Struct, frozen=True):
    """The line that `cavale simulate --json` prints; wins and mean points are by seat. A turn is
    a run of moves by one seat."""

    game: str
    seats: int
    games: int
    finished: int
    moves: int
    moves_per_s: float
    wins: dict[str, int]
    reasons: dict[str, int]
    points: dict[str, float]
    turns_per_game: float


def simulate(
    game: Game[Any],
    *,
    games: int,
    seats: int,
    seed: int,
    options: Mapping[str, object] | None = None,
    bot: str = "random",
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Play so many games; `progress` hears how many are done. The same seed plays the same games.

    A win counts for every winner; a game that all lost counts for nobody.
    """
    fewest, most = game.seats
    if not fewest <= seats <= most:
        raise Malformed(f"{game.id} is for {fewest} to {most} players, not {seats}")
    names = tuple(f"{game.id}-{seat}" for seat in range(seats))
    start = game.new(names, options)
    choose, below = named(bot), dice(seed)
    wins = dict.fromkeys(map(str, range(seats)), 0)
    reasons: Counter[str] = Counter()
    scores = [0] * seats
    finished = moves = turns = 0
    began = perf_counter()
    for done in range(1, games + 1):
        outcome, played, passed = playout(game, start, choose, below)
        moves += played
        turns += passed
        if outcome is not None:
            finished += 1
            reasons[outcome.reason] += 1
            for seat in outcome.winners:
                wins[str(seat)] += 1
            for seat, score in enumerate(outcome.scores):
                scores[seat] += score
        if progress is not None:
            progress(done)
    speed = moves / max(perf_counter() - began, 1e-9)
    return Summary(
        game=game.id,
        seats=seats,
        games=games,
        finished=finished,
        moves=moves,
        moves_per_s=round(speed, 1),
        wins=wins,
        reasons=dict(reasons.most_common()),
        points={str(n): round(score / max(finished, 1), 2) for n, score in enumerate(scores)},
        turns_per_game=round(turns / games, 1),
    )


def dice(seed: int) -> Callable[[int], int]:
    """`below(n)`, a number in 0 … n-1, for chance and for bots; the same seed rolls the same."""
    random = Random(seed).random
    return lambda n: int(random() * n)


def playout(
    game: Game[Any],
    state: Any,
    choose: Bot,
    below: Callable[[int], int],
    longest: int = LONGEST,
) -> tuple[Outcome | None, int, int]:
    """One game to its end: the outcome (None: it was too long), the moves and turns it took."""
    turns, last = 0, CHANCE
    for played in range(longest):
        actors = game.to_act(state)
        if not actors:
            return game.outcome(state), played, turns
        if played % PATIENCE == PATIENCE - 1 and (deadline := game.deadline(state)):
            state = game.play(state, deadline.move, HOUSE)
            continue
        seat = actors[0] if len(actors) == 1 else actors[below(len(actors))]
        if seat == CHANCE and (chance := game.chance(state)):
            move = pick(chance.parts[0], below)
        else:
            move = choose(game, state, seat, below)
            if seat != last:
                turns, last = turns + 1, seat
        state = game.play(state, move, seat)
    return None, longest, turns

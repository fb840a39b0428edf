"""How soon a piece at rest is on the screens, and what following the table costs.

Latencies are of virtual time, exact and repeatable: from the last movement on the board to the
state on the screens, the settling included; a provisional move counts. The disk is charged 20 ms
for a commit, and one commit in a hundred takes a second, as on an SD card that tidies itself up.
What the tracker and the loop cost is CPU time of this machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from drivers.clock import FreeClock
from firmware_host.bench import Case
from firmware_host.config import profile
from firmware_host.demo import COMMIT, START, Evening
from firmware_host.journal import Journal, Record
from firmware_host.sighting import Sightings, all_seen, seen_change
from firmware_host.simulated import SimulatedTable
from firmware_host.tracker import explain
from firmware_host.trial import quantile, tables
from game_logic import GAMES, load
from game_logic.core import CHANCE, Game, Image, Piece, pick

TAIL = 1.0  # s that a slow commit takes
SLOW = 0.01  # share of the commits that are slow
MISTAKES = 0.1
MOVES = 200  # that are timed, if so many are sensed
TABLE_TIME = 400.0  # s, of a table where little is
VERDICTS = 100  # of each sort
PLIES = 4000
GOAL = 400.0  # ms


def cases(games: tuple[str, ...] = GAMES) -> Iterator[Case]:
    for game in games:
        for table in tables(game):
            yield from _latency(game, table)
    for game in games:
        yield from _tracker(game, tables(game)[0])


def _latency(game: str, table: str) -> Iterator[Case]:
    """p50 and p99 with the slow commits and without; the peer is the goal."""
    for name, share in (("20 ms a commit", 0.0), ("1 commit in 100 takes 1 s", SLOW)):
        found: list[float] = []
        seconds, began = 0.0, process_time()
        for seed in count():
            evening = _played(game, table, share, seed)
            seconds += evening.clock.now() - START
            found += evening.latencies
            if len(found) >= MOVES or seconds >= TABLE_TIME:
                break
        cpu = process_time() - began
        found.sort()
        for p in (0.5, 0.99):
            ms = quantile(found, p)
            if ms is not None:
                yield Case(
                    bench="daemon",
                    case=f"{game}, {table}, {name}: p{p * 100:.0f} of {len(found)} moves",
                    ours=ms,
                    peer=GOAL,
                    unit="ms",
                    ratio=round(ms / GOAL, 2),
                )
        if not share:
            yield Case(
                bench="daemon",
                case=f"{game}, {table}: CPU for a second at the table, chips simulated too",
                ours=round(cpu / seconds * 1000, 1),
                unit="ms",
            )


def _played(game: str, table: str, share: float, seed: int) -> Evening:
    """One evening, or as much of it as there is time for."""
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "bench.db")
        evening = Evening(
            profile(table),
            game,
            journal,
            seed=seed,
            mistakes=MISTAKES,
            cost=_cost(share, seed),
        )
        evening.run(until=lambda: len(evening.latencies) >= MOVES, most=TABLE_TIME)
        journal.close()
    return evening


def _cost(share: float, seed: int) -> Callable[[], float]:
    rng = random.Random(seed)
    return lambda: TAIL if rng.random() < share else COMMIT


def _tracker(id: str, table: str) -> Iterator[Case]:
    """Verdicts at moments of random games: on a legal move, and on a piece put somewhere wrong,
    where the search must look at everything before it gives up."""
    game = load(id)
    like = _sighted(game, table)
    judged: dict[str, list[tuple[int, float, int]]] = {"a move": [], "a misplaced piece": []}
    rng = random.Random(3)
    for state in _moments(game, rng):
        if min(map(len, judged.values())) >= VERDICTS:
            break
        seat = game.to_act(state)[0]
        moves = game.moves(state, seat)
        move, before = rng.choice(moves), game.image(state)
        board = game.by_hand(state, move, game.play(state, move, seat))
        if not seen_change(before, board, like):
            continue
        wrong = _misplaced(before, like, rng)
        for what, image in (("a move", board), ("a misplaced piece", wrong)):
            seen = Sightings(all_seen(image, like.spaces))
            began = process_time()
            steps = 1 + sum(1 for _ in explain(game, state, seen))
            judged[what].append((len(moves), (process_time() - began) * 1000, steps))
    for what, found in judged.items():
        if found:
            yield from _judged(f"{id}, {table}: {what}", sorted(found))


def _judged(case: str, found: list[tuple[int, float, int]]) -> Iterator[Case]:
    crowded = found[-max(1, len(found) // 10) :]
    usual, worst = median(ms for _, ms, _ in found), max(ms for _, ms, _ in found)
    most = max(ms for _, ms, _ in crowded)
    steps = max(steps for _, _, steps in found)
    moves = f"{crowded[0][0]} to {crowded[-1][0]} legal moves"
    yield Case(bench="daemon", case=f"{case}, median", ours=round(usual, 2), unit="ms CPU")
    yield Case(bench="daemon", case=f"{case}, worst", ours=round(worst, 2), unit="ms CPU")
    yield Case(bench="daemon", case=f"{case}, {moves}", ours=round(most, 2), unit="ms CPU")
    yield Case(bench="daemon", case=f"{case}, most steps of the loop", ours=steps, unit="steps")


def _misplaced(image: Image, like: Sightings, rng: random.Random) -> Image:
    """Some piece, or one from beside the board, on a space that is empty."""
    empty = [space for space in like.spaces if not image.get(space)] or list(like.spaces)
    full = [space for space in like.spaces if image.get(space)]
    here = rng.choice(full) if full else None
    piece = image[here][-1] if here else Piece("stranger")
    left = {here: image[here][:-1]} if here else {}
    return {**image, **left, rng.choice(empty): (piece,)}


def _sighted(game: Game[Any], table: str) -> Sightings:
    """What the sensors of this table would say of an empty board."""
    sim = SimulatedTable(profile(table), clock := FreeClock())
    sim.open_box(game)
    senses = sim.parts.senses
    senses.play(Record.begin(game, _names(game), key=b"bench"))
    for _ in range(1000):
        senses.step(clock.now())
        sim.agenda.spend(0.001)
    return senses.sightings()


def _names(game: Game[Any]) -> list[str]:
    return [f"Player {n + 1}" for n in range(game.seats[1])]


def _moments(game: Game[Any], rng: random.Random) -> Iterator[Any]:
    """Where a player is to act, with as many players as the game takes."""
    state = game.new(_names(game))
    for _ in range(PLIES):
        if not game.to_act(state):
            state = game.new(_names(game))
        by = rng.choice(game.to_act(state))
        chance = game.chance(state)
        if by == CHANCE and chance is not None:
            move = pick(chance.parts[0], rng.randrange)
        else:
            yield state
            move = rng.choice(game.moves(state, by))
        state = game.play(state, move, by)

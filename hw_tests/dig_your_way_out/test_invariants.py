"""Random games in all modes: independent counts of cards and points, and that they end."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from game_logic.core import CHANCE, Drawn, Illegal, Rolled, encode, pick
from game_logic.dig_your_way_out import tasks
from game_logic.dig_your_way_out.moves import EndTurn, MoveMichel
from game_logic.dig_your_way_out.state import Blackgate
from hw_tests.dig_your_way_out.prison import GAME, LIVELY, MODES, NAMES, STOCK, game_of, keen, lay

POINTS = {"spoon": 1, "pickaxe": 2, "shovel": 3}
ALL = {
    "search": 77,
    "stock": 53,
    "gangs": 24,
    "passives": 18,
    "michel": 8,
}
GAMES = [
    pytest.param(seats, teams, michel, id=f"{seats}-{'teams' if teams else 'alone'}-{michel}")
    for seats in range(2, 7)
    for teams in (False, True)
    for michel in ("none", "michelle")
    if not teams or seats in (4, 6)
]


def playout(seats: int, seed: int, most: int, game=GAME, choose=None, **options: object):
    """States of a random game, up to so many moves, each with the move that led there."""
    rng = random.Random(seed)
    state = game.new(NAMES[:seats], options)
    yield None, state
    for _ in range(most):
        if game.outcome(state) is not None:
            return
        (by,) = game.to_act(state)
        if choose is not None:
            move = choose(state, rng).move
        elif by == CHANCE:
            move = pick(game.chance(state).parts[0], rng.randrange)
        else:
            move = rng.choice(game.moves(state, by))
        state = game.play(state, move, by)
        yield move, state


def everything(state: Blackgate) -> dict[str, int]:
    """All cards of the box, counted without the help of the rules."""
    hands = Counter(c for p in state.prisoners for c in (*p.hand, *p.dug))
    michel = sum(n for _, n in state.michel_pile) + len(state.michel_discard)
    for task in state.todo:
        match task:
            case tasks.Extortion() | tasks.Shakedown():
                hands.update(task.played)
                michel += len(getattr(task, "cards", ()))
            case tasks.Tidy(card):
                hands[card] += 1
            case tasks.Redeal():
                hands.update(dict(task.pool))
    loose = Counter(dict(state.loose))
    stock = sum(state.stock) + sum(n for c, n in (hands + loose).items() if c in STOCK)
    search = len(state.discard) + sum(n for c, n in (hands + loose).items() if c not in STOCK)
    gangs = sum(len(pile) for pile in state.gangs) + sum(bool(p.gang) for p in state.prisoners)
    passives = sum(n for _, n in state.passives) + sum(bool(p.passive) for p in state.prisoners)
    found = {"search": search, "stock": stock, "gangs": gangs, "passives": passives}
    return found | {"michel": michel if state.michel_place else 8}


@pytest.mark.parametrize("secrets", MODES)
@pytest.mark.parametrize(("seats", "teams", "michel"), GAMES)
def test_every_card_is_somewhere_exactly_once(seats, teams, michel, secrets):
    turn = None
    for move, state in playout(
        seats, seats, 1500, secrets=secrets, teams=teams, michel=michel, start_hand=6
    ):
        assert everything(state) == ALL
        assert all(0 <= p.beatings <= 2 for p in state.prisoners)
        assert all(p.cigarettes >= 0 and p.unknown >= 0 for p in state.prisoners)
        assert min((*state.stock, state.pile)) >= 0
        for p in state.prisoners:
            extra = p.points - sum(POINTS[tool] for tool in p.dug)
            assert 0 <= extra <= (2 if p.passive == "p14" else 0)
        if turn is not None and state.turn.number > turn.number:
            before = state.prisoners[turn.seat]
            limit = 13 if before.gang == "triad_3" else 10
            assert before.cards <= limit, f"hand of {before.cards} after {move}"
        turn = state.turn


@pytest.mark.parametrize("secrets", MODES)
@pytest.mark.parametrize(("seats", "teams"), [(2, False), (5, False), (4, True)])
def test_a49_a_random_game_comes_to_an_end(seats, teams, secrets):
    """Without any limit: somebody digs enough, sooner or later."""
    *_, (_, state) = playout(seats, 1, 60_000, secrets=secrets, teams=teams)
    assert GAME.outcome(state).reason == "escaped"


@pytest.mark.parametrize("secrets", MODES)
def test_a49_the_turn_limit_ends_every_game(secrets):
    for seed in range(5):
        *_, (_, state) = playout(4, seed, 5_000, secrets=secrets, turn_limit=30)
        assert GAME.outcome(state) is not None
        assert state.turn.number <= 30


def test_a_game_replays_to_the_same_bytes():
    *_, (_, one) = playout(5, 9, 3000, michel="michel")
    *_, (_, two) = playout(5, 9, 3000, michel="michel")
    assert encode(one) == encode(two)


def test_games_reach_every_question():
    """So the kit of test_conformance has something to see."""
    asked = set()
    options = {"michel": "michel", "actions_per_turn": 6, "start_hand": 10, "turn_limit": 150}
    for secrets in MODES:
        for game, teams in ((GAME, True), (LIVELY, False)):
            for seed in range(3):
                options |= {"secrets": secrets, "teams": teams}
                for _, state in playout(4, seed, 9_000, game, keen(game), **options):
                    asked.add(state.todo[-1].topic if state.todo else "turn")
    assert asked == {*tasks.TOPICS, "turn"}, set(tasks.TOPICS) - asked


# -- problems: a spoilt state is not taken for a good one ------------------------------------------


def spoilt() -> dict[str, Blackgate]:
    state = lay(game_of(3), hand="tie shiv")
    ana, bo, cy = state.prisoners

    def with_ana(**changes):
        return replace(state, prisoners=(replace(ana, **changes), bo, cy))

    return {
        "tie: 13 in the game": with_ana(hand=("shiv",)),
        "there is no card 'gun'": with_ana(hand=("gun", "shiv", "tie")),
        "not in order": with_ana(hand=("tie", "shiv")),
        "3 beatings": with_ana(beatings=3),
        "fewer than no cigarettes": with_ana(cigarettes=-1),
        "there is no place 'bar'": with_ana(place="bar"),
        "there is no gang card 'x'": with_ana(gang="x"),
        "gang cards are lost": with_ana(gang="crew_1"),
        "there is no passive 'p99'": with_ana(passive="p99"),
        "passives are lost": with_ana(passive="p01"),
        "unknown cards although the house deals": replace(with_ana(unknown=1), pile=75),
        "fewer points than his tools": replace(
            with_ana(dug=("spoon",)), stock=(10, *state.stock[1:])
        ),
        "do not add up": replace(state, pile=75),
        "2 prisoners for 3 seats": replace(state, prisoners=state.prisoners[:2]),
        "who is not there": replace(state, turn=replace(state.turn, seat=7)),
        "a pile is missing": replace(state, stock=(1, 2)),
        "against the options": replace(state, michel_place="yard"),
        "somebody has dug enough": with_ana(points=12),
        "the end is not the end": replace(state, end="time"),
        "does not fit": replace(state, end="escaped", winners=(0,)),
        "waits for nobody": replace(state, todo=(tasks.NextTurn(),)),
        "can do nothing": replace(state, todo=(tasks.Tribute(1, "crew"),)),
        "seat 9": replace(state, todo=(tasks.Shed(9, 1),)),
        "'crow'": replace(state, todo=(tasks.Tribute(0, "crow"),)),
        "'m9'": replace(state, todo=(tasks.Forfeit(0, "m9"),)),
        "no turn has begun": replace(state, turn=replace(state.turn, number=0)),
    }


@pytest.mark.parametrize("problem", spoilt())
def test_a_spoilt_state_is_found_out(problem):
    found = GAME.problems(spoilt()[problem])
    assert any(problem in sentence for sentence in found), found


def test_moves_of_chance_that_cannot_be_are_refused():
    state = GAME.new(NAMES[:2])
    for move in (Drawn("passives", "p99"), Drawn("search", "tie"), Rolled("die", 3), EndTurn()):
        with pytest.raises(Illegal, match="no_such_card"):
            GAME.play(state, move, CHANCE)
    with pytest.raises(Illegal, match="not_your_turn"):
        GAME.play(state, MoveMichel(), 0)

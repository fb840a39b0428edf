"""Whole random games against a second, simpler reading of the rules, written apart from the first.

The referee knows only lists of pawns on squares. It follows the moves by itself and must agree
with the game's image at every step, and with its points at the end.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_logic.core import CHANCE, Act, decode_act, encode, play_all
from game_logic.la_grande_evasion.moves import Advance, Back, Bet, Erase, Rolled, Throw
from hw_tests.la_grande_evasion.scene import COLOURS, GAME, NAMES

POINTS_OF_BOAT = {1: 1, 2: 2, 3: 3, 4: 4}
BOAT_OF_PLACE = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4}


class Referee:
    def __init__(self, options):
        self.options = options
        self.start = options.sheet_start if options.short_path else options.start_position
        self.windows = list(COLOURS)
        self.squares = {n: [] for n in range(self.start, options.path_length)}
        self.boats = []
        self.faces = {}
        self.bets = {}

    def follow(self, act):
        move = act.move
        if isinstance(move, Bet):
            self.bets.setdefault(act.by, []).append(move.pawn)
        elif isinstance(move, Erase):
            self.bets[act.by].pop()
        elif isinstance(move, Throw):
            self.faces = {}
        elif isinstance(move, Rolled):
            self.faces[move.die] = move.face
        elif isinstance(move, Advance):
            self.walk(move.pawn, self.faces.pop(move.pawn), +1)
        elif isinstance(move, Back):
            self.walk(move.pawn, self.faces.pop("white"), -1)
            if move.pawn in self.squares[self.start] and len(self.boats) == 5:
                last_but_one = [c for c in COLOURS if c not in (*self.boats, move.pawn)]
                self.boats += [*last_but_one, move.pawn]

    def walk(self, pawn, pips, way):
        if pawn in self.windows:
            self.windows.remove(pawn)
            at = self.start
        else:
            (at,) = (n for n, stack in self.squares.items() if pawn in stack)
            assert at == self.start or self.squares[at][-1] == pawn, "a blocked pawn moved"
            self.squares[at].remove(pawn)
        while pips:
            at += way
            jumped = self.squares.get(at) and at != self.start
            if self.options.leap == "count_all" or pips == 1 or not jumped:
                pips -= 1
        if at >= self.options.path_length:
            self.boats.append(pawn)
        else:
            self.squares[max(at, self.start)].append(pawn)

    def agrees(self, state):
        image = GAME.image(state)
        everywhere = [piece.id for pieces in image.values() for piece in pieces]
        assert sorted(everywhere) == sorted(COLOURS), "seven pawns, each somewhere once"
        if GAME.to_act(state) and state.phase != "scoring":
            shown = {space: [p.id for p in pieces] for space, pieces in image.items()}
            for n, stack in self.squares.items():
                space = "start" if n == self.options.start_position else f"square_{n}"
                seen = shown.get(space, [])
                if n == self.start:
                    assert sorted(seen) == sorted(stack)
                else:
                    assert seen == stack
            assert [c for n in range(1, 5) for c in shown.get(f"boat_{n}", [])] == self.boats
        for space, pieces in image.items():
            on_path = space.startswith("square") and space != f"square_{self.start}"
            for piece in pieces:
                assert piece.covered == (on_path and piece is not pieces[-1])

    def points(self, seat, arrivals):
        boat = {pawn: BOAT_OF_PLACE[place] for place, pawn in enumerate(arrivals, 1)}
        forecast = {pawn: BOAT_OF_PLACE[place] for place, pawn in enumerate(self.bets[seat], 1)}
        return sum(POINTS_OF_BOAT[boat[p]] for p in COLOURS if boat[p] == forecast[p])


def play(seats, seed, options):
    """A random game; the referee follows it."""
    rng = random.Random(seed)
    state = first = GAME.new(NAMES[:seats], options)
    referee = Referee(state.options)
    acts = []
    while GAME.outcome(state) is None:
        by = rng.choice(GAME.to_act(state))
        act = Act(by, rng.choice(GAME.moves(state, by)))
        state = GAME.play(state, act.move, by)
        acts.append(act)
        referee.follow(act)
        referee.agrees(state)
        if len(acts) % 7 == 0:
            hides_every_bet(state)
        assert len(acts) < 30_000
    arrivals = [COLOURS[pawn] for pawn in state.arrivals]
    assert arrivals[: len(referee.boats)] == referee.boats
    outcome = GAME.outcome(state)
    scores = tuple(referee.points(seat, arrivals) for seat in range(seats))
    assert outcome.scores == scores
    assert all(0 <= points <= 16 for points in scores)
    assert set(outcome.winners) == {s for s in range(seats) if scores[s] == max(scores)}
    replayed = play_all(GAME, first, [decode_act(GAME, encode(act)) for act in acts])
    assert encode(replayed) == encode(state)
    return state


def hides_every_bet(state):
    if state.phase in ("scoring", "over"):
        return
    for seat in (None, *range(len(state.seats))):
        view = GAME.view(state, seat)
        assert view["bets"] == [None] * len(state.seats)
        assert view.get("bet") == (
            None if seat is None else [COLOURS[pawn] for pawn in state.bets[seat]]
        )


options = st.fixed_dictionaries(
    {},
    optional={
        "secrets": st.sampled_from(["house", "table"]),
        "leap": st.sampled_from(["count_all", "skip_occupied"]),
        "path_length": st.integers(9, 40),
        "start_position": st.integers(0, 2),
        "short_path": st.booleans(),
        "move_mandatory": st.booleans(),
        "white_declared_before_roll": st.booleans(),
        "white_move_optional": st.booleans(),
        "white_any_time": st.booleans(),
        "white_first_round": st.booleans(),
        "auto_finish_last": st.booleans(),
        "turn_limit": st.sampled_from([10, 60, 300]),
    },
)


@pytest.mark.parametrize("seats", range(2, 7))
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), options=options)
def test_random_games_agree_with_the_referee(seats, seed, options):
    play(seats, seed, options)


@pytest.mark.soak
@pytest.mark.parametrize("seats", range(2, 7))
@settings(max_examples=1_000)
@given(seed=st.integers(0, 2**32), options=options)
def test_many_random_games_agree_with_the_referee(seats, seed, options):
    play(seats, seed, options)


def test_chance_gives_every_face_of_every_die_alike():
    state = GAME.new(NAMES[:2], {"secrets": "table"})
    rng = random.Random(3)
    seen = 0
    while GAME.outcome(state) is None and seen < 50:
        by = rng.choice(GAME.to_act(state))
        if by == CHANCE and GAME.chance(state).kind == "dice":
            seen += 1
            for part in GAME.chance(state).parts:
                assert [(m.die, m.face, weight) for m, weight in part.odds] == [
                    (part.id, face, 1) for face in range(1, 7)
                ]
        state = GAME.play(state, rng.choice(GAME.moves(state, by)), by)
    assert seen == 50

"""The contract holds on the toy game, which has one of each hard thing; and the kit notices when
a game breaks it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game_logic.core import CHANCE, Drawn, Illegal, Move, Text
from hw_tests.conformance import play_through
from hw_tests.toy import Bet, Creep, PutUnder, Toy, ToyGame, twin


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_random_games_keep_the_contract(seats, seed):
    play_through(ToyGame(), seats=seats, seed=seed, twin=twin)


class LeakyView(ToyGame):
    def view(self, state, seat):
        return super().view(state, seat) | {"all": state.hands}


class LeakyBet(ToyGame):
    def prompt(self, state, to):
        return Text(f"{state.bets}", f"{state.bets}")


class LeakyLog(ToyGame):
    def told(self, state, move, by, to):
        if isinstance(move, PutUnder):
            return Text(move.card, move.card)
        return super().told(state, move, by, to)


class LeakyDraw(ToyGame):
    def told(self, state, move, by, to):
        if isinstance(move, Drawn):
            return Text(move.card, move.card)
        return super().told(state, move, by, to)


class LeakyRefusal(ToyGame):
    def play(self, state, move, seat=None):
        try:
            return super().play(state, move, seat)
        except Illegal:
            code = "a" if "rope" in state.hands[0] else "b"
            raise Illegal(code, Text("non", "no")) from None


class Twice(ToyGame):
    def moves(self, state, seat=None):
        return (super().moves(state, seat) * 2)[: 4 if state.phase == "pace" else None]


class Lenient(ToyGame):
    def play(self, state, move, seat=None):
        if isinstance(move, Creep) and state.phase == "pace":
            return replace(state, phase="creep", pace=1)
        return super().play(state, move, seat)


class Forgetful(ToyGame):
    def play(self, state, move, seat=None):
        after = super().play(state, move, seat)
        if isinstance(move, PutUnder):
            return replace(after, pile=state.pile)
        return after


class Speechless(ToyGame):
    def offered(self, state, move, by):
        return Text("", "something")


class Mute(ToyGame):
    def moves(self, state, seat=None):
        return () if state.phase == "creep" else super().moves(state, seat)


class Stray(ToyGame):
    def image(self, state):
        return {**super().image(state), "nowhere": ()}


class Untagged(ToyGame):
    def things(self):
        return tuple(thing for thing in super().things() if thing.name != "card_spoon")


class TooFew(ToyGame):
    def things(self):
        guard = next(thing for thing in super().things() if thing.name == "guard")
        return tuple(replace(t, count=1) if t == guard else t for t in super().things())


@pytest.mark.parametrize(
    "broken",
    [LeakyView, LeakyBet, LeakyLog, LeakyDraw, LeakyRefusal, Twice, Lenient, Forgetful,
     Speechless, Mute, Stray, Untagged, TooFew],
)  # fmt: skip
def test_a_broken_game_is_caught(broken):
    def several():
        for seed in range(12):
            play_through(broken(), seats=3, seed=seed, twin=twin)

    with pytest.raises((AssertionError, IndexError, pytest.fail.Exception)):
        several()


def test_the_toy_has_one_of_each_hard_thing():
    game = ToyGame()
    met = set()
    for seed in range(20):
        played = play_through(game, seats=3, seed=seed, every=1000)
        for state, act in zip(played.states, played.acts, strict=False):
            met.add(type(act.move).__name__)
            met |= {"simultaneous"} if len(game.to_act(state)) > 1 else set()
            met |= {"private"} if act.by == CHANCE and game.chance(state).sees else set()
            pieces = [p for stack in game.image(state).values() for p in stack]
            met |= {"covered"} if any(p.covered for p in pieces) else set()
            met |= {"deadline"} if game.deadline(state) else set()
            met |= {"known card"} if state.pile.under else set()
    assert met >= {
        "Bet", "CloseBets", "Drawn", "Pace", "Creep", "Shift", "PutUnder", "Peek",
        "simultaneous", "private", "covered", "deadline", "known card",
    }  # fmt: skip


def test_a_state_hashes_and_compares_by_content():
    one, other = ToyGame().new(("A", "B")), ToyGame().new(("A", "B"))
    assert one == other
    assert hash(one) == hash(other)
    assert isinstance(one, Toy)
    assert isinstance(Bet(1), Move)

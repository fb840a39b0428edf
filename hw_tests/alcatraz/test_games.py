"""Whole games: what holds at every step, and how they end."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from game_logic.alcatraz.state import NOBODY
from game_logic.alcatraz.steps import Over
from game_logic.core import Illegal, decode_act, encode
from hw_tests.alcatraz.table import GAME, LIVELY, NAMES, keen


def played(game, seed, seats, options):
    rng = random.Random(seed)
    s = game.new(NAMES[:seats], options)
    acts = []
    yield s, acts
    while game.outcome(s) is None:
        act = keen(game, s, rng)
        s = game.play(s, act.move, act.by)
        acts.append(act)
        yield s, acts


def check(game, s):
    """Counted anew, without a word from `problems`."""
    box = game.box
    assert all(0 <= guards <= 4 for guards in s.guards)
    assert sum(s.guards) < box.settings.guards_total
    assert s.turn.ap >= 0
    if len(s.faces) == 12:
        held = Counter(kind for prisoner in s.prisoners for kind in prisoner.objects)
        lying = Counter(kind for there in s.lying for kind in there)
        assert held + lying == Counter(kind for there in box.laid_out(s.faces) for kind in there)
    laid = [task for task in s.tasks if task]
    assert len({box.tasks[task].part for task in laid}) == len(laid) <= 3
    for prisoner in s.prisoners:
        assert len(prisoner.objects) <= 3
        assert 0 <= prisoner.cash <= 3
        assert 0 <= prisoner.stamina <= 3
        assert prisoner.place == NOBODY or 0 <= prisoner.place < 12


CASES = [
    (game, seats, secrets)
    for game in (GAME, LIVELY)
    for seats in (3, 4)
    for secrets in ("house", "table")
]


@pytest.mark.parametrize(("game", "seats", "secrets"), CASES)
def test_invariants_hold_and_every_game_ends(game, seats, secrets):
    for seed in range(6):
        options = {"secrets": secrets, "faces": ("silver", "alternative", "random")[seed % 3]}
        for s, _ in played(game, seed, seats, options):
            check(game, s)
        outcome = game.outcome(s)
        assert isinstance(s.step, Over)
        if outcome.reason == "last_guard":
            assert outcome.winners == ()
            assert (
                s.round == game.box.settings.guards_total - sum(game.box.settings.guard_passes) + 1
            )
        else:
            assert len(outcome.winners) == seats - 1
            together = {part for seat in outcome.winners for part in s.prisoners[seat].parts}
            assert together == set("ABCDEF")


def test_games_are_won_and_lost():
    reasons = Counter()
    for seed in range(12):
        *_, (s, _) = played(LIVELY, seed, 3 + seed % 2, {})
        reasons[LIVELY.outcome(s).reason] += 1
    assert set(reasons) == {"last_guard", "escaped"}


def test_r1_all_but_one_escape_together():
    for seed in range(12):
        *_, (s, _) = played(LIVELY, seed, 4, {})
        if LIVELY.outcome(s).reason == "escaped":
            assert len(LIVELY.outcome(s).winners) == 3
            return
    raise AssertionError("nobody escaped")


def test_nothing_can_be_played_after_the_end():
    *_, (s, acts) = played(LIVELY, 0, 3, {})
    assert LIVELY.moves(s) == ()
    for act in acts[-20:]:
        with pytest.raises(Illegal) as refusal:
            LIVELY.play(s, act.move, act.by)
        assert refusal.value.code == "game_over"


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_a_log_replays_to_the_same_bytes(secrets):
    *_, (s, acts) = played(LIVELY, 1, 4, {"secrets": secrets, "faces": "random"})
    again = LIVELY.new(NAMES, {"secrets": secrets, "faces": "random"})
    for line in [encode(act) for act in acts]:
        act = decode_act(LIVELY, line)
        again = LIVELY.play(again, act.move, act.by)
    assert encode(again) == encode(s)


def test_lists_of_moves_stay_short():
    longest = 0
    for seed in range(6):
        for s, _ in played(LIVELY, seed, 4, {"secrets": "table", "faces": "random"}):
            longest = max(longest, *(len(LIVELY.moves(s, by)) for by in LIVELY.to_act(s)), 0)
    assert longest <= 40


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats", "secrets"), CASES)
def test_invariants_hold_over_many_games(game, seats, secrets):
    for seed in range(1000, 1250):
        faces = ("silver", "alternative", "random")[seed % 3]
        for s, _ in played(game, seed, seats, {"secrets": secrets, "faces": faces}):
            check(game, s)
        assert game.problems(s) == ()

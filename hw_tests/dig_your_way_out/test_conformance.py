"""Random games in every mode keep the contract."""

from __future__ import annotations

import pytest

from hw_tests.conformance import play_through
from hw_tests.dig_your_way_out.prison import GAME, LIVELY, MODES, keen, twin_of

PROWLERS = ("none", "michel", "michelle")


@pytest.mark.parametrize("secrets", MODES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_man_for_himself(secrets, seats):
    options = {"secrets": secrets, "turn_limit": 60, "michel": PROWLERS[seats % 3]}
    play_through(GAME, seats=seats, seed=seats, options=options, twin=twin_of(GAME), every=11)


@pytest.mark.parametrize("secrets", MODES)
@pytest.mark.parametrize("seats", [4, 6])
@pytest.mark.parametrize("michel", ["none", "michel"])
def test_teams(secrets, seats, michel):
    options = {"secrets": secrets, "teams": True, "michel": michel, "turn_limit": 60}
    play_through(GAME, seats=seats, seed=seats, options=options, twin=twin_of(GAME), every=11)


@pytest.mark.parametrize("secrets", MODES)
def test_a_crowded_prison(secrets):
    """Few places to flee to, full hands, many actions: rackets, gangs and action cards all day."""
    options = {
        "secrets": secrets,
        "turn_limit": 40,
        "actions_per_turn": 6,
        "start_hand": 8,
        "hand_limit": 14,
        "racket_per_turn": 3,
        "michel": "michelle",
        "use_solitary": secrets == "house",
    }
    play_through(GAME, seats=6, seed=1, options=options, twin=twin_of(GAME), every=11)


@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize("secrets", MODES)
def test_a_lively_deck(secrets, teams):
    """Passives and gangs of which random play sees little otherwise."""
    options = {
        "secrets": secrets,
        "teams": teams,
        "turn_limit": 20,
        "actions_per_turn": 6,
        "start_hand": 10,
        "racket_per_turn": 2,
    }
    play_through(
        LIVELY,
        seats=4,
        seed=4,
        options=options,
        twin=twin_of(LIVELY),
        every=7,
        choose=keen(LIVELY),
    )


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(250))
@pytest.mark.parametrize("secrets", MODES)
@pytest.mark.parametrize("teams", [False, True])
def test_a_thousand_games(secrets, teams, seed):
    options = {
        "secrets": secrets,
        "teams": teams,
        "michel": PROWLERS[seed % 3],
        "use_solitary": seed % 5 > 0,
        "turn_limit": 50,
        "actions_per_turn": 2 + seed % 4,
        "start_hand": 3 + seed % 6,
    }
    seats = (4, 6)[seed % 2] if teams else 2 + seed % 5
    play_through(GAME, seats=seats, seed=seed, options=options, twin=twin_of(GAME), every=60)

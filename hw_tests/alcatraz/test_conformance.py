"""Whole random games through the kit: both homes of the secrets, both faces, three and four."""

from __future__ import annotations

import re
from functools import partial

import pytest

from hw_tests.alcatraz.table import GAME, LIVELY, keen, twin
from hw_tests.conformance import play_through

SECRETS = ("house", "table")


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("faces", ["silver", "alternative", "random"])
@pytest.mark.parametrize("seats", [3, 4])
def test_random_games_keep_the_contract(seats, faces, secrets):
    options = {"secrets": secrets, "faces": faces}
    play_through(GAME, seats=seats, seed=1, options=options, twin=twin, every=12)


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("seats", [3, 4])
def test_games_of_keen_players_keep_the_contract(seats, secrets):
    for seed in range(3):
        options = {"secrets": secrets, "faces": "random"}
        choose = partial(keen, LIVELY)
        play_through(
            LIVELY, seats=seats, seed=seed, options=options, twin=twin, every=29, choose=choose
        )


@pytest.mark.parametrize(
    "options",
    [
        {"layout": [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], "talk_seconds": 0},
        {"faces": ["silver", "alternative"] * 6, "stamina_max": 1, "cash_max": 9},
        {"trade_offers_per_turn": 0},
        {"trade_offers_per_turn": 1},
    ],
)
def test_random_games_with_other_options_keep_the_contract(options):
    play_through(GAME, seats=3, seed=5, options=options, twin=twin, every=25)


@pytest.mark.soak
@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("faces", ["silver", "alternative", "random"])
@pytest.mark.parametrize("seats", [3, 4])
def test_many_random_games_keep_the_contract(seats, faces, secrets):
    options = {"secrets": secrets, "faces": faces}
    for seed in range(100, 185):
        play_through(GAME, seats=seats, seed=seed, options=options, twin=twin, every=13)


@pytest.mark.soak
@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("seats", [3, 4])
def test_many_games_of_keen_players_keep_the_contract(seats, secrets):
    options = {"secrets": secrets, "faces": "random"}
    choose = partial(keen, LIVELY)
    for seed in range(100, 150):
        play_through(
            LIVELY, seats=seats, seed=seed, options=options, twin=twin, every=13, choose=choose
        )


def test_an_owners_deck_changes_the_digest():
    assert re.fullmatch(r"[0-9a-f]{64}", GAME.digest)
    assert GAME.digest != LIVELY.digest

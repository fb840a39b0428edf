"""Whole random games through the kit: both homes of the secrets, both faces, three and four."""

from __future__ import annotations

import re

import pytest

from game_logic import load
from hw_tests.alcatraz.table import GAME, twin
from hw_tests.conformance import play_through

SECRETS = ("house", "table")


def easy() -> str:
    """Tasks that random play completes now and then: one object, any guards, alone."""
    tasks = []
    for task in GAME.box.tasks.values():
        need = task.objects[0]
        tasks.append(
            f'[[task]]\nid = "{task.id}"\npart = "{task.part}"\nfr = "{task.fr}"\n'
            f'en = "{task.en}"\nobjects = ["{need}"]\nprisoners = 1\nguards = 3\n'
        )
    return "\n".join(tasks)


EASY = load("alcatraz", {"tasks.toml": easy()})


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("faces", ["silver", "alternative", "random"])
@pytest.mark.parametrize("seats", [3, 4])
def test_random_games_keep_the_contract(seats, faces, secrets):
    for seed in range(2):
        options = {"secrets": secrets, "faces": faces}
        play_through(GAME, seats=seats, seed=seed, options=options, twin=twin, every=9)


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("seats", [3, 4])
def test_random_games_with_easy_tasks_keep_the_contract(seats, secrets):
    for seed in range(3):
        options = {"secrets": secrets, "faces": "random"}
        play_through(EASY, seats=seats, seed=seed, options=options, twin=twin, every=9)


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
    play_through(GAME, seats=3, seed=5, options=options, twin=twin, every=9)


@pytest.mark.soak
@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("faces", ["silver", "alternative", "random"])
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("game", [GAME, EASY], ids=["house_deck", "easy_deck"])
def test_many_random_games_keep_the_contract(game, seats, faces, secrets):
    for seed in range(100, 150):
        options = {"secrets": secrets, "faces": faces}
        play_through(game, seats=seats, seed=seed, options=options, twin=twin, every=13)


def test_an_owners_deck_changes_the_digest():
    assert re.fullmatch(r"[0-9a-f]{64}", GAME.digest)
    assert GAME.digest != EASY.digest

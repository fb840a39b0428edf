"""The kit that every game passes, over seats, secrets and options."""

from __future__ import annotations

import pytest

from hw_tests.conformance import play_through
from hw_tests.la_grande_evasion.scene import GAME
from hw_tests.la_grande_evasion.twin import twin

OPTIONS = [
    {},
    {"leap": "skip_occupied"},
    {"short_path": True, "white_first_round": True},
    {"move_mandatory": False, "turn_limit": 40},
    {"white_declared_before_roll": False, "start_position": 1},
    {"white_declared_before_roll": False, "white_any_time": False, "path_length": 12},
    {"white_move_optional": False, "leap": "skip_occupied", "path_length": 15},
    {"auto_finish_last": False, "path_length": 20, "turn_limit": 0},
]


@pytest.mark.parametrize("secrets", ["house", "table"])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "defaults")
@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_keep_the_contract(seats, options, secrets):
    play_through(
        GAME, seats=seats, seed=seats, options={"secrets": secrets} | options, twin=twin, every=37
    )


def test_every_step_of_a_game_keeps_the_contract():
    play_through(GAME, seats=3, seed=7, options={"path_length": 9}, twin=twin)


@pytest.mark.soak
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "defaults")
def test_many_random_games_keep_the_contract(seats, options):
    for seed in range(30):
        secrets = "table" if seed % 2 else "house"
        play_through(
            GAME,
            seats=seats,
            seed=seed,
            options={"secrets": secrets} | options,
            twin=twin,
            every=41,
        )

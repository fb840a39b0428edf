"""The contract holds on the toy game, which has one of each hard thing."""

from __future__ import annotations

import pytest

from hw_tests.conformance import play_through
from hw_tests.toy import ToyGame, twin


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_random_games_keep_the_contract(seats, seed):
    play_through(ToyGame(), seats=seats, seed=seed, twin=twin)

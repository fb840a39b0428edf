"""The kit that every game passes, over seats, secrets, phases and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pytest
from msgspec.structs import replace

from game_logic.core import encode
from game_logic.prison_break.rules import PrisonBreak
from game_logic.prison_break.state import Break
from hw_tests.conformance import play_through
from hw_tests.prison_break.keen import keen
from hw_tests.prison_break.scene import GAME, scene
from hw_tests.prison_break.twin import twin

OPTIONS = [
    {},
    {"order": "free", "contact": "guard_moves", "min_move": 0, "trade": True},
    {"card_surveillance": "until_moved", "lit_exit": "zone_gate", "win": "missions_only"},
    {"guards_in_strategic": True, "guards_per_square": 2, "persons_per_square": 3, "guard_move": 5},
    {"days": 6, "guilt_limit": 12, "tools_in_phase1": False, "objects_per_player": 1},
    {"max_move": 6, "escape_cards_drawn": 1, "trade": True},
]
SECRETS = ["house", "table"]


class SecondPhase(PrisonBreak):
    """The same game from the beginning of its second phase on, which random players rarely see."""

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Break:
        start = super().new(seats, options)
        late = scene(
            seats=len(seats),
            phase=2,
            harm=True,
            guards=(("key", "z1_5"), ("money", "z3_4"), ("letter", "refectory"), ("key", "z5_5")),
            hands={"scofield": ("key", "letter"), "pope": ("money",)},
            kept={"scofield": ("c04",), "sucre": ("c05", "c06"), "pope": ("c07",)},
            tools={"pliers": "sucre", "breaker": "pope"},
            plan="e07",
            secrets=start.options.secrets,
        )
        return replace(late, seats=start.seats, options=start.options)


LATE = SecondPhase({})
named = {"ids": lambda options: "-".join(options) or "defaults"}


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("options", OPTIONS, **named)
@pytest.mark.parametrize("seats", [3, 4])
def test_random_games_keep_the_contract(seats, options, secrets):
    asked = {"secrets": secrets} | options
    play_through(GAME, seats=seats, seed=seats, options=asked, twin=twin, every=29)


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("options", OPTIONS, **named)
@pytest.mark.parametrize("seats", [3, 4])
def test_random_second_phases_keep_the_contract(seats, options, secrets):
    if options.get("objects_per_player") == 1:
        options = options | {"objects_per_player": 2}
    asked = {"secrets": secrets} | options
    play_through(LATE, seats=seats, seed=seats, options=asked, twin=twin, every=29)


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize("options", OPTIONS, **named)
@pytest.mark.parametrize("seats", [3, 4])
def test_keen_games_keep_the_contract_to_the_escape(seats, options, secrets):
    asked = {"secrets": secrets} | options
    choose = partial(keen, GAME)
    play_through(GAME, seats=seats, seed=seats, options=asked, twin=twin, every=17, choose=choose)


@pytest.mark.parametrize("game", [GAME, LATE], ids=["first phase", "second phase"])
def test_every_step_of_a_game_keeps_the_contract(game):
    play_through(game, seats=4, seed=11, options={"days": 5}, twin=twin)


def test_a_game_is_the_same_from_the_same_seed():
    one, other = (play_through(GAME, seats=3, seed=2, every=10_000) for _ in range(2))
    assert encode(one.final) == encode(other.final)


@pytest.mark.soak
@pytest.mark.parametrize("game", [GAME, LATE], ids=["first phase", "second phase"])
@pytest.mark.parametrize("options", OPTIONS, **named)
@pytest.mark.parametrize("seats", [3, 4])
def test_many_random_games_keep_the_contract(seats, options, game):
    if game is LATE and options.get("objects_per_player") == 1:
        options = options | {"objects_per_player": 2}
    for seed in range(40):
        asked = {"secrets": SECRETS[seed % 2]} | options
        play_through(game, seats=seats, seed=seed, options=asked, twin=twin, every=23)


@pytest.mark.soak
@pytest.mark.parametrize("options", OPTIONS, **named)
@pytest.mark.parametrize("seats", [3, 4])
def test_many_keen_games_keep_the_contract(seats, options):
    choose = partial(keen, GAME)
    for seed in range(30):
        asked = {"secrets": SECRETS[seed % 2]} | options
        play_through(
            GAME, seats=seats, seed=seed, options=asked, twin=twin, every=11, choose=choose
        )

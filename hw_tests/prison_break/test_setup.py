"""Before the first day: who plays whom, the plan, the wishes (R1, R7–R19)."""

from __future__ import annotations

import pytest

from game_logic.core import CHANCE, Drawn, Malformed, Rolled
from game_logic.pile import unpack
from game_logic.prison_break import moves as m
from hw_tests.conformance import NAMES
from hw_tests.prison_break.scene import (
    BOARD,
    BOX,
    GAME,
    act,
    at,
    begun,
    listed,
    refused,
    rolled,
    task,
    to_act,
)

SECRETS = ["house", "table"]


def casting(seats: int = 4, *faces: int, secrets: str = "house"):
    return rolled(GAME.new(NAMES[:seats], {"secrets": secrets}), *(faces or (2, 5, 1, 3)[:seats]))


@pytest.mark.parametrize("seats", [2, 5])
def test_the_game_is_for_three_or_four(seats):
    with pytest.raises(Malformed, match="3 or 4"):
        GAME.new(NAMES[:seats])


def test_an_unknown_option_is_refused():
    with pytest.raises(Malformed, match="there is no option"):
        GAME.new(NAMES[:3], {"dogs": True})
    with pytest.raises(Malformed, match="days"):
        GAME.new(NAMES[:3], {"days": 31})


def test_r7_r9_r10_r11_everything_lies_in_its_place():
    state = GAME.new(NAMES[:4])
    assert len(state.pile) == 55
    assert state.ground == ("unknown",) * 15
    assert len(state.bag) == 15
    assert state.tools == (-1, -1)
    assert sum(state.spare) == 30
    assert GAME.view(state, None)["escape_tokens"] == 10


def test_a2_no_card_is_active_at_the_start():
    assert GAME.new(NAMES[:4]).active == ""


def test_r12_externals_and_lincoln_stand_on_their_places():
    state = GAME.new(NAMES[:4])
    assert [at(state, who) for who in BOX.people[4:]] == [
        "warden_office",
        "infirmary",
        "parloir",
        "cells_3",
    ]


def test_r13_a6_guilt_starts_at_nothing_and_the_countdown_on_day_one():
    countdown, culpability = GAME.tracks(GAME.new(NAMES[:4]))
    assert (countdown.value, countdown.maximum) == (1, 30)
    assert (culpability.value, culpability.maximum) == (0, 30)


def test_r15_the_highest_roll_chooses_first_then_clockwise():
    state = casting(4, 2, 5, 1, 3)
    order = []
    for leader in ("bagwell", "sucre", "abruzzi", "scofield"):
        order += GAME.to_act(state)
        state = act(state, m.Choose(leader))
    assert order == [1, 2, 3, 0]
    assert [BOX.people[who] for who in state.cast] == ["scofield", "bagwell", "sucre", "abruzzi"]


def test_r15_pawns_start_on_the_places_of_their_cards():
    state = begun()
    assert [at(state, who) for who in BOX.people[:4]] == ["cells_1", "cells_1"] + ["cells_2"] * 2


def test_r15_a_leader_is_played_once():
    state = act(casting(), m.Choose("sucre"))
    assert refused(state, m.Choose("sucre")) == "leader_taken"
    assert refused(state, m.Choose("pope")) == "no_such_leader"
    assert refused(state, m.Declare()) == "choose_a_leader"


def test_a48_equal_rolls_roll_again():
    state = rolled(GAME.new(NAMES[:4]), 5, 2, 5, 1)
    assert to_act(state) == "chance"
    state = rolled(state, 3, 3)
    state = rolled(state, 1, 4)
    assert GAME.to_act(state) == (2,)


def test_r1_a32_the_last_to_choose_is_scofield_if_nobody_was():
    state = act(casting(), m.Choose("sucre"), m.Choose("abruzzi"), m.Choose("bagwell"))
    assert GAME.moves(state) == (m.Choose("scofield"),)
    state = act(casting(3, 6, 2, 1), m.Choose("sucre"), m.Choose("abruzzi"))
    assert refused(state, m.Choose("bagwell")) == "scofield_must_play"


def test_a31_with_three_players_the_fourth_leader_is_left_out():
    state = begun(seats=3)
    assert state.where[BOX.person["bagwell"]] == -1
    assert len(state.team) == 3
    assert all(piece.id != "bagwell" for pieces in GAME.image(state).values() for piece in pieces)


def test_r16_scofield_draws_two_escape_cards_and_keeps_one():
    state = act(casting(4, 1, 2, 3, 6), *(m.Choose(leader) for leader in BOX.people[:4]))
    seat = state.cast.index(0)
    assert seat == 3
    assert GAME.chance(state).sees == (seat,)
    assert len(GAME.chance(state).parts[0].odds) == 10
    state = act(state, Drawn("escape", "e03"))
    assert refused(state, Drawn("escape", "e03")) == "not_in_the_box"
    state = act(state, Drawn("escape", "e08"))
    assert GAME.to_act(state) == (seat,)
    assert GAME.moves(state) == (m.KeepPlan("e03"), m.KeepPlan("e08"))
    assert refused(state, m.KeepPlan("e01")) == "plan_not_drawn"
    assert refused(state, m.Declare()) == "keep_a_plan"
    state = act(state, m.KeepPlan("e08"))
    assert state.plan == "e08"


def test_r16_at_the_table_the_escape_card_is_in_scofields_hand():
    state = act(casting(secrets="table"), *(m.Choose(leader) for leader in BOX.people[:4]))
    assert state.plan == "unknown"
    assert task(state) == "announcing"


def test_r17_an_escape_card_has_externals_a_route_with_an_exit_and_a_perimeter():
    plan = BOX.plans["e07"]
    assert [BOX.people[who] for who in plan.externals] == ["pope", "tancredi"]
    assert [BOARD.places[n] for n in plan.route] == ["cells", "yard", "storeroom", "chapel"]
    assert plan.exit == 1 << BOARD.index["chapel"]
    assert (plan.device, plan.number) == (1, 5)


def test_r18_scofield_tells_which_externals_his_card_names():
    state = act(casting(), *(m.Choose(leader) for leader in BOX.people[:4]))
    state = act(state, Drawn("escape", "e03"), Drawn("escape", "e08"), m.KeepPlan("e08"))
    assert GAME.moves(state) == (m.Announce(("pope", "donovan")),)
    assert refused(state, m.Announce(("pope", "tancredi"))) == "not_on_the_plan"
    assert GAME.closes_undo(state, GAME.moves(state)[0])
    assert GAME.view(act(state, *GAME.moves(state)), None)["wanted"] == ["pope", "donovan"]


def test_r18_at_the_table_any_pair_that_a_card_names_may_be_told():
    state = act(casting(secrets="table"), *(m.Choose(leader) for leader in BOX.people[:4]))
    pairs = {move.externals for move in listed(state, m.Announce)}
    assert pairs == {("pope", "tancredi"), ("pope", "donovan"), ("tancredi", "donovan")}


@pytest.mark.parametrize("secrets", SECRETS)
@pytest.mark.parametrize(
    ("die", "wishes"),
    [
        (1, ("money", "medicine", "letter")),
        (4, ("evidence", "money", "key")),
        (6, ("medicine", "cigarettes", "money")),
    ],
)
def test_s32_r19_the_die_selects_what_every_external_wants(die, wishes, secrets):
    state = begun(wish=die, secrets=secrets)
    wanted = GAME.view(state, None)["wishes"]
    assert tuple(wanted[who] for who in ("pope", "tancredi", "donovan")) == wishes
    assert len(set(wishes)) == 3


def test_r20_scofield_plays_first_then_his_left_neighbour():
    state = casting(4, 1, 6, 2, 3)
    for leader in ("sucre", "scofield", "bagwell", "abruzzi"):  # seats 1, 2, 3, 0
        state = act(state, m.Choose(leader))
    state = act(state, Drawn("escape", "e01"), Drawn("escape", "e02"), m.KeepPlan("e01"))
    state = rolled(act(state, *GAME.moves(state)), 4)
    seats = []
    for _ in range(5):
        seats += GAME.to_act(state)
        state = act(state, m.RaiseGuilt(), m.LowerGuilt())
    assert seats == [2, 3, 0, 1, 2]


def test_only_chance_rolls_and_only_a_die_that_exists():
    state = GAME.new(NAMES[:3])
    assert GAME.to_act(state) == (CHANCE,)
    assert refused(state, Rolled("die", 7)) == "roll_awaited"
    assert refused(state, Rolled("red", 3)) == "roll_awaited"
    assert refused(state, Rolled("die", 3), seat=0) == "not_your_turn"


def test_the_box_is_whole():
    tokens = unpack(BOX.tokens.rest)
    assert tokens.count("blank") == 3
    assert all(tokens.count(kind) == 2 for kind in BOX.kinds)

"""Who knows what: the plan, tokens, cards; and what the eliminated player keeps in memory only."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn, encode
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import GAME, act, begun, draw, scene, task

BOTH = ("pope", "tancredi")


def test_r16_the_plan_is_scofields_until_phase_two():
    state = begun(plan="e03")
    assert GAME.view(state, 0)["plan"]["id"] == "e03"
    assert GAME.view(state, 0)["plan"]["perimeter"] == "camera_3"
    for other in (None, 1, 2, 3):
        assert GAME.view(state, other)["plan"] is None
        assert b"e03" not in encode(GAME.view(state, other))


def test_r41_in_phase_two_the_prisoners_know_it_and_bellick_does_not():
    state = act(scene(harm=True, team=BOTH), m.Declare())
    for _ in range(4):
        state = GAME.play(state, m.Vote(2))
    assert GAME.closes_undo(act(scene(harm=True, team=BOTH), m.Declare()), m.Vote(2)) is False
    for prisoner in (0, 1, 3):
        assert GAME.view(state, prisoner)["plan"]["id"] == "e01"
    for other in (None, 2):
        assert GAME.view(state, other)["plan"] is None


def test_what_the_eliminated_player_learnt_is_not_on_his_page_any_more():
    state = scene(turn="abruzzi", where={"abruzzi": "z1_4"}, ground={"laundry": "key"}, team=BOTH)
    state = act(state, m.Walk("laundry"), m.Search(), m.Leave())
    assert GAME.view(state, 2)["ground"]["laundry"] == "key"
    assert GAME.view(state, 2)["hands"] == {"abruzzi": []}
    while task(state) != "turn" or state.todo[0].who != 0:
        state = act(state, *(m.RaiseGuilt(),) * state.todo[0].harm, m.LowerGuilt())
    state = act(state, m.Declare(), *(m.Vote(2),) * 4)
    assert state.bellick == 2
    assert GAME.view(state, 2)["ground"]["laundry"] == "unknown"
    assert GAME.view(state, 2)["hands"] == {}
    assert GAME.view(state, 2)["kept"] == {}


def test_hands_and_kept_cards_are_their_owners():
    state = scene(
        phase=2,
        hands={"sucre": ("key",), "pope": ("money",)},
        kept={"abruzzi": ("c07",), "tancredi": ("c03",)},
    )
    scofield = GAME.view(state, 0)
    assert scofield["hands"]["pope"] == ["money"]
    assert scofield["kept"]["tancredi"] == ["c03"]
    assert "sucre" not in scofield["hands"]
    assert GAME.view(state, 1)["hands"] == {"sucre": ["key"]}
    assert GAME.view(state, 2)["kept"] == {"abruzzi": ["c07"]}
    public = GAME.view(state, None)
    assert (public["hands"], public["kept"]) == ({}, {})
    assert public["people"]["sucre"]["objects"] == 1
    assert public["people"]["abruzzi"]["cards"] == 1


def test_a_drawn_chance_card_is_for_the_drawers_eyes():
    state = act(scene(harm=True, turn="sucre"), m.DrawCard())
    assert GAME.chance(state).sees is None
    assert GAME.chance(state).parts[0].id == "cards"
    state = act(state, Drawn("cards", "chance"))
    assert GAME.chance(state).sees == (1,)
    state = act(state, Drawn("chance", "c07"))
    assert GAME.view(state, 1)["drawn"] == ["c07"]
    assert "drawn" not in GAME.view(state, 0)
    assert "Second wind" in GAME.prompt(state, 1).en
    assert "Second wind" not in GAME.prompt(state, 0).en
    assert "Second wind" not in GAME.told(state, m.KeepCard(), 1, 0).en
    assert "Second wind" in GAME.told(state, m.KeepCard(), 1, 1).en


def test_the_log_of_a_look_tells_others_only_that_he_looked():
    state = scene(where={"scofield": "z1_4"})
    state = act(state, m.Walk("laundry"), m.Search())
    drawn = Drawn("tokens", "key")
    assert "key" in GAME.told(state, drawn, -1, 0).en
    assert GAME.told(state, drawn, -1, 1) == GAME.told(state, Drawn("tokens", "money"), -1, 1)


@pytest.mark.parametrize("to", [None, 1])
def test_secret_moves_read_alike_to_others(to):
    state = scene(
        where={"scofield": "z1_4"},
        ground={"laundry": "medicine"},
        hands={"scofield": ("key", "letter", "money")},
    )
    state = act(state, m.Walk("laundry"), m.Search())
    one, other = m.Take("key"), m.Take("letter")
    assert GAME.secret(state, one, 0)
    assert GAME.told(state, one, 0, to) == GAME.told(state, other, 0, to)
    assert GAME.told(state, one, 0, 0) != GAME.told(state, other, 0, 0)


def test_whether_somebody_could_recruit_or_bribe_is_not_to_be_seen():
    """The square alone decides whether he is asked; the hand decides what he may do."""
    for kind in ("evidence", "money"):
        state = scene(
            turn="abruzzi",
            where={"abruzzi": "z1_2"},
            hands={"abruzzi": (kind,)},
            ground={"warden_office": ""},
        )
        state = act(state, m.Walk("warden_office"))
        assert task(state) == "follow_up"
        assert (m.Recruit("pope") in GAME.moves(state)) == (kind == "evidence")


def test_a_third_hand_sees_an_object_change_hands_but_not_which():
    state = scene(
        where={"scofield": "z1_1", "sucre": "z1_2"}, hands={"scofield": ("key",)}, trade=True
    )
    state = act(state, m.Walk("z1_2"))
    give = m.Give("key", "sucre")
    assert "key" in GAME.told(state, give, 0, 1).en
    assert "key" not in GAME.told(state, give, 0, 2).en
    assert GAME.secret(state, give, 0)
    assert GAME.closes_undo(state, give)


def test_what_brings_something_out_closes_the_undo():
    state = scene(harm=True, hands={"scofield": ("key",)}, kept={"scofield": ("c03",)}, guilt=3)
    assert GAME.closes_undo(state, m.LoseObject("key"))
    assert GAME.closes_undo(state, m.UseCard("c03"))
    assert not GAME.closes_undo(state, m.RaiseGuilt())
    assert not GAME.closes_undo(state, m.DrawCard())
    assert GAME.closes_undo(act(state, m.DrawCard()), Drawn("cards", "h14"))


def test_at_the_table_views_show_counts_only():
    state = scene(secrets="table", hands={"sucre": ("key",)}, kept={"sucre": ("c03",)}, plan="e03")
    assert GAME.view(state, 1)["hands"] == {"sucre": ["unknown"]}
    assert GAME.view(state, 1)["kept"] == {"sucre": ["unknown"]}
    assert GAME.view(state, 0)["plan"] is None
    assert draw(act(begun(secrets="table"), m.DrawCard()), "c03").todo[-1].card == "unknown"

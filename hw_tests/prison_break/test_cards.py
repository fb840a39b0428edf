"""Handicap and chance cards: drawing, what each does, keeping and using (R7, R8, R22)."""

from __future__ import annotations

import pytest

from game_logic.core import Drawn
from game_logic.pile import unpack
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOX,
    GAME,
    act,
    at,
    draw,
    in_team,
    legal,
    listed,
    refused,
    rolled,
    scene,
    task,
    to_act,
    turn_of,
)


def drawing(state, card: str):
    return draw(act(state, m.DrawCard()), card)


# -- the pile (R7, A3) ---------------------------------------------------------------------------


def test_r7_a3_a_card_is_active_until_the_next_one_is_drawn(stage):
    state = drawing(stage(harm=True), "h14")
    assert (state.active, state.discard) == ("h14", ())
    state = drawing(act(state, m.LowerGuilt()), "h20")
    assert (state.active, state.discard) == ("h20", ("h14",))
    state = drawing(act(state, m.LowerGuilt()), "h15")
    assert (state.active, state.discard) == ("h15", ("h14", "h20"))


def test_r7_a_card_that_is_out_cannot_be_drawn(stage):
    state = act(stage(harm=True, active="h20"), m.DrawCard())  # there is one of it
    assert refused(state, Drawn("cards", "h20")) == "not_in_the_box"
    assert refused(state, Drawn("tokens", "key")) == "draw_awaited"


def test_r7_an_empty_pile_is_reshuffled(stage):
    every = list(unpack(BOX.deck.rest))
    every.remove("h20")
    state = stage(harm=True, active="h20", discard=tuple(every))
    assert len(state.pile) == 0
    state = act(state, m.DrawCard())
    assert len(state.pile) == 54
    state = draw(state, "h14")
    assert state.discard == ("h20",)
    assert len(state.pile) == 53


def test_a3_kept_cards_are_not_reshuffled(stage):
    every = list(unpack(BOX.deck.rest))
    for card in ("h20", "c03", "c04"):
        every.remove(card)
    state = stage(harm=True, active="h20", discard=tuple(every), kept={"sucre": ("c03", "c04")})
    state = act(state, m.DrawCard())
    assert GAME.view(state, None)["pile"] == 52


def test_r22_the_chances_of_a_draw_are_those_of_the_pile(stage):
    state = act(stage(harm=True, kept={"sucre": ("c03",)}, discard=("h12",)), m.DrawCard())
    odds = {move.card: weight for move, weight in GAME.chance(state).parts[0].odds}
    assert odds["h12"] == 3
    assert odds["chance"] == 17
    assert sum(odds.values()) == 53


# -- handicaps -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "guards"), [("h12", 1), ("h13", 2)])
def test_reinforcements_come_by_the_die(stage, card, guards):
    state = drawing(stage(harm=True), card)
    for n in range(guards):
        assert task(state) == "guard_roll"
        state = act(rolled(state, n + 1), m.PlaceGuard("key", f"z{n + 1}_1"))
    assert len(state.guards) == guards
    assert (task(state), turn_of(state)) == ("turn", "scofield")


@pytest.mark.parametrize(("card", "guilt"), [("h14", 1), ("h15", 2)])
def test_suspicion_and_interrogation_raise_guilt(stage, card, guilt):
    assert drawing(stage(harm=True), card).guilt == guilt


def test_a_cell_search_takes_an_object_of_the_drawers_choice(stage):
    state = drawing(stage(harm=True, hands={"scofield": ("key", "letter")}), "h16")
    assert (task(state), to_act(state)) == ("losing", "scofield")
    assert refused(state, m.RaiseGuilt()) == "lose_an_object"
    assert refused(state, m.LoseObject("blank")) == "object_not_held"
    state = act(state, m.LoseObject("key"))
    assert (state.gone, state.guilt) == (("key",), 0)


def test_a_cell_search_that_finds_nothing_raises_guilt(stage):
    assert drawing(stage(harm=True), "h16").guilt == 1


def test_work_duty_costs_the_drawers_next_turn(stage):
    state = drawing(stage(harm=True), "h17")
    assert turn_of(state) == "scofield"  # this one goes on
    assert state.skips[0] == 1


def test_solitary_sends_the_drawer_to_isolation(stage):
    assert at(drawing(stage(harm=True), "h18"), "scofield") == "isolation"


def test_a51_who_is_in_isolation_stays_there(stage):
    state = drawing(stage(harm=True, where={"scofield": "isolation"}), "h18")
    assert (at(state, "scofield"), state.guilt) == ("isolation", 0)


def test_a51_if_isolation_is_full_guilt_rises_instead(stage):
    crowd = {"sucre": "isolation", "abruzzi": "isolation"}
    state = drawing(stage(harm=True, where=crowd), "h18")
    assert (at(state, "scofield"), state.guilt) == ("cells_1", 1)
    state = drawing(stage(harm=True, where=crowd), "h19")
    assert (at(state, "burrows"), state.guilt) == ("cells_3", 1)


def test_a51_no_mark_is_left_by_a_card(stage):
    state = drawing(stage(harm=True, phase=2), "h18")
    assert (task(state), state.route) == ("turn", ())


@pytest.mark.parametrize("joined", [False, True])
def test_s27_lincoln_is_moved_to_isolation_and_stays_in_the_team(stage, joined):
    team = ("burrows",) if joined else ()
    state = drawing(stage(harm=True, phase=2, team=team), "h19")
    assert at(state, "burrows") == "isolation"
    assert in_team(state, "burrows") == joined


def test_s27_in_phase_one_too(stage):
    assert at(drawing(stage(harm=True), "h19"), "burrows") == "isolation"


@pytest.mark.parametrize(
    ("where", "guilt"), [({}, 0), ({"sucre": "z1_1"}, 1), ({"burrows": "z1_1"}, 0)]
)
def test_roll_call_counts_team_members_in_zones(stage, where, guilt):
    assert drawing(stage(harm=True, where=where), "h22").guilt == guilt


# -- Bellick draws (A25) -------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["h16", "h17", "h18"])
def test_a25_bellick_names_the_drawer(stage, card):
    state = stage(phase=2, turn="bellick", hands={"sucre": ("key",)})
    state = drawing(state, card)
    assert (task(state), to_act(state)) == ("naming", "bellick")
    named = {move.person for move in listed(state, m.NameDrawer)}
    assert named == {"scofield", "sucre", "abruzzi", "pope", "tancredi"}
    assert refused(state, m.NameDrawer("burrows")) == "not_in_the_team"
    assert refused(state, m.NameDrawer("nobody")) == "not_in_the_team"
    assert refused(state, m.LowerGuilt()) == "name_the_drawer"
    state = act(state, m.NameDrawer("sucre"))
    if card == "h16":
        assert to_act(state) == "sucre"
    assert (state.skips[1], at(state, "sucre")) == {
        "h16": (0, "cells_1"),
        "h17": (1, "cells_1"),
        "h18": (0, "isolation"),
    }[card]


def test_a25_a_chance_card_does_nothing_for_bellick(stage):
    state = act(stage(phase=2, turn="bellick", guilt=5), m.DrawCard(), Drawn("cards", "chance"))
    assert GAME.chance(state).sees is None  # it goes face up on the discard
    state = act(state, Drawn("chance", "c03"))
    assert (state.guilt, state.discard) == (5, ("c03",))
    assert turn_of(state) == "pope"


def test_a25_bellick_places_the_guards_of_his_card(stage):
    state = rolled(drawing(stage(phase=2, turn="bellick"), "h12"), 2)
    assert to_act(state) == "bellick"
    assert turn_of(act(state, m.PlaceGuard("key", "z2_1"))) == "pope"


# -- chance cards (R8, A29) ----------------------------------------------------------------------


def test_r8_a_chance_card_may_be_used_at_once(stage):
    state = drawing(stage(harm=True, guilt=5), "c03")
    assert refused(state, m.LowerGuilt()) == "use_or_keep"
    state = act(state, m.UseCard("c03"))
    assert (state.guilt, state.discard, state.active) == (3, ("c03",), "")


def test_r8_a29_or_kept_and_used_later(stage):
    state = act(drawing(stage(harm=True, guilt=5), "c03"), m.KeepCard())
    assert len(state.kept[0]) == 1
    assert legal(state, m.UseCard("c03"))
    state = act(state, m.UseCard("c03"))
    assert (state.guilt, state.kept[0]) == (3, ())
    assert (task(state), turn_of(state)) == ("turn", "scofield")  # it is free


def test_r8_only_the_card_that_was_drawn():
    state = drawing(scene(harm=True, guilt=5), "c03")
    assert refused(state, m.UseCard("c07")) == "card_not_drawn"


def test_r8_at_the_table_a_used_card_is_named_and_must_be_in_the_box():
    spent = ("c03", "c03", "c03")
    state = drawing(scene(harm=True, guilt=5, secrets="table", discard=spent), "c07")
    assert refused(state, m.UseCard("c03")) == "card_not_drawn"
    assert legal(state, m.UseCard("c07"))
    kept = act(state, m.KeepCard())
    assert kept.kept[0] == ("unknown",)
    assert refused(kept, m.UseCard("c03")) == "card_not_kept"


def test_a29_no_limit_to_kept_cards_and_none_that_one_has_not(stage):
    state = stage(kept={"scofield": ("c01", "c02", "c03", "c03", "c04")}, guilt=9)
    state = act(state, m.UseCard("c03"), m.UseCard("c03"))
    assert state.guilt == 5
    assert refused(stage(guilt=9), m.UseCard("c03")) == "card_not_kept"
    assert refused(stage(guilt=9), m.UseCard("h14")) == "card_not_kept"


@pytest.mark.parametrize(("card", "left"), [("c01", (0, 3)), ("c02", (2, 0))])
def test_camera_failure_and_burnt_out_lamp(stage, card, left):
    state = stage(kept={"scofield": (card,)}, lit=(2, 3), where={"tancredi": "z1_1"})
    assert act(state, m.UseCard(card)).lit == left
    dark = stage(kept={"scofield": (card,)})
    assert refused(dark, m.UseCard(card)) == "nothing_on"


def test_good_conduct_needs_guilt(stage):
    state = stage(kept={"scofield": ("c03",)})
    assert refused(state, m.UseCard("c03")) == "no_guilt"
    assert act(stage(kept={"scofield": ("c03",)}, guilt=1), m.UseCard("c03")).guilt == 0


def test_the_short_cut_needs_a_move_to_come(stage):
    state = act(stage(kept={"scofield": ("c04", "c04")}), m.UseCard("c04"))
    assert refused(state, m.UseCard("c04")) == "no_walk_left"


def test_a_favour_sends_a_guard_away_without_an_object(stage):
    state = stage(
        kept={"scofield": ("c05",)}, where={"scofield": "z1_2"}, guards=(("key", "z1_2"),)
    )
    assert refused(state, m.UseCard("c05")) == "which_guard"
    assert refused(state, m.UseCard("c05", "money")) == "no_such_guard_here"
    state = act(state, m.UseCard("c05", "key"))
    assert (state.guards, state.gone) == ((), ())


def test_a29_a_diversion_is_for_contact_only(stage):
    state = stage(kept={"scofield": ("c06",)})
    assert refused(state, m.UseCard("c06")) == "only_on_contact"


def test_a_guard_is_named_for_a_favour_only(stage):
    state = stage(kept={"scofield": ("c03",)}, guilt=4)
    assert refused(state, m.UseCard("c03", "key")) == "which_guard"


def test_second_wind_gives_a_second_escape_action(stage):
    state = act(stage(kept={"scofield": ("c07",)}, guilt=4), m.UseCard("c07"))
    state = act(state, m.LowerGuilt())
    assert turn_of(state) == "scofield"
    assert turn_of(act(state, m.LowerGuilt())) == "sucre"


def test_second_wind_is_for_ones_own_turn(stage):
    state = stage(phase=2, turn="bellick", guards=(("key", "z1_1"),), where={"sucre": "z1_2"})
    state = act(state, m.Patrol("key", "z1_1", "z1_2"))
    state = drawing(state, "c07")
    assert refused(state, m.UseCard("c07")) == "only_on_own_turn"
    assert act(state, m.KeepCard()).kept[1] != ()


def test_second_wind_drawn_on_the_last_step_still_counts(stage):
    state = stage(where={"scofield": "z1_1"}, guards=(("key", "z1_2"),))
    state = drawing(act(state, m.Walk("z1_2")), "c07")
    state = act(state, m.UseCard("c07"))
    assert (task(state), turn_of(state)) == ("turn", "scofield")


def test_a49_second_wind_for_an_external(stage):
    state = stage(phase=2, turn="pope", kept={"pope": ("c07",)})
    state = act(state, m.UseCard("c07"), m.LowerGuilt())
    assert turn_of(state) == "pope"
    assert turn_of(act(state, m.LowerGuilt())) == "tancredi"


def test_a_tip_shows_two_tokens_to_one_seat():
    state = scene(kept={"scofield": ("c08",)}, ground={"parloir": "key"})
    state = act(state, m.UseCard("c08"))
    assert refused(state, m.LowerGuilt()) == "peek_first"
    assert refused(state, m.Peek("z1_1")) == "nothing_to_peek_at"
    state = act(state, m.Peek("parloir"))
    assert GAME.view(state, 0)["ground"]["parloir"] == "key"
    assert GAME.view(state, 1)["ground"]["parloir"] == "unknown"
    assert refused(state, m.Peek("parloir")) == "nothing_to_peek_at"  # two different ones
    state = act(state, m.Peek("library"))
    assert GAME.chance(state).sees == (0,)
    state = act(state, Drawn("tokens", "blank"))
    assert GAME.view(state, 0)["ground"]["library"] == "blank"
    assert (task(state), state.ground.count("")) == ("turn", 0)


def test_a_tip_at_the_table_is_looked_at_by_hand():
    state = scene(kept={"scofield": ("c08",)}, secrets="table")
    state = act(state, m.UseCard("c08"), m.Peek("parloir"), m.Peek("library"))
    assert (task(state), len(state.bag)) == ("turn", 15)


def test_a_tip_needs_tokens(stage):
    spaces = {BOX.board.squares[n]: "" for n in BOX.spaces}
    state = stage(kept={"scofield": ("c08",)}, ground=spaces)
    assert refused(state, m.UseCard("c08")) == "no_tokens"
    one = stage(kept={"scofield": ("c08",)}, ground=spaces | {"chapel": "key"})
    assert task(act(one, m.UseCard("c08"), m.Peek("chapel"))) == "turn"


def test_cards_may_be_used_between_move_and_search(stage):
    state = stage(kept={"scofield": ("c03",)}, guilt=4, where={"scofield": "z1_4"})
    state = act(state, m.Walk("laundry"))
    assert legal(state, m.UseCard("c03"))
    state = act(state, m.UseCard("c03"))
    assert (state.guilt, task(state)) == (2, "follow_up")
    assert refused(state, m.UseCard("c03")) == "card_not_kept"


def test_a38_a_chance_card_is_never_active(stage):
    state = act(drawing(stage(harm=True, active="h20"), "c07"), m.UseCard("c07"))
    assert state.active == ""
    assert legal(state, m.Walk("z1_1"))  # the lockdown is over

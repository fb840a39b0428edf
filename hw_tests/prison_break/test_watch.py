"""Cameras and towers: on, off, overridden, out of order; and those who must leave (R43–R48)."""

from __future__ import annotations

import pytest

from firmware_host.sighting import Grade, Sighting, Sightings, all_seen
from firmware_host.tracker import Found
from game_logic.core import Drawn, play_all
from game_logic.prison_break import moves as m
from hw_tests.prison_break.scene import (
    BOARD,
    BOX,
    GAME,
    act,
    at,
    draw,
    listed,
    refused,
    rolled,
    scene,
    task,
    to_act,
    turn_of,
    walks,
)
from hw_tests.verdict import verdict


def drawing(state, card: str):
    return draw(act(state, m.DrawCard()), card)


# -- on and off ----------------------------------------------------------------------------------


def test_r44_bellick_lights_one_camera_and_one_tower_at_most(stage):
    state = stage(turn="bellick", phase=2, lit=(2, 3))
    state = act(state, m.SwitchOn("camera_4"))
    assert state.lit == (4, 3)
    image = GAME.image(state)
    assert image["camera_4"][0].kind == "camera_on"
    assert image["tower_3"][0].kind == "tower_on"
    assert "camera_2" not in image


def test_a39_bellick_cannot_light_what_is_lit_or_does_not_exist(stage):
    state = stage(turn="bellick", phase=2, lit=(2, 3))
    assert refused(state, m.SwitchOn("camera_2")) == "already_on"
    assert refused(state, m.SwitchOn("tower_6")) == "no_such_device"


def test_a45_what_bellick_lit_stays_on(stage):
    state = act(stage(turn="bellick", phase=2), m.SwitchOn("tower_3"))
    state = act(state, m.LowerGuilt(), m.LowerGuilt())  # Pope, Tancredi; another day
    state = drawing(state, "h14")
    assert state.lit == (0, 3)


def test_s5_r47_a_card_overrides_bellick(stage):
    state = stage(phase=2, harm=True, lit=(0, 3))
    state = drawing(state, "h08")
    assert (state.lit, state.by_card) == ((0, 2), (False, True))
    bellick = stage(phase=2, turn="bellick", lit=(0, 2), by_card=(False, True), active="h08")
    state = act(bellick, m.SwitchOn("tower_3"))  # on his own turn he may again
    assert (state.lit, state.by_card) == ((0, 3), (False, False))


def test_s6_a39_a_card_does_not_light_what_is_out_of_order(stage):
    state = drawing(stage(phase=2, harm=True, broken=(2, 0), lit=(5, 0)), "h02")
    assert state.lit == (5, 0)  # the token stays where it is
    assert state.active == "h02"


def test_a39_a_card_that_names_what_bellick_lit_leaves_it_his(stage):
    state = drawing(stage(phase=2, harm=True, lit=(2, 0), where={"tancredi": "z2_8"}), "h02")
    assert (state.lit, state.by_card) == ((2, 0), (False, False))


def test_s40_a4_the_token_goes_back_to_bellick_with_the_next_card(stage):
    state = drawing(stage(phase=2, harm=True, lit=(5, 0), where={"tancredi": "z2_8"}), "h02")
    assert (state.lit, state.by_card) == ((2, 0), (True, False))
    state = act(state, m.LowerGuilt())
    state = drawing(state, "h14")
    assert (state.lit, state.by_card) == ((0, 0), (False, False))


def test_a4_option_what_a_card_lit_stays_until_it_is_moved():
    state = scene(phase=2, harm=True, where={"tancredi": "z2_8"}, card_surveillance="until_moved")
    state = act(drawing(state, "h02"), m.LowerGuilt())
    state = drawing(state, "h14")
    assert state.lit == (2, 0)


def test_s35_a38_a_kept_chance_card_ends_the_active_card(stage):
    state = stage(harm=True, lit=(3, 0), by_card=(True, False), active="h03")
    state = act(drawing(state, "c03"), m.KeepCard())
    assert state.lit == (0, 0)
    assert state.active == ""
    assert "h03" in state.discard


def test_a38_bellicks_draw_ends_the_active_card_too(stage):
    state = stage(phase=2, turn="bellick", lit=(3, 0), by_card=(True, False), active="h03")
    assert drawing(state, "h14").lit == (0, 0)


def test_r37_a_token_that_a_card_has_placed_stays_until_the_card_ends(stage):
    state = stage(
        team=("pope", "tancredi"), lit=(3, 0), by_card=(True, False), active="h03", harm=True
    )
    state = act(state, m.Declare(), *(m.Vote(1) for _ in range(4)))
    assert (state.phase, state.lit) == (2, (3, 0))


# -- those who must leave (R48) ------------------------------------------------------------------


def test_s19_r48a_r48c_from_a_building_to_the_one_of_the_die(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "infirmary", "tancredi": "z1_1"})
    state = act(state, m.SwitchOn("camera_2"))
    assert (task(state), to_act(state)) == ("expulsion", "chance")
    state = rolled(state, 2)
    assert task(state) == "expulsion"  # watched: again
    state = rolled(state, 4)
    assert at(state, "abruzzi") == "workshop"


def test_s20_r48b_from_a_zone_a_six_leads_to_any_white_room(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "z3_5"})
    state = rolled(act(state, m.SwitchOn("tower_3")), 6)
    assert (task(state), to_act(state)) == ("refuge", "abruzzi")
    assert {move.to for move in listed(state, m.Flee)} == {
        BOARD.squares[n] for n in range(61) if BOARD.white >> n & 1
    }
    assert refused(state, m.Flee("z1_1")) == "no_refuge"
    assert refused(state, m.Flee("z9_1")) == "no_such_square"
    assert refused(state, m.LowerGuilt()) == "flee_first"
    assert at(act(state, m.Flee("chapel")), "abruzzi") == "chapel"


def test_s21_r48b_from_a_zone_to_a_door_square_of_the_zone_of_the_die(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "z3_5"})
    state = rolled(act(state, m.SwitchOn("tower_3")), 1)
    assert {move.to for move in listed(state, m.Flee)} == {"z1_1", "z1_2", "z1_4", "z1_6"}
    assert at(act(state, m.Flee("z1_4")), "abruzzi") == "z1_4"


def test_r48c_the_watched_zone_itself_is_rolled_again(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "z3_5"})
    state = rolled(act(state, m.SwitchOn("tower_3")), 3, 3)
    assert task(state) == "expulsion"
    assert task(rolled(state, 5)) == "refuge"


def test_r48_a_card_expels_in_phase_one_too(stage):
    state = drawing(stage(harm=True, where={"bagwell": "z4_5"}), "h10")
    assert task(state) == "expulsion"
    state = act(rolled(state, 2), m.Flee("z2_8"))
    assert at(state, "bagwell") == "z2_8"
    assert (task(state), turn_of(state)) == ("turn", "scofield")


def test_a21_a_full_building_is_rolled_again(stage):
    crowd = {"abruzzi": "infirmary", "tancredi": "workshop", "sucre": "workshop"}
    state = act(stage(phase=2, turn="bellick", where=crowd), m.SwitchOn("camera_2"))
    state = rolled(state, 4)
    assert task(state) == "expulsion"
    assert at(rolled(state, 1), "abruzzi") == "parloir"


def test_a21_a_full_door_square_is_not_to_be_chosen(stage):
    crowd = {"abruzzi": "z3_5", "tancredi": "z1_1", "sucre": "z1_1"}
    state = rolled(act(stage(phase=2, turn="bellick", where=crowd), m.SwitchOn("tower_3")), 1)
    assert {move.to for move in listed(state, m.Flee)} == {"z1_2", "z1_4", "z1_6"}


def test_a37_in_order_from_scofield_then_externals_then_lincoln(stage):
    crowd = {"burrows": "z3_1", "tancredi": "z3_1", "scofield": "z3_2", "sucre": "z3_3"}
    state = stage(phase=2, turn="bellick", where=crowd, team=("burrows",))
    state = act(state, m.SwitchOn("tower_3"))
    order = []
    while task(state) == "expulsion":
        order.append(BOX.people[state.todo[-1].who])
        state = rolled(state, 6)
        state = act(state, GAME.moves(state)[0])
    assert order == ["scofield", "sucre", "tancredi", "burrows"]


def test_a37_landing_on_a_guard_is_a_contact(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "z3_5"}, guards=(("key", "z1_4"),))
    state = act(rolled(act(state, m.SwitchOn("tower_3")), 1), m.Flee("z1_4"))
    assert (task(state), to_act(state)) == ("contact", "abruzzi")


def test_a37_who_finds_no_place_at_all_stays():
    """Only a riot of options can fill every refuge: here all camera rooms are full of guards."""
    rooms = ["parloir", "psychiatry", "workshop", "warden_office", "guards_room"]
    guards = tuple((BOX.kinds[n], room) for n, room in enumerate(rooms))
    guards += tuple((BOX.kinds[n], room) for n, room in enumerate(rooms))
    state = scene(
        phase=2,
        turn="bellick",
        where={"abruzzi": "infirmary", "pope": "z1_1", "tancredi": "z1_2"},
        guards=guards,
        guards_in_strategic=True,
        guards_per_square=2,
    )
    state = act(state, m.SwitchOn("camera_2"))
    assert at(state, "abruzzi") == "infirmary"
    assert task(state) == "turn"


def test_a37_a_light_that_goes_off_meanwhile_expels_nobody_more(stage):
    """The first one out meets a guard, draws, and so ends the card that lit the tower."""
    crowd = {"scofield": "z3_2", "sucre": "z3_3"}
    state = drawing(stage(harm=True, where=crowd, guards=(("key", "z1_4"),)), "h09")
    state = act(rolled(state, 1), m.Flee("z1_4"), m.DrawCard(), Drawn("cards", "h14"))
    assert at(state, "sucre") == "z3_3"
    assert task(state) == "turn"


def test_a40_a_riot_does_not_bind_the_expelled(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "z3_5"}, active="h21")
    state = rolled(act(state, m.SwitchOn("tower_3")), 6)
    assert len(listed(state, m.Flee)) == 6


def test_a44_who_has_not_joined_is_not_expelled(stage):
    state = stage(phase=2, turn="bellick", where={"burrows": "z3_5"})
    state = act(state, m.SwitchOn("tower_3"))
    assert task(state) == "turn"
    assert at(state, "burrows") == "z3_5"


def test_r48_people_outside_are_left_alone(stage):
    state = stage(phase=2, turn="bellick", where={"abruzzi": "infirmary", "tancredi": "z1_1"})
    assert task(act(state, m.SwitchOn("tower_3"))) == "turn"  # the room is not the zone (R49)
    assert task(act(state, m.SwitchOn("camera_3"))) == "turn"


@pytest.mark.parametrize("camera", range(1, 7))
def test_a20_six_buildings_have_a_camera(camera):
    rooms = ["parloir", "infirmary", "psychiatry", "workshop", "warden_office", "guards_room"]
    room = rooms[camera - 1]
    assert BOARD.watched[0][camera] == 1 << BOARD.index[room]
    state = scene(
        phase=2, turn="bellick", where={"abruzzi": room, "tancredi": "z1_1", "pope": "z1_2"}
    )
    assert task(act(state, m.SwitchOn(f"camera_{camera}"))) == "expulsion"


def test_a20_cells_and_isolation_are_never_watched():
    every = [area for kind in BOARD.watched for area in kind]
    for room in ("cells", "isolation"):
        assert not any(area & BOARD.buildings[room] for area in every)


# -- at the table ---------------------------------------------------------------------------------


def test_who_flees_and_walks_on_in_one_go_is_not_asked_where_they_fled_to():
    """Where they stood in between has nothing on it any more, and does not matter."""
    state = rolled(drawing(scene(harm=True, turn="sucre", where={"sucre": "z4_5"}), "h10"), 2)
    fled = act(state, m.Flee("z2_8"))
    after = act(fled, m.Walk(min(walks(fled) - GAME.image(state).keys())))
    like = {space: Sighting(Grade.SOME) for space in GAME.spaces(state)}
    found = verdict(GAME, state, Sightings(all_seen(GAME.image(after), like)))
    assert isinstance(found, Found)
    assert play_all(GAME, state, found.acts) == after

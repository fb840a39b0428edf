"""Team mode (R51 to R58, A24 to A26, A45 to A48)."""

from __future__ import annotations

import pytest

from game_logic.core import Malformed
from game_logic.dig_your_way_out.moves import (
    Cooperate,
    Craft,
    Dig,
    Done,
    EndTurn,
    Exchange,
    Give,
    GiveCigarettes,
    Go,
    MoveMichel,
    Pass,
    PlayCard,
    PlayWeapon,
    Racket,
    Refuse,
    Rejoin,
    Reveal,
    Sneak,
    Walk,
)
from hw_tests.dig_your_way_out.prison import (
    GAME,
    NAMES,
    asks,
    beatings,
    can,
    cards,
    game_of,
    has,
    lay,
    play,
    quietly,
    roll,
    took,
    turn,
    why_not,
)


def teams(secrets="house", seats=4, **options):
    return game_of(seats, secrets=secrets, teams=True, **options)


def together(secrets, *hands, place="yard"):
    state = teams(secrets, len(hands))
    for seat, hand in enumerate(hands):
        state = lay(state, seat, place=place, hand=hand)
    return state


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_r51_teams_are_two_or_three_against_as_many(seats):
    with pytest.raises(Malformed, match="teams need 4 or 6 seats"):
        GAME.new(NAMES[:seats], {"teams": True})


def test_r51_a24_a45_blocks_and_seats(secrets):
    state = teams(secrets, 6)
    assert GAME.spaces(state)[:2] == ("cells_a", "cells_b")
    assert "cells" not in GAME.spaces(state)
    assert [p.place for p in state.prisoners] == ["cells_a", "cells_b"] * 3
    assert [p["team"] for p in GAME.view(state, None)["prisoners"]] == ["A", "B"] * 3


def test_r51_either_block_is_the_cells_for_search_and_dig(secrets):
    state = lay(teams(secrets), place="cells_b", hand="spoon")
    assert can(lay(state, place="cells_a"), Dig("spoon"))
    assert GAME.box.boards[True, True].search["cells_b"] == 1


@pytest.mark.parametrize(("seats", "goal"), [(4, 16), (6, 20)])
def test_r52_points_are_counted_per_team(seats, goal, secrets):
    state = teams(secrets, seats)
    state = lay(lay(state, 0, points=2, hand="spoon"), 2, points=goal - 3)
    tracks = GAME.tracks(state)
    assert [(t.id, t.value, t.maximum) for t in tracks[:2]] == [
        ("tunnel_a", goal - 1, goal),
        ("tunnel_b", 0, goal),
    ]
    over = GAME.outcome(play(state, Dig("spoon")))
    assert over.winners == tuple(range(0, seats, 2))
    assert "A (" in over.text.en


@pytest.mark.parametrize("face", [1, 2, 3])
def test_r53_faces_1_to_3_lead_to_both_blocks(face, secrets):
    state = play(lay(teams(secrets), place="yard"), Walk(), roll(face))
    goes = {move.place for move in GAME.moves(state) if isinstance(move, Go)}
    assert {"cells_a", "cells_b"} < goes
    assert len(goes) == 3


def test_r54_teammates_help_the_attacker_too(secrets):
    state = together(secrets, "shiv", "shiv spoon", "shiv", "")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, PlayWeapon("shiv"))
    assert asks(state) == ("racket_help", 2)  # the attacker has no card left
    state = quietly(play(state, PlayWeapon("shiv"), Pass()))
    state = quietly(play(state, Cooperate("spoon"))) if secrets == "table" else state
    assert beatings(state) == (0, 1, 0, 0)
    assert cards(state) == (1, 0, 0, 0)


def test_r54_helpers_of_the_losing_attacker_are_beaten_and_robbed(secrets):
    state = together(secrets, "shiv tie", "shiv shiv", "shiv cap", "")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, PlayWeapon("shiv"), Pass(), PlayWeapon("shiv"), PlayWeapon("shiv"))
    state = play(state, Pass(), Pass())
    state = quietly(state)
    state = took(state, 0, "tie")
    state = took(quietly(state), 2, "cap")
    assert beatings(state) == (1, 0, 1, 0)
    assert cards(state) == (0, 2, 0, 0)
    assert asks(state) == ("turn", 0)


def test_r54_who_only_stood_by_is_not_beaten(secrets):
    state = together(secrets, "shiv", "tie", "tie", "tie")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Pass())
    assert asks(state) == ("racket_help", 3)
    state = quietly(took(quietly(play(state, Pass())), 1, "tie"))
    assert beatings(state) == (0, 1, 0, 0)


def test_r54_only_teammates_in_the_same_place(secrets):
    state = lay(together(secrets, "shiv", "tie", "", "shiv"), 3, place="showers")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Pass())
    assert asks(state) == ("blow", 1)


def test_r55_craft_in_the_other_block_only(secrets):
    file = Craft("file_spoon", ("spoon",))
    state = lay(teams(secrets), place="cells_b", hand="spoon")
    assert can(state, file)
    assert why_not(lay(state, place="cells_a"), file) == "craft_own_block"


def test_r56_dig_in_ones_own_block_only(secrets):
    state = turn(lay(teams(secrets), 1, place="cells_a", hand="spoon"), seat=1)
    assert why_not(state, Dig("spoon")) == "dig_own_block"
    assert can(lay(state, 1, place="cells_b"), Dig("spoon"))


def test_r57_a47_exchange_of_cards_and_cigarettes(secrets):
    state = together(secrets, "tie tie", "", "spoon", "")
    state = lay(state, 2, cigarettes=3)
    state = play(state, Exchange(2))
    assert state.turn.actions == 1
    card = "tie" if secrets == "house" else ""
    state = play(state, Give(card), Done())
    assert asks(state) == ("trade", 2)
    card = "spoon" if secrets == "house" else ""
    state = play(state, Give(card), GiveCigarettes(2))
    assert why_not(state, GiveCigarettes(1)) == "too_many_cigarettes"
    state = play(state, Done())
    assert has(state, 0, "spoon tie")
    assert cards(state) == (2, 0, 1, 0)
    assert [p.cigarettes for p in state.prisoners] == [2, 0, 1, 0]
    assert asks(state) == ("turn", 0)


def test_r57_what_is_given_is_seen_by_the_two_only():
    state = play(together("house", "tie cap", "", "", ""), Exchange(2))
    assert GAME.secret(state, Give("tie"), 0)
    assert "tie" in GAME.told(state, Give("tie"), 0, 2).en
    for other in (1, 3, None):
        assert GAME.told(state, Give("tie"), 0, other) == GAME.told(state, Give("cap"), 0, other)
        views = [GAME.view(play(state, Give(card)), other) for card in ("tie", "cap")]
        assert views[0] == views[1]


def test_r57_only_with_a_teammate_in_the_same_place(secrets):
    state = together(secrets, "tie", "tie", "tie", "tie")
    assert why_not(state, Exchange(1)) == "not_teammate"
    assert why_not(lay(state, 2, place="showers"), Exchange(2)) == "target_away"
    assert why_not(together(secrets, "", "", "", ""), Exchange(2)) == "nothing_to_give"
    assert why_not(game_of(4, secrets=secrets), Exchange(2)) == "no_teams"


def test_r58_a48_to_a_teammate_of_the_same_gang(secrets):
    state = lay(teams(secrets), 0, gang="crew_1")
    state = lay(state, 2, gang="crew_2", place="yard")
    state = play(state, Rejoin("yard"))
    assert (state.prisoners[0].place, state.turn.actions) == ("yard", 1)
    assert why_not(state, Rejoin("yard")) == "same_place"
    assert why_not(lay(state, 2, place="solitary"), Rejoin("solitary")) == "not_solitary"
    assert why_not(lay(state, 2, place="showers"), Rejoin("infirmary")) == "no_comrade"


def test_r58_not_to_another_gang_or_team(secrets):
    state = lay(teams(secrets), 0, gang="crew_1")
    state = lay(lay(state, 2, gang="bikers_2", place="yard"), 1, gang="crew_2", place="showers")
    assert why_not(state, Rejoin("yard")) == "no_comrade"
    assert why_not(state, Rejoin("showers")) == "no_comrade"


def test_a25_the_named_tool_from_the_defender_and_a_card_from_each_helper(secrets):
    state = together(secrets, "shiv shiv shiv", "spoon cap", "", "shiv tie")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Pass(), PlayWeapon("shiv"), PlayWeapon("shiv"), Pass(), Pass())
    state = quietly(state)
    state = quietly(play(state, Cooperate("spoon"))) if secrets == "table" else quietly(state)
    state = took(quietly(state), 3, "tie")
    assert has(state, 0, "shiv spoon tie")
    assert cards(state) == (3, 1, 0, 0)


def test_a26_careful_moves_reach_both_blocks(secrets):
    state = lay(teams(secrets), place="yard")
    assert can(state, Sneak("cells_a"))
    assert can(state, Sneak("cells_b"))
    assert why_not(state, Sneak("solitary")) == "not_solitary"


def test_a45_every_other_player_means_every_opponent(secrets):
    state = together(secrets, "riot", "tie", "tie", "tie")
    state = play(state, PlayCard("riot"))
    asked = []
    while asks(state)[0] == "riot":
        asked.append(asks(state)[1])
        state = quietly(play(state, Pass()))
    assert asked == [1, 3]


def test_a45_one_chosen_player_may_be_a_teammate(secrets):
    state = play(together(secrets, "light_fingers", "", "tie", ""), PlayCard("light_fingers"))
    assert [move.target for move in GAME.moves(state)] == [2]


def test_a45_a_racket_needs_an_opponent(secrets):
    state = together(secrets, "shiv", "", "tie", "")
    assert why_not(state, Racket(2, "spoon")) == "target_teammate"


def test_a46_the_fighter_is_asked_first_then_teammates_clockwise(secrets):
    state = together(secrets, "shiv tie", "shiv", "tie", "shiv", "tie", "shiv")
    state = quietly(play(state, Racket(3, "spoon"), PlayWeapon("shiv"), Refuse()))
    order = []
    while asks(state)[0] in ("racket_fight", "racket_help"):
        order.append(asks(state)[1])
        state = play(state, Pass())
    assert order == [3, 5, 1]


def test_a46_the_gang_of_a_helper_does_not_act(secrets):
    state = lay(together(secrets, "shiv", "tie", "", "spike"), 3, gang="bratva_4")
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Pass())
    assert asks(state) == ("racket_help", 3)
    assert why_not(state, PlayWeapon("spike")) == "not_a_weapon"


def test_a46_nobody_helps_with_the_intimidation():
    state = together("house", "tie", "tie", "shiv", "tie")
    assert why_not(state, Racket(1, "spoon")) == "no_weapon"


def test_a46_the_lawyer_of_a_helper_works_against_his_own_beating(secrets):
    state = together(secrets, "shiv shiv", "", "", "shiv")
    state = lay(state, 3, passive="p16") if secrets == "house" else state
    state = quietly(play(state, Racket(1, "spoon"), PlayWeapon("shiv"), Refuse()))
    state = play(state, Pass(), PlayWeapon("shiv"), PlayWeapon("shiv"))
    state = play(state, Pass())  # the defender takes his beating
    assert asks(state) == ("blow", 3)
    state = play(state, Reveal("p16"))
    assert beatings(state) == (0, 1, 0, 0)


def test_a48_michel_may_go_to_either_block(secrets):
    state = play(teams(secrets, michel="michel"), MoveMichel(), roll(3))
    assert {move.place for move in GAME.moves(state)} == {"cells_a", "cells_b"}


def test_a49_teams_share_the_points_at_the_turn_limit(secrets):
    state = teams(secrets, turn_limit=1)
    state = play(lay(lay(state, 1, points=2), 2, points=1), EndTurn())
    assert GAME.outcome(state).winners == (1, 3)

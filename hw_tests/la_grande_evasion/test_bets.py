"""Set-up, bets and scoring: R1–R5, R23, R24, A14, A15, A23, S20–S22."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game_logic.core import CHANCE, Act, Drawn, encode, play_all
from game_logic.la_grande_evasion.moves import Advance, Bet, Erase, Lock, Take
from hw_tests.la_grande_evasion.scene import (
    COLOURS,
    GAME,
    NAMES,
    bet,
    go,
    refused,
    scene,
    standing,
    start,
    throw,
)

FORECAST = "red blue yellow orange brown light_green dark_green"


def test_r1_the_seven_pawns_wait_at_the_seven_windows():
    state = GAME.new(NAMES[:2])
    assert [standing(state, f"window_{n}") for n in range(7)] == list(COLOURS)


@pytest.mark.parametrize("seats", range(2, 7))
def test_r2_all_seven_pawns_play_whatever_the_number_of_players(seats):
    state = start(seats)
    assert sum(map(len, GAME.image(state).values())) == 7
    assert {move.die for move in GAME.moves(state)} == set(COLOURS)


def test_r3_a_bet_is_an_order_of_all_seven_colours():
    state = GAME.new(NAMES[:2])
    refused(state, Lock(), "bet_incomplete", "R3", seat=0)
    state = bet(state, 0, "red")
    refused(state, Bet("red"), "pawn_already_bet", "R3", seat=0)
    refused(state, Bet("purple"), "no_such_pawn", "R2", seat=0)
    state = bet(state, 0, FORECAST.removeprefix("red "))
    assert GAME.moves(state, 0) == (Lock(), Erase())


def test_r3_a_bet_can_be_given_whole():
    state = GAME.new(NAMES[:2])
    whole = [Act(1, Bet(colour)) for colour in FORECAST.split()] + [Act(1, Lock())]
    state = play_all(GAME, state, whole)
    assert GAME.view(state, 1)["bet"] == FORECAST.split()
    assert GAME.to_act(state) == (0,)


def test_r3_a_bet_can_be_changed_until_it_is_locked():
    state = GAME.new(NAMES[:2])
    refused(state, Erase(), "bet_empty", "R3", seat=0)
    state = bet(state, 0, FORECAST)
    state = GAME.play(GAME.play(state, Erase(), 0), Erase(), 0)
    state = bet(state, 0, "dark_green light_green")
    state = GAME.play(state, Lock(), 0)
    assert GAME.view(state, 0)["bet"][-2:] == ["dark_green", "light_green"]


def test_r3_a_locked_bet_cannot_be_changed():
    state = bet(GAME.new(NAMES[:2]), 0, FORECAST)
    assert GAME.closes_undo(state, Lock())
    state = GAME.play(state, Lock(), 0)
    for move in (Bet("red"), Erase(), Lock()):
        refused(state, move, "bet_locked", "R3", seat=0)
    state = start()
    for seat in range(4):
        refused(state, Erase(), "bet_locked", "R3", seat=seat)


def test_r3_a_bet_stays_hidden_until_scoring():
    ends = scene({29: "red", 4: "blue"}, "brown orange yellow light_green dark_green")
    one, other = (
        replace(ends, bets=(ends.bets[0], mine, *ends.bets[2:]))
        for mine in ((0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0))
    )
    for seat in (None, 0, 2, 3):
        assert encode(GAME.view(one, seat)) == encode(GAME.view(other, seat))
        assert GAME.view(one, seat)["bets"] == [None] * 4
    over = go(throw(one, red=1, blue=1), Advance("red"))
    assert GAME.view(over, None)["bets"][1] == list(COLOURS)


def test_r3_others_learn_that_a_bet_is_being_made_but_not_what_it_says():
    state = bet(GAME.new(NAMES[:2]), 0, "red")
    assert GAME.secret(state, Bet("blue"), 0)
    assert GAME.secret(state, Erase(), 0)
    assert not GAME.secret(state, Lock(), 0)
    for to in (None, 1):
        said = {GAME.told(state, move, 0, to) for move in (Bet("blue"), Bet("brown"), Erase())}
        assert len(said) == 1
    assert "blue" in GAME.told(state, Bet("blue"), 0, 0).en
    assert GAME.view(state, 1)["bet"] == []


def test_r4_a_player_may_look_at_his_own_bet_at_any_time():
    state = scene({5: "red"}, bets={2: FORECAST})
    for now in (state, throw(state, red=1, blue=2, brown=3)):
        assert GAME.view(now, 2)["bet"] == FORECAST.split()


def test_r5_the_start_square_lies_before_the_path():
    spaces = GAME.spaces(start())
    assert spaces[spaces.index("square_1") - 1] == "start"


def test_a14_the_first_player_is_drawn_by_lot_then_it_goes_clockwise():
    state = GAME.new(NAMES[:3])
    for seat in range(3):
        state = GAME.play(bet(state, seat, FORECAST), Lock(), seat)
    assert GAME.to_act(state) == (CHANCE,)
    assert GAME.chance(state).kind == "lot"
    refused(state, Take("red"), "lot_first", "A14", seat=0)
    refused(state, Drawn("first_player", "seat_3"), "no_such_lot", "A14", seat=CHANCE)
    state = GAME.play(state, Drawn("first_player", "seat_2"), CHANCE)
    players = []
    for _ in range(4):
        players += GAME.to_act(state)
        state = throw(state, red=1, blue=2, brown=3)
        state = go(state, Advance("brown"), Advance("blue"), Advance("red"))
    assert players == [2, 0, 1, 2]


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_a23_all_bets_are_locked_before_the_first_roll(secrets):
    state = GAME.new(NAMES[:2], {"secrets": secrets})
    refused(state, Take("red"), "bets_open", "A23", seat=0)
    for seat in (1, 0):
        assert GAME.to_act(state) == ((0, 1) if seat else (0,))
        if secrets == "house":
            state = bet(state, seat, FORECAST)
        state = GAME.play(state, Lock(), seat)
    assert GAME.to_act(state) == (CHANCE,)


def test_a23_equal_bets_are_allowed():
    state = start(2)
    assert GAME.view(state, 0)["bet"] == GAME.view(state, 1)["bet"]


def test_bets_on_paper_are_entered_at_scoring():
    state = GAME.new(NAMES[:2], {"secrets": "table"})
    assert GAME.moves(state, 0) == (Lock(),)
    refused(state, Bet("red"), "bet_on_paper", "R3", seat=0)
    refused(state, Erase(), "bet_on_paper", "R3", seat=0)

    state = scene(
        {29: "red", 4: "blue"},
        "brown orange yellow light_green dark_green",
        seats=2,
        secrets="table",
    )
    refused(state, Bet("red"), "bet_on_paper", "R3", seat=0)
    state = go(throw(state, red=1, blue=1), Advance("red"))
    assert state.phase == "scoring"
    assert GAME.outcome(state) is None
    refused(state, Take("red"), "scoring_now", "R23", seat=0)

    right = "brown orange yellow light_green dark_green red blue"
    state = bet(state, 1, right)
    assert GAME.view(state, None)["bets"][1] == right.split()  # the papers lie on the table
    assert not GAME.secret(state, Erase(), 1)
    state = GAME.play(state, Lock(), 1)
    refused(state, Erase(), "bet_locked", "R3", seat=1)
    state = GAME.play(bet(state, 0, FORECAST), Lock(), 0)
    assert GAME.outcome(state).scores[1] == 16
    assert GAME.outcome(state).winners == (1,)


@pytest.mark.parametrize("secrets", ["house", "table"])
def test_each_player_is_asked_for_what_is_left_to_bet(secrets):
    state = GAME.new(NAMES[:2], {"secrets": secrets})
    if secrets == "table":
        assert "on paper" in GAME.prompt(state, 0).en
    else:
        assert "place 1?" in GAME.prompt(state, 0).en
        state = bet(state, 0, FORECAST)
        assert "lock it" in GAME.prompt(state, 0).en
    assert GAME.prompt(state, None).en.endswith("waiting for Ana and Bo.")
    state = GAME.play(state, Lock(), 0)
    for to in (None, 0):
        assert GAME.prompt(state, to).en.endswith("waiting for Bo.")


# -- scoring --------------------------------------------------------------------------------------

FINAL = "brown orange blue yellow red light_green dark_green"


def scored(*bets):
    """The outcome of a race that ends as in S20."""
    state = scene(
        {29: "light_green", 3: "dark_green"},
        "brown orange blue yellow red",
        seats=max(2, len(bets)),
        bets=dict(enumerate(bets)),
    )
    over = go(throw(state, light_green=1, dark_green=1), Advance("light_green"))
    return GAME.outcome(over)


def test_s20_points_of_a_bet():
    assert scored("orange brown red blue yellow light_green dark_green").scores[0] == 11


def test_s21_a_perfect_bet_scores_sixteen():
    assert scored(FINAL).scores[0] == 16


def test_s22_the_seat_in_the_boat_does_not_matter():
    assert scored("orange brown yellow blue light_green red dark_green").scores[0] == 16


def test_r23_a_wrong_boat_scores_nothing():
    assert scored("dark_green light_green red yellow blue orange brown").scores[0] == 2  # yellow


def test_r24_most_points_win():
    outcome = scored("dark_green light_green red yellow blue orange brown", FINAL)
    assert outcome.scores == (2, 16)
    assert outcome.winners == (1,)
    assert outcome.reason == "most_points"


def test_a15_a_tie_is_a_shared_victory():
    outcome = scored(FINAL, "dark_green light_green red yellow blue orange brown", FINAL)
    assert outcome.winners == (0, 2)
    assert outcome.reason == "shared_victory"
    assert "Ana and Cy" in outcome.text.en

"""The set-up (R3–R12) and new tasks (R8–R10): every card that is turned over is a move."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from game_logic.alcatraz.moves import COMPLETE
from game_logic.alcatraz.steps import Acting, Card, Cells, Lot, Posts, Reward, Spot
from game_logic.core import CHANCE, Drawn, Malformed, pick
from hw_tests.alcatraz.table import (
    BOX,
    GAME,
    NAMES,
    at,
    legal,
    location,
    play,
    prison,
    task,
    why_not,
)

ROW_BY_ROW = list(range(1, 13))


def set_up(seats=3, seed=0, **options):
    """The set-up with cards as they come."""
    rng = random.Random(seed)
    s = GAME.new(NAMES[:seats], options)
    states = [s]
    while not isinstance(s.step, Acting):
        assert GAME.to_act(s) == (CHANCE,)
        s = play(s, pick(GAME.chance(s).parts[0], rng.randrange))
        states.append(s)
    return states


def test_r3_twelve_tiles_in_a_grid_of_four_by_three():
    s = set_up(seed=3)[-1]
    assert sorted(GAME.spaces(s)) == sorted(BOX.places)
    assert GAME.spaces(s) == tuple(GAME.view(s, None)["grid"])
    assert GAME.spaces(s) != BOX.places


def test_r3_a39_layout_and_faces_can_be_chosen():
    faces = ["silver", "alternative"] * 6
    s = GAME.new(NAMES[:3], {"layout": ROW_BY_ROW[::-1], "faces": faces})
    assert isinstance(s.step, Posts)
    assert GAME.spaces(s) == BOX.places[::-1]
    assert [GAME.view(s, None)["locations"][n]["face"] for n in range(12)] == faces


def test_r3_a39_random_faces_are_moves():
    s = GAME.new(NAMES[:3], {"layout": ROW_BY_ROW, "faces": "random"})
    for n in range(12):
        assert set(GAME.moves(s)) == {Drawn("face", "silver"), Drawn("face", "alternative")}
        s = play(s, Drawn("face", ("silver", "alternative")[n % 2]))
    assert s.faces == (0, 1) * 6


def test_a39_tiles_are_shuffled_and_silver_unless_told_otherwise():
    states = set_up()
    assert len(legal(states[0], Drawn)) == 12
    assert len(legal(states[11], Drawn)) == 1
    assert states[-1].faces == (0,) * 12


def test_s1_the_infirmary_holds_three_drugs():
    assert at(set_up(layout=ROW_BY_ROW)[-1], "infirmary")["objects"] == ("drugs",) * 3


def test_r4_a1_objects_lie_where_they_are_printed():
    s = set_up(layout=ROW_BY_ROW)[-1]
    for place, kind in (
        ("workshop", "tools"),
        ("cell_block", "knife"),
        ("laundry", "clothes"),
        ("guards_room", "key"),
    ):
        assert at(s, place)["objects"] == (kind,) * 3
    one_of_each = tuple(sorted(("drugs", "tools", "knife", "clothes", "key")))
    assert at(s, "yard")["objects"] == at(s, "visiting_room")["objects"] == one_of_each
    assert at(s, "chapel")["objects"] == ()


@pytest.mark.parametrize(("face", "tokens", "gun"), [("silver", 25, 0), ("alternative", 21, 1)])
def test_a2_tokens_without_a_printed_place_stay_out(face, tokens, gun):
    s = GAME.new(NAMES[:3], {"layout": ROW_BY_ROW, "faces": face})
    lying = Counter(kind for there in s.lying for kind in there)
    assert lying.total() == tokens
    assert lying["gun"] == gun


def test_r5_eight_guards_in_two_passes_of_four():
    s = GAME.new(NAMES[:3], {"layout": ROW_BY_ROW})
    for place in ("chapel", "canteen", "yard"):
        s = play(s, location(place))
        assert why_not(s, location(place), CHANCE) == "revealed_already"
    s = play(s, location("laundry"))
    assert len(legal(s, Drawn)) == 12  # reshuffled
    s = play(s, *map(location, ("chapel", "canteen", "yard", "workshop")))
    assert isinstance(s.step, Cells)
    assert sum(s.guards) == 8
    assert at(s, "chapel")["guards"] == 2


def test_r6_a13_every_pawn_starts_on_a_card_of_its_own():
    s = next(state for state in set_up(4, layout=ROW_BY_ROW) if isinstance(state.step, Cells))
    assert len(legal(s, Drawn)) == 12  # reshuffled after the guards
    s = play(s, location("chapel"))
    assert why_not(s, location("chapel"), CHANCE) == "revealed_already"
    s = play(s, *map(location, ("yard", "laundry", "canteen")))
    assert [pawn["place"] for pawn in GAME.view(s, None)["prisoners"]] == [
        "chapel",
        "yard",
        "laundry",
        "canteen",
    ]


def test_r7_everybody_starts_with_nothing():
    for prisoner in set_up(4)[-1].prisoners:
        assert (prisoner.stamina, prisoner.cash) == (0, 0)
        assert prisoner.objects == prisoner.cards == ()
        assert prisoner.parts == ""


def test_r8_r43_three_tasks_lie_on_different_locations():
    s = set_up(seed=2)[-1]
    laid = [place for place in s.tasks if place]
    assert len(laid) == len({BOX.tasks[card].part for card in laid}) == 3
    assert len(s.task_pile) == 27


def new_task_wanted(tasks, **given):
    """Just after a task was completed: the reward comes, then a new pair is revealed."""
    return prison(tasks=tasks, parts={0: "A"}, step=Reward(), **given)


def test_r9_s23_a_part_in_play_goes_under_the_pile():
    s = new_task_wanted({"yard": "task_b1", "laundry": "task_c1"}, spent=("task_a1",))
    s = play(s, task("task_a2"))
    assert isinstance(s.step, Card)
    s = play(s, task("task_b2"))
    assert isinstance(s.step, Card)
    assert s.task_pile.under == ("task_b2",)
    assert at(s, "yard")["task"] == "task_b1"
    s = play(s, task("task_d2"))
    assert isinstance(s.step, Spot)


def test_r10_s24_a_location_with_a_task_is_revealed_in_vain():
    s = new_task_wanted({"yard": "task_b1", "laundry": "task_c1"}, spent=("task_a1",))
    s = play(s, task("task_a2"), task("task_d2"))
    assert why_not(s, location("yard"), CHANCE) == "place_has_task"
    assert len(legal(s, Drawn)) == 10
    s = play(s, location("chapel"))
    assert at(s, "chapel")["task"] == "task_d2"
    assert isinstance(s.step, Acting)


def test_a28_a_task_may_lie_among_guards_and_pawns():
    s = new_task_wanted(
        {"yard": "task_b1", "laundry": "task_c1"}, spent=("task_a1",), guards={"chapel": 4}
    )
    s = play(s, task("task_a2"), task("task_d2"), location("chapel"))
    assert at(s, "chapel")["task"] == "task_d2"


def test_a30_location_draws_are_even_over_what_is_allowed():
    for state in set_up(4, layout=ROW_BY_ROW):
        chance = GAME.chance(state)
        if chance and chance.parts[0].id == "location":
            assert {weight for _, weight in chance.parts[0].odds} == {1}


def test_a30_a_completed_tasks_location_is_free_again():
    s = prison(at=("chapel",), tasks={"chapel": "task_a1"}, holds={0: ("key", "clothes")})
    s = play(s, COMPLETE, task("task_b1"), task("task_c1"))
    assert location("chapel") in GAME.moves(s)


def test_a12_when_the_pile_has_gone_round_no_task_is_laid():
    known = ("task_b2", "task_c2")
    on_board = {"yard": "task_b1", "laundry": "task_c1"}
    spent = tuple(t for t in BOX.tasks if t not in {*known, *on_board.values()})
    s = prison(tasks=on_board, spent=spent, under=known, step=Card(2))
    s = play(s, task("task_b2"))
    assert isinstance(s.step, Card)
    s = play(s, task("task_c2"))
    assert isinstance(s.step, Acting)
    assert s.task_pile.under == known
    assert sum(card is not None for card in s.tasks) == 2


def test_r11_the_first_scapegoat_is_drawn():
    s = next(state for state in set_up(4) if isinstance(state.step, Lot))
    assert [move.card for move in GAME.moves(s)] == list(BOX.settings.pawns)
    s = play(s, Drawn("scapegoat", "green"))
    assert GAME.view(s, None)["scapegoat"] == 2


def test_r12_a3_sheets_have_three_spaces():
    s = set_up()[-1]
    assert BOX.settings.object_slots == 3
    assert (s.options.stamina_max, s.options.cash_max) == (3, 3)


def test_a14_four_columns_of_three():
    near = BOX.neighbours(tuple(range(12)))
    names = {BOX.places[p] for p in near[BOX.index["visiting_room"]]}
    assert names == {
        "chapel", "control_post", "canteen", "yard", "workshop", "cell_block", "laundry",
        "guards_room",
    }  # fmt: skip
    assert len(near[BOX.index["chapel"]]) == 3
    assert len(near[BOX.index["infirmary"]]) == 3


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"layout": [1, 2, 3]}, "1 to 12"),
        ({"layout": [1] * 12}, "1 to 12"),
        ({"layout": "spiral"}, "layout"),
        ({"faces": ["silver"]}, "12"),
        ({"faces": "gold"}, "faces"),
        ({"secrets": "nowhere"}, "secrets"),
        ({"trade_offers_per_turn": -1}, "trade_offers_per_turn"),
        ({"cash_max": 0}, "cash_max"),
        ({"guards": 3}, "there is no option"),
    ],
)
def test_bad_options_are_refused_by_name(options, why):
    with pytest.raises(Malformed, match=why):
        GAME.new(NAMES[:3], options)


@pytest.mark.parametrize("seats", [2, 5])
def test_three_or_four_players(seats):
    with pytest.raises(Malformed, match="3 to 4"):
        GAME.new(("x",) * seats)


def test_every_option_is_documented_in_both_languages():
    assert set(GAME.options) == {
        "secrets", "layout", "faces", "trade_offers_per_turn", "talk_seconds", "stamina_max",
        "cash_max",
    }  # fmt: skip
    for option in GAME.options.values():
        assert option.text.fr
        assert option.text.en != option.text.fr

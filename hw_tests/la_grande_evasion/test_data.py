"""The box, the options and saved states: what is wrong is refused with its place and reason."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from msgspec.structs import replace

from game_logic import load
from game_logic.core import Malformed
from game_logic.data import DataError
from game_logic.la_grande_evasion.moves import Take, Throw
from hw_tests.la_grande_evasion.scene import GAME, NAMES, go, scene, start, throw

DATA = files("game_logic.la_grande_evasion") / "data"
BOARD = (DATA / "board.toml").read_text(encoding="utf-8")
OPTIONS = (DATA / "options.toml").read_text(encoding="utf-8")


def board(*changes: tuple[str, str]) -> dict[str, str]:
    text = BOARD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return {"board.toml": text}


def test_every_option_of_the_rules_file_is_documented():
    assert {key: option.default for key, option in GAME.options.items()} == {
        "secrets": "house",
        "path_length": 30,
        "start_position": 0,
        "short_path": False,
        "sheet_start": 8,
        "leap": "count_all",
        "move_mandatory": True,
        "white_declared_before_roll": True,
        "white_move_optional": True,
        "white_any_time": True,
        "white_first_round": False,
        "auto_finish_last": True,
        "turn_limit": 300,
    }
    for option in GAME.options.values():
        assert option.text.fr
        assert option.text.en


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"leap": "fly"}, "leap"),
        ({"path_length": 1}, "path_length"),
        ({"path_length": 8, "short_path": True}, "sheet_start"),
        ({"start_position": 30}, "start_position"),
        ({"short_path": True, "sheet_start": 2, "start_position": 2}, "sheet_start"),
        ({"turn_limit": -1}, "turn_limit"),
        ({"secrets": "nowhere"}, "secrets"),
        ({"boats": 5}, "boats"),
    ],
)
def test_a_bad_option_is_refused_by_name(options, why):
    with pytest.raises(Malformed, match=why):
        GAME.new(NAMES[:2], options)


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_two_to_six_players(seats):
    with pytest.raises(Malformed, match="2 to 6"):
        GAME.new(("x",) * seats)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([("number = 3", "number = 4")], r"pawns\[3\].*number 4"),
        ([('id = "red"', 'id = "white"')], "special die"),
        ([('id = "red"', 'id = "blue"')], "twice"),
        ([("places = 1", "places = 2")], "8 places for 7 pawns"),
        ([("arrived = 2", "arrived = 5")], r"\[0, 5, 4\]"),
        ([("arrived = 4", "arrived = 7")], "no turn begins with 7"),
        ([('coloured = 2\nwhite = "instead"', 'coloured = 1\nwhite = "instead"')], "only coloured"),
        ([('white = "instead"', 'white = "maybe"')], "white"),
        ([("points = 4", "points = -1")], "points"),
        ([("seats_fewest = 2", "seats_fewest = 7")], "seats_fewest"),
        ([("#8BC34A", "green")], "hex"),
        ([("faces = 6", "sides = 6")], "faces|sides"),
    ],
)
def test_a_bad_board_is_refused_with_file_and_reason(changes, why):
    with pytest.raises(DataError, match=rf"board\.toml.*({why})"):
        load("la_grande_evasion", board(*changes))


def test_a_board_of_one_pawn_is_refused():
    one = re.sub(r"(?s)\[\[pawns\]\].*?(?=\[\[boats)", "", BOARD)
    one += '[[pawns]]\nid = "red"\nnumber = 0\nfr = "rouge"\nen = "red"\nhex = "#D32F2F"\n'
    with pytest.raises(DataError, match="needs 2 or more"):
        load("la_grande_evasion", {"board.toml": one})


def test_bad_defaults_are_refused_at_load():
    with pytest.raises(DataError, match=r"options\.toml.*leap"):
        load("la_grande_evasion", {"options.toml": OPTIONS.replace('"count_all"', '"fly"', 1)})


def test_display_names_can_be_replaced():
    ours = load("la_grande_evasion", board(('fr = "rouge"', 'fr = "vermillon"')))
    assert ours.digest != GAME.digest
    assert ours.offered(start(), Take("red"), 0).fr == "Prendre le dé vermillon"


def test_points_and_dice_come_from_the_board():
    ours = load(
        "la_grande_evasion", board(("coloured = 3", "coloured = 1"), ("faces = 6", "faces = 4"))
    )
    state = start()
    state = ours.play(ours.play(state, Take("red")), Throw())
    assert len(ours.moves(state)) == 4


# -- saved states ---------------------------------------------------------------------------------


def told_of(state, **changes):
    return " / ".join(GAME.problems(replace(state, **changes)))


def test_problems_of_pawns_and_stacks():
    state = scene({10: "red blue", 5: "yellow"}, "brown")
    squares, above = state.squares, state.above
    assert "no place" in told_of(state, squares=(31, *squares[1:]))
    assert "boats" in told_of(state, arrivals=(5, 6), arrived_before=2)
    assert "boats" in told_of(state, squares=(30, *squares[1:]))
    assert "not one stack" in told_of(state, above=(None,) * 7)
    assert "not where it stands" in told_of(state, above=(*above[:2], 4, *above[3:]))
    assert "two others" in told_of(state, above=(*above[:2], 6, *above[3:]))
    assert "nobody stacks" in told_of(state, above=(3, *above[1:]))
    three = scene({10: "red blue yellow"})
    assert "not one stack" in told_of(three, above=(None, None, None, None, 6, None, 4))
    assert "not 7 pawns" in told_of(state, squares=squares[:6])
    assert "does not exist" in told_of(state, above=(9, *above[1:]))
    assert "does not exist" in told_of(state, arrivals=(9,))


def test_problems_of_bets():
    state = start()
    bets = state.bets
    assert "twice" in told_of(state, bets=((0, 0, 1, 2, 3, 4, 5), *bets[1:]))
    assert "before it is complete" in told_of(state, bets=((0,), *bets[1:]))
    assert "still open" in told_of(state, locked=(False, True, True, True))
    assert "one bet for each seat" in told_of(state, bets=bets[1:])
    paper = start(secrets="table")
    assert "on paper" in told_of(paper, bets=((1,), (), (), ()))
    assert "bets are awaited" in told_of(GAME.new(NAMES[:2]), locked=(True, True))
    assert "before the bets are in" in told_of(GAME.new(NAMES[:2]), turn=1)


def test_problems_of_turns_and_dice():
    state = scene({10: "red blue"}, "brown")
    assert "turn 301 of 300" in told_of(state, turn=301)
    assert "seat 4 begins" in told_of(state, first=4)
    assert "in a boat" in told_of(state, dice=(5,))
    assert "first round" in told_of(state, turn=3, dice=(7,))
    assert "coloured dice" in told_of(state, dice=(0, 1, 2, 3))
    assert "not in order" in told_of(state, dice=(3, 1))
    assert "does not exist" in told_of(state, dice=(8,))
    assert "not thrown" in told_of(state, dice=(0, 1, 2), faces=(1, 1, 1))
    assert "race is over" in told_of(state, phase="over")
    assert "arrived when the turn began" in told_of(state, arrived_before=2)
    assert "between two turns" in told_of(state, arrived_before=0)
    moving = throw(state, red=1, blue=2, yellow=3)
    assert "shows 7" in told_of(moving, faces=(7, 1, 1))
    assert "before every die" in told_of(moving, faces=(None, 1, 1))
    assert "nothing is left" in told_of(moving, faces=(0, 0, 0))
    assert "one face for each" in told_of(moving, faces=(1, 1))
    assert "every die has fallen" in told_of(moving, phase="roll")
    assert "outside a turn" in told_of(start(), phase="lot", turn=0, dice=(1,))
    last = scene({4: "red", 27: "blue"}, "brown orange yellow light_green dark_green")
    squares = (*last.squares[:6], 30)
    alone = told_of(last, squares=squares, arrivals=(*last.arrivals, 6), arrived_before=6)
    assert "last pawn on the way" in alone
    assert "only if they are on paper" in told_of(go(last), phase="scoring")

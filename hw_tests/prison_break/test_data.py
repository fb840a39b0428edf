"""The data: what it holds, and how a wrong transcription is refused."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

import game_logic.prison_break
from game_logic import load
from game_logic.core import Piece
from game_logic.data import DataError
from hw_tests.prison_break.scene import BOARD, BOX, GAME

FOLDER = files("game_logic.prison_break") / "data"


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_the_counts_of_the_box():
    assert len(BOARD.squares) == 61
    assert len(BOX.plans) == 10
    assert len(BOX.deck) == 55
    assert sum(n for card, n in BOX.deck.rest if card in BOX.chances) == 18
    assert len(BOX.tokens) == len(BOX.spaces) == 15
    assert sum(BOX.guards) == 30
    assert BOX.guards == (5,) * 6
    assert BOX.counts.escape_tokens == 10


def test_a1_the_plan_of_section_5():
    assert BOARD.outdoors.bit_count() == 45
    assert (BOARD.strategic.bit_count(), BOARD.white.bit_count()) == (10, 6)
    assert (len(BOARD.gates), len(BOARD.doors)) == (8, 19)
    assert len(BOARD.steps) == 60 + 8 + 2 + 19
    assert BOARD.at[BOARD.index["z3_5"]] == (6, 6)
    assert BOARD.at[BOARD.index["infirmary"]] == (9, 5)


def test_the_perimeter_is_the_surveillance_of_the_escape_point():
    for plan in BOX.plans.values():
        doors = {BOARD.zone_of[b] for a, b in BOARD.doors if plan.exit >> a & 1}
        if plan.device == 0:
            assert BOARD.watched[0][plan.number] == plan.exit
        else:
            assert plan.number in doors


def test_every_external_wants_each_kind_once_and_all_wishes_differ():
    wants = [BOX.wants[who] for who in (4, 5, 6)]
    assert all(set(wishes) == set(BOX.kinds) for wishes in wants)
    assert all(len(set(wishes)) == 3 for wishes in zip(*wants, strict=True))


WRONG = [
    ("board.toml", '["z1_3", "z2_1"]', '["z1_3", "z9_1"]', "gates[0]: there is no square 'z9_1'"),
    ("board.toml", '["z1_3", "z2_1"]', '["z1_3", "z1_4"]', "does not join two zones"),
    ("board.toml", 'doors = [["parloir", "z1_1"]]', 'doors = [["parloir", "library"]]', "lead out"),
    ("board.toml", 'doors = [["parloir", "z1_1"]]', "doors = []", "doors"),
    ("board.toml", 'tower = "z1_5"', 'tower = "z2_5"', "the tower z2_5 is not in the zone"),
    ("board.toml", "camera = 1", "camera = 2", "the cameras must be 1 to 6"),
    ("board.toml", 'isolation = "isolation"', 'isolation = "hole"', "no building 'hole'"),
    ("board.toml", "yard = 3", "yard = 7", "there is no zone 7"),
    ("board.toml", "number = 1", "number = 2", "1 to 5"),
    ("board.toml", 'id = "parloir", x = 0, y = 1', 'id = "parloir", x = 0, y = 2', "twice"),
    ("box.toml", 'start = "cells_3"', 'start = "cells_9"', "there is no square 'cells_9'"),
    ("box.toml", 'role = "captive"', 'role = "external"', "four leaders, three externals"),
    ("box.toml", '"evidence", "cigarettes", "medicine"]', '"ev", "ev", "ev"]', "no object 'ev'"),
    ("box.toml", 'wants = ["money", ', "wants = [", "wants six objects"),
    ("box.toml", "blanks = 3", "blanks = 4", "16 object tokens; box.toml counts 15"),
    ("box.toml", "guards = 5", "guards = 4", "29 guards; box.toml counts 30"),
    ("box.toml", '"z1_8", "z5_8"', '"z1_8", "z1_8"', "two object spaces on one square"),
    ("box.toml", '"z1_8", "z5_8"', '"z1_8", "z7_8"', "there is no square 'z7_8'"),
    ("box.toml", 'space = "workshop"', 'space = "shed"', "there is no square 'shed'"),
    ("box.toml", "blanks = 3", "blanks = 3\nspoons = 1", "spoons"),
    ("cards.toml", "copies = 4", "copies = 5", "56 handicap and chance cards"),
    ("cards.toml", 'effect = "riot"', 'effect = "revolt"', "revolt"),
    ("cards.toml", 'effect = "riot"', 'effect = "tip"', "tip"),
    ("cards.toml", 'effect = "camera"\nn = 6', 'effect = "camera"\nn = 7', "no camera 7"),
    ("cards.toml", 'effect = "lockdown"\nn = 2', 'effect = "lockdown"', "needs a number"),
    ("cards.toml", 'id = "h02"', 'id = "h01"', "card ids differ"),
    ("plans.toml", '"cells", "workshop"', '"cells", "moon"', "e01: there is no place 'moon'"),
    ("plans.toml", 'externals = ["pope", "tancredi"]', 'externals = ["pope", "sucre"]', "'sucre'"),
    ("plans.toml", 'externals = ["pope", "tancredi"]', 'externals = ["pope", "pope"]', "twice"),
    ("plans.toml", 'perimeter = "camera_2"', 'perimeter = "camera_7"', "no 'camera_7'"),
    ("plans.toml", 'perimeter = "camera_2"', 'perimeter = "dog_1"', "no 'dog_1'"),
    ("options.toml", "default = 30", "default = 31", "days"),
]


@pytest.mark.parametrize(("name", "ours", "theirs", "why"), WRONG)
def test_a_wrong_deck_is_refused_with_file_and_reason(name, ours, theirs, why):
    changed = text(name).replace(ours, theirs, 1)
    assert changed != text(name)
    with pytest.raises(DataError) as error:
        load("prison_break", {name: changed})
    assert error.value.file == f"prison_break/{name}"
    assert why in str(error.value)


def test_an_unreachable_square_is_refused():
    gates = re.search(r"gates = \[.*?\n\]", text("board.toml"), re.S).group()
    door = '["guards_room", "z3_8"], '
    cut = text("board.toml").replace(gates, "gates = []").replace(door, "")
    with pytest.raises(DataError, match="cannot be reached"):
        load("prison_break", {"board.toml": cut})


def test_a_new_card_needs_a_name():
    renamed = text("cards.toml").replace('id = "h22"', 'id = "h99"')
    with pytest.raises(DataError, match="no name for 'h99'"):
        load("prison_break", {"cards.toml": renamed})
    names = 'h99 = { fr = "Tout neuf", en = "Brand new" }'
    game = load("prison_break", {"cards.toml": renamed, "names.toml": names})
    assert game.digest != GAME.digest


def test_names_may_be_replaced():
    game = load("prison_break", {"names.toml": 'scofield = { fr = "Le Cerveau", en = "Brain" }'})
    assert game.piece(Piece("pawn", "scofield")).fr == "le pion Le Cerveau"


def test_no_display_name_outside_the_locale_data():
    """In the other data files and in the rules people are ids."""
    names = ("Scofield", "Bagwell", "Tancredi", "Donovan", "Burrows", "Abruzzi")
    for name in ("board.toml", "box.toml", "cards.toml", "plans.toml"):
        assert not any(who in text(name) for who in names), name


def test_every_refusal_has_a_sentence_that_names_no_field_in_vain():
    """Each code that the rules can give is in texts.toml, and nothing there is left over."""
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(game_logic.prison_break.__file__).parent.glob("*.py")
    )
    words = set(re.findall(r'"([a-z][a-z0-9_]+)"', source)) | {
        "needs_camera_tool",
        "needs_tower_tool",
    }
    sentences = set(re.findall(r"^no_([a-z0-9_]+) = ", text("texts.toml"), re.M))
    assert sentences <= words
    raised = set(re.findall(r'\bno\(\s*"([a-z0-9_]+)"', source))
    assert raised <= sentences


def test_every_sentence_is_there_in_both_languages_with_the_same_fields():
    for name in ("texts.toml", "names.toml", "options.toml"):
        for line in re.findall(r'fr = "(.*?)", en = "(.*?)" \}', text(name)):
            fields = [sorted(re.findall(r"{(\w+)}", sentence)) for sentence in line]
            assert fields[0] == fields[1], line


def test_every_option_is_documented():
    asked = {"secrets", "days", "guilt_limit", "max_move", "min_move", "guard_move"}
    asked |= {"persons_per_square", "guards_per_square", "tools_in_phase1", "objects_per_player"}
    asked |= {"escape_cards_drawn", "order", "contact", "card_surveillance", "lit_exit"}
    asked |= {"guards_in_strategic", "trade", "win"}
    assert set(GAME.options) == asked
    assert GAME.options["days"].default == 30

"""table.toml: what is wrong is named by file, key, value and remedy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config import PROFILES, ConfigError, find, input_number, load, parse, profile
from game_logic import load as load_game
from game_logic.core import Piece


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('language = "de"', ["language = 'de'", '"fr" or "en"']),
        ('nmae = "x"', ["nmae", "no such key", "spelling"]),
        ('name = "salon bleu"', ["name = 'salon bleu'", "letters"]),
        ("settle_ms = true", ["settle_ms = True", "whole number"]),
        ("settle_ms = -1", ["settle_ms = -1", "milliseconds"]),
        ("[[screen]]\naddress = 5", ["screen[0].address = 5", "0x3C or 0x3D"]),
        ("[[screen]]\nbus = 1", ["screen[0].address", "missing"]),
        ("[[screen]]\naddress = 60\nkind = 'st7735'", ["screen[0].kind = 'st7735'", "sh1106"]),
        ("[[screen]]\naddress = 60\n[[screen]]\naddress = 60", ["two screens", "move one"]),
        ("[expanders]\naddresses = [16]", ["expanders.addresses[0] = 16", "A0 to A2"]),
        ("[expanders]\naddresses = []", ["expanders.addresses = []"]),
        ("[expanders]\naddresses = [32, 32]", ["only once"]),
        ('[inputs]\n"0x20.A0" = { space = "x" }', ["0x20.A0", "add [expanders]"]),
        ('[expanders]\naddresses = [32]\n[inputs]\n"0x20.C0" = { space = "x" }', ["0x20.C0"]),
        ('[expanders]\naddresses = [32]\n[inputs]\n"0x20.A0" = {}', ["0x20.A0", "a space"]),
        (
            '[expanders]\naddresses = [32]\n[inputs]\n"0x20.A0" = { space = "a", sign = "b" }',
            ["either a space"],
        ),
        (
            '[expanders]\naddresses = [32]\n[inputs]\n"0x20.A0" = { sign = "b" }\n'
            '"0x20.A1" = { sign = "b" }',
            ["0x20.A1", "also on '0x20.A0'"],
        ),
        ("[panel]\nred = 5\nundo = 5", ["panel.red = 5", "panel.undo", "move one"]),
        ("[panel]\nundo = 40", ["panel.undo = 40"]),
        ("[bus.1]\nhz = 3", ["hz", "400000"]),
        ("x =", ["not valid TOML"]),
    ],
)
def test_a_mistake_is_named_with_its_remedy(text, parts):
    with pytest.raises(ConfigError) as error:
        parse(text, "table.toml")
    message = str(error.value)
    assert message.startswith("table.toml: ")
    for part in parts:
        assert part in message, message


def test_files_that_are_not_there_or_not_text(tmp_path):
    with pytest.raises(ConfigError, match=r"no such file.*wall"):
        load(tmp_path / "table.toml")
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "table.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path)
    with pytest.raises(ConfigError, match="ready-made"):
        profile("hexagon")


def test_a_table_is_found_by_name_or_by_path(tmp_path):
    (tmp_path / "mine.toml").write_text('language = "fr"\n')
    assert find(str(tmp_path / "mine.toml")).language == "fr"
    assert find("wall") == profile("wall")


def test_an_empty_file_is_a_table_without_sensors():
    config = parse("", "table.toml")
    assert config.expanders is None
    assert config.screen == ()


@given(st.text(max_size=80))
def test_any_text_is_a_table_or_a_clear_refusal(text):
    refusal = None
    try:
        parse(text, "table.toml")
    except ConfigError as error:
        refusal = str(error)
    assert refusal is None or refusal.startswith("table.toml: ")


@pytest.mark.parametrize("name", PROFILES)
def test_ready_made_tables_name_spaces_pieces_and_signs_that_their_game_has(name):
    config = profile(name)
    game = load_game(config.game)
    state = game.new(("A", "B"))
    spaces = game.spaces(state)
    for part in config.inputs.values():
        if part.space:
            assert part.space in spaces
            assert game.piece(Piece(part.piece)).en
    gates = {part.sign for part in config.inputs.values() if part.sign}
    wanted = {f"gate:{row}_{side}" for row in range(1, 6) for side in ("left", "right")}
    assert gates in (set(), wanted)


def test_input_names():
    assert input_number("0x20.A0", (0x20, 0x21)) == 0
    assert input_number("0x21.B7", (0x20, 0x21)) == 31
    assert input_number("0x22.A0", (0x20, 0x21)) is None
    assert input_number("A0", (0x20,)) is None

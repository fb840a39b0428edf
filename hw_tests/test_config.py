"""table.toml: what is wrong is named by file, key, value and remedy."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config import PROFILES, ConfigError, find, input_number, load, parse, profile
from game_logic import load as load_game
from game_logic.core import CHANCE, Piece, pick

MUX = "[[mux]]\naddress = 0x70\n"
A = '[[reader]]\nname = "a"\npad = true\n'
B = '[[reader]]\nname = "b"\npad = true\n'
ON_3 = "mux = 0x70\nchannel = 3\n"
TOWER = '[tower]\nport = "2e8a:000a"\n'


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
        ("[panel]\nbeam = true", ["panel.beam = True", "BCM"]),
        ("[bus.1]\nhz = 3", ["hz", "400000"]),
        ("[[mux]]\naddress = 0x60", ["mux[0].address = 96", "0x70 to 0x77", "A0 to A2"]),
        ("[[mux]]\nbus = 3", ["mux[0].address", "missing", "TCA9548A"]),
        ("[[mux]]\naddress = 0x70\n" * 2, ["mux[1].address = 0x70", "on bus 1 already"]),
        ("[[mux]]\naddress = 0x70\nreset = 28", ["mux[0].reset = 28", "BCM"]),
        ("[[reader]]\npad = true", ["reader[0].name", "missing", "letters"]),
        ('[[reader]]\nname = "le puits"\npad = true', ["reader[0].name = 'le puits'", "letters"]),
        ('[[reader]]\nname = "a"', ["reader[0] (a)", "which space", "pad = true"]),
        ('[[reader]]\nname = "a"\npad = true\nspace = "x"', ["reader[0] (a)", "pad = true"]),
        (A + "mux = 0x70", ["reader[0] (a)", "mux and channel go together"]),
        (A + "channel = 3", ["reader[0] (a)", "mux and channel go together"]),
        (A + "mux = 0x70\nchannel = 8", ["reader[0].channel = 8", "0 to 7"]),
        (A + "mux = 0x12\nchannel = 1", ["reader[0].mux = 18", "0x70 to 0x77"]),
        (A + "mux = 0x71\nchannel = 1", ["reader[0].mux = 0x71", "no such mux on bus 1 (none)"]),
        (MUX + A + "bus = 3\nmux = 0x70\nchannel = 1", ["no such mux on bus 3", "add it"]),
        (A + A, ["reader[1].name = 'a'", "reader[0] has it", "rename"]),
        (A + B, ["reader[1].channel = None", "'a' is on that wire", "another channel"]),
        (MUX + A + ON_3 + B + ON_3, ["reader[1].channel = 3", "'a' is on that wire"]),
        (MUX + A + B + ON_3, ["reader[0] (a)", "give it a channel"]),
        (A + 'near = ["b"]', ["reader[0].near: 'b'", "no other reader", "(none)"]),
        (A + 'near = ["a"]\n', ["reader[0].near: 'a'", "no other reader"]),
        (A + "near = 3", ["reader[0].near = 3", "names of other readers"]),
        (A + "at = [1]", ["reader[0].at", "millimetres"]),
        (
            MUX
            + '[[reader]]\nname = "a"\nspace = "x"\n'
            + ON_3
            + '[[reader]]\nname = "b"\nspace = "x"\nmux = 0x70\nchannel = 4',
            ["reader[1].space = 'x'", "'a' watches it", "keep one"],
        ),
        ("[expanders]\naddresses = [0x24]\n" + A, ["0x24", "readers", "bus of their own"]),
        (A + "reset = 5\n[panel]\nundo = 5", ["reader[0].reset = 5", "panel.undo", "move one"]),
        (MUX + "reset = 5\n" + A + ON_3 + "reset = 5", ["reader[0].reset = 5", "mux[0].reset"]),
        ('[tower]\nport = "ttyACM0"\ndice = ["die"]', ["tower.port = 'ttyACM0'", "lsusb"]),
        ('[tower]\ndice = ["die"]', ["tower.port", "missing", "/dev/ttyACM0"]),
        ('[tower]\nport = "/dev/ttyACM0"', ["tower.dice", "missing", "as the game does"]),
        (TOWER + "dice = []", ["tower.dice = []", "as the game does"]),
        (TOWER + 'dice = ["Dé"]', ["tower.dice[0] = 'Dé'", "small letters"]),
        (TOWER + 'dice = ["die", "die"]', ["tower.dice", "only once"]),
        (TOWER + 'dice = ["die"]\n[panel]\nbeam = 5', ["panel.beam = 5", "one or the other"]),
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
    state = game.new("ABCDEF"[: game.seats[0]])
    spaces = game.spaces(state)
    for part in config.inputs.values():
        if part.space:
            assert part.space in spaces
            assert part.piece is None or game.piece(Piece(part.piece)).en
    watched = [reader.space for reader in config.reader if reader.space]
    assert set(watched) <= set(spaces)
    assert not watched or len(watched) == len(spaces), "a reader under every place"
    below = random.Random(1).randrange
    while (chance := game.chance(state)) is not None:
        state = game.play(state, pick(chance.parts[0], below), CHANCE)
    shown = {s.rstrip("?") for move in game.moves(state) for s in game.signs(state, move)}
    signs = {part.sign for part in config.inputs.values() if part.sign}
    assert signs in (set(), shown), "all that the first move can show, or nothing"


def test_readers_that_lie_close_or_are_called_near_are_never_on_together():
    at = '[[reader]]\nname = "{0}"\npad = true\nmux = 0x70\nchannel = {1}\nat = {2}\n'
    row = [("a", 0, [0, 0]), ("b", 1, [100, 0]), ("c", 2, [250, 0]), ("d", 3, [900, 0])]
    text = MUX + "".join(at.format(*each) for each in row) + 'near = ["a"]\n'
    assert parse(text, "table.toml").conflicts() == {("a", "b"), ("d", "a")}
    places = profile("places").conflicts()
    assert ("chapel", "control_post") in places
    assert ("chapel", "yard") in places
    assert ("chapel", "visiting_room") not in places
    assert profile("pad").conflicts() == {("left", "right")}


def test_readers_may_share_a_reset_line():
    text = MUX + A + ON_3 + "reset = 25\n" + B + "mux = 0x70\nchannel = 4\nreset = 25\n"
    assert [pin for _, pin in parse(text, "table.toml").pins()] == [25, 25]


def test_the_documented_table_is_one():
    text = (Path(__file__).parent.parent / "docs" / "table.md").read_text("utf-8")
    example = text.partition("```toml\n")[2].partition("```")[0]
    config = parse(example, "docs/table.md")
    assert config.tower.dice == ("die",)
    assert len(config.reader) == 1
    uncommented = example.replace("# beam", "beam").replace("# pad", "pad")
    with pytest.raises(ConfigError):
        parse(uncommented, "docs/table.md")


def test_input_names():
    assert input_number("0x20.A0", (0x20, 0x21)) == 0
    assert input_number("0x21.B7", (0x20, 0x21)) == 31
    assert input_number("0x22.A0", (0x20, 0x21)) is None
    assert input_number("A0", (0x20,)) is None

"""An owner's own cards, from a folder to the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.decks import Decks
from firmware_host.journal import Journal, Record
from game_logic import GAMES
from game_logic.data import DataError

DATA = Path(__file__).parent.parent / "game_logic"


@pytest.fixture
def folder(tmp_path):
    own = tmp_path / "decks" / "breakout"
    own.mkdir(parents=True)
    text = (DATA / "breakout" / "data" / "options.toml").read_text("utf-8")
    assert "default = 5" in text
    (own / "options.toml").write_text(
        text.replace("[stalemate_turns]\ndefault = 5", "[stalemate_turns]\ndefault = 9")
    )
    return tmp_path / "decks"


def test_an_owners_file_replaces_the_houses(folder):
    game = Decks(folder).load("breakout")
    assert game.options["stalemate_turns"].default == 9
    assert Decks().load("breakout").options["stalemate_turns"].default == 5
    assert game.digest != Decks().load("breakout").digest
    assert Decks(folder).files("alcatraz") == {}


def test_a_game_resumes_with_the_deck_it_was_begun_with(folder, tmp_path):
    decks = Decks(folder)
    journal = Journal.open(tmp_path / "cavale.db")
    record = Record.begin(decks.load("breakout"), ("A", "B"), {}, decks.files("breakout"))
    record = journal.append(record)
    journal.close()
    again = Journal.open(tmp_path / "cavale.db")
    assert again.open_game().state.options.stalemate_turns == 9
    again.close()


def test_what_is_wrong_is_said_with_its_file(folder, capsys):
    (folder / "breakout" / "options.toml").write_text("x = ")
    assert main(["simulate", "breakout", "--decks", str(folder)]) == 2
    assert "options.toml: not valid TOML" in capsys.readouterr().err
    (folder / "breakout" / "options.toml").write_bytes(b"\xff")
    with pytest.raises(DataError, match="cannot be read"):
        Decks(folder).load("breakout")
    assert main(["games", "--decks", str(folder / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("id", GAMES)
def test_a_copy_of_the_houses_own_files_is_a_deck(id, tmp_path):
    own = tmp_path / id
    own.mkdir()
    for file in (DATA / id / "data").glob("*.toml"):
        (own / file.name).write_text(file.read_text("utf-8"))
    assert Decks(tmp_path).load(id).digest == Decks().load(id).digest

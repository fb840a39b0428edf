"""The tag table: what it takes and refuses, and that its file is whole or not there at all."""

from __future__ import annotations

import os

import pytest

from firmware_host.tags import TagError, Tags
from game_logic import GAMES, load
from hw_tests.toy import ToyGame

TOY = ToyGame()
A, B, C = "04a1b2c3d4e5f6", "04b1b2c3d4e5f6", "04c1b2c3d4e5f6"


def empty():
    return Tags(games=lambda _: TOY)


class refused:
    def __init__(self, code):
        self.code = code

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        assert kind is TagError, f"{self.code} was not refused"
        assert error.code == self.code
        assert error.text.fr
        assert error.text.fr != error.text.en
        return True


def test_a_tag_is_on_a_thing_of_one_box():
    tags = empty().learn(A, "toy", "pawn_pawn_0").learn(B, "toy")
    assert tags.thing("toy", A).piece.id == "pawn_0"
    assert tags.thing("alcatraz", A) is None
    assert tags.thing("toy", B) is None
    assert tags.thing("toy", C) is None
    assert tags.things(TOY) == {A: tags.thing("toy", A)}
    assert (tags.knows(A), tags.knows(B), tags.knows(C)) == (True, True, False)
    assert (tags.game(A), tags.game(B), tags.game(C)) == (None, "toy", None)


def test_progress_counts_every_one_of_those_that_look_alike():
    tags = empty()
    assert tags.progress(TOY) == (0, 3 + 2 + 8)
    tags = tags.learn(A, "toy", "guard")
    assert tags.progress(TOY) == (1, 13)
    assert {thing.name: n for thing, n in tags.missing(TOY)}["guard"] == 1
    tags = tags.learn(B, "toy", "guard")
    assert "guard" not in {thing.name for thing, _ in tags.missing(TOY)}
    assert tags.forget(A).progress(TOY) == (1, 13)


def test_duplicates_are_refused():
    tags = empty().learn(A, "toy", "guard").learn(B, "toy", "guard")
    with refused("tag_taken"):
        tags.learn(A, "toy", "pawn_pawn_0")
    with refused("tag_taken"):
        tags.learn(A.upper(), "toy")
    with refused("tag_enough"):
        tags.learn(C, "toy", "guard")
    with refused("tag_no_such_thing"):
        tags.learn(C, "toy", "spoon")
    with refused("tag_malformed"):
        tags.learn("04", "toy", "pawn_pawn_0")
    with refused("tag_random"):
        tags.learn("08a1b2c3", "toy", "pawn_pawn_0")
    with refused("tag_unknown"):
        tags.forget(C)
    assert len(tags) == 2


def test_the_file_gives_back_what_was_saved(tmp_path):
    path = tmp_path / "state" / "tags.toml"
    tags = empty().learn(A, "toy", "guard").learn(B, "toy")
    tags.save(path)
    again = Tags.load(path, lambda _: TOY)
    assert again == tags
    assert again.notice is None
    assert os.listdir(path.parent) == ["tags.toml"]
    assert Tags.load(tmp_path / "none.toml") == Tags()


@pytest.mark.parametrize(
    "text",
    [
        "[tags]\n04a1b2c3d4e5f6 = {",
        "[tags]\nspoon = { game = 'toy' }",
        "[tags]\n04a1b2c3d4e5f6 = { thing = 'guard' }",
        "[tags]\n04a1b2c3d4e5f6 = { game = 'toy' }\n04a1b2c3d4e5f6 = { game = 'toy' }",
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path, text):
    path = tmp_path / "tags.toml"
    path.write_text(text)
    tags = Tags.load(path)
    assert len(tags) == 0
    (aside,) = tmp_path.iterdir()
    assert aside.read_text() == text
    assert str(aside) in tags.notice.en


def test_a_disk_that_is_full_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "tags.toml"
    tags = empty().learn(A, "toy", "guard")
    tags.save(path)

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with refused("tags_unwritable"):
        tags.learn(B, "toy", "guard").save(path)
    monkeypatch.undo()
    assert Tags.load(path, lambda _: TOY) == tags
    assert os.listdir(tmp_path) == ["tags.toml"]


def test_a_tag_of_a_game_that_is_not_known_stays_in_the_file(tmp_path):
    path = tmp_path / "tags.toml"
    path.write_text(f"[tags]\n{A} = {{ game = 'chess', thing = 'king' }}\n")
    tags = Tags.load(path)
    assert tags.thing("chess", A) is None
    tags.learn(B, "alcatraz", "pawn_red").save(path)
    assert Tags.load(path).known(A).thing == "king"


@pytest.mark.parametrize("id", GAMES)
def test_every_thing_of_a_simulated_box_has_a_tag_of_its_own(id):
    game = load(id)
    tags = Tags.simulated(game)
    done, total = tags.progress(game)
    assert done == total == len(tags)
    for thing in game.things():
        for n in range(thing.count):
            assert tags.thing(id, tags.uid(thing.name, n)) == thing
    assert tags == Tags.simulated(load(id))
    with pytest.raises(KeyError):
        tags.uid("no_such_thing")

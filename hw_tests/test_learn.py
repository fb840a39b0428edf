"""`cavale learn`: the conversation, typed on plain stdin, over simulated readers."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from firmware_host.cli import main
from firmware_host.config import find
from firmware_host.lesson import Lesson, SimulatedPads
from firmware_host.tags import Tags
from game_logic import load

GAME = load("la_grande_evasion")
A, B, C = "04a1b2c3d4e5f6", "04b1b2c3d4e5f6", "04c1b2c3d4e5f6"


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """lesson(uids, answers): these tags are put on a pad one by one, and this is typed."""

    def hold(uids, *answers, language="en"):
        path = tmp_path / "tags.toml"
        told = io.StringIO()
        console = Console(file=told, highlight=False, markup=False, soft_wrap=True)
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{a}\n" for a in answers)))
        pads = SimulatedPads(find("pad"), iter(uids))
        with pytest.raises((StopIteration, EOFError)):  # no tag is left, or nothing more is typed
            Lesson(console, language, GAME, Tags.load(path), path).hold(pads)
        pads.close()
        return told.getvalue(), Tags.load(path)

    return hold


def test_a_piece_is_named_by_a_part_of_its_name_or_its_number(lesson):
    told, tags = lesson([A, B], "light green", "2")
    assert tags.thing(GAME.id, A).name == "pawn_light_green"
    second = GAME.things()[2].name  # the first that is left is the second of the box
    assert tags.thing(GAME.id, B).name == second
    assert "2 of 7 pieces" in told


def test_it_speaks_french(lesson):
    told, _ = lesson([A], "bleu", language="fr")
    assert "1 pièces sur 7" in told
    assert "le pion bleu" in told


def test_what_is_meant_by_several_is_asked_again(lesson):
    told, tags = lesson([A], "green", "nonsense", "1")
    assert tags.thing(GAME.id, A).name == "pawn_light_green"
    assert 'called so: "nonsense"' in told


def test_a_known_tag_is_kept_forgotten_or_named_anew(lesson):
    lesson([A], "blue")
    assert lesson([A], "")[1].known(A).thing == "pawn_blue"
    told, tags = lesson([A, A], "=", "pawn_red", "-")
    assert "is learnt already: the blue pawn" in told
    assert "is learnt already: the red pawn" in told
    assert len(tags) == 0


def test_skipping_and_taking_back(lesson):
    _, tags = lesson([A, B, C], "blue", "", "-", "blue")
    assert tags.thing(GAME.id, C).name == "pawn_blue"
    assert not tags.knows(A)
    assert not tags.knows(B)


def test_a_tag_may_choose_the_game(lesson):
    assert lesson([A], "*")[1].game(A) == GAME.id


def test_a_telephone_is_refused(lesson):
    told, tags = lesson(["08b1b2c3"], "blue", "")
    assert "telephone" in told
    assert len(tags) == 0


def test_each_tag_is_on_the_disk_before_the_next_is_asked_for(lesson, tmp_path, monkeypatch):
    saved = []
    save = Tags.save
    monkeypatch.setattr(
        Tags, "save", lambda tags, path: (save(tags, path), saved.append(len(tags)))
    )
    lesson([A, B], "blue", "red")
    assert saved == [1, 2]


def test_a_disk_that_refuses_is_told_and_nothing_is_believed(lesson, tmp_path, monkeypatch):
    import os

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    told, tags = lesson([A], "blue", "")
    assert "No space left" in told
    assert "1 of 7" not in told
    assert len(tags) == 0


def test_the_command(tmp_path, monkeypatch, capsys):
    journal = str(tmp_path / "cavale.db")
    monkeypatch.setattr("sys.stdin", io.StringIO("red\n.\n"))
    args = ["learn", "--sim", "--game", "alcatraz", "--journal", journal, "--language", "en"]
    assert main(args) == 0
    assert "1 of 78 pieces" in capsys.readouterr().out
    tags = Tags.load(tmp_path / "simulated-tags.toml")
    assert [tags.thing("alcatraz", uid) for uid in tags.things(load("alcatraz"))] != []
    assert not (tmp_path / "tags.toml").exists()  # a rehearsal leaves the real table alone
    assert main(["learn", "--sim", "--table", "wall", "--journal", journal]) == 2
    assert "reader" in capsys.readouterr().err

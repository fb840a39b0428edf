"""The data, and what is refused of an owner's deck."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from game_logic import load
from game_logic.alcatraz.box import PARTS
from game_logic.data import DataError
from hw_tests.alcatraz.table import BOX, GAME, data


def test_thirty_tasks_five_a_part():
    assert Counter(task.part for task in BOX.tasks.values()) == dict.fromkeys(PARTS, 5)


def test_every_part_asks_for_two_or_three_objects():
    for part in PARTS:
        tasks = [task for task in BOX.tasks.values() if task.part == part]
        assert sorted(len(task.objects) for task in tasks) == [2, 2, 3, 3, 3]


def test_the_deck_asks_evenly_for_objects():
    asked = Counter(kind for task in BOX.tasks.values() for kind in task.objects)
    assert asked == {"key": 15, "clothes": 15, "tools": 16, "knife": 16, "drugs": 16}


def test_26_tokens_each_with_a_place():
    assert sum(kind.count for kind in BOX.kinds.values()) == 26
    for kind in BOX.kinds.values():
        spaces = sum(max(s.count(kind.id) for s in faces) for faces in BOX.spaces)
        assert spaces == kind.count


def test_every_text_is_in_both_languages():
    for task in BOX.tasks.values():
        assert task.fr != task.en
    for card in BOX.cards.values():
        assert card.does_fr != card.does_en
    for place, name in zip(BOX.places, BOX.place_names, strict=True):
        assert GAME.place(place) == name
        assert name.fr != name.en


def spoilt(file, pattern, to, count=1):
    text = data(file)
    changed = re.sub(pattern, to, text, count=count, flags=re.M)
    assert changed != text
    return {file: changed}


def first_entry(file, head):
    """The file without its first entry."""
    text = data(file)
    start = text.index(head)
    return {file: text[:start] + text[text.index(head, start + 1) :]}


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (first_entry("tasks.toml", "[[task]]"), "there are 29 tasks"),
        (spoilt("tasks.toml", 'part = "A"', 'part = "B"'), "part A has 4 tasks"),
        (spoilt("tasks.toml", 'part = "A"', 'part = "G"'), "part"),
        (spoilt("tasks.toml", '"key", "clothes"', '"key", "rope"'), "'rope'"),
        (spoilt("tasks.toml", r"objects = \[.*\]", "objects = []"), "no object"),
        (spoilt("tasks.toml", "task_a2", "task_a1"), "'task_a1' is there 2 times"),
        (spoilt("tasks.toml", "prisoners = 1", "prisoners = 4"), "more than a game may have"),
        (first_entry("blackmail.toml", "[[card]]"), "there are 10 blackmail cards"),
        (spoilt("blackmail.toml", '"lockdown"', '"earthquake"'), "earthquake"),
        (spoilt("blackmail.toml", '"x2"', '"x1"'), "'x1' is there 2 times"),
        (spoilt("blackmail.toml", '"x2"', '"?"'), "no card may be called so"),
        (spoilt("objects.toml", "count = 5", "count = 6"), "27 tokens"),
        (spoilt("objects.toml", '"drugs"', '"cash"'), "objects.toml"),
        (spoilt("objects.toml", r"\[\"infirmary\", ", "["), "returns must name each of"),
        (spoilt("locations.toml", "number = 2$", "number = 1"), "numbered 1 to 12"),
        (spoilt("locations.toml", '"chapel"', '"yard"'), "'yard' is there 2 times"),
        (spoilt("locations.toml", '"move_guards"', '"dance"'), "dance"),
        (spoilt("locations.toml", "drugs = 3", "drugs = 2", 2), "a place of its own"),
        (spoilt("locations.toml", "drugs = 3", "soap = 3"), "no such object"),
        (spoilt("locations.toml", "^keep = 1", "keep = 0"), "keep"),
        (spoilt("locations.toml", "^amount = 2", "keep = 2"), "keep is for draw_blackmail"),
        (spoilt("locations.toml", "^spaces = .*", ""), "no object spaces"),
        (spoilt("settings.toml", "cols = 4", "cols = 5"), "does not hold 12"),
        (spoilt("settings.toml", "guards_total = 21", "guards_total = 8"), "guards_total"),
        (spoilt("settings.toml", "guards_total = 21", "guards_total = 60"), "guards_total"),
        (spoilt("settings.toml", r"\[4, 4\]", "[1, 1, 1, 1, 1]"), "more passes"),
        (spoilt("settings.toml", r"\[1, 2, 3\]", "[2, 1]"), "scapegoat_bonus"),
        (spoilt("settings.toml", '"yellow"', '"red"'), "different colours"),
        (spoilt("settings.toml", '"cell_block"', '"attic"'), "'attic'"),
        (spoilt("settings.toml", "hand_max = 2", "hand_max = 3"), "blackmail_hand_max"),
        (spoilt("settings.toml", "players_max = 4", "players_max = 5"), "players_max"),
        ({"tasks.toml": "not toml at all"}, "not valid TOML"),
        ({"posters.toml": ""}, "no such data file"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused_with_its_file(deck, why):
    with pytest.raises(DataError, match=why) as refusal:
        load("alcatraz", deck)
    assert next(iter(deck)) in str(refusal.value)


def test_an_owners_words_replace_the_houses():
    game = load("alcatraz", spoilt("tasks.toml", "Copy a key", "File a key"))
    assert game.box.tasks["task_a1"].en == "File a key"

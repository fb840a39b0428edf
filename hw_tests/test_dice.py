"""A tower's tray, checked against what chance asks for: generic over the parts of a Chance."""

from __future__ import annotations

from itertools import permutations

import pytest

from game_logic.core import Chance, Drawn, Illegal, Part, Rolled, Text
from game_logic.dice import rolled


def die(id, faces=6):
    return Part(id, tuple((Rolled(id, face), 1) for face in range(1, faces + 1)))


def named(id):
    return Text(f"le dé {id}", f"the {id} die")


ROLL = Chance("dice", (die("red"), die("blue"), die("white", faces=4)))


@pytest.mark.parametrize("tray", list(permutations((("red", 6), ("blue", 1), ("white", 4)))))
def test_a_good_roll_in_any_order(tray):
    assert rolled(ROLL, tray, named) == (Rolled("red", 6), Rolled("blue", 1), Rolled("white", 4))


@pytest.mark.parametrize(
    ("chance", "tray", "code", "en"),
    [
        (ROLL, [], "die_missing", "A die is missing: roll the red die too."),
        (ROLL, [("red", 1), ("white", 1)], "die_missing", "roll the blue die too"),
        (ROLL, [("red", 1), ("blue", None), ("white", 2)], "die_cocked", "roll the blue die again"),
        (
            ROLL,
            [("red", 1), ("green", 1), ("white", 2)],
            "wrong_die",
            "The green die is not in this roll: take it back and roll the blue die.",
        ),
        (
            ROLL,
            [("red", 1), ("blue", 1), ("white", 2), ("green", 1)],
            "die_too_many",
            "take the green die back",
        ),
        (ROLL, [("red", 1), ("red", 2), ("white", 2)], "die_twice", "the red die"),
        (ROLL, [("red", 1), ("blue", 2), ("white", 5)], "no_such_face", "(5): roll the white die"),
        (ROLL, [("red", 0), ("blue", 2), ("white", 1)], "no_such_face", "(0): roll the red die"),
        (None, [("red", 1)], "no_dice_awaited", "take the red die back"),
        (
            Chance("draw", (Part("deck", ((Drawn("deck", "rope"), 1),)),)),
            [("red", 1)],
            "no_dice_awaited",
            "take the red die back",
        ),
    ],
)
def test_a_bad_roll_says_which_die_to_put_right(chance, tray, code, en):
    with pytest.raises(Illegal) as refusal:
        rolled(chance, tray, named)
    assert refusal.value.code == code
    assert en in refusal.value.text.en
    assert refusal.value.text.fr[0].isupper()
    assert "{" not in refusal.value.text.fr


def test_a_cocked_die_comes_before_a_missing_one():
    """One instruction at a time: what lies in the tray is put right first."""
    with pytest.raises(Illegal) as refusal:
        rolled(ROLL, [("white", None)], named)
    assert refusal.value.code == "die_cocked"


def test_an_empty_tray_is_no_mistake_when_nothing_is_awaited():
    assert rolled(None, [], named) == ()

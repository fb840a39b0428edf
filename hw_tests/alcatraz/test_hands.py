"""Blackmail cards on their way: the warden's office and the chapel (R59, A19–A21)."""

from __future__ import annotations

import pytest

from game_logic.alcatraz.moves import CASH, USE, Pay, Shed, Target
from game_logic.alcatraz.state import UNKNOWN
from game_logic.alcatraz.steps import Acting, Shedding, Sorting
from game_logic.core import CHANCE, Drawn
from hw_tests.alcatraz.table import BOX, GAME, play, prison, why_not

BOTH = pytest.mark.parametrize("secrets", ["house", "table"])


def free(place, **given):
    """Somebody alone in a location without guards."""
    return prison(at=(place, "chapel", "chapel"), guards={place: 0}, **given)


def hand(secrets, *cards):
    return cards if secrets == "house" else (UNKNOWN,) * len(cards)


def test_wardens_office_draws_a_card_that_only_its_holder_sees():
    s = play(free("wardens_office"), USE)
    chance = GAME.chance(s)
    assert (chance.sees, chance.kind) == ((0,), "lot")
    assert len(chance.parts[0].odds) == 11
    one, two = play(s, Drawn("blackmail", "x1")), play(s, Drawn("blackmail", "x2"))
    assert GAME.view(one, 0)["hand"] == ("x1",)
    for seat in (None, 1, 2):
        assert GAME.view(one, seat) == GAME.view(two, seat)
    assert GAME.view(one, None)["prisoners"][0]["cards"] == 1


def test_wardens_office_at_the_table_only_counts():
    s = free("wardens_office", secrets="table")
    assert GAME.closes_undo(s, USE)
    s = play(s, USE)
    assert isinstance(s.step, Acting)
    assert s.me.cards == (UNKNOWN,)
    assert len(s.blackmail) == 10


def test_r59_s28_a21_discard_down_to_two():
    s = free("wardens_office", cards={0: ("x1", "x2")})
    s = play(s, USE, Drawn("blackmail", "x3"))
    assert isinstance(s.step, Shedding)
    assert set(GAME.moves(s)) == {Shed("x1"), Shed("x2"), Shed("x3")}
    assert why_not(s, USE) == "shed_first"
    s = play(s, Shed("x1"))
    assert s.me.cards == ("x2", "x3")
    assert GAME.view(s, None)["blackmail_discards"] == ("x1",)


def test_r59_s28_at_the_table_the_discarded_card_is_named():
    s = free("wardens_office", cards={0: (UNKNOWN,) * 2}, discards=("x9",), secrets="table")
    s = play(s, USE)
    assert len(GAME.moves(s)) == 10
    assert why_not(s, Shed("x9")) == "card_not_held"
    s = play(s, Shed("x4"))
    assert s.me.cards == (UNKNOWN,) * 2
    assert s.discards == ("x9", "x4")


def test_wardens_office_alternative_keeps_one_of_three():
    s = free("wardens_office", faces="alternative", cash={0: 1})
    s = play(s, USE, Pay(CASH))
    for card in ("x1", "x2", "x3"):
        assert GAME.chance(s).sees == (0,)
        s = play(s, Drawn("blackmail", card))
    assert isinstance(s.step, Sorting)
    assert GAME.view(s, 0)["drawn"] == ("x1", "x2", "x3")
    assert "drawn" not in GAME.view(s, 1)
    s = play(s, Shed("x1"), Shed("x3"))
    assert s.me.cards == ("x2",)
    assert s.discards == ("x1", "x3")


def test_wardens_office_alternative_with_two_cards_in_hand():
    s = free("wardens_office", faces="alternative", cash={0: 1}, cards={0: ("x10", "x11")})
    s = play(s, USE, Pay(CASH), *(Drawn("blackmail", card) for card in ("x1", "x2", "x3")))
    assert why_not(s, Shed("x10")) == "card_not_held"  # of the three drawn
    s = play(s, Shed("x1"), Shed("x2"))
    assert isinstance(s.step, Shedding)
    assert play(s, Shed("x10")).me.cards == ("x11", "x3")


def test_wardens_office_alternative_at_the_table():
    s = free("wardens_office", faces="alternative", cash={0: 1}, secrets="table")
    s = play(s, USE, Pay(CASH))
    s = play(s, Shed("x1"))
    assert why_not(s, Shed("x1")) == "card_not_held"
    s = play(s, Shed("x2"))
    assert s.me.cards == (UNKNOWN,)
    assert len(s.blackmail) == 8


def test_a21_an_empty_pile_is_shuffled_anew():
    cards = tuple(BOX.cards)
    s = free("wardens_office", cards={1: cards[:2], 2: cards[2:4]}, discards=cards[4:])
    s = play(s, USE)
    assert s.discards == ()
    assert {move.card for move in GAME.moves(s)} == set(cards[4:])


def test_a21_an_empty_pile_is_shuffled_anew_at_the_table():
    unknown = (UNKNOWN, UNKNOWN)
    discards = tuple(BOX.cards)[4:]
    s = free("wardens_office", cards={1: unknown, 2: unknown}, discards=discards, secrets="table")
    s = play(s, USE)
    assert (s.discards, len(s.blackmail)) == ((), 6)


def test_a21_the_pile_may_run_out_in_the_middle_of_a_draw():
    cards = tuple(BOX.cards)
    s = free(
        "wardens_office", faces="alternative", cash={0: 1},
        cards={1: cards[:2], 2: cards[2:4]}, discards=cards[5:],
    )  # fmt: skip
    s = play(s, USE, Pay(CASH), Drawn("blackmail", cards[4]))
    assert {move.card for move in GAME.moves(s)} == set(cards[5:])


def test_chapel_silver_discards_a_random_card_openly_a19():
    s = prison(at=("chapel", "yard", "yard"), cards={1: ("x1", "x2"), 0: ("x3",)})
    s = play(s, USE)
    assert GAME.moves(s) == (Target(1),)
    assert why_not(s, Target(2)) == "has_no_card"
    assert why_not(s, Target(0)) == "no_such_player"
    assert why_not(s, USE) == "target_first"
    s = play(s, Target(1))
    chance = GAME.chance(s)
    assert chance.sees is None
    assert dict(chance.parts[0].odds) == {Drawn("hand", "x1"): 1, Drawn("hand", "x2"): 1}
    assert why_not(s, Drawn("hand", "x3"), CHANCE) == "not_drawn"
    s = play(s, Drawn("hand", "x2"))
    assert (s.prisoners[1].cards, s.discards) == (("x1",), ("x2",))


def test_chapel_silver_at_the_table_the_card_is_shown_a19():
    s = prison(at=("chapel", "yard"), cards={1: (UNKNOWN,)}, discards=("x5",), secrets="table")
    s = play(s, USE, Target(1))
    assert len(GAME.moves(s)) == 10
    assert GAME.signs(s, Drawn("hand", "x2")) == ("card:x2",)
    s = play(s, Drawn("hand", "x2"))
    assert (s.prisoners[1].cards, s.discards) == ((), ("x5", "x2"))


def test_chapel_alternative_takes_a_card_unseen_by_the_rest_a20():
    s = prison(4, at=("chapel",), cards={1: ("x1", "x2")}, cash={0: 1}, faces="alternative")
    s = play(s, USE, Pay(CASH), Target(1))
    assert GAME.chance(s).sees == (0, 1)
    one, two = play(s, Drawn("hand", "x1")), play(s, Drawn("hand", "x2"))
    assert one.me.cards == ("x1",)
    for seat in (None, 2, 3):
        assert GAME.view(one, seat) == GAME.view(two, seat)
        told = [GAME.told(s, Drawn("hand", card), CHANCE, seat) for card in ("x1", "x2")]
        assert told[0] == told[1]
    assert "Lockdown" in GAME.told(s, Drawn("hand", "x1"), CHANCE, 1).en


def test_chapel_alternative_with_two_cards_discards_down_to_two_a20():
    s = prison(
        at=("chapel",), cards={0: ("x1", "x2"), 1: ("x3",)}, cash={0: 1}, faces="alternative"
    )
    s = play(s, USE, Pay(CASH), Target(1), Drawn("hand", "x3"))
    assert isinstance(s.step, Shedding)
    assert play(s, Shed("x3")).me.cards == ("x1", "x2")


def test_chapel_alternative_at_the_table_a_card_changes_hands_a20():
    s = prison(
        at=("chapel",), cards={1: (UNKNOWN,) * 2}, cash={0: 1}, faces="alternative",
        secrets="table",
    )  # fmt: skip
    s = play(s, USE, Pay(CASH))
    assert GAME.closes_undo(s, Target(1))
    s = play(s, Target(1))
    assert isinstance(s.step, Acting)
    assert (s.me.cards, s.prisoners[1].cards) == ((UNKNOWN,), (UNKNOWN,))


@BOTH
def test_a31_chapel_without_cards_to_take(secrets):
    s = prison(at=("chapel",), cards={0: hand(secrets, "x1")}, secrets=secrets)
    assert why_not(s, USE) == "no_hands"

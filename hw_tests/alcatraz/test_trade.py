"""Trades (R36): an offer in small moves, and an answer."""

from __future__ import annotations

from game_logic.alcatraz.moves import (
    AGREE,
    CASH,
    PROPOSE,
    REFUSE,
    USE,
    WITHDRAW,
    Ask,
    Give,
    Offer,
)
from game_logic.alcatraz.steps import Acting, Answer
from hw_tests.alcatraz.table import GAME, legal, play, prison, why_not


def met(**given):
    return prison(at=("yard", "yard", "chapel"), **given)


def test_r36_objects_and_cash_in_any_amounts():
    s = met(holds={0: ("key", "key"), 1: ("knife",)}, cash={1: 2})
    s = play(s, Offer(1), Give("key"), Ask("knife"), Ask(CASH), Ask(CASH), PROPOSE)
    assert s.step == Answer(1, ("key",), (CASH, CASH, "knife"))
    assert GAME.to_act(s) == (1,)
    assert why_not(s, USE) == "answer_first"
    s = play(s, AGREE)
    assert (s.prisoners[0].objects, s.prisoners[0].cash) == (("key", "knife"), 2)
    assert (s.prisoners[1].objects, s.prisoners[1].cash) == (("key",), 0)
    assert s.turn.ap == 3


def test_r36_one_sided_gifts():
    s = play(met(holds={0: ("key",)}), Offer(1), Give("key"), PROPOSE, AGREE)
    assert s.prisoners[1].objects == ("key",)
    s = play(met(cash={1: 1}), Offer(1), Ask(CASH), PROPOSE, AGREE)
    assert s.prisoners[0].cash == 1


def test_r36_both_must_agree():
    s = met(holds={0: ("key",)})
    after = play(s, Offer(1), Give("key"), PROPOSE, REFUSE)
    assert isinstance(after.step, Acting)
    assert after.prisoners == s.prisoners


def test_r36_in_the_same_location_only():
    s = met(cash={0: 1})
    assert legal(s, Offer) == [Offer(1)]
    assert why_not(s, Offer(2)) == "not_together"
    assert why_not(s, Offer(0)) == "no_such_player"


def test_a15_only_the_active_player_offers():
    s = met(cash={0: 1, 1: 1})
    assert why_not(s, Offer(0), 1) == "not_your_turn"


def test_a31_an_offer_must_change_something():
    assert why_not(met(), Offer(1)) == "nothing_to_trade"
    s = play(met(holds={0: ("key",), 1: ("key", "knife")}), Offer(1))
    assert why_not(s, PROPOSE) == "empty_offer"
    s = play(s, Give("key"))
    assert why_not(s, Ask("key")) == "same_for_same"
    assert why_not(s, Give("key")) == "not_held"
    assert why_not(s, Ask(CASH)) == "has_it_not"
    assert why_not(s, USE) == "finish_offer"


def test_a34_both_sheets_must_fit():
    s = met(holds={0: ("key", "key", "knife"), 1: ("drugs", "tools", "drugs")}, cash={0: 3, 1: 1})
    s = play(s, Offer(1), Ask("tools"))
    assert why_not(s, PROPOSE) == "no_space"
    s = play(s, Give("key"))
    assert PROPOSE in GAME.moves(s)
    s = play(s, Ask(CASH))
    assert why_not(s, PROPOSE) == "no_space"


def test_a34_eight_offers_a_turn():
    s = met(cash={0: 1})
    for n in range(8):
        assert s.turn.offers == n
        s = play(s, Offer(1), WITHDRAW)
    assert why_not(s, Offer(1)) == "offers_used_up"


def test_a34_without_a_limit():
    s = met(cash={0: 1}, trade_offers_per_turn=0)
    for _ in range(20):
        s = play(s, Offer(1), WITHDRAW)
    assert Offer(1) in GAME.moves(s)


def test_a34_no_blackmail_cards_are_traded():
    s = play(met(cash={0: 1}, cards={0: ("x1",), 1: ("x2",)}), Offer(1))
    assert set(GAME.moves(s)) == {WITHDRAW, Give(CASH)}


def test_offers_are_open_to_all():
    s = play(met(cash={0: 1}), Offer(1), Give(CASH))
    assert GAME.view(s, None)["under_way"] == {"with": 1, "gives": (CASH,), "asks": ()}
    assert "Cash" in GAME.prompt(s, None).en

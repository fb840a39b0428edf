"""The contract's own pieces: encoding, chance, piles, data files, options."""

from __future__ import annotations

import json
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_logic import GAMES, load
from game_logic.core import (
    Act,
    Drawn,
    Malformed,
    Option,
    Part,
    Rolled,
    Text,
    decode_act,
    decode_move,
    decode_state,
    encode,
    pick,
)
from game_logic.data import Data, DataError, Texts, chosen
from game_logic.pile import Pile, bag, unpack
from hw_tests.toy import Bet, PutUnder, ToyGame

GAME = ToyGame()
cards = st.lists(st.sampled_from(["rope", "file", "soap"]), max_size=8)


def test_a_move_is_json_with_its_type():
    assert json.loads(encode(PutUnder("rope"))) == {"type": "put_under", "card": "rope"}
    assert decode_move(GAME, {"type": "put_under", "card": "rope"}) == PutUnder("rope")
    assert decode_act(GAME, encode(Act(1, Bet(2)))) == Act(1, Bet(2))


@pytest.mark.parametrize(
    "bad",
    [b"", b"[]", b"{}", b"null", b'{"type":"fly"}',
     b'{"type":"bet"}', b'{"type":"bet","guards":"2"}',
     b'{"type":"bet","guards":2,"more":1}', b'{"guards":2}', b"\xff", b"[" * 100_000,
     b'{"type":"bet","guards":1e400}', 7, None, [], {"type": ["bet"]}],
)  # fmt: skip
def test_what_is_no_move_is_malformed(bad):
    with pytest.raises(Malformed, match="not a move of toy"):
        decode_move(GAME, bad)


@given(st.binary(max_size=60))
def test_random_bytes_never_do_worse_than_malformed(data):
    for decode in (decode_move, decode_act, decode_state):
        try:
            decode(GAME, data)
        except Malformed:
            pass


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_pick_takes_each_move_as_often_as_its_weight(weights):
    part = Part("die", tuple((Rolled("die", n), w) for n, w in enumerate(weights)))
    total = sum(weights)
    picked = Counter(pick(part, lambda _, at=at: at) for at in range(total))
    assert picked == {Rolled("die", n): w for n, w in enumerate(weights)}


@given(cards, cards)
def test_a_pile_gives_its_rest_first_and_then_what_lies_under_it(rest, under):
    pile = Pile(bag(rest))
    for card in under:
        pile = pile.put_under(card)
    assert len(pile) == len(rest) + len(under)
    drawn = []
    while len(pile):
        move = pile.part("deck").odds[-1][0]
        assert isinstance(move, Drawn)
        drawn.append(move.card)
        pile = pile.take(move.card)
    assert sorted(drawn[: len(rest)]) == sorted(rest)
    assert drawn[len(rest) :] == under


@given(cards, cards)
def test_shuffling_in_forgets_what_was_known(rest, under):
    pile = Pile(bag(rest), tuple(under)).shuffled_in(["spoon"])
    assert pile.under == ()
    assert sorted(unpack(pile.rest)) == sorted([*rest, *under, "spoon"])


def test_a_card_that_is_not_there_cannot_be_taken():
    with pytest.raises(ValueError, match="soap is not on the pile"):
        Pile(bag(["rope"]), ("soap",)).take("soap")


def test_texts_are_filled_in_per_language():
    texts = Texts({"put": Text("Posez {what}", "Put {what}")})
    assert texts("put", what=Text("le pion", "the pawn")) == Text("Posez le pion", "Put the pawn")
    assert texts("put", what=3).in_("fr") == "Posez 3"


class Choice(msgspec.Struct, forbid_unknown_fields=True):
    laps: int


def test_options_are_refused_by_name_with_what_there_is():
    options = {"laps": Option(3, Text("tours", "laps"))}
    assert chosen(options, None, Choice).laps == 3
    assert chosen(options, {"laps": 5}, Choice).laps == 5
    with pytest.raises(Malformed, match="no option 'lapps'; the options are laps"):
        chosen(options, {"lapps": 5}, Choice)
    with pytest.raises(Malformed, match=r"laps"):
        chosen(options, {"laps": "five"}, Choice)


def test_an_unknown_game_is_refused_with_those_there_are():
    with pytest.raises(Malformed, match=r"no game 'chess'; the games are .*breakout"):
        load("chess")


@pytest.mark.parametrize("id", GAMES)
def test_every_game_loads_and_documents_its_options(id):
    game = load(id)
    assert game.id == id
    low, high = game.seats
    assert 2 <= low <= high <= 6
    for option in game.options.values():
        assert option.text.fr
        assert option.text.en
    assert load(id).digest == game.digest


@pytest.mark.parametrize("id", GAMES)
def test_an_owners_deck_of_an_unknown_file_or_bad_toml_is_refused(id):
    with pytest.raises(DataError, match=r"mine\.toml: .* no such data file"):
        load(id, {"mine.toml": ""})
    with pytest.raises(DataError, match=r"options\.toml: not valid TOML"):
        load(id, {"options.toml": "= 3"})
    with pytest.raises(DataError, match=r"options\.toml"):
        load(id, {"options.toml": "x = 3"})


def test_the_digest_covers_an_owners_deck():
    own = Data("breakout", {})
    assert own.digest == Data("breakout", {}).digest
    assert own.digest != Data("breakout", {"options.toml": ""}).digest


def test_a_mended_sentence_is_no_other_game_and_is_laid_over_ours():
    deck = {"texts.toml": 'title = { fr = "Le mur", en = "The wall" }'}
    mine = load("breakout", deck)
    assert mine.title == Text("Le mur", "The wall")
    assert mine.digest == load("breakout").digest
    assert (
        mine.tracks(mine.new(("A", "B")))[0].label
        == load("breakout").tracks(mine.new(("A", "B")))[0].label
    )
    with pytest.raises(DataError, match=r"texts\.toml"):
        load("breakout", {"texts.toml": 'title = { fr = "Le mur" }'})

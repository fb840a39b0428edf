"""Sentences, tracks, pieces and signs: what people read and what the table shows."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from game_logic.core import CHANCE, Drawn, Illegal, Piece, Rolled
from game_logic.dig_your_way_out import moves, tasks
from game_logic.dig_your_way_out.moves import (
    Buy,
    Craft,
    Dig,
    Go,
    Join,
    PlayCard,
    Racket,
    Reveal,
    Search,
    Sell,
    Sneak,
    Walk,
)
from game_logic.dig_your_way_out.refusals import CODES
from hw_tests.dig_your_way_out.prison import GAME, game_of, lay, play, roll, turn

TEXTS = tomllib.loads(
    (files("game_logic.dig_your_way_out") / "data" / "texts.toml").read_text(encoding="utf-8")
)


def test_there_is_a_sentence_for_everything():
    said = {move.__struct_config__.tag for move in get_args(moves.AnyMove)}
    said -= {"rolled", "drawn", "pass"}
    needed = {f"log_{tag}" for tag in (*said, "rolled")} | {f"menu_{tag}" for tag in said}
    needed |= {f"ask_{topic}" for topic in (*tasks.TOPICS, "turn", "over")}
    needed |= {f"no_{code}" for code in CODES}
    assert needed <= set(TEXTS)
    passes = {key.removeprefix("log_") for key in TEXTS if key.startswith("log_pass_")}
    assert passes == {key.removeprefix("menu_") for key in TEXTS if key.startswith("menu_pass_")}
    assert {key.removeprefix("pass_") for key in passes} <= set(tasks.TOPICS)


def test_refusals_name_their_rule():
    silent = {"game_over", "not_your_turn", "not_now", "not_in_hand", "no_such_place"}
    silent |= {"no_such_gang", "no_such_card"}
    for code in set(CODES) - silent:
        for language in ("fr", "en"):
            assert "(R" in TEXTS[f"no_{code}"][language] or "(A" in TEXTS[f"no_{code}"][language]


def test_french_is_french_and_english_is_english():
    same = {"log_go", "menu_choose", "track_actions"}
    for key, sentence in TEXTS.items():
        assert sentence["fr"] != sentence["en"] or key in same, key


def test_a_menu_shows_prices():
    state = lay(game_of(), place="yard", hand="rare_phone shovel", cigarettes=9)
    assert GAME.offered(state, Buy("shovel"), 0).en == "Buy a shovel (8)"
    assert GAME.offered(state, Sell("rare_phone"), 0).fr == "Vendre un téléphone (5)"
    assert GAME.offered(state, Sneak("cells"), 0).en == "Careful move: the Cells (2 actions)"
    assert GAME.offered(state, Search(), 0).fr == "Fouiller : 1 carte(s)"
    assert "2 different" in GAME.offered(state, Join("crew"), 0).en


def test_a_racket_reads_well_in_both_languages():
    state = lay(game_of(), hand="shiv")
    told = GAME.told(state, Racket(1, "pickaxe"), 0, None)
    assert told.fr == "Ana rackette Bo : une pioche !"
    assert told.en == "Ana rackets Bo: a pickaxe!"
    state = play(state, Racket(1, "pickaxe"))
    assert GAME.prompt(state, None).en == "Play a weapon to intimidate Bo."


def test_a27_gang_names_come_from_the_data():
    state = lay(game_of(), hand="ring chain")
    assert "le Cartel" in GAME.told(state, Join("cartel"), 0, None).fr


def test_chance_is_told():
    state = play(game_of(), Walk())
    assert GAME.told(state, Rolled("die", 4), CHANCE, None).en == "Ana rolls 4."


def test_a_refusal_tells_what_is_awaited():
    state = play(game_of(), Walk(), roll(4))
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, Search(), 0)
    assert refusal.value.text.en == "Not now. The table waits for Ana. A 4: where to?"


def test_tracks_are_tunnels_and_actions():
    state = lay(game_of(3), points=10)
    tracks = GAME.tracks(state)
    assert [(t.id, t.value, t.maximum, t.danger, t.seat) for t in tracks] == [
        ("tunnel_0", 10, 12, 9, 0),
        ("tunnel_1", 0, 12, 9, 1),
        ("tunnel_2", 0, 12, 9, 2),
        ("actions", 2, 2, None, None),
    ]
    over = play(lay(state, points=11, hand="shovel"), Dig("shovel"))
    assert GAME.tracks(over)[0].value == 12


def test_the_image_shows_pawns_and_michel_by_place():
    state = lay(game_of(michel="michelle"), 1, place="showers")
    assert GAME.image(state) == {
        "cells": (Piece("pawn", "red"),),
        "showers": (Piece("pawn", "blue"), Piece("michel", "michelle")),
    }
    assert GAME.piece(Piece("michel", "michelle")).fr == "le pion de Michelle"
    assert GAME.piece(Piece("pawn", "red")).en == "the red pawn"
    assert GAME.place("showers").fr == "les Douches"
    assert GAME.spaces(state) == (
        "cells",
        "refectory",
        "yard",
        "infirmary",
        "showers",
        "solitary",
    )


def test_cards_that_are_shown_are_signs():
    state = lay(game_of(), place="yard", hand="spike tie duct", passive="p06")
    craft = Craft("craft_pickaxe", ("spike", "tie"))
    assert GAME.signs(state, craft) == ("card:spike", "card:tie")
    assert GAME.signs(state, PlayCard("duct")) == ("card:duct",)
    assert GAME.signs(state, Reveal("p06")) == ("card:p06",)
    assert GAME.signs(state, Drawn("search", "tie")) == ("card:tie",)
    assert GAME.signs(state, Drawn("first", "0")) == ()
    assert GAME.signs(state, Search()) == ()


def test_a_pawn_carried_off_by_hand_can_be_explained():
    state = turn(game_of(), actions=1)
    assert list(GAME.attempts(game_of())) != []  # solitary, where no move leads
    assert Sneak("yard") not in {a.move for a in GAME.attempts(game_of())}
    attempts = {a.move: a for a in GAME.attempts(state)}
    carried = attempts[Sneak("yard")]
    assert carried.image["yard"] == (Piece("pawn", "red"),)
    with pytest.raises(Illegal, match="careful_cost"):
        GAME.play(state, carried.move, carried.by)
    state = play(state, Walk(), roll(1))
    assert Go("showers") in {a.move for a in GAME.attempts(state)}
    with pytest.raises(Illegal, match="not_rolled"):
        GAME.play(state, Go("showers"))
    assert list(GAME.attempts(play(game_of(), Search()))) == []

"""What the table shows: image, tracks, views, words, and why a hand is stopped."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest

from game_logic.alcatraz.moves import (
    BRIBE,
    CALL_VOTE,
    USE,
    AnyMove,
    At,
    Blackmail,
    Lift,
    Riot,
    Shed,
    Use,
    Vote,
    Walk,
)
from game_logic.alcatraz.steps import AnyStep
from game_logic.core import CHANCE, Drawn, Malformed, Piece, encode
from hw_tests.alcatraz.table import BOX, GAME, NAMES, data, play, prison, why_not


def test_image_pawns_have_names_and_guards_are_alike():
    s = prison(at=("yard", "yard", "chapel"), guards={"yard": 2})
    assert GAME.image(s)["yard"] == (
        Piece("pawn", "red"),
        Piece("pawn", "yellow"),
        Piece("guard"),
        Piece("guard"),
    )
    pieces = Counter(piece for there in GAME.image(s).values() for piece in there)
    assert pieces[Piece("guard")] == 8
    assert set(GAME.image(s)) <= set(GAME.spaces(s))


def test_image_a_guard_in_hand_stands_nowhere():
    s = prison(at=("control_post",), guards={"control_post": 0})
    s = play(s, USE, Lift("laundry"))
    assert sum(len(there) for there in GAME.image(s).values()) == 3 + 7


def test_image_is_empty_before_the_set_up():
    assert GAME.image(GAME.new(NAMES[:3])) == {}


def test_tracks_countdown_plan_bonus_and_parts():
    s = prison(parts={0: "AB", 1: "BC"}, bonus=2)
    tracks = {track.id: track for track in GAME.tracks(s)}
    assert list(tracks) == ["guards", "plan", "bonus", "parts_red", "parts_yellow", "parts_green"]
    assert (tracks["guards"].value, tracks["guards"].maximum) == (8, 21)
    assert tracks["guards"].danger < 21
    assert (tracks["plan"].value, tracks["plan"].maximum) == (3, 6)
    assert (tracks["bonus"].value, tracks["bonus"].maximum) == (2, 3)
    assert (tracks["parts_red"].value, tracks["parts_red"].seat) == (2, 0)
    start = GAME.tracks(GAME.new(NAMES[:3]))
    assert [track.id for track in start] == list(tracks)


def test_views_show_counts_of_others_cards_and_ones_own():
    s = prison(cards={0: ("x1", "x2"), 1: ("x3",)})
    for seat in (None, 1, 2):
        assert not re.search(r'"x[12]"', encode(GAME.view(s, seat)).decode())
    assert GAME.view(s, 0)["hand"] == ("x1", "x2")
    assert [p["cards"] for p in GAME.view(s, None)["prisoners"]] == [2, 1, 0]


def test_menus_that_name_a_hidden_card_are_kept_off_shared_screens():
    s = prison(scapegoat=0, cards={0: ("x1",)})
    assert GAME.secret(s, Blackmail("x1"), 0)
    assert GAME.secret(s, Shed("x1"), 0)
    assert not GAME.secret(s, Walk("yard"), 0)
    assert not GAME.secret(prison(secrets="table"), Blackmail("x1"), 0)


def test_private_draws_are_secret_and_open_ones_are_not():
    s = play(prison(at=("wardens_office",), guards={"wardens_office": 0}), USE)
    assert GAME.secret(s, Drawn("blackmail", "x1"), CHANCE)
    assert GAME.signs(s, Drawn("blackmail", "x1")) == ()
    open_ = GAME.new(NAMES[:3], {"layout": list(range(1, 13))})
    assert not GAME.secret(open_, Drawn("location", "yard"), CHANCE)
    assert GAME.signs(open_, Drawn("location", "yard")) == ("card:yard",)


def test_the_table_says_why_a_pawn_may_not_stand_there():
    s = prison(at=("yard",), guards={"chapel": 4, "canteen": 1})
    why = {}
    for attempt in GAME.attempts(s):
        why[attempt.move] = why_not(s, attempt.move, attempt.by)
        if attempt.move == Walk("chapel"):
            assert Piece("pawn", "red") in attempt.image["chapel"]
            assert Piece("pawn", "red") not in attempt.image.get("yard", ())
        if attempt.move == Riot("canteen"):
            assert attempt.image["yard"].count(Piece("guard")) == s.guards[4] + 1
    assert why[Walk("chapel")] == "four_guards_there"
    assert why[Walk("wardens_office")] == "not_adjacent"
    assert why[Riot("canteen")] == "not_adjacent"
    assert Walk("control_post") not in why
    assert list(GAME.attempts(prison(turn=None))) == []


def test_unknown_spaces_and_pieces_are_named_in_the_error():
    with pytest.raises(Malformed, match="attic"):
        GAME.place("attic")
    with pytest.raises(Malformed, match="tank"):
        GAME.piece(Piece("tank"))
    assert GAME.piece(Piece("pawn", "red")).fr == "le pion rouge"
    assert GAME.piece(Piece("guard")).en == "a guard"


def test_unknown_players_places_and_objects_are_refused_not_crashed_on():
    s = prison(cash={0: 1}, guards={"chapel": 1})
    for move in (Vote(99), Walk("attic"), Riot("attic"), At("attic"), Use()):
        if move not in GAME.moves(s):
            assert why_not(s, move)
    for made in AnyMove.__args__:
        fields = {"seat": 77, "pile": "?", "card": "?", "what": "?"}
        move = made(**{name: fields.get(name, "?") for name in made.__struct_fields__})
        for state in (s, prison(turn=None), play(prison(turn=None), CALL_VOTE)):
            if move not in GAME.moves(state):
                assert why_not(state, move)


def test_no_sentence_is_missing_and_none_is_left_over():
    texts = re.findall(r"(?m)^(\w+) = ", data("texts.toml"))
    folder = files("game_logic.alcatraz")
    source = "".join(f.read_text("utf-8") for f in folder.iterdir() if f.name.endswith(".py"))
    words = set(re.findall(r'"(\w+)"', source))
    tags = {made.__struct_config__.tag for made in AnyMove.__args__}
    waits = {step.__struct_config__.tag for step in AnyStep.__args__} - {"over", "ballot"}
    assert {key[6:] for key in texts if key.startswith("offer_")} == tags - {"drawn"}
    assert {key[6:] for key in texts if key.startswith("await_")} == {*waits, "ballot", "verdict"}
    told = {key[5:] for key in texts if key.startswith("tell_")}
    assert told >= tags - {"drawn"}
    for key in texts:
        made_up = key.startswith(("offer_", "await_", "tell_", "colour_", "thing_"))
        assert made_up or key in words or key in ("cash", "silver", "alternative"), key
    for key in told - tags:
        by_step = key in waits or key.endswith("_task")
        assert by_step or f"tell_{key}" in words, key


def test_the_log_names_who_did_what():
    s = prison(at=("chapel",), guards={"chapel": 1}, cash={0: 1})
    assert GAME.told(s, BRIBE, 0, None) == ("Ana soudoie un gardien.", "Ana bribes a guard.")
    assert GAME.told(s, Walk("yard"), 0, 2).en == "Ana moves to the yard."
    assert BOX.texts("title") == GAME.title

"""What the table shows: tracks, image, signs, names, refused hands, broken states."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from game_logic.core import Drawn, Piece, Rolled
from game_logic.pile import Pile
from game_logic.prison_break import moves as m
from game_logic.prison_break.state import Contact, Turn, Warned
from hw_tests.conformance import NAMES
from hw_tests.prison_break.scene import BOARD, GAME, act, begun, scene, walks


def test_the_tracks_are_countdown_and_culpability():
    tracks = GAME.tracks(scene(day=12, guilt=25))
    assert [track.id for track in tracks] == ["countdown", "culpability"]
    assert [(t.value, t.maximum, t.danger) for t in tracks] == [(12, 30, 25), (25, 30, 25)]
    assert tracks[1].label.fr == "Culpabilité"


def test_the_image_holds_pawns_externals_guards_tokens_and_tools():
    state = scene(
        phase=2,
        guards=(("key", "z1_1"),),
        lit=(2, 3),
        broken=(0, 5),
        where={"tancredi": "z1_1"},
        route=("yard",),
    )
    image = GAME.image(state)
    assert image["cells_1"] == (Piece("pawn", "scofield"), Piece("pawn", "sucre"))
    assert image["cells_2"] == (Piece("pawn", "abruzzi"),)
    assert image["cells_3"] == (Piece("external", "burrows"),)
    assert image["z1_1"] == (Piece("external", "tancredi"), Piece("guard_key"))
    assert image["camera_2"] == (Piece("camera_on"),)
    assert image["tower_3"] == (Piece("tower_on"),)
    assert image["tower_5"] == (Piece("tool", "breaker"),)
    assert image["tool_pliers"] == (Piece("tool", "pliers"),)
    assert image["route_yard"] == (Piece("escape_token"),)


def test_spaces_are_squares_first():
    spaces = GAME.spaces(begun())
    assert spaces[:61] == BOARD.squares
    assert len(spaces) == 61 + 6 + 5 + 2 + 15


@pytest.mark.parametrize(
    ("space", "fr", "en"),
    [
        ("z3_5", "la case 5 (La cour)", "square 5 (The yard)"),
        ("infirmary", "l'infirmerie", "the infirmary"),
        ("camera_2", "la caméra 2", "camera 2"),
        ("tower_5", "la tour 5", "tower 5"),
        ("tool_pliers", "l'emplacement de l'outil (la pince)", "the tool's space (the pliers)"),
        ("route_yard", "l'itinéraire (la cour)", "the route (the yard)"),
    ],
)
def test_places_have_names(space, fr, en):
    assert GAME.place(space) == (fr, en)


@pytest.mark.parametrize(
    ("piece", "fr"),
    [
        (Piece("pawn", "sucre"), "le pion Sucre"),
        (Piece("external", "pope"), "le pion Henry Pope"),
        (Piece("guard_key"), "un gardien « clé »"),
        (Piece("tool", "breaker"), "le disjoncteur"),
        (Piece("camera_on"), "le jeton ON de la caméra"),
        (Piece("escape_token"), "un jeton Évasion"),
    ],
)
def test_pieces_have_names(piece, fr):
    assert GAME.piece(piece).fr == fr


def test_signs_are_the_cards_that_are_laid_open():
    state = begun()
    assert GAME.signs(state, Drawn("cards", "h03")) == ("card:h03",)
    assert GAME.signs(state, Drawn("cards", "chance")) == ()
    assert GAME.signs(state, m.UseCard("c03")) == ("card:c03",)
    assert GAME.signs(state, m.Show("c03")) == ("card:c03",)
    assert GAME.signs(state, m.Show("key")) == ()
    assert GAME.signs(state, m.ShowPlan("e02")) == ("card:e02",)
    assert GAME.signs(state, m.Walk("z1_1")) == ()


def test_attempts_are_the_squares_a_hand_may_not_put_the_pawn_on():
    state = scene(lit=(0, 3), where={"scofield": "z1_5"})
    attempts = {attempt.move.to: attempt for attempt in GAME.attempts(state)}
    assert set(attempts) == set(BOARD.squares) - walks(state) - {"z1_5"}
    image = attempts["z3_1"].image
    assert image["z3_1"] == (Piece("pawn", "scofield"),)
    assert image["z1_5"] == ()
    assert list(GAME.attempts(GAME.new(NAMES[:3]))) == []


def test_the_prompt_says_what_is_awaited_and_leaves_the_names_to_the_head_line():
    assert GAME.prompt(begun(), None).en == "Your action: harmful."
    assert GAME.prompt(GAME.new(NAMES[:3]), 0).fr.startswith("Lancez le dé")
    over = act(scene(harm=True, guilt=29), m.RaiseGuilt())
    assert GAME.prompt(over, None) == GAME.outcome(over).text


def test_the_log_tells_what_a_card_does():
    state = act(begun(), m.DrawCard())
    told = GAME.told(state, Drawn("cards", "h15"), -1, None)
    assert told.fr == "Michael Scofield pioche « Interrogatoire » (culpabilité +2)."
    assert GAME.told(GAME.new(NAMES[:3]), Rolled("die", 4), -1, None).en == "The die for Ana: 4."


BROKEN = [
    ({"guilt": 31}, "off the scale"),
    ({"day": 0}, "off the scale"),
    ({"guilt": 30}, "over when culpability"),
    ({"where": (15, 15, 15, 46, 49, 50, 51, 47)}, "3 persons on z2_7"),
    ({"where": (99,) * 8}, "off the board"),
    ({"where": (45,)}, "one entry a person"),
    ({"guards": ((45, 0),)}, "strategic building"),
    ({"guards": ((0, 0), (0, 1))}, "2 guards on z1_1"),
    ({"guards": tuple((n, 0) for n in range(6))}, "more guards with evidence"),
    ({"guards": ((1, 0), (0, 0))}, "not in order"),
    ({"guards": ((0, 9),)}, "no logo"),
    ({"bag": Pile()}, "object tokens are lost"),
    ({"gone": ("key",)}, "object tokens are lost"),
    ({"pile": Pile()}, "cards are lost"),
    ({"active": "c03"}, "no handicap"),
    ({"hands": (("key",) * 4, (), (), (), (), (), (), ())}, "too many objects"),
    ({"kept": (("h14",), (), (), (), (), (), (), ())}, "only chance cards"),
    ({"lit": (7, 0)}, "does not exist"),
    ({"lit": (2, 0), "broken": (2, 0)}, "out of order cannot be on"),
    ({"by_card": (True, False)}, "switched on nothing"),
    ({"lit": (2, 0), "by_card": (True, False)}, "not active"),
    ({"broken": (2, 0)}, "placed in phase 2 only"),
    ({"tools": (5, -1)}, "carried by nobody of the team"),
    ({"route": (1, 1)}, "one a place"),
    ({"route": (1,)}, "in phase 2"),
    ({"phase": 2}, "Bellick plays in phase 2"),
    ({"bellick": 0, "phase": 2}, "Scofield cannot be eliminated"),
    ({"team": (0, 1, 2, 3, 7)}, "Lincoln joins in phase 2"),
    ({"team": (0, 1, 2)}, "not those who play"),
    ({"team": (0, 1, 2, 3, 9)}, "does not exist"),
    ({"cast": (1, 0, 2, 2)}, "the same leader"),
    ({"seats": ("Ana",)}, "3 or 4"),
    ({"todo": ()}, "nothing then"),
    ({"todo": (Warned(m.LoseObject("key")),)}, "a warning about nothing"),
    ({"todo": (Turn(11, harm=True),)}, "for nobody"),
    ({"over": "days", "todo": (Contact(0, 0),)}, "nothing then"),
    ({"seen": (1,) + (0,) * 14}, "nobody has looked at"),
    ({"plan": "e99"}, "no such escape card"),
    ({"plan": "unknown"}, "no such escape card"),
    ({"wish": 7}, "nothing that exists"),
]


@pytest.mark.parametrize(("fields", "why"), BROKEN)
def test_problems_find_what_is_wrong(fields, why):
    assert GAME.problems(begun()) == ()
    assert any(why in problem for problem in GAME.problems(replace(begun(), **fields)))

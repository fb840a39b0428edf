"""What the table shows and says of Breakout, and the contract that every game keeps."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from game_logic.breakout.moves import PUSHES, Escape, Push
from game_logic.core import Illegal, Malformed, Piece, encode
from hw_tests.breakout_positions import GAME, O, X, position, start
from hw_tests.conformance import play_through

RED, BLUE = (Piece("knot_red"),), (Piece("knot_blue"),)
FORK = "XX... / XX... / X.... / .X... / .X..."  # X's push into floor 3: exit 1 or 2
TEXTS = tomllib.loads(Path("game_logic/breakout/data/texts.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ko_scope": "both", "stalemate_unit": "round", "angle_rule": "interior_bend"},
        {"double_requires_disjoint": False, "closed_cells_usable": False, "round_limit": 30},
        {"knots_per_player": 16, "figures_to_win": 2, "stalemate_turns": 1},
    ],
    ids=["default", "strict", "loose", "other_box"],
)
@pytest.mark.parametrize("seed", range(3))
def test_random_matches_keep_the_contract(seed, options):
    play_through(GAME, seats=2, seed=seed, options=options, twin=lambda state, seat, below: state)


# -- the board ------------------------------------------------------------------------------------


def test_image_holds_knots_and_figures():
    state = position("X...O / ..... / ..... / ..... / .O...", closed={2: X, 5: O})
    assert GAME.image(state) == {
        "exit_2": (Piece("figure_red"),),
        "exit_5": (Piece("figure_blue"),),
        "r1c1": RED,
        "r1c5": BLUE,
        "r5c2": BLUE,
    }
    assert len(GAME.spaces(state)) == 30


def test_the_wall_still_stands_when_the_hand_has_won():
    state = position(FORK, closed={1: O})
    after = GAME.play(state, Push(3, "left"))
    assert set(GAME.image(after)) == {"exit_1", "exit_2"}
    by_hand = GAME.by_hand(state, Push(3, "left"), after)
    assert by_hand["r3c1"] == by_hand["r3c2"] == RED
    assert "exit_2" not in by_hand

    choosing = GAME.play(position(FORK), Push(3, "left"))
    by_hand = GAME.by_hand(choosing, Escape((2,)), GAME.play(choosing, Escape((2,))))
    assert by_hand == GAME.image(choosing) | {"exit_2": (Piece("figure_red"),)}


def test_signs_are_the_switches_of_the_openings():
    state = position("XOXOO / O.... / ..... / ..... / .....")
    assert GAME.signs(state, Push(2, "left")) == ("gate:2_left",)
    # A knot that falls out may trip the switch on its way.
    assert GAME.signs(state, Push(1, "left")) == ("gate:1_left", "gate:1_right?")
    choosing = GAME.play(position(FORK), Push(3, "left"))
    assert GAME.signs(choosing, Escape((1,))) == ()


def test_every_refused_push_is_an_attempt_with_its_reason():
    before = position("XOXOO / ..... / ..... / ..... / .....")
    state = GAME.play(before, Push(1, "left"))  # an O left on the right
    codes = {}
    for attempt in GAME.attempts(state):
        with pytest.raises(Illegal) as refusal:
            GAME.play(state, attempt.move, attempt.by)
        codes[attempt.by, attempt.move] = refusal.value.code
        assert attempt.signs[0] == f"gate:{attempt.move.row}_{attempt.move.side}"
    assert codes == {(X, push): "not_your_turn" for push in PUSHES} | {
        (O, Push(1, "right")): "slot_just_ejected"
    }
    wrong = next(a for a in GAME.attempts(state) if a.move == Push(2, "right"))
    assert wrong.image == {**GAME.image(state), "r2c5": RED}


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (GAME.new(("Ana", "Bo")), "starter_not_drawn"),
        (GAME.play(position(FORK), Push(3, "left")), "choose_exit_first"),
        (GAME.play(position(FORK, closed={1: X, 5: X}), Push(3, "left")), "game_over"),
    ],
)
def test_no_push_at_all_is_allowed_there(state, code):
    attempts = list(GAME.attempts(state))
    assert len(attempts) == 20
    for attempt in attempts:
        with pytest.raises(Illegal) as refusal:
            GAME.play(state, attempt.move, attempt.by)
        assert refusal.value.code == code


def test_tracks_are_stable_and_the_countdown_alarms_near_its_end():
    full = "XOXOX / OXOXO / XOXOX / OXOXO / XOXOO"
    tracks = [GAME.tracks(s) for s in (start(), position(full, stalled=3, insertions=28))]
    assert [[t.id for t in ts] for ts in tracks] == 2 * [
        ["countdown", "figures_red", "figures_blue"]
    ]
    assert [(ts[0].value, ts[0].maximum, ts[0].danger) for ts in tracks] == [(0, 5, 3), (3, 5, 3)]
    closed = GAME.tracks(position(full, closed={1: O}))
    assert [(t.value, t.maximum, t.seat) for t in closed[1:]] == [(0, 3, X), (1, 3, O)]


def test_the_view_is_everybodys():
    state = GAME.play(
        position("XOXOO / ..... / ..... / ..... / .....", closed={4: O}), Push(1, "left")
    )
    assert encode(GAME.view(state, None)) == encode(GAME.view(state, X))
    assert GAME.view(state, O) == {
        "seats": ["Ana", "Bo"],
        "wall": ["XXOXO", ".....", ".....", ".....", "....."],
        "stocks": [10, 11],
        "figures": [0, 1],
        "exits": [None, None, None, O, None],
        "turn": O,
        "bans": [None, {"row": 1, "side": "right"}],
        "choices": [],
        "round": 2,
        "starter": O,
        "insertions": 6,
        "countdown": {"running": False, "turns": 0, "of": 5},
    }


# -- words ----------------------------------------------------------------------------------------


def test_places_and_pieces_have_names():
    assert GAME.place("r2c3") == ("la case de l'étage 2, colonne 3", "floor 2, column 3")
    assert GAME.place("exit_4") == ("l'issue 4", "exit 4")
    assert GAME.piece(Piece("knot_red")) == ("un nœud rouge", "a red knot")
    assert GAME.piece(Piece("figure_blue")) == ("un évadé bleu", "a blue escapee")
    for space in ("r6c1", "exit_0", "cell"):
        with pytest.raises(Malformed, match=space):
            GAME.place(space)
    with pytest.raises(Malformed, match="guard"):
        GAME.piece(Piece("guard"))


def test_the_log_tells_what_came_of_a_push():
    def told(state, move):
        return GAME.told(state, move, state.turn, None).en

    state = position("XOXOO / ..... / ..... / ..... / .....")
    assert told(state, Push(1, "left")) == (
        "Ana pushes a red knot into floor 1 from the left. "
        "Opposite, a blue knot falls off the wall and goes back to Bo."
    )
    assert "rope runs" in told(position(FORK), Push(3, "left"))
    won = told(position(FORK, closed={2: X, 5: X}), Push(3, "left"))
    assert won.endswith(
        "Ana wins the round and goes over the wall at exit 1. Ana (red) wins the match, 3–0."
    )
    full = "XOXOX / OXOXO / XOXOX / OXOXO / XOXOO"
    assert told(position(full, insertions=25), Push(1, "left")).endswith("passes (R13).")
    late = position(full, stalled=4, insertions=29)
    assert told(late, Push(1, "left")).endswith("the round is cancelled (R22).")
    limited = position(full, insertions=29, options={"round_limit": 30})
    assert told(limited, Push(1, "left")).endswith("it is cancelled (A15).")


def test_prompts_say_what_and_what_not():
    state = GAME.play(position("XOXOO / ..... / ..... / ..... / ....."), Push(1, "left"))
    assert GAME.prompt(state, None).en == ("A knot, but not floor 1, from the right (R14).")
    state = GAME.play(position(FORK), Push(3, "left"))
    assert GAME.prompt(state, O).fr == ("La corde tient ! Par quelle issue ?")


def test_the_menu_names_the_price():
    state = position("XOXOO / ..... / ..... / ..... / .....")
    assert GAME.offered(state, Push(2, "left"), X).en == "Floor 2, from the left"
    assert GAME.offered(state, Push(1, "left"), X).fr == (
        "Étage 1, par la gauche : un nœud bleu tombe de l'autre côté"
    )
    assert GAME.offered(state, Escape((1, 5)), X).en == "Exits 1 and 5"


def test_refusals_name_their_rule():
    codes = list(TEXTS)[list(TEXTS).index("game_over") :]
    assert "slot_just_ejected" in codes
    for code in codes:
        for sentence in TEXTS[code].values():
            assert code == "not_a_move" or re.search(r"\(R\d+", sentence), code

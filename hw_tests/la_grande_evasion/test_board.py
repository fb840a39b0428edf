"""What the table shows: spaces, image, tracks, views, and what hands do."""

from __future__ import annotations

import pytest

from game_logic.core import Illegal, Malformed, Piece
from game_logic.la_grande_evasion.moves import Advance, Back, Done
from hw_tests.la_grande_evasion.scene import GAME, go, scene, start, throw

FIVE = "brown orange yellow light_green dark_green"


def test_every_window_square_and_boat_is_a_space():
    spaces = GAME.spaces(start())
    assert spaces[:7] == tuple(f"window_{n}" for n in range(7))
    assert spaces[7:38] == ("start", *(f"square_{n}" for n in range(1, 31)))
    assert spaces[38:] == ("boat_1", "boat_2", "boat_3", "boat_4")
    names = {GAME.place(space) for space in spaces}
    assert len(names) == len(spaces)


def test_the_short_path_is_played_on_the_same_board():
    assert GAME.spaces(start(short_path=True)) == GAME.spaces(start())


def test_image_has_stacks_in_order_and_covers_all_but_the_top():
    image = GAME.image(scene({10: "red blue yellow", 0: "orange brown"}, "dark_green"))
    assert image["square_10"] == (
        Piece("pawn", "red", covered=True),
        Piece("pawn", "blue", covered=True),
        Piece("pawn", "yellow"),
    )
    assert image["start"] == (Piece("pawn", "orange"), Piece("pawn", "brown"))
    assert image["boat_1"] == (Piece("pawn", "dark_green"),)
    assert image["window_0"] == (Piece("pawn", "light_green"),)
    assert len(image) == 4


def test_in_a_boat_nobody_is_covered():
    assert GAME.image(scene(arrived="red blue"))["boat_1"] == (
        Piece("pawn", "red"),
        Piece("pawn", "blue"),
    )


def test_tracks_boats_furthest_and_turns():
    boats, furthest, turns = GAME.tracks(scene({10: "red", 17: "blue"}, "brown", turn=290))
    assert (boats.value, boats.maximum) == (1, 7)
    assert (furthest.value, furthest.maximum) == (17, 30)
    assert (turns.value, turns.maximum) == (289, 300)
    assert turns.danger == 296  # the last round of the table
    over = go(throw(scene({4: "red", 27: "blue"}, FIVE), blue=3, red=2), Advance("blue"))
    assert [track.value for track in GAME.tracks(over)] == [7, 30, 20]


def test_at_the_end_the_hand_moves_one_pawn_and_the_others_follow():
    state = throw(scene({4: "red", 27: "blue"}, FIVE), blue=1, white=4)
    over = go(state, Back("red"))
    by_hand = GAME.by_hand(state, Back("red"), over)
    assert by_hand["start"] == (Piece("pawn", "red"),)
    assert by_hand["square_27"] == (Piece("pawn", "blue"),)
    limit = throw(scene({12: "red blue"}, FIVE, turn=300), red=1, white=1)
    assert GAME.by_hand(limit, Done(), go(limit, Done())) == GAME.image(limit)


def test_by_hand_is_the_image_after_any_other_move():
    state = throw(scene({9: "orange", 5: "brown"}), red=1, blue=2, yellow=3, white=4)
    for move in GAME.moves(state):
        after = GAME.play(state, move)
        assert GAME.by_hand(state, move, after) == GAME.image(after)


def test_attempts_are_refused_and_say_why():
    state = throw(scene({10: "yellow red", 4: "blue"}), yellow=2, blue=1, brown=3, white=2)
    tried = {}
    for attempt in GAME.attempts(state):
        with pytest.raises(Illegal) as refusal:
            GAME.play(state, attempt.move, attempt.by)
        tried[attempt.move] = refusal.value.code
        assert attempt.image != GAME.image(state)
        assert sum(map(len, attempt.image.values())) == 7
    assert tried == {
        Advance("yellow"): "pawn_blocked",
        Back("yellow"): "pawn_rolled",
        Back("blue"): "pawn_rolled",
    }


def test_the_log_tells_where_pawns_go():
    state = throw(scene({9: "orange", 5: "brown", 29: "red"}), red=1, blue=5, yellow=3, white=4)
    told = {move: GAME.told(state, move, state.player, None) for move in GAME.moves(state)}
    assert told[Advance("red")].fr == "Dee : le pion rouge avance de 1 vers le canot 1."
    assert "on top of the brown pawn" in told[Advance("blue")].en
    assert told[Back("orange")].en == (
        "Dee: the orange pawn goes back 4 to square 5, on top of the brown pawn."
    )
    end = throw(scene({4: "red", 27: "blue"}, FIVE), blue=1, white=4)
    assert GAME.told(end, Back("red"), end.player, None).en.endswith(
        "All aboard: the blue pawn (boat 3) and the red pawn (boat 4)."
    )


def test_prompts_say_what_is_awaited():
    state = scene({9: "orange"})
    assert "3 more" in GAME.prompt(state, None).en
    moving = throw(state, red=1, blue=5, yellow=3, white=4)
    assert "jaune 3, rouge 1, bleu 5 et blanc 4" in GAME.prompt(moving, None).fr
    assert "white 4" in GAME.prompt(moving, 2).en


@pytest.mark.parametrize("space", ["square", "start_1", "cell_3", "canot"])
def test_unknown_places_and_pieces_are_malformed(space):
    with pytest.raises(Malformed, match=space):
        GAME.place(space)
    with pytest.raises(Malformed, match="guard"):
        GAME.piece(Piece("guard"))

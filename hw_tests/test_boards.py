"""The boards as SVG: whatever random games lead to, every space and every piece is there once."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import islice

import pytest

from firmware_host.web.boards import CSS, _layout, dice_svg, svg, track_svg
from firmware_host.web.boards.layout import icons
from firmware_host.web.boards.pieces import _SHAPES
from game_logic import GAMES, load
from game_logic.core import CHANCE, Piece, Text, Track, pick
from hw_tests.breakout_positions import start
from hw_tests.toy import ToyGame

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    "&amp;<!--",
    "]]>\x00\x1b\x0b\ud800",
    "‮ <svg/onload=x> " + "W" * 80,
    "{n} {0} %s",
)
CASES = [
    ("breakout", 2, {}),
    ("la_grande_evasion", 3, {}),
    ("la_grande_evasion", 6, {"short_path": True, "path_length": 99}),
    ("la_grande_evasion", 2, {"start_position": 1, "path_length": 2}),
    ("alcatraz", 3, {"secrets": "table"}),
    ("alcatraz", 4, {"faces": "random"}),
    ("dig_your_way_out", 6, {"teams": True, "michel": "michelle"}),
    ("dig_your_way_out", 2, {"michel": "michel", "use_solitary": False}),
    ("dig_your_way_out", 5, {}),
    ("prison_break", 4, {}),
    ("prison_break", 3, {"secrets": "table"}),
]


def states(id, seats, options, seed=1, names=HOSTILE):
    """A random game, state by state, to its end or until somebody stops asking."""
    game, rng = load(id), random.Random(seed)
    state = game.new(names[:seats], options)
    yield game, state
    while actors := game.to_act(state):
        actor = rng.choice(actors)
        if actor == CHANCE:
            move = pick(rng.choice(game.chance(state).parts), rng.randrange)
        else:
            move = rng.choice(game.moves(state, actor))
        state = game.play(state, move, actor)
        yield game, state


def board(game, state, seat=None, language="en"):
    return svg(game, game.view(state, seat), game.image(state), language, game.spaces(state))


def groups(root, key):
    return [node for node in root.iter(f"{SVG}g") if key in node.attrib]


def title(node):
    return node.findtext(f"{SVG}title")


def check(game, state, root, language):
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    drawn = groups(root, "data-space")
    assert Counter(s.get("data-space") for s in drawn) == Counter(game.spaces(state))
    image = game.image(state)
    for space in drawn:
        id = space.get("data-space")
        assert title(space) == game.place(id).in_(language)
        assert any("drop" in (node.get("class") or "").split() for node in space)
        pieces = groups(space, "data-piece")
        assert [(p.get("data-piece"), p.get("data-id"), p.get("data-n")) for p in pieces] == [
            (piece.kind, piece.id or "", str(n)) for n, piece in enumerate(image.get(id, ()))
        ]
        assert [title(p) for p in pieces] == [
            game.piece(piece).in_(language) for piece in image.get(id, ())
        ]
    inside = sum(len(groups(space, "data-piece")) for space in drawn)
    assert len(groups(root, "data-piece")) == inside == sum(map(len, image.values()))
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
        "svg", "g", "title", "rect", "circle", "ellipse", "path", "text",
    }  # fmt: skip
    for node in root.iter():
        for key, value in node.attrib.items():
            assert not key.startswith("on"), key
            assert key not in ("href", "style"), key
            assert "url(" not in value or key == "aria-label"


@pytest.mark.parametrize(("id", "seats", "options"), CASES)
def test_every_space_and_every_piece_is_drawn_once_in_random_games(id, seats, options):
    for n, (game, state) in enumerate(islice(states(id, seats, options), 0, 4000, 7)):
        language = ("fr", "en")[n % 2]
        seat = (None, *range(seats))[n % (seats + 1)]
        drawing = board(game, state, seat, language)
        check(game, state, ET.fromstring(drawing), language)
        if n > 60:
            break


@pytest.mark.parametrize("id", GAMES)
def test_the_same_input_gives_the_same_picture_and_each_language_its_own(id):
    game, state = list(islice(states(id, load(id).seats[0], {}), 60))[-1]
    assert board(game, state) == board(load(id), state)
    assert board(game, state, language="fr") != board(game, state, language="en")


def test_names_are_words_and_never_markup():
    for id in ("breakout", "alcatraz", "dig_your_way_out"):
        game = load(id)
        names = ("<b onload=x>", '"&quot;<', "C\x00\ud800", "D")[: game.seats[1]]
        _, state = next(states(id, len(names), {}, names=names))
        drawing = board(game, state)
        root = ET.fromstring(drawing)
        assert not list(root.iter(f"{SVG}b"))
        assert "<b onload=x>" in {node.text for node in root.iter(f"{SVG}text")}
        assert "\x00" not in drawing
        drawing.encode("utf-8")


def test_a_covered_piece_shows_under_the_others():
    """R11 of La grande évasion: a stack is seen as one, the lowest first and lowest."""
    for game, state in islice(states("la_grande_evasion", 2, {}, seed=5), 4000):
        stack = next((p for p in game.image(state).values() if any(q.covered for q in p)), None)
        if stack:
            break
    root = ET.fromstring(board(game, state))
    covering = next(
        space for space in groups(root, "data-space")
        if any("covered" in (p.get("class") or "") for p in groups(space, "data-piece"))
    )  # fmt: skip
    moves = [
        node.get("transform") for piece in groups(covering, "data-piece")
        for node in piece.iter(f"{SVG}g") if node.get("transform")
    ]  # fmt: skip
    heights = [float(re.match(r"translate\(\S+ (\S+)\)", move)[1]) for move in moves]
    assert len(heights) == len(stack) > 1
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == len(heights)


def test_the_wall_has_ten_openings_and_bars_the_one_that_is_forbidden():
    game = load("breakout")
    for _, state in states("breakout", 2, {}):
        root = ET.fromstring(board(game, state))
        openings = groups(root, "data-opening")
        assert {o.get("data-opening") for o in openings} == {
            f"{row}_{side}" for row in range(1, 6) for side in ("left", "right")
        }
        ban = state.bans[state.turn] if state.turn in (0, 1) else None
        barred = [o.get("data-opening") for o in openings if "barred" in o.get("class")]
        assert barred == ([f"{ban.row}_{ban.side}"] if ban else [])
        if ban:
            return
    raise AssertionError("no knot was ever pushed out")


def test_exits_among_which_the_winner_chooses_stand_out():
    game = load("breakout")
    state = next(s for seed in range(40) for _, s in states("breakout", 2, {}, seed) if s.choices)
    root = ET.fromstring(board(game, state))
    chosen = {
        space.get("data-space") for space in groups(root, "data-space")
        if any("chosen" in (node.get("class") or "") for node in space)
    }  # fmt: skip
    assert chosen == {f"exit_{exit}" for choice in state.choices for exit in choice.exits}


def test_a_board_is_drawn_from_the_view_and_shows_no_more_than_it():
    """Two states that the public cannot tell apart look the same to it."""
    game = load("prison_break")
    for _, state in islice(states("prison_break", 4, {}), 150):
        public = game.view(state, None)
        again = svg(game, public, game.image(state), "en", game.spaces(state))
        assert again == board(game, state)
        for token in ("evidence", "money", "letter"):
            assert f">{token}<" not in again


def test_spaces_that_no_layout_knows_are_drawn_below():
    game = load("breakout")
    state = start()
    image = {**game.image(state), "hand": (Piece("knot_red"), Piece("spoon", "silver<"))}
    spaces = (*game.spaces(state), "shelf")
    root = ET.fromstring(svg(game, game.view(state, None), image, "fr", spaces))
    drawn = {space.get("data-space"): space for space in groups(root, "data-space")}
    assert list(drawn)[-2:] == ["shelf", "hand"]
    assert len(groups(drawn["hand"], "data-piece")) == 2
    plain = ET.fromstring(board(game, state))
    assert float(root.get("viewBox").split()[3]) > float(plain.get("viewBox").split()[3])


def test_a_game_without_a_layout_is_drawn_too():
    game = ToyGame()
    state = game.new(("Ana", "Bo"), {})
    check(game, state, ET.fromstring(board(game, state)), "en")


def test_everything_the_layouts_name_is_there():
    css = CSS.read_text("utf-8")
    for id in GAMES:
        layout = _layout(id)
        rooms = getattr(layout, "rooms", {}).values()
        named = {room.icon for room in rooms} | set(getattr(layout, "icons", {}).values())
        for look in layout.pieces.values():
            assert look.shape in _SHAPES
            assert f".t-{look.tint} " in css
            named.add(look.icon)
        assert named - {"", "diamond"} <= set(icons())


def test_the_dark_theme_is_the_same_whoever_asks_for_it():
    css = CSS.read_text("utf-8")
    asked, told = (
        re.search(re.escape(head) + r" \.board \{(.*?)\}", css, re.DOTALL)[1].split()
        for head in (':root:not([data-theme="light"])', ':root[data-theme="dark"]')
    )
    assert asked == told
    assert "http" not in css
    assert "url(" not in css
    assert "@import" not in css


def test_dice_and_tracks():
    root = ET.fromstring(dice_svg([1, 6, None, 12], ["red"], "fr"))
    assert root.get("aria-label") == "Dés : 1, 6, pas encore lancé, 12"
    dice = [node for node in root if "die" in node.get("class")]
    assert [len(list(die.iter(f"{SVG}circle"))) for die in dice] == [1, 6, 0, 0]
    ET.fromstring(dice_svg([]))
    track = Track("days", Text("Jours <", "Days <"), 26, 30, 25)
    root = ET.fromstring(track_svg(track, "en"))
    assert root.get("aria-label") == "Days <: 26 / 30"
    steps = [node.get("class").split() for node in root.iter(f"{SVG}rect")]
    assert sum("full" in step for step in steps) == 26
    assert sum("danger" in step for step in steps) == 6
    assert "alarming" in root.get("class")

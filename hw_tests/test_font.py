"""The lettering of the screens: the faces, and fitting text to a width."""

from __future__ import annotations

import string
import unicodedata
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware_host.font import (
    BIG,
    MEDIUM,
    SMALL,
    FontError,
    doubled,
    read_sheet,
    shorten,
    wrap,
)
from hw_tests.ink import drawn, rows

ASCII = "".join(chr(c) for c in range(0x20, 0x7F))
ACCENTED = "àâäçéèêëîïôöùûüÿœæ"
SIGNS = "«»…’‘“”–—°·×€←→↑↓▲▼●○■□✓✗"
LETTERED = ASCII + ACCENTED + ACCENTED.upper() + SIGNS
FIGURES = "0123456789/:- …"
ALIASES = "‐−⁄øØłŁ"
PANGRAMS = (
    "Portez ce vieux whisky au juge blond qui fume",
    "Dès Noël, où un zéphyr haï me vêt de glaçons würmiens, je dîne d’exquis rôtis de bœuf",
    "VOIX AMBIGUË D’UN CŒUR QUI AU ZÉPHYR PRÉFÈRE LES JATTES DE KIWIS",
    "The quick brown fox jumps over the lazy dog",
    "PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS, 0123456789!",
)
FACES = {"small": SMALL, "medium": MEDIUM, "big": BIG}


def sheet(name: str):
    return read_sheet(name, (files("firmware_host") / "data" / name).read_text("utf-8"))


# --- the faces --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "chars"), [(SMALL, LETTERED), (MEDIUM, LETTERED), (BIG, FIGURES)], ids=FACES
)
def test_every_character_is_drawn_inside_its_box_and_like_no_other(face, chars):
    pictures = {}
    for char in chars:
        assert char in face
        image = drawn(face, char)
        box = image.getbbox()
        if char == " ":
            assert box is None
        else:
            assert box[0] >= 10
            assert box[1] >= 10
            assert box[2] <= 10 + face.width(char)
            assert box[3] <= 10 + face.height
        pictures.setdefault((image.size, image.tobytes()), []).append(char)
    assert [same for same in pictures.values() if len(same) > 1] == []


def test_the_proportions_of_the_small_face():
    glyphs = sheet("small.glyphs").glyphs
    assert SMALL.height == 11
    for capital in string.ascii_uppercase + string.digits:
        assert (glyphs[capital].top, glyphs[capital].bottom) == (2, 9)
    for small in "acemnorsuvwxz":
        assert (glyphs[small].top, glyphs[small].bottom) == (4, 9)
    for hanging in "gjpqy":
        assert glyphs[hanging].bottom == 11
    assert max(g.width for g in glyphs.values()) <= 7
    assert MEDIUM.height == 22
    assert BIG.height == 28


@pytest.mark.parametrize("face", [SMALL, MEDIUM], ids=["small", "medium"])
def test_glyphs_fill_the_width_they_take(face):
    for char in LETTERED.replace(" ", ""):
        box = drawn(face, char).getbbox()
        assert (box[0], box[2]) == (10, 10 + face.width(char)), char


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_figures_are_equally_wide(face):
    assert len({face.width(d) for d in string.digits}) == 1


@pytest.mark.parametrize("pair", ["0O", "1l", "1I", "lI", "5S", "8B", "2Z", "0D", "0Q", "8S", "6G"])
def test_look_alikes_differ_by_more_than_a_speck(pair):
    a, b = (rows(drawn(SMALL, c)) for c in pair)
    specks = sum(
        p != q
        for line, other in zip(a, b, strict=True)
        for p, q in zip(line.ljust(40, "."), other.ljust(40, "."), strict=True)
    )
    assert specks >= 3


def test_letters_stay_apart():
    for pair in ("rn", "vv", "cl", "iı", "nn"):
        columns = list(zip(*rows(drawn(SMALL, pair)), strict=True))
        assert "#" not in columns[10 + SMALL.width(pair[0])]
    assert SMALL.width("rn") != SMALL.width("m")


MARKS = {
    "\u0300": ("#/.#",),
    "\u0301": (".#/#",),
    "\u0302": (".#/#.#", ".##/#..#"),
    "\u0308": ("#.#", "#..#"),
    "\u0327": (".#/##",),
}


@pytest.mark.parametrize("char", [c for c in ACCENTED + ACCENTED.upper() if c not in "œæŒÆ"])
def test_an_accented_letter_is_its_letter_with_its_mark(char):
    """The mark has its shape, is centred, one row clear, and the letter stays on the line."""
    glyphs = sheet("small.glyphs").glyphs
    base, mark = unicodedata.normalize("NFD", char)
    bare = glyphs["ı" if base == "i" else base]
    rows = glyphs[char].rows
    if mark == "\u0327":
        assert glyphs[char].top == bare.top
        assert rows[: len(bare.rows)] == bare.rows
        sign = rows[len(bare.rows) :]
    else:
        assert glyphs[char].bottom == bare.bottom
        clear = next(i for i, row in enumerate(rows) if "#" not in row)
        sign, letter = rows[:clear], [row.strip(".") for row in rows[clear + 1 :]]
        art = [row.strip(".") for row in bare.rows]
        assert letter in (art, art[:2] + art[3:])
    columns = [x for row in sign for x, c in enumerate(row) if c == "#"]
    shape = "/".join(row[min(columns) :].rstrip(".") for row in sign)
    assert shape in MARKS[mark]
    left, right = min(columns), len(rows[0]) - 1 - max(columns)
    assert 0 <= right - left <= 1


@pytest.mark.parametrize("face", [SMALL, MEDIUM], ids=["small", "medium"])
@pytest.mark.parametrize("text", PANGRAMS)
def test_measured_is_drawn(face, text):
    image = drawn(face, text)
    left, _, right, _ = image.getbbox()
    assert (left, right - left) == (10, face.width(text))


def test_draw_puts_the_art_where_it_says():
    image = Image.new("1", (8, 12))
    assert SMALL.draw(image, (1, 0), "g") == 6
    assert rows(image)[3:] == [
        "........",
        "..###...",
        ".#..#...",
        ".#..#...",
        ".#..#...",
        "..###...",
        "....#...",
        "..##....",
        "........",
    ]


def test_text_goes_on_where_the_last_one_ended():
    whole, parts = (Image.new("1", (90, 11)) for _ in range(2))
    end = SMALL.draw(whole, (3, 0), "glaçons et tôt")
    assert SMALL.draw(parts, (SMALL.draw(parts, (3, 0), "glaçons "), 0), "et tôt") == end
    assert whole.tobytes() == parts.tobytes()


def test_dark_ink_on_a_lit_ground_and_edges_of_the_picture():
    lit = Image.new("1", (60, 11), 1)
    MEDIUM.draw(lit, (-5, -5), "Évadés", ink=0)
    dark = Image.new("1", (60, 11), 0)
    MEDIUM.draw(dark, (-5, -5), "Évadés", ink=1)
    assert [r.translate(str.maketrans("#.", ".#")) for r in rows(lit)] == rows(dark)
    assert dark.getbbox()


@pytest.mark.parametrize(
    ("odd", "same"),
    [
        ("Ñandú", "Nandu"),  # a letter without its mark
        ("e\u0301te\u0301", "été"),  # marks apart are put together
        ("x\u0302", "x"),  # and dropped where there is no such letter
        ("ﬁn", "fin"),
        ("a\u00a0b\u202fc\td", "a b c d"),
        ("so\u00adif\u200b", "soif"),
        ("½", "1/2"),
        ("−1‐2", "–1-2"),
        ("日", "\ufffd"),
        ("\ud800", "\ufffd"),
        ("", ""),
    ],
)
def test_what_stands_in_for_unknown_characters(odd, same):
    assert drawn(SMALL, odd).tobytes() == drawn(SMALL, same).tobytes()


def test_aliases_are_known():
    assert all(c in SMALL for c in ALIASES)


@given(st.sampled_from(list(FACES)), st.text())
def test_any_text_can_be_set(name, text):
    face = FACES[name]
    image = Image.new("1", (128, 64))
    end = face.draw(image, (0, 0), text)
    assert end == (face.width(text) + face.gap if face.width(text) else 0)


def test_doubling_smooths_stairs_and_leaves_corners_square():
    small = read_sheet(
        "test.glyphs",
        "height 3\ngap 1\nat 0 U+0020 U+FFFD / L o\n"
        ". # ..# #.. .#.\n. # .#. #.. #.#\n. # #.. ### .#.\n",
    )
    big = doubled(small)
    assert (big.height, big.gap) == (6, 2)
    assert big.glyphs["/"].rows == ("....##", "...###", "..###.", ".###..", "###...", "##....")
    # a hole of one pixel stays open
    assert big.glyphs["o"].rows[2:4] == ("##..##", "##..##")
    assert big.glyphs["L"].rows == ("##....",) * 4 + ("######",) * 2


# --- glyph files that are refused -------------------------------------------------------------

HEAD = "height 4\ngap 1\nsqueeze 0\nat 0 U+0020 U+FFFD e\n. ## ##\n. ## #.\n\n"


@pytest.mark.parametrize(
    ("body", "line", "why"),
    [
        ("at 0 A\n#x\n", 9, "'#' and '.' alone"),
        ("at 0 A B\n## #\n# #\n", 10, "1 wide, its first row 2"),
        ("at 0 A B\n##\n", 9, "1 drawings in this row, 2 named"),
        ("at 0 A\n\n", 8, "no art follows"),
        ("at 3 A\n#\n#\n", 10, "ends on row 4, below the line"),
        ("at one A\n#\n", 8, "'one' is not a whole number"),
        ("at 0 e\n#\n", 9, "'e' is drawn twice"),
        ("at 0 AB\n#\n", 9, "'AB' is not one character"),
        ("é = e acute\n", 8, "no mark 'acute'"),
        ("à = a acute\n", 8, "'a' is used before it is drawn"),
        ("above acute\n#\n\né = e acute\n", 11, "does not fit above 'e'"),
        ("below tail\n#\n#\n#\n\nę = e tail\n", 13, "ends on row 4"),
        ("x like y\n", 8, "'y' is used before it is drawn"),
        ("glyph A\n", 8, "expected `at ROW letters`"),
    ],
)
def test_a_bad_glyph_file_is_refused_with_line_and_reason(body, line, why):
    with pytest.raises(FontError) as refused:
        read_sheet("bad.glyphs", HEAD + body)
    assert str(refused.value).startswith(f"bad.glyphs, line {line}: ")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gap 1\nat 0 A\n#\n", "`height` must be set first"),
        ("height 4\nat 0 U+0020 U+FFFD\n. #\n", "`gap` must be set first"),
        ("height 4\ngap 1\nat 0 U+FFFD\n#\n", "no glyph U+0020, the space"),
        ("height 4\ngap 1\nat 0 U+0020\n.\n", "no glyph U+FFFD, the box"),
        ("", "`gap` must be set first"),
    ],
)
def test_a_glyph_file_that_lacks_something_is_refused(text, why):
    with pytest.raises(FontError, match=why.replace("+", r"\+")):
        read_sheet("bad.glyphs", text)


# --- fitting text -----------------------------------------------------------------------------

texts = st.one_of(
    st.text(alphabet=LETTERED + "   \u00a0\u0301日", max_size=60),
    st.lists(st.sampled_from(" ".join(PANGRAMS).split() + list("!?:;»«")), max_size=20).map(
        " ".join
    ),
    st.text(max_size=20),
)
widths = st.integers(-3, 140)


def letters(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


@given(st.sampled_from(list(FACES)), texts, widths)
def test_shortened_text_fits_and_is_the_start_of_the_text(name, text, width):
    face = FACES[name]
    short = shorten(face, text, width)
    assert face.width(short) <= max(width, 0)
    if face.width(text) <= width:
        assert short == text
    elif short:
        assert short.endswith("…")
        assert unicodedata.normalize("NFC", text).startswith(short[:-1])
    else:
        assert face.width("…") > width


@given(texts, st.integers(8, 140))
def test_an_unbroken_text_keeps_all_that_fits(text, width):
    short = shorten(SMALL, text, width)
    if short != text and " " not in text:
        following = unicodedata.normalize("NFC", text)[: len(short)]
        assert SMALL.width(following + "…") > width or following[-1:].isspace()


def test_shorten_prefers_the_end_of_a_word():
    text = "Remettez le pion rouge sur la case"
    assert shorten(SMALL, text, SMALL.width("Remettez le pion rou…")) == "Remettez le pion…"
    assert shorten(SMALL, text, SMALL.width("Remettez le pion…")) == "Remettez le pion…"
    assert shorten(SMALL, text, SMALL.width("Remet…")) == "Remet…"
    assert shorten(SMALL, "À Constantinople", SMALL.width("À Constantin…")) == "À Constantin…"
    assert shorten(SMALL, text, SMALL.width("…")) == "…"
    assert shorten(SMALL, text, SMALL.width("…") - 1) == ""


@given(texts, widths, st.integers(-1, 6))
def test_wrapped_lines_fit(text, width, lines):
    wrapped = wrap(SMALL, text, width, lines)
    assert len(wrapped) <= max(lines, 0)
    assert all(line and SMALL.width(line) <= max(width, 0) for line in wrapped)
    assert all(line == line.strip(" ") for line in wrapped)
    shown = letters("".join(wrapped))
    whole = letters(text)
    assert shown == whole or (whole + "…").startswith(shown) or whole.startswith(shown[:-1])


@settings(max_examples=200)
@given(texts, st.integers(8, 140))
def test_wrapping_keeps_every_letter_if_the_lines_suffice(text, width):
    width = max([width, *map(SMALL.width, text)])  # '¼' is set as three glyphs
    assert letters("".join(wrap(SMALL, text, width, 10_000))) == letters(text)


@given(st.lists(st.sampled_from(" ".join(PANGRAMS).split()), min_size=1))
def test_words_that_fit_are_not_broken_and_lines_are_filled(words):
    width = 100
    lines = wrap(SMALL, " ".join(words), width, 100)
    assert " ".join(lines).split(" ") == words
    for line, following in pairwise(lines):
        assert SMALL.width(f"{line} {following.split(' ')[0]}") > width


@pytest.mark.parametrize("sign", [":", "!", "?", ";", "»"])
def test_a_sign_after_a_space_stays_with_its_word(sign):
    text = f"Où est le pion {sign} Ici"
    for width in range(SMALL.width(f"pion {sign}"), 140):
        assert not any(line.startswith(sign) for line in wrap(SMALL, text, width, 9)), width
    opened = "Il dit « Halte » et part"
    for width in range(SMALL.width("« Halte »"), 140):
        assert not any(line.endswith("«") for line in wrap(SMALL, opened, width, 9)), width


def test_wrap_by_example():
    text = "Remettez le pion rouge\nsur la case 14 !"
    assert wrap(SMALL, text, 128, 2) == ["Remettez le pion rouge sur la", "case 14 !"]
    assert wrap(SMALL, text, 80, 2) == ["Remettez le pion", "rouge sur la case…"]
    assert wrap(SMALL, "anticonstitutionnellement", 60, 9) == [
        "anticonstituti",
        "onnellement",
    ]
    assert wrap(SMALL, "mmmm !", SMALL.width("mmmm"), 9) == ["mmmm", "!"]
    assert wrap(SMALL, "  \n ", 60, 9) == []
    assert wrap(SMALL, "m", 2, 9) == []

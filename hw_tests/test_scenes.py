"""What is not the game itself: dice, pause, start-up, invitations, and the end."""

from __future__ import annotations

from itertools import pairwise

import pytest
import segno
from PIL import Image

from drivers.health import Health
from firmware_host import __version__
from firmware_host.canvas import Canvas
from firmware_host.config import profile
from firmware_host.journal import Record
from firmware_host.notices import Question
from firmware_host.parts import Parts
from firmware_host.scenes.dice import LARGE, MANY, NAMED, Die, draw, large, rolled, row
from firmware_host.scenes.ending import end
from firmware_host.scenes.welcome import MODULE, qr
from firmware_host.screens import Moment, canvases
from firmware_host.screens import draw as drawn
from firmware_host.senses import Senses
from firmware_host.snapshot import Invitation, Snapshot
from game_logic import load
from game_logic.core import CHANCE, Act, Outcome, Rolled, Text
from hw_tests.test_screens import LONG, golden, menu, records

ADDRESS = "http://192.168.1.23:8000"
INVITED = Invitation(1, "K7QW3MXB", "HTTP://192.168.1.23:8000/J/K7QW3MXB")


def seen(shot, moment=None):
    return canvases(shot, 1, moment or Moment())[0]


# --- dice -------------------------------------------------------------------------------------


def just_rolled(id, seed=1):
    """The records right after dice fell, and those right after a person acted upon them."""
    game = list(records(id, seed, 300))
    for before, after in pairwise(game):
        (act,) = after.steps[-1].entry.acts
        if isinstance(act.move, Rolled):
            yield before, after, act.move


@pytest.mark.parametrize("id", ["prison_break", "dig_your_way_out"])
def test_the_die_that_fell_is_shown_until_somebody_acts(id):
    falls = list(just_rolled(id))
    assert {move.face for _, _, move in falls} == set(range(1, 7))
    for before, after, move in falls:
        assert rolled(after)[-1] == Die(move.face)
        assert len(rolled(after)) == len(rolled(before)) + 1
    acted = [r for r in records(id, 1, 300) if r.seq and r.steps[-1].entry.acts[0].by >= 0]
    assert all(rolled(record) == () for record in acted)


def test_dice_of_several_people_in_a_row_are_shown_together():
    """At the start of Prison Break each rolls for the choice of a person."""
    rolls = [after for _, after, _ in just_rolled("prison_break")][:3]
    assert [len(rolled(record)) for record in rolls] == [1, 2, 3]
    assert len({seen(Snapshot(record)).picture.tobytes() for record in rolls}) == 3


def test_what_was_taken_back_is_not_shown():
    _, after, _ = next(just_rolled("prison_break"))
    assert rolled(after.undo(confirmed=True)) == ()


def test_a_choice_and_its_roll_in_one_are_shown():
    game = load("dig_your_way_out")
    for before, after, move in just_rolled("dig_your_way_out"):
        last = before.steps[-1].entry
        if len(before.steps) > 2 and last.acts[0].by >= 0:
            together = Record.begin(game, before.steps[0].entry.seats, key=b"k")
            for step in before.steps[1:-1]:
                together = together.intent(step.entry.acts)
            together = together.intent((*last.acts, Act(CHANCE, move)))
            assert rolled(together) == rolled(after) == (Die(move.face),)
            return
    raise AssertionError("nobody chose to roll")


def test_every_face_has_its_pips_and_looks_the_same_from_the_other_side():
    for size in (LARGE, NAMED, MANY):
        faces = set()
        for face in range(1, 7):
            canvas = Canvas()
            draw(canvas, 0, 0, face, size)
            die = canvas.picture.crop((0, 0, size.die, size.die))
            assert die.tobytes() == die.transpose(Image.Transpose.ROTATE_180).tobytes()
            assert _islands(die) == face
            faces.add(die.tobytes())
        assert len(faces) == 6


def _islands(die):
    """Dark spots inside the lit square."""
    dark = {
        (x, y)
        for x in range(1, die.width - 1)
        for y in range(1, die.height - 1)
        if not die.getpixel((x, y))
    }
    count = 0
    while dark:
        count += 1
        edge = [dark.pop()]
        while edge:
            x, y = edge.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & dark
            dark -= near
            edge += near
    return count


def test_a_die_of_other_faces_shows_its_number():
    one, other = Canvas(), Canvas()
    large(one, Die(12), [])
    large(other, Die(20), [])
    assert one.overflows == other.overflows == []
    assert one.picture.tobytes() != other.picture.tobytes()


@pytest.mark.parametrize("count", range(1, 9))
def test_up_to_eight_named_dice_stand_in_a_row(count):
    canvas = Canvas(127, 64)
    row(canvas, tuple(Die(n % 6 + 1, "VC") for n in range(count)))
    assert canvas.overflows == []
    assert canvas.picture.getbbox()[2] <= 127


def test_the_dice_of_la_grande_evasion_are_those_still_to_be_played_with():
    shown = 0
    for record in records("la_grande_evasion", 3, 300):
        view = record.game.view(record.state, None)
        lying = [face for face in view["faces"] if face]
        if lying and record.game.outcome(record.state) is None:
            with_dice = seen(Snapshot(record)).picture.crop((0, 11, 127, 43))
            lit = with_dice.convert("L").histogram()[255]
            assert lit > len(lying) * MANY.die**2 * 0.5
            shown += 1
    assert shown > 20


def test_dice_are_seen_beside_an_untouched_menu_too():
    after = next(r for _, r, _ in just_rolled("dig_your_way_out") if menu(r))
    asked = Snapshot(after, question=menu(after))
    other = Snapshot(after)
    tops = [
        seen(shot, Moment(page)).picture.crop((0, 12, 127, 42))
        for shot, page in ((asked, 1), (other, 0))
    ]
    assert tops[0].tobytes() == tops[1].tobytes()


# --- codes ------------------------------------------------------------------------------------


def read(picture, url):
    """The modules of the code in a picture, as a telephone finds them: by the first dark one."""
    size = len(segno.make(url, error="l", micro=False).matrix)
    lit = picture.crop((0, 0, 63, 64)).convert("L")
    top = next(y for y in range(64) if lit.getpixel((20, y)))
    left = next(x for x in range(63) if not lit.getpixel((x, top + 12)))
    corner = next(y for y in range(top, 64) if not lit.getpixel((left, y)))
    return [
        [not lit.getpixel((left + MODULE * c, corner + MODULE * r)) for c in range(size)]
        for r in range(size)
    ]


@pytest.mark.parametrize(
    ("shot", "url"),
    [
        (Snapshot(None, address=ADDRESS), ADDRESS.upper()),
        (Snapshot(None, invitation=INVITED._replace(seat=None)), INVITED.url),
    ],
)
def test_the_code_on_the_screen_is_the_address(shot, url):
    wanted = [[bool(dark) for dark in row] for row in segno.make(url, error="l").matrix]
    assert read(seen(shot).picture, url) == wanted
    assert seen(shot).overflows == []


def test_the_longest_address_is_a_code_of_25_modules():
    url = "HTTP://255.255.255.255:65535/S/ACDEFGHJ"
    assert len(segno.make(url, error="l").matrix) == 25
    assert max(qr(url).size) <= 63


def test_a_code_has_quiet_around_it():
    for url in (ADDRESS.upper(), INVITED.url):
        code = qr(url)
        assert max(code.size) <= 63
        for side in ((0, 0, code.width, 4), (0, 0, 4, code.height)):
            assert all(code.crop(side).convert("L").tobytes())


@pytest.mark.parametrize("length", [10, 40, 90, 400])
def test_an_address_of_any_length_is_shown_whole(length):
    shot = Snapshot(None, address=f"http://{'cavale-' * (length // 7)}.local:8000")
    assert seen(shot).overflows == []


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("name", ["Bo", "Maximilienne"])
def test_an_invitation_says_whose_seat_it_is(language, name):
    record = Record.begin(load("breakout"), ("Ana", name), key=b"k")
    shot = Snapshot(record, invitation=INVITED, address=ADDRESS, language=language)
    assert seen(shot).overflows == []
    host = shot._replace(invitation=INVITED._replace(seat=None))
    ana = shot._replace(invitation=INVITED._replace(seat=0))
    assert len({seen(each).picture.tobytes() for each in (shot, host, ana)}) == 3


def test_an_invitation_stands_before_everything_else():
    record = next(records("breakout", 1))
    said = Text("Non", "No")
    shot = Snapshot(record, invitation=INVITED)
    busy = shot._replace(
        paused=True, trouble=said, flash=said, question=Question("asked", said, (said,), ())
    )
    assert seen(busy).picture.tobytes() == seen(shot).picture.tobytes()


# --- start, pause, trouble, end -------------------------------------------------------------------


def test_the_start_tells_the_version():
    picture = seen(Snapshot(None))
    assert picture.overflows == []
    assert __version__  # as the picture has it, letter by letter
    line = Canvas(127, 64)
    line.text(0, 24, f"version {__version__}", align="center", width=127)
    box = (0, 26, 127, 34)
    assert picture.picture.crop(box).tobytes() == line.picture.crop(box).tobytes()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_pause_is_unlike_anything_else_and_keeps_the_trouble_in_sight(language):
    record = next(records("prison_break", 1))
    shot = Snapshot(record, paused=True, language=language)
    assert seen(shot).overflows == []
    assert seen(shot).picture.tobytes() != seen(shot._replace(paused=False)).picture.tobytes()
    sick = seen(shot._replace(trouble=Text("Sans réponse : lecteur 7", "No answer: reader 7")))
    assert sick.overflows == []
    assert sick.picture.crop((0, 54, 127, 64)).convert("L").histogram()[255] > 600


def test_what_is_asked_from_afar_is_asked_in_a_pause_too():
    record = next(records("prison_break", 1))
    said = Text("Oui", "Yes")
    paused = Snapshot(record, paused=True)
    for kind, differs in (("proposal", True), ("table", True), ("menu", False), ("asked", False)):
        asked = paused._replace(question=Question(kind, said, (said, said), ()))
        assert (seen(asked).picture.tobytes() != seen(paused).picture.tobytes()) == differs


def test_a_question_needs_no_game():
    options = tuple(Text(f"Jeu {n}", f"Game {n}") for n in range(5))
    shots = [
        Snapshot(None, question=Question("table", Text("Quoi ?", "What?"), options, (), at))
        for at in range(5)
    ]
    assert len({seen(shot).picture.tobytes() for shot in shots}) == 5
    assert all(seen(shot).overflows == [] for shot in shots)


@pytest.mark.parametrize(
    ("name", "french", "english"),
    [
        ("reader 7", "Sans réponse : lecteur 7", "No answer: reader 7"),
        ("screen 0x3c", "Sans réponse : écran 0x3c", "No answer: screen 0x3c"),
        ("tower", "Sans réponse : tour à dés", "No answer: dice tower"),
        ("i2c-1", "Sans réponse : i2c-1", "No answer: i2c-1"),
    ],
)
def test_a_device_that_does_not_answer_is_named_in_both_languages(name, french, english):
    health = Health(name)
    health.state = "failed"
    parts = Parts(Senses(profile("pad"), None), healths=[health])
    assert parts.trouble(0.0) == Text(french, english)
    record = list(records("prison_break", 1, 30))[-1]
    for language in ("fr", "en"):
        shot = Snapshot(record, trouble=parts.trouble(0.0), language=language)
        assert seen(shot).overflows == []
        assert not seen(shot).rolls


@pytest.mark.parametrize("names", [("Ana", "Bo", "Cy", "Dee", "Eve", "Flo"), LONG])
@pytest.mark.parametrize("count", range(7))
def test_all_who_have_won_are_named(names, count):
    words = Text("Tous dehors (R1).", "All are out (R1).")
    pictures = set()
    for winners in (tuple(range(count)), tuple(range(6 - count, 6))):
        canvas = Canvas(127, 64)
        end(canvas, list(names), Outcome(winners, "out", words), "fr", 5, 0)
        assert canvas.overflows == []
        pictures.add(canvas.picture.tobytes())
    assert len(pictures) == (1 if count in (0, 6) else 2)


def test_the_end_of_la_grande_evasion_tells_everybodys_points():
    record = golden("la_grande_evasion-3")
    board = canvases(Snapshot(record), 2)[1]
    assert board.overflows == []
    below = board.picture.crop((0, 16, 127, 64)).getbbox()
    assert below is not None
    assert drawn(Snapshot(record), 2)[1].getbbox()[3] > 20

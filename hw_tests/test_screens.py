"""Screens say what they should, in both languages, and no text is cut off."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from firmware_host.canvas import Canvas
from firmware_host.font import SMALL, wrap
from firmware_host.health import spoken
from firmware_host.journal import Record
from firmware_host.mending import Instruction
from firmware_host.notices import Notice, Question
from firmware_host.screens import LINES, ROOM, Moment, canvases, draw, glass, pages
from firmware_host.snapshot import Invitation, Snapshot
from firmware_host.texts import TEXTS
from game_logic import GAMES, load
from game_logic.breakout.moves import Push
from game_logic.core import CHANCE, Act, Illegal, Text, decode_act, pick
from hw_tests.breakout_positions import position
from hw_tests.conformance import NAMES

LONG = ("Maximilienne", "Christopher", "Bartholomew", "Marguerite", "Guillemette", "Théodora")
GOLDEN_GAMES = Path(__file__).parent / "golden"


def golden(stem, moves=None):
    """A golden game, or its first so many moves."""
    log = (GOLDEN_GAMES / f"{stem}.jsonl").read_text("utf-8").splitlines()
    _, start, *entries = map(json.loads, log)
    game = load(start["game"])
    played = Record.begin(game, start["seats"], start["options"], key=b"k")
    for entry in [e for e in entries if e.get("kind") == "intent"][:moves]:
        played = played.intent(tuple(decode_act(game, act) for act in entry["acts"]))
    return played


def records(id, seed, most=150, seats="fewest", names=NAMES):
    """A random game, a record at each move."""
    rng = random.Random(seed)
    game = load(id)
    record = Record.begin(game, names[: game.seats[seats == "most"]], key=b"k")
    for _ in range(most):
        yield record
        state = record.state
        if game.outcome(state) is not None:
            return
        by = rng.choice(game.to_act(state))
        if by == CHANCE:
            move = pick(game.chance(state).parts[0], rng.randrange)
        else:
            move = rng.choice(game.moves(state, by))
        record = record.intent((Act(by, move),))


def menu(record):
    """What the table would ask if no sensor saw anything: every open move, as it is offered."""
    game, state = record.game, record.state
    options = [
        game.offered(state, move, by)
        for by in game.to_act(state)
        if by != CHANCE
        for move in game.moves(state, by)
        if not game.secret(state, move, by)
    ]
    return Question("menu", game.prompt(state, None), tuple(options), ()) if options else None


SICK = TEXTS("not_answering", name=spoken("reader guards_room"))


def every_look(record, at):
    """A state as any table may show it: on one screen and on two, quiet, asked, sick, timed."""
    question = menu(record)
    for language in ("fr", "en"):
        shot = Snapshot(record, language=language)
        yield from canvases(shot, 2)
        yield from canvases(shot, 1, Moment(1))
        yield from canvases(shot._replace(trouble=SICK), 1)
        yield from canvases(shot._replace(deadline=1.0), 1, Moment(seconds=120))
        if question is not None:
            asked = shot._replace(question=question._replace(at=at % len(question.options)))
            yield from canvases(asked, 1)
            yield from canvases(asked, 1, Moment(1))
            yield from canvases(asked._replace(trouble=SICK), 1, Moment(seconds=120))


@pytest.mark.parametrize("seats", ["fewest", "most"])
@pytest.mark.parametrize("id", GAMES)
def test_no_text_is_cut_off_in_any_state_of_a_random_game(id, seats):
    for n, record in enumerate(records(id, 5, 200, seats=seats)):
        for canvas in every_look(record, n):
            assert canvas.overflows == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", ["fewest", "most"])
@pytest.mark.parametrize("id", GAMES)
def test_no_text_is_cut_off_in_whole_random_games(id, seats, seed):
    for n, record in enumerate(records(id, seed, 1500, seats=seats, names=LONG)):
        for canvas in every_look(record, n):
            assert canvas.overflows == []


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("stem", [file.stem for file in sorted(GOLDEN_GAMES.glob("*.jsonl"))])
def test_the_end_names_who_has_won_and_cuts_nothing_off(stem, language):
    record = golden(stem)
    for canvas in canvases(Snapshot(record, language=language), 2):
        assert canvas.overflows == []
        assert not canvas.rolls


@pytest.mark.parametrize("id", GAMES)
def test_what_is_to_be_mended_fits_for_every_space_and_piece(id):
    """With the name of the space, as the rules of that game name it."""
    game = load(id)
    record = list(records(id, 1, 30))[-1]
    spaces = game.spaces(record.state)
    pieces = [thing.piece for thing in game.things() if thing.piece]
    for n, space in enumerate(spaces):
        piece, other = pieces[n % len(pieces)], spaces[-n - 1]
        steps = [Instruction(piece, space, other), Instruction(piece, None, space)]
        steps.append(Instruction(None, space, None))
        for text in (step.text(game) for step in steps if step.origin != step.to):
            for language in ("fr", "en"):
                assert text.in_(language).count(game.place(space).in_(language))
                shot = Snapshot(record, Notice("mend", text), language=language)
                alone = canvases(shot, 1)[0]
                assert alone.overflows == []
                assert not alone.rolls
                why = shot._replace(notice=Notice("mend", text, TEXTS("stale")))
                assert canvases(why, 1)[0].overflows == []


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("trouble", [None, SICK])
def test_which_button_it_takes_stays_in_sight_while_two_moves_roll_by(language, trouble):
    record = list(records("la_grande_evasion", 1, 30))[-1]
    told = Text("Le pion brun avance de 5 vers la case 5. " * 4, "A pawn advances. " * 10)
    then = TEXTS("confirm_or_go_on")
    notice = Notice("provisional", told, confirm=True, then=then)
    shot = Snapshot(record, notice, trouble=trouble, language=language)
    assert canvases(shot, 1)[0].rolls
    line = Canvas(128, SMALL.height)
    line.paragraph(2, 0, ROOM, 1, then.in_(language))
    ask = line.picture.crop((0, 2, 128, 7))  # above and below, lines reach into each other
    pictures = [glass(canvases(shot, 1, Moment(line=line))[0]) for line in range(6)]
    assert len({picture.tobytes() for picture in pictures}) > 1
    for picture in pictures:
        rows = [picture.crop((0, y, 128, y + 5)) for y in range(64 - 5)]
        assert any(row.tobytes() == ask.tobytes() for row in rows)


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("id", GAMES)
def test_the_option_one_stands_on_is_never_cut_off(id, language):
    seen = set()
    for record in records(id, 6, 250):
        question = menu(record)
        for at, option in enumerate(question.options if question else ()):
            if option not in seen:
                seen.add(option)
                shot = Snapshot(record, question=question._replace(at=at), language=language)
                assert canvases(shot, 1)[0].overflows == []
                assert len(wrap(SMALL, option.in_(language), ROOM, 99)) <= LINES - 1
    assert len(seen) > 5


@pytest.mark.parametrize("id", GAMES)
def test_every_game_can_be_shown(id):
    shown = {draw(Snapshot(record), 2)[0].tobytes() for record in records(id, 1)}
    assert len(shown) > 5


@pytest.mark.parametrize("language", ["fr", "en"])
def test_why_and_what_to_mend_fit_for_every_refused_push(language):
    game = load("breakout")
    for record in list(records("breakout", 2, 60))[1::4]:
        for attempt in game.attempts(record.state):
            try:
                game.play(record.state, attempt.move, attempt.by)
            except Exception as refusal:
                text = game.place("r5c5")
                mend = Text(
                    f"Retirez un nœud bleu : {text.fr}.", f"Take a blue knot off {text.en}."
                )
                shot = Snapshot(record, Notice("mend", mend, refusal.text), language=language)
                assert canvases(shot, 1)[0].overflows == []


def test_the_countdown_of_a_full_wall_is_the_largest_thing_on_the_screen():
    game = load("breakout")
    full = position("XOXOX / OXOXO / XOXOX / OXOXO / XOXOO", insertions=25)
    record = Record.begin(game, ("Ana", "Bo"), key=b"k").correct(full)
    before = draw(Snapshot(record), 1)[0]
    after = draw(Snapshot(record.intent((Act(0, Push(1, "left")),))), 1)[0]
    number = (60, 12, 84, 42)
    assert before.crop(number).tobytes() != after.crop(number).tobytes()
    assert before.crop(number).getbbox()[3] >= 24


def test_figures_of_the_two_colours_differ_on_the_wall():
    game = load("breakout")

    def exit_of(seat):
        state = position("....." + " / ....." * 4, closed={1: seat})
        record = Record.begin(game, ("Ana", "Bo"), key=b"k").correct(state)
        return draw(Snapshot(record), 2)[1].crop((36, 0, 50, 12)).tobytes()

    assert exit_of(0) != exit_of(1)


def test_a_menu_scrolls_with_the_option_it_stands_on():
    record = next(records("breakout", 1))
    options = tuple(Text(f"Option {n}", f"Option {n}") for n in range(9))

    def shown(at):
        question = Question("menu", Text("Quoi ?", "What?"), options, (), at)
        return canvases(Snapshot(record, question=question), 1)[0]

    pictures = {shown(at).picture.tobytes() for at in range(9)}
    assert len(pictures) == 9
    assert all(shown(at).overflows == [] for at in range(9))


@pytest.mark.parametrize("id", GAMES)
def test_trouble_takes_the_last_line_and_cuts_nothing_above_it(id):
    trouble = Text("Sans réponse : lecteur 7", "No answer: reader 7")
    lines = set()
    for record in records(id, 1, 60):
        canvas = canvases(Snapshot(record, trouble=trouble), 1)[0]
        assert canvas.overflows == []
        lines.add(canvas.picture.crop((0, 54, 128, 64)).tobytes())
    assert len(lines) == 1


def test_a_table_without_a_game_says_so():
    assert draw(Snapshot(None), 1)[0].getbbox()
    assert draw(Snapshot(None), 0) == []
    assert len(draw(Snapshot(None), 3)) == 3


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("id", GAMES)
def test_long_names_are_shortened_before_anything_else_is(id, language):
    for record in records(id, 3, 200, "most", LONG):
        shot = Snapshot(record, language=language)
        for canvas in (*canvases(shot, 2, Moment(seconds=120)), *canvases(shot, 1, Moment(1))):
            assert canvas.overflows == []


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("id", GAMES)
def test_why_a_move_is_refused_fits_on_the_screen(id, language):
    refused = 0
    for record in list(records(id, 4, 150))[::5]:
        game, state = record.game, record.state
        for attempt in list(game.attempts(state))[:6]:
            try:
                game.play(state, attempt.move, attempt.by)
            except Illegal as refusal:
                shot = Snapshot(record, flash=refusal.text, language=language)
                assert canvases(shot, 1)[0].overflows == []
                refused += 1
    assert refused or id == "alcatraz"


def thirty(day, guilt):
    """Both screens of Prison Break with so many days gone and so much guilt."""
    record = list(records("prison_break", 1, 40))[-1]
    return Snapshot(record.correct(replace(record.state, day=day, guilt=guilt)))


@pytest.mark.parametrize(("track", "half"), [("day", 0), ("guilt", 1)])
def test_each_track_of_prison_break_looks_alarming_from_25_on(track, half):
    def lit(value):
        shot = thirty(**({"day": 5, "guilt": 5} | {track: value}))
        board = draw(shot, 2)[1].crop((0, 32 * half, 128, 32 * half + 31))
        return sum(board.point(bool, "1").convert("L").point(bool).tobytes()) / (128 * 31)

    assert lit(24) < 0.4
    assert lit(25) > 0.6


def test_the_numbers_of_prison_break_are_the_tallest_thing_on_both_screens():
    first, second = draw(thirty(18, 21), 2)
    for picture in (first.crop((0, 12, 38, 42)), second.crop((0, 0, 38, 31))):
        assert picture.getbbox()[3] - picture.getbbox()[1] >= 28


def test_one_screen_shows_game_and_board_by_turns():
    record = list(records("alcatraz", 1, 60))[-1]
    shot = Snapshot(record)
    game, board = (image.tobytes() for image in draw(shot, 2))
    assert pages(shot, 1) == 2
    assert pages(shot, 2) == 1
    assert [draw(shot, 1, Moment(page))[0].tobytes() for page in range(3)] == [game, board, game]


def test_what_is_asked_or_wrong_never_makes_way_for_the_board():
    record = next(records("breakout", 1))
    said = Text("Non", "No")
    for shot in (
        Snapshot(record, Notice("mend", said)),
        Snapshot(record, question=Question("asked", said, (said,), ())),
        Snapshot(record, flash=said),
        Snapshot(record, trouble=said),
        Snapshot(record, deadline=1.0),
        Snapshot(record, paused=True),
        Snapshot(record, invitation=Invitation(0, "K7QW3MXB", "HTTP://192.168.1.23:8000/J/X")),
    ):
        assert pages(shot, 1) == 1
        assert draw(shot, 1, Moment(1))[0].tobytes() == draw(shot, 1)[0].tobytes()


def test_a_second_of_the_timer_changes_only_its_figures():
    record = next(r for r in records("alcatraz", 3, 300) if r.game.deadline(r.state))
    shot = Snapshot(record, deadline=1.0)
    one, other = (draw(shot, 1, Moment(seconds=left))[0] for left in (120, 119))
    changed = ImageChops.logical_xor(one, other).getbbox()
    assert changed is not None
    assert changed[0] >= 80
    assert (changed[1], changed[3]) == (16, 30)  # two pages of the chip


def test_a_timer_is_seen_beside_a_menu_too():
    record = next(r for r in records("alcatraz", 3, 300) if r.game.deadline(r.state) and menu(r))
    shot = Snapshot(record, question=menu(record), deadline=1.0)
    one, other = (draw(shot, 1, Moment(seconds=left))[0] for left in (120, 119))
    assert ImageChops.logical_xor(one, other).getbbox()[3] <= 11

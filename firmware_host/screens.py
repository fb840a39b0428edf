"""What the table looks like on its OLEDs.

Screens are drawn from the public view and the tracks alone, so that no secret can reach them. The
first screen says whose turn it is, the tracks, and what is awaited or wrong; the second shows the
board. Where there is more to show than screens, pages take turns: `pages` says how many.

The last column stays dark, so that a picture can be moved by a pixel: OLEDs burn in.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from PIL import Image

from firmware_host.canvas import LINE, Canvas
from firmware_host.font import MEDIUM, SMALL, shorten, wrap
from firmware_host.scenes import SCENES, Scene, dice, ending, welcome
from firmware_host.scenes.gauges import fitted
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE

GLASS = (128, 64)
WIDTH, HEIGHT = 127, 64
TOP = 13  # of what stands below the head line
ROOM = WIDTH - 3
LINES = 5  # below the head line
BELOW_SUMMARY = 43
ONE_LINE = 46  # its letters stand within one page of the chip, so that a change is one window
FOLLOWED = (
    "asked",
    "ahead",
    "menu",
    "mend",
)  # questions of the game's own course, which a pause stops


class Moment(NamedTuple):
    """What of a picture changes by the clock alone."""

    page: int = 0  # where pages take turns
    seconds: int | None = None  # left of the game's timer
    lit: bool = True  # the beat of what blinks
    line: int = 0  # of a text that rolls
    starting: bool = False  # the table has just come up


QUIET = Moment()


def draw(shot: Snapshot, count: int, moment: Moment = QUIET) -> list[Image.Image]:
    """One picture for each of `count` screens."""
    return [glass(canvas) for canvas in canvases(shot, count, moment)]


def glass(canvas: Canvas, at: tuple[int, int] = (0, 0)) -> Image.Image:
    """The canvas as a screen shows it: moved by so many pixels, as far as no ink gets lost."""
    image = Image.new("1", GLASS)
    _, _, right, bottom = canvas.picture.getbbox() or (0, 0, 0, 0)
    image.paste(canvas.picture, (min(at[0], GLASS[0] - right), min(at[1], GLASS[1] - bottom)))
    return image


def pages(shot: Snapshot, count: int) -> int:
    """How many pages of the first screen take turns while nobody does anything: menu and tracks,
    or, where there is no second screen, tracks and board. Nothing takes turns with what is wrong
    or asked for an answer, or with a timer that runs."""
    said = (shot.invitation, shot.trouble, shot.flash, shot.deadline)
    if not _open(shot) or shot.paused or any(each is not None for each in said):
        return 1
    if shot.question is not None:
        return 2 if shot.question.kind == "menu" and _scene(shot) else 1
    return 2 if count == 1 and shot.notice is None else 1


def canvases(
    shot: Snapshot, count: int, moment: Moment = QUIET, board: Canvas | None = None
) -> list[Canvas]:
    """`board`: the second one, as it was drawn before of the same record in the same language."""
    drawn = [Canvas(WIDTH, HEIGHT) for _ in range(count)]
    turned = moment.page % pages(shot, count) == 1
    if drawn and turned and shot.question is None:
        _board(drawn[0], shot)
    elif drawn:
        _main(drawn[0], shot, moment, turned=turned)
    if count > 1 and board is not None:
        drawn[1] = board
    elif count > 1:
        _board(drawn[1], shot)
    return drawn


def _main(canvas: Canvas, shot: Snapshot, moment: Moment, *, turned: bool) -> None:
    language = shot.language
    if shot.invitation is not None:
        welcome.invitation(canvas, shot, moment.line)
        return  # the code has no room for anything beside it
    lines = LINES - (shot.trouble is not None)  # the last line is the trouble's
    question = shot.question
    outcome = shot.record.game.outcome(shot.record.state) if shot.record else None
    if moment.starting:
        welcome.start(canvas, shot, moment.line)
    elif shot.paused and (question is None or question.kind in FOLLOWED):
        _pause(canvas, shot)
    elif question is not None:
        corner = f"{_clock(moment.seconds)} {question.at + 1}/{len(question.options)}".strip()
        _head(canvas, shot, corner)
        scene = _scene(shot)
        if turned and scene is not None:
            _centre(canvas, shot, scene, moment)
            _option(canvas, question.options[question.at].in_(language), moment)
        else:
            _question(canvas, shot, lines, moment)
    elif outcome is None and not _open(shot) and shot.flash is None:
        welcome.start(canvas, shot, moment.line)
    else:
        corner = _clock(moment.seconds)
        if shot.notice is not None and outcome is None:  # afterwards nothing needs to be mended
            _notice(canvas, shot, lines, moment)
        elif shot.flash is not None:
            words = f"✗ {shot.flash.in_(language)}"
            canvas.paragraph(2, TOP, ROOM, lines, words, pitch=LINE, roll=moment.line)
        elif shot.record is not None and outcome is not None:
            names = shot.record.game.view(shot.record.state, None)["seats"]
            ending.end(canvas, names, outcome, language, lines, moment.line)
        else:
            corner = "" if _play(canvas, shot, lines, moment) else corner
        _head(canvas, shot, corner)
    if shot.trouble is not None:
        _trouble(canvas, shot.trouble.in_(language), moment)


def _open(shot: Snapshot) -> bool:
    """Is a game being played, or over and not yet closed?"""
    return shot.record is not None and not shot.record.ended


def _trouble(canvas: Canvas, words: str, moment: Moment) -> None:
    """What ails the table itself, in the last line: the game goes on above it. It rolls by."""
    rows = wrap(SMALL, words, ROOM, len(words))
    canvas.rolls = canvas.rolls or len(rows) > 1
    _band(canvas, HEIGHT - SMALL.height, 1, rows[moment.line % len(rows)], moment)


def _band(canvas: Canvas, y: int, lines: int, words: str, moment: Moment) -> None:
    """Dark words on a lit band. The tails of letters above it reach into its first row, which it
    takes only for the accent of a capital."""
    accents = any(c.isupper() and unicodedata.decomposition(c) for c in words)
    top = y if accents else y + 1
    canvas.fill(0, top, WIDTH, y + LINE * lines + 1 - top)
    canvas.paragraph(2, y, ROOM, lines, words, pitch=LINE, ink=0, roll=moment.line)


def _clock(seconds: int | None) -> str:
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def _head(canvas: Canvas, shot: Snapshot, corner: str = "") -> None:
    """Whose turn it is, in an inverted line across the screen; at its end what is left of the
    game's timer, and the place in a menu."""
    right = SMALL.width(corner) + 6 if corner else 0
    room = WIDTH - right
    canvas.text(0, 0, _title(shot, room - 4), width=room, invert=True)
    if corner:
        canvas.text(room, 0, corner, align="right", width=right, invert=True)


def _title(shot: Snapshot, room: int) -> str:
    if shot.record is None:
        return "Cavale"
    game, state, scene = shot.record.game, shot.record.state, _scene(shot)
    if game.outcome(state) is not None:
        return TEXTS("over").in_(shot.language)
    view = game.view(state, None)
    seats = [seat for seat in game.to_act(state) if seat != CHANCE]
    turn = scene.turn(view) if scene else None
    if not seats and turn is not None:
        seats = [turn]
    if not seats:
        return shorten(SMALL, game.title.in_(shot.language), room)
    names = [f"{scene.mark(s) if scene else ''} {view['seats'][s]}".strip() for s in seats]
    role = scene.role(view) if scene and len(seats) == 1 else ""
    if role:
        role = f" · {role}"
        room -= SMALL.width(role) + SMALL.gap
    return fitted(names, room) + role


def _play(canvas: Canvas, shot: Snapshot, lines: int, moment: Moment) -> bool:
    """The tracks large, or the dice that have just fallen, and what is awaited below; the tracks in
    one line, where what is awaited takes many words. Does a timer stand among them?"""
    assert shot.record is not None
    game, state, language = shot.record.game, shot.record.state, shot.language
    scene, view, tracks = _scene(shot), game.view(state, None), game.tracks(state)
    words = game.prompt(state, None).in_(language)
    if scene is None:
        canvas.paragraph(2, TOP, ROOM, lines, words, pitch=LINE, roll=moment.line)
        return False
    if _lines(words) <= lines - 3 or _fallen(shot, scene):
        tracks_stand = _centre(canvas, shot, scene, moment)
        _below(canvas, words, lines - 3, moment)
        return tracks_stand
    alarm = any(t.danger is not None and t.value >= t.danger for t in tracks)
    strip = scene.strip(view, tracks, language)
    margin = 0 if alarm else 2  # inverted text keeps its own
    canvas.text(margin, TOP - 1, strip, width=WIDTH - 2 * margin, align="right", invert=alarm)
    canvas.paragraph(2, TOP + LINE, ROOM, lines - 1, words, pitch=LINE, roll=moment.line)
    return False


def _fallen(shot: Snapshot, scene: Scene) -> tuple[dice.Die, ...]:
    """The dice that lie before people."""
    assert shot.record is not None
    view = shot.record.game.view(shot.record.state, None)
    return scene.dice(view, dice.rolled(shot.record), shot.language)


def _centre(canvas: Canvas, shot: Snapshot, scene: Scene, moment: Moment) -> bool:
    """The tracks large, or the dice that have just fallen. Are they the tracks?"""
    assert shot.record is not None
    game, state, language = shot.record.game, shot.record.state, shot.language
    view, tracks = game.view(state, None), game.tracks(state)
    fallen = _fallen(shot, scene)
    if len(fallen) == 1 and not fallen[0].name:
        dice.large(canvas, fallen[0], scene.strip(view, tracks, language).split(" · "))
    elif fallen:
        dice.row(canvas, fallen)
    else:
        scene.summary(canvas, view, tracks, language, _clock(moment.seconds), moment.lit)
    return not fallen


def _below(canvas: Canvas, words: str, lines: int, moment: Moment) -> None:
    """What is awaited, below the tracks."""
    if _lines(words) == 1:
        canvas.text(2, ONE_LINE if lines > 1 else BELOW_SUMMARY, words, width=ROOM)
    else:
        canvas.paragraph(2, BELOW_SUMMARY, ROOM, lines, words, pitch=LINE, roll=moment.line)


def _option(canvas: Canvas, words: str, moment: Moment) -> None:
    """What the confirm button would pick, while the tracks take their turn with an untouched menu:
    nobody presses blindly."""
    count = min(2, _lines(words))
    _band(canvas, HEIGHT - LINE * count - 1, count, words, moment)


def _pause(canvas: Canvas, shot: Snapshot) -> None:
    """Two bars, as on any player; the game that waits, and how it goes on."""
    language = shot.language
    for x in (20, 34):
        canvas.fill(x, 4, 9, 26)
    canvas.text(54, 5, TEXTS("pause").in_(language), MEDIUM, width=WIDTH - 54)
    if shot.record is not None:
        canvas.text(2, BELOW_SUMMARY - LINE, shot.record.game.title.in_(language), width=ROOM)
    canvas.text(2, BELOW_SUMMARY, TEXTS("pause_confirm").in_(language), width=ROOM)


def _notice(canvas: Canvas, shot: Snapshot, lines: int, moment: Moment) -> None:
    """What to do next has the first claim on the room; why, the rest."""
    notice, language = shot.notice, shot.language
    assert notice is not None
    bar = notice.of > 1 and notice.kind == "arrange"
    lines = min(lines, LINES - 1) if bar else lines
    y, words = TOP, notice.text.in_(language)
    then = notice.then.in_(language) if notice.then is not None else ""
    if len(wrap(SMALL, f"{words} {then}", ROOM, 99)) <= lines:
        words, then = f"{words} {then}".rstrip(), ""
    lines -= _lines(then) if then else 0
    if notice.why is not None:
        why = notice.why.in_(language)
        if notice.kind == "arrange":  # all that is to be done, and what of it next
            why, words = words, why
        words = f"→ {words}"
        room = max(1, lines - _lines(words))
        y = canvas.paragraph(2, y, ROOM, room, why, pitch=LINE, roll=moment.line)
    left = lines - (y - TOP) // LINE
    y = canvas.paragraph(2, y, ROOM, left, words, pitch=LINE, roll=moment.line)
    if then:  # stays in sight, whatever rolls above it
        canvas.paragraph(2, y, ROOM, _lines(then), then, pitch=LINE)
    if bar and shot.trouble is None:
        canvas.bar(2, 57, ROOM, 6, notice.done, notice.of, steps=notice.of)


def _question(canvas: Canvas, shot: Snapshot, lines: int, moment: Moment) -> None:
    """The option that the buttons stand on is there whole; what was asked (or, for a moment, why
    not), and the options after it, take what room there is. The place in the list stands in the
    head line."""
    question, language = shot.question, shot.language
    assert question is not None
    options = [option.in_(language) for option in question.options]
    count = min(_lines(options[question.at]), lines)
    words = f"✗ {shot.flash.in_(language)}" if shot.flash else question.text.in_(language)
    asked = min(_lines(words), lines - count)
    y = TOP - 1
    if asked:
        y = canvas.paragraph(2, y, ROOM, asked, words, pitch=LINE, roll=moment.line)
    _band(canvas, y, count, options[question.at], moment)
    y += LINE * count + 1
    rest = lines - asked - count
    for option in options[question.at + 1 : question.at + 1 + rest]:
        canvas.text(2, y, shorten(SMALL, option, ROOM), width=ROOM)
        y += LINE


def _board(canvas: Canvas, shot: Snapshot) -> None:
    scene = _scene(shot)
    if shot.record is None or scene is None:
        return
    game, state = shot.record.game, shot.record.state
    scene.board(canvas, game.view(state, None), game.tracks(state), shot.language)


def _lines(words: str) -> int:
    return len(wrap(SMALL, words, ROOM, 99))


def _scene(shot: Snapshot) -> Scene | None:
    return SCENES.get(shot.record.game.id) if shot.record else None

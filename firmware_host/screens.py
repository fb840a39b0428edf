"""What the table looks like on its OLEDs.

Screens are drawn from the public view and the tracks alone, so that no secret can reach them. The
first screen says whose turn it is, the tracks, and what is awaited or wrong; the second shows the
board. A table with one screen shows them by turns: `page` counts up, and `pages` says how far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from firmware_host import __version__
from firmware_host.canvas import Canvas
from firmware_host.font import MEDIUM, SMALL, shorten, wrap
from firmware_host.scenes import SCENES, Scene
from firmware_host.scenes.gauges import fitted
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE, Outcome

if TYPE_CHECKING:
    from firmware_host.snapshot import Snapshot

WIDTH, HEIGHT = 128, 64
LINE = 10
TOP = 13  # of what stands below the head line
ROOM = WIDTH - 4
LINES = 5  # below the head line
BELOW_SUMMARY = 43
ONE_LINE = 46  # its letters stand within one page of the chip, so that a change is one window


def draw(
    shot: Snapshot, count: int, page: int = 0, seconds: float | None = None
) -> list[Image.Image]:
    """One picture for each of `count` screens; `seconds` are left of the game's timer."""
    return [canvas.picture for canvas in canvases(shot, count, page, seconds)]


def pages(shot: Snapshot, count: int) -> int:
    """How many pages take turns: two where one screen shows a quiet game, else one."""
    busy = shot.question is not None or shot.notice is not None or shot.flash is not None
    return 2 if count == 1 and shot.record is not None and not busy else 1


def canvases(
    shot: Snapshot, count: int, page: int = 0, seconds: float | None = None
) -> list[Canvas]:
    drawn = [Canvas(WIDTH, HEIGHT) for _ in range(count)]
    if page % pages(shot, count) == 1:
        _board(drawn[0], shot)
    elif drawn:
        _main(drawn[0], shot, seconds)
    if count > 1:
        _board(drawn[1], shot)
    return drawn


def _main(canvas: Canvas, shot: Snapshot, seconds: float | None) -> None:
    language = shot.language
    lines = LINES - (shot.trouble is not None)  # the last line is the trouble's
    if shot.record is None:
        canvas.text(0, 4, "Cavale", MEDIUM, align="center", width=WIDTH)
        version = TEXTS("version", n=__version__).in_(language)
        canvas.text(0, 27, version, align="center", width=WIDTH)
        words = shot.flash or TEXTS("no_game")
        canvas.paragraph(2, 41, ROOM, lines - 3, words.in_(language), pitch=LINE)
    else:
        outcome = shot.record.game.outcome(shot.record.state)
        _head(canvas, shot, outcome, _corner(shot, seconds))
        if shot.question is not None:
            _question(canvas, shot, lines)
        elif shot.notice is not None and outcome is None:  # afterwards nothing needs to be mended
            _notice(canvas, shot, lines)
        elif shot.flash is not None:
            canvas.paragraph(2, TOP, ROOM, lines, shot.flash.in_(language), pitch=LINE)
        elif outcome is not None:
            _end(canvas, shot, outcome, lines)
        else:
            _play(canvas, shot, lines)
    if shot.trouble is not None:  # what ails the table itself: the game goes on above it
        canvas.text(0, HEIGHT - 11, shot.trouble.in_(language), width=WIDTH, invert=True)


def _corner(shot: Snapshot, seconds: float | None) -> str:
    """At the end of the head line: the place in a menu, or what is left of the game's timer."""
    if shot.question is not None:
        return f"{shot.question.at + 1}/{len(shot.question.options)}"
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _head(canvas: Canvas, shot: Snapshot, outcome: Outcome | None, corner: str) -> None:
    """Whose turn it is, in an inverted line across the screen."""
    assert shot.record is not None
    game, state = shot.record.game, shot.record.state
    right = SMALL.width(corner) + 6 if corner else 0
    room = WIDTH - right
    if outcome is not None:
        title = TEXTS("over").in_(shot.language)
    else:
        view, scene = game.view(state, None), _scene(shot)
        seats = [seat for seat in game.to_act(state) if seat != CHANCE]
        turn = scene.turn(view) if scene else None
        if not seats and turn is not None:
            seats = [turn]
        names = [f"{scene.mark(s) if scene else ''} {view['seats'][s]}".strip() for s in seats]
        role = scene.role(view) if scene and len(seats) == 1 else ""
        whole = room - 4
        if role:
            role = f" · {role}"
            whole -= SMALL.width(role) + SMALL.gap
        if names:
            title = fitted(names, whole) + role
        else:
            title = shorten(SMALL, game.title.in_(shot.language), whole)
    canvas.text(0, 0, title, width=room, invert=True)
    if corner:
        canvas.text(room, 0, corner, align="right", width=right, invert=True)


def _play(canvas: Canvas, shot: Snapshot, lines: int) -> None:
    """The tracks large and what is awaited below; in one line, where that takes many words."""
    assert shot.record is not None
    game, state, language = shot.record.game, shot.record.state, shot.language
    scene, view, tracks = _scene(shot), game.view(state, None), game.tracks(state)
    words = game.prompt(state, None).in_(language)
    if scene is None:
        canvas.paragraph(2, TOP, ROOM, lines, words, pitch=LINE)
    elif _lines(words) <= lines - 3:
        scene.summary(canvas, view, tracks, language)
        if _lines(words) == 1:
            canvas.text(2, ONE_LINE, words, width=ROOM)
        else:
            canvas.paragraph(2, BELOW_SUMMARY, ROOM, lines - 3, words, pitch=LINE)
    else:
        alarm = any(t.danger is not None and t.value >= t.danger for t in tracks)
        strip = scene.strip(view, tracks, language)
        margin = 0 if alarm else 2  # inverted text keeps its own
        canvas.text(margin, TOP - 1, strip, width=WIDTH - 2 * margin, align="right", invert=alarm)
        canvas.paragraph(2, TOP + LINE, ROOM, lines - 1, words, pitch=LINE)


def _end(canvas: Canvas, shot: Snapshot, outcome: Outcome, lines: int) -> None:
    """Who has won, large; then how."""
    assert shot.record is not None
    names = shot.record.game.view(shot.record.state, None)["seats"]
    winners = ", ".join(names[seat] for seat in outcome.winners)
    large = winners or TEXTS("nobody_wins").in_(shot.language)
    canvas.text(2, 11, shorten(MEDIUM, large, ROOM), MEDIUM, align="center", width=ROOM)
    words = outcome.text.in_(shot.language)
    canvas.paragraph(2, TOP + 2 * LINE, ROOM, lines - 2, words, pitch=LINE)


def _notice(canvas: Canvas, shot: Snapshot, lines: int) -> None:
    """What to do has the first claim on the room; why, the rest."""
    notice, language = shot.notice, shot.language
    assert notice is not None
    bar = notice.of > 1 and notice.kind == "arrange"
    lines = min(lines, LINES - 1) if bar else lines
    y, words = TOP, notice.text.in_(language)
    if notice.why is not None:
        words = f"→ {words}"
        room = max(1, lines - _lines(words))
        y = canvas.paragraph(2, y, ROOM, room, notice.why.in_(language), pitch=LINE)
    canvas.paragraph(2, y, ROOM, lines - (y - TOP) // LINE, words, pitch=LINE)
    if bar and shot.trouble is None:
        canvas.bar(2, 57, ROOM, 6, notice.done, notice.of, steps=notice.of)


def _question(canvas: Canvas, shot: Snapshot, lines: int) -> None:
    """The option that the buttons stand on is there whole; what was asked, and the options after
    it, take what room there is. The place in the list stands in the head line."""
    question, language = shot.question, shot.language
    assert question is not None
    options = [option.in_(language) for option in question.options]
    chosen = wrap(SMALL, options[question.at], ROOM, lines)
    asked = wrap(SMALL, question.text.in_(language), ROOM, lines - len(chosen))
    y = TOP - 1
    for line in asked:
        canvas.text(2, y, line, width=ROOM)
        y += LINE
    canvas.fill(0, y, WIDTH, LINE * len(chosen) + 1)
    canvas.paragraph(2, y, ROOM, len(chosen), options[question.at], pitch=LINE, ink=0)
    y += LINE * len(chosen) + 1
    rest = lines - len(asked) - len(chosen)
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

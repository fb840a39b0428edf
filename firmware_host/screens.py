"""What the table looks like on its OLEDs.

Screens are drawn from the public view and the tracks alone, so that no secret can reach them. The
first screen says whose turn it is, the tracks, and what is awaited or wrong; the second shows the
board, where the game has a scene for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from firmware_host.canvas import Canvas
from firmware_host.font import BIG, MEDIUM
from firmware_host.scenes import SCENES, Scene
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE, Text, Track

if TYPE_CHECKING:
    from firmware_host.table import Snapshot

WIDTH, HEIGHT = 128, 64
LINE = 10


def draw(shot: Snapshot, count: int) -> list[Image.Image]:
    """One picture for each of `count` screens."""
    return [canvas.picture for canvas in canvases(shot, count)]


def canvases(shot: Snapshot, count: int) -> list[Canvas]:
    pages = [_main, _board][:count]
    drawn = []
    for page in pages:
        canvas = Canvas(WIDTH, HEIGHT)
        page(canvas, shot)
        drawn.append(canvas)
    return drawn + [Canvas(WIDTH, HEIGHT) for _ in range(count - len(pages))]


def _main(canvas: Canvas, shot: Snapshot) -> None:
    language = shot.language
    if shot.record is None:
        canvas.text(0, 8, "Cavale", MEDIUM, align="center", width=WIDTH)
        canvas.paragraph(2, 34, WIDTH - 4, 2, TEXTS("no_game").in_(language))
        _foot(canvas, shot.trouble, language)
        return
    _head(canvas, shot)
    over = shot.record.game.outcome(shot.record.state) is not None
    if shot.question is not None:
        _question(canvas, shot)
    elif shot.notice is not None and not over:  # after the end nothing needs to be put right
        _notice(canvas, shot)
    elif shot.flash is not None:
        canvas.paragraph(2, 14, WIDTH - 4, 5, shot.flash.in_(language), pitch=LINE)
    else:
        _play(canvas, shot)
    _foot(canvas, shot.trouble, language)


def _head(canvas: Canvas, shot: Snapshot) -> None:
    """Whose turn it is, in an inverted line across the screen."""
    assert shot.record is not None
    game, state = shot.record.game, shot.record.state
    outcome = game.outcome(state)
    if outcome is not None:
        title = TEXTS("over")
    else:
        seats = [seat for seat in game.to_act(state) if seat != CHANCE]
        names = [_name(shot, seat) for seat in seats]
        title = Text(", ".join(names), ", ".join(names)) if names else game.title
    canvas.text(0, 0, title.in_(shot.language), width=WIDTH, invert=True)


def _name(shot: Snapshot, seat: int) -> str:
    assert shot.record is not None
    scene = _scene(shot)
    names = shot.record.game.view(shot.record.state, None)["seats"]
    mark = scene.mark(seat) if scene else ""
    return f"{mark} {names[seat]}".strip()


def _play(canvas: Canvas, shot: Snapshot) -> None:
    assert shot.record is not None
    game, state = shot.record.game, shot.record.state
    outcome = game.outcome(state)
    scene = _scene(shot)
    if scene is not None:
        scene.summary(canvas, game.view(state, None), game.tracks(state), shot.language)
    else:
        _tracks(canvas, game.tracks(state), shot.language)
    words = outcome.text if outcome is not None else game.prompt(state, None)
    lines = 1 if shot.trouble else 2  # the last line is the trouble's
    canvas.paragraph(2, 43, WIDTH - 4, lines, words.in_(shot.language), pitch=LINE)


def _tracks(canvas: Canvas, tracks: tuple[Track, ...], language: str) -> None:
    """The first track large, as any game's can be."""
    if not tracks:
        return
    first = tracks[0]
    canvas.text(2, 12, str(first.value), BIG)
    canvas.text(60, 14, first.label.in_(language), width=66)
    canvas.text(60, 25, f"/ {first.maximum}", width=66)
    canvas.bar(60, 36, 66, 6, first.value, first.maximum, steps=first.maximum)


def _notice(canvas: Canvas, shot: Snapshot) -> None:
    notice, language = shot.notice, shot.language
    assert notice is not None
    y = 13
    if notice.why is not None:
        y = canvas.paragraph(2, y, WIDTH - 4, 3, notice.why.in_(language), pitch=LINE)
    room = 2 if notice.why is not None else 4
    canvas.paragraph(2, y, WIDTH - 4, room, notice.text.in_(language), pitch=LINE)
    if notice.of > 1 and notice.kind == "arrange":
        canvas.bar(2, 57, WIDTH - 4, 6, notice.done, notice.of, steps=notice.of)


def _question(canvas: Canvas, shot: Snapshot) -> None:
    question, language = shot.question, shot.language
    assert question is not None
    canvas.text(2, 12, question.text.in_(language), width=WIDTH - 4)
    rows = 4
    first = min(max(0, question.at - 1), max(0, len(question.options) - rows))
    for row, option in enumerate(question.options[first : first + rows]):
        chosen = first + row == question.at
        y = 23 + row * LINE
        canvas.text(2, y, option.in_(language), width=WIDTH - 4, invert=chosen)


def _foot(canvas: Canvas, trouble: Text | None, language: str) -> None:
    """What ails the table itself, in the last line: the game goes on above it."""
    if trouble is not None:
        canvas.text(0, HEIGHT - 11, trouble.in_(language), width=WIDTH, invert=True)


def _board(canvas: Canvas, shot: Snapshot) -> None:
    scene = _scene(shot)
    if shot.record is None or scene is None:
        return
    view = shot.record.game.view(shot.record.state, None)
    scene.board(canvas, view, shot.language)


def _scene(shot: Snapshot) -> Scene | None:
    return SCENES.get(shot.record.game.id) if shot.record else None

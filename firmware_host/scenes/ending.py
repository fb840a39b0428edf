"""The end of a game: who has won, as large as the names allow; then how."""

from __future__ import annotations

from firmware_host.canvas import LINE, Canvas
from firmware_host.font import MEDIUM, shorten
from firmware_host.scenes.gauges import fitted
from firmware_host.texts import TEXTS
from game_logic.core import Outcome

TOP = 12


def end(
    canvas: Canvas, names: list[str], outcome: Outcome, language: str, lines: int, line: int
) -> None:
    """`names` of all seats; `lines` below the head line, of which `line` counts those rolled by."""
    winners = [names[seat] for seat in outcome.winners]
    large = ", ".join(winners) or TEXTS("nobody_wins").in_(language)
    room = canvas.width - 3
    if MEDIUM.width(large) <= room or len(winners) == 1:
        shown = shorten(MEDIUM, large, room)
        canvas.text(2, TOP - 1, shown, MEDIUM, align="center", width=room)
    else:
        half = (len(winners) + 1) // 2
        for n, row in enumerate((winners[:half], winners[half:])):
            canvas.text(2, TOP + n * LINE, fitted(row, room), align="center", width=room)
    words = outcome.text.in_(language)
    canvas.paragraph(2, TOP + 1 + 2 * LINE, room, lines - 2, words, pitch=LINE, roll=line)

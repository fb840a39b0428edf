"""How people get to the page: its address when the table starts, and a phone's invitation."""

from __future__ import annotations

import segno
from PIL import Image

from firmware_host import __version__
from firmware_host.canvas import LINE, Canvas
from firmware_host.font import MEDIUM, SMALL, shorten
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS

MODULE = 2  # pixels; a telephone reads these at a hand's breadth
QUIET = 8  # pixels around the code that it would like to be blank
SIDE = 63
CAPITALS = 4  # rows above the capitals of the medium face


def qr(url: str) -> Image.Image | None:
    """The code as lit and dark pixels, with as much quiet around it as the screen has; None where
    it does not fit."""
    code = segno.make(url, error="l", micro=False)
    size = MODULE * len(code.matrix)
    quiet = min(QUIET, (SIDE - size) // 2)
    if quiet < MODULE:
        return None
    rows = [bytes(255 * (not dark) for dark in row) for row in code.matrix]
    modules = Image.frombytes("L", (len(rows), len(rows)), b"".join(rows))
    image = Image.new("1", (size + 2 * quiet, size + 2 * quiet), 1)
    image.paste(modules.resize((size, size), Image.Resampling.NEAREST), (quiet, quiet))
    return image


def start(canvas: Canvas, shot: Snapshot, line: int) -> None:
    """The name of the house, its version, and where its page is."""
    address, language = shot.address, shot.language
    version = TEXTS("version", n=__version__).in_(language)
    code = qr(address.upper()) if address else None
    if address is None or code is None:
        canvas.text(0, 2, "Cavale", MEDIUM, align="center", width=canvas.width)
        canvas.text(0, 24, version, align="center", width=canvas.width)
        said = _where(address) if address else TEXTS("press_to_play").in_(language)
        canvas.paragraph(2, 41, canvas.width - 3, 1, said, pitch=LINE, roll=line)
        return
    x, room = _beside(canvas, code)
    canvas.text(x, 0, "Cavale", MEDIUM, width=room)
    canvas.text(x, 22, version, width=room)
    _address(canvas, x, 41, room, address, line)


def invitation(canvas: Canvas, shot: Snapshot, line: int) -> None:
    """The code to be scanned; beside it the letters to be typed, whose seat it is, and where."""
    invited = shot.invitation
    assert invited is not None
    code = qr(invited.url)
    x, room = _beside(canvas, code) if code else (2, canvas.width - 4)
    seats = shot.record.game.view(shot.record.state, None)["seats"] if shot.record else ()
    who = TEXTS("host").in_(shot.language) if invited.seat is None else seats[invited.seat]
    canvas.text(x, 0, shorten(SMALL, who, room), width=room)
    for n, group in enumerate((invited.code[:4], invited.code[4:])):
        canvas.text(x, 12 + n * 16 - CAPITALS, group, MEDIUM, width=room)
    scheme, _, rest = invited.url.lower().partition("://")
    _address(canvas, x, 43, room, shot.address or f"{scheme}://{rest.partition('/')[0]}", line)


def _where(address: str) -> str:
    """What to type: a browser adds the rest."""
    return address.split("://", 1)[-1].rstrip("/")


def _address(canvas: Canvas, x: int, y: int, room: int, address: str, line: int) -> None:
    """In one line, or with the port in the second."""
    words = _where(address)
    host, _, port = words.rpartition(":")
    if SMALL.width(host) <= room < SMALL.width(words):
        canvas.text(x, y, host, width=room)
        canvas.text(x, y + LINE, f":{port}", width=room)
    else:
        canvas.paragraph(x, y, room, 2, words, pitch=LINE, roll=line)


def _beside(canvas: Canvas, code: Image.Image) -> tuple[int, int]:
    """Draw the code; the first column to its right, and how many there are."""
    canvas.image(0, (canvas.height - code.height) // 2, code)
    x = code.width + 3
    return x, canvas.width - x

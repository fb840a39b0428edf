"""The terminal as the table: the screens' pixels, the wall, and a prompt to move pieces with.

Pictures come from the simulated chips, never from the game, so that what is seen here is what a
table would show. Works in any terminal that knows a few ANSI sequences, over SSH too.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import termios
import threading
import tty
from collections.abc import Callable
from typing import Any

from PIL import Image

from firmware_host import wall
from firmware_host.inbox import Begin, Do, Stop
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event
from firmware_host.table import Table
from firmware_host.texts import TEXTS
from firmware_host.words import words
from game_logic.core import Piece

HOME, CLEAR, CLEAR_LINE, CLEAR_BELOW = "\x1b[H", "\x1b[2J", "\x1b[K", "\x1b[J"
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
DOTS = ((0, 0, 1), (0, 1, 2), (0, 2, 4), (1, 0, 8), (1, 1, 16), (1, 2, 32), (0, 3, 64), (1, 3, 128))
KNOTS = {"knot_red": "\x1b[31m●\x1b[0m", "knot_blue": "\x1b[34m○\x1b[0m"}
ANSI = r"\x1b\[[0-9;?]*[A-Za-z]"
LOG = 5  # lines


class Terminal:
    def __init__(self, sim: SimulatedTable, language: str) -> None:
        self._sim = sim
        self._language = language
        self._table: Table | None = None
        self._log: list[str] = []
        self._typed = ""
        self._shown = ""
        self._saved: list[Any] | None = None

    def open(self, table: Table) -> None:
        self._table = table
        self._saved = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        sys.stdout.write(CLEAR)
        threading.Thread(target=self._listen, name="keyboard", daemon=True).start()

    def close(self) -> None:
        if self._saved is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)
        sys.stdout.write(f"{SHOW}\n")
        sys.stdout.flush()

    def heard(self, event: Event) -> None:
        self._log += words(event, self._language)

    def step(self) -> float:
        """Draw what has changed; part of the loop, which owns the simulated chips."""
        frame = self.frame()
        if frame != self._shown:
            self._shown = frame
            sys.stdout.write(HIDE + HOME + frame + SHOW)
            sys.stdout.flush()
        return float("inf") if self._table is None else self._table.now + 0.1

    # -- what is drawn --------------------------------------------------------------------------

    def frame(self) -> str:
        columns, rows = shutil.get_terminal_size((80, 24))
        blocks = [braille(picture) for picture in self._sim.pictures()]
        board = self._wall()
        if columns >= 64 * len(blocks) + 18:
            picture = beside(*blocks, board)
        else:
            picture = beside(*blocks[:1], board)
            if rows >= 16 * len(blocks) + LOG + 4:
                for block in blocks[1:]:
                    picture += block
        room = max(1, min(LOG, rows - len(picture) - 4))
        active = [f"{name} {target}" for name, target in self._sim.faults.active]
        lines = [*picture, *self._log[-room:]]
        lines += [""] * (len(picture) + room - len(lines))
        lines.append("! " + ", ".join(active) if active else "")
        lines.append(TEXTS("terminal_help").in_(self._language))
        drawn = "".join(clipped(line, columns) + CLEAR_LINE + "\n" for line in lines)
        return f"{drawn}> {self._typed}{CLEAR_BELOW}"

    def _wall(self) -> list[str]:
        """The simulated wall itself, whatever the sensors make of it."""
        pieces = self._sim.world.pieces
        lines = ["", "   1 2 3 4 5"]
        for row in range(1, wall.ROWS + 1):
            cells = [
                KNOTS.get(stack[-1].kind, "?") if (stack := pieces.get(f"r{row}c{c}", ())) else "·"
                for c in range(1, wall.COLUMNS + 1)
            ]
            lines.append(f" {row} {' '.join(cells)}")
        return lines

    # -- what is typed --------------------------------------------------------------------------

    def _listen(self) -> None:
        """In a thread of its own: keys become lines, lines become messages to the loop."""
        while True:
            key = os.read(sys.stdin.fileno(), 1)
            if not key or key == b"\x04":
                self._put(Stop())
                return
            if key in (b"\n", b"\r"):
                line, self._typed = self._typed, ""
                self._obey(line.strip())
            elif key in (b"\x7f", b"\x08"):
                self._typed = self._typed[:-1]
            elif key >= b" ":
                self._typed += key.decode("latin-1")
            self._put(Do(lambda: None))

    def _obey(self, line: str) -> None:
        def act() -> None:
            try:
                action = self.command(line)
                if action is not None:
                    action()
            except ValueError as error:
                self._log.append(f"? {error}")

        self._put(Do(act))

    def command(self, line: str) -> Callable[[], object] | None:
        """What a typed line does to the simulated table. ValueError says what to type instead."""
        sim = self._sim
        pushed = re.fullmatch(r"([rb]?)([1-5])([<>])", line)
        if pushed:
            kind = self._knot(pushed[1])
            side = "left" if pushed[3] == ">" else "right"
            return lambda: wall.push(sim.world, int(pushed[2]), side, kind)
        words = shlex.split(line)
        match words:
            case []:
                return None
            case ["u" | "undo"]:
                return lambda: sim.press("undo")
            case ["c" | "confirm"]:
                return lambda: sim.press("confirm")
            case ["n" | "next"]:
                return lambda: sim.press("next")
            case ["clear"]:
                return lambda: sim.world.arrange(
                    {s: p for s, p in sim.world.pieces.items() if not re.match(r"r\dc\d$", s)}
                )
            case ["take", space]:
                return lambda: sim.world.put(space, ())
            case ["put", kind, space]:
                return lambda: sim.world.put(space, (Piece(kind),))
            case ["fault", *_]:
                return lambda: sim.order(line.removeprefix("fault"))
            case ["mend"]:
                return lambda: sim.faults.mend()
            case ["faults"]:
                return self._list_faults
            case ["new"]:
                return self._new
            case ["q" | "quit" | "exit"]:
                return lambda: self._put(Stop())
            case ["h" | "help" | "?"]:
                long = TEXTS("terminal_help_long").in_(self._language)
                return lambda: self._log.extend(long.splitlines())
        raise ValueError(TEXTS("terminal_unknown", line=line).in_(self._language))

    def _knot(self, asked: str) -> str:
        """The colour asked for, else that of whose turn it is."""
        if not asked and self._table is not None and (record := self._table.snapshot.record):
            asked = "rb"[max(0, *record.game.to_act(record.state), 0)]
        return {"r": "knot_red", "b": "knot_blue"}[asked or "r"]

    def _list_faults(self) -> None:
        from drivers.sim.faults import KINDS

        self._log.append(", ".join(sorted(KINDS)) + " · " + ", ".join(self._sim.faults.targets))

    def _new(self) -> None:
        record = self._table.snapshot.record if self._table else None
        if record is not None:
            seats = record.game.view(record.state, None)["seats"]
            self._put(Begin(record.game.id, tuple(seats), abandon=True))

    def _put(self, message: Any) -> None:
        if self._table is not None:
            self._table.inbox.put(message)


def braille(picture: Image.Image) -> list[str]:
    """A 1-bit picture in characters of 2×4 dots: 128×64 pixels are 64×16 of them."""
    pixels = picture.load()
    assert pixels is not None
    return [
        "".join(
            chr(0x2800 + sum(bit for dx, dy, bit in DOTS if pixels[x + dx, y + dy]))
            for x in range(0, picture.width, 2)
        )
        for y in range(0, picture.height, 4)
    ]


def beside(*blocks: list[str]) -> list[str]:
    """Blocks of lines side by side."""
    height = max(len(block) for block in blocks)
    widths = [max((_width(line) for line in block), default=0) for block in blocks]
    return [
        " ".join(
            (line := block[n] if n < len(block) else "") + " " * (width - _width(line))
            for block, width in zip(blocks, widths, strict=True)
        )
        for n in range(height)
    ]


def clipped(line: str, width: int) -> str:
    """No wider than the terminal, or the terminal would break it and shift all that follows."""
    return line if _width(line) <= width else re.sub(ANSI, "", line)[: width - 1] + "…"


def _width(line: str) -> int:
    return len(re.sub(ANSI, "", line))

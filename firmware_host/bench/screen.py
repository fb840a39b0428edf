"""What each scene costs on the bus: our windows beside luma's full frame, on the same simulated
chip, in virtual time."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from drivers.bus import Bus
from drivers.clock import FreeClock
from drivers.sim.bus import SimBus
from drivers.sim.ssd1306 import SimSsd1306
from drivers.ssd1306 import Screen
from firmware_host.bench import Case
from firmware_host.health import spoken
from firmware_host.journal import Record
from firmware_host.night import PLACES
from firmware_host.notices import Notice, Question
from firmware_host.scenes.dice import rolled
from firmware_host.screens import QUIET, Moment, canvases, draw, glass
from firmware_host.snapshot import Invitation, Snapshot
from firmware_host.texts import TEXTS
from game_logic import GAMES, load
from game_logic.core import CHANCE, Act, Text, pick

ADDRESS = 0x3C
CHANGES = 200
SPEEDS = (100_000, 400_000)
SCREENS = ("tracks", "board")
PAGE = "http://192.168.1.23:8000"
INVITED = Invitation(0, "K7QW3MXB", "HTTP://192.168.1.23:8000/J/K7QW3MXB")
SAID = TEXTS("stale")
SICK = TEXTS("not_answering", name=spoken("reader 7"))
LONG = TEXTS("unknown_tag", uid="04a1b2c3d4e5f6", reader="left")


def cases(games: tuple[str, ...] = GAMES, changes: int = CHANGES) -> Iterator[Case]:
    """Bytes and bus time of an average change, at both bus speeds: of each game's moves, screen by
    screen, and of everything else that a screen shows."""
    for name, pictures in chain(_moves(games, changes), scenes()):
        for hz in SPEEDS:
            ours, peer = _cost(pictures, hz, _ours), _cost(pictures, hz, _luma)
            for unit, at in (("bytes", 0), ("ms", 1)):
                yield Case(
                    bench="screen",
                    case=f"{name}, {hz // 1000} kHz",
                    ours=round(ours[at], 2),
                    peer=round(peer[at], 2),
                    unit=unit,
                    ratio=round(ours[at] / peer[at], 3),
                )


def _moves(games: tuple[str, ...], changes: int) -> Iterator[tuple[str, list[Image.Image]]]:
    for id in games:
        frames = [draw(shot, len(SCREENS)) for shot in _play(id, changes)]
        for n, name in enumerate(SCREENS):
            pictures = [frame[n] for frame in frames]
            if len({picture.tobytes() for picture in pictures}) > 1:  # else it is left alone
                yield f"{id}, {name}", pictures


def scenes() -> Iterator[tuple[str, list[Image.Image]]]:
    """What comes and goes on the first screen, and what goes on by itself: its pictures."""
    shots = list(_play("prison_break", 2000))
    quiet, alarm = shots[60], next(shot for shot in shots if _alarming(shot))
    fell = next(n for n, shot in enumerate(shots) if n > 60 and _fell(shot))
    talk = next(shot for shot in _play("alcatraz", 2000) if _timed(shot))
    options = tuple(Text(f"la case {n}", f"square {n}") for n in range(1, 9))
    menu = Question("menu", Text("Où aller ?", "Where to?"), options, ())
    yield "timer, a second", _first([talk], [Moment(seconds=n) for n in range(120, 0, -1)])
    yield "danger, a blink", _first([alarm], [Moment(lit=n % 2 == 0) for n in range(20)])
    yield "a long text rolls on", _first([quiet._replace(trouble=LONG)], _lines(20))
    yield "one screen, a page turns", _first([quiet], [Moment(page=n) for n in range(20)])
    yield (
        "menu, the next option",
        _first([quiet._replace(question=menu._replace(at=n)) for n in range(len(options))]),
    )
    yield "a die falls", _first([shots[fell - 1], shots[fell]])
    for name, shot in {
        "refused, and gone": quiet._replace(flash=SAID),
        "mend, and done": quiet._replace(notice=Notice("mend", SAID, SAID)),
        "a device is lost, and back": quiet._replace(trouble=SICK),
        "pause, and on": quiet._replace(paused=True),
        "invitation, and joined": quiet._replace(invitation=INVITED),
        "start-up, and a game": Snapshot(None, address=PAGE),
    }.items():
        yield name, _first([quiet, shot, quiet])
    moved = canvases(quiet, 1)[0]
    yield "moved by a pixel", [glass(moved, PLACES[n % len(PLACES)]) for n in range(9)]


def _first(shots: list[Snapshot], moments: Sequence[Moment] = (QUIET,)) -> list[Image.Image]:
    """The only screen of a table, at each of these moments."""
    return [draw(shot, 1, moment)[0] for shot in shots for moment in moments]


def _lines(count: int) -> list[Moment]:
    return [Moment(line=n) for n in range(count)]


def _alarming(shot: Snapshot) -> bool:
    return shot.record is not None and any(
        track.danger is not None and track.value >= track.danger
        for track in shot.record.game.tracks(shot.record.state)
    )


def _timed(shot: Snapshot) -> bool:
    return shot.record is not None and shot.record.game.deadline(shot.record.state) is not None


def _fell(shot: Snapshot) -> bool:
    return shot.record is not None and bool(rolled(shot.record))


def _play(id: str, changes: int) -> Iterator[Snapshot]:
    """The first moves of random games, as the table would show them."""
    rng = random.Random(1)
    game = load(id)
    record = Record.begin(game, [f"Player {n + 1}" for n in range(game.seats[0])], key=b"bench")
    for _ in range(changes):
        yield Snapshot(record)
        state = record.state
        if game.outcome(state) is not None:
            return
        by = rng.choice(game.to_act(state))
        chance = game.chance(state)
        if by == CHANCE and chance is not None:
            move = pick(chance.parts[0], rng.randrange)
        else:
            move = rng.choice(game.moves(state, by))
        record = record.intent((Act(by, move),))


Show = Callable[[Image.Image], None]


def _cost(
    pictures: list[Image.Image], hz: int, device: Callable[[SimBus, FreeClock], Show]
) -> tuple[float, float]:
    """(bytes, milliseconds of bus) of an average change; what is drawn is checked by the pixels."""
    clock = FreeClock()
    bus = SimBus(clock, hz)
    chip = SimSsd1306(ADDRESS)
    bus.attach(chip)
    show = device(bus, clock)
    show(pictures[0])
    octets, began = bus.octets, clock.now()
    for picture in pictures[1:]:
        show(picture)
        if chip.image().tobytes() != picture.tobytes():
            raise AssertionError("the chip does not show what was drawn")
    count = len(pictures) - 1
    return (bus.octets - octets) / count, (clock.now() - began) / count * 1000


def _ours(bus: SimBus, clock: FreeClock) -> Show:
    screen = Screen(Bus(bus, clock), ADDRESS, clock, heartbeat=1e9, refresh=1e9)

    def show(picture: Image.Image) -> None:
        screen.show(picture)
        while screen.pending:
            screen.step(clock.now())

    return show


def _luma(bus: SimBus, clock: FreeClock) -> Show:
    device: Any = ssd1306(i2c(bus=bus, address=ADDRESS))
    device.persist = True

    def show(picture: Image.Image) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # luma's getdata on Pillow 13
            device.display(picture)

    return show

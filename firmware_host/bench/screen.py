"""What a change of state costs on the bus: our windows beside luma's full frame, on the same
simulated chip, in virtual time."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
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
from firmware_host.journal import Record
from firmware_host.screens import draw
from firmware_host.snapshot import Snapshot
from game_logic import GAMES, load
from game_logic.core import CHANCE, Act, pick

ADDRESS = 0x3C
CHANGES = 200
SCREENS = ("tracks", "board")


def cases(games: tuple[str, ...] = GAMES, changes: int = CHANGES) -> Iterator[Case]:
    """Per game and screen: bytes and bus time of an average change, at both bus speeds."""
    for id in games:
        frames = [draw(shot, len(SCREENS)) for shot in _play(id, changes)]
        for n, name in enumerate(SCREENS):
            pictures = [frame[n] for frame in frames]
            if len({picture.tobytes() for picture in pictures}) == 1:
                continue  # this game leaves the second screen alone
            for hz in (100_000, 400_000):
                ours, peer = _cost(pictures, hz, _ours), _cost(pictures, hz, _luma)
                for unit, at in (("bytes", 0), ("ms", 1)):
                    yield Case(
                        bench="screen",
                        case=f"{id}, {name}, {hz // 1000} kHz",
                        ours=round(ours[at], 2),
                        peer=round(peer[at], 2),
                        unit=unit,
                        ratio=round(ours[at] / peer[at], 3),
                    )


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

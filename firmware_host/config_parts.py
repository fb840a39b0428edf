"""The parts a table can be made of, as typed values. Every one of them is optional."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from math import dist
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Bcm = Annotated[int, Meta(ge=0, le=27, description="a BCM pin number, 0 to 27")]
BusNumber = Annotated[int, Meta(ge=0, le=255)]
Level = Annotated[int, Meta(ge=0, le=255)]
Seconds = Annotated[float, Meta(ge=0, le=86_400)]
Language = Literal["fr", "en"]
Luck = Literal["house", "box"]  # who rolls and draws where no sensor sees it
DIE = r"^[a-z][a-z0-9_]{0,15}$"  # as the tower's protocol has it
DISTURBED = 120.0  # mm within which the fields of two readers disturb each other


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class BusPart(Part, frozen=True):
    hz: Literal[100_000, 400_000, 1_000_000] = 400_000


class ExpandersPart(Part, frozen=True):
    """MCP23017 expanders, their inputs named "0x20.A0" … "0x20.B7"."""

    addresses: Annotated[tuple[Annotated[int, Meta(ge=0x20, le=0x27)], ...], Meta(min_length=1)]
    bus: BusNumber = 1
    interrupt: Bcm | None = None
    poll_ms: Annotated[int, Meta(ge=2, le=5000)] = 20
    debounce_ms: Annotated[int, Meta(ge=0, le=500)] = 5


class InputPart(Part, frozen=True):
    """One switch: under a space (and which kind of piece closes it), or one that shows a sign."""

    space: str | None = None
    piece: str | None = None
    sign: str | None = None


class ScreenPart(Part, frozen=True):
    address: Literal[0x3C, 0x3D]
    bus: BusNumber = 1
    kind: Literal["ssd1306", "sh1106"] = "ssd1306"
    rotate: Literal[0, 2] = 0


class DisplayPart(Part, frozen=True):
    """How bright the screens are (0 to 255), and when they change by themselves, in seconds without
    play; 0: never. OLEDs burn in, and shine at night."""

    bright: Level = 207
    dim: Level = 8
    dim_after: Seconds = 180
    off_after: Seconds = 3600
    off_after_pause: Seconds = 20
    shift_every: Seconds = 60
    page_every: Seconds = 6


class MuxPart(Part, frozen=True):
    """A TCA9548A; `reset` is the pin of its own RESET line."""

    address: Annotated[int, Meta(ge=0x70, le=0x77)]
    bus: BusNumber = 1
    reset: Bcm | None = None


class ReaderPart(Part, frozen=True):
    """A PN532 under a space, or as a pad where pieces and cards are shown.

    `reset` may be shared by a group of readers. `near` are those that may not be on together with
    it; `at` is where it lies, in mm: readers that lie close to each other are near as well.
    """

    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
    bus: BusNumber = 1
    mux: Annotated[int, Meta(ge=0x70, le=0x77)] | None = None
    channel: Annotated[int, Meta(ge=0, le=7)] | None = None
    reset: Bcm | None = None
    space: str | None = None
    pad: bool = False
    near: tuple[str, ...] = ()
    at: tuple[float, float] | None = None


class TowerPart(Part, frozen=True):
    """A dice tower: its port, and the names of its dice as the game has them."""

    port: Annotated[str, Meta(pattern=r"^(/\S+|[0-9a-fA-F]{4}:[0-9a-fA-F]{4}(:\S+)?)$")]
    dice: Annotated[tuple[Annotated[str, Meta(pattern=DIE)], ...], Meta(min_length=1, max_length=8)]


class PanelPart(Part, frozen=True):
    confirm: Bcm | None = None
    undo: Bcm | None = None
    next: Bcm | None = None
    beam: Bcm | None = None  # across the chute of a tower that does not see its dice
    red: Bcm | None = None
    green: Bcm | None = None
    blue: Bcm | None = None
    buzzer: Bcm | None = None


class MqttPart(Part, frozen=True):
    """A broker. Commands are off unless asked for; undo and new games then wait for the table's
    agreement unless `confirm` is false."""

    url: Annotated[str, Meta(pattern=r"^mqtts?://\S+$")]
    user: str | None = None
    password_file: str | None = None
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    commands: bool = False
    confirm: bool = True


class PagePart(Part, frozen=True):
    """The page. `names`: what else browsers may call us, such as "cavale.example:80" behind a
    proxy; our addresses and our name in the network are known. `bench`: of a simulated table, for
    the whole network and not for this machine alone."""

    host: Annotated[str, Meta(min_length=1, max_length=255)] = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    names: tuple[Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,253}(:[0-9]{1,5})?\Z")], ...] = ()
    bench: bool = False


class Config(Part, frozen=True):
    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")] = "cavale"
    language: Language = "en"
    game: str = "breakout"
    luck: Luck = "house"
    settle_ms: Annotated[int, Meta(ge=0, le=5000)] = 250
    bus: dict[str, BusPart] = {}
    expanders: ExpandersPart | None = None
    inputs: dict[str, InputPart] = {}
    screen: tuple[ScreenPart, ...] = ()
    display: DisplayPart = DisplayPart()
    mux: tuple[MuxPart, ...] = ()
    reader: tuple[ReaderPart, ...] = ()
    tower: TowerPart | None = None
    panel: PanelPart = PanelPart()
    mqtt: MqttPart | None = None
    page: PagePart | None = None

    def hz(self, bus: int) -> int:
        return self.bus.get(str(bus), BusPart()).hz

    def buses(self) -> tuple[int, ...]:
        """The buses that something is on."""
        found = {part.bus for part in self.screen} | {part.bus for part in self.mux}
        found |= {part.bus for part in self.reader}
        return tuple(sorted(found | ({self.expanders.bus} if self.expanders else set())))

    def pins(self) -> Iterator[tuple[str, int]]:
        """The pins in use, by the key that names each."""
        for name in self.panel.__struct_fields__:
            yield from _wired(f"panel.{name}", getattr(self.panel, name))
        if self.expanders:
            yield from _wired("expanders.interrupt", self.expanders.interrupt)
        for n, mux in enumerate(self.mux):
            yield from _wired(f"mux[{n}].reset", mux.reset)
        for n, reader in enumerate(self.reader):
            yield from _wired(f"reader[{n}].reset", reader.reset)

    def conflicts(self) -> set[tuple[str, str]]:
        """The pairs of readers that may not be on together."""
        pairs = {(r.name, other) for r in self.reader for other in r.near}
        for one, other in combinations(self.reader, 2):
            if one.at and other.at and dist(one.at, other.at) <= DISTURBED:
                pairs.add((one.name, other.name))
        return pairs


def _wired(key: str, pin: int | None) -> Iterator[tuple[str, int]]:
    if pin is not None:
        yield key, pin


def input_number(name: str, addresses: tuple[int, ...]) -> int | None:
    """ "0x21.B3" -> its place among the inputs of all expanders, in the order of `addresses`."""
    found = re.fullmatch(r"(0x[0-9a-fA-F]{2})\.([AB])([0-7])", name)
    if not found or int(found[1], 16) not in addresses:
        return None
    chip = addresses.index(int(found[1], 16))
    return chip * 16 + (8 if found[2] == "B" else 0) + int(found[3])

"""How many of what a table needs, what it costs, and which supply has to carry how much."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.config import Config
from game_logic import load

_RAW = tomllib.loads((Path(__file__).parent / "parts.toml").read_text("utf-8"))
LIMITS: dict[str, float] = _RAW.pop("limits")
FEEDS = {
    "5v": "the 5 V supply",
    "pi": "the Pi's 3.3 V pin",
    "own": "3.3 V of our own",
    "usb": "the Pi's USB",
}


class Part(NamedTuple):
    name: str
    euros: float
    ma: float
    feed: str | None


PARTS = {
    id: Part(raw["name"], raw["euros"], raw.get("ma", 0), raw.get("feed"))
    for id, raw in _RAW.items()
}


def count(config: Config) -> dict[str, int]:
    """Of every part, how many."""
    inputs = config.inputs.values()
    halls = sum(part.space is not None for part in inputs)
    chips = len(config.expanders.addresses) if config.expanders else 0
    panel = config.panel
    found: dict[str, int] = dict.fromkeys(PARTS, 0) | {
        "pi": 1,
        "oled": len(config.screen),
        "button": sum(getattr(panel, key) is not None for key in ("confirm", "undo", "next")),
        "led": int(panel.red is not None),
        "buzzer": int(panel.buzzer is not None),
        "beam": int(panel.beam is not None),
        "expander": chips,
        "hall": halls,
        "magnet": _magnets(config),
        "lever": len(inputs) - halls,
        "mux": len(config.mux),
        "reader": len(config.reader),
        "tag": _tags(config),
        "pullups": sum(bus != 1 for bus in config.buses()),
        "tower": int(config.tower is not None),
        "capacitor": chips + len(config.mux) + math.ceil(halls / 4),
    }
    found["regulator"] = math.ceil(load_of(found)["own"] / LIMITS["own"])
    return found


def load_of(found: dict[str, int]) -> dict[str, float]:
    """mA that each supply carries when everything is on."""
    loads: dict[str, float] = dict.fromkeys(LIMITS, 0)
    for id, number in found.items():
        if (feed := PARTS[id].feed) is not None:
            loads[feed] += number * PARTS[id].ma
    # All of it comes from the one supply in the end, as if nothing were lost on the way.
    loads["5v"] += loads["pi"] + loads["own"] + loads["usb"]
    return loads


def overloaded(config: Config) -> list[str]:
    """The supplies that this table asks too much of."""
    found = count(config)
    loads = load_of(found)
    most: dict[str, Any] = LIMITS | {"own": LIMITS["own"] * found["regulator"]}
    return [FEEDS[feed] for feed, ma in loads.items() if ma > most[feed]]


def euros(found: dict[str, int]) -> float:
    return sum(number * PARTS[id].euros for id, number in found.items())


def _magnets(config: Config) -> int:
    """A magnet for each piece that can stand over a switch."""
    over = [part for part in config.inputs.values() if part.space is not None]
    kinds = {part.piece for part in over}
    pieces = [thing for thing in load(config.game).things() if thing.piece is not None]
    return sum(
        thing.count
        for thing in pieces
        if over and (None in kinds or (thing.piece and thing.piece.kind in kinds))
    )


def _tags(config: Config) -> int:
    """Pieces under which a reader may lie; cards too, where there is a pad to show them on."""
    if not config.reader:
        return 0
    pad = any(reader.pad for reader in config.reader)
    return sum(thing.count for thing in load(config.game).things() if pad or thing.piece)

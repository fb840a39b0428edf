"""table.toml -> what this table is made of.

Every part is optional: what a table lacks, the menu and the page supply. A mistake in the file is
answered with the file, the key, the value and what to do.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from firmware_host.config_check import problems
from firmware_host.config_parts import Config, Language, input_number

__all__ = ["PROFILES", "Config", "ConfigError", "Language", "find", "input_number", "load"]
__all__ += ["parse", "profile", "ready_made"]

PROFILES = (
    *("wall", "wall-cells", "wall-openings", "squares", "squares-evasion"),
    *("places", "places-dig", "pad", "screen-tower", "screen"),
)


class ConfigError(ValueError):
    """A table.toml that cannot be used: the message names file, key, value and remedy."""


PIN = "write a BCM pin number, 0 to 27, as in GPIO17; leave it out if it is not wired"
REMEDIES = {  # by key, or by part and key
    "language": 'write "fr" or "en"',
    "luck": 'write "house", or "box" where people roll and draw themselves, and say it on the page',
    "name": "use 1 to 32 letters, digits, - or _: it becomes part of topic names",
    "addresses": "an MCP23017 answers at 0x20 to 0x27, set by its pins A0 to A2",
    "address": "a screen answers at 0x3C or 0x3D: look at the resistor on its back",
    "kind": 'write "ssd1306" or "sh1106"; try the other one if the picture is shifted',
    "hz": "write 100000, 400000 or 1000000, as in dtparam=i2c_arm_baudrate",
    "mux.address": "a TCA9548A answers at 0x70 to 0x77, set by its pins A0 to A2",
    "mux": "write the address of the mux it is behind, 0x70 to 0x77; leave it out if there is none",
    "channel": "a mux has channels 0 to 7",
    "reader.name": "use 1 to 32 letters, digits, - or _: name it after what lies there",
    "near": 'list the names of other readers, such as ["yard", "cells"]',
    "at": "write where it lies in millimetres, such as [100, 0]",
    "port": 'write a path, "/dev/ttyACM0", or a USB id as lsusb shows it, "2e8a:000a"',
    "dice": 'name one to eight dice as the game does, in small letters, such as ["die"]',
    "panel": PIN,
    "interrupt": PIN,
    "reset": PIN,
    "inputs": 'name inputs as "0x20.A0" and say which space or sign each one is for',
    "settle_ms": "write a whole number of milliseconds; 250 suits most hands",
    "mqtt.url": "write mqtt://host:1883, or mqtts://host:8883 for TLS",
    "page.host": 'write "0.0.0.0" for the whole network, "127.0.0.1" for this machine alone',
    "page.port": "write a port from 1024 on, such as 8080; 0 takes any that is free",
    "names": 'list names as browsers write them, such as ["cavale.example"]',
    "rotate": "write 0, or 2 for upside down",
    "bright": "write how bright the screens are, 0 to 255",
    "dim": "write how bright the screens are when dimmed, 0 to 255",
    "display": "write seconds, up to 86400 (a day); 0 for never",
}


def load(path: Path) -> Config:
    """The configuration in a file. Raises ConfigError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: there is no such file; give another with --table, or use one of the "
            f"ready-made tables: {', '.join(PROFILES)}"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error}); check owner and mode") from None
    return parse(text, str(path))


def profile(name: str) -> Config:
    """One of the ready-made tables."""
    if name not in PROFILES:
        raise ConfigError(f"there is no table {name!r}; the ready-made ones: {', '.join(PROFILES)}")
    file = files("firmware_host") / "tables" / f"{name}.toml"
    return parse(file.read_text("utf-8"), f"{name}.toml")


def ready_made(game: str) -> str:
    """The first of the ready-made tables that is made for a game."""
    return next(name for name in PROFILES if profile(name).game == game)


def find(name_or_path: str) -> Config:
    """A ready-made table by its name, or a file by its path."""
    return profile(name_or_path) if name_or_path in PROFILES else load(Path(name_or_path))


def parse(text: str, where: str) -> Config:
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(
            f"{where}: not valid TOML: {error}; look just before that place"
        ) from None
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(_explain(where, raw, str(error))) from None
    for problem in problems(config):
        raise ConfigError(f"{where}: {problem}")
    return config


def _explain(where: str, raw: dict[str, Any], error: str) -> str:
    """msgspec ends its errors with "at `$.screen[0].address`": name that key and its value."""
    reason, _, place = error.partition(" - at `$")
    place = place.rstrip("`").lstrip(".")
    unknown = re.search(r"unknown field `(\w+)`", reason)
    if unknown:
        key = f"{place}.{unknown[1]}".lstrip(".")
        return f"{where}: {key}: there is no such key here; take it out or correct its spelling"
    missing = re.search(r"missing required field `(\w+)`", reason)
    if missing:
        key = f"{place}.{missing[1]}".lstrip(".")
        return f"{where}: {key}: missing; {_remedy(key) or 'add it'}"
    value: Any = raw
    words = re.findall(r"[^.\[\]]+", place)
    for word in words:
        if isinstance(value, dict | list):
            value = value[int(word)] if isinstance(value, list) else value.get(word)
    remedy = _remedy(place) or "see docs/table.md for what may stand here"
    shown = "" if value is None or isinstance(value, dict) else f" = {value!r}"
    return f"{where}: {place}{shown}: {reason}; {remedy}"


def _remedy(place: str) -> str | None:
    """For "mux[0].address": that of "mux.address", else of "address", else of "mux"."""
    words = re.findall(r"[A-Za-z_]\w*", place)
    for n in reversed(range(len(words))):
        for key in (".".join(words[max(0, n - 1) : n + 1]), words[n]):
            if key in REMEDIES:
                return REMEDIES[key]
    return None

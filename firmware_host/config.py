"""table.toml -> what this table is made of.

Every part is optional: what a table lacks, the menu and the page supply. A mistake in the file is
answered with the file, the key, the value and what to do.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Bcm = Annotated[int, Meta(ge=0, le=27, description="a BCM pin number, 0 to 27")]
Language = Literal["fr", "en"]
PROFILES = ("wall", "wall-cells", "wall-openings")


class ConfigError(ValueError):
    """A table.toml that cannot be used: the message names file, key, value and remedy."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class BusPart(_Part, frozen=True):
    hz: Literal[100_000, 400_000, 1_000_000] = 400_000


class ExpandersPart(_Part, frozen=True):
    """MCP23017 expanders, their inputs named "0x20.A0" … "0x20.B7"."""

    addresses: Annotated[tuple[Annotated[int, Meta(ge=0x20, le=0x27)], ...], Meta(min_length=1)]
    bus: int = 1
    interrupt: Bcm | None = None
    poll_ms: Annotated[int, Meta(ge=2, le=5000)] = 20
    debounce_ms: Annotated[int, Meta(ge=0, le=500)] = 5


class InputPart(_Part, frozen=True):
    """One switch: under a space (and which kind of piece closes it), or one that shows a sign."""

    space: str | None = None
    piece: str | None = None
    sign: str | None = None


class ScreenPart(_Part, frozen=True):
    address: Literal[0x3C, 0x3D]
    bus: int = 1
    kind: Literal["ssd1306", "sh1106"] = "ssd1306"
    rotate: Literal[0, 2] = 0


class PanelPart(_Part, frozen=True):
    confirm: Bcm | None = None
    undo: Bcm | None = None
    next: Bcm | None = None
    red: Bcm | None = None
    green: Bcm | None = None
    blue: Bcm | None = None
    buzzer: Bcm | None = None


class Config(_Part, frozen=True):
    name: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")] = "cavale"
    language: Language = "en"
    game: str = "breakout"
    settle_ms: Annotated[int, Meta(ge=0, le=5000)] = 250
    bus: dict[str, BusPart] = {}
    expanders: ExpandersPart | None = None
    inputs: dict[str, InputPart] = {}
    screen: tuple[ScreenPart, ...] = ()
    panel: PanelPart = PanelPart()

    def hz(self, bus: int) -> int:
        return self.bus.get(str(bus), BusPart()).hz


REMEDIES = {
    "language": 'write "fr" or "en"',
    "name": "use 1 to 32 letters, digits, - or _: it becomes part of topic names",
    "addresses": "an MCP23017 answers at 0x20 to 0x27, set by its pins A0 to A2",
    "address": "a screen answers at 0x3C or 0x3D: look at the resistor on its back",
    "kind": 'write "ssd1306" or "sh1106"; try the other one if the picture is shifted',
    "hz": "write 100000, 400000 or 1000000, as in dtparam=i2c_arm_baudrate",
    "inputs": 'name inputs as "0x20.A0" and say which space or sign each one is for',
    "settle_ms": "write a whole number of milliseconds; 250 suits most hands",
    "rotate": "write 0, or 2 for upside down",
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
    _check(config, where)
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
        return f"{where}: {key}: missing; {REMEDIES.get(missing[1], 'add it')}"
    value: Any = raw
    words = re.findall(r"[^.\[\]]+", place)
    for word in words:
        if isinstance(value, dict | list):
            value = value[int(word)] if isinstance(value, list) else value.get(word)
    names = [w for w in words if w in REMEDIES]
    remedy = REMEDIES[names[-1]] if names else "see docs/table.md for what may stand here"
    shown = "" if value is None or isinstance(value, dict) else f" = {value!r}"
    return f"{where}: {place}{shown}: {reason}; {remedy}"


def _check(config: Config, where: str) -> None:
    known = config.expanders.addresses if config.expanders else ()
    if len(set(known)) != len(known):
        raise ConfigError(f"{where}: expanders.addresses = {known}: each address only once")
    seen: dict[str, str] = {}
    for name, part in config.inputs.items():
        where_input = f"{where}: inputs.{name!r}"
        if input_number(name, known) is None:
            chips = ", ".join(hex(a) for a in known) or "none: add [expanders]"
            raise ConfigError(
                f"{where_input}: there is no such input; write the address of one of the "
                f'expanders ({chips}) and a pin, such as "0x20.A0"'
            )
        if (part.sign is None) == (part.space is None) or (part.piece and not part.space):
            raise ConfigError(
                f"{where_input} = {part}: say either a space (and which piece closes the "
                "switch, if only one does) or a sign"
            )
        meaning = part.sign or f"{part.space} {part.piece}"
        if meaning in seen:
            raise ConfigError(f"{where_input}: {meaning} is also on {seen[meaning]!r}; keep one")
        seen[meaning] = name
    pins: dict[int, str] = {}
    wired = {f"panel.{f}": getattr(config.panel, f) for f in config.panel.__struct_fields__}
    wired["expanders.interrupt"] = config.expanders.interrupt if config.expanders else None
    for key, pin in wired.items():
        if pin is not None and pin in pins:
            raise ConfigError(
                f"{where}: {key} = {pin}: that pin is also used for {pins[pin]}; move one of them"
            )
        if pin is not None:
            pins[pin] = key
    screens = [(s.bus, s.address) for s in config.screen]
    if len(set(screens)) != len(screens):
        raise ConfigError(f"{where}: two screens with one address on one bus: {screens}; move one")


def input_number(name: str, addresses: tuple[int, ...]) -> int | None:
    """ "0x21.B3" -> its place among the inputs of all expanders, in the order of `addresses`."""
    found = re.fullmatch(r"(0x[0-9a-fA-F]{2})\.([AB])([0-7])", name)
    if not found or int(found[1], 16) not in addresses:
        return None
    chip = addresses.index(int(found[1], 16))
    return chip * 16 + (8 if found[2] == "B" else 0) + int(found[3])

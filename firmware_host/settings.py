"""What people have set at the panel. It is kept beside the journal, outlives a restart, and goes
before what table.toml says."""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path

import msgspec

from firmware_host import files
from firmware_host.config_parts import Language, Luck

FILE = "settings.toml"
log = logging.getLogger("cavale")


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: Language | None = None  # None: as in table.toml
    mute: bool = False
    luck: Luck | None = None  # None: as in table.toml


def load(path: Path) -> Settings:
    """As they were left. A file that cannot be read is no reason not to play: it is said, and the
    next thing set replaces it."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        log.warning("%s: cannot be read (%s); the settings are as in table.toml", path, error)
        return Settings()


def save(path: Path, settings: Settings) -> None:
    lines = [] if settings.language is None else [f'language = "{settings.language}"']
    lines += [] if settings.luck is None else [f'luck = "{settings.luck}"']
    lines.append(f"mute = {str(settings.mute).lower()}")
    try:
        files.write(path, "\n".join(lines) + "\n")
    except OSError as error:
        log.warning("%s: cannot be written (%s); it is set until the next start", path, error)

"""The page's own words, in both languages."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from game_logic.core import Text
from game_logic.data import Texts

RAW = tomllib.loads((files("firmware_host") / "web" / "data" / "page.toml").read_text("utf-8"))
WORDS = Texts({key: Text(entry["fr"], entry["en"]) for key, entry in RAW.items()})

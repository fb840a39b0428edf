"""The sentences of the table itself, in both languages; each game brings its own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources import files

from game_logic.core import Text
from game_logic.data import Texts

_raw = tomllib.loads((files("firmware_host") / "data" / "texts.toml").read_text("utf-8"))
TEXTS = Texts({key: Text(entry["fr"], entry["en"]) for key, entry in _raw.items()})


def in_a_row(texts: Iterable[Text]) -> Text:
    """Sentences one after another."""
    return Text(*(" ".join(words) for words in zip(*texts, strict=True)))

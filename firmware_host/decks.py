"""An owner's own cards: a folder with one folder a game, whose TOML files replace the house's.

decks/alcatraz/tasks.toml        instead of game_logic/alcatraz/data/tasks.toml
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from game_logic import load
from game_logic.core import Game
from game_logic.data import DataError


class Decks:
    """Where games come from: the house's data, and an owner's over it if a folder is given."""

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise DataError(str(folder), "there is no such folder; make it, or leave --decks out")
        self._folder = folder

    def files(self, game: str) -> dict[str, str]:
        """The owner's texts by file name; none for most games."""
        own = self._folder / game if self._folder else None
        if own is None or not own.is_dir():
            return {}
        texts = {}
        for file in sorted(own.glob("*.toml")):
            try:
                texts[file.name] = file.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise DataError(str(file), f"cannot be read: {error}") from None
        return texts

    def load(self, game: str) -> Game[Any]:
        """The game as this owner plays it. DataError names file, key and reason."""
        return load(game, self.files(game))

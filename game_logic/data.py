"""Decks, boards, options and texts come from TOML; this is the one door they come through.

A game's files lie in its `data/` folder. An owner's transcription of the real cards is handed in
as text and replaces the file of the same name, so that the core itself reads nothing but its own
package.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from game_logic.core import Malformed, Option, Text

T = TypeVar("T")

SENTENCES = {"texts.toml", "names.toml"}


class DataError(Malformed):
    """A data file that cannot be used: says which file, where in it, and why."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")
        self.file = file
        self.why = why


class Texts:
    """The sentences of a game: `texts("banned", row=3)` fills both languages of entry `banned`.

    A field that is itself a Text is filled in per language.
    """

    def __init__(self, entries: Mapping[str, Text]) -> None:
        self._entries = entries

    def __call__(self, key: str, **fields: object) -> Text:
        entry = self._entries[key]
        if not fields:
            return entry
        fr = {k: v.fr if isinstance(v, Text) else v for k, v in fields.items()}
        en = {k: v.en if isinstance(v, Text) else v for k, v in fields.items()}
        return Text(entry.fr.format_map(fr), entry.en.format_map(en))

    def __contains__(self, key: str) -> bool:
        return key in self._entries


class _Sentence(msgspec.Struct, forbid_unknown_fields=True):
    fr: str
    en: str


class _Documented(msgspec.Struct, forbid_unknown_fields=True):
    default: Any
    fr: str
    en: str


class Data:
    """All data files of one game, with an owner's deck in place of the files it replaces."""

    def __init__(self, game: str, deck: Mapping[str, str]) -> None:
        folder = files(f"game_logic.{game}") / "data"
        self._game = game
        own = {
            f.name: f.read_text(encoding="utf-8")
            for f in folder.iterdir()
            if f.name.endswith(".toml")
        }
        for name in deck:
            if name not in own:
                known = ", ".join(sorted(own))
                raise DataError(name, f"{game} has no such data file; it has {known}")
        self._own = own
        self._texts = own | dict(deck)

    @property
    def digest(self) -> str:
        """Of all that can change how a game plays: a mended sentence is no other game."""
        whole = hashlib.sha256()
        for name in sorted(self._texts.keys() - SENTENCES):
            whole.update(f"{name}\0{self._texts[name]}\0".encode())
        return whole.hexdigest()

    def table(self, name: str) -> dict[str, Any]:
        """The file as TOML has it, for the caller alone."""
        return self._table(name, tomllib.loads)

    def _table(self, name: str, parse: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
        where = f"{self._game}/{name}"
        try:
            return parse(self._texts[name])
        except KeyError:
            raise DataError(where, "the file is missing") from None
        except tomllib.TOMLDecodeError as error:
            raise DataError(where, f"not valid TOML: {error}") from None

    def read(self, name: str, kind: type[T]) -> T:
        """The file as a typed value; a wrong key or type is refused with its place in the file."""
        try:
            return msgspec.convert(self._table(name, _parsed), kind)
        except msgspec.ValidationError as error:
            raise DataError(f"{self._game}/{name}", str(error)) from None

    def texts(self, name: str = "texts.toml") -> Texts:
        """The sentences in a file; those an owner has written are laid over ours."""
        sentences = _parsed(self._own[name]) | self._table(name, _parsed)
        try:
            typed = msgspec.convert(sentences, dict[str, _Sentence])
        except msgspec.ValidationError as error:
            raise DataError(f"{self._game}/{name}", str(error)) from None
        return Texts({key: Text(s.fr, s.en) for key, s in typed.items()})

    def options(self, name: str = "options.toml") -> dict[str, Option]:
        documented = self.read(name, dict[str, _Documented])
        return {key: Option(d.default, Text(d.fr, d.en)) for key, d in documented.items()}


@lru_cache(maxsize=64)
def _parsed(text: str) -> dict[str, Any]:
    """Once: a menu of games, or a thousand games in a row, read the same files. What is in it is
    not to be changed."""
    return tomllib.loads(text)


def chosen(options: Mapping[str, Option], given: Mapping[str, object] | None, kind: type[T]) -> T:
    """A new game's options as `kind`: the defaults and what was asked for. Malformed if wrong."""
    given = given or {}
    for key in given:
        if key not in options:
            known = ", ".join(sorted(options)) or "none"
            raise Malformed(f"there is no option {key!r}; the options are {known}")
    try:
        return msgspec.convert({k: o.default for k, o in options.items()} | dict(given), kind)
    except msgspec.ValidationError as error:
        raise Malformed(f"bad option: {error}") from None

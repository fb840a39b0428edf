"""The boards' own data: what pieces look like, icons, and where places lie that no game places."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from game_logic.core import Text
from game_logic.data import DataError, Texts

T = TypeVar("T")


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece: its shape and tint, what is written on it, the icon it carries."""

    shape: str = "token"
    tint: str = "plain"
    label: str = ""
    icon: str = ""
    fill: str = ""  # a colour of the game's own data, in place of the tint


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's file. Pieces go by "kind:id" or by kind alone."""

    pieces: dict[str, Look] = {}


def read(name: str, kind: type[T]) -> T:
    where = f"boards/data/{name}"
    try:
        raw = (files(__package__) / "data" / name).read_text("utf-8")
        return msgspec.convert(tomllib.loads(raw), kind)
    except FileNotFoundError:
        raise DataError(where, "the file is missing; is Cavale installed whole?") from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(where, f"not valid TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise DataError(where, str(error)) from None


class _Sentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fr: str
    en: str


@cache
def words() -> Texts:
    sentences = read("words.toml", dict[str, _Sentence])
    return Texts({key: Text(s.fr, s.en) for key, s in sentences.items()})


@cache
def icons() -> dict[str, str]:
    """Paths on a square of 24, drawn with a round pen."""
    return read("icons.toml", dict[str, str])

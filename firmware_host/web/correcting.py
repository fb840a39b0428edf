"""Putting a state right by hand: the numbers and words in it that stand in everybody's view too.

What a hand or a pile holds is not among them: nobody can set it, and nobody can find out about it
by trying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from firmware_host.journal import Record
from game_logic.core import encode

Path = tuple[str | int, ...]
Leaf = int | str


def leaves(record: Record) -> dict[Path, Leaf]:
    """What can be set, and how it stands: in the state just where the public view has it."""
    state = _plain(record.state)
    view = _plain(record.game.view(record.state, None))
    return dict(_same(state, view, ()))


def unknown(record: Record, changes: Mapping[Path, Leaf]) -> str | None:
    """What is wrong with these changes, if anything is."""
    known = leaves(record)
    for path, value in changes.items():
        if path not in known:
            return f"there is no {list(path)} that can be set"
        if type(known[path]) is not type(value):
            return f"{list(path)} = {value!r}: it must be like {known[path]!r}"
    return None


def corrected(record: Record, changes: Mapping[Path, Leaf]) -> Any:
    """The state as plain JSON values, with the changes made."""
    state = _plain(record.state)
    for path, value in changes.items():
        inner = state
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
    return state


def _same(state: Any, view: Any, path: Path) -> Iterator[tuple[Path, Leaf]]:
    if isinstance(state, dict) and isinstance(view, dict):
        for key in state.keys() & view.keys():
            yield from _same(state[key], view[key], (*path, key))
    elif isinstance(state, list) and isinstance(view, list) and len(state) == len(view):
        for n, (one, other) in enumerate(zip(state, view, strict=True)):
            yield from _same(one, other, (*path, n))
    elif type(state) in (int, str) and state == view and path[0] not in ("seats", "options"):
        yield path, state


def _plain(value: Any) -> Any:
    return msgspec.json.decode(encode(value))

"""Putting a state right by hand: the numbers and words in it that stand in everybody's view too,
and where the pieces stand.

What a hand or a pile holds is not among them: nobody can set it, and nobody can find out about it
by trying.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from firmware_host.journal import Record
from firmware_host.texts import TEXTS
from firmware_host.web.words import WORDS
from game_logic.core import Image, Piece, Text, decode_state, encode

Path = tuple[str | int, ...]
Leaf = int | str
OF_SEATS = ("prisoners", "bans", "votes")  # lists with an entry for each seat


class Shift(NamedTuple):
    """A piece that stands elsewhere than the state has it; None: beside the board."""

    kind: str
    id: str | None
    at: str | None
    to: str | None


def leaves(record: Record) -> dict[Path, Leaf]:
    """What can be set, and how it stands: in the state just where the public view has it."""
    state = _plain(record.state)
    view = _plain(record.game.view(record.state, None))
    return dict(_same(state, view, ()))


def label(record: Record, path: Path) -> Text:
    """What can be set, in words: "Ana, cigarettes", "dice, 2"."""
    names = record.game.view(record.state, None)["seats"]
    said: list[Text] = []
    for before, step in zip(("", *path), path, strict=False):
        if isinstance(step, int):
            name = names[step] if before in OF_SEATS else str(step + 1)
            said.append(Text(name, name))
        elif step != "prisoners":  # their names say so
            known = f"field_{step}" in WORDS
            said.append(WORDS(f"field_{step}") if known else Text(step, step))
    return Text(", ".join(each.fr for each in said), ", ".join(each.en for each in said))


def standing(record: Record) -> list[Piece]:
    """Every piece of the box that this game may have on the board, once each."""
    image = record.game.image(record.state)
    found = [piece for pieces in image.values() for piece in pieces]
    found += [thing.piece for thing in record.game.things() if thing.piece]
    return [Piece(*which) for which in dict.fromkeys((p.kind, p.id) for p in found)]


def places(record: Record, piece: Piece) -> list[str | None]:
    """Where one of these can be taken from; None: beside the board, where some are left."""
    game = record.game
    image = game.image(record.state)
    stands = Counter({space: _many(pieces, piece) for space, pieces in image.items()})
    box = sum(t.count for t in game.things() if t.piece and _many((t.piece,), piece))
    on = [space for space in (*game.spaces(record.state), *image) if stands[space]]
    return [*dict.fromkeys(on), *([None] if stands.total() < box else [])]


def unknown(record: Record, changes: Mapping[Path, Leaf], shifts: Sequence[Shift]) -> str | None:
    """What is wrong with these corrections, if anything is."""
    known = leaves(record)
    for path, value in changes.items():
        if path not in known:
            return f"there is no {list(path)} that can be set"
        if type(known[path]) is not type(value):
            return f"{list(path)} = {value!r}: it must be like {known[path]!r}"
    spaces = {None, *record.game.spaces(record.state), *record.game.image(record.state)}
    for shift in shifts:
        piece = Piece(shift.kind, shift.id)
        if piece not in standing(record) or shift.at not in places(record, piece):
            return f"there is no piece {shift.kind!r} {shift.id!r} at {shift.at!r}"
        if shift.to not in spaces:
            return f"to = {shift.to!r}: there is no such space"
    return None


def corrected(record: Record, changes: Mapping[Path, Leaf], shifts: Sequence[Shift]) -> Any:
    """The state as it is to be. Raises Illegal or Malformed where it cannot be so."""
    game, state = record.game, record.state
    if shifts:
        state = game.placed(state, _shifted(game.image(state), shifts))
    plain = _plain(state)
    for path, value in changes.items():
        inner = plain
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
    return decode_state(game, encode(plain))


def summary(record: Record, changes: Mapping[Path, Leaf], shifts: Sequence[Shift]) -> Text:
    """What the table is asked to agree to."""
    game, said = record.game, []
    for shift in shifts:
        to = TEXTS("beside_the_board") if shift.to is None else game.place(shift.to)
        piece = game.piece(Piece(shift.kind, shift.id))
        said.append(Text(f"{piece.fr} : {to.fr}", f"{piece.en}: {to.en}"))
    for path, value in changes.items():
        name = label(record, path)
        said.append(Text(f"{name.fr} : {value}", f"{name.en}: {value}"))
    return Text("; ".join(each.fr for each in said), "; ".join(each.en for each in said))


def _shifted(image: Image, shifts: Sequence[Shift]) -> Image:
    board = {space: list(pieces) for space, pieces in image.items()}
    for shift in shifts:
        if shift.at is not None:
            there = board.get(shift.at, [])
            lifted = [p for p in there if (p.kind, p.id) == (shift.kind, shift.id)]
            if lifted:  # the one on top; none: two hands took the same
                there.remove(lifted[-1])
        if shift.to is not None:
            board.setdefault(shift.to, []).append(Piece(shift.kind, shift.id))
    return {space: tuple(pieces) for space, pieces in board.items() if pieces}


def _many(pieces: Sequence[Piece], like: Piece) -> int:
    return sum((piece.kind, piece.id) == (like.kind, like.id) for piece in pieces)


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

"""The bench as its page gets to see it: the physical table beside what the game makes of it.

Made of values (a frame of the workbench, a snapshot of the table) on the page's own thread, so that
drawing costs the loop nothing.
"""

from __future__ import annotations

import tomllib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from firmware_host.config import PROFILES, profile
from firmware_host.health import as_json
from firmware_host.journal import Record
from firmware_host.snapshot import Snapshot
from firmware_host.web.boards import dice_svg, pieces_svg, stackable, svg, track_svg
from firmware_host.workbench import Frame, Workbench
from firmware_host.workbench.hints import Hint, hint
from game_logic import GAMES, load
from game_logic.core import Image, Piece, Text

BLANK = 5  # the face by which a die is known for one
WORDS: dict[str, dict[str, str]] = tomllib.loads(
    (files("firmware_host") / "data" / "bench.toml").read_text("utf-8")
)


def choices() -> list[dict[str, Any]]:
    """The games, and the ready-made tables that are made for each of them, or for any: those that
    watch no space and no opening."""
    tables = {name: profile(name) for name in PROFILES}
    watching = {n: bool(c.inputs or any(r.space for r in c.reader)) for n, c in tables.items()}
    found = []
    for id in GAMES:
        game = load(id)
        own = [n for n, config in tables.items() if watching[n] and config.game == id]
        any_ = [n for n in tables if not watching[n]]
        found.append(
            {"id": id, "title": game.title, "seats": list(game.seats), "tables": [*own, *any_]}
        )
    return found


class BenchState:
    """`of` gives the state as parts by name; each is made anew only when what it shows is."""

    def __init__(self, bench: Workbench, table: str) -> None:
        self._bench = bench
        self._table = table
        self._kept: dict[str, tuple[Any, Any]] = {}
        self._games = choices()

    def of(self, shot: Snapshot, frame: Frame) -> dict[str, Any]:
        language = shot.language
        record = shot.record
        now = record
        keep = self._keep
        return {
            "language": language,
            "words": keep("words", language, lambda: _words(language)),
            "games": keep("games", language, lambda: _in(self._games, language)),
            "table": self._table,
            "breakable": keep("breakable", now, self._bench.breakable),
            "buttons": self._bench.buttons,
            "pads": self._bench.pads,
            "game": keep("game", (now, language), lambda: _game(record, language)),
            "board": keep(
                "board", (now, language, frame.pieces), lambda: _board(record, frame, language)
            ),
            "box": keep("box", (now, language, frame.box), lambda: _box(record, frame, language)),
            "hand": [[piece.kind, piece.id] for piece in frame.hand],
            "screens": [b64encode(pixels).decode() for pixels in frame.screens],
            "light": frame.light,
            "sounding": frame.sounding,
            "beeps": frame.beeps,
            "dice": keep(
                "dice", (now, language, frame.dice), lambda: _dice(record, frame, language)
            ),
            "cards": keep(
                "cards", (now, language, frame.cards), lambda: _cards(record, frame, language)
            ),
            "faults": frame.faults,
            "told": [text.in_(language) for text in reversed(frame.told)],
            "health": [as_json(health) for health in shot.health],
            "said": _said(shot, language),
            "invitation": shot.invitation and shot.invitation._asdict(),
            "hint": keep("hint", (now, shot, frame.pieces), lambda: self._hint(shot, frame.pieces)),
        }

    def _keep(self, name: str, key: Any, make: Any) -> Any:
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, make())
        return self._kept[name][1]

    def _hint(self, shot: Snapshot, pieces: Image) -> dict[str, Any]:
        found: Hint = hint(shot, pieces, self._bench.reach)
        piece = found.piece and [found.piece.kind, found.piece.id]
        return {
            "text": found.text.in_(shot.language),
            "piece": piece,
            "origin": found.origin,
            "to": found.to,
            "use": found.use,
            "seats": found.seats,
        }


def _words(language: str) -> dict[str, str]:
    return {key: entry[language] for key, entry in WORDS.items()}


def _in(value: Any, language: str) -> Any:
    """The same with every text in one language."""
    if isinstance(value, Text):
        return value.in_(language)
    if isinstance(value, Mapping):
        return {key: _in(each, language) for key, each in value.items()}
    return [_in(each, language) for each in value] if isinstance(value, list) else value


def _game(record: Record | None, language: str) -> dict[str, Any] | None:
    if record is None:
        return None
    game, state = record.game, record.state
    outcome = game.outcome(state)
    view = game.view(state, None)
    return {
        "id": game.id,
        "title": game.title.in_(language),
        "seats": list(view["seats"]),
        "to_act": game.to_act(state),
        "prompt": game.prompt(state, None).in_(language),
        "tracks": [track_svg(track, language) for track in game.tracks(state)],
        "outcome": outcome and outcome.text.in_(language),
        "ended": record.ended,
        "moves": len(record.line) - 1,
        "openings": game.id == "breakout",
    }


def _board(record: Record | None, frame: Frame, language: str) -> str:
    """As it stands on the table, which is not always as the game has it."""
    if record is None:
        return ""
    game, state = record.game, record.state
    return svg(game, game.view(state, None), frame.pieces, language, game.spaces(state))


def _box(record: Record | None, frame: Frame, language: str) -> list[dict[str, Any]]:
    if record is None:
        return []
    game = record.game
    things = [thing for thing, _ in frame.box]
    pieces: Sequence[Piece] = [thing.piece for thing in things if thing.piece]
    drawn = pieces_svg(game, game.view(record.state, None), pieces, language)
    return [
        {
            "kind": piece.kind,
            "id": piece.id,
            "name": game.piece(piece).in_(language),
            "left": left,
            "svg": picture,
            "stacks": stackable(game, piece),
        }
        for piece, (_, left), picture in zip(pieces, frame.box, drawn, strict=True)
    ]


def _dice(record: Record | None, frame: Frame, language: str) -> list[dict[str, Any]]:
    wanted: set[str] = set()
    if record is not None and (chance := record.game.chance(record.state)) is not None:
        wanted = {part.id for part in chance.parts}
    return [
        {
            "name": die.name,
            "label": record.game.die(die.name).in_(language) if record else die.name,
            "where": die.where,
            "face": die.face,
            "wanted": die.name in wanted,
            "svg": dice_svg([die.face], [_tint(die.name)], language),
            "blank": dice_svg([BLANK], [_tint(die.name)], language),
        }
        for die in frame.dice
    ]


def _tint(die: str) -> str:
    tints = {"light_green": "green", "dark_green": "green", "orange": "yellow", "brown": "plain"}
    return tints.get(die, die if die in ("red", "blue", "yellow", "white") else "ivory")


def _cards(record: Record | None, frame: Frame, language: str) -> list[dict[str, Any]]:
    """Those that could be shown now come first."""
    wanted = _wanted(record) if frame.cards else frozenset()
    cards = [
        {"sign": t.sign, "name": t.text.in_(language), "wanted": t.sign in wanted}
        for t in frame.cards
    ]
    return sorted(cards, key=lambda card: not card["wanted"])


def _wanted(record: Record | None) -> frozenset[str]:
    """The signs of all that may be drawn or played next."""
    if record is None:
        return frozenset()
    game, state = record.game, record.state
    chance = game.chance(state)
    if chance is not None:
        moves = [move for part in chance.parts for move, _ in part.odds]
    else:
        seats = game.to_act(state)
        open_ones = ((seat, move) for seat in seats for move in game.moves(state, seat))
        moves = [move for seat, move in open_ones if not game.secret(state, move, seat)]
    return frozenset(sign for move in moves for sign in game.signs(state, move))


def _said(shot: Snapshot, language: str) -> dict[str, Any]:
    """What the table itself says at this moment."""
    notice, question = shot.notice, shot.question
    return {
        "trouble": shot.trouble and shot.trouble.in_(language),
        "flash": shot.flash and shot.flash.in_(language),
        "notice": notice
        and {
            "kind": notice.kind,
            "text": notice.said.in_(language),
            "why": notice.why and notice.why.in_(language),
            "done": notice.done,
            "of": notice.of,
        },
        "question": question
        and {
            "text": question.text.in_(language),
            "options": [option.in_(language) for option in question.options],
            "at": question.at,
        },
    }

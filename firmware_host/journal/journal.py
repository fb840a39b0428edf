"""The journal as the daemon and the command use it: games in, games out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.journal.entries import End, Entry, Resumed, Row, Saved, Start, seal
from firmware_host.journal.errors import CannotResume, Damaged, JournalError
from firmware_host.journal.record import Differs, Record, fold, resumed
from firmware_host.journal.replay import export
from firmware_host.journal.store import Connect, Store, sqlite3_connect
from game_logic import load
from game_logic.core import Game, Malformed, Outcome, Text, decode_state, encode

Rules = Callable[[str, Mapping[str, str]], Game[Any]]


class Line(NamedTuple):
    """A game in the history. `moves` counts accepted intents; `started` is for people only."""

    id: int
    game: str
    seats: tuple[str, ...]
    started: str
    moves: int
    open: bool
    outcome: Outcome | None  # None and not open: abandoned


def wall_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Journal:
    """Whoever holds it owns the file: one thread at a time."""

    def __init__(self, store: Store, rules: Rules, clock: Callable[[], str]) -> None:
        self._store = store
        self._rules = rules
        self._clock = clock

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        rules: Rules = load,
        connect: Connect = sqlite3_connect,
        clock: Callable[[], str] = wall_clock,
    ) -> Journal:
        """To write. A damaged file is set aside, and `notice` says where it is."""
        return cls(Store.open(path, connect), rules, clock)

    @classmethod
    def read(
        cls, path: Path, *, rules: Rules = load, connect: Connect = sqlite3_connect
    ) -> Journal:
        """Only to read, also while a daemon writes."""
        return cls(Store.read(path, connect), rules, wall_clock)

    @property
    def path(self) -> Path:
        return self._store.path

    @property
    def notice(self) -> Text | None:
        return self._store.notice

    def close(self) -> None:
        self._store.close()

    def games(self) -> tuple[Line, ...]:
        """The history, the oldest first."""
        return tuple(self._line(id) for id in self._store.ids())

    def open_game(self) -> Record | None:
        """The game to go on with.

        If rules or data have changed since (or the log does not fold as it was written), it goes on
        from its newest state and its last entry is a Resumed that says why; CannotResume if that
        state is none for these rules.
        """
        id = self._store.open_id()
        return None if id is None else self._resume(self._store.saved(id))

    def load(self, id: int) -> Record:
        """A game folded and compared entry by entry; JournalError("retold") where it differs."""
        saved = self._store.saved(id)
        try:
            return self._folded(saved, self._game(saved))
        except Differs as differs:
            raise JournalError(
                "retold", path=self.path, id=id, seq=differs.seq, why=differs.why
            ) from differs

    def export(self, id: int) -> list[dict[str, Any]]:
        """The game as JSON lines: whole when it is closed, what everybody saw while it is open."""
        saved = self._store.saved(id)
        try:
            return export(saved, self._game(saved))
        except Differs:
            return export(saved, None)

    def append(self, record: Record) -> Record:
        """Write the last entry of a record; it is accepted when this returns."""
        return replace(
            record,
            id=self._write(record.id, record.key, record.last, encode(record.state)),
        )

    def abandon(self, id: int) -> None:
        """Close an open game that cannot be resumed. Its log and newest state stay."""
        saved = self._store.saved(id)
        if saved.ended is None:
            last = saved.rows[-1].entry
            self._write(id, saved.key, End(last.seq + 1, last.version), saved.state)

    # -- how ------------------------------------------------------------------------------------

    def _write(self, id: int | None, key: bytes, entry: Entry, state: bytes) -> int:
        body = encode(entry)
        kind = type(entry).__name__.lower()
        row = Row(entry, body, seal(key, body, state), self._clock())
        return self._store.append(id, key, row, kind, state, ends=isinstance(entry, End))

    def _line(self, id: int) -> Line:
        first, last, moves = self._store.ends(id)
        start, end = first.entry, last.entry
        if not isinstance(start, Start):
            raise Damaged(self.path, f"game {id} has no start")
        outcome = end.outcome if isinstance(end, End) else None
        is_open = not isinstance(end, End)
        return Line(id, start.game, start.seats, first.at, moves, is_open, outcome)

    def _game(self, saved: Saved) -> Game[Any]:
        start = saved.start
        try:
            return self._rules(start.game, start.deck)
        except Malformed as error:
            raise Differs(0, Text(str(error), str(error))) from error

    def _folded(self, saved: Saved, game: Game[Any]) -> Record:
        """The game since its start or its last update."""
        entries = [row.entry for row in saved.rows]
        base = max(n for n, entry in enumerate(entries) if isinstance(entry, Start | Resumed))
        first = entries[base]
        assert isinstance(first, Start | Resumed)
        if first.digest != game.digest:
            raise Differs(first.seq, _OTHER_DATA)
        return Record(saved.id, game, saved.key, tuple(fold(game, entries[base:], saved.same)))

    def _resume(self, saved: Saved) -> Record:
        try:
            game = self._game(saved)
        except Differs as differs:
            raise CannotResume(self.path, saved.id, differs.why) from differs
        try:
            return self._folded(saved, game)
        except Differs as differs:
            seq = differs.seq
        try:
            state = decode_state(game, saved.state)
        except Malformed as error:
            raise CannotResume(self.path, saved.id, _UNREADABLE, (str(error),)) from error
        problems = game.problems(state)
        if problems:
            raise CannotResume(self.path, saved.id, _UNSOUND, problems)
        last = saved.rows[-1].entry
        why = _updated(seq, last.version, game.version)
        return self.append(resumed(saved.id, game, saved.key, last.seq + 1, state, why))


_OTHER_DATA = Text(
    "les données du jeu (cartes, plateau, textes) ont changé",
    "the data of the game (cards, board, texts) have changed",
)
_UNREADABLE = Text(
    "sa position n'est plus lisible par ces règles", "these rules cannot read its position"
)
_UNSOUND = Text(
    "sa position est impossible selon ces règles", "its position is impossible by these rules"
)


def _updated(seq: int, was: int, now: int) -> Text:
    """Names no reason that the rules gave: those may speak of what a hand holds."""
    if was != now:
        fr, en = f"règles version {was}, puis {now}", f"rules version {was}, then {now}"
    else:
        fr, en = f"le journal diffère dès l'entrée {seq}", f"the log differs from entry {seq} on"
    return Text(
        f"Reprise après une mise à jour ({fr}) : la partie continue de sa dernière position ; "
        "les coups d'avant ne peuvent plus être repris.",
        f"Resumed after an update ({en}): the game goes on from its last position; "
        "earlier moves can no longer be taken back.",
    )

"""Games as files: written out for keeping, and played again to see that they end the same.

A closed game is exported whole: its acts tell every secret there was, so each entry carries the
plain hash of the state after it, by which a replay finds the first that differs. An open game may
hold secrets, so its export holds only what the table was told, and cannot be replayed. The key and
the entries' keyed hashes stay in the journal; only the last one goes along, to match the export
with what screens and programs were shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from itertools import dropwhile
from typing import Any, NamedTuple

import msgspec

from firmware_host.journal.entries import End, Entry, Intent, Resumed, Saved, Start, decode
from firmware_host.journal.record import Differs, Step, fold
from game_logic import load
from game_logic.core import Game, Malformed, State, Text, decode_state, encode

FORMAT = 1


class Result(NamedTuple):
    """`ok`: every state came out the same, byte for byte. Else the first entry that did not."""

    ok: bool
    state: State | None
    seq: int | None
    why: Text


def check(state: State) -> str:
    return hashlib.sha256(encode(state)).hexdigest()


def export(saved: Saved, game: Game[Any] | None) -> list[dict[str, Any]]:
    """A header, a line an entry, and the last line: the final state, or what all may see of it.

    Without the game (its rules or the owner's deck are no longer there) it holds what it can.
    """
    steps = _foldable(saved, game) if game else {}
    closed = saved.ended is not None
    header = {"cavale": FORMAT, "id": saved.id, "open": not closed}
    return [header, *(_whole(saved, steps) if closed else _public(saved, game, steps))]


def _whole(saved: Saved, steps: Mapping[int, Step]) -> Iterable[dict[str, Any]]:
    for row in saved.rows:
        line = {"at": row.at} | msgspec.json.decode(row.body)
        if step := steps.get(row.entry.seq):
            line["check"] = check(step.state)
        yield line
    yield {"state": msgspec.json.decode(saved.state), "hash": saved.rows[-1].seal.hex()}


def _public(
    saved: Saved, game: Game[Any] | None, steps: Mapping[int, Step]
) -> Iterable[dict[str, Any]]:
    start = saved.start
    yield {"game": start.game, "seats": start.seats, "options": start.options}
    for row in saved.rows:
        seq = row.entry.seq
        line = {"at": row.at, "seq": seq, "kind": type(row.entry).__name__.lower()}
        before, step = steps.get(seq - 1), steps.get(seq)
        if game and before and step and isinstance(step.entry, Intent):
            line["told"] = _told(game, before.state, step.entry)
        yield line
    last = steps.get(saved.rows[-1].entry.seq)
    yield {"view": game.view(last.state, None) if game and last else None}


def _told(game: Game[Any], state: State, intent: Intent) -> list[dict[str, str]]:
    told = []
    for by, move in ((act.by, act.move) for act in intent.acts):
        told.append(game.told(state, move, by, None)._asdict())
        state = game.play(state, move, by)
    return told


def _foldable(saved: Saved, game: Game[Any]) -> dict[int, Step]:
    """The steps that these rules take as they were taken; an update may lie between."""
    steps: dict[int, Step] = {}
    entries = [row.entry for row in saved.rows]
    while entries:
        try:
            for step in fold(game, entries, saved.same):
                steps[step.entry.seq] = step
            break
        except Differs as differs:
            rest = (entry for entry in entries if entry.seq > differs.seq)
            entries = list(dropwhile(lambda entry: not isinstance(entry, Resumed), rest))
    return steps


def replay(
    lines: Iterable[Mapping[str, Any] | str | bytes],
    rules: Callable[[str, Mapping[str, str]], Game[Any]] = load,
) -> Result:
    """Play an export again by the rules of today. Each line is JSON, or already parsed."""
    try:
        header, *parsed = (_object(line) for line in lines)
        if header.get("cavale") != FORMAT:
            raise Malformed(f'the first line does not say {{"cavale": {FORMAT}}}')
        if header.get("open"):
            return Result(False, None, None, _OPEN)
        *noted, final = parsed
        entries = [decode(msgspec.json.encode(line)) for line in noted]
        if not entries or not isinstance(entries[-1], End) or "state" not in final:
            raise Malformed("its end is missing")
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        return Result(False, None, None, _no_export(error))
    checks = {entry.seq: line.get("check") for entry, line in zip(entries, noted, strict=True)}

    def same(entry: Entry, state: State) -> bool:
        return checks[entry.seq] in (None, check(state))

    start = entries[0]
    game = None
    state: State | None = None
    try:
        if not isinstance(start, Start):
            raise Malformed("its first entry is no start")
        game = rules(start.game, start.deck)
        for step in fold(game, entries, same):
            state = step.state
        assert state is not None
        if encode(decode_state(game, final["state"])) != encode(state):
            raise Differs(entries[-1].seq, _OTHER_END)
    except Malformed as error:
        return Result(False, state, start.seq, _no_export(error))
    except Differs as differs:
        other_data = isinstance(start, Start) and game is not None and start.digest != game.digest
        why = _and_other_data(differs.why) if other_data else differs.why
        return Result(False, state, differs.seq, why)
    return Result(True, state, None, _SAME)


def _object(line: Mapping[str, Any] | str | bytes) -> Mapping[str, Any]:
    data = msgspec.json.decode(line) if isinstance(line, str | bytes) else line
    if not isinstance(data, Mapping):
        raise Malformed("a line is no JSON object")
    return data


_SAME = Text("identique, octet pour octet", "the same, byte for byte")
_OPEN = Text(
    "cette partie était encore ouverte : l'export ne tient que ce que la table a vu. Exportez-la "
    "de nouveau quand elle sera finie",
    "this game was still open: the export holds only what the table saw. Export it again when it "
    "is over",
)
_OTHER_END = Text(
    "la position finale n'est pas celle de l'export", "the final state is not the exported one"
)


def _no_export(error: Exception) -> Text:
    return Text(f"ceci n'est pas une partie exportée : {error}", f"not an exported game: {error}")


def _and_other_data(why: Text) -> Text:
    return Text(
        f"{why.fr} (et les données du jeu ont changé depuis)",
        f"{why.en} (and the data of the game have changed since)",
    )

"""What a newcomer at the workbench could do next, in one short sentence, and where to point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware_host.config import Config
from firmware_host.journal import Record
from firmware_host.mending import instructions
from firmware_host.sighting import Grade, Sighting, Sightings, all_seen, changed
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE, Act, Game, Image, Piece, Text

MANY = 80  # moves that are tried in search of one that hands make
GATE = "gate:"
KNOTS = ("knot_red", "knot_blue")
WHO = Sighting(Grade.WHO)


class Hint(NamedTuple):
    """`piece` goes from `origin` (None: the box) to `to`, a space or an opening; `use` is the part
    of the table that is wanted: a button, "tower", "pad", "question", "right", "game", "seat";
    "wait": none yet."""

    text: Text
    piece: Piece | None = None
    origin: str | None = None
    to: str | None = None
    use: str | None = None
    seats: tuple[int, ...] = ()


class Reach(NamedTuple):
    """What the sensors of a table can notice at all; `unseen` are kinds of pieces without a tag."""

    spaces: frozenset[str]
    signs: frozenset[str]
    unseen: tuple[str, ...] = ()


def reach(config: Config, unseen: tuple[str, ...]) -> Reach:
    spaces = {part.space for part in config.inputs.values()} | {r.space for r in config.reader}
    signs = {part.sign for part in config.inputs.values()}
    return Reach(frozenset(filter(None, spaces)), frozenset(filter(None, signs)), unseen)


def hint(shot: Snapshot, pieces: Image, reach: Reach) -> Hint:
    record = shot.record
    if record is None or record.ended:
        return Hint(TEXTS("hint_begin"), use="game")
    if not shot.looked:
        return Hint(TEXTS("hint_wait"), use="wait")
    if shot.paused:
        return Hint(TEXTS("hint_resume"), use="confirm")
    if shot.invitation is not None:
        return Hint(TEXTS("hint_invitation"), use="confirm")
    if shot.question is not None:
        return Hint(TEXTS("hint_answer"), use="question")
    if shot.notice is not None and shot.notice.kind in ("mend", "arrange"):
        return _to_put_right(record, pieces, confirm=shot.notice.confirm)
    if record.game.outcome(record.state) is not None:
        return Hint(TEXTS("hint_over"), use="confirm")
    if shot.awaited is not None:
        return _awaited(record, shot.awaited)
    found = _move(record, reach)
    if found.origin is not None and not _stands(found, pieces):
        # The sensors took one piece for another, or people told the table so.
        return _to_put_right(record, pieces, confirm=False)
    return found


def _stands(found: Hint, pieces: Image) -> bool:
    there = pieces.get(found.origin or "", ())
    return found.piece is not None and any(
        (piece.kind, piece.id) == (found.piece.kind, found.piece.id) for piece in there
    )


def _to_put_right(record: Record, pieces: Image, *, confirm: bool) -> Hint:
    game, state = record.game, record.state
    step = next(iter(_steps(game, state, pieces)), None)
    if step is None:
        return Hint(TEXTS("hint_confirm" if confirm else "hint_wait"), use="confirm")
    return Hint(
        TEXTS("hint_put_right", step=step.text(game)), step.piece, step.origin, step.to, "right"
    )


def _steps(game: Game[Any], state: Any, pieces: Image) -> Iterator[Any]:
    """From the board as it stands to the board as the state has it."""
    spaces = dict.fromkeys((*game.spaces(state), *pieces), WHO)
    yield from instructions(game, state, Sightings(all_seen(pieces, spaces)))


def _awaited(record: Record, source: str) -> Hint:
    game, state = record.game, record.state
    chance = game.chance(state)
    if source == "pad":
        return Hint(TEXTS("hint_pad"), use="pad")
    if source in ("confirm", "box") or chance is None:
        return Hint(TEXTS("hint_confirm"), use="confirm")
    dice = [game.die(part.id) for part in chance.parts]
    both = Text(", ".join(d.fr for d in dice), ", ".join(d.en for d in dice))
    return Hint(TEXTS("hint_tower" if source == "tower" else "hint_beam", dice=both), use="tower")


def _move(record: Record, reach: Reach) -> Hint:
    game, state = record.game, record.state
    secret: list[int] = []
    open_ones = 0
    longer: Hint | None = None  # of a move that takes more than one piece
    for by in game.to_act(state):
        if by == CHANCE:
            return Hint(TEXTS("hint_wait"), use="wait")
        moves = game.moves(state, by)
        middle = len(moves) // 2
        for move in (*moves[middle:], *moves[:middle])[:MANY]:
            if game.secret(state, move, by):
                if by not in secret:
                    secret.append(by)
                break
            open_ones += 1
            shown, many = _by_hand(game, state, Act(by, move), reach)
            if shown is not None and not many:
                return shown
            longer = longer or shown
    if longer is not None:
        return longer
    if secret and not open_ones:
        return Hint(TEXTS("hint_secret"), use="seat", seats=tuple(secret))
    return Hint(TEXTS("hint_menu"), use="next")


def _by_hand(game: Game[Any], state: Any, act: Act, reach: Reach) -> tuple[Hint | None, bool]:
    """How hands make this move, if the table would notice; and does it take several pieces?"""
    before = game.image(state)
    after = game.play(state, act.move, act.by)
    board = game.by_hand(state, act.move, after)
    signs = [sign for sign in game.signs(state, act.move) if not sign.endswith("?")]
    gate = next((sign.removeprefix(GATE) for sign in signs if sign.startswith(GATE)), None)
    if gate is not None:
        row, _, side = gate.partition("_")
        knot = Piece(KNOTS[act.by])
        words = TEXTS(f"hint_push_{side}", knot=game.piece(knot), row=row)
        return Hint(words, knot, None, gate), False
    if not changed(before, board) & reach.spaces:
        held = set(signs) & reach.signs
        return (Hint(TEXTS("hint_pad"), use="pad") if held else None), False
    steps = list(_steps(game, after, before))
    step = next((s for s in steps if s.piece and s.piece.kind not in reach.unseen), None)
    if step is None:
        return None, False
    words = TEXTS("hint_drag", step=step.text(game))
    return Hint(words, step.piece, step.origin, step.to), len(steps) > 1

"""What a key may see of the table, as one JSON object: a function of the snapshot, the key and the
language. All that is told of a game comes from `view`, `told`, `prompt` and the like, which
are built from allow-lists."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from firmware_host.dealer import sayable
from firmware_host.health import as_json
from firmware_host.journal import Record
from firmware_host.journal.entries import Correction, Intent, Resumed, Start
from firmware_host.journal.record import Step
from firmware_host.notices import Accept, Notice, Question
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from firmware_host.web import boards
from firmware_host.web.hands import holds
from firmware_host.web.keys import Key
from game_logic.core import CHANCE, Act, Chance, Game, Illegal, Rolled, Text, encode

VERSION = 1  # raised when a field changes its meaning or goes
LINES = 40  # of the log that go along; all of it is in the history
KEPT = 2000  # lines of the log that are remembered
REASONS = 8  # why not, at most
TINTS = ("red", "blue", "green", "yellow", "violet", "pink")
CAST = ("scofield", "sucre", "abruzzi", "bagwell")  # by whose pawn they play
RECENT = 4  # intents in which the last roll is looked for


class Teller:
    """Tells of the table; what was told of a state, and every line of the log, is kept for whoever
    asks next."""

    def __init__(self) -> None:
        self._games: tuple[Record, dict[tuple[int | None, str], dict[str, Any]]] | None = None
        self._lines: OrderedDict[tuple[int | None, ...], list[Text]] = OrderedDict()

    def state(self, shot: Snapshot, key: Key, seat: int | None, language: str) -> dict[str, Any]:
        """The table as `seat` sees it; None: as everybody does."""
        told: dict[str, Any] = {
            "v": VERSION,
            "language": language,
            "you": {"seat": seat, "seats": key.seats, "host": key.host},
            "game": None,
            "paused": shot.paused,
            "awaited": shot.awaited,
            "notice": _notice(shot.notice, language),
            "question": _question(shot, seat, language),
            "trouble": _said(shot.trouble, language),
            "flash": _said(shot.flash, language),
            "table_language": shot.language,
            "mute": shot.mute,
            "luck": shot.luck,
            "health": [as_json(device) for device in shot.health],
        }
        if shot.record is not None:
            told |= self._game(shot.record, seat, language)
            if seat is not None:
                told["decision"] = dict(shot.decisions).get(seat)
            chance = awaited(shot) if key else None
            if chance is not None:
                told["chance"] = _by_hand(shot.record, chance, language)
        return told

    def log(
        self, record: Record, seat: int | None, language: str, most: int | None = None
    ) -> list[dict[str, Any]]:
        """What happened and stands, the oldest first, as the seat may read it."""
        line = record.line
        told = list(zip((None, *line), line, strict=False))
        return [
            {
                "seq": step.entry.seq,
                "by": _by(step),
                "text": [text.in_(language) for text in self._texts(record, before, step, seat)],
            }
            for before, step in (told if most is None else told[-most:])
        ]

    def _game(self, record: Record, seat: int | None, language: str) -> dict[str, Any]:
        if self._games is None or self._games[0] is not record:
            self._games = (record, {})
        known = self._games[1]
        if (seat, language) not in known:
            told = game(record, seat, language)
            told["log"] = self.log(record, seat, language, LINES)
            known[seat, language] = told
        return known[seat, language]

    def _texts(
        self, record: Record, before: Step | None, step: Step, seat: int | None
    ) -> list[Text]:
        """An entry has its number for good, and tells the same for good."""
        which = (record.id, step.entry.seq, seat)
        if which not in self._lines:
            self._lines[which] = _texts(record.game, before, step, seat)
            while len(self._lines) > KEPT:
                self._lines.popitem(last=False)
        return self._lines[which]


def game(record: Record, seat: int | None, language: str) -> dict[str, Any]:
    rules, now = record.game, record.state
    view = rules.view(now, seat)
    outcome = rules.outcome(now)
    acting = () if outcome or record.ended else rules.to_act(now)
    told: dict[str, Any] = {
        "game": record.id,
        "rules": rules.id,
        "title": rules.title.in_(language),
        "seq": record.seq,
        "ended": record.ended is not None,
        "view": view,
        "board": boards.svg(rules, view, rules.image(now), language, rules.spaces(now)),
        "tracks": [
            {
                "id": track.id,
                "label": track.label.in_(language),
                "value": track.value,
                "maximum": track.maximum,
                "danger": track.danger,
                "seat": track.seat,
            }
            for track in rules.tracks(now)
        ],
        "seats": [
            {"seat": n, "name": name, "acts": n in acting, "tint": _tint(view, n)}
            for n, name in enumerate(view["seats"])
        ],
        "to_act": acting,
        "prompt": (outcome.text if outcome else rules.prompt(now, seat)).in_(language),
        "over": outcome
        and {
            "winners": outcome.winners,
            "reason": outcome.reason,
            "text": outcome.text.in_(language),
            "scores": outcome.scores,
        },
        "dice": _dice(record, language),
        "undo": _undo(record),
    }
    if seat is not None:
        told |= {
            "moves": moves(record, seat, language) if seat in acting else [],
            "refused": _refused(record, seat, language) if seat in acting else [],
            "hand": holds(rules, view, language),
        }
    return told


def _tint(view: Mapping[str, Any], seat: int) -> str:
    """The colour of the seat's pawn, as far as a view tells it."""
    if "cast" in view and view["cast"][seat] in CAST:
        return TINTS[CAST.index(view["cast"][seat])]
    prisoner = view["prisoners"][seat] if "prisoners" in view else {}
    return str(prisoner.get("pawn", TINTS[seat % len(TINTS)]))


def moves(record: Record, seat: int, language: str) -> list[dict[str, Any]]:
    rules, now = record.game, record.state
    return [
        {
            "move": move,
            "text": rules.offered(now, move, seat).in_(language),
            "secret": rules.secret(now, move, seat),
        }
        for move in rules.moves(now, seat)
    ]


def _by(step: Step) -> list[int]:
    return sorted({act.by for act in step.entry.acts}) if isinstance(step.entry, Intent) else []


def _texts(game: Game[Any], before: Step | None, step: Step, seat: int | None) -> list[Text]:
    match step.entry:
        case Intent(acts=acts) if before is not None:
            texts, state = [], before.state
            for act in acts:
                texts.append(game.told(state, act.move, act.by, seat))
                state = game.play(state, act.move, act.by)
            return texts
        case Correction():
            return [TEXTS("corrected")]
        case Resumed(why=why):
            return [why]
    return [TEXTS("begun", game=game.title)]


def digest(said: bytes) -> str:
    """Of what is said, and so of nothing that is not."""
    return hashlib.sha256(said).hexdigest()[:16]


def question_id(question: Question) -> str:
    return digest(repr((question.text, question.options)).encode())


def _notice(notice: Notice | None, language: str) -> dict[str, Any] | None:
    return notice and {
        "kind": notice.kind,
        "text": notice.said.in_(language),
        "why": _said(notice.why, language),
        "done": notice.done,
        "of": notice.of,
        "confirm": notice.confirm,
    }


def _question(shot: Snapshot, seat: int | None, language: str) -> dict[str, Any] | None:
    """What may be done tells what a hand holds: its choices are for its owner. So is that there is
    a menu at all."""
    question = shot.question
    open_ = owners(shot) <= {seat}
    if question is None or (question.kind == "menu" and not open_):
        return None
    return {
        "id": question_id(question) if open_ else None,
        "kind": question.kind,
        "text": question.text.in_(language),
        "options": [option.in_(language) for option in question.options] if open_ else [],
        "at": question.at if open_ else 0,
    }


def owners(shot: Snapshot) -> set[int]:
    """The seats whose choices are in the question, where those are not everybody's to know."""
    if shot.question is None or shot.record is None or not guarded(shot.record):
        return set()
    asked = (answer for answer in shot.question.answers if isinstance(answer, Accept))
    return {act.by for answer in asked for act in answer.acts if act.by >= 0}


def guarded(record: Record) -> bool:
    """Does the house keep secrets in this game?"""
    known = record.game.options.get("secrets")
    if known is None:
        return False
    start = record.steps[0].entry
    asked = start.options.get("secrets", known.default) if isinstance(start, Start) else "house"
    return bool(asked == "house")


def _said(text: Text | None, language: str) -> str | None:
    return None if text is None else text.in_(language)


def _undo(record: Record) -> str | None:
    """Is the last thing free to be taken back, or only with the table's agreement?"""
    if record.ended or len(record.line) < 2:
        return None
    return "free" if record.takebacks else "agreed"


def _refused(record: Record, seat: int, language: str) -> list[str]:
    """Why not: the things that hands commonly try and the rules refuse."""
    rules, now = record.game, record.state
    reasons: dict[str, None] = {}
    for attempt in rules.attempts(now):
        if attempt.by != seat:
            continue
        try:
            rules.play(now, attempt.move, seat)
        except Illegal as refusal:
            reasons[refusal.text.in_(language)] = None
        if len(reasons) == REASONS:
            break
    return list(reasons)


def _dice(record: Record, language: str) -> dict[str, Any] | None:
    """The last dice that everybody saw."""
    line, rules = record.line, record.game
    for before, step in list(pairwise(line))[: -RECENT - 1 : -1]:
        if not isinstance(step.entry, Intent):
            continue
        faces = list(_seen(rules, before.state, step.entry.acts))
        if faces:
            return {
                "faces": [
                    {"die": die, "name": rules.die(die).in_(language), "face": face}
                    for die, face in faces
                ],
                "svg": boards.dice_svg([face for _, face in faces], language=language),
            }
    return None


def _seen(rules: Game[Any], state: Any, acts: tuple[Act, ...]) -> Iterator[tuple[str, int]]:
    for act in acts:
        chance = rules.chance(state)
        if isinstance(act.move, Rolled) and chance is not None and chance.sees is None:
            yield act.move.die, act.move.face
        state = rules.play(state, act.move, act.by)


def awaited(shot: Snapshot) -> Chance | None:
    """What people may say that their own dice or cards gave: while the table waits for those, of
    whatever sensor, and everybody may know what could come."""
    if shot.awaited is None or shot.record is None:
        return None
    chance = shot.record.game.chance(shot.record.state)
    return chance if chance is not None and sayable(chance) else None


def _by_hand(record: Record, chance: Chance, language: str) -> dict[str, Any]:
    """All that may come, by name: in the order of a pile it could tell what lies where."""
    rules, now = record.game, record.state
    cards = {thing.sign: thing.text for thing in rules.things() if thing.sign}

    def name(move: Any) -> str:
        if isinstance(move, Rolled):
            return str(move.face)
        signs = [sign for sign in rules.signs(now, move) if sign in cards]
        text = cards[signs[0]] if signs else rules.told(now, move, CHANCE, None)
        return text.capital().in_(language)

    parts = []
    for part in chance.parts:
        named = [(name(move), move) for move, _ in part.odds]
        if chance.kind == "draw":
            named.sort(key=lambda each: (each[0], encode(each[1])))
        parts.append(
            {
                "id": part.id,
                "name": rules.die(part.id).in_(language) if chance.kind == "dice" else None,
                "moves": [move for _, move in named],
                "texts": [text for text, _ in named],
            }
        )
    return {"kind": chance.kind, "parts": parts}

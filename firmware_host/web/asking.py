"""What can be asked for: moves, answers, the table's buttons; joining; the host's rights.

Each is checked like any input, and goes into the inbox like everybody else's.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from firmware_host.dealer import answers
from firmware_host.inbox import (
    Ask,
    Begin,
    Close,
    Correct,
    Intend,
    Invite,
    Joined,
    Pause,
    Pick,
    Press,
    Set,
    TakeBack,
    TakeOver,
)
from firmware_host.journal import Record
from firmware_host.texts import TEXTS
from firmware_host.web import correcting, telling
from firmware_host.web.api import Desk
from firmware_host.web.bodies import (
    Body,
    Button,
    Code,
    Correction,
    Empty,
    Intent,
    NewGame,
    Picked,
    Place,
    Settings,
    Successor,
    Switch,
    Undo,
)
from firmware_host.web.guard import Rate, Rates
from firmware_host.web.keys import HOST, Key, hashed, normal, roles
from firmware_host.web.refusal import Refused, answer, body
from game_logic import GAMES, load
from game_logic.core import (
    CHANCE,
    Act,
    Illegal,
    Malformed,
    Text,
    decode_move,
)

KEPT = 60 * 60 * 24 * 90  # s that a browser keeps its cookie

B = TypeVar("B", bound=Body)
DONE = {"ok": True}


class Asking:
    def __init__(self, desk: Desk, rates: Rates) -> None:
        self._desk = desk
        self._house = desk.house
        self._joins, self._all_joins = Rate(*rates.joins), Rate(*rates.all_joins)
        self._invites = Rate(*rates.invites)

    def routes(self) -> list[BaseRoute]:
        return [
            self._route("/api/join", Code, self.join, anybody=True),
            self._route("/api/leave", Place, self.leave),
            self._route("/api/invite", Place, self.invite),
            self._route("/api/intents", Intent, self.intend),
            self._route("/api/pick", Picked, self.pick),
            self._route("/api/press", Button, self.press),
            self._route("/api/undo", Undo, self.undo),
            self._route("/api/pause", Switch, self.pause),
            self._route("/api/games", NewGame, self.begin, host=True),
            self._route("/api/close", Empty, self.close, host=True),
            self._route("/api/correct", Correction, self.correct, host=True),
            self._route("/api/settings", Settings, self.settings, host=True),
            self._route("/api/takeover", Successor, self.take_over, host=True),
            Route("/api/correct", self._desk.handled(self.correctable)),
        ]

    def _route(
        self,
        path: str,
        kind: type[B],
        handle: Callable[[Request, Key, B], Awaitable[Response]],
        *,
        host: bool = False,
        anybody: bool = False,
    ) -> Route:
        async def handler(request: Request) -> Response:
            key = self._desk.key(request)
            if not key and not anybody:
                raise Refused(401, "no_key")
            if host and not key.host:
                raise Refused(403, "host_only")
            return await handle(request, key, await body(request, kind))

        return Route(path, self._desk.handled(handler), methods=["POST"])

    # -- the game -------------------------------------------------------------------------------

    async def intend(self, request: Request, key: Key, asked: Intent) -> Response:
        """Judged here first: what the rules say about a secret move is for its owner alone."""
        record = self._record(asked.game)
        chance = None
        if asked.seat is None:
            chance = telling.awaited(self._house.snapshot) if asked.seq == record.seq else None
            if chance is None:
                raise Refused(409, "stale", TEXTS("stale"))
            by = CHANCE
        elif asked.seat not in key.seats:
            raise Refused(403, "not_your_seat")
        else:
            by = asked.seat
            if asked.decision is None:
                raise Refused(400, "no_decision")
            if dict(self._house.snapshot.decisions).get(by) != asked.decision:
                raise Refused(409, "stale", TEXTS("stale"))
        try:
            acts = tuple(Act(by, decode_move(record.game, move)) for move in asked.moves)
            if chance is not None and not answers(chance, [act.move for act in acts]):
                raise Refused(409, "not_asked_for")
            _judge(record, acts)
        except Malformed as error:
            raise Refused(400, "malformed", why=str(error)) from None
        except Illegal as illegal:
            raise Refused(409, illegal.code, illegal.text) from None
        seq = record.seq if by == CHANCE else None
        return _done(await self._house.ask(Intend(acts, seq, decision=asked.decision)))

    async def pick(self, request: Request, key: Key, asked: Picked) -> Response:
        shot = self._house.snapshot
        question = shot.question
        if question is None or telling.question_id(question) != asked.question:
            raise Refused(409, "stale", TEXTS("stale"))
        if not self._house.may_answer(key, shot):
            raise Refused(403, "others_answer")
        if asked.at >= len(question.options):
            raise Refused(400, "malformed", why=f"at = {asked.at}: there is no such option")
        return _done(await self._house.ask(Pick(asked.at)))

    async def press(self, request: Request, key: Key, asked: Button) -> Response:
        shot = self._house.snapshot
        if shot.question is not None and not self._house.may_answer(key, shot):
            raise Refused(403, "others_answer")
        self._house.tell(Press(asked.button))
        return answer(DONE)

    async def undo(self, request: Request, key: Key, asked: Undo) -> Response:
        if self._record(asked.game).seq != asked.seq:
            raise Refused(409, "stale", TEXTS("stale"))
        if asked.agreed:
            wish = TakeBack(confirmed=True)
            return _done(await self._house.propose(TEXTS("proposal_undo"), wish, key))
        return _done(await self._house.ask(TakeBack()))

    async def pause(self, request: Request, key: Key, asked: Switch) -> Response:
        return _done(await self._house.ask(Pause(asked.on)))

    def _record(self, game: int) -> Record:
        record = self._house.snapshot.record
        if record is None or record.ended:
            raise Refused(409, "no_game")
        if record.id != game:
            raise Refused(409, "stale", TEXTS("stale"))
        return record

    # -- joining --------------------------------------------------------------------------------

    async def join(self, request: Request, key: Key, asked: Code) -> Response:
        """A code for a key. Where somebody holds that key already, the table is asked."""
        address = request.client.host if request.client else ""
        if not self._joins.allows(address) or not self._all_joins.allows("all"):
            raise Refused(429, "too_fast")
        house = self._house
        role = house.keys.redeem(asked.code)
        if role is None:
            raise Refused(403, "bad_code")
        house.tell(Joined(normal(asked.code)))
        holder = house.keys.holder(role)
        token = request.cookies.get(self._desk.cookie) if key else None
        token = token or secrets.token_urlsafe(32)
        if holder is not None and holder != hashed(token):
            name = role.split(" ", 2)[-1]
            text = TEXTS("claim_host") if role == HOST else TEXTS("claim_seat", name=name)
            why = await house.propose(text, Ask(), key, about=role)
            if why is not None:
                raise Refused(403, "not_agreed", why)
        house.keys.give(role, hashed(token))
        house.stir()
        names = self._desk.names()
        seat = roles(names).index(role) if role in roles(names) else None
        response = answer(DONE | {"seat": seat, "host": role == HOST})
        response.set_cookie(
            self._desk.cookie, token, max_age=KEPT, path="/", httponly=True, samesite="strict"
        )
        return response

    async def leave(self, request: Request, key: Key, asked: Place) -> Response:
        """Give a key back; the host may take a seat's, when a phone is lost."""
        if asked.seat is None and not key.host:
            raise Refused(403, "host_only")
        if asked.seat is not None and asked.seat not in key.seats and not key.host:
            raise Refused(403, "not_your_seat")
        self._house.keys.take(self._role(asked.seat))
        self._house.stir()
        return answer(DONE)

    async def invite(self, request: Request, key: Key, asked: Place) -> Response:
        """Shown on the table's own screen, for those who sit there; never told here."""
        self._role(asked.seat)
        if not self._invites.allows("all"):
            raise Refused(429, "too_fast")
        return _done(await self._house.ask(Invite(asked.seat)))

    def _role(self, seat: int | None) -> str:
        if seat is None:
            return HOST
        names = self._desk.names()
        if seat >= len(names):
            raise Refused(409, "no_such_seat")
        return roles(names)[seat]

    # -- the host -------------------------------------------------------------------------------

    async def begin(self, request: Request, key: Key, asked: NewGame) -> Response:
        if asked.game not in GAMES:
            raise Refused(400, "no_such_game")
        try:
            load(asked.game).new(asked.seats, asked.options)
        except Malformed as error:
            raise Refused(400, "malformed", why=str(error)) from None
        record = self._house.snapshot.record
        if record is not None and not record.ended and not asked.abandon:
            raise Refused(409, "game_open", TEXTS("game_open"))
        wish = Begin(asked.game, asked.seats, asked.options, abandon=asked.abandon)
        return _done(await self._house.ask(wish))

    async def close(self, request: Request, key: Key, asked: Empty) -> Response:
        return _done(await self._house.ask(Close()))

    async def correctable(self, request: Request) -> Response:
        if not self._desk.key(request).host:
            raise Refused(403, "host_only")
        record = self._house.snapshot.record
        if record is None or record.ended:
            raise Refused(409, "no_game")
        language, game = self._desk.language(request), record.game
        leaves = correcting.leaves(record)

        def sentence(path: correcting.Path) -> str:
            return correcting.label(record, path).capital().in_(language)

        pieces = correcting.standing(record)
        return answer(
            {
                "game": record.id,
                "seq": record.seq,
                "fields": [
                    {"path": path, "value": value, "text": sentence(path)}
                    for path, value in leaves.items()
                ],
                "pieces": [
                    {
                        "kind": piece.kind,
                        "id": piece.id,
                        "text": game.piece(piece).in_(language),
                        "at": correcting.places(record, piece),
                    }
                    for piece in pieces
                ],
                "spaces": [
                    {"space": space, "text": game.place(space).in_(language)}
                    for space in game.spaces(record.state)
                ],
            }
        )

    async def correct(self, request: Request, key: Key, asked: Correction) -> Response:
        """Only what everybody sees can be set, and the table agrees first: otherwise refusals
        could be made to tell what hands hold."""
        record = self._record(asked.game)
        if record.seq != asked.seq:
            raise Refused(409, "stale", TEXTS("stale"))
        changes = {change.path: change.value for change in asked.changes}
        shifts = [correcting.Shift(m.kind, m.id, m.at, m.to) for m in asked.pieces]
        wrong = correcting.unknown(record, changes, shifts)
        if not changes and not shifts:
            wrong = "there is nothing to correct: give changes or pieces"
        if wrong is not None:
            raise Refused(400, "malformed", why=wrong)
        what = correcting.summary(record, changes, shifts)
        why = await self._house.propose(TEXTS("proposal_correct", what=what), Ask(), key)
        if why is not None:
            raise Refused(409, "not_agreed", why)
        record = self._record(asked.game)
        if record.seq != asked.seq:
            raise Refused(409, "stale", TEXTS("stale"))
        try:
            state = correcting.corrected(record, changes, shifts)
        except (Malformed, Illegal, LookupError):
            raise Refused(409, "impossible") from None
        if record.game.problems(state):
            raise Refused(409, "impossible")
        return _done(await self._house.ask(Correct(state)))

    async def settings(self, request: Request, key: Key, asked: Settings) -> Response:
        return _done(await self._house.ask(Set(asked.language, asked.mute, luck=asked.luck)))

    async def take_over(self, request: Request, key: Key, asked: Successor) -> Response:
        record = self._house.snapshot.record
        if record is None or record.ended:
            raise Refused(409, "no_game")
        self._role(asked.seat)
        return _done(await self._house.ask(TakeOver(asked.seat, asked.name)))


def _judge(record: Record, acts: tuple[Act, ...]) -> None:
    """Illegal if the rules refuse any of it. What brings something out comes last: otherwise the
    refusal of what follows would tell it, and nothing would have been played."""
    game, state = record.game, record.state
    for act in acts:
        if act is not acts[-1] and act.by != CHANCE and game.closes_undo(state, act.move):
            raise Refused(409, "one_at_a_time")
        state = game.play(state, act.move, act.by)


def _done(why: Text | None) -> Response:
    if why is not None:
        raise Refused(409, "refused", why)
    return answer(DONE)

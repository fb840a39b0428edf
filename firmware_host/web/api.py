"""What can be read: the state, a seat's moves, the games of before, and a stream of news."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal, get_args, get_origin, get_type_hints

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from firmware_host.journal import Journal, JournalError
from firmware_host.snapshot import Snapshot
from firmware_host.web import telling
from firmware_host.web.guard import Rate, Rates
from firmware_host.web.house import House, Silent
from firmware_host.web.keys import Key, roles
from firmware_host.web.refusal import Refused, answer, refusal
from firmware_host.web.words import RAW
from game_logic import GAMES, load
from game_logic.core import Game, encode

RETRY = 1000  # ms after which a browser that lost us tries again
KEPT = 64  # answers to the same question, for as many who ask
STREAMS = 16  # of one address at once

Handler = Callable[[Request], Awaitable[Response]]


class Desk:
    """What every request needs: who asks, and in which language to answer."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.teller = telling.Teller()
        self._told: tuple[Snapshot, dict[Any, bytes]] | None = None
        self._names: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """By port: browsers give a cookie to every server on the same machine."""
        return f"cavale_{self.house.port}"

    def key(self, request: Request) -> Key:
        return self.house.keys.of(request.cookies.get(self.cookie), self.names())

    def names(self) -> tuple[str, ...]:
        names = self.house.names
        if names and names != self._names:
            self._names = names
            self.house.keys.keep(names)
        return names

    def language(self, request: Request) -> str:
        asked = request.query_params.get("language")
        return asked if asked in ("fr", "en") else self.house.snapshot.language

    def seat(self, request: Request, key: Key) -> int | None:
        """The seat that is asked for, if the key holds it."""
        asked = request.query_params.get("seat")
        if asked is None:
            return None
        for seat in key.seats:
            if str(seat) == asked:
                return seat
        raise Refused(403, "not_your_seat")

    def handled(self, handle: Handler) -> Handler:
        """Whatever is refused is said in the same way."""

        async def handler(request: Request) -> Response:
            try:
                return await handle(request)
            except Refused as refused:
                return refusal(refused, self.language(request))
            except Silent:
                return refusal(Refused(503, "table_silent"), self.language(request))

        return handler

    def told(self, shot: Snapshot, key: Key, seat: int | None, language: str) -> bytes:
        """The state in JSON; made once for all who see the same."""
        held = tuple(self.house.keys.holder(role) is not None for role in roles(self.names()))
        answers = self.house.may_answer(key, shot)
        left = self.house.left(shot)
        who = (key.seats, key.host, seat, language, held, answers, left)
        if self._told is None or self._told[0] != shot or len(self._told[1]) > KEPT:
            self._told = (shot, {})
        known = self._told[1]
        if who not in known:
            state = self.teller.state(shot, key, seat, language)
            state |= {"table": self.house.config.name, "deadline_s": left}
            state["bench"] = self.house.bench
            state["seats"] = [
                place | {"joined": taken}
                for place, taken in zip(state.get("seats", ()), held, strict=False)
            ]
            if state["question"] is not None:
                state["question"]["yours"] = answers
            known[who] = encode(state)
        return known[who]


class Reading:
    def __init__(self, desk: Desk, rates: Rates) -> None:
        self._desk = desk
        self._house = desk.house
        self._streams: dict[str, int] = {}
        self._folding = Rate(*rates.folds)

    def routes(self) -> list[BaseRoute]:
        handled = self._desk.handled
        return [
            Route("/api/state", handled(self.state)),
            Route("/api/moves", handled(self.moves)),
            Route("/api/history", handled(self.history)),
            Route("/api/events", handled(self.events)),
            Route("/api/words", handled(self.words)),
            Route("/api/games", handled(self.games)),
        ]

    async def state(self, request: Request) -> Response:
        desk = self._desk
        key = desk.key(request)
        seat = desk.seat(request, key)
        said = desk.told(self._house.snapshot, key, seat, desk.language(request))
        return Response(said, media_type="application/json")

    async def moves(self, request: Request) -> Response:
        """Of one seat, to its key; without one, those of whoever acts, where they tell nothing."""
        desk, shot = self._desk, self._house.snapshot
        key = desk.key(request)
        seat = desk.seat(request, key)
        record = shot.record
        if record is None or record.ended:
            raise Refused(409, "no_game")
        language, decisions = desk.language(request), dict(shot.decisions)
        rules, now = record.game, record.state
        acting = [] if telling.guarded(record) else [n for n in rules.to_act(now) if n >= 0]
        asked = acting if seat is None else [seat]
        return answer(
            {
                "v": telling.VERSION,
                "game": record.id,
                "seq": record.seq,
                "seats": [
                    {
                        "seat": n,
                        "decision": decisions.get(n),
                        "moves": telling.moves(record, n, language),
                    }
                    for n in asked
                ],
            }
        )

    async def words(self, request: Request) -> Response:
        """The page's own words, in both languages."""
        return answer(RAW)

    async def games(self, request: Request) -> Response:
        """The games that can be begun, and what can be set in each."""
        language = self._desk.language(request)
        return answer(
            [
                {
                    "game": id,
                    "title": rules.title.in_(language),
                    "seats": rules.seats,
                    "options": {
                        name: {
                            "default": option.default,
                            "text": option.text.in_(language),
                            "choices": _choices(rules, name),
                        }
                        for name, option in rules.options.items()
                    },
                }
                for id, rules in ((id, load(id)) for id in GAMES)
            ]
        )

    async def history(self, request: Request) -> Response:
        """The games of before; of one of them (or of this one) all that everybody saw."""
        desk = self._desk
        language, asked = desk.language(request), request.query_params.get("game")
        key = desk.key(request)
        seat = desk.seat(request, key)
        record = self._house.snapshot.record
        if asked is not None and record is not None and asked == str(record.id):
            return answer({"game": record.id, "log": desk.teller.log(record, seat, language)})
        if asked is not None and not (asked.isascii() and asked.isdecimal() and len(asked) < 10):
            raise Refused(404, "no_such_game")
        if self._house.journal is None:
            raise Refused(404, "no_such_game")
        if not self._folding.allows("all"):
            raise Refused(429, "too_fast")
        try:
            if asked is None:
                return answer(await asyncio.to_thread(self._past, language))
            return answer(await asyncio.to_thread(self._one, int(asked), language))
        except JournalError as error:
            raise Refused(404, "no_such_game", error.text) from None

    def _past(self, language: str) -> dict[str, Any]:
        assert self._house.journal is not None
        journal = Journal.read(self._house.journal)
        try:
            lines = journal.games()
        finally:
            journal.close()
        return {
            "games": [
                {
                    "game": line.id,
                    "rules": line.game,
                    "title": load(line.game).title.in_(language),
                    "seats": line.seats,
                    "started": line.started,
                    "moves": line.moves,
                    "open": line.open,
                    "over": line.outcome and line.outcome.text.in_(language),
                    "winners": line.outcome and line.outcome.winners,
                }
                for line in reversed(lines[-100:])
            ]
        }

    def _one(self, id: int, language: str) -> dict[str, Any]:
        assert self._house.journal is not None
        journal = Journal.read(self._house.journal)
        try:
            record = journal.load(id)
        finally:
            journal.close()
        return {"game": id, "log": telling.Teller().log(record, None, language)}

    async def events(self, request: Request) -> Response:
        """The state whenever it has changed for this key; its id is a digest of what was said."""
        desk = self._desk
        key = desk.key(request)
        seat = desk.seat(request, key)
        language = desk.language(request)
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        address = request.client.host if request.client else ""
        if self._streams.get(address, 0) >= STREAMS:
            raise Refused(429, "too_many_streams")
        said = request.headers.get("last-event-id", "")

        async def stream() -> AsyncIterator[bytes]:
            self._streams[address] = self._streams.get(address, 0) + 1
            try:
                yield b"retry: %d\n\n" % RETRY
                async for event in self._news(request, seat, language, said):
                    yield event
            finally:
                self._streams[address] -= 1
                if not self._streams[address]:
                    del self._streams[address]

        return StreamingResponse(
            stream(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )

    async def _news(
        self, request: Request, seat: int | None, language: str, said: str
    ) -> AsyncIterator[bytes]:
        desk = self._desk
        async for shot in self._house.shots():
            if shot is None:
                yield b": still here\n\n"
                continue
            key = desk.key(request)
            if seat is not None and seat not in key.seats:
                yield b"event: gone\ndata: {}\n\n"  # another phone has this seat now
                return
            told = desk.told(shot, key, seat, language)
            id = telling.digest(told)
            if id == said:
                continue
            said = id
            yield b"id: %s\nevent: state\ndata: %s\n\n" % (id.encode(), told)


def _choices(rules: Game[Any], option: str) -> list[str]:
    """The words that an option takes, where it takes words."""
    known = get_type_hints(get_type_hints(rules.state_type)["options"])[option]
    words = [each for each in (known, *get_args(known)) if get_origin(each) is Literal]
    return [word for each in words for word in get_args(each) if isinstance(word, str)]

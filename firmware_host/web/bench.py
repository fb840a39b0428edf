"""The bench: the whole simulated table by mouse or touch, only where the chips are simulated."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from firmware_host.config import PROFILES
from firmware_host.config_parts import Language
from firmware_host.inbox import Begin, Do, Invite, Pick, Set, Stop
from firmware_host.plug import Plug
from firmware_host.texts import TEXTS
from firmware_host.web.api import Desk, Handler
from firmware_host.web.bench_state import BenchState
from firmware_host.web.house import ANSWER, BREATH, Silent
from firmware_host.web.pages import page
from firmware_host.web.refusal import Refused, answer, body
from firmware_host.workbench import OFTEN, CannotDo, Workbench
from firmware_host.workbench.deeds import Deed
from game_logic import GAMES, load
from game_logic.core import Text

LONGEST = 40  # letters of a name


class _Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    pass


class Answer(_Wish, frozen=True):
    """An option of the question that the table asks."""

    at: int


class Speak(_Wish, frozen=True):
    """The table's language from now on."""

    language: Language


class Phone(_Wish, frozen=True):
    """The screen shows how a phone joins as this seat; None: as the host."""

    seat: int | None = None


class Unplug(_Wish, frozen=True):
    """The power is cut, and comes back."""


class Play(_Wish, frozen=True):
    """A new game, on this table or on another one of the ready-made."""

    game: str
    seats: tuple[str, ...]
    table: str | None = None


Wish = Answer | Speak | Phone | Unplug | Play
Asked: Any = Deed | Wish


class Bench:
    """For the browsers of this machine, unless table.toml opens it to the network: who sits at the
    bench has all hands, and sees every code that the screens show."""

    def __init__(self, desk: Desk, bench: Workbench, plug: Plug, address: str) -> None:
        self._desk = desk
        self._house = desk.house
        self._bench = bench
        self._plug = plug
        self._address = address
        self._state = BenchState(bench, plug.table)
        self._watchers = 0

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/bench", self._here(self._page)),
            Route("/api/bench", self._here(self._do), methods=["POST"]),
            Route("/api/bench/events", self._here(self._events)),
        ]

    def _here(self, handle: Handler) -> Handler:
        part = self._house.config.page
        anywhere = part is not None and part.bench

        async def handler(request: Request) -> Response:
            if not (anywhere or (request.client and _is_here(request.client.host))):
                raise Refused(403, "bench_here")
            return await handle(request)

        return self._desk.handled(handler)

    async def _page(self, request: Request) -> Response:
        return page("bench.html")

    # -- what the page sees ---------------------------------------------------------------------

    async def _events(self, request: Request) -> Response:
        return StreamingResponse(
            self._stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    async def _stream(self) -> AsyncIterator[str]:
        """All of it, then whatever is news; a comment now and then shows that it lives."""
        house, bench = self._house, self._bench
        sent: dict[str, Any] = {}
        seen: Any = None
        silent = 0.0
        self._watch(+1)
        try:
            while not house.closing:
                now = (house.snapshot, bench.frame)
                if now != seen:
                    seen = now
                    state = self._state.of(*now)
                    news = {key: part for key, part in state.items() if sent.get(key, ...) != part}
                    sent = state
                    if news:
                        silent = 0.0
                        yield f"data: {msgspec.json.encode(news).decode()}\n\n"
                elif silent >= BREATH:
                    silent = 0.0
                    yield ": still here\n\n"
                await asyncio.sleep(OFTEN / 2)
                silent += OFTEN / 2
        finally:
            self._watch(-1)

    def _watch(self, more: int) -> None:
        self._watchers += more
        watched = self._watchers > 0
        self._house.table.inbox.put(Do(lambda: self._bench.watch(watched)))

    # -- what it does ---------------------------------------------------------------------------

    async def _do(self, request: Request) -> Response:
        asked = await body(request, Asked)
        why = await (self._wish(asked) if isinstance(asked, Wish) else self._deed(asked))
        if why is not None:
            raise Refused(409, "refused", why)
        return answer({"ok": True})

    async def _deed(self, deed: Deed) -> Text | None:
        table, bench = self._house.table, self._bench

        def act() -> Text | None:
            try:
                bench.do(deed, table.snapshot.record)
            except CannotDo as refusal:
                return refusal.text
            return None

        return await self._on_the_loop(act)

    async def _wish(self, wish: Wish) -> Text | None:
        match wish:
            case Answer(at):
                return await self._house.ask(Pick(at))
            case Speak(language):
                return await self._house.ask(Set(language=language))
            case Phone(seat):
                return await self._house.ask(Invite(seat))
            case Unplug():
                self._house.table.inbox.put(Do(self._pull))
                return None
            case Play():
                return await self._play(wish)

    async def _play(self, wish: Play) -> Text | None:
        other = wish.table is not None and wish.table != self._plug.table
        if other and wish.table not in PROFILES:
            return TEXTS("bench_no_table", table=wish.table, tables=", ".join(PROFILES))
        if wish.game not in GAMES:
            return TEXTS("bench_no_game", game=wish.game, games=", ".join(GAMES))
        seats = tuple(name.strip()[:LONGEST] for name in wish.seats if name.strip())
        low, high = load(wish.game).seats
        if not low <= len(seats) <= high:
            return TEXTS("bench_seats", low=low, high=high)
        why = await self._house.ask(Begin(wish.game, seats, abandon=True))
        if why is None and other:
            assert wish.table is not None
            changed = {**self._again(), "--table": wish.table, "--game": wish.game}
            self._house.table.inbox.put(Do(lambda: self._change(changed)))
        return why

    def _change(self, changed: dict[str, str]) -> None:
        """Another table stands here, as soon as this one has been put away in order."""
        self._plug.another = changed
        self._house.table.inbox.put(Stop())

    def _pull(self) -> None:
        self._plug.pull(self._bench.remember(), self._again())

    def _again(self) -> dict[str, str]:
        """The new process is to be found where this one was."""
        return {"--page": self._address, "--language": self._house.snapshot.language}

    async def _on_the_loop(self, act: Callable[[], Text | None]) -> Text | None:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Text | None] = loop.create_future()

        def settle(why: Text | None) -> None:
            if not answer.done():
                answer.set_result(why)

        def do() -> None:
            why = act()
            with suppress(RuntimeError):  # the page is gone
                loop.call_soon_threadsafe(settle, why)

        self._house.table.inbox.put(Do(do))
        try:
            async with asyncio.timeout(ANSWER):
                return await answer
        except TimeoutError:
            raise Silent from None


def _is_here(address: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return False

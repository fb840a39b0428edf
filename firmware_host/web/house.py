"""What every route shares: the table as it is, a way to ask it for something, and news of it.

The page lives on a thread of its own. It reads `snapshot`, which is immutable, and puts messages
in the inbox like everybody else; nothing here touches the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from math import ceil
from pathlib import Path

from firmware_host.config import Config
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
    Propose,
    Set,
    TakeBack,
    TakeOver,
)
from firmware_host.journal import Record
from firmware_host.proposal import PATIENCE
from firmware_host.snapshot import Snapshot
from firmware_host.table import Table
from firmware_host.texts import TEXTS
from firmware_host.web.keys import Key, Keys
from firmware_host.web.telling import owners
from game_logic.core import Text

LOOK = 0.1  # s between two looks at what no event tells of: notices, health, a flash that goes
BREATH = 15.0  # s after which a silent stream says that it is alive
ANSWER = 10.0  # s that the table is given; a slow disk may need some of them

Answered = (
    Intend | Pick | TakeBack | Begin | Pause | Close | Correct | TakeOver | Set | Invite | Ask
)
Agreed = TakeBack | Begin | Close | Correct | TakeOver | Ask


class Silent(Exception):
    """The table has not answered in time; what was asked for may still happen."""


class House:
    def __init__(self, config: Config, keys: Keys, journal: Path | None = None) -> None:
        """`journal`: where the games of before are read."""
        self.config = config
        self.keys = keys
        self.journal = journal
        self.port = 0
        self.bench = False  # is there one?
        self._claim: tuple[Text, Key, str | None] | None = None  # what we have asked the table
        self._table: Table | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._names: tuple[Record | None, tuple[str, ...]] = (None, ())
        self._news = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self.closing = False

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays; nobody, where there has been no game."""
        record, (known, names) = self.snapshot.record, self._names
        if record is None or record is known:
            return names if record else ()
        names = tuple(record.game.view(record.state, None)["seats"])
        self._names = (record, names)
        return names

    # -- any thread -----------------------------------------------------------------------------

    def open(self, table: Table) -> None:
        self._table = table

    def wake(self) -> None:
        """Something has happened: streams look at once. Never waits."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it has just been closed
                loop.call_soon_threadsafe(self.stir)

    def close(self) -> None:
        """Let every stream end."""
        self.closing = True
        self.wake()

    # -- the page's thread ----------------------------------------------------------------------

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watch = self._loop.create_task(self._watching())

    def stir(self) -> None:
        """There may be news, of the table or of its keys: streams look."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _watching(self) -> None:
        """One looks for all, so that a stream costs nothing while nothing happens."""
        before: Snapshot | None = None
        while not self.closing:
            await asyncio.sleep(LOOK)
            if self.snapshot != before:
                before = self.snapshot
                self.stir()

    async def shots(self) -> AsyncIterator[Snapshot | None]:
        """The table now, and again whenever there may be news of it; None now and then, while there
        are none."""
        while not self.closing:
            news = self._news
            yield self.snapshot
            while not (news.is_set() or self.closing):
                try:
                    async with asyncio.timeout(BREATH):
                        await news.wait()
                except TimeoutError:
                    yield None

    def tell(self, message: Press | Joined) -> None:
        """What has no answer."""
        self.table.inbox.put(message)

    async def ask(self, message: Answered) -> Text | None:
        """Put it in the inbox and await what becomes of it: None, or why not. Raises Silent."""
        return await self._put(message, None, ANSWER)

    async def propose(
        self, text: Text, wish: Agreed, key: Key, about: str | None = None
    ) -> Text | None:
        """The same for what somebody at the table must agree to, who is given time. `key`: who
        asks; `about`: whose key it is that they want."""
        if self._claim is not None:
            return TEXTS("proposal_waits")
        self._claim = (text, key, about)
        try:
            return await self._put(wish, text, PATIENCE + ANSWER)
        finally:
            self._claim = None

    def may_answer(self, key: Key, shot: Snapshot) -> bool:
        """Whoever sits at the table may: but not agree to what they asked for themselves, to losing
        a key only its holder, what a hand may do is its owner's to say, and the table's own menu
        is the host's. The rest is for the table's buttons; where it has none, the asker may, and
        for a key the host."""
        question = shot.question
        if not key or question is None:
            return False
        if question.kind == "table":
            return key.host
        if self._claim is None or question.kind != "proposal" or question.text != self._claim[0]:
            return owners(shot) <= set(key.seats)
        _, asker, about = self._claim
        buttons = self.config.panel.confirm is not None
        if about is not None:
            return self.keys.holder(about) == key.hash or (not buttons and key.host)
        return not buttons or key.hash != asker.hash

    def left(self, shot: Snapshot) -> int | None:
        """Whole seconds until the game's timer runs out."""
        return None if shot.deadline is None else max(0, ceil(shot.deadline - self.table.now))

    async def _put(self, message: Answered, text: Text | None, patience: float) -> Text | None:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Text | None] = loop.create_future()

        def settle(why: Text | None) -> None:
            if not answer.done():
                answer.set_result(why)

        def reply(why: Text | None) -> None:  # on the loop's thread
            with suppress(RuntimeError):  # the page is gone
                loop.call_soon_threadsafe(settle, why)

        wish = replace(message, reply=reply)
        if text is None:
            self.table.inbox.put(wish)
        else:
            assert isinstance(wish, Agreed)
            self.table.inbox.put(Propose(text, wish))
        try:
            async with asyncio.timeout(patience):
                return await answer
        except TimeoutError:
            raise Silent from None

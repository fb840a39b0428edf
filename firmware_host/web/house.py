"""What every route shares: the table as it is, a way to ask it for something, and news of it.

The page lives on a thread of its own. It reads `snapshot`, which is immutable, and puts messages
in the inbox like everybody else; nothing here touches the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

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
from firmware_host.proposal import PATIENCE
from firmware_host.snapshot import Snapshot
from firmware_host.table import Table
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
    def __init__(self) -> None:
        self._table: Table | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self.closing = False

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot

    # -- any thread -----------------------------------------------------------------------------

    def open(self, table: Table) -> None:
        self._table = table

    def wake(self) -> None:
        """Something has happened: streams look at once. Never waits."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it has just been closed
                loop.call_soon_threadsafe(self._stir)

    def close(self) -> None:
        """Let every stream end."""
        self.closing = True
        self.wake()

    # -- the page's thread ----------------------------------------------------------------------

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()

    def _stir(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def shots(self) -> AsyncIterator[Snapshot | None]:
        """The table now, and again whenever it has changed; None now and then, while it has not."""
        before: Snapshot | None = None
        silent = 0.0
        while not self.closing:
            shot = self.snapshot
            if before is None or shot != before:
                before, silent = shot, 0.0
                yield shot
            elif silent >= BREATH:
                silent = 0.0
                yield None
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK):
                    await self._news.wait()
            silent += LOOK

    def tell(self, message: Press | Joined) -> None:
        """What has no answer."""
        self.table.inbox.put(message)

    async def ask(self, message: Answered) -> Text | None:
        """Put it in the inbox and await what becomes of it: None, or why not. Raises Silent."""
        return await self._put(message, None, ANSWER)

    async def propose(
        self, text: Text, wish: TakeBack | Begin | Close | Correct | Ask
    ) -> Text | None:
        """The same for what somebody at the table must agree to, who is given time."""
        return await self._put(wish, text, PATIENCE + ANSWER)

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

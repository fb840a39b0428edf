"""Connections that say nothing are let go: a few phones' worth of sockets is all there is."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # s for a whole request


class Patience(H11Protocol):
    """A request, from its first byte on, has to come within a time; answers may take as long as
    they like."""

    _answered: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._look)

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.cycle is self._answered:
            self.transport.close()
            return
        self._answered = self.cycle
        self.loop.call_later(PATIENCE, self._look)

"""The page: a web server beside the loop, on a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from firmware_host.config import Config, ConfigError
from firmware_host.plug import Plug
from firmware_host.snapshot import Event
from firmware_host.table import Table
from firmware_host.web import pages
from firmware_host.web.house import House

if TYPE_CHECKING:
    from firmware_host.workbench import Workbench

log = logging.getLogger("cavale.page")

FAREWELL = 3.0  # s at most for streams to end
MOST = 128  # connections at once


class PageError(ConfigError):
    """An address that cannot be served at: the message says why and what to do."""


class Page:
    """`heard` for the table's events, `open` once it is there, `close` at last."""

    def __init__(
        self,
        config: Config,
        address: tuple[str, int],
        bench: Workbench | None = None,
        plug: Plug | None = None,
    ) -> None:
        """Port 0: any that is free. `bench` and `plug`: of a simulated table."""
        self._config = config
        self._bench = bench
        self._plug = plug or Plug(())
        self._socket = _bound(*address)
        self.host: str
        self.port: int
        self.host, self.port = self._socket.getsockname()[:2]
        self.house = House()
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._app(),
                http="h11",
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                limit_concurrency=MOST,
                timeout_keep_alive=5,
                timeout_graceful_shutdown=int(FAREWELL),
            )
        )
        self._thread = Thread(target=self._work, name="page", daemon=True)

    @property
    def url(self) -> str:
        """Where a browser on this machine, or for any address in the network, finds it."""
        return f"http://{bracketed(self.reached)}:{self.port}/"

    @property
    def reached(self) -> str:
        """The address by which others reach us: ours in the network, where we listen on all."""
        if not ipaddress.ip_address(self.host).is_unspecified:
            return self.host
        return _own_address() or "127.0.0.1"

    # -- the loop's side ------------------------------------------------------------------------

    def heard(self, event: Event) -> None:
        """On the loop's thread: never waits."""
        self.house.wake()

    def open(self, table: Table) -> None:
        self.house.open(table)
        self._thread.start()

    def close(self) -> None:
        self.house.close()
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(FAREWELL + 2.0)
        self._socket.close()

    # -- the page's thread ----------------------------------------------------------------------

    def _work(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception:
            log.exception("the page has stopped; the game goes on")

    async def _serve(self) -> None:
        self.house.begin()
        await self._server.serve(sockets=[self._socket])

    def _app(self) -> Starlette:
        routes: list[BaseRoute] = [*pages.routes(self.house)]
        if self._bench is not None:
            from firmware_host.web.bench import Bench

            address = f"{bracketed(self.host)}:{self.port}"
            routes += Bench(self.house, self._bench, self._plug, address).routes()
        return Starlette(routes=routes)


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        raise PageError(
            f"page: cannot be served at {bracketed(host)}:{port} ({error}); is another table "
            "running there? Give another address with --page HOST:PORT"
        ) from None


def _own_address() -> str | None:
    """Which of our addresses faces the network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address

"""The page: a web server beside the loop, on a thread of its own."""

from __future__ import annotations

import asyncio
import fcntl
import ipaddress
import logging
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from firmware_host.config import Config, ConfigError
from firmware_host.plug import Plug
from firmware_host.snapshot import Event, Invitation
from firmware_host.table import Table
from firmware_host.web import pages
from firmware_host.web.api import Desk, Reading
from firmware_host.web.asking import Asking
from firmware_host.web.guard import Guard, Rates
from firmware_host.web.house import House
from firmware_host.web.keys import HOST, Keys, roles
from firmware_host.web.patience import Patience
from firmware_host.web.refusal import Refused, refusal

if TYPE_CHECKING:
    from firmware_host.workbench import Workbench

log = logging.getLogger("cavale.page")

SIOCGIFADDR = 0x8915
FAREWELL = 3.0  # s at most for streams to end
MOST = 128  # connections at once
LONGEST = 16_384  # bytes of a request's head


class PageError(ConfigError):
    """An address that cannot be served at: the message says why and what to do."""


class Page:
    """`heard` for the table's events, `open` once it is there, `close` at last."""

    def __init__(
        self,
        config: Config,
        address: tuple[str, int],
        bench: Workbench | None = None,
        journal: Path | None = None,
        rates: Rates = Rates(),  # noqa: B008, it is a value
        plug: Plug | None = None,
    ) -> None:
        """Port 0: any that is free. Keys are kept beside the journal. `bench` and `plug`: of a
        simulated table."""
        self._config = config
        self._bench = bench
        self._plug = plug or Plug(())
        self._rates = rates
        self._socket = _bound(*address)
        self.host: str
        self.port: int
        self.host, self.port = self._socket.getsockname()[:2]
        keys = Keys(journal and journal.with_name(journal.name + ".keys"))
        self.house = House(config, keys, journal)
        self.house.port = self.port
        self.house.bench = bench is not None
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._app(),
                http=Patience,
                ws="none",
                lifespan="off",
                loop="asyncio",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                limit_concurrency=MOST,
                h11_max_incomplete_event_size=LONGEST,
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

    def door(self, seat: int | None) -> Invitation | None:
        """On the loop's thread: how a phone joins as this seat, or as the host."""
        names = self.house.names
        if seat is not None and seat >= len(names):
            return None
        code = self.house.keys.invite(HOST if seat is None else roles(names)[seat])
        url = f"HTTP://{bracketed(self.reached)}:{self.port}/S/{code}".upper()
        if not self._config.screen:  # nowhere to show it but here
            log.info("%s", url)
        return Invitation(seat, code, url)

    def host_url(self) -> str:
        """Where whoever reads the daemon's log becomes the host, once."""
        return f"{self.url}s/{self.house.keys.invite(HOST)}"

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
        desk = Desk(self.house)
        routes: list[BaseRoute] = [
            *pages.routes(),
            *Reading(desk, self._rates).routes(),
            *Asking(desk, self._rates).routes(),
        ]
        if self._bench is not None:
            from firmware_host.web.bench import Bench

            address = f"{bracketed(self.host)}:{self.port}"
            routes += Bench(desk, self._bench, self._plug, address).routes()
        names = self._config.page.names if self._config.page else ()
        guard = Middleware(Guard, names, lambda: self.house.snapshot.language, self._rates)
        return Starlette(
            routes=routes,
            middleware=[guard],
            exception_handlers={404: self._nothing("not_found"), 405: self._nothing("bad_method")},
        )

    def _nothing(self, code: str) -> Callable[[Request, Exception], Response]:
        def handle(request: Request, error: Exception) -> Response:
            status = error.status_code if isinstance(error, HTTPException) else 404
            return refusal(Refused(status, code), self.house.snapshot.language)

        return handle


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _bound(host: str, port: int) -> socket.socket:
    """Its protocol is named: asyncio sends at once, without waiting for more, only where it is."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen()
        except BaseException:
            listening.close()
            raise
        return listening
    except (OSError, OverflowError, UnicodeError) as error:
        raise PageError(
            f"page: cannot be served at {bracketed(host)}:{port} ({error}); is another table "
            "running there? Give another address with --page HOST:PORT"
        ) from None


def _own_address() -> str | None:
    """Which of our addresses faces the network. Nothing is sent. Where no way leads out of it, as
    on a hotspot of our own, it is that of any interface which has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
            return address
        except OSError:
            found = (_address_of(probe, name) for _, name in socket.if_nameindex() if name != "lo")
            return next(filter(None, found), None)


def _address_of(probe: socket.socket, interface: str) -> str | None:
    try:
        asked = struct.pack("256s", interface.encode()[:15])
        return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, asked)[20:24])
    except OSError:
        return None

"""What stands before every route: who may call us by which name, from where, and how often.

A page of another site must not speak for a phone (Origin, Sec-Fetch-Site), nor reach us under a
name of its own (Host); one phone must not keep the others from the table (rates).
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.web.refusal import Refused, refusal

POLICY = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LONGEST = 2048  # bytes of an address that is asked for
ADDRESSES = 512  # that are remembered


class Rates(NamedTuple):
    """So many at once, and so many a second in the long run."""

    reads: tuple[float, float] = (120.0, 40.0)  # of one address
    writes: tuple[float, float] = (30.0, 6.0)
    hands: tuple[float, float] = (120.0, 40.0)  # at the bench, where they slide pieces about
    joins: tuple[float, float] = (5.0, 0.1)  # codes that are tried
    all_joins: tuple[float, float] = (30.0, 1.0)  # by whomever
    invites: tuple[float, float] = (6.0, 0.5)
    folds: tuple[float, float] = (6.0, 1.0)  # finished games that are read again


class Rate:
    """A bucket of tokens for each of those who ask."""

    def __init__(
        self, burst: float, rate: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst = burst
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        now = self._now()
        left, at = self._left.pop(who, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        self._left[who] = (left - 1.0 if left >= 1.0 else left, now)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1.0


class Guard:
    def __init__(
        self, app: ASGIApp, names: Iterable[str], language: Callable[[], str], rates: Rates
    ) -> None:
        own = socket.gethostname().lower()
        self._app = app
        self._names = {name.lower() for name in names}
        self._own = {"localhost", own, own.partition(".")[0] + ".local"}
        self._language = language
        self._reads, self._writes = Rate(*rates.reads), Rate(*rates.writes)
        self._hands = Rate(*rates.hands)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # we speak nothing else
        path: str = scope["path"]

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in POLICY.items():
                    headers[name] = value
                if path.startswith("/api/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        try:
            self._check(scope, path)
        except Refused as refused:
            await refusal(refused, self._language())(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def _check(self, scope: Scope, path: str) -> None:
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("",))[0]
        reading = scope["method"] in ("GET", "HEAD")
        rate = self._reads if reading else self._hands if path == "/api/bench" else self._writes
        if not rate.allows(address):
            raise Refused(429, "too_fast")
        if len(path) + len(scope["query_string"]) > LONGEST:
            raise Refused(414, "too_large", most=LONGEST)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_us(hosts[0].lower(), scope):
            raise Refused(421, "unknown_host")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != hosts[0].lower():
            raise Refused(403, "other_origin")
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") and (not reading or path.startswith("/api/")):
            raise Refused(403, "other_origin")

    def _is_us(self, host: str, scope: Scope) -> bool:
        """An address is no name that somebody else could point at us, if it is the one that was
        called; names are those in the configuration, and the machine's own."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if parts.netloc != host or parts.username is not None:
            return False
        if host in self._names or name in self._names:
            return True
        server = scope.get("server") or ("", 0)
        if port != server[1]:
            return False
        if name in self._own:
            return True
        try:
            return ipaddress.ip_address(name) == ipaddress.ip_address(server[0])
        except ValueError:
            return False

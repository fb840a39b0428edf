"""How fast, beside whom: each bench yields cases, a line of `cavale bench --json` each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

import msgspec


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """Our figure, a peer's where there is one to run beside, and ours divided by it."""

    bench: str
    case: str
    ours: float
    peer: float | None = None
    unit: str
    ratio: float | None = None


def _bench(name: str) -> Callable[[], Iterable[Case]]:
    """The bench's cases; what it needs is imported only when it runs."""
    return lambda: import_module(f"firmware_host.bench.{name}").cases()


# The names that `cavale bench` takes: each is a module here with a `cases()`.
BENCHES = {name: _bench(name) for name in ("rules", "screen", "bus", "daemon", "mqtt", "page")}

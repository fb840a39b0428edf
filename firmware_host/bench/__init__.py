"""How fast, beside whom: each bench yields cases, a line of `cavale bench --json` each."""

from __future__ import annotations

import msgspec


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """Our figure, a peer's where there is one to run beside, and ours divided by it."""

    bench: str
    case: str
    ours: float
    peer: float | None = None
    unit: str
    ratio: float | None = None

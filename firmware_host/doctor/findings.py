"""What a check found: a state, a code for programs, and sentences with the remedy for people."""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple

import msgspec

from drivers.health import Health
from firmware_host.health import DeviceHealth
from game_logic.core import Text
from game_logic.data import Texts


class State(StrEnum):
    OK = "ok"
    ODD = "odd"  # works, but should be mended
    SICK = "sick"  # the table needs it, and it does not do its work
    UNKNOWN = "unknown"


class _Sentence(msgspec.Struct, forbid_unknown_fields=True):
    fr: str
    en: str


class _Kind(msgspec.Struct, forbid_unknown_fields=True):
    state: State
    found: _Sentence
    remedy: _Sentence | None = None


_KINDS = msgspec.toml.decode(
    (files("firmware_host") / "data" / "doctor.toml").read_bytes(), type=dict[str, _Kind]
)
_FOUND = Texts({code: Text(kind.found.fr, kind.found.en) for code, kind in _KINDS.items()})
_REMEDIES = Texts(
    {code: Text(k.remedy.fr, k.remedy.en) for code, k in _KINDS.items() if k.remedy is not None}
)


class Finding(NamedTuple):
    what: str  # the name that faults and healths have for it
    where: str
    state: State
    code: str
    found: Text
    remedy: Text | None
    health: DeviceHealth | None  # what was counted while it was examined
    detail: str  # in the words of the driver or the system, if it had any


def finding(code: str, what: str, where: str = "", **fields: object) -> Finding:
    """A finding by its code; `fields` are what its sentences tell, the `detail`, and the driver's
    `health`."""
    health = fields.pop("health", None)
    detail = str(fields.get("detail", ""))
    remedy = _REMEDIES(code, **fields) if code in _REMEDIES else None
    found = _FOUND(code, **fields)
    counted = DeviceHealth.of(health) if isinstance(health, Health) else None
    return Finding(what, where, _KINDS[code].state, code, found, remedy, counted, detail)

"""The dice tower: does it say hello, does it know the dice, does its line carry what it says?"""

from __future__ import annotations

import errno
from collections.abc import Callable

from drivers.clock import Clock
from drivers.tower import REMEDIES, Tower
from firmware_host.config_parts import TowerPart
from firmware_host.doctor.findings import Finding, finding
from firmware_host.parts import Sources

HELLO = 3.0  # s for a board that restarts when its port is opened
LISTENING = 2.5  # s that it is heard for at least: two heartbeats
OPENING = {errno.EACCES: "tower_not_ours", errno.EBUSY: "tower_busy"}


def ping(part: TowerPart, sources: Sources, clock: Clock, idle: Callable[[float], None]) -> Finding:
    """Rolls that it has not delivered stay with it: none is acknowledged here."""
    tower = sources.tower(part.port, None)
    began = clock.now()
    try:
        while (now := clock.now()) < began + HELLO:
            tower.step(now)
            if tower.hello is not None and now >= began + LISTENING:
                break
            due = min(tower.next_due, began + HELLO)
            idle(max(0.001, due - clock.now()))
    finally:
        tower.close()
    return _told(part, tower)


def _told(part: TowerPart, tower: Tower) -> Finding:
    counts, hello, detail = tower.counts, tower.hello, tower.health.last_error
    fields: dict[str, object] = {"broken": counts.frames_spoilt, "detail": detail}
    dice = ", ".join(f"{name} ({faces})" for name, faces in hello.dice) if hello else ""
    missing = set(part.dice) - {name for name, _ in hello.dice} if hello else set()
    if tower.health.errors > counts.frames_spoilt:  # of the port itself
        known = [code for number, code in OPENING.items() if REMEDIES[number] in detail]
        code = known[0] if known else "tower_no_port"
    elif hello is None and counts.malformed and counts.malformed == counts.frames_spoilt:
        code = "tower_version"
    elif counts.frames_spoilt:
        code = "tower_noisy"
    elif hello is None:
        code = "tower_silent"
    elif missing:
        code, fields = "tower_dice", {"missing": ", ".join(sorted(missing)), "dice": dice}
    else:
        code, fields = "tower", {"firmware": hello.firmware, "dice": dice}
    return finding(code, "tower", part.port, health=tower.health, **fields)

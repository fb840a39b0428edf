"""The tracker asked in one go, where no loop waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware_host.follower import Follower
from firmware_host.notices import Decision
from firmware_host.sighting import Sightings
from firmware_host.tracker import Past, Verdict, explain
from game_logic.core import Game


def verdict(
    game: Game[Any], state: Any, sightings: Sightings, past: Sequence[Past] = ()
) -> Verdict:
    search = explain(game, state, sightings, past)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Verdict = end.value
            return found


def judge(follower: Follower, sightings: Sightings, now: float) -> Decision | None:
    """The same of a follower, which may search for several steps."""
    decision = follower.look(sightings, now)
    while follower.busy:
        decision = follower.look(sightings, now)
    return decision

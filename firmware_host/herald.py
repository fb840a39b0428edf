"""Tells the rest of the house what has happened, once the screens show it."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.clerk import Draft
from firmware_host.journal import Record
from firmware_host.snapshot import Event, Snapshot
from game_logic.core import Act, Text


class Herald:
    def __init__(self, listen: Callable[[Event], None], now: Callable[[], float]) -> None:
        self._listen = listen
        self._now = now
        self._accepted: list[Draft] = []
        self._said: list[tuple[str, Text | None, float | None]] = []  # and when pieces came to rest

    def accepted(self, draft: Draft) -> None:
        """To be told when it is seen: its latency is up to there."""
        self._accepted.append(draft)

    def compare(self, before: Snapshot, shot: Snapshot, rest: float | None) -> None:
        """What the table has begun to say. `rest`: when the last piece came to rest."""
        if shot.notice is not None and shot.notice != before.notice:
            provisional = shot.notice.kind == "provisional"
            self._said.append(("notice", shot.notice.said, rest if provisional else None))
        if shot.question is not None and before.question is None:
            self._said.append(("question", shot.question.text, None))
        if (shot.language, shot.mute, shot.luck) != (before.language, before.mute, before.luck):
            self._said.append(("set", None, None))

    def shown(self, record: Record | None) -> None:
        """The screens show all of it now."""
        if not self._accepted and not self._said:
            return
        accepted, self._accepted = self._accepted, []
        said, self._said = self._said, []
        at = self._now()
        for done in accepted:
            self.tell(done.kind, done.ticket.record, done.acts, _since(done.rest, at))
        for kind, text, rest in said:
            self.tell(kind, record, latency=_since(rest, at), text=text)

    def tell(
        self,
        kind: str,
        record: Record | None,
        acts: tuple[Act, ...] = (),
        latency: float | None = None,
        text: Text | None = None,
    ) -> None:
        self._listen(Event(kind, self._now(), record, acts, latency, text))


def _since(rest: float | None, at: float) -> float | None:
    return None if rest is None else at - rest

"""Many readers at once: each is given its command, and none is waited for.

Readers whose fields disturb each other are never on together; among those that may go, the one
that has waited longest goes first, and the waiting of a *hot* space counts several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from drivers.clock import Clock
from drivers.health import Health
from drivers.pn532 import Pn532, Steps

HOT = 6.0  # how much faster the waiting of a hot space grows
DOUBT = 2  # looks before the one that is believed, beside a field that may be on out of turn


class Seen(NamedTuple):
    """A tag has come."""

    reader: str
    uid: str  # in hexadecimal
    at: float


class Gone(NamedTuple):
    """A tag has gone, for long enough to be believed."""

    reader: str
    uid: str
    at: float


class _Stay:
    """A tag on a reader."""

    def __init__(self, at: float) -> None:
        self.last = at
        self.misses = 0
        self.doubted = False  # its reader has been silent since, and it may have been carried away


class _Post:
    """A reader, and what goes on there."""

    def __init__(self, reader: Pn532) -> None:
        self.reader = reader
        self.neighbours: set[_Post] = set()
        self.task: Steps[frozenset[bytes] | None] | None = None
        self.looking = False  # the task is a look: its field may be on
        self.due = float("-inf")
        self.looked = float("-inf")
        self.rested = float("-inf")  # when it is worth the next look
        self.hot = False
        self.noisy = False  # its last look failed: its field may still be on
        self.beside: list[_Post] = []  # the noisy neighbours when this look began
        self.trusted = False  # as far as it has been told
        self.silent = 0  # looks until it is known again what lies here, after a silence
        self.stays: dict[bytes, _Stay] = {}
        self.rows: dict[bytes, int] = {}  # tags found by the last looks in a row: how many

    def waited(self, now: float) -> float:
        return (now - self.looked) * (HOT if self.hot else 1.0)

    def rest(self, pause: float, hot_pause: float) -> None:
        self.rested = self.looked + (hot_pause if self.hot else pause)


class Readers:
    """All the readers of one bus.

    `conflicts` are pairs of names whose fields disturb each other. A tag arrives on one reading;
    it leaves after `misses` looks without it, and not before `linger` seconds. A step uses the
    bus for about `budget` seconds, and leaves the rest to the screens. A space rests for
    `pause` seconds between two looks, a hot one for `hot_pause`: looking without end keeps a
    small Pi busy.
    """

    def __init__(
        self,
        readers: Sequence[Pn532],
        clock: Clock,
        *,
        conflicts: Iterable[tuple[str, str]] = (),
        misses: int = 4,
        linger: float = 0.4,
        budget: float = 0.008,
        pause: float = 0.0,
        hot_pause: float = 0.0,
    ) -> None:
        self._posts = {reader.name: _Post(reader) for reader in readers}
        if len(self._posts) != len(readers):
            raise ValueError("two readers have the same name")
        for one, other in conflicts:
            self._post(one).neighbours.add(self._post(other))
            self._post(other).neighbours.add(self._post(one))
        self.misses = misses
        self.linger = linger
        self.budget = budget
        self.pause = pause
        self.hot_pause = hot_pause
        self.changes = 0
        """Counts what may make `present` or `places` other than they were."""
        self._row = tuple(self._posts.values())
        self._lying: Counter[bytes] = Counter()  # on how many readers each tag is
        self._clock = clock
        self._more = True  # did the last step leave something that could be begun at once?
        self._soonest = float("-inf")  # see _fresh
        self._idle_until = float("-inf")  # nobody can be begun with before, unless a task ends

    @property
    def healths(self) -> tuple[Health, ...]:
        return tuple(post.reader.health for post in self._posts.values())

    def present(self, reader: str) -> frozenset[str] | None:
        """The tags on this reader; None while that is not known."""
        post = self._post(reader)
        return frozenset(uid.hex() for uid in post.stays) if _known(post) else None

    def places(self) -> dict[str, str]:
        """Each tag and the reader that has read it last: a tag carried from one to another is
        where it came to lie, though the first has not yet missed it for long enough."""
        found: dict[bytes, tuple[float, str]] = {}
        for name, post in self._posts.items():
            if post.reader.trusted:
                for uid, stay in post.stays.items():
                    if not stay.doubted:
                        found[uid] = max(found.get(uid, (stay.last, name)), (stay.last, name))
        return {uid.hex(): name for uid, (_, name) in found.items()}

    def hot(self, names: Iterable[str]) -> None:
        """These spaces can change next, and are looked at more often; the others no more."""
        chosen = {self._post(name) for name in names}
        for post in self._row:
            post.hot = post in chosen
            post.rest(self.pause, self.hot_pause)
        self._more = True
        self._idle_until = float("-inf")

    @property
    def next_due(self) -> float:
        if self._more:
            return self._clock.now()
        due = self._soonest
        for post in self._row:
            if post.due < due and post.task is not None:
                due = post.due
        return due

    def step(self, now: float) -> list[Seen | Gone]:
        """Do what is due, within the budget; tell what has come and gone."""
        events: list[Seen | Gone] = []
        until = now + self.budget
        while True:
            now = self._clock.now()
            post = self._ripe(now) or self._fresh(now)
            self._more = post is not None
            if post is None:
                return events
            events += self._go_on(post)
            if self._clock.now() >= until:
                return events

    def _post(self, name: str) -> _Post:
        if name not in self._posts:
            raise ValueError(
                f"no reader {name!r}; known are: {', '.join(self._posts) or 'none at all'}"
            )
        return self._posts[name]

    def _ripe(self, now: float) -> _Post | None:
        """Whose next moment on the bus has come, the longest ago."""
        ripe: _Post | None = None
        for post in self._row:
            if post.due <= now and post.task is not None and (not ripe or post.due < ripe.due):
                ripe = post
        return ripe

    def _fresh(self, now: float) -> _Post | None:
        """Who can be begun with. If nobody, `_soonest` is when somebody will have rested, or wants
        to be mended; others wait for a neighbour, whose task is due."""
        if now < self._idle_until:
            return None
        waiting = []
        soonest = float("inf")
        for post in self._row:
            if post.task is not None:
                continue
            when = post.reader.mend_at
            if when is None:
                when = post.rested
                if when <= now:
                    waiting.append(post)
                    continue
            elif when <= now:
                return post
            if when < soonest:
                soonest = when
        self._soonest = soonest
        if not waiting:
            self._idle_until = soonest
            return None
        if len(waiting) > 1:
            waiting.sort(key=lambda post: -post.waited(now))
        held: set[_Post] = set()
        for post in waiting:
            if post not in held and not any(each.looking for each in post.neighbours):
                return post
            held |= post.neighbours  # it goes first, once those that are on have finished
        return None

    def _go_on(self, post: _Post) -> list[Seen | Gone]:
        reader = post.reader
        if post.task is None:
            post.looking = reader.mend_at is None
            post.beside = [each for each in post.neighbours if each.noisy]
            post.task = reader.look() if post.looking else _mending(reader)
        try:
            post.due = next(post.task)
        except StopIteration as end:
            self._idle_until = float("-inf")
            self._heed(post)
            looked, post.task, post.looking = post.looking, None, False
            if not looked:
                post.noisy = post.noisy and reader.mend_at is not None
                return []
            post.looked = self._clock.now()
            post.rest(self.pause, self.hot_pause)
            post.noisy = end.value is None
            if reader.astray:
                self._doubt_fields()
            return self._take(post, end.value) if end.value is not None else []
        self._heed(post)
        if post.looking:
            return self._arrivals(post)
        self._idle_until = float("-inf")  # it may have pulled the reset line of others
        return []

    def _doubt_fields(self) -> None:
        """A command went astray, and whose field it has put on nobody knows."""
        for post in self._row:
            post.noisy = post.noisy or post.reader.mend_at is None
            if post.looking:  # it began before anybody knew
                post.beside = list(post.neighbours)

    def _heed(self, post: _Post) -> None:
        if post.trusted == post.reader.trusted:
            return
        post.trusted = post.reader.trusted
        self.changes += 1
        if not post.trusted:
            # What lies here may be carried away unseen, and one look that finds nothing after it
            # does not say that there is nothing.
            post.silent = self.misses
            for stay in post.stays.values():
                stay.doubted = True

    def _take(self, post: _Post, found: frozenset[bytes]) -> list[Seen | Gone]:
        now = self._clock.now()
        events: list[Seen | Gone] = [*self._arrivals(post)]
        for uid in found & post.stays.keys():
            if self._lying[uid] > 1 or post.stays[uid].doubted:  # it may be here now, and not there
                self.changes += 1
            post.stays[uid] = _Stay(now)
        if post.silent:
            post.silent -= 1
            self.changes += not post.silent
        for uid in sorted(post.stays.keys() - found):
            stay = post.stays[uid]
            stay.misses += 1
            doubted = stay.doubted and not post.silent
            if doubted or (stay.misses >= self.misses and now - stay.last >= self.linger):
                del post.stays[uid]
                self._lying[uid] -= 1
                self.changes += 1
                events.append(Gone(post.reader.name, uid.hex(), now))
        post.rows = {uid: post.rows.get(uid, 0) + 1 for uid in found}
        return events

    def _arrivals(self, post: _Post) -> list[Seen | Gone]:
        """What a look has found is told before the look is over.

        Beside a field that may be on out of turn, tags are misread, or are the neighbour's: there
        a tag must be found several times, and what lies on the neighbour counts as the neighbour's.
        """
        new = post.reader.listed - post.stays.keys()
        if not new:
            return []
        for neighbour in post.beside:
            new = {uid for uid in new if post.rows.get(uid, 0) >= DOUBT}
            new -= neighbour.stays.keys()
        now = self._clock.now()
        post.stays |= {uid: _Stay(now) for uid in sorted(new)}
        self._lying.update(new)
        self.changes += len(new)
        return [Seen(post.reader.name, uid.hex(), now) for uid in sorted(new)]


def _known(post: _Post) -> bool:
    return post.reader.trusted and not post.silent


def _mending(reader: Pn532) -> Steps[frozenset[bytes] | None]:
    yield from reader.mend()
    return None

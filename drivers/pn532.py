"""PN532 readers on I²C, one each. Everything here is written in steps that never wait.

`look()` and `mend()` are generators: they use the bus for a moment, and yield the time before
which they need not be resumed. Meanwhile the bus is free for the other readers (see
`drivers/readers.py`): a look takes some twenty milliseconds of radio, and a few of bus.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from drivers.bus import BusError, BusStuck, NoAnswer, Wire
from drivers.clock import Clock
from drivers.health import Care, Health, Recovery
from drivers.pn532_frames import (
    ACK,
    AROUND,
    NACK,
    Answer,
    Garbled,
    Longer,
    Signal,
    command,
    decode,
    list_size,
    targets,
)

T = TypeVar("T")
Steps = Generator[float, None, T]

ADDRESS = 0x24
FIRMWARE, SAM, RF, LIST, RELEASE = 0x02, 0x14, 0x32, 0x4A, 0x52
PN532 = 0x32  # how it names itself
FIELD, RETRIES = 0x01, 0x05  # items of RFConfiguration

POLL = 0.0005  # between two questions whether it is ready
ACK_AFTER = 0.0006  # when it is first asked for
SOONER = POLL / 8  # see _exchange
ACK_WITHIN = 0.02  # normally less than a millisecond
ANSWER_WITHIN = 0.06  # beyond what the same answer took the last time
WAKE = 0.002
RESET_LOW, BOOT = 0.005, 0.01
ASKS = 3  # times that an answer is asked for before it is given up


class ReaderError(Exception):
    """The chip acknowledges its address, but does not do its work."""


class NeverReady(ReaderError):
    """It does not even say that its field is empty: it has lost its settings, or its senses."""


class ResetLine:
    """The wire to RSTPDN of one reader, or of a group: pulling it restarts all of them.

    `pull` is called with True to hold it low and with False to let go. While others of the group
    work, the line is pulled only every `rest` seconds: one dead reader shall not disturb them.
    """

    def __init__(self, pull: Callable[[bool], None], *, rest: float = 60.0) -> None:
        self.pull = pull
        self.rest = rest
        self.pulls = 0
        self.readers: list[Pn532] = []
        self._pulled_at = float("-inf")

    def may_pull(self, now: float, by: Pn532) -> bool:
        alone = not any(each.working for each in self.readers if each is not by)
        return alone or now - self._pulled_at >= self.rest

    def pulled(self, now: float) -> None:
        self.pulls += 1
        self._pulled_at = now


class Pn532:
    """One reader, and the tags on it."""

    def __init__(
        self,
        bus: Wire,
        clock: Clock,
        name: str,
        *,
        reset: ResetLine | None = None,
        most: int = 4,
        retries: int = 1,
    ) -> None:
        self.name = name
        self.health = Health(f"reader {name}")
        self.trusted = False
        """Are its tags known? Not before the first look, nor once mending it has not helped."""
        self.listed: set[bytes] = set()
        """The tags that this look, or the last one, has found so far."""
        self.astray = False
        """Did its last look fail in such a way that another reader may have heard its commands?"""
        self.most = most  # tags looked for at once
        self.retries = retries  # calls that nobody answers before the field counts as empty
        self._bus = bus
        self._clock = clock
        self._reset = reset
        self._recovery = Recovery(self.health, has_reset=reset is not None)
        self._pulls = 0  # of the reset line, when it was last set up
        self._sent = 0.0
        self._took: dict[tuple[int, int], float] = {}  # (command, tags found before): seconds
        self._sizes: dict[int, int] = {}  # tags found before: bytes of the last list
        if reset is not None:
            reset.readers.append(self)

    @property
    def working(self) -> bool:
        return self.health.state == "ok"

    @property
    def mend_at(self) -> float | None:
        """When it wants to be mended; None while it can be looked at."""
        if self._reset is not None and self._reset.pulls != self._pulls:  # see _restarted
            return float("-inf")
        return self._recovery.next_due

    @property
    def _restarted(self) -> bool:
        """Has another reader of the group pulled the reset line?"""
        return self._reset is not None and self._reset.pulls != self._pulls

    def look(self) -> Steps[frozenset[bytes] | None]:
        """The UIDs of the tags on it; None without a valid answer. After it the field is off."""
        self.astray = False
        try:
            found = yield from self._enumerate()
        except (BusError, ReaderError) as error:
            self.astray = isinstance(error, BusError) and error.astray
            if self._restarted:
                return None  # no wonder, and not its fault
            yield from self._hush()
            self._miss(error)
            return None
        self._recovery.worked(self._clock.now())
        self.trusted = True
        return found

    def mend(self) -> Steps[None]:
        """Set it up, the first time or again. Its field stays off all the while."""
        care = self._recovery.due(self._clock.now())
        try:
            if care is Care.RESET:
                yield from self._restart()
            yield from self._set_up()
        except (BusError, ReaderError) as error:
            self._miss(error)
            self.trusted = False
        else:
            if care in (Care.REINIT, Care.RESET):
                self._recovery.renewed()

    # What it is told.

    def _enumerate(self) -> Steps[frozenset[bytes]]:
        """List one tag, halt it, list again: two at once are not to be relied on."""
        found = self.listed = set()
        while len(found) < self.most:
            place = len(found)
            size = self._sizes.get(place, list_size(None))
            answer = yield from self._exchange(LIST, 1, 0, size=size, place=place)
            try:
                listed = targets(answer)
            except ValueError as error:
                raise ReaderError(f"{self.health.name}: {error}") from error
            self._sizes[place] = AROUND + len(answer)
            if not listed or listed[0].uid in found:  # some tags do not stay halted
                break
            found.add(listed[0].uid)
            if len(found) < self.most:
                yield from self._exchange(RELEASE, 0, size=AROUND + 1)
        # The answer to this one is left unread: the next command takes its place.
        yield from self._send(RF, FIELD, 0)
        return frozenset(found)

    def _set_up(self) -> Steps[None]:
        self._pulls = self._reset.pulls if self._reset is not None else 0
        try:
            # Aborts what it may be doing. One that sleeps is woken, and does not acknowledge.
            self._bus.write(ADDRESS, ACK, attempts=1)
        except NoAnswer:
            pass
        yield self._clock.now() + WAKE
        yield from self._exchange(SAM, 1, 0x14, 1, size=AROUND)
        version = yield from self._exchange(FIRMWARE, size=AROUND + 4)
        if version[:1] != bytes((PN532,)):
            raise ReaderError(f"{self.health.name}: what answers is no PN532 ({version.hex()})")
        yield from self._exchange(RF, RETRIES, 0xFF, 0x01, self.retries, size=AROUND)
        yield from self._exchange(RF, FIELD, 0, size=AROUND)

    def _restart(self) -> Steps[None]:
        line = self._reset
        if line is None or not line.may_pull(self._clock.now(), self):
            return
        line.pull(True)
        line.pulled(self._clock.now())
        yield self._clock.now() + RESET_LOW
        line.pull(False)
        yield self._clock.now() + BOOT

    def _hush(self) -> Steps[None]:
        """It went wrong: stop whatever it does, and its field, if it still listens."""
        try:
            self._bus.write(ADDRESS, ACK, attempts=1)
            yield self._clock.now() + POLL
            self._bus.write(ADDRESS, command(RF, FIELD, 0))
        except BusError:
            pass

    def _miss(self, error: Exception) -> None:
        at_once = isinstance(error, BusStuck | NeverReady)
        self._recovery.missed(self._clock.now(), error, at_once=at_once)
        if self.health.state == "failed":
            self.trusted = False

    # How a command goes.

    def _exchange(self, code: int, *parameters: int, size: int, place: int = 0) -> Steps[bytes]:
        yield from self._send(code, *parameters)
        usual = self._took.get((code, place), 0.0)
        deadline = self._sent + usual + ANSWER_WITHIN
        yield self._sent + usual
        at_once = yield from self._ready(deadline)
        # As long again the next time; a little less, so as to notice when it takes less.
        took = usual if at_once else self._clock.now() - self._sent
        self._took[code, place] = max(0.0, took - SOONER)
        for _ in range(ASKS):
            got = decode(self._read(size)[1:])
            if isinstance(got, Answer) and got.command == code:
                return got.data
            if isinstance(got, Longer):
                size = got.size
            else:
                self._wonder(got)
            self._bus.write(ADDRESS, NACK)
            yield self._clock.now() + POLL
            yield from self._ready(self._clock.now() + ACK_WITHIN)
        raise ReaderError(f"{self.health.name} does not answer 0x{code:02x} sensibly")

    def _send(self, code: int, *parameters: int) -> Steps[None]:
        """Give a command, and see it acknowledged. A busy chip may not listen at first."""
        frame = command(code, *parameters)
        deadline = self._clock.now() + ACK_WITHIN
        while True:
            try:
                self._bus.write(ADDRESS, frame, attempts=1)
                break
            except NoAnswer:  # while it is busy it may not acknowledge: normal, for a while
                if self._clock.now() >= deadline:
                    raise
            yield self._clock.now() + POLL
        self._sent = self._clock.now()
        deadline = self._sent + ACK_WITHIN
        yield self._sent + ACK_AFTER
        while True:
            try:
                status = self._read(len(ACK))
            except NoAnswer:  # while it is busy it may not acknowledge: normal, for a while
                if self._clock.now() >= deadline:
                    raise
            else:
                got = decode(status[1:]) if status[0] & 1 else None
                if got is Signal.ACK:
                    return
                if got is not None:
                    self._wonder(got)
                if got is Signal.NACK:
                    self._bus.write(ADDRESS, frame)
                if self._clock.now() >= deadline:
                    raise ReaderError(f"{self.health.name} does not acknowledge 0x{code:02x}")
            yield self._clock.now() + POLL

    def _ready(self, deadline: float) -> Steps[bool]:
        """Until it has an answer. Had it one the first time it was asked?"""
        first = True
        while True:
            try:
                status = self._read(0)
            except NoAnswer:  # while it is busy it may not acknowledge: normal, for a while
                if self._clock.now() >= deadline:
                    raise
            else:
                if status[0] & 1:
                    return first
                if self._clock.now() >= deadline:
                    raise NeverReady(f"{self.health.name} is alive on the bus, but never ready")
                first = False
            yield self._clock.now() + POLL

    def _read(self, count: int) -> bytes:
        """The status byte, and `count` bytes of a frame."""
        return self._bus.read(ADDRESS, 1 + count, attempts=1)

    def _wonder(self, got: Answer | Longer | Garbled | Signal) -> None:
        """Not what it should have said. It is counted, and asked again."""
        self.health.errors += 1
        what = got.why if isinstance(got, Garbled) else str(got)
        self.health.last_error = f"{self.health.name} talks nonsense: {what}"

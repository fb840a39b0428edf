"""MCP23017 expanders: sixteen switches each, and up to eight of them as one bank of inputs.

Interrupt lines are hints. What the chip latched at the interrupt (INTCAP) is read along with the
present levels, so that a switch closed for a moment between two looks is not missed; and a slow
poll runs beside, so that a broken interrupt wire costs time and not moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from drivers.bus import BusError, Wire
from drivers.clock import Clock
from drivers.debounce import Debounce
from drivers.health import Care, Health, Recovery

WIDTH = 16
IOCON_BANK_1 = 0x05  # where IOCON is if a disturbed chip has gone over to BANK=1
IODIR, IOCON, GPPU = 0x00, 0x0A, 0x0C
MIRROR_OPEN_DRAIN = 0x44  # both ports on one line, which several chips may share
PULLED_UP = b"\xff\xff"
SET_UP = b"".join(
    (
        b"\xff\xff",  # IODIR: all inputs
        b"\x00\x00",  # IPOL: as they are
        b"\xff\xff",  # GPINTEN: every change
        b"\x00\x00\x00\x00",  # DEFVAL, INTCON: against the level before
        bytes((MIRROR_OPEN_DRAIN, MIRROR_OPEN_DRAIN)),
        PULLED_UP,
    )
)


class Reading(NamedTuple):
    """Sixteen levels, bit n input n."""

    present: int
    captured: int  # at the interrupt,
    latched: int  # valid for these inputs


class Mcp23017:
    """One expander, all inputs pulled up."""

    def __init__(
        self, bus: Wire, address: int, clock: Clock, *, health: Health | None = None
    ) -> None:
        self.address = address
        self.health = health or Health(f"expander 0x{address:02x}")
        self.trusted = False
        """Are its inputs known? Not before the first answer, nor once it needs mending."""
        self._bus = bus
        self._clock = clock
        self._recovery = Recovery(self.health, patience=2)

    @property
    def retry_at(self) -> float | None:
        return self._recovery.next_due

    def poll(self) -> Reading | None:
        """Look at the inputs, setting the chip up where needed; None without a valid answer."""
        care = self._recovery.due(self._clock.now())
        if care is Care.WAIT:
            return None
        try:
            if care is not Care.WORK:
                self._set_up()
                self._recovery.renewed()
            pulled, flagged, captured, present = self._read()
        except BusError as error:
            self._miss(error)
            return None
        if pulled != PULLED_UP:
            # It lost power and came back without our settings: its inputs are floating.
            self._miss("it has lost its settings: check its power", at_once=True)
            return None
        self._recovery.worked(self._clock.now())
        self.trusted = True
        if care is not Care.WORK:
            flagged = b"\x00\x00"  # setting it up makes its inputs change
        latched = sum(0xFF << 8 * port for port in (0, 1) if flagged[port])
        return Reading(
            int.from_bytes(present, "little"), int.from_bytes(captured, "little"), latched
        )

    def _set_up(self) -> None:
        self._bus.write(self.address, bytes((IOCON_BANK_1, 0)))
        self._bus.write(self.address, bytes((IOCON, MIRROR_OPEN_DRAIN)))
        self._bus.write(self.address, bytes((IODIR,)) + SET_UP)

    def _read(self) -> tuple[bytes, bytes, bytes, bytes]:
        """GPPU, INTF, INTCAP and GPIO stand side by side: one transaction."""
        found = self._bus.write_read(self.address, bytes((GPPU,)), 8)
        return found[0:2], found[2:4], found[4:6], found[6:8]

    def _miss(self, why: Exception | str, *, at_once: bool = False) -> None:
        self._recovery.missed(self._clock.now(), why, at_once=at_once)
        if self._recovery.next_due is not None:
            self.trusted = False


class Edge(NamedTuple):
    """An input has changed."""

    input: int
    level: bool  # electrical: False is pulled to ground
    at: float

    @property
    def closed(self) -> bool:
        """A switch to ground that has closed, a magnet that has come."""
        return not self.level


class Inputs:
    """A bank of expanders as one row of inputs: chip 0 has inputs 0–15, chip 1 16–31, …

    `lines[n]` says whether the interrupt line of chip n is pulled low at this moment; None where
    no such line is wired. Edges are told against the last known level; an input never seen
    counts as open.
    """

    def __init__(
        self,
        chips: Sequence[Mcp23017],
        clock: Clock,
        *,
        lines: Sequence[Callable[[], bool] | None] = (),
        slow: float = 0.25,
        fast: float = 0.02,
        lockout: float | Mapping[int, float] = 0.01,
    ) -> None:
        if len(chips) > 8:
            raise ValueError(f"a bank has at most 8 expanders (0x20 to 0x27), not {len(chips)}")
        if lines and len(lines) != len(chips):
            raise ValueError(f"{len(chips)} expanders, but {len(lines)} interrupt lines")
        self.chips = tuple(chips)
        self.slow = slow  # the poll beside a wired interrupt line
        self.fast = fast  # the poll without one
        self._clock = clock
        self._lines = tuple(lines) or (None,) * len(chips)
        self._due = [float("-inf")] * len(chips)
        times = lockout if isinstance(lockout, Mapping) else {}
        usual = 0.01 if isinstance(lockout, Mapping) else lockout
        self._contacts = [Debounce(times.get(n, usual)) for n in range(WIDTH * len(chips))]
        self._held = [False] * len(chips)  # interrupt lines that stayed low
        self._seen = [0xFFFF] * len(chips)  # present levels of the last reading
        self._read_at = [float("-inf")] * len(chips)
        self._restless: set[int] = set()  # contacts whose last word is still to be told
        self._wanted = float("-inf")  # see look_by

    @property
    def levels(self) -> tuple[bool | None, ...]:
        return tuple(
            contact.level if self.healthy(n) else None for n, contact in enumerate(self._contacts)
        )

    @property
    def next_due(self) -> float:
        due = min(self._due, default=float("inf"))
        for input in self._restless:
            settles = self._contacts[input].due
            # One whose chip is silent waits for the chip.
            if settles is not None and settles < due and self.healthy(input):
                due = settles
        return due

    def healthy(self, input: int) -> bool:
        return self.chips[input // WIDTH].trusted

    def hint(self, chip: int | None = None) -> None:
        """Something moved on this chip (or on any): look at it at the next step."""
        for n in range(len(self.chips)) if chip is None else (chip,):
            if self.chips[n].retry_at is None:
                self._due[n] = float("-inf")

    def look_by(self, at: float) -> None:
        """Look at every chip once more at `at`: interrupts may be missed, and what is judged then
        shall be what is there then."""
        self._wanted = at
        for n, chip in enumerate(self.chips):
            if chip.retry_at is None:
                self._due[n] = min(self._due[n], at)

    @property
    def seen_since(self) -> float:
        """When the chip that was heard of the longest ago was heard of, of those that count."""
        times = [at for chip, at in zip(self.chips, self._read_at, strict=True) if chip.trusted]
        return min(times, default=float("inf"))

    def step(self, now: float) -> list[Edge]:
        """Look at what is due to be looked at; give the edges in the order they were seen."""
        edges: list[Edge] = []
        looked: list[int] = []
        silent: list[int] = []
        # Before a contact that bounced is believed, it is looked at once more.
        doubtful = (
            {i // WIDTH for i in self._restless if (self._contacts[i].due or now) <= now}
            if self._restless
            else ()
        )
        for n, chip in enumerate(self.chips):
            called = chip.retry_at is None and (
                n in doubtful or (not self._held[n] and self._low(n))
            )
            if called or now >= self._due[n]:
                looked.append(n)
                reading = chip.poll()
                if reading is None:
                    silent.append(n)
                else:
                    edges += self._take(n, reading, self._clock.now())
        settled = self._clock.now()
        for n, chip in enumerate(self.chips):
            # A line still low after its chip was read is busy or shorted, and no longer a call.
            self._held[n] = (self._held[n] or n in looked) and self._low(n)
            if n in looked:
                slowly = self._lines[n] is not None and not self._held[n] and n not in silent
                again = settled + (self.slow if slowly else self.fast)
                if settled < self._wanted:
                    again = min(again, self._wanted)
                self._due[n] = again if chip.retry_at is None else chip.retry_at
        for input in sorted(self._restless) if self._restless else ():
            if self.healthy(input):
                edges += self._sampled(input, None, settled)
        return edges

    def _low(self, chip: int) -> bool:
        line = self._lines[chip]
        return line is not None and line()

    def _take(self, chip: int, reading: Reading, at: float) -> Iterator[Edge]:
        before, self._seen[chip] = self._seen[chip], reading.present
        # What was latched may have happened right after the last look, and is no news if the
        # contact was then still coming to rest.
        earliest, self._read_at[chip] = self._read_at[chip], at
        moved = (reading.present ^ before) | (reading.captured ^ before) & reading.latched
        for n in range(WIDTH) if moved else ():
            input, bit = chip * WIDTH + n, 1 << n
            if not moved & bit:
                continue
            if reading.latched & bit:
                yield from self._sampled(input, bool(reading.captured & bit), at, earliest)
            yield from self._sampled(input, bool(reading.present & bit), at)

    def _sampled(
        self, input: int, level: bool | None, at: float, since: float | None = None
    ) -> Iterator[Edge]:
        """An input seen at a level (at some time between `since` and `at`), or (None) given time to
        settle."""
        contact = self._contacts[input]
        if contact.settle(at) if level is None else contact.sample(level, at, since):
            yield Edge(input, contact.level, at)
        if contact.due is None:
            self._restless.discard(input)
        else:
            self._restless.add(input)

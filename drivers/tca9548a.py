"""TCA9548A multiplexers: eight buses out of one. A channel *is* a bus, and drivers know no better.

The control byte acts only after STOP, so choosing a channel and using it are two transactions.
All multiplexers of a bus are known together: one is closed before another is opened, or chips of
the same address behind both would answer at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from drivers.bus import BusError, NoAnswer, Wire
from drivers.clock import Clock
from drivers.health import Care, Health, Recovery

CHANNELS = 8
TRUST = 0.02  # s for which it is believed to switch as told; then its register is read back


class MuxStuck(BusError):
    """It answers, but does not switch."""

    astray = True  # it is believed for a moment before its register is read back


class Mux:
    """One chip. `reset` pulls its RESET low (True) and lets go of it (False)."""

    def __init__(
        self, bus: Wire, address: int, clock: Clock, reset: Callable[[bool], None] | None = None
    ) -> None:
        if not 0x70 <= address <= 0x77:
            raise ValueError(f"0x{address:02x} is no address of a TCA9548A: 0x70 to 0x77")
        self.address = address
        self.health = Health(f"mux 0x{address:02x}")
        self._bus = bus
        self._clock = clock
        self._reset = reset
        self._recovery = Recovery(self.health, patience=2)
        self._mask: int | None = None  # as far as we know
        self._checked = float("-inf")  # when it was last read back
        self._hung = False

    def open(self, channel: int) -> None:
        """Connect this channel alone."""
        now = self._clock.now()
        mask = 1 << channel
        if self._mask == mask and now - self._checked < TRUST:
            return
        care = self._recovery.due(now)
        if care is Care.WAIT:
            raise NoAnswer(f"{self.health.name} is set aside: {self.health.last_error}")
        self._switch(mask, care)
        self._recovery.worked(self._clock.now())

    def close(self) -> None:
        """Disconnect everything, if anything may be connected.

        Raises while it may still be: then nothing else may be used. One that is missing connects
        nothing; but one that does not switch is in everybody's way.
        """
        if self._mask == 0:
            return
        care = self._recovery.due(self._clock.now())
        if care is Care.WAIT:
            if self._hung:
                raise MuxStuck(f"the bus is not usable: {self.health.last_error}")
            return
        try:
            self._switch(0, care)
        except BusError:
            if care is Care.WORK or self._hung:
                raise

    def doubt(self) -> None:
        """Something behind it did not answer: perhaps it has lost its channel."""
        self._checked = float("-inf")

    def _switch(self, mask: int, care: Care) -> None:
        if care is not Care.WORK:
            self._mask = None
            if self._reset is not None:
                self._reset(True)
                self._reset(False)  # a few nanoseconds are enough
        try:
            if self._mask == mask and self._shown_is(mask):
                return
            self._bus.write(self.address, bytes((mask,)))
            if not self._shown_is(mask):
                where = f"to channel {mask.bit_length() - 1}" if mask else "off"
                raise MuxStuck(
                    f"{self.health.name} does not switch {where}: "
                    "wire its RESET to a GPIO, or take its power away for a moment"
                )
        except BusError as error:
            self._mask = None
            self.doubt()
            # One that does not switch would let us read another reader's tags.
            self._hung = isinstance(error, MuxStuck)
            self._recovery.missed(self._clock.now(), error, at_once=self._hung)
            raise
        self._mask, self._hung = mask, False
        if care is not Care.WORK:
            self._recovery.renewed()

    def _shown_is(self, mask: int) -> bool:
        """Read it back, unless that was done a moment ago."""
        now = self._clock.now()
        if now - self._checked >= TRUST:
            if self._bus.read(self.address, 1)[0] != mask:
                return False
            self._checked = now
        return True


class Channel:
    """One of a multiplexer's eight buses."""

    def __init__(self, bus: Wire, name: str, select: Callable[[], Mux]) -> None:
        self.name = name
        self._bus = bus
        self._select = select

    def write(self, address: int, data: bytes, *, attempts: int | None = None) -> None:
        mux = self._select()
        try:
            self._bus.write(address, data, attempts=attempts)
        except NoAnswer as error:
            raise self._doubted(mux, error) from error

    def read(self, address: int, count: int, *, attempts: int | None = None) -> bytes:
        mux = self._select()
        try:
            return self._bus.read(address, count, attempts=attempts)
        except NoAnswer as error:
            raise self._doubted(mux, error) from error

    def write_read(
        self, address: int, data: bytes, count: int, *, attempts: int | None = None
    ) -> bytes:
        mux = self._select()
        try:
            return self._bus.write_read(address, data, count, attempts=attempts)
        except NoAnswer as error:
            raise self._doubted(mux, error) from error

    def _doubted(self, mux: Mux, error: NoAnswer) -> NoAnswer:
        mux.doubt()
        return NoAnswer(f"{self.name}: {error}")


class Muxes:
    """All the multiplexers of one bus: their addresses, and the RESET line of each or None."""

    def __init__(
        self, bus: Wire, clock: Clock, resets: Mapping[int, Callable[[bool], None] | None]
    ) -> None:
        self._bus = bus
        self._muxes = {
            address: Mux(bus, address, clock, reset) for address, reset in resets.items()
        }

    @property
    def healths(self) -> tuple[Health, ...]:
        return tuple(mux.health for mux in self._muxes.values())

    def channel(self, address: int, channel: int) -> Channel:
        if address not in self._muxes:
            known = ", ".join(f"0x{each:02x}" for each in self._muxes) or "none"
            raise ValueError(f"no mux at 0x{address:02x}; known are: {known}")
        if not 0 <= channel < CHANNELS:
            raise ValueError(f"a mux has channels 0 to {CHANNELS - 1}, not {channel}")
        chosen = self._muxes[address]
        others = [mux for mux in self._muxes.values() if mux is not chosen]

        def select() -> Mux:
            for mux in others:
                mux.close()
            chosen.open(channel)
            return chosen

        return Channel(self._bus, f"{chosen.health.name}, channel {channel}", select)

"""A simulated PN532 on I²C: frames, ready bit, acknowledgements, and the time its radio takes.

It has a codec of its own, so that a mistake in the driver's cannot hide.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from drivers.sim.agenda import Agenda
from drivers.sim.bus import Chip
from drivers.sim.faults import Mend, fault
from drivers.sim.radio import Antenna

ADDRESS = 0x24
ACK, NACK = bytes.fromhex("0000ff00ff00"), bytes.fromhex("0000ffff0000")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")
FIRMWARE = bytes.fromhex("32010607")  # a PN532 of version 1.6
ENDLESS = 0xFF
UNKNOWN_TARGET = 0x27


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. The chip's are of the order that users measure; the radio's follow ISO 14443."""

    deaf: float = 0.0002  # after a command, when it does not even acknowledge its address
    ack: float = 0.0005  # from a command to its ACK
    think: float = 0.0003  # its 8051, for any command
    boot: float = 0.002  # after its reset
    power_up: float = 0.005  # a tag needs this long in a new field
    attempt: float = 0.005  # a call that nobody answers
    select: float = 0.003  # each four bytes of a UID (a longer one takes several rounds)
    halt: float = 0.001


class SimPn532(Chip):
    def __init__(self, agenda: Agenda, antenna: Antenna, timing: Timing | None = None) -> None:
        super().__init__(ADDRESS)
        self.antenna = antenna
        self.timing = timing or Timing()
        # Faults.
        self.deaf = False
        self.late: Callable[[], float] | None = None  # more seconds for an answer
        self.spoil: Callable[[bytes], bytes] | None = None  # an answer's frame on its way out
        self.ghost: Callable[[], bytes | None] | None = None  # a UID out of nowhere
        self._agenda = agenda
        self._clock = agenda.clock
        self._job = 0
        self._held_in_reset = False
        self._ready: list[bytes] = []  # frames to be read, one after the other
        self.power_cycle()

    def power_cycle(self) -> None:
        self.normal = False  # until SAMConfiguration; before, its radio does nothing
        self.asleep = True  # the first call only wakes it
        self.retries = ENDLESS
        self._forget_job()
        self._last = b""
        self._targets = 0
        self._deaf_until = float("-inf")
        self.antenna.switch(False)

    def reset(self, low: bool) -> None:
        """Its RSTPDN pin."""
        if low:
            self.power_cycle()
        elif self._held_in_reset:
            self._deaf_until = self._now + self.timing.boot
        self._held_in_reset = low

    # The bus's side.

    def start(self, reading: bool) -> bool:
        if self._held_in_reset or self._clock.now() < self._deaf_until:
            return False
        if self.asleep:
            self.asleep = False
            return False
        self._heard = b""
        self._taken = False
        return True

    def write(self, data: bytes) -> int:
        self._heard += data
        return len(data)

    def read(self, count: int) -> bytes:
        frame = self._ready[0] if self._ready and not self.deaf else None
        if frame is None:
            return bytes(count)
        self._taken = count > 1
        return b"\x01" + frame

    def stop(self) -> None:
        if self._taken and self._ready:
            self._ready.pop(0)
            self.asleep = self._drowsy and not self._ready
        frame, self._heard, self._taken = self._heard, b"", False
        if not frame or self.deaf:
            return
        if frame == ACK:
            self._forget_job()
        elif frame == NACK:
            self._ready = [self._sent(self._last)] if self._last else []
        else:
            self._command(frame)

    # Commands.

    @property
    def _now(self) -> float:
        return self._clock.now()

    def _forget_job(self) -> None:
        """Whatever it was doing: its result will come to nobody."""
        self._job += 1
        self._ready = []
        self._drowsy = False  # told to power down, once its answer is read
        self._heard = b""
        self._taken = False

    def _command(self, frame: bytes) -> None:
        self._forget_job()
        now = self._clock.now()
        self._deaf_until = now + self.timing.deaf
        body = _body(frame)
        acknowledged = now + self.timing.ack
        if body is None:
            self._later(acknowledged, lambda: self._ready.append(NACK))
            return
        self._later(acknowledged, lambda: self._ready.append(ACK))
        self._later(acknowledged + self.timing.think, lambda: self._do(body[0], body[1:]))

    def _later(self, instant: float, action: Callable[[], None]) -> None:
        """Do it then, unless the host has wanted something else meanwhile."""
        job = self._job

        def then() -> None:
            if job == self._job:
                self._instant = instant
                action()

        self._agenda.at(instant, then)

    def _do(self, code: int, data: bytes) -> None:
        match code, *data:
            case 0x00, 0x00, *_:  # Diagnose: say after me
                self._answer(code, data)
            case (0x02,):
                self._answer(code, FIRMWARE)
            case 0x14, mode, *_ if 1 <= mode <= 4:
                self.normal = mode == 1
                self._answer(code)
            case 0x16, _, *_:
                self._answer(code, b"\x00")
                self.antenna.switch(False)
                self._drowsy = True
            case 0x12, _:
                self._answer(code)
            case 0x32, 0x01, field:
                self._switch_field(bool(field & 1))
                self._answer(code)
            case 0x32, 0x05, _, _, retries:
                self.retries = retries
                self._answer(code)
            case 0x32, 0x02 | 0x04 | 0x0A | 0x0B | 0x0C | 0x0D, *_:
                self._answer(code)
            case 0x4A, (1 | 2) as most, 0x00, *_:
                self._list(most)
            case ((0x44 | 0x52), number):
                self._release(code, number)
            case _:
                self._say(SYNTAX_ERROR)

    def _switch_field(self, on: bool) -> None:
        self.antenna.switch(on and self.normal)

    def _list(self, most: int) -> None:
        """InListPassiveTarget. The field goes on by itself, and stays on."""
        lit = self.antenna.on
        self._switch_field(True)
        self._targets = 0
        # Asked for two, it is not to be relied on: users see tags only every second time. Here it
        # halts the first to call the second, does not try again, and lets its field fall when
        # nobody has answered.
        tries = 1 if most == 2 else (None if self.retries == ENDLESS else 1 + self.retries)
        begin = self._instant + (0.0 if lit else self.timing.power_up)
        self._later(begin, lambda: self._attempt([], most, tries))

    def _attempt(self, found: list[bytes], most: int, tries: int | None) -> None:
        uid = self.ghost() if self.ghost and not found else None
        if uid is None:
            uid = self.antenna.call()
        left = None if tries is None else tries - 1
        if uid is not None:
            found = [*found, uid]
            selected = self._instant + self.timing.select * (1 + (len(uid) > 4) + (len(uid) > 7))
            if len(found) == most:
                self._later(selected, lambda: self._list_answer(found))
            else:
                self._later(selected, lambda: self._second(found))
        elif left == 0:
            if most == 2 and not found:
                self.antenna.switch(False)
            self._later(self._instant + self.timing.attempt, lambda: self._list_answer(found))
        else:
            again = self._instant + self.timing.attempt
            self._later(again, lambda: self._attempt(found, most, left))

    def _second(self, found: list[bytes]) -> None:
        self.antenna.halt()
        self._attempt(found, 2, 1)

    def _list_answer(self, found: list[bytes]) -> None:
        self._targets = len(found)
        told = bytearray((len(found),))
        for number, uid in enumerate(found, 1):
            told += bytes((number, 0x00, 0x44 if len(uid) > 4 else 0x04, 0x00, len(uid))) + uid
        self._answer(0x4A, bytes(told))

    def _release(self, code: int, number: int) -> None:
        if number > self._targets:
            self._answer(code, bytes((UNKNOWN_TARGET,)))
            return
        if self._targets:
            self.antenna.halt()
        if code == 0x52:
            self._targets = 0
        halted = self._instant + self.timing.halt
        self._later(halted, lambda: self._answer(code, b"\x00"))

    def _answer(self, code: int, data: bytes = b"") -> None:
        self._say(_frame(bytes((0xD5, code + 1)) + data))

    def _say(self, frame: bytes) -> None:
        def put() -> None:
            self._last = frame
            self._ready.append(self._sent(frame))

        self._later(self._instant + (self.late() if self.late else 0.0), put)

    def _sent(self, frame: bytes) -> bytes:
        return self.spoil(frame) if self.spoil else frame


@lru_cache(maxsize=256)
def _frame(body: bytes) -> bytes:
    size = len(body)
    return bytes((0, 0, 0xFF, size, 256 - size)) + body + bytes(((256 - sum(body)) % 256, 0))


@lru_cache(maxsize=256)
def _body(frame: bytes) -> bytes | None:
    """What the host has asked for, code first; None if the frame is damaged."""
    if len(frame) < 8 or frame[:3] != b"\x00\x00\xff":
        return None
    size = frame[3]
    body, check = frame[5 : 5 + size], frame[5 + size : 6 + size]
    if (size + frame[4]) % 256 or size < 2 or not check or (sum(body) + check[0]) % 256:
        return None
    return body[1:] if body[0] == 0xD4 else None


@fault("deaf_reader", SimPn532)
def _deaf(reader: SimPn532, rng: random.Random) -> Mend:
    """Alive on the bus, and never ready."""
    reader.deaf = True

    def mend() -> None:
        reader.deaf = False
        reader.power_cycle()

    return mend


@fault("late_answer", SimPn532)
def _late(reader: SimPn532, rng: random.Random, *, ms: float = 200.0, p: float = 0.2) -> Mend:
    """Some answers take longer."""
    reader.late = lambda: ms / 1000 if rng.random() < p else 0.0
    return lambda: setattr(reader, "late", None)


@fault("ghost_read", SimPn532)
def _ghost(reader: SimPn532, rng: random.Random, *, uid: str = "", p: float = 0.02) -> Mend:
    """A tag that is not there: this one, or a new one each time."""
    reader.ghost = lambda: (bytes.fromhex(uid) or rng.randbytes(7)) if rng.random() < p else None
    return lambda: setattr(reader, "ghost", None)


@fault("garbage_answer", SimPn532)
def _garbage(reader: SimPn532, rng: random.Random, *, p: float = 0.2) -> Mend:
    """Answers arrive damaged: a flipped bit, half a frame, or noise."""

    def spoil(frame: bytes) -> bytes:
        if rng.random() >= p:
            return frame
        match rng.randrange(3):
            case 0:
                at = rng.randrange(len(frame))
                return frame[:at] + bytes((frame[at] ^ 1 << rng.randrange(8),)) + frame[at + 1 :]
            case 1:
                return frame[: rng.randrange(len(frame))]
            case _:
                return rng.randbytes(len(frame))

    reader.spoil = spoil
    return lambda: setattr(reader, "spoil", None)

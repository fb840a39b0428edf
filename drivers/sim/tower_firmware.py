"""The program inside a dice tower, without its sensors and its port: the other half of
`wiring/tower-protocol.md`, in plain words that a microcontroller's Python also speaks.

Time is in milliseconds since the boot.
"""

from __future__ import annotations

from drivers.tower_frames import Counts, Framer, frame

SETTLE = 500  # ms that the tray must stay as it is before the dice count as lying
BEAT = 1000
REPEAT_FIRST = 250  # ms until an unanswered report is sent again; each time twice as long,
REPEAT_LAST = 2000  # up to this
WAITING_MAX = 8  # reports kept for a host that does not answer
DICE_MAX = 8  # as many as one frame holds
OUT_MAX = 1024  # bytes kept for a port that takes none

Tray = list[tuple[str, int | None]]  # colour, and face or None for a die that lies askew


class TowerFirmware:
    def __init__(self, boot: str, dice: list[tuple[str, int]], now: int = 0) -> None:
        if len(dice) > DICE_MAX:
            raise ValueError(f"a tower knows {DICE_MAX} dice at most, not {len(dice)}")
        self.boot = boot  # eight hex digits, other ones at every boot
        self.dice = dice
        self.number = 0  # of the last report
        self.waiting: list[tuple[int, int, Tray]] = []  # number, since when they lie, dice
        self.counts = Counts()
        self._framer = Framer(self.counts)
        self._out = b""
        self._tray: Tray = []
        self._moving = False
        self._fallen = False  # has a die come down the chute since the last report?
        self._quiet_since = now
        self._beat_at = now + BEAT
        self._repeat_at = now
        self._pause = REPEAT_FIRST
        self._hello(now)

    # What the sensors tell.

    def fell(self, now: int) -> None:
        """Something came down the chute."""
        self._fallen = True
        self._quiet_since = now

    def look(self, now: int, tray: Tray, moving: bool) -> None:
        """What lies in the tray. A die at rest that cannot be read lies askew."""
        if moving or tray != self._tray:
            self._quiet_since = now
        self._tray = tray
        self._moving = moving

    # What the host says.

    def receive(self, now: int, data: bytes) -> None:
        for body in self._framer.feed(data):
            words = body.split(" ")
            if words[0] == "WHO":
                self._hello(now)
                self._send_first(now)
            elif words[0] == "ACK" and len(words) == 3:
                # Only the report that is being sent can be acknowledged, and only by its name.
                if self.waiting and words[1:] == [self.boot, str(self.waiting[0][0])]:
                    self.waiting.pop(0)
                    self._send_first(now)
            else:
                self.counts.unknown += 1

    # What the tower does by itself.

    def due(self) -> int:
        """When `tick` has something to do."""
        due = self._beat_at
        if self.waiting:
            due = min(due, self._repeat_at)
        if self._fallen and not self._moving:
            due = min(due, self._quiet_since + SETTLE)
        return due

    def tick(self, now: int) -> None:
        if self._fallen and not self._moving and now >= self._quiet_since + SETTLE:
            self._fallen = False
            self._report(now)
        if self.waiting and now >= self._repeat_at:
            self._send(now)
        if now >= self._beat_at:
            self._beat_at = now + BEAT
            self._say("BEAT", now)

    def bytes_to_send(self) -> bytes:
        data, self._out = self._out, b""
        return data

    def _report(self, now: int) -> None:
        self.number += 1
        if len(self.waiting) == WAITING_MAX:
            return  # nobody listens; the gap in the numbers will say so
        self.waiting.append((self.number, self._quiet_since, list(self._tray)))
        if len(self.waiting) == 1:
            self._send_first(now)

    def _send_first(self, now: int) -> None:
        self._pause = REPEAT_FIRST
        if self.waiting:
            self._send(now)

    def _send(self, now: int) -> None:
        self._repeat_at = now + self._pause
        self._pause = min(2 * self._pause, REPEAT_LAST)
        number, settled, tray = self.waiting[0]
        fields = [str(settled % 2**32)]
        for colour, face in tray[:DICE_MAX]:
            fields.append(colour + "=" + ("cocked" if face is None else str(face)))
        self._say("DICE", now, number, fields)

    def _hello(self, now: int) -> None:
        fields = ["1", "cavale-tower-sim"]
        for colour, faces in self.dice:
            fields.append(colour + ":" + str(faces))
        self._say("HELLO", now, self.number, fields)

    def _say(self, type: str, now: int, number: int = -1, fields: list[str] | None = None) -> None:
        if number < 0:
            number = self.number
        head = [type, self.boot, str(number), str(now % 2**32)]
        data = frame(" ".join(head + (fields or [])))
        if len(self._out) + len(data) <= OUT_MAX:  # a whole frame or none of it
            self._out += data

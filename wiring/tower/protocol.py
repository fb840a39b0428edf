"""What a dice tower says and when: ../tower-protocol.md, for any board that runs MicroPython.

No sensors, no port, no imports: `main.py` brings those. Times are milliseconds since the boot.
A tray is a list of (colour, face), the face None for a die that lies askew.
"""

NAME = "cavale-tower-1"

SETTLE = 500  # the tray must stay as it is for so long
BEAT = 1000
REPEAT_FIRST = 250  # an unanswered report is sent again, each time after twice as long,
REPEAT_LAST = 2000  # up to this
WAITING_MAX = 8  # reports kept for a host that does not answer
DICE_MAX = 8
FRAME_MAX = 255  # bytes from $ to the line feed
OUT_MAX = 4  # frames kept for a port that takes none
CLOCK = 1 << 32


def crc16(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc <<= 1
            if crc & 0x10000:
                crc ^= 0x11021
    return crc


def star(data):
    """The end of a frame."""
    return f"*{crc16(data):04X}".encode()


def frame(body):
    data = body.encode()
    return b"$" + data + star(data) + b"\n"


class Framer:
    """Finds whole frames in whatever comes down the line."""

    def __init__(self):
        self._body = bytearray(FRAME_MAX)
        self._length = -1  # outside any frame

    def feed(self, byte):
        """The body of the frame that this byte ends, or None."""
        if byte == 0x24:  # $ stands nowhere else: whatever came before, here is a beginning
            self._length = 0
        elif self._length < 0 or byte == 0x0D:
            pass
        elif byte == 0x0A:
            length, self._length = self._length - 5, -1
            data = bytes(self._body[: max(length, 0)])
            if length >= 0 and bytes(self._body[length : length + 5]) == star(data):
                return data.decode()
        elif byte < 0x20 or byte > 0x7E or self._length + 2 >= FRAME_MAX:
            self._length = -1
        else:
            self._body[self._length] = byte
            self._length += 1
        return None


class Tower:
    """Tell it what the sensors see and what the host says; send what `frames_to_send` gives."""

    def __init__(self, boot, dice, now=0, name=NAME):
        if len(dice) > DICE_MAX:
            raise ValueError(f"a tower knows {DICE_MAX} dice at most, not {len(dice)}")
        self.boot = boot  # eight hex digits, other ones at every boot
        self.number = 0  # of the newest report
        self.waiting = []  # reports not acknowledged: number, since when they lie, tray
        self._dice = dice
        self._name = name
        self._framer = Framer()
        self._out = []
        self._tray = []
        self._moving = False
        self._fallen = False  # has a die come down the chute since the last report?
        self._quiet_since = now
        self._beat_at = now + BEAT
        self._repeat_at = now
        self._pause = REPEAT_FIRST
        self._hello(now)

    def fell(self, now):
        """Something came down the chute."""
        self._fallen = True
        self._quiet_since = now

    def look(self, now, tray, moving):
        """What lies in the tray now."""
        if moving or tray != self._tray:
            self._quiet_since = now
        self._tray = tray
        self._moving = moving

    def receive(self, now, data):
        for byte in data:
            body = self._framer.feed(byte)
            if body is not None:
                self._take(now, body.split(" "))

    def due(self):
        """When `tick` has something to do."""
        due = self._beat_at
        if self.waiting:
            due = min(due, self._repeat_at)
        if self._fallen and not self._moving:
            due = min(due, self._quiet_since + SETTLE)
        return due

    def tick(self, now):
        if self._fallen and not self._moving and now >= self._quiet_since + SETTLE:
            self._fallen = False
            self._report(now)
        if self.waiting and now >= self._repeat_at:
            self._send(now)
        if now >= self._beat_at:
            self._beat_at = now + BEAT
            self._say("BEAT", self.number, now, [])

    def frames_to_send(self):
        frames, self._out = self._out, []
        return frames

    def _take(self, now, words):
        if words[0] == "WHO":
            self._hello(now)
            self._send_first(now)
        elif self.waiting and words == ["ACK", self.boot, str(self.waiting[0][0])]:
            # Only the report that is being sent can be acknowledged, and only by its name.
            self.waiting.pop(0)
            self._send_first(now)

    def _report(self, now):
        self.number += 1
        if len(self.waiting) == WAITING_MAX:
            return  # nobody listens; the gap in the numbers will say so
        self.waiting.append((self.number, self._quiet_since, list(self._tray[:DICE_MAX])))
        if len(self.waiting) == 1:
            self._send_first(now)

    def _send_first(self, now):
        self._pause = REPEAT_FIRST
        if self.waiting:
            self._send(now)

    def _send(self, now):
        self._repeat_at = now + self._pause
        self._pause = min(2 * self._pause, REPEAT_LAST)
        number, settled, tray = self.waiting[0]
        fields = [str(settled % CLOCK)]
        for colour, face in tray:
            fields.append(colour + "=" + ("cocked" if face is None else str(face)))
        self._say("DICE", number, now, fields)

    def _hello(self, now):
        fields = ["1", self._name]
        for colour, faces in self._dice:
            fields.append(colour + ":" + str(faces))
        self._say("HELLO", self.number, now, fields)

    def _say(self, type, number, now, fields):
        if len(self._out) < OUT_MAX:
            head = [type, self.boot, str(number), str(now % CLOCK)]
            self._out.append(frame(" ".join(head + fields)))

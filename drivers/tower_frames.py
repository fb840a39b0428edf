"""The dice tower's lines: `$` body `*` CRC, and how they are found again in a disturbed stream.

`wiring/tower-protocol.md` is the specification; this is the only place that knows the bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

START, END, RETURN = ord("$"), ord("\n"), ord("\r")
FRAME_MAX = 255  # bytes, from $ to the line feed
CRC_LENGTH = 5  # the star and four digits


@dataclass(slots=True)
class Counts:
    """What has gone wrong on one line, since the program started."""

    noise: int = 0  # bytes outside any frame
    broken: int = 0  # frames that broke off, ran too long or held what no frame holds
    bad_crc: int = 0
    unknown: int = 0  # frames of a type that this side does not know
    malformed: int = 0  # a good CRC, and fields without sense
    repeated: int = 0  # reports that had come before
    missing: int = 0  # reports that never came
    reboots: int = 0  # of the tower, while somebody watched

    @property
    def frames_spoilt(self) -> int:
        return self.broken + self.bad_crc + self.unknown + self.malformed

    def __str__(self) -> str:
        told = [(field.name.replace("_", " "), getattr(self, field.name)) for field in fields(self)]
        return ", ".join(f"{name} {value}" for name, value in told if value) or "none"


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740: polynomial 0x1021, from 0xFFFF, not reflected; "123456789" gives 0x29B1."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def frame(body: str) -> bytes:
    data = body.encode("ascii")
    framed = b"$%s*%04X\n" % (data, crc16(data))
    if len(framed) > FRAME_MAX:
        raise ValueError(f"a frame holds {FRAME_MAX} bytes, this one has {len(framed)}: {body}")
    return framed


class Framer:
    """Takes bytes as they come; gives the bodies of whole frames with a good CRC."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._body = bytearray()
        self._inside = False

    def feed(self, data: bytes) -> list[str]:
        bodies = []
        for byte in data:
            if byte == START:  # stands nowhere else: whatever came before, here is a beginning
                self._counts.broken += self._inside
                self._body.clear()
                self._inside = True
            elif not self._inside:
                self._counts.noise += byte not in (END, RETURN)
            elif byte == END:
                self._inside = False
                body = self._checked()
                if body is not None:
                    bodies.append(body)
            elif byte == RETURN:
                continue
            elif not 0x20 <= byte <= 0x7E or len(self._body) + 2 >= FRAME_MAX:
                self._counts.broken += 1
                self._inside = False
            else:
                self._body.append(byte)
        return bodies

    def forget(self) -> None:
        """The line was opened anew: what was begun on the old one will not be finished."""
        self._counts.broken += self._inside
        self._inside = False

    def _checked(self) -> str | None:
        data, crc = bytes(self._body[:-CRC_LENGTH]), bytes(self._body[-CRC_LENGTH:])
        if len(crc) < CRC_LENGTH or crc[0] != ord("*"):
            self._counts.broken += 1
        elif crc != b"*%04X" % crc16(data):
            self._counts.bad_crc += 1
        else:
            return data.decode("ascii")
        return None

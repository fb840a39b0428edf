"""PN532 frames, without any I/O: commands to bytes, bytes to what they mean.

A frame is `00 00 FF LEN LCS TFI … DCS 00`; the two checksums make their parts sum up to zero.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

HOST, CHIP = 0xD4, 0xD5  # who speaks: the byte before the command's code
START = b"\x00\xff"
ACK = b"\x00\x00\xff\x00\xff\x00"  # from the host it also aborts the running command
NACK = b"\x00\x00\xff\xff\x00\x00"  # from the host it asks for the last answer again
SYNTAX_ERROR = 0x7F
AROUND = 9  # bytes of an answer's frame beside its data
LONGEST = 265  # data of the longest frame the chip knows, its code included


class Answer(NamedTuple):
    command: int  # the code of the command that is answered
    data: bytes


class Longer(NamedTuple):
    """A frame that has begun well, but was not read to its end."""

    size: int  # bytes it has in all


class Garbled(NamedTuple):
    why: str


class Signal(Enum):
    """Frames that say one thing only."""

    ACK = "acknowledged"
    NACK = "not understood"
    ERROR = "refused"


Frame = Answer | Longer | Garbled | Signal


class Target(NamedTuple):
    """A tag as InListPassiveTarget tells of it."""

    number: int
    uid: bytes


# A reader is told, and says, the same few things hundreds of times a minute.
@lru_cache(maxsize=64)
def command(code: int, *parameters: int) -> bytes:
    body = bytes((HOST, code, *parameters))
    return bytes((0, *START, len(body), -len(body) & 0xFF, *body, -sum(body) & 0xFF, 0))


@lru_cache(maxsize=256)
def decode(data: bytes) -> Frame:
    """What the chip said. `data` is one whole reading, without its status byte; the bytes after
    the frame do not matter."""
    start = data.find(START)
    if start < 0:
        return Garbled("no frame in it")
    if any(data[:start]):
        return Garbled("noise before the frame")
    at = start + len(START)
    head = data[at : at + 5]
    if len(head) < 2:
        return Garbled("half a frame")
    match head[0], head[1]:
        case 0x00, 0xFF:
            return Signal.ACK
        case 0xFF, 0x00:
            return Signal.NACK
        case 0xFF, 0xFF:  # an extended frame: two bytes of length
            if len(head) < 5:
                return Garbled("half a frame")
            length, check, at = head[2] << 8 | head[3], sum(head[2:5]), at + 5
        case _:
            length, check, at = head[0], head[0] + head[1], at + 2
    if check & 0xFF:
        return Garbled("wrong checksum of the length")
    if not 1 <= length <= LONGEST:
        return Garbled(f"an impossible length ({length})")
    end = at + length
    if len(data) < end + 2:
        return Longer(end + 2)
    if sum(data[at : end + 1]) & 0xFF:
        return Garbled("wrong checksum")
    if data[end + 1]:
        return Garbled("no end of the frame")
    return _meaning(data[at:end])


def _meaning(body: bytes) -> Frame:
    if body == bytes((SYNTAX_ERROR,)):
        return Signal.ERROR
    if body[0] != CHIP or len(body) < 2 or not body[1] & 1:
        return Garbled("not an answer of a PN532")
    return Answer(body[1] - 1, body[2:])


@lru_cache(maxsize=256)
def targets(data: bytes) -> tuple[Target, ...]:
    """The tags (106 kbit/s, type A) in an answer to InListPassiveTarget.

    Raises ValueError where its lengths do not fit together.
    """
    found: list[Target] = []
    at = 1
    for _ in range(data[0] if data else 0):
        number, sel_res, size = data[at : at + 1], data[at + 3 : at + 4], data[at + 4 : at + 5]
        uid = data[at + 5 : at + 5 + (size[0] if size else 0)]
        if not size or len(uid) != size[0] or size[0] not in (4, 7, 10):
            raise ValueError("its list of tags breaks off")
        at += 5 + len(uid)
        if sel_res[0] & 0x20 and at < len(data):  # an ISO 14443-4 card adds its ATS
            at += max(1, data[at])
        found.append(Target(number[0], uid))
    if not data or at > len(data):
        raise ValueError("its list of tags breaks off")
    return tuple(found)


def list_size(uid_length: int | None) -> int:
    """Bytes of the frame that lists one plain tag, or none."""
    return AROUND + (1 if uid_length is None else 6 + uid_length)

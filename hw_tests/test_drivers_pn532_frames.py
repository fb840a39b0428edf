"""The PN532's frames: what is said, and what is understood of what comes back."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drivers.pn532_frames import (
    ACK,
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

EMPTY = bytes.fromhex("0000ff03fdd54b00e000")
ONE_TAG = bytes.fromhex("0000ff0cf4d54b010100040804deadbeef4e00")
VERSION = bytes.fromhex("0000ff06fad50332010607e800")


@pytest.mark.parametrize(
    ("code", "parameters", "frame"),
    [
        (0x02, (), "0000ff02fed4022a00"),
        (0x14, (0x01, 0x14, 0x01), "0000ff05fbd4140114010200"),
        (0x32, (0x05, 0xFF, 0x01, 0x01), "0000ff06fad43205ff0101f400"),
        (0x32, (0x01, 0x00), "0000ff04fcd4320100f900"),
        (0x4A, (0x01, 0x00), "0000ff04fcd44a0100e100"),
    ],
)
def test_commands_are_framed(code, parameters, frame):
    assert command(code, *parameters) == bytes.fromhex(frame)


@pytest.mark.parametrize(
    ("data", "meaning"),
    [
        (ACK, Signal.ACK),
        (NACK, Signal.NACK),
        (bytes.fromhex("0000ff01ff7f8100"), Signal.ERROR),
        (VERSION, Answer(0x02, b"\x32\x01\x06\x07")),
        (EMPTY, Answer(0x4A, b"\x00")),
        (EMPTY + b"\xff\xff", Answer(0x4A, b"\x00")),  # what follows a frame does not matter
        (EMPTY[1:], Answer(0x4A, b"\x00")),  # nor whether there is a preamble
        (bytes.fromhex("0000ffffff0003fdd54b00e000"), Answer(0x4A, b"\x00")),  # extended
        (ONE_TAG[:11], Longer(len(ONE_TAG))),
        (ONE_TAG[:-1], Longer(len(ONE_TAG))),
        (bytes(10), Garbled("no frame in it")),
        (b"", Garbled("no frame in it")),
        (b"\xff" * 10, Garbled("no frame in it")),
        (b"\x80" + EMPTY, Garbled("noise before the frame")),
        (EMPTY[:4], Garbled("half a frame")),
        (bytes.fromhex("0000ffffff00"), Garbled("half a frame")),
        (bytes.fromhex("0000ff03fcd54b00e000"), Garbled("wrong checksum of the length")),
        (bytes.fromhex("0000ff03fdd54b00e100"), Garbled("wrong checksum")),
        (bytes.fromhex("0000ff03fdd54b00e001"), Garbled("no end of the frame")),
        (bytes.fromhex("0000ffffff000000d500"), Garbled("an impossible length (0)")),
        (bytes.fromhex("0000ffffff7f80017f00"), Garbled("an impossible length (32640)")),
        (command(0x4A, 1, 0), Garbled("not an answer of a PN532")),  # our own, echoed
        (bytes.fromhex("0000ff01ffd52b00"), Garbled("not an answer of a PN532")),
        (bytes.fromhex("0000ff02fed54ae100"), Garbled("not an answer of a PN532")),
    ],
)
def test_readings_are_understood_or_named(data, meaning):
    assert decode(data) == meaning


def test_the_tags_in_a_list():
    (tag,) = targets(bytes.fromhex("0101 0004 08 04 deadbeef"))
    assert (tag.number, tag.uid.hex()) == (1, "deadbeef")
    two = bytes.fromhex("02 01 0004 08 04 deadbeef 02 0344 20 07 04010203040506 05 7577810280")
    assert [tag.uid.hex() for tag in targets(two)] == ["deadbeef", "04010203040506"]
    assert targets(b"\x00") == ()
    assert list_size(None) == len(EMPTY)
    assert list_size(4) == len(ONE_TAG)


@pytest.mark.parametrize(
    "data", ["", "01", "0101000408", "010100040804deadbe", "010100040805deadbeef00", "ff"]
)
def test_a_list_that_breaks_off(data):
    with pytest.raises(ValueError, match="breaks off"):
        targets(bytes.fromhex(data))


def read_all(data: bytes) -> None:
    """Whatever comes over the wire is understood or named, and never raises anything else."""
    frame = decode(data)
    if isinstance(frame, Longer):
        assert len(data) < frame.size < 300
    if isinstance(frame, Answer):
        try:
            assert all(len(tag.uid) in (4, 7, 10) for tag in targets(frame.data))
        except ValueError:
            pass


@given(st.binary(max_size=300))
@example(bytes.fromhex("00ff"))
@example(bytes.fromhex("00ff01ffd52b00"))
@example(bytes.fromhex("0000ffffff"))
def test_no_reading_is_too_strange(data):
    read_all(data)


@given(st.binary(max_size=250), st.integers(0, 40))
def test_no_list_is_too_strange(data, tail):
    body = b"\xd5\x4b" + data
    frame = bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))
    assert decode(frame + bytes(tail)) == Answer(0x4A, data)
    read_all(frame)


@given(st.sampled_from([EMPTY, ONE_TAG, VERSION]), st.data())
def test_a_flipped_bit_is_never_another_answer(frame, data):
    at, bit = data.draw(st.integers(0, len(frame) - 1)), data.draw(st.integers(0, 7))
    spoilt = frame[:at] + bytes((frame[at] ^ 1 << bit,)) + frame[at + 1 :]
    assert not isinstance(decode(spoilt), Answer)


@pytest.mark.soak
def test_a_million_random_bytes():
    rng = random.Random(5)
    left = 1_000_000
    while left > 0:
        data = bytearray(rng.randbytes(rng.randrange(1, 60)))
        left -= len(data)
        if rng.random() < 0.7:  # most get as far as a checksum, some as far as a list
            data[:3] = b"\x00\x00\xff"
            if rng.random() < 0.7 and len(data) > 9:
                length = min(rng.randrange(2, 40), len(data) - 7)
                data[3:5] = length, -length & 0xFF
                data[5:7] = b"\xd5\x4b"
                data[5 + length : 7 + length] = -sum(data[5 : 5 + length]) & 0xFF, 0
        read_all(bytes(data))

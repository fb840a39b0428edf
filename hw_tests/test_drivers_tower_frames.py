"""The tower's lines, byte by byte, as `wiring/tower-protocol.md` has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.tower_frames import FRAME_MAX, Counts, Framer, crc16, frame

DOCUMENT = Path(__file__).parent.parent / "wiring" / "tower-protocol.md"
BODIES = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="$"))


def fed(data: bytes) -> tuple[list[str], Counts]:
    counts = Counts()
    return Framer(counts).feed(data), counts


def test_the_crc_has_its_check_value():
    assert crc16(b"123456789") == 0x29B1
    assert crc16(b"") == 0xFFFF


def test_every_frame_in_the_document_is_a_frame():
    """Whoever writes a firmware from the document tests it with these."""
    examples = re.findall(r"\$[^`$\n]+\*[0-9A-F]{4}", DOCUMENT.read_text())
    assert len(examples) >= 10
    for example in examples:
        bodies, counts = fed(f"{example}\n".encode())
        assert bodies == [example[1:-5]], example
        assert counts == Counts()


def test_the_worked_crc_of_the_document():
    steps = ", ".join(f"{crc16(b'WHO 1'[:n]):04X}" for n in range(1, 6))
    assert f"register after each byte is {steps}" in DOCUMENT.read_text()
    assert frame("WHO 1").hex(" ").upper() in DOCUMENT.read_text()


@given(BODIES.filter(lambda body: len(body) <= FRAME_MAX - 7), st.integers(1, 9))
def test_whatever_the_pieces_a_frame_comes_whole(body, size):
    data, counts = frame(body), Counts()
    framer = Framer(counts)
    bodies = []
    for at in range(0, len(data), size):
        bodies += framer.feed(data[at : at + size])
    assert bodies == [body]
    assert counts == Counts()


@given(st.binary(max_size=300), BODIES.filter(lambda body: len(body) <= 200))
def test_after_any_noise_the_next_frame_is_heard(noise, body):
    bodies, _ = fed(noise + frame(body))
    assert bodies[-1:] == [body]


@given(BODIES.filter(lambda body: 0 < len(body) <= 200), st.data())
def test_a_damaged_frame_is_no_frame(body, data):
    sent = bytearray(frame(body))
    at = data.draw(st.integers(1, len(sent) - 2))
    sent[at] ^= 1 << data.draw(st.integers(0, 7))
    bodies, counts = fed(bytes(sent))
    if sent[at] == ord("\r"):  # skipped, and the CRC misses what stood there
        assert counts.bad_crc + counts.broken == 1
    assert bodies == []
    assert counts.frames_spoilt + counts.noise > 0


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"xyz", {"noise": 3}),
        (b"\r\n\n", {}),
        (b"$WHO 1*99BD\r\n", {}),
        (b"$WHO 1*99BE\n", {"bad_crc": 1}),
        (b"$WHO 1*99bd\n", {"bad_crc": 1}),  # capitals, and nothing else
        (b"$WHO 1 99BD\n", {"broken": 1}),
        (b"$*\n", {"broken": 1}),
        (b"$\n", {"broken": 1}),
        (b"$WHO$WHO 1*99BD\n", {"broken": 1}),
        (b"$WH\x00O 1*99BD\n", {"broken": 1, "noise": 8}),
        (b"$WH\xff", {"broken": 1}),
        (b"$" + 253 * b"a", {}),
        (b"$" + 254 * b"a", {"broken": 1}),
        (b"$" + 300 * b"a", {"broken": 1, "noise": 46}),
    ],
)
def test_what_is_wrong_is_counted(data, wrong):
    assert fed(data)[1] == Counts(**wrong)


def test_the_longest_frame_and_one_more():
    body = (FRAME_MAX - 7) * "a"
    assert len(frame(body)) == FRAME_MAX
    assert fed(frame(body))[0] == [body]
    with pytest.raises(ValueError, match="255 bytes, this one has 256"):
        frame(body + "a")


def test_memory_stays_small_whatever_comes():
    framer = Framer(Counts())
    framer.feed(b"$" + 100_000 * b"a" + b"$" + 100 * b"b")
    assert len(framer._body) <= FRAME_MAX


def test_counts_are_told_in_words():
    assert str(Counts()) == "none"
    assert str(Counts(noise=3, bad_crc=1)) == "noise 3, bad crc 1"

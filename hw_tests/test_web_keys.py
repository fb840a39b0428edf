"""Codes and keys: once, one role one key, and after a restart as before."""

from __future__ import annotations

import stat

import pytest

from firmware_host.web.guard import ADDRESSES, Rate
from firmware_host.web.keys import ALPHABET, HOST, LIFE, Key, Keys, hashed, roles


class Clock:
    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


def test_a_code_is_eight_plain_signs_good_once_and_for_a_while(clock):
    keys = Keys(None, clock)
    code = keys.invite("seat 0 Ana")
    assert len(code) == 8
    assert set(code) <= set(ALPHABET)
    assert keys.redeem("A" * 8) is None
    typed = f" {code[:4].lower()}-{code[4:]}"
    assert keys.redeem(typed) == "seat 0 Ana"
    assert keys.redeem(code) is None
    late = keys.invite(HOST)
    clock.time += LIFE + 1
    assert keys.redeem(late) is None


def test_a_new_invitation_makes_the_old_one_void(clock):
    keys = Keys(None, clock)
    old, other, new = keys.invite("seat 0 Ana"), keys.invite(HOST), keys.invite("seat 0 Ana")
    assert keys.redeem(old) is None
    assert keys.redeem(other) == HOST
    assert keys.redeem(new) == "seat 0 Ana"


def test_one_seat_one_key_and_one_phone_several_seats():
    keys, names = Keys(None), ("Ana", "Bo", "Ana")
    ana, bo, other = roles(names)
    assert len({ana, bo, other}) == 3
    keys.give(ana, hashed("first"))
    keys.give(bo, hashed("first"))
    keys.give(HOST, hashed("second"))
    assert keys.of("first", names) == Key(hashed("first"), (0, 1), False)
    keys.give(ana, hashed("second"))
    assert keys.of("first", names).seats == (1,)
    assert keys.of("second", names) == Key(hashed("second"), (0,), True)
    for stranger in (None, "", "third", hashed("first"), "\udcff"):
        assert not keys.of(stranger, names)


def test_a_key_is_a_person_s_not_a_chair_s():
    keys = Keys(None)
    keys.give("seat 0 Ana", hashed("a"))
    keys.give("seat 0 Bo", hashed("b"))
    keys.give(HOST, hashed("h"))
    keys.keep(("Cy", "Ana"))
    assert keys.of("a", ("Cy", "Ana")).seats == (1,)
    assert keys.of("h", ("Cy", "Ana")).host
    keys.keep(("Bo", "Ana"))
    assert not keys.of("b", ("Bo", "Ana"))  # another Bo, for all we know


def test_the_file_holds_no_key_and_outlives_the_daemon(tmp_path):
    file = tmp_path / "cavale.db.keys"
    Keys(file).give(HOST, hashed("token"))
    assert "token" not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Keys(file).of("token", ()).host
    Keys(file).take(HOST)
    assert not Keys(file).of("token", ())


@pytest.mark.parametrize(
    "damage", [b"", b"{", b'{"v":1}', b"\xff\x00", b'{"v":1,"holders":{"a":1}}']
)
def test_a_damaged_file_costs_the_keys_and_nothing_else(tmp_path, damage, caplog):
    file = tmp_path / "keys"
    file.write_bytes(damage)
    keys = Keys(file)
    assert "phones must join anew" in caplog.text
    keys.give(HOST, hashed("token"))
    assert Keys(file).of("token", ()).host


def test_a_file_that_cannot_be_written_is_said_and_keys_work_meanwhile(tmp_path, caplog):
    (tmp_path / "file").touch()
    keys = Keys(tmp_path / "file" / "keys")  # a file is no folder, not even root's
    keys.give(HOST, hashed("token"))
    assert "not written" in caplog.text
    assert keys.of("token", ()).host


def test_a_rate_gives_each_their_own_and_forgets_the_oldest(clock):
    rate = Rate(2.0, 1.0, clock)
    assert [rate.allows("a") for _ in range(3)] == [True, True, False]
    assert rate.allows("b")
    clock.time += 1.0
    assert [rate.allows("a") for _ in range(2)] == [True, False]
    for n in range(2 * ADDRESSES):
        rate.allows(f"stranger {n}")
    assert len(rate._left) == ADDRESSES

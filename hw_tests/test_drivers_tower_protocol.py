"""Both halves of the tower's protocol, each on its own, with bytes written by hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.sim.tower_firmware import TowerFirmware
from drivers.tower_frames import Counts, Framer, frame
from drivers.tower_protocol import Cocked, Die, Hello, Mark, Roll, TowerProtocol

A, B = "3f9a01c2", "91c40e77"


def said(data: bytes) -> list[str]:
    return Framer(Counts()).feed(data)


def hello(boot: str = A, number: int = 0, dice: str = "red:6 blue:6") -> str:
    return f"HELLO {boot} {number} 12 1 tower-1.0 {dice}".rstrip()


def dice(number: int, tray: str = "red=5 blue=2", boot: str = A, age: int = 0) -> str:
    return f"DICE {boot} {number} {5000 + age} 5000 {tray}".rstrip()


class Host(TowerProtocol):
    """Hears bodies and tells what it sends, so that a test reads like the document."""

    def hears(self, *bodies: str, now: float = 100.0) -> list:
        return self.receive(b"".join(frame(body) for body in bodies), now)

    @property
    def says(self) -> list[str]:
        return said(self.bytes_to_send())


def met(acked: Mark | None = None, boot: str = A, number: int = 0) -> Host:
    host = Host(acked)
    host.opened(100.0)
    host.tick(100.0)
    host.hears(hello(boot, number))
    host.bytes_to_send()
    return host


# The host.


def test_it_asks_until_it_is_answered():
    host = Host()
    host.opened(7.0)
    assert host.next_due == 7.0
    host.tick(7.0)
    assert host.says == ["WHO 1"]
    host.tick(7.4)
    assert host.says == []
    assert host.next_due == 7.5
    host.tick(7.5)
    assert host.says == ["WHO 1"]
    assert host.hears(hello(), now=7.6) == [
        Hello(A, "tower-1.0", (("red", 6), ("blue", 6)), rebooted=False)
    ]
    host.tick(9.0)
    assert host.says == []
    assert host.next_due == float("inf")
    assert host.heard_at == 7.6


def test_a_roll_is_acknowledged_when_the_table_says_so():
    host = met()
    (roll,) = host.hears(dice(1, age=250), now=200.0)
    assert roll == Roll(Mark(A, 1), (Die("red", 5), Die("blue", 2)), at=199.75)
    assert host.says == []
    assert host.hears(dice(1, age=500)) == []  # it is repeated; the disk is slow
    assert host.says == []
    host.ack(roll.mark)
    assert host.next_due == float("-inf")
    assert host.says == [f"ACK {A} 1"]
    assert host.hears(dice(1, age=1000)) == []  # the acknowledgement was lost
    assert host.says == [f"ACK {A} 1"]
    assert host.counts == Counts(repeated=2)


def test_cocked_dice_are_no_roll_and_need_no_journal():
    host = met()
    (event,) = host.hears(dice(1, "red=cocked blue=2"))
    assert event == Cocked(Mark(A, 1), (Die("red", None), Die("blue", 2)), at=100.0)
    assert host.says == [f"ACK {A} 1"]
    (event,) = host.hears(dice(2, "blue=2 red=6"))
    assert event.dice == (Die("blue", 2), Die("red", 6))


@pytest.mark.parametrize("tray", ["", "red=5", "red=1 red=2", "dark_green=0 w20=20"])
def test_dice_may_be_missing_doubled_or_strange(tray):
    """What the table makes of them is for the rules to say."""
    (roll,) = met().hears(dice(1, tray))
    assert " ".join(f"{colour}={face}" for colour, face in roll.dice) == tray


def test_a_restarted_host_does_not_count_a_journalled_roll_again():
    host = met(acked=Mark(A, 5), number=5)
    assert host.hears(dice(5)) == []
    assert host.says == [f"ACK {A} 5"]
    (roll,) = host.hears(dice(6))
    assert roll.mark == Mark(A, 6)


def test_a_restarted_host_is_given_the_roll_that_it_had_not_journalled():
    host = met(acked=Mark(A, 4), number=5)
    (roll,) = host.hears(dice(5))
    assert roll.mark == Mark(A, 5)


def test_a_restarted_tower_starts_over_with_its_numbers():
    host = met()
    (roll,) = host.hears(dice(1, "red=3"))
    (restart,) = host.hears(hello(B))
    assert restart.rebooted
    host.ack(roll.mark)  # of a session that is over: nobody is there to be told
    assert host.says == []
    (roll,) = host.hears(dice(1, "red=4", boot=B))
    assert roll.mark == Mark(B, 1)
    assert host.counts == Counts(reboots=1)


def test_a_restart_whose_hello_was_lost_is_noticed_by_the_next_frame():
    host = met()
    for body in (f"BEAT {B} 0 1012", dice(1, boot=B)):
        host.tick(200.0)
        host.bytes_to_send()
        assert host.hears(body, now=300.0) == []
        assert host.says == ["WHO 1"]
        host = met()
    host.hears(dice(1, boot=B), now=300.0)
    _, roll = host.hears(hello(B, 1), dice(1, boot=B), now=300.1)
    assert roll.mark == Mark(B, 1)


def test_it_does_not_shout_while_it_waits_for_an_answer():
    host = met()
    for _ in range(20):
        host.hears(f"BEAT {B} 0 1012", now=300.0)
    assert host.says == ["WHO 1"]
    host.hears(f"BEAT {B} 0 1012", now=300.1)
    assert host.says == []


def test_two_towers_may_take_turns():
    host = met()
    host.hears(dice(1))
    host.ack(Mark(A, 1))
    host.hears(hello(B), dice(1, boot=B))
    _, roll = host.hears(hello(A, 2), dice(1), dice(2))
    assert roll.mark == Mark(A, 2)
    assert f"ACK {A} 1" in host.says


def test_a_firmware_that_repeats_its_boot_id_is_found_out():
    host = met()
    host.hears(dice(1), dice(2))
    host.ack(Mark(A, 2))
    host.bytes_to_send()
    assert host.hears(f"BEAT {A} 0 1012", now=200.0) == []
    assert host.says == ["WHO 1"]
    (restart,) = host.hears(hello())
    assert restart.rebooted
    (roll,) = host.hears(dice(1, "red=1"))
    assert roll.dice == (Die("red", 1),)
    assert host.counts.reboots == 1


def test_numbers_left_out_are_counted():
    host = met()
    assert len(host.hears(dice(1), dice(4))) == 2
    assert host.counts.missing == 2


def test_reports_that_an_earlier_program_took_are_not_missing():
    host = met(acked=Mark(A, 3), number=6)
    host.hears(dice(6))
    assert host.counts.missing == 0
    host.hears(dice(8))
    assert host.counts.missing == 1


def test_a_new_line_is_a_new_acquaintance():
    host = met()
    host.receive(frame(dice(1))[:10], 100.0)
    host.ack(Mark(A, 1))
    host.opened(110.0)
    assert host.says == []
    assert host.hears(dice(1)) == []
    assert host.hears(hello(number=1)) == []  # the same session: nothing to tell
    assert len(host.hears(dice(1))) == 1
    assert host.counts == Counts(broken=1)


def test_another_version_is_said_and_not_listened_to():
    host = Host()
    host.opened(0.0)
    assert host.hears(f"HELLO {A} 0 12 2 and who knows what", dice(1)) == []
    assert host.heard_at is None
    assert host.problem == (
        "the tower speaks version 2 of its protocol, this table version 1: "
        "bring the older of the two up to date"
    )
    host.hears(hello())
    assert host.problem == ""


def test_the_towers_clock_may_start_over():
    (roll,) = met().hears(f"DICE {A} 1 200 4294967096 red=1", now=50.0)
    assert roll.at == pytest.approx(49.6)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("", "unknown"),
        ("dice", "unknown"),
        ("WHO 1", "unknown"),
        (f"ACK {A} 1", "unknown"),
        ("DICE", "malformed"),
        (dice(0), "malformed"),
        (dice(1, "red=5  blue=2"), "malformed"),
        (dice(1) + " ", "malformed"),
        (dice(1, "red=-1"), "malformed"),
        (dice(1, "red=100"), "malformed"),
        (dice(1, "red=05"), "malformed"),
        (dice(1, "Red=5"), "malformed"),
        (dice(1, "red=askew"), "malformed"),
        (dice(1, "red=5 " * 9), "malformed"),
        (f"DICE {A.upper()} 1 5 5 red=1", "malformed"),
        (f"DICE {A} 01 5 5 red=1", "malformed"),
        (f"DICE {A} 9999999999 5 5 red=1", "malformed"),
        (f"BEAT {A} 1", "malformed"),
        (f"BEAT {A} 1 5 5", "malformed"),
        (f"HELLO {A} 0 12 1", "malformed"),
        (f"HELLO {A} 0 12 1 tower red", "malformed"),
        (f"HELLO {A} 0 12 1 tower red:0", "malformed"),
        (f"HELLO {A} 0 12 zwei tower", "malformed"),
    ],
)
def test_bad_frames_are_counted_and_change_nothing(body, wrong):
    host = met()
    assert host.hears(body) == []
    assert host.says == []
    assert host.counts == Counts(**{wrong: 1})
    assert len(host.hears(dice(1))) == 1


WORDS = st.sampled_from(
    [
        "HELLO",
        "BEAT",
        "DICE",
        "WHO",
        "ACK",
        A,
        B,
        "0",
        "1",
        "2",
        "3",
        "red=5",
        "red=cocked",
        "red:6",
    ]
)


@given(st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=40))
def test_frames_of_any_words_are_survived_by_both(bodies):
    host, tower = Host(), TowerFirmware(A, [("red", 6)])
    for n, body in enumerate(bodies):
        events = host.hears(body, now=float(n))
        for event in events:
            if isinstance(event, Roll):
                host.ack(event.mark)
        tower.receive(n * 100, frame(body))
        tower.tick(n * 100)
    assert len(host.bytes_to_send()) <= 40 * 40
    assert len(tower.bytes_to_send()) <= 1024


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_bytes_of_any_kind_are_survived_by_both(chunks):
    _survive(chunks)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alphabet", [bytes(range(256)), b"$*\n\r HELOBATDICWK0123456789abcdef=:"])
def test_a_million_bytes_are_survived_by_both(alphabet, seed):
    rng = random.Random(seed)
    _survive(bytes(rng.choices(alphabet, k=rng.randint(1, 1999))) for _ in range(1000))


def _survive(chunks) -> None:
    host, tower = met(), TowerFirmware(A, [("red", 6)])
    tower.fell(0)
    tower.look(0, [("red", 4)], False)
    tower.tick(1000)
    for n, chunk in enumerate(chunks):
        assert host.receive(chunk, float(n)) == []
        tower.receive(n, chunk)
    (roll,) = host.receive(frame(hello(number=1)) + frame(dice(1)), 1e6)[-1:]
    assert roll.dice[0] == Die("red", 5)
    assert [number for number, _, _ in tower.waiting] == [1]
    tower.receive(5000, frame(f"ACK {A} 1"))
    assert tower.waiting == []


# The tower.


class Box(TowerFirmware):
    @property
    def says(self) -> list[str]:
        return said(self.bytes_to_send())

    def hears(self, now: int, *bodies: str) -> None:
        self.receive(now, b"".join(frame(body) for body in bodies))

    def throw(self, now: int, *tray: tuple[str, int | None]) -> None:
        """A throw that is over when this returns."""
        self.fell(now)
        self.look(now, list(tray), False)
        self.tick(now + 500)


def box() -> Box:
    tower = Box(A, [("red", 6), ("blue", 6)])
    assert tower.says == [f"HELLO {A} 0 0 1 cavale-tower-sim red:6 blue:6"]
    return tower


def test_it_reports_dice_when_they_lie_still():
    tower = box()
    tower.fell(100)
    tower.look(120, [], True)
    tower.look(300, [("red", 5)], True)
    tower.look(700, [("red", 5), ("blue", 2)], False)
    assert tower.due() == 1000
    tower.tick(1199)
    assert tower.says == [f"BEAT {A} 0 1199"]
    tower.tick(1200)
    assert tower.says == [f"DICE {A} 1 1200 700 red=5 blue=2"]


def test_hands_in_the_tray_are_no_throw():
    tower = box()
    tower.look(0, [("red", 5), ("blue", None)], False)
    tower.look(600, [("red", 5)], False)
    tower.look(1200, [("red", 6)], False)
    tower.tick(9000)
    assert tower.says == [f"BEAT {A} 0 9000"]


def test_the_same_faces_again_are_a_throw():
    tower = box()
    tower.throw(0, ("red", 5))
    tower.hears(600, f"ACK {A} 1")
    tower.throw(2000, ("red", 5))
    assert [body for body in tower.says if body.startswith("DICE")] == [
        f"DICE {A} 1 500 0 red=5",
        f"DICE {A} 2 2500 2000 red=5",
    ]


def test_a_report_is_repeated_ever_more_seldom_until_it_is_acknowledged():
    tower = box()
    tower.throw(0, ("red", None))
    told = []
    for now in range(500, 12000, 10):
        tower.tick(now)
        told += [now for body in tower.says if body == f"DICE {A} 1 {now} 0 red=cocked"]
    assert told == [500, 750, 1250, 2250, 4250, 6250, 8250, 10250]
    tower.hears(12000, f"ACK {A} 1")
    tower.tick(20000)
    assert tower.says == [f"BEAT {A} 1 20000"]


@pytest.mark.parametrize("ack", [f"ACK {B} 1", f"ACK {A} 2", f"ACK {A} 0", f"ACK {A}", "ACK"])
def test_only_its_own_acknowledgement_ends_a_report(ack):
    tower = box()
    tower.throw(0, ("red", 1))
    tower.throw(600, ("red", 2))
    tower.hears(1200, ack)
    assert [number for number, _, _ in tower.waiting] == [1, 2]


def test_one_report_after_the_other():
    tower = box()
    tower.throw(0, ("red", 1))
    tower.throw(600, ("red", 2))
    assert not any(body.startswith(f"DICE {A} 2") for body in tower.says)
    tower.hears(1200, f"ACK {A} 1")
    assert tower.says == [f"DICE {A} 2 1200 600 red=2"]


def test_asked_who_it_is_it_says_what_waits_at_once():
    tower = box()
    tower.throw(0, ("red", 1))
    tower.tick(20000)
    tower.bytes_to_send()
    tower.hears(20001, "WHO 1")
    assert tower.says == [
        f"HELLO {A} 1 20001 1 cavale-tower-sim red:6 blue:6",
        f"DICE {A} 1 20001 0 red=1",
    ]
    assert tower.due() == 20251


def test_with_nobody_there_it_keeps_eight_and_the_gap_tells():
    tower = box()
    for n in range(10):
        tower.throw(n * 600, ("red", n))
    assert [number for number, _, _ in tower.waiting] == [1, 2, 3, 4, 5, 6, 7, 8]
    for n in range(1, 9):
        tower.hears(9000 + n, f"ACK {A} {n}")
    tower.throw(10000, ("red", 3))
    assert [number for number, _, _ in tower.waiting] == [11]


def test_a_port_that_takes_nothing_does_not_fill_its_memory():
    tower = box()
    for n in range(1000):
        tower.tick(n * 1000)
    data = tower.bytes_to_send()
    assert 900 < len(data) <= 1024
    assert data.endswith(b"\n")


def test_its_clock_may_start_over():
    tower = Box(A, [], now=2**32 - 100)
    tower.bytes_to_send()
    tower.throw(2**32 - 100, ("red", 1))
    assert tower.says[0] == f"DICE {A} 1 400 {2**32 - 100} red=1"


def test_a_frame_holds_the_dice_of_the_largest_set():
    longest = [(f"{'x' * 15}{n}", 6) for n in range(8)]
    tower = Box(A, longest, now=2**32 - 1)
    tower.throw(2**32 - 1, *((colour, None) for colour, _ in longest))
    restart, cocked = Host().hears(*tower.says)
    assert restart.dice == tuple(longest)
    assert cocked.dice == tuple(Die(colour, None) for colour, _ in longest)
    with pytest.raises(ValueError, match="8 dice at most"):
        Box(A, [*longest, ("one_more", 6)])

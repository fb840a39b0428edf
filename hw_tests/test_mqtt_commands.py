"""Commands from afar: checked like any input, answered once, done once."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_host.inbox import Begin, Intend
from firmware_host.mqtt.commands import BURST, LARGEST, REMEMBERED, Commands
from firmware_host.snapshot import Snapshot
from firmware_host.texts import TEXTS
from game_logic.breakout.moves import Push
from game_logic.core import Act, Rolled, encode
from hw_tests.rig import Rig


class Afar:
    """Somebody who sends commands to a rig, slowly enough unless told otherwise."""

    def __init__(self, rig, confirm=False):
        self.rig, self.now, self.replies = rig, 100.0, []
        self._commands = Commands(
            rig.table.inbox,
            lambda: rig.table.snapshot,
            lambda reply: self.replies.append(json.loads(reply)),
            lambda: self.now,
            confirm=confirm,
        )

    def send(self, data, *, retained=False, wait=True):
        """The answers to this one."""
        before = len(self.replies)
        self.now += 1.0 if wait else 0.0
        if not isinstance(data, bytes):
            data = json.dumps(data).encode()
        self._commands.received(data, retained=retained)
        if wait:
            self.rig.wait()
        return self.replies[before:]


@pytest.fixture(scope="module")
def still(tmp_path_factory):
    """A rig for what changes nothing."""
    return Rig(tmp_path_factory.mktemp("still"))


@pytest.fixture
def rig(tmp_path):
    return Rig(tmp_path)


def push(rig, id="1", **more):
    move = {"type": "push", "row": 2, "side": "left"}
    return {"id": id, "do": "move", "seat": rig.turn, "move": move, **more}


def test_a_move_is_made_and_answered(rig):
    afar, first = Afar(rig), rig.turn
    (reply,) = afar.send(push(rig))
    assert reply == {"v": 1, "id": "1", "ok": True, "code": None, "why": None}
    assert rig.moves[-1] == Act(first, Push(2, "left"))


def test_a_repeated_request_gets_the_stored_answer_and_does_nothing_twice(rig):
    afar = Afar(rig)
    command = push(rig)
    (reply,) = afar.send(command)
    seq = rig.record.seq
    assert afar.send(command) == [reply]
    assert rig.record.seq == seq
    undo = {"id": "2", "do": "undo"}
    (reply,) = afar.send(undo)
    assert reply["ok"]
    assert afar.send(undo) == [reply]
    assert rig.record.seq == seq + 1


def test_a_refused_move_says_why(rig):
    afar = Afar(rig)
    (reply,) = afar.send(push(rig) | {"seat": 1 - rig.turn})
    assert not reply["ok"]
    assert reply["why"]["fr"]
    assert reply["why"]["en"]
    assert afar.send(push(rig, "3", seq=99))[0]["code"] == "stale"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe", "malformed"),
        (b"[]", "malformed"),
        (b'{"do": "undo"}', "malformed"),
        (b'{"id": "", "do": "undo"}', "malformed"),
        (b'{"id": "1", "do": "dance"}', "malformed"),
        (b'{"id": "1", "do": "undo", "really": true}', "malformed"),
        (b'{"id": "1", "do": "move", "seat": -1, "move": {}}', "malformed"),
        (b'{"id": "1", "do": "move", "seat": 0, "move": {"type": "fly"}}', "malformed"),
        (b'{"id": "1", "do": "new_game", "game": "chess", "seats": ["A"]}', "no_such_game"),
        (b'{"id": "1", "do": "new_game", "game": "breakout", "seats": ["A"]}', "malformed"),
        (b" " * (LARGEST + 1), "too_long"),
    ],
)
def test_what_is_no_command_is_refused_with_a_reason(still, data, code):
    before = still.record.seq
    (reply,) = Afar(still).send(data)
    assert (reply["ok"], reply["code"]) == (False, code)
    assert reply["why"]["en"]
    assert still.record.seq == before


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["id", "do", "seat", "move", "game"]), inner)
        ),
    )
)
def test_noise_is_answered_and_changes_nothing(still, data):
    before = still.record.seq
    replies = Afar(still).send(data)
    assert [reply["ok"] for reply in replies] == [False]
    assert still.record.seq == before


def test_a_retained_command_is_refused(rig):
    afar, before = Afar(rig), rig.record.seq
    (reply,) = afar.send(push(rig), retained=True)
    assert reply["code"] == "retained"
    assert rig.record.seq == before
    assert afar.send(push(rig))[0]["ok"]  # sent anew, it is a command like others


def test_a_flood_is_refused(rig):
    afar = Afar(rig)
    codes = [afar.send({"id": f"{n}"}, wait=False)[0]["code"] for n in range(40)]
    assert codes.count("malformed") == BURST
    assert set(codes[int(BURST) :]) == {"too_fast"}
    afar.now += 5.0
    assert afar.send(push(rig))[0]["ok"]


def test_answers_are_remembered_within_bounds(still):
    afar = Afar(still)
    for n in range(REMEMBERED + 20):
        afar.now += 1.0
        afar.send({"id": f"{n}", "do": "new_game", "game": "?", "seats": []}, wait=False)
    assert len(afar._commands._replies) == REMEMBERED


def test_secret_moves_are_refused(rig):
    rig.table.inbox.put(Begin("la_grande_evasion", ("Ana", "Bo"), abandon=True))
    rig.wait()
    game, state = rig.record.game, rig.state
    seat = game.to_act(state)[0]
    bet = next(m for m in game.moves(state, seat) if game.secret(state, m, seat))
    before = rig.record.seq
    raw = json.loads(encode(bet))
    (reply,) = Afar(rig).send({"id": "1", "do": "move", "seat": seat, "move": raw})
    assert reply["code"] == "secret"
    assert rig.record.seq == before


def test_undo_and_new_game_wait_for_the_table(rig):
    afar, before = Afar(rig, confirm=True), rig.state
    rig.push(3, "left")
    assert afar.send({"id": "1", "do": "undo"}) == []
    rig.press("next", "confirm")
    assert afar.replies[-1]["ok"]
    assert rig.state == before
    old = rig.record.id
    new = {"id": "2", "do": "new_game", "game": "breakout", "seats": ["Cy", "Di"]}
    assert afar.send(new) == []
    rig.press("confirm")  # stands on no
    assert afar.replies[-1]["why"]["en"] == "The table did not agree."
    assert rig.record.id == old
    assert afar.send({**new, "id": "3"}) == []
    rig.press("next", "confirm")
    rig.wait()
    assert rig.record.id != old
    assert rig.view["seats"] == ["Cy", "Di"]


@pytest.mark.parametrize("confirm", [True, False])
def test_a_correction_takes_back_what_has_come_to_light(tmp_path, confirm):
    """Plain undo stops at a die that everybody saw; a correction does not, if the table agrees."""
    rig = Rig(tmp_path, begin="la_grande_evasion")
    while not any(isinstance(act.move, Rolled) for act in rig.moves):
        game, state = rig.record.game, rig.state
        seat = next(seat for seat in game.to_act(state) if seat >= 0)
        rig.table.inbox.put(Intend((Act(seat, game.moves(state, seat)[0]),)))
        rig.wait()
    afar, seq = Afar(rig, confirm), rig.record.seq
    afar.send({"id": "1", "do": "undo"})
    if confirm:
        rig.press("next", "confirm")
    assert [reply["code"] for reply in afar.replies] == ["refused"]
    assert rig.record.seq == seq
    asked = afar.send({"id": "2", "do": "undo", "correction": True})
    if confirm:
        assert asked == []
        assert rig.record.seq == seq
        assert rig.shot.question.text == TEXTS("proposal_correction")
        rig.press("next", "confirm")
    assert afar.replies[-1]["ok"]
    assert rig.record.seq > seq


def test_pause_and_the_other_way_round(rig):
    afar = Afar(rig)
    assert afar.send({"id": "1", "do": "pause"})[0]["ok"]
    assert rig.shot.paused
    assert not afar.send(push(rig, "2"))[0]["ok"]
    afar.send({"id": "3", "do": "pause"})
    assert not rig.shot.paused


def test_without_a_game(tmp_path):
    rig = Rig(tmp_path, begin=None)
    assert rig.shot == Snapshot(None, *rig.shot[1:])
    (reply,) = Afar(rig).send({"id": "1", "do": "move", "seat": 0, "move": {"type": "push"}})
    assert reply["code"] == "no_game"

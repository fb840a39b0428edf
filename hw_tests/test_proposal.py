"""Pausing, and what is asked for from afar: nothing happens until the table agrees."""

from __future__ import annotations

import pytest

from firmware_host.inbox import Begin, Intend, Pause, Pick, Propose, TakeBack
from firmware_host.proposal import PATIENCE, YES
from firmware_host.texts import TEXTS
from game_logic.breakout.moves import Push
from game_logic.core import Act
from hw_tests.rig import Rig


@pytest.fixture
def rig(tmp_path):
    return Rig(tmp_path)


def propose(rig, wish=TakeBack):
    replies = []
    rig.table.inbox.put(Propose(TEXTS("proposal_undo"), wish(reply=replies.append)))
    rig.wait(0.5)
    return replies


def test_an_undo_from_afar_waits_for_the_table(rig):
    before = rig.state
    rig.push(3, "left")
    replies = propose(rig)
    assert rig.shot.question.kind == "proposal"
    assert replies == []
    assert rig.state != before
    rig.press("next", "confirm")
    assert replies == [None]
    assert rig.state == before
    assert rig.shot.question is None or rig.shot.question.kind != "proposal"


def test_a_reflex_on_confirm_declines_and_so_does_silence(rig):
    rig.push(3, "left")
    after = rig.state
    replies = propose(rig)
    rig.press("confirm")
    assert replies == [TEXTS("proposal_declined")]
    replies = propose(rig)
    rig.wait(PATIENCE + 1)
    assert replies == [TEXTS("proposal_declined")]
    assert rig.state == after


def test_the_page_may_answer_and_a_second_wish_waits(rig):
    before = rig.state
    rig.push(3, "left")
    first, second = propose(rig), propose(rig)
    assert second == [TEXTS("proposal_waits")]
    rig.table.inbox.put(Pick(YES))
    rig.wait()
    assert first == [None]
    assert rig.state == before


def test_a_new_game_from_afar(rig):
    old = rig.record.id
    replies = propose(rig, lambda reply: Begin("breakout", ("Cy", "Di"), abandon=True, reply=reply))
    rig.press("next", "confirm")
    rig.wait()
    assert replies == [None]
    assert rig.record.id != old


def test_a_paused_table_takes_no_move_until_it_is_resumed(rig):
    replies = []
    rig.table.inbox.put(Pause(True))
    rig.wait()
    assert rig.shot.paused
    assert rig.shot.notice.kind == "paused"
    before, first = rig.state, rig.turn
    rig.table.inbox.put(Intend((Act(first, Push(1, "left")),), reply=replies.append))
    rig.push(3, "left")
    assert replies == [TEXTS("paused")]
    assert rig.state == before
    rig.press("confirm")  # what hands did meanwhile is read now
    rig.wait()
    assert not rig.shot.paused
    assert rig.moves[-1] == Act(first, Push(3, "left"))

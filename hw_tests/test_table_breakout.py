"""Breakout at a simulated wall, from the switches to the state: hands, mistakes, faults."""

from __future__ import annotations

import pytest

from firmware_host import wall
from firmware_host.inbox import Begin, Intend, Pick, TakeBack
from firmware_host.journal import Journal, replay
from firmware_host.notices import Accept
from game_logic.breakout.moves import Push
from game_logic.core import Act, Piece
from hw_tests.rig import KNOTS, Rig


@pytest.fixture
def rig(tmp_path):
    return Rig(tmp_path)


def empty(rig):
    rig.sim.world.arrange({})
    return rig.wait()


def fill_row(rig, row):
    """Both players push into one floor until it is full; the knots alternate."""
    for _ in range(5):
        rig.push(row, "left")
    assert "." not in rig.view["wall"][row - 1]


def test_a_push_is_found_journalled_and_shown(rig):
    first = rig.turn
    rig.push(3, "left")
    assert rig.moves[-1] == Act(first, Push(3, "left"))
    assert rig.journal.load(rig.record.id).state == rig.state
    assert rig.view["wall"][2][0] == "XO"[first]
    before = rig.sim.pictures()[1].tobytes()
    rig.push(3, "right")
    assert rig.sim.pictures()[1].tobytes() != before
    assert all(e.latency is not None and e.latency < 0.4 for e in rig.events if e.kind == "move"
               and e.acts[0].by >= 0)  # fmt: skip


def test_two_knots_at_once_are_two_moves(rig):
    first = rig.turn
    wall.push(rig.sim.world, 2, "left", KNOTS[first])
    rig.wait(0.1)
    wall.push(rig.sim.world, 2, "left", KNOTS[1 - first])
    rig.wait()
    assert rig.moves[-2:] == [Act(first, Push(2, "left")), Act(1 - first, Push(2, "left"))]
    assert rig.at_rest()


def test_the_wrong_players_knot_is_refused_and_mended(rig):
    before = rig.state
    wrong = 1 - rig.turn
    rig.push(4, "right", wrong)
    notice = rig.shot.notice
    assert notice is not None
    assert notice.kind == "mend"
    assert "R6" in notice.why.en
    assert rig.state == before
    assert rig.sim.pictures()[0].getbbox()
    rig.sim.world.pass_by("gate:4_right")  # it comes out the way it went in
    empty(rig)
    assert rig.at_rest()
    assert rig.state == before
    rig.push(4, "right")
    assert rig.state != before


def test_a_banned_opening_says_why_and_the_game_goes_on_when_mended(rig):
    fill_row(rig, 3)
    rig.push(3, "left")
    banned = rig.state.bans[rig.turn]
    if banned is None:  # the knot that fell out was the pusher's own: his ban, next turn
        rig.push(1, "left")
        banned = rig.state.bans[rig.turn]
    assert banned is not None
    before, board = rig.state, dict(rig.sim.world.pieces)
    rig.push(banned.row, banned.side)
    assert rig.shot.notice is not None
    assert "R14" in rig.shot.notice.why.en
    assert rig.state == before
    rig.sim.world.arrange(board)
    rig.wait()
    assert rig.at_rest()
    rig.push(5, "left")
    assert rig.state != before


def test_a_knot_taken_back_takes_the_move_back(rig):
    before, turn = rig.state, rig.turn
    rig.push(1, "left")
    assert rig.turn != turn
    rig.sim.world.pass_by("gate:1_left")
    empty(rig)
    assert rig.state == before
    assert rig.at_rest()
    assert rig.events[-1].kind == "undo"


def test_a_knot_picked_off_the_front_is_asked_about(rig):
    """No opening has seen it leave: it may as well be a cell that does not see it any more."""
    before, after = rig.push(1, "left").record.state, rig.push(2, "left").record.state
    rig.sim.world.put("r2c1", ())
    rig.wait()
    assert rig.state == after
    assert [option.en for option in rig.shot.question.options] == [
        "Move taken back", "None of these"
    ]  # fmt: skip
    rig.press("confirm")
    assert rig.state == before
    assert rig.at_rest()


def test_none_of_what_is_offered_is_answered_with_how_to_mend_the_board(rig):
    rig.push(1, "left")
    after = rig.push(2, "left").record.state
    rig.sim.world.put("r2c1", ())
    rig.wait()
    rig.press("next", "confirm")
    assert rig.shot.question is None
    assert rig.shot.notice.kind == "mend"
    assert "floor 2, column 1" in rig.shot.notice.text.en
    rig.sim.world.put("r2c1", (Piece(KNOTS[1 - rig.turn]),))
    rig.wait()
    assert rig.at_rest()
    assert rig.state == after


def test_the_undo_button_has_the_knot_taken_out(rig):
    before = rig.state
    rig.push(1, "left")
    rig.press("undo")
    assert rig.state == before
    assert rig.shot.notice is not None
    assert rig.shot.notice.kind == "arrange"
    empty(rig)
    assert rig.at_rest()


def test_a_knot_that_changes_nothing_to_see_is_found_by_its_opening(rig):
    """A red knot into a full red floor: only the switch of the opening tells."""
    first = rig.turn
    for n in range(5):
        rig.push(1, "left", first)
        if n < 4:
            rig.push(2 + n % 3, "left")
    rig.push(5, "left")
    assert rig.view["wall"][0] == "XO"[first] * 5
    seq = rig.record.seq
    rig.push(1, "left")
    assert rig.record.seq == seq + 1
    assert rig.moves[-1] == Act(first, Push(1, "left"))


@pytest.mark.parametrize("pressed", ["before", "meanwhile"])
def test_a_knot_that_leaves_by_its_opening_as_undo_is_pressed_is_no_push(rig, pressed):
    """A full floor of one colour looks the same before and after."""
    first = rig.turn
    for n in range(5):
        rig.push(1, "left", first)
        rig.push(2 + n % 3, "left")
    before = rig.state
    rig.push(1, "left")
    assert rig.state != before
    if pressed == "before":
        rig.press("undo")
    rig.sim.world.pass_by("gate:1_left")
    if pressed == "meanwhile":
        rig.press("undo")
    rig.wait()
    assert rig.state == before
    assert rig.shot.notice.text.en == "Put it back as it was, then confirm."
    rig.press("confirm")
    assert rig.at_rest()
    assert rig.state == before


def test_a_sleeve_in_an_opening_is_nothing(rig):
    before = rig.record.seq
    rig.sim.world.pass_by("gate:2_left")
    rig.wait()
    assert rig.record.seq == before
    assert rig.at_rest()


def test_a_switch_that_misses_a_knot_leaves_it_to_the_cells_and_the_people(rig):
    first, before = rig.turn, rig.record.seq
    rig.sim.world.put("r2c1", (Piece(KNOTS[first]),))
    rig.wait()
    assert rig.record.seq == before, "it may as well be a cell that lies"
    assert rig.shot.question.kind == "asked"
    rig.press("confirm")
    assert rig.moves[-1] == Act(first, Push(2, "left"))
    assert rig.at_rest()


def test_a_finger_already_on_its_way_answers_no_question_that_has_just_come_up(rig):
    before = rig.record.seq
    rig.sim.world.put("r2c1", (Piece(KNOTS[rig.turn]),))
    while rig.shot.question is None:
        rig.wait(0.01)
    rig.press("confirm")
    assert rig.shot.question is not None
    assert rig.record.seq == before
    rig.press("confirm")
    assert rig.record.seq == before + 1


def test_a_confirm_too_many_does_not_answer_what_comes_next(tmp_path):
    rig = Rig(tmp_path, "screen", cost=lambda: 0.3)
    rig.press("confirm")
    before, asked = rig.record.seq, rig.shot.asked
    assert asked
    rig.sim.press("confirm")
    rig.wait(0.25)
    rig.press("confirm")  # while the first is still being written
    assert rig.record.seq == before + 1
    assert rig.shot.asked != asked


def test_without_openings_the_cells_find_it_or_ask(tmp_path):
    rig = Rig(tmp_path, "wall-cells")
    first = rig.turn
    rig.push(3, "right")
    assert rig.moves[-1] == Act(first, Push(3, "right"))
    for n in range(5):
        rig.push(1, "left", 1 - first)
        if n < 4:
            rig.push(2, "right" if n % 2 else "left")
    rig.push(5, "left")
    assert rig.view["wall"][0] == "OX"[first] * 5
    before = rig.record.seq
    rig.push(1, "left")  # nothing changes that cells can see
    assert rig.record.seq == before
    rig.press("next")
    question = rig.shot.question
    assert question is not None
    wanted = question.answers.index(Accept((Act(1 - first, Push(1, "left")),)))
    rig.press(*["next"] * wanted, "confirm")
    assert rig.record.seq == before + 1
    assert rig.moves[-1].move == Push(1, "left")


def test_with_openings_only_all_pushes_are_found(tmp_path):
    rig = Rig(tmp_path, "wall-openings")
    pushes = [(3, "left"), (3, "left"), (3, "right"), (1, "left"), (5, "right")]
    for row, side in pushes:
        turn = rig.turn
        rig.push(row, side)
        assert rig.moves[-1] == Act(turn, Push(row, side))


def test_with_openings_only_a_refused_push_is_mended_by_confirming(tmp_path):
    rig = Rig(tmp_path, "wall-openings")
    fill_row(rig, 3)
    rig.push(3, "left")
    banned = rig.state.bans[rig.turn]
    if banned is None:
        rig.push(1, "left")
        banned = rig.state.bans[rig.turn]
    before = rig.state
    rig.push(banned.row, banned.side)
    assert rig.shot.notice is not None
    assert rig.shot.notice.confirm
    rig.sim.world.pass_by(f"gate:{banned.row}_{banned.side}")  # it comes out again
    rig.wait()
    assert rig.state == before
    rig.press("confirm")
    assert rig.at_rest()
    rig.push(5, "left")
    assert rig.state != before


def test_a_new_game_waits_for_an_empty_wall(tmp_path):
    rig = Rig(tmp_path, begin=None)
    wall.push(rig.sim.world, 1, "left", "knot_red")
    rig.wait()
    rig.table.inbox.put(Begin("breakout", ("Ana", "Bo")))
    rig.wait()
    assert rig.shot.notice is not None
    assert rig.shot.notice.kind == "arrange"
    empty(rig)
    assert rig.at_rest()


def test_an_intent_from_the_inbox_is_told_what_to_do_with_the_board(rig):
    turn = rig.turn
    replies = []
    rig.table.inbox.put(Intend((Act(turn, Push(2, "left")),), reply=replies.append))
    rig.wait()
    assert replies == [None]
    assert rig.shot.notice is not None
    assert "row 2" in rig.shot.notice.text.en.lower() or "2" in rig.shot.notice.text.en
    rig.sim.world.put("r2c1", (Piece(KNOTS[turn]),))
    rig.wait()
    assert rig.at_rest()


def test_refusals_from_the_inbox_say_why_and_change_nothing(rig):
    replies = []
    before = rig.record.seq
    wrong = 1 - rig.turn
    rig.table.inbox.put(Intend((Act(wrong, Push(2, "left")),), reply=replies.append))
    rig.table.inbox.put(Intend((Act(rig.turn, Push(2, "left")),), seq=99, reply=replies.append))
    rig.table.inbox.put(Pick(3, reply=replies.append))
    rig.table.inbox.put(Begin("breakout", ("A", "B"), reply=replies.append))
    rig.table.inbox.put(Begin("breakout", ("A",), abandon=True))
    rig.wait()
    assert all(text is not None for text in replies)
    assert "R6" in replies[0].en
    assert rig.events[-1].kind in ("refused", "over")
    assert rig.record.seq >= before


def test_undo_stops_at_the_lot_that_chose_the_starter(rig):
    replies = []
    rig.table.inbox.put(TakeBack(reply=replies.append))
    rig.wait()
    assert replies
    assert replies[0] is not None
    rig.table.inbox.put(TakeBack(confirmed=True, reply=replies.append))
    rig.wait()
    assert replies[1] is None


# -- faults ---------------------------------------------------------------------------------------


def test_a_missing_expander_blinds_its_cells_and_the_game_goes_on(rig):
    rig.sim.faults.order("missing", "expander 0x20")
    rig.wait(5.0)
    assert rig.shot.trouble is not None
    assert "0x20" in rig.shot.trouble.en
    seq = rig.record.seq
    rig.push(4, "left")
    assert rig.record.seq == seq + 1
    rig.sim.faults.mend()
    rig.wait(12.0)
    assert rig.shot.trouble is None
    assert rig.at_rest()


def test_what_was_told_while_its_cell_was_blind_is_set_up_when_it_sees_again(rig):
    """The knot is not there yet: nobody has taken it back."""
    rig.push(1, "left")
    rig.sim.faults.order("missing", "expander 0x20")
    rig.wait(5.0)
    rig.table.inbox.put(Intend((Act(rig.turn, Push(2, "left")),)))
    turn, after = rig.turn, rig.wait().record.state
    assert rig.turn != turn
    rig.sim.faults.mend()
    rig.wait(12.0)
    assert rig.state == after
    assert rig.shot.question is None
    assert rig.shot.notice.kind == "arrange"
    rig.sim.world.put("r2c1", (Piece(KNOTS[turn]),))
    rig.wait()
    assert rig.at_rest()
    assert rig.state == after


@pytest.mark.parametrize(
    "fault",
    ["nack expander 0x20 p=0.2", "nack screen 0x3c p=0.2", "stuck bus 1 after=0.1 lasting=1.5",
     "bounce expander 0x23 input=2 ms=8 times=4", "missing screen 0x3d", "brownout expander 0x22"],
)  # fmt: skip
def test_faults_do_not_lose_or_invent_a_move(tmp_path, fault):
    rig = Rig(tmp_path)
    rig.sim.order(fault)
    made = []
    for row, side in [(1, "left"), (1, "left"), (5, "right"), (2, "right"), (1, "right")]:
        made.append(Act(rig.turn, Push(row, side)))
        rig.push(row, side)
        if rig.wait(6.0).question is not None:
            # A chip was silent when it was judged: it may have happened more than once.
            assert rig.shot.question.kind == "asked"
            rig.press("confirm")
    assert [act for act in rig.moves if act.by >= 0] == made
    rig.sim.faults.mend()
    rig.wait(15.0)
    assert rig.at_rest()


@pytest.mark.parametrize("fall", range(20, 420, 40))
def test_a_knot_seen_only_as_it_falls_out_is_not_taken_for_one_that_went_in(tmp_path, fall):
    """Its way in was missed by a chip that is back just in time to see it leave."""
    rig = Rig(tmp_path, "wall-openings")
    for n in range(6):
        rig.push(2, "left")
        rig.push(1 + n % 2 * 2, "left")
    before, turn = rig.record.seq, rig.turn
    rig.sim.order("brownout expander 0x20")
    rig.sim.world.pass_by("gate:2_right")
    rig.sim.agenda.after(fall / 1000, lambda: rig.sim.world.pass_by("gate:2_left"))
    rig.wait()
    assert rig.record.seq == before or rig.moves[-1] == Act(turn, Push(2, "right"))
    assert not rig.at_rest()


def test_a_dead_cell_is_asked_to_be_mended_and_nothing_is_guessed(rig):
    rig.sim.order("dead expander 0x20 input=0 level=false")
    rig.wait()
    assert rig.shot.notice is not None
    assert rig.shot.notice.kind == "mend"
    rig.sim.faults.mend()
    rig.wait()
    assert rig.at_rest()


# -- the evening ----------------------------------------------------------------------------------


def test_a_restarted_table_resumes_and_says_what_to_put_back(tmp_path):
    rig = Rig(tmp_path)
    rig.push(1, "left")
    rig.push(2, "left")
    state = rig.state
    rig.journal.close()
    again = Rig(tmp_path)
    assert again.state == state
    assert again.shot.notice is not None
    assert again.shot.notice.kind == "arrange"
    assert again.shot.notice.of == 2
    again.sim.world.arrange(rig.sim.world.pieces)
    again.wait()
    assert again.at_rest()
    again.push(3, "left")
    assert again.state != state


def test_a_slow_disk_loses_nothing_that_was_pushed_meanwhile(tmp_path):
    rig = Rig(tmp_path, cost=lambda: 1.0)
    rig.wait()
    first = rig.turn
    wall.push(rig.sim.world, 1, "left", KNOTS[first])
    rig.wait(0.6)  # settled, and being written
    wall.push(rig.sim.world, 2, "left", KNOTS[1 - first])
    rig.wait(4.0)
    assert rig.moves[-2:] == [Act(first, Push(1, "left")), Act(1 - first, Push(2, "left"))]


def test_the_journal_replays_to_the_same_bytes(tmp_path):
    rig = Rig(tmp_path)
    rig.push(1, "left")
    rig.push(2, "left")
    rig.press("undo")
    rig.sim.world.put("r2c1", ())
    rig.wait()
    rig.push(4, "right")
    rig.table.inbox.put(Begin("breakout", ("C", "D"), abandon=True))
    rig.wait()
    export = Journal.read(rig.journal.path).export(1)
    assert replay(export).ok

"""A record: undo restores, corrections are checked, and folding the log gives the same again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.journal import Record, Undo
from game_logic.core import Act, Drawn, Illegal, Malformed, encode
from hw_tests.journal_games import GAME, begun, some_act, toy_journal
from hw_tests.toy import Bet, Creep, Pace


@pytest.fixture
def start() -> Record:
    return Record.begin(GAME, ("Ana", "Bo"))


def bets(record: Record) -> Record:
    """Entries 1 and 2; the second one brings both bets out."""
    return record.intent((Act(0, Bet(1)),)).intent((Act(1, Bet(2)),))


def in_play(record: Record) -> Record:
    """Up to the pace, which brings nothing out: entries 3 (closes) and 4."""
    return bets(record).intent((Act(-1, Drawn("deck", "rope")),)).intent((Act(0, Pace(2)),))


def refused(code: str) -> Any:
    return pytest.raises(Illegal, match=f"^{code}:")


def test_an_intent_is_all_or_nothing(start: Record) -> None:
    both = start.intent((Act(0, Bet(1)), Act(1, Bet(2))))
    assert (both.seq, both.state) == (1, bets(start).state)
    with refused("not_now"):
        start.intent((Act(0, Bet(1)), Act(0, Creep(3))))
    assert start.seq == 0


def test_undo_goes_back_a_step_at_a_time() -> None:
    start = Record.begin(GAME, ("Ana", "Bo", "Cy"))
    once = start.intent((Act(0, Bet(1)),))
    twice = once.intent((Act(1, Bet(2)),))
    back = twice.undo()
    assert back.state == once.state
    assert back.last == Undo(3, GAME.version, to=1)
    assert back.undo().state == start.state
    with refused("nothing_to_undo"):
        back.undo().undo()
    with refused("nothing_to_undo"):
        start.undo()


def test_an_undo_can_be_undone_and_the_line_is_what_it_was(start: Record) -> None:
    played = in_play(start)
    back = played.undo()
    again = back.undo(to=played.seq)
    assert again.state == played.state
    assert again.line == played.line
    assert again.undo().state == back.state


def test_moves_after_an_undo_stand_on_what_it_restored(start: Record) -> None:
    record = in_play(start).undo().intent((Act(0, Pace(1)),))
    assert [step.entry.seq for step in record.line] == [0, 1, 2, 3, 6]
    assert record.state.pace == 1
    assert record.undo().state == in_play(start).undo().state


def test_undo_is_free_back_to_what_came_to_light(start: Record) -> None:
    record = in_play(start)
    assert [step.entry.seq for step in record.takebacks] == [3]
    assert start.takebacks == ()
    assert [step.entry.seq for step in start.intent((Act(0, Bet(1)),)).takebacks] == [0]
    free = record.undo()
    for taken in (lambda: free.undo(), lambda: record.undo(2), lambda: record.undo(0)):
        with refused("undo_closed"):
            taken()
    agreed = free.undo(confirmed=True)
    assert agreed.state == bets(start).state
    assert agreed.last == Undo(6, GAME.version, to=2, confirmed=True)


def test_going_forward_again_takes_nothing_back(start: Record) -> None:
    """Undoing a confirmed undo hides nothing that is known, so it needs no agreement."""
    record = in_play(start)
    assert record.undo(0, confirmed=True).undo(record.seq).state == record.state


def test_undo_reaches_only_entries_that_are_there(start: Record) -> None:
    for to in (-1, 5, 99):
        with refused("no_such_entry"):
            in_play(start).undo(to, confirmed=True)


def test_a_correction_is_a_step_and_its_undo_restores_what_was_before(start: Record) -> None:
    record = in_play(start)
    mended = record.correct(replace(record.state, guards=(1, 5)))
    assert mended.state.guards == (1, 5)
    assert mended.undo().state == record.state
    on = mended.intent((Act(0, Creep(2)),))
    assert on.undo().state == mended.state
    assert [step.entry.seq for step in on.takebacks] == [5, 4, 3]


def test_an_impossible_correction_is_refused_and_says_why(start: Record) -> None:
    with refused("impossible") as info:
        start.correct(replace(start.state, hands=(("rope",), ())))
    assert "cards are lost or made up" in info.value.text.fr


def test_a_closed_game_is_closed(start: Record) -> None:
    ended = start.intent((Act(0, Bet(1)),)).end()
    assert ended.ended
    assert ended.ended.outcome is None
    for more in (ended.undo, ended.end, lambda: ended.intent((Act(0, Bet(1)),))):
        with refused("game_closed"):
            more()


def test_a_start_that_the_rules_refuse_is_none() -> None:
    with pytest.raises(Malformed):
        Record.begin(GAME, ("Ana",))


def test_equal_states_do_not_show_as_equal_hashes(start: Record) -> None:
    """Else a bet taken back and made again would show that it is the same one."""
    once = start.intent((Act(0, Bet(1)),))
    again = once.undo().intent((Act(0, Bet(1)),))
    assert again.state == once.state
    assert again.hash != once.hash
    assert Record.begin(GAME, ("Ana", "Bo")).hash != start.hash, "a key of its own each game"


@pytest.mark.parametrize("seed", range(12))
def test_any_log_folds_to_what_was_seen(tmp_path: Path, seed: int) -> None:
    """Moves, undos of anything and corrections at random, against a plain list of states."""
    rng = random.Random(seed)
    journal = toy_journal(tmp_path / "journal.db")
    record = begun(journal)
    seen = [encode(record.state)]
    for _ in range(60):
        choice = rng.random()
        if choice < 0.25 and record.seq:
            to = rng.randrange(record.seq)
            if seen[to] == seen[-1]:
                continue
            record = record.undo(to, confirmed=True)
            assert encode(record.state) == seen[to]
        elif choice < 0.35:
            record = record.correct(replace(record.state, guards=rng.choice(((1, 3), (2, 5)))))
        elif GAME.to_act(record.state):
            record = record.intent((some_act(record, rng),))
        else:
            continue
        record = journal.append(record)
        seen.append(encode(record.state))
        line = record.line
        assert line[0].entry.seq == 0
        assert encode(line[-1].state) == seen[-1]
        assert all(encode(step.state) == seen[step.entry.seq] for step in line)
    journal.close()
    again = toy_journal(tmp_path / "journal.db")
    found = again.open_game()
    again.close()
    assert found is not None
    assert [encode(step.state) for step in found.steps] == seen
    assert found.steps == record.steps
    assert (found.hash, found.line, found.takebacks) == (
        record.hash,
        record.line,
        record.takebacks,
    )

"""Games in a journal: kept, listed, resumed, updated, and what tampering shows."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.journal import CannotResume, Journal, JournalError, Record, Resumed
from game_logic import load
from game_logic.core import Act, Malformed, encode
from hw_tests.journal_games import GAME, begun, play_on, rules_of, toy_journal
from hw_tests.toy import Bet, Toy, ToyGame


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = toy_journal(path)
    yield journal
    journal.close()


def code(error: pytest.ExceptionInfo[JournalError]) -> str:
    return error.value.code


def reopened(journal: Journal, game: Any = GAME) -> Journal:
    journal.close()
    return Journal.open(journal.path, rules=rules_of(game))


def tamper(path: Path, sql: str, *parameters: object) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(sql, parameters)
    connection.close()


# -- kept ---------------------------------------------------------------------------------------


def test_an_open_game_goes_on_where_it_was(journal: Journal) -> None:
    assert journal.open_game() is None
    record = play_on(journal, begun(journal), random.Random(1), 12)
    again = reopened(journal)
    found = again.open_game()
    again.close()
    assert found is not None
    assert (found.id, found.hash) == (record.id, record.hash)
    assert encode(found.state) == encode(record.state)


def test_the_history_tells_of_every_game(journal: Journal) -> None:
    first = begun(journal)
    while first.game.to_act(first.state):
        first = play_on(journal, first, random.Random(2), 50)
    moves = first.seq
    journal.append(first.end())
    journal.append(begun(journal).end())
    third = play_on(journal, begun(journal), random.Random(3), 2)
    finished, abandoned, going_on = journal.games()
    assert (finished.id, finished.game, finished.seats) == (1, "toy", ("Ana", "Bo"))
    assert (finished.moves, finished.open) == (moves, False)
    assert finished.outcome == GAME.outcome(first.state)
    assert (abandoned.open, abandoned.outcome, abandoned.moves) == (False, None, 0)
    assert (going_on.id, going_on.open, going_on.moves) == (third.id, True, 2)


def test_one_game_is_open_at_a_time(journal: Journal) -> None:
    record = begun(journal)
    with pytest.raises(JournalError) as error:
        begun(journal)
    assert code(error) == "game_open"
    journal.append(record.end())
    assert begun(journal).id == 2


def test_order_is_by_number_whatever_the_clock_says(path: Path) -> None:
    """A Pi without a network may wake up in 1970."""
    times = iter(["2026-03-01T20:00:00", "1970-01-01T00:00:07", "1970-01-01T00:00:01"])
    journal = toy_journal(path, clock=lambda: next(times))
    record = play_on(journal, begun(journal), random.Random(4), 2)
    found = journal.open_game()
    assert found is not None
    assert found.steps == record.steps
    assert journal.games()[0].started == "2026-03-01T20:00:00"
    journal.close()


def test_writing_the_same_entry_twice_is_writing_it_once(journal: Journal) -> None:
    """An error at the end of a commit leaves its end in doubt: the retry must not be refused."""
    draft = Record.begin(GAME, ("Ana", "Bo"))
    record = journal.append(draft)
    assert journal.append(draft).id == record.id
    move = record.intent((Act(0, Bet(1)),))
    assert journal.append(journal.append(move)).seq == 1
    assert len(journal.load(1).steps) == 2


def test_two_writers_of_one_game_are_found_out(journal: Journal) -> None:
    record = begun(journal)
    other = toy_journal(journal.path)
    theirs = other.open_game()
    assert theirs is not None
    other.append(theirs.intent((Act(1, Bet(0)),)))
    other.close()
    with pytest.raises(JournalError) as error:
        journal.append(record.intent((Act(0, Bet(1)),)))
    assert code(error) == "conflict"
    assert "game 1" in error.value.text.en
    assert len(journal.load(1).steps) == 2


def test_an_unknown_game_is_said_to_be_none(journal: Journal) -> None:
    for ask in (journal.load, journal.export, journal.abandon):
        with pytest.raises(JournalError) as error:
            ask(7)
        assert code(error) == "no_game"


def test_an_owners_deck_comes_back_with_its_game(path: Path) -> None:
    given: list[object] = []

    def rules(id: str, deck: object) -> ToyGame:
        given.append((id, deck))
        return GAME

    journal = Journal.open(path, rules=rules)
    journal.append(Record.begin(GAME, ("Ana", "Bo"), deck={"cards.toml": "rope = 3"}))
    journal.open_game()
    journal.close()
    assert given == [("toy", {"cards.toml": "rope = 3"})]


def test_breakout_by_its_own_rules(path: Path) -> None:
    journal = Journal.open(path)
    game = load("breakout")
    record = play_on(journal, begun(journal, game), random.Random(5), 30)
    journal.close()
    journal = Journal.open(path)
    found = journal.open_game()
    journal.close()
    assert found is not None
    assert found.steps == record.steps


# -- updated ------------------------------------------------------------------------------------


class Updated(ToyGame):
    version = 2


class OtherData(ToyGame):
    digest = "other"


class Refitted(ToyGame):
    """Its states have a field that old ones lack, and no default for it."""

    class Rope(Toy, frozen=True, kw_only=True):
        rope: int

    version = 2
    state_type = Rope


class Stricter(ToyGame):
    version = 2

    def problems(self, state: Toy) -> tuple[str, ...]:
        return ("Ana's hand holds a file",)


@pytest.mark.parametrize("game", [Updated(), OtherData()])
def test_after_an_update_the_game_goes_on_from_its_newest_state(
    journal: Journal, game: ToyGame
) -> None:
    before = play_on(journal, begun(journal), random.Random(6), 9)
    updated = reopened(journal, game)
    record = updated.open_game()
    assert record is not None
    assert record.state == before.state
    assert isinstance(record.last, Resumed)
    assert "mise à jour" in record.last.why.fr
    assert "update" in record.last.why.en
    assert (record.seq, record.takebacks) == (10, ())
    on = play_on(updated, record, random.Random(7), 3)
    again = reopened(updated, game)
    found = again.open_game()
    assert found is not None
    assert found.steps == on.steps, "said once, then it is a game of these rules"
    again.close()


def test_an_old_game_is_never_told_by_new_rules(journal: Journal) -> None:
    record = play_on(journal, begun(journal), random.Random(8), 5)
    journal.append(record.end())
    updated = reopened(journal, Updated())
    with pytest.raises(JournalError) as error:
        updated.load(1)
    assert code(error) == "retold"
    assert "version 1" in error.value.text.en
    assert "version 2" in error.value.text.fr
    assert updated.games()[0].moves == 5
    updated.close()


def test_rules_that_changed_without_a_new_version_are_found_by_the_hash(journal: Journal) -> None:
    class Slipped(ToyGame):
        def play(self, state: Toy, move: Any, seat: int | None = None) -> Toy:
            after = super().play(state, move, seat)
            return msgspec.structs.replace(after, guards=(1, 5)) if after.pace else after

    record = play_on(journal, begun(journal), random.Random(9), 14)
    slips = next(s.entry.seq for s in record.steps if s.state.pace)
    slipped = reopened(journal, Slipped())
    with pytest.raises(JournalError) as error:
        slipped.load(1)
    assert code(error) == "retold"
    assert f"entry {slips} " in error.value.text.en
    found = slipped.open_game()
    assert found is not None
    assert isinstance(found.last, Resumed)
    assert found.state == record.state
    slipped.close()


@pytest.mark.parametrize("game", [Refitted(), Stricter()])
def test_a_state_that_new_rules_cannot_take_is_said_so_and_can_be_abandoned(
    journal: Journal, game: ToyGame
) -> None:
    play_on(journal, begun(journal), random.Random(10), 4)
    updated = reopened(journal, game)
    with pytest.raises(CannotResume) as error:
        updated.open_game()
    assert error.value.problems
    assert "hand" not in str(error.value), "what a hand holds is not for the screen"
    assert error.value.id == 1
    updated.abandon(error.value.id)
    updated.abandon(error.value.id)
    assert updated.open_game() is None
    assert [line.open for line in updated.games()] == [False]
    updated.close()
    old = toy_journal(updated.path)
    assert old.load(1).ended, "its log still folds by its own rules"
    old.close()


def test_a_game_whose_rules_are_gone_cannot_be_resumed(journal: Journal) -> None:
    def none(id: str, deck: object) -> ToyGame:
        raise Malformed(f"there is no game {id!r}")

    begun(journal)
    journal.close()
    bare = Journal.open(journal.path, rules=none)
    with pytest.raises(CannotResume) as error:
        bare.open_game()
    assert "no game 'toy'" in error.value.text.en
    bare.close()


# -- tampering ----------------------------------------------------------------------------------


def test_a_changed_entry_is_found_and_located(journal: Journal) -> None:
    record = begun(journal)
    for act in (Act(0, Bet(1)), Act(1, Bet(2))):
        record = journal.append(record.intent((act,)))
    record = play_on(journal, record, random.Random(11), 6)
    journal.close()
    body = encode(record.steps[1].entry).replace(b'"guards":1', b'"guards":0')
    tamper(journal.path, "UPDATE entries SET body = ? WHERE seq = 1", body)
    again = toy_journal(journal.path)
    with pytest.raises(JournalError) as error:
        again.load(1)
    assert code(error) == "retold"
    assert "from entry 1 on" in error.value.text.en
    found = again.open_game()
    assert found is not None
    assert found.state == record.state, "the newest state is sealed, and goes on"
    assert isinstance(found.last, Resumed)
    assert "entry 1 " in found.last.why.en
    again.close()


def test_a_change_that_leads_to_the_same_state_is_found_too(journal: Journal) -> None:
    record = begun(journal)
    record = journal.append(record.intent((Act(0, Bet(1)),)))
    record = journal.append(record.undo())
    play_on(journal, record, random.Random(12), 3)
    journal.close()
    body = encode(record.last).replace(b'"confirmed":false', b'"confirmed":true')
    tamper(journal.path, "UPDATE entries SET body = ? WHERE seq = 2", body)
    again = toy_journal(journal.path)
    with pytest.raises(JournalError, match="entry 2"):
        again.load(1)
    again.close()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE games SET state = CAST(replace(state, '[2,4]', '[1,5]') AS BLOB)",
        "UPDATE games SET key = zeroblob(32)",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 0",
        "DELETE FROM entries",
        "UPDATE entries SET body = CAST('{}' AS BLOB) WHERE seq = 2",
        'UPDATE entries SET body = CAST(\'{"kind":"start"}\' AS BLOB) WHERE seq = 1',
        "DROP TABLE entries",
    ],
)
def test_an_open_game_that_cannot_be_trusted_is_set_aside(journal: Journal, sql: str) -> None:
    record = begun(journal)
    for act in (Act(0, Bet(1)), Act(1, Bet(2))):
        record = journal.append(record.intent((act,)))
    play_on(journal, record, random.Random(13), 2)
    journal.close()
    tamper(journal.path, sql)
    was = journal.path.read_bytes()
    again = toy_journal(journal.path)
    assert again.notice
    aside = journal.path.with_name("journal.db.damaged-1")
    assert str(aside) in again.notice.fr
    assert str(aside) in again.notice.en
    assert aside.read_bytes() == was
    assert again.open_game() is None
    assert begun(again).id == 1
    again.close()


def test_the_key_is_nowhere_but_in_the_journal(journal: Journal) -> None:
    record = play_on(journal, begun(journal), random.Random(14), 5)
    key = record.key
    shown = [repr(record), str(record.steps), str(journal.games()), str(journal.export(1))]
    record = journal.append(record.end())
    shown += [repr(record), str(journal.export(1)), str(record.hash)]
    for text in shown:
        assert key.hex() not in text
        assert repr(key) not in text


def test_options_are_kept(path: Path) -> None:
    class Optional(ToyGame):
        def new(self, seats: Any, options: Any = None) -> Toy:
            guards = tuple((options or {}).get("guards", (2, 4)))
            return msgspec.structs.replace(super().new(seats), guards=guards)

    journal = Journal.open(path, rules=rules_of(Optional()))
    journal.append(Record.begin(Optional(), ("Ana", "Bo"), {"guards": [1, 3]}))
    found = journal.open_game()
    journal.close()
    assert found is not None
    assert found.state.guards == (1, 3)

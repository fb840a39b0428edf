"""Exports: the same bytes again, tampering located, secrets of an open game kept."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.journal import Journal, JournalError, Record, replay
from game_logic import load
from game_logic.core import CHANCE, Act, Drawn, encode
from hw_tests.journal_games import GAME, begun, play_on, rules_of, toy_journal, toy_rules
from hw_tests.toy import Bet, Creep, Pace, PutUnder, ToyGame


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = toy_journal(tmp_path / "journal.db", clock=lambda: "some evening")
    yield journal
    journal.close()


def whole_game(journal: Journal, seed: int) -> Record:
    """With an undo, a correction, and an end."""
    rng = random.Random(seed)
    record = play_on(journal, begun(journal), rng, 12)
    record = journal.append(record.undo(5, confirmed=True))
    record = journal.append(record.correct(msgspec.structs.replace(record.state, guards=(3, 5))))
    record = play_on(journal, record, rng, 12)
    return journal.append(record.end())


def test_a_replay_gives_the_same_bytes(journal: Journal) -> None:
    for seed in range(5):
        record = whole_game(journal, seed)
        assert record.id is not None
        lines = [msgspec.json.encode(line) for line in journal.export(record.id)]
        result = replay(lines, toy_rules)
        assert result.ok, result.why
        assert encode(result.state) == encode(record.state)


def test_breakout_replays_by_its_own_rules(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db")
    record = begun(journal, load("breakout"))
    record = journal.append(play_on(journal, record, random.Random(1), 400).end())
    result = replay([msgspec.json.encode(line).decode() for line in journal.export(1)])
    journal.close()
    assert result.ok
    assert encode(result.state) == encode(record.state)


def changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "x"
        case None:
            return 1
        case _:
            return value


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def test_any_change_to_a_move_or_a_state_is_found_where_it_is(journal: Journal) -> None:
    record = whole_game(journal, 7)
    lines = msgspec.json.decode(msgspec.json.encode(journal.export(1)))
    tried = 0
    for n, line in enumerate(lines[1:], start=1):
        for path in leaves(line):
            if path[0] in ("at", "hash", "deck", "digest", "confirmed"):
                continue  # for people, of the data, or without effect
            tampered = copy.deepcopy(lines)
            at: Any = tampered[n]
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = changed(at[path[-1]])
            result = replay(tampered, toy_rules)
            tried += 1
            assert not result.ok, (line, path)
            if result.seq is not None and path[0] != "seq":
                assert result.seq == min(n - 1, record.seq), (line, path, result)
    assert tried > 150


def test_missing_doubled_and_swapped_lines_are_found(journal: Journal) -> None:
    whole_game(journal, 8)
    lines = journal.export(1)
    assert replay(lines, toy_rules).ok
    for n in range(len(lines)):
        without = lines[:n] + lines[n + 1 :]
        assert not replay(without, toy_rules).ok, lines[n]
        doubled = lines[: n + 1] + lines[n:]
        assert not replay(doubled, toy_rules).ok, lines[n]
        if n:
            swapped = [*lines[: n - 1], lines[n], lines[n - 1], *lines[n + 1 :]]
            assert not replay(swapped, toy_rules).ok, lines[n]
        assert not replay(lines[:n], toy_rules).ok


@pytest.mark.parametrize(
    "lines", [[], [""], ["[]"], ["{}"], [b"\xff"], ['{"cavale": 1}'], ["{" * 5000], ["nonsense"]]
)
def test_what_is_no_export_is_said_to_be_none(lines: list[Any]) -> None:
    result = replay(lines, toy_rules)
    assert not result.ok
    assert "not an exported game" in result.why.en


def test_other_rules_are_found_out(journal: Journal) -> None:
    class Updated(ToyGame):
        version = 2

    whole_game(journal, 9)
    result = replay(journal.export(1), rules_of(Updated()))
    assert (result.ok, result.seq) == (False, 0)
    assert "version 1" in result.why.en
    assert "version 2" in result.why.en


def test_other_data_do_not_matter_where_every_state_is_the_same(journal: Journal) -> None:
    """A text mended in a data file changes the digest, but tells no game anew."""

    class Mended(ToyGame):
        digest = "mended"

    class Recut(Mended):
        def new(self, seats: Any, options: Any = None) -> Any:
            return msgspec.structs.replace(super().new(seats, options), guards=(1, 2))

    whole_game(journal, 10)
    assert replay(journal.export(1), rules_of(Mended())).ok
    recut = replay(journal.export(1), rules_of(Recut()))
    assert (recut.ok, recut.seq) == (False, 0)
    assert "data of the game have changed" in recut.why.en


def test_a_game_that_lived_through_an_update(journal: Journal) -> None:
    class Updated(ToyGame):
        version = 2

    play_on(journal, begun(journal), random.Random(11), 6)
    journal.close()
    updated = Journal.open(journal.path, rules=rules_of(Updated()))
    record = updated.open_game()
    assert record is not None
    updated.append(play_on(updated, record, random.Random(12), 4).end())
    lines = updated.export(1)
    updated.close()
    checked = [line["seq"] for line in lines[1:-1] if "check" in line]
    assert checked == list(range(7, len(lines) - 2)), "what these rules made, they can check"
    result = replay(lines, rules_of(Updated()))
    assert (result.ok, result.seq) == (False, 0)
    assert "version 1" in result.why.en


def test_a_closed_game_can_be_exported_without_its_rules(journal: Journal) -> None:
    whole_game(journal, 13)
    journal.close()
    other = Journal.open(journal.path)  # whose games do not include the toy
    lines = other.export(1)
    with pytest.raises(JournalError, match="retold"):
        other.load(1)
    other.close()
    assert replay(lines, toy_rules).ok, "the end at least is compared"
    assert not any("check" in line for line in lines)
    assert not replay(lines).ok


# -- an open game's secrets -----------------------------------------------------------------------


def evening(path: Path, bets: tuple[int, ...], card: str) -> bytes:
    """The export of an open game: bets taken back and made again, perhaps a card drawn."""
    journal = toy_journal(path, clock=lambda: "some evening")
    record = journal.append(Record.begin(GAME, ("Ana", "Bo", "Cy")))
    for seat, bet in enumerate(bets):
        record = journal.append(record.intent((Act(seat, Bet(bet)),)))
        record = journal.append(record.undo(confirmed=True))
        record = journal.append(record.undo(record.seq - 1))
    if card:
        record = journal.append(record.intent((Act(CHANCE, Drawn("deck", card)),)))
        record = journal.append(record.intent((Act(0, Pace(1)), Act(0, Creep(1)))))
        record = journal.append(record.intent((Act(0, PutUnder(card)),)))
    lines = journal.export(1)
    journal.close()
    assert not replay(lines, toy_rules).ok
    assert "still open" in replay(lines, toy_rules).why.en
    return msgspec.json.encode(lines)


def test_an_open_games_export_does_not_depend_on_its_secrets(tmp_path: Path) -> None:
    assert evening(tmp_path / "1.db", (0, 1), "") == evening(tmp_path / "2.db", (2, 0), "")
    bets = (1, 1, 2)
    assert evening(tmp_path / "3.db", bets, "rope") == evening(tmp_path / "4.db", bets, "soap")


def test_an_open_games_export_tells_what_the_table_was_told(journal: Journal) -> None:
    record = begun(journal)
    acts = (Act(0, Bet(1)), Act(1, Bet(2)), Act(CHANCE, Drawn("deck", "spoon")))
    record = journal.append(record.intent(acts))
    *_, told, view = journal.export(1)
    assert [text["en"] for text in told["told"]] == ["Ana: Bet", "Bo: Bet", "Ana: Drawn"]
    assert view["view"] == GAME.view(record.state, None)

"""The journal's file: damaged ones are set aside, others' are left alone, readers are welcome."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.journal import Journal, JournalError, errors, store
from game_logic.core import Text
from hw_tests.journal_games import begun, play_on, toy_journal, toy_rules

Content = dict[str, bytes]


def content(folder: Path) -> Content:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> list[Content]:
    """A closed journal, and one as a killed process leaves it: with its WAL."""
    folder = tmp_path_factory.mktemp("sound")
    journal = toy_journal(folder / "journal.db")
    for seed in range(3):
        record = play_on(journal, begun(journal), random.Random(seed), 25)
        journal.append(record.end())
    play_on(journal, begun(journal), random.Random(9), 10)
    with_wal = content(folder)
    with_wal.pop("journal.db-shm")
    journal.close()
    return [content(folder), with_wal]


def put(folder: Path, files: Content) -> Path:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder / "journal.db"


def scribbled(files: Content, rng: random.Random) -> Content:
    """Truncated, overwritten, zeroed, shifted, or a part of it gone."""
    files = dict(files)
    name = rng.choice(sorted(files))
    data = bytearray(files[name]) or bytearray(1)
    at = min(rng.choice((rng.randrange(100), rng.randrange(len(data)))), len(data) - 1)
    match rng.randrange(7):
        case 0:
            del data[at:]
        case 1:
            data[at] ^= 1 << rng.randrange(8)
        case 2:
            data[at : at + 16] = rng.randbytes(16)
        case 3:
            data[at : at + 4096] = bytes(4096)
        case 4:
            del data[at : at + rng.randrange(1, 64)]
        case 5:
            data = bytearray(rng.randbytes(len(data)))
        case 6:
            del files[name]
            return files
    files[name] = bytes(data)
    return files


def open_damaged(folder: Path, files: Content) -> str:
    """Open it, play a little, and give what became of it; all else fails the test."""
    path = put(folder, files)
    try:
        journal = toy_journal(path)
    except JournalError as error:
        left = {name: data for name, data in content(folder).items() if "-shm" not in name}
        assert left == files, "refused, so untouched"
        return error.code
    try:
        if journal.notice:
            aside = {
                name.replace(".damaged-1", ""): data
                for name, data in content(folder).items()
                if ".damaged-1" in name and "-shm" not in name
            }
            assert aside == files, "set aside byte for byte"
            assert str(path) + ".damaged-1" in journal.notice.en
        try:
            record = journal.open_game() or begun(journal)
            play_on(journal, record, random.Random(0), 3)
            for line in journal.games():
                journal.load(line.id)
        except JournalError as error:
            return f"{error.code} later"
        return "set aside" if journal.notice else "opened"
    finally:
        journal.close()


# A scribble may hit the mark of a program or version, or a closed game that nobody asks for yet.
OTHERWISE = {"newer", "foreign", "read_only", "retold later", "damaged later"}
EXPECTED = {"set aside", "opened"} | OTHERWISE


def fuzz(tmp_path: Path, sound: list[Content], seeds: range) -> dict[str, int]:
    met: dict[str, int] = {}
    for seed in seeds:
        rng = random.Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        files = rng.choice(sound)
        for _ in range(rng.choice((1, 1, 3))):
            files = scribbled(files, rng) if files else files
        what = open_damaged(folder, files)
        met[what] = met.get(what, 0) + 1
        shutil.rmtree(folder)
    return met


def test_a_damaged_file_is_set_aside_or_refused_and_never_harmed(
    tmp_path: Path, sound: list[Content]
) -> None:
    met = fuzz(tmp_path, sound, range(150))
    assert met["set aside"] > 40
    assert met["opened"] > 20, "what was hit was not needed"
    assert set(met) <= EXPECTED, met


@pytest.mark.soak
def test_thousands_of_damaged_files(tmp_path: Path, sound: list[Content]) -> None:
    met = fuzz(tmp_path, sound, range(1_000, 9_000))
    assert set(met) <= EXPECTED, met


@pytest.mark.parametrize(
    "files",
    [
        {"journal.db": b"Dear diary,\n" * 400},
        {"journal.db": b"x"},
        {"journal.db": bytes(8192)},
        {"journal.db-wal": b"without its database"},
        {"journal.db": b"", "journal.db-wal": b"emptied"},
    ],
)
def test_what_is_no_database_is_set_aside(tmp_path: Path, files: Content) -> None:
    assert open_damaged(tmp_path, files) == "set aside"


def test_an_empty_file_is_a_new_journal(tmp_path: Path) -> None:
    assert open_damaged(tmp_path, {"journal.db": b""}) == "opened"


def test_nothing_that_was_set_aside_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    for n in range(3):
        path.write_bytes(b"damage %d" % n)
        journal = toy_journal(path)
        begun(journal)
        journal.close()
    for n in range(3):
        assert (tmp_path / f"journal.db.damaged-{n + 1}").read_bytes() == b"damage %d" % n


def test_a_sound_wal_is_part_of_the_journal(tmp_path: Path, sound: list[Content]) -> None:
    for n, files in enumerate(sound):
        folder = tmp_path / str(n)
        folder.mkdir()
        journal = toy_journal(put(folder, files))
        found = journal.open_game()
        journal.close()
        assert found is not None
        assert found.seq == 10


# -- other versions, other programs ---------------------------------------------------------------


def refusal(path: Path) -> JournalError:
    before = path.read_bytes()
    with pytest.raises(JournalError) as error:
        toy_journal(path)
    assert path.read_bytes() == before
    assert list(path.parent.glob("*damaged*")) == []
    assert str(path) in error.value.text.fr
    assert str(path) in error.value.text.en
    return error.value


def test_a_newer_journal_is_not_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    toy_journal(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    error = refusal(path)
    assert error.code == "newer"
    assert "99" in error.text.fr


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name)")
    connection.close()
    assert refusal(path).code == "foreign"


def test_an_older_journal_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    journal = toy_journal(path)
    record = play_on(journal, begun(journal), random.Random(1), 5)
    journal.close()
    more = (*store.MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT",))
    monkeypatch.setattr(store, "MIGRATIONS", more)
    with pytest.raises(JournalError, match="older"):
        Journal.read(path, rules=toy_rules)
    journal = toy_journal(path)
    found = journal.open_game()
    journal.close()
    assert found is not None
    assert found.hash == record.hash
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(more),)
        assert connection.execute("SELECT place FROM games").fetchall() == [(None,)]
    connection.close()


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    journal = toy_journal(path)
    begun(journal)
    journal.close()
    half = ("ALTER TABLE games ADD COLUMN place TEXT", "UPDATE nowhere SET x = 1")
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", (*store.MIGRATIONS, half))
        with pytest.raises(JournalError):
            toy_journal(path)
    journal = toy_journal(path)
    assert journal.notice is None
    assert journal.open_game() is not None
    journal.close()


# -- where it lies ------------------------------------------------------------------------------


def test_its_folder_is_made(tmp_path: Path) -> None:
    toy_journal(tmp_path / "a" / "b" / "journal.db").close()
    assert (tmp_path / "a" / "b" / "journal.db").exists()


def test_a_name_with_odd_signs(tmp_path: Path) -> None:
    path = tmp_path / "le café #1 ?mode=ro%20" / "jour nal.db"
    journal = toy_journal(path)
    begun(journal)
    journal.close()
    assert path.exists()
    reader = Journal.read(path, rules=toy_rules)
    assert len(reader.games()) == 1
    reader.close()


def test_a_place_where_nothing_can_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(JournalError) as error:
        toy_journal(tmp_path / "file" / "journal.db")
    assert error.value.code == "cannot_open"
    (tmp_path / "folder").mkdir()
    with pytest.raises(JournalError) as error:
        toy_journal(tmp_path / "folder")
    assert error.value.code == "cannot_open"


def test_a_disk_without_shared_memory_is_said_so(tmp_path: Path) -> None:
    class Unshared:
        def __init__(self, address: str) -> None:
            self.connection = store.sqlite3_connect(address)

        def execute(self, sql: str, parameters: Any = ()) -> Any:
            return self.connection.execute(sql.replace(" = WAL", " = DELETE"), parameters)

        def close(self) -> None:
            self.connection.close()

    with pytest.raises(JournalError) as error:
        toy_journal(tmp_path / "journal.db", connect=Unshared)
    assert error.value.code == "no_wal"


@pytest.mark.parametrize("code", errors._SENTENCES)
def test_every_error_has_its_sentence_in_both_languages(code: str) -> None:
    fields = ("path", "aside", "detail", "found", "known", "id", "seq")
    error = JournalError(code, why=Text("parce que", "because"), **{f: f"<{f}>" for f in fields})
    assert "<path>" in error.text.fr
    assert "<path>" in error.text.en
    assert "because" not in error.text.fr


# -- reading beside the daemon ------------------------------------------------------------------


def test_another_process_reads_while_the_daemon_writes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = toy_journal(path)
    record = play_on(journal, begun(journal), random.Random(3), 5)
    program = (
        "import sys; from pathlib import Path; from firmware_host.journal import Journal\n"
        "print(*Journal.read(Path(sys.argv[1])).games())"
    )
    command = [sys.executable, "-c", program, str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "moves=5, open=True" in shown
    play_on(journal, record, random.Random(4), 2)
    journal.close()


def test_reading_leaves_no_trace(tmp_path: Path, sound: list[Content]) -> None:
    path = put(tmp_path, sound[0])
    reader = Journal.read(path, rules=toy_rules)
    assert len(reader.games()) == 4
    with pytest.raises(JournalError) as error:
        begun(reader)
    assert error.value.code in ("read_only", "game_open")
    reader.close()
    assert content(tmp_path) == sound[0]


def test_reading_a_journal_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as error:
        Journal.read(tmp_path / "journal.db")
    assert error.value.code == "missing"
    assert list(tmp_path.iterdir()) == []


def test_a_reader_sets_nothing_aside(tmp_path: Path) -> None:
    path = put(tmp_path, {"journal.db": b"Dear diary," * 500})
    with pytest.raises(JournalError) as error:
        Journal.read(path)
    assert error.value.code == "damaged"
    assert [file.name for file in tmp_path.iterdir()] == ["journal.db"]

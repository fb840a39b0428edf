"""Backups are sound copies, also while a game is played; restoring overwrites nothing."""

from __future__ import annotations

import pytest

from firmware_host.cli import main
from firmware_host.journal import Journal, JournalError
from firmware_host.journal.backup import back_up, restore
from game_logic.core import encode
from hw_tests.rig import Rig


def test_a_backup_while_a_game_is_played_holds_all_that_was_shown(tmp_path):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    shown = rig.state
    assert back_up(tmp_path / "cavale.db", tmp_path / "copy.db") == 1
    rig.push(2, "left")
    copy = Journal.open(tmp_path / "copy.db")
    assert encode(copy.open_game().state) == encode(shown)
    copy.close()


def test_restoring_brings_the_games_back_and_sets_the_others_aside(tmp_path, capsys):
    rig = Rig(tmp_path)
    rig.push(3, "left")
    shown = rig.state
    rig.journal.close()
    journal = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["backup", str(tmp_path / "copy.db"), *journal]) == 0
    other = Rig(tmp_path)
    other.sim.world.arrange(other.record.game.image(other.state))
    other.wait()
    other.push(2, "left")
    other.journal.close()
    assert main(["restore", str(tmp_path / "copy.db"), *journal]) == 0
    said = capsys.readouterr().out
    again = Journal.open(tmp_path / "cavale.db")
    assert encode(again.open_game().state) == encode(shown)
    again.close()
    aside = tmp_path / "cavale.db.replaced-1"
    assert aside.name in said
    kept = Journal.read(aside)
    assert kept.games()[0].moves == 3
    kept.close()


def test_a_journal_in_use_is_not_replaced(tmp_path):
    rig = Rig(tmp_path)
    back_up(tmp_path / "cavale.db", tmp_path / "copy.db")
    with pytest.raises(JournalError) as refused:
        restore(tmp_path / "copy.db", tmp_path / "cavale.db")
    assert refused.value.code == "in_use"
    rig.push(3, "left")
    assert len(rig.moves) == 2


def test_nothing_is_overwritten_and_no_rubbish_restored(tmp_path, capsys):
    rig = Rig(tmp_path)
    rig.journal.close()
    there = tmp_path / "there.db"
    there.write_bytes(b"rubbish")
    journal = ["--journal", str(tmp_path / "cavale.db")]
    assert main(["backup", str(there), *journal]) == 1
    assert there.read_bytes() == b"rubbish"
    assert main(["restore", str(there), *journal]) == 1
    assert main(["restore", str(tmp_path / "nothing.db"), *journal]) == 1
    assert main(["backup", str(tmp_path / "no" / "where.db"), *journal]) == 1
    assert "where.db" in capsys.readouterr().err
    assert len(Journal.read(tmp_path / "cavale.db").games()) == 1

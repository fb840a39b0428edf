"""Free time goes to when somebody is next needed, and never past the end it was given."""

from __future__ import annotations

from drivers.clock import FreeClock
from firmware_host.config import parse
from firmware_host.journal import InlineWriter, Journal
from firmware_host.runner import run_free
from firmware_host.simulated import SimulatedTable
from firmware_host.table import Table


def test_a_table_with_nothing_due_waits_until_the_end_and_no_longer(tmp_path):
    clock = FreeClock(1000.0)
    sim = SimulatedTable(parse("[panel]\nconfirm = 5\n", "table.toml"), clock)
    journal = Journal.open(tmp_path / "cavale.db")
    table = Table(sim.parts, InlineWriter(journal, clock.now), clock, below=lambda n: 0)
    run_free(table, clock, sim.agenda, until=lambda: False, most=5.0)
    assert clock.now() == 1005.0
    run_free(table, clock, sim.agenda, until=lambda: False)
    assert clock.now() == 1005.0
    journal.close()

"""The journal: every accepted move, durable, in one SQLite file.

    journal = Journal.open(path)            # a damaged file is set aside: see journal.notice
    record = journal.open_game()            # the game to go on with, or None
    writer = Writer(journal, on_done=wake)  # or InlineWriter(journal, clock) in free time

    ticket = writer.submit(record.intent(acts))     # Illegal is raised here, and nothing happened
    if ticket.done and not ticket.error:            # accepted: show it
        record = ticket.record

A Record is a value: the game as it stands. `Record.begin`, `record.intent`, `.undo`, `.correct` and
`.end` give the next one, which is a draft until a ticket says that it is on the disk. A ticket with
an error changed nothing: `writer.submit(ticket.draft)` tries again.
"""

from firmware_host.journal.entries import Correction, End, Entry, Intent, Resumed, Start, Undo
from firmware_host.journal.errors import CannotResume, JournalError
from firmware_host.journal.journal import Journal, Line
from firmware_host.journal.record import Record, Step
from firmware_host.journal.replay import Result, replay
from firmware_host.journal.store import sqlite3_connect
from firmware_host.journal.writer import InlineWriter, Ticket, Writer

__all__ = [
    "CannotResume",
    "Correction",
    "End",
    "Entry",
    "InlineWriter",
    "Intent",
    "Journal",
    "JournalError",
    "Line",
    "Record",
    "Result",
    "Resumed",
    "Start",
    "Step",
    "Ticket",
    "Undo",
    "Writer",
    "replay",
    "sqlite3_connect",
]

"""Pulling the plug of a simulated table, honestly: the daemon's process is replaced by a new one.

Nothing is closed or flushed: threads die in the middle of what they do, a commit under way is lost
or is not, as the disk has it, and the new process knows the journal's file and nothing else. What a
power cut leaves in place (pieces, dice, broken chips) is handed over beside it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

LEFT = "CAVALE_LEFT_ON_THE_TABLE"


class Plug:
    """`arguments`: those of the command that runs this table, the ready-made one named `table`."""

    def __init__(self, arguments: Sequence[str], table: str = "") -> None:
        self.table = table
        self._arguments = tuple(arguments)
        self.another: Mapping[str, str] | None = None  # what to change once this table has stopped

    def pull(self, left: str, changed: Mapping[str, str]) -> NoReturn:
        """At once. `changed`: options to be given anew, such as the page's port."""
        environment = {**os.environ, LEFT: left} if left else dict(os.environ)
        command = [sys.executable, "-m", "firmware_host.cli", *given(self._arguments, changed)]
        sys.stdout.flush()
        os.execve(sys.executable, command, environment)


def left_on_the_table() -> str | None:
    """What the one before us left there."""
    return os.environ.pop(LEFT, None)


def given(arguments: Sequence[str], changed: Mapping[str, str]) -> list[str]:
    """The same arguments with these options in place of what they said."""
    kept: list[str] = []
    words = iter(arguments)
    for word in words:
        name = word.partition("=")[0]
        if name not in changed:
            kept.append(word)
        elif "=" not in word:
            next(words, None)
    return kept + [word for option in changed.items() for word in option]

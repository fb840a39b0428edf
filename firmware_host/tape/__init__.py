"""A recording of the wire: what sensors saw and people asked for, and what the table made of it.

One JSON object a line. The first says which game was open and what the table is made of; the rest
have `at`, a time of the table's clock, and what came in at that step, or what was accepted. It
holds what people did in secret too: keep it like a hand of cards.
"""

from __future__ import annotations

from firmware_host.tape.recorder import Recorder
from firmware_host.tape.replay import Replayed, is_tape, replay

__all__ = ["Recorder", "Replayed", "is_tape", "replay"]

"""Small files of the table's own: written whole or not at all, also when the plug is pulled."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Written beside, synced, then renamed. Raises OSError, and then nothing has changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, beside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(number)
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

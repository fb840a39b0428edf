"""`cavale doctor --bundle`: what somebody who helps needs to see, and nothing that is nobody's
business: no password, no key, no hand, no bet, no name of a player."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from importlib.metadata import distributions
from importlib.resources import files
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.config import PROFILES
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.report import plain
from firmware_host.journal import Journal, JournalError, Line

HIDDEN = "…"
SECRET = re.compile(r"user|password|secret|token|key|cert|code|ca$", re.IGNORECASE)
IN_URL = re.compile(r"[^\s\"']+(?=@)")  # name and password before a host
JOINING = re.compile(r"(?<=/s/)\w+", re.IGNORECASE)  # the code that lets a phone in
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
BOOT = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
LOG = ("journalctl", "--unit=cavale", "--lines=500", "--output=short-iso", "--no-pager")
PATIENCE = 15.0  # s for the log, on a slow card

READ_ME = f"""\
A support bundle of Cavale {__version__}. Look through it before you send it.

findings.jsonl   what the doctor found
machine.json     this computer: model, system, versions
table.toml       the table, without comments, user, passwords and keys; it can be played:
                 cavale run --sim --table table.toml
config.txt       what the Pi is told about its buses and pins
log.txt          the service's last lines; players are numbered
games.jsonl      which games were played, how long, how they ended: no moves, no names
"""


def write(
    path: Path,
    table: str,
    journal: Path,
    findings: Iterable[Finding],
    language: str,
    trouble: str | None = None,
) -> None:
    """Raises OSError if the file cannot be written. `trouble` is why there are no findings."""
    games, ails = _games(journal)
    found = [plain(each, language) for each in findings]
    if trouble is not None:
        found.append({"what": "table", "state": "sick", "found": QUOTED.sub(HIDDEN, trouble)})
    if ails is not None:
        found.append({"what": "journal", "state": "sick", "found": ails})
    home = str(Path.home())
    told = {
        "README.txt": READ_ME,
        "findings.jsonl": _lines(found),
        "machine.json": json.dumps(_machine(), indent=1, ensure_ascii=False) + "\n",
        "table.toml": _table(table),
        "config.txt": _boot(),
        "log.txt": numbered(_log(), games),
        "games.jsonl": _lines(_line(game) for game in games),
    }
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in told.items():
            text = JOINING.sub(HIDDEN, IN_URL.sub(HIDDEN, text))
            out.writestr(name, text.replace(home, "~") if len(home) > 1 else text)


# -- the table -------------------------------------------------------------------------------


def redacted(value: Any, gone: list[str], at: str = "") -> Any:
    """A value of a TOML file without what has a telling name; `gone` gets those names."""
    if isinstance(value, dict):
        kept = {}
        for name, inner in value.items():
            if SECRET.search(name) and not isinstance(inner, bool):
                gone.append(f"{at}{name}")
            else:
                kept[name] = redacted(inner, gone, f"{at}{name}.")
        return kept
    if isinstance(value, list):
        return [redacted(inner, gone, at) for inner in value]
    return IN_URL.sub(HIDDEN, value) if isinstance(value, str) else value


def toml(table: dict[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(str(value), ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _table(table: str) -> str:
    if table in PROFILES:
        source: Any = files("firmware_host") / "tables" / f"{table}.toml"
    else:
        source = Path(table)
    try:
        gone: list[str] = []
        kept = toml(redacted(tomllib.loads(source.read_text("utf-8")), gone))
        return kept + "".join(f"# taken out: {name}\n" for name in gone)
    except (OSError, ValueError) as error:  # its text stays here: nobody knows what it holds
        return f"# {type(error).__name__}: {error}\n"


# -- the machine, its log, its games ---------------------------------------------------------


def _machine() -> dict[str, Any]:
    packages = {dist.metadata["Name"]: dist.version for dist in distributions()}
    return {
        "cavale": __version__,
        "python": platform.python_version(),
        "model": _first_line("/proc/device-tree/model"),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME") if _has_release() else None,
        "kernel": platform.release(),
        "machine": platform.machine(),
        "packages": dict(sorted(packages.items(), key=lambda item: str(item[0]).lower())),
    }


def _has_release() -> bool:
    return any(Path(path).exists() for path in ("/etc/os-release", "/usr/lib/os-release"))


def _first_line(path: str) -> str | None:
    try:
        return Path(path).read_text("utf-8", "replace").strip("\0\n")
    except OSError:
        return None


def _boot() -> str:
    for path in BOOT:
        try:
            lines = path.read_text("utf-8", "replace").splitlines()
        except OSError:
            continue
        return "".join(f"{line}\n" for line in lines if re.match(r"\[|dt(param|overlay)=", line))
    return "# there is none here\n"


def _log() -> str:
    try:
        done = subprocess.run(
            LOG, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"# no log: {error}\n"
    return done.stdout or f"# no log: {done.stderr}"


def numbered(text: str, games: Sequence[Line]) -> str:
    """The players' names, as numbers."""
    names = {name: n for game in games for n, name in enumerate(game.seats, 1) if name}
    if not names:
        return text
    longest = sorted(names, key=len, reverse=True)
    some = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)")
    return some.sub(lambda found: f"player {names[found[1]]}", text)


def _games(path: Path) -> tuple[tuple[Line, ...], str | None]:
    if not path.exists():
        return (), None
    try:
        journal = Journal.read(path)
    except JournalError as error:
        return (), error.text.en
    try:
        return journal.games(), None
    except JournalError as error:
        return (), error.text.en
    finally:
        journal.close()


def _line(game: Line) -> dict[str, Any]:
    return {
        "id": game.id,
        "game": game.game,
        "players": len(game.seats),
        "started": game.started,
        "moves": game.moves,
        "open": game.open,
        "reason": game.outcome and game.outcome.reason,
    }


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)

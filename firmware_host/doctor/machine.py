"""The machine that Cavale runs on: versions, rights, the journal's disk, the speed of buses."""

from __future__ import annotations

import grp
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from firmware_host.config import Config
from firmware_host.doctor.findings import Finding, finding
from firmware_host.journal import Journal, JournalError
from game_logic import load

LEAST = 50  # MB of free disk; a long evening takes less than one
SYSFS = Path("/sys/class")
SPEEDS = ("i2c-dev/i2c-{}/device/of_node", "i2c-adapter/i2c-{}/of_node")


def software() -> Iterator[Finding]:
    """Python, and the packages that Cavale was installed to run with."""
    yield finding("python", "python", sys.executable, version=sys.version.split()[0])
    try:
        wanted = requires("cavale") or []
    except PackageNotFoundError:
        yield finding("packages_unknown", "packages")
        return
    there = []
    for line in wanted:
        if "extra ==" not in line:
            package = line.partition(";")[0].strip()
            name = re.split(r"[<>=!~ (\[]", package)[0]
            try:
                found = version(name)
            except PackageNotFoundError:
                yield finding("package_missing", name, wanted=package)
                continue
            if not fits(found, package):
                yield finding("package_other", name, version=found, wanted=package)
            there.append(f"{name} {found}")
    yield finding("packages", "packages", versions=", ".join(there))


def fits(found: str, wanted: str) -> bool:
    """Does a version meet the lower and upper bounds of a requirement such as "x<3,>=2.0.1"?"""
    for sign, bound in re.findall(r"(>=|<)\s*([0-9.]+)", wanted):
        if (_numbers(found) >= _numbers(bound)) != (sign == ">="):
            return False
    return True


def _numbers(version: str) -> list[int]:
    release = re.match(r"[0-9.]+", version)
    numbers = [int(n) for n in release[0].split(".") if n] if release else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def groups(config: Config) -> Iterator[Finding]:
    """Membership in the groups that own what this table uses."""
    needed = {"i2c": config.buses(), "gpio": list(config.pins()), "dialout": config.tower}
    for name in (name for name, used in needed.items() if used):
        if os.geteuid() == 0:
            yield finding("group_root", f"group {name}")
            continue
        try:
            ours = grp.getgrnam(name).gr_gid in (os.getegid(), *os.getgroups())
        except KeyError:
            yield finding("group_unknown", f"group {name}")
            continue
        yield finding("group" if ours else "group_not", f"group {name}", group=name)


def two_pin_libraries() -> Iterator[Finding]:
    if _installed("RPi.GPIO") and _installed("rpi-lgpio"):
        yield finding("pins_two", "pins")


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def speed(number: int, wanted: int, sysfs: Path = SYSFS) -> Finding:
    """How fast the kernel drives a bus, where it says so (one of bit-banged pins does not)."""
    what = f"bus {number} speed"
    for place in SPEEDS:
        file = sysfs / place.format(number) / "clock-frequency"
        try:
            hz = int.from_bytes(file.read_bytes(), "big")
        except OSError:
            continue
        code = "speed" if hz == wanted else "speed_other"
        return finding(code, what, str(file), hz=hz, wanted=wanted, number=number)
    return finding("speed_unknown", what)


def journal(path: Path) -> Iterator[Finding]:
    """Looked at without touching it: what is damaged is set aside by the daemon, not by us."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        if path.exists():
            Journal.read(path).close()
        there = path.exists() and path.stat().st_size > 0
    except (JournalError, OSError) as error:
        if isinstance(error, JournalError):
            why: object = error.text
        else:
            why = str(error)
        yield finding("journal_sick", "journal", str(path), why=why)
    else:
        ours = folder.is_dir() and os.access(folder, os.W_OK)
        if ours and there:
            ours = os.access(path, os.W_OK)
        code = "journal_not_writable" if not ours else "journal" if there else "journal_new"
        yield finding(code, "journal", str(path), path=path if there else folder)
    try:
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        yield finding("disk_unknown", "disk", str(folder), detail=str(error))
        return
    code = "disk" if free >= LEAST else "disk_full"
    yield finding(code, "disk", str(folder), free=free, least=LEAST)


def spaces(config: Config) -> Iterator[Finding]:
    """Names of spaces that the table's game does not have."""
    game = load(config.game)
    known = game.spaces(game.new([f"{n}" for n in range(game.seats[0])]))
    named = [part.space for part in config.inputs.values()] + [r.space for r in config.reader]
    unknown = sorted({space for space in named if space and space not in known})
    if unknown:
        yield finding("spaces_unknown", "table", game=config.game, spaces=", ".join(unknown))

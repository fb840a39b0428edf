#!/usr/bin/env python3
"""Puts Cavale on a Raspberry Pi as a service, brings it up to date, and takes it off again.

Needs nothing but Python, and may be run as often as you like: what is right already is left alone.
With DESTDIR set it writes files there and runs no command.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
PREFIX = Path("/opt/cavale")
TABLE = Path("/etc/cavale/table.toml")
STATE = Path("/var/lib/cavale")
STAMP = PREFIX / "installed-from"  # the digest of the source that is in the prefix
BOOT = (Path("/boot/firmware/config.txt"), Path("/boot/config.txt"))
FILES = {
    Path("/etc/sysusers.d/cavale.conf"): "systemd/cavale.sysusers",
    Path("/etc/tmpfiles.d/cavale.conf"): "systemd/cavale.tmpfiles",
    Path("/etc/modules-load.d/cavale.conf"): "systemd/cavale.modules",
    Path("/etc/udev/rules.d/70-cavale.rules"): "systemd/70-cavale.rules",
    Path("/etc/systemd/system/cavale.service"): "systemd/cavale.service",
    Path("/usr/local/bin/cavale"): "systemd/cavale.sh",
    PREFIX / "back-off": "systemd/back-off.sh",
}
BEGIN, END = "# cavale: begin (systemd/install.py wrote this)", "# cavale: end"


class Refused(Exception):
    """What is asked for cannot be done: the message says what to do instead."""


class Installer:
    def __init__(self, root: Path | None, dry: bool, yes: bool) -> None:
        self.root = root  # DESTDIR
        self.dry = dry
        self.yes = yes
        self.changes = 0
        self.reboot = False  # is what config.txt enables only there after a restart?

    def at(self, path: Path) -> Path:
        return self.root / path.relative_to("/") if self.root else path

    # -- the three things that can be asked for ----------------------------------------------------

    def install(self, table: str | None) -> None:
        text = self._table(table)
        before = self.changes
        for path, name in FILES.items():
            mode = 0o755 if path.parent.name == "bin" else 0o644
            self.write(path, (SOURCE / name).read_bytes(), mode)
        settled = self.changes == before
        if not settled:
            self.run("systemd-sysusers")
            self.run("systemd-tmpfiles", "--create", "/etc/tmpfiles.d/cavale.conf")
            self.run("systemctl", "restart", "systemd-modules-load.service")
        self._program()
        self._boot(boot_lines(text))
        if self.changes == before:
            self.tell("nothing to change")
            return
        if not settled:
            self.run("udevadm", "control", "--reload")
            self.run("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=i2c-dev")
            self.run("systemctl", "daemon-reload")
        self.run("systemctl", "enable", "cavale.service")
        if self.reboot:
            self.tell("the buses are there after a restart, and Cavale with them: sudo reboot")
        else:
            self.run("systemctl", "restart", "cavale.service")

    def update(self) -> None:
        if not self.at(STAMP).exists():
            raise Refused("Cavale is not installed here; run: sudo make install")
        self.install(None)

    def uninstall(self) -> None:
        self.run("systemctl", "disable", "--now", "cavale.service")
        for path in FILES:
            self.remove(path)
        self.remove(PREFIX)
        self._boot(None)
        self.run("systemctl", "daemon-reload")
        self.run("udevadm", "control", "--reload")
        self.tell(f"kept: {STATE} (your games), {TABLE.parent} (your table), the user cavale")

    # -- their parts -------------------------------------------------------------------------------

    def _table(self, name: str | None) -> str:
        """The owner's table stays; only a first installation brings a ready-made one."""
        if self.at(TABLE).exists():
            if name is not None:
                self.tell(f"{TABLE} is yours and stays; delete it first to have {name} instead")
            return self.at(TABLE).read_text("utf-8")
        ready = {path.stem: path for path in (SOURCE / "firmware_host/tables").glob("*.toml")}
        if (name := name or "wall") not in ready:
            raise Refused(f"no ready-made table {name!r}; there are: {', '.join(sorted(ready))}")
        self.write(TABLE, ready[name].read_bytes())
        return ready[name].read_text("utf-8")

    def _program(self) -> None:
        digest = source_digest().encode()
        if self.at(STAMP).exists() and self.at(STAMP).read_bytes() == digest:
            return
        if not self.at(PREFIX / "bin/python").exists():
            self.run(sys.executable, "-m", "venv", str(PREFIX))
        pip = str(PREFIX / "bin/pip")
        self.run(pip, "install", "--quiet", "--upgrade", f"{SOURCE}[pi]")
        self.write(STAMP, digest)

    def _boot(self, lines: list[str] | None) -> None:
        """Our lines in config.txt, between two marks; None takes them out."""
        path = next((path for path in BOOT if self.at(path).exists()), None)
        if path is None:
            if lines:
                self.tell(f"no {BOOT[0]} here; I²C is to be enabled by: {' '.join(lines)}")
            return
        old = self.at(path).read_text("utf-8")
        new = with_block(old, lines)
        if new == old:
            return
        diff = difflib.unified_diff(old.splitlines(), new.splitlines(), str(path), "new", n=1)
        self.tell("\n".join(line.rstrip("\n") for line in diff))
        if not self.dry and not self.yes and not agreed(f"change {path} like this?"):
            self.tell(f"{path} is left as it was")
            return
        kept = path.with_name("config.txt.before-cavale")
        if lines and not self.at(kept).exists():
            self.write(kept, old.encode())
        self.write(path, new.encode())
        self.reboot = True

    # -- what touches the machine ------------------------------------------------------------------

    def write(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        target = self.at(path)
        if target.exists() and target.read_bytes() == data:
            return
        self.changes += 1
        self.tell(f"write {path}")
        if self.dry:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(target.name + ".new")
        fresh.write_bytes(data)
        fresh.chmod(mode)
        os.replace(fresh, target)  # whole or not at all

    def remove(self, path: Path) -> None:
        target = self.at(path)
        if not target.exists():
            return
        self.changes += 1
        self.tell(f"remove {path}")
        if self.dry:
            return
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()

    def run(self, *command: str) -> None:
        self.tell(f"run {shlex.join(command)}")
        if self.dry or self.root:
            return
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            hint = "sudo apt install python3-venv" if "venv" in command else "Mend that"
            raise Refused(
                f"{error}\n{hint}, and run this again: it goes on where it stopped"
            ) from None

    def tell(self, what: str) -> None:
        print(what, flush=True)


def boot_lines(table: str) -> list[str]:
    """What config.txt must hold for this table: its buses, their speed, and its own overlays."""
    buses = tomllib.loads(table).get("bus", {})
    hz = buses.get("1", {}).get("hz", 400_000)
    lines = ["dtparam=i2c_arm=on", f"dtparam=i2c_arm_baudrate={hz}"]
    return lines + re.findall(r"^#\s*(dtoverlay=\S+)", table, re.MULTILINE)


def with_block(text: str, lines: list[str] | None) -> str:
    kept = re.sub(rf"\n?{re.escape(BEGIN)}\n.*?{re.escape(END)}\n", "", text, flags=re.DOTALL)
    if lines is None:
        return kept
    ended = kept if kept.endswith("\n") or not kept else kept + "\n"
    return ended + "\n" + "\n".join([BEGIN, "[all]", *lines, END]) + "\n"


def source_digest() -> str:
    digest = hashlib.sha256()
    files = [SOURCE / "pyproject.toml"]
    for package in ("drivers", "firmware_host", "game_logic"):
        found = (SOURCE / package).rglob("*")
        files += sorted(p for p in found if p.is_file() and "__pycache__" not in p.parts)
    for path in files:
        digest.update(str(path.relative_to(SOURCE)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def agreed(question: str) -> bool:
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes", "o", "oui")
    except EOFError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("install", "update", "uninstall"))
    parser.add_argument("--table", help="the ready-made table to begin with (default: wall)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--yes", action="store_true", help="change config.txt without asking")
    args = parser.parse_args()
    root = os.environ.get("DESTDIR")
    installer = Installer(Path(root).resolve() if root else None, args.dry_run, args.yes)
    try:
        if not root and not args.dry_run and os.geteuid() != 0:
            raise Refused("this changes the system: run it with sudo, or with --dry-run")
        if args.what == "install":
            installer.install(args.table)
        else:
            getattr(installer, args.what)()
    except (Refused, OSError) as error:
        print(f"install: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

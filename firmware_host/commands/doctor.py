"""`cavale doctor`: every bus, chip, pin and port, and how to mend it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.commands.common import (
    FAILED,
    Misuse,
    command,
    config_of,
    journal_argument,
    journal_of,
    json_argument,
    language_of,
    table_arguments,
)
from firmware_host.config import PROFILES, ConfigError


def add(commands: Any) -> None:
    doctor = command(commands, "doctor", _doctor, "every bus, chip, pin and port: how to mend it")
    table_arguments(doctor)
    doctor.add_argument("--sim", action="store_true", help="examine simulated chips")
    doctor.add_argument("--faults", default="", help='with --sim, such as "missing screen 0x3c"')
    doctor.add_argument(
        "--bundle", type=Path, metavar="FILE", help="write a .zip for people who help: no secrets"
    )
    journal_argument(doctor)
    json_argument(doctor)


def _doctor(args: argparse.Namespace) -> int:
    from drivers.clock import FreeClock
    from firmware_host.doctor import State, bundle, examine, examine_simulated
    from firmware_host.doctor.report import report
    from firmware_host.simulated import BadOrder, SimulatedTable

    if args.faults and not args.sim:
        raise Misuse("--faults are for simulated chips: give --sim too")
    journal, table = journal_of(args), args.table or PROFILES[0]
    try:
        config = config_of(args)
    except ConfigError as error:
        if args.bundle is not None:
            _bundle(bundle.write, args.bundle, table, journal, (), language_of(args), str(error))
        raise
    if args.sim:
        clock = FreeClock()
        sim = SimulatedTable(config, clock)
        try:
            sim.order(args.faults)
        except BadOrder as error:
            raise Misuse(str(error)) from None
        findings = examine_simulated(sim, clock, journal)
    else:
        findings = examine(config, journal)
    told = report(findings, config.language, json=args.json)
    if args.bundle is not None:
        _bundle(bundle.write, args.bundle, table, journal, told, config.language)
    return FAILED if any(each.state is State.SICK for each in told) else 0


def _bundle(write: Callable[..., None], path: Path, *what: Any) -> None:
    try:
        write(path, *what)
    except OSError as error:
        raise Misuse(f"--bundle {path}: cannot be written ({error}); try /tmp/cavale.zip") from None
    print(f"cavale: {path} is written; look through it before you send it", file=sys.stderr)

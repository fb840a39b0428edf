"""The `cavale` command. Exit status: 0 done, 1 what was asked for failed, 2 bad arguments."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from firmware_host import __version__
from firmware_host.commands import bench, demo, doctor, games, learn, run, simulate
from firmware_host.commands.common import FAILED, MISUSED, Misuse, complain, language_of
from firmware_host.config import ConfigError
from firmware_host.journal import JournalError
from game_logic.core import Malformed


def main(argv: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    args = _parser().parse_args(words, argparse.Namespace(words=words))
    try:
        return int(args.command(args))
    except (Misuse, ConfigError, Malformed) as error:
        complain(str(error))
        return MISUSED
    except JournalError as error:
        complain(error.text.in_(language_of(args)))
        return FAILED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough (`cavale history | head`): not our failure.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cavale", description="A companion for five physical prison-escape board games."
    )
    parser.add_argument("--version", action="version", version=f"cavale {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for each in (run, demo, simulate, doctor, learn, games, bench):
        each.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())

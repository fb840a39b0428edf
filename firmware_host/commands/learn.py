"""`cavale learn`: which tag is on which piece."""

from __future__ import annotations

import argparse
from typing import Any

from firmware_host.commands.common import (
    FAILED,
    Misuse,
    command,
    complain,
    config_of,
    decks_argument,
    journal_argument,
    journal_of,
    table_arguments,
)
from firmware_host.decks import Decks
from firmware_host.tags import FILE, TagError
from game_logic import GAMES


def add(commands: Any) -> None:
    learn = command(commands, "learn", _learn, "put a tag on any reader, name the piece")
    table_arguments(learn)
    learn.add_argument("--sim", action="store_true", help="rehearse: simulated readers and tags")
    learn.add_argument("--game", choices=GAMES, help="whose box; default: as in table.toml")
    decks_argument(learn)
    journal_argument(learn)


def _learn(args: argparse.Namespace) -> int:
    from drivers.bus import BusError
    from drivers.panel import PinError
    from firmware_host.lesson import NoReaders, learn

    config, decks = config_of(args, "pad"), Decks(args.decks)
    path = journal_of(args).with_name(f"simulated-{FILE}" if args.sim else FILE)
    try:
        return learn(config, path, decks.load(args.game or config.game), decks.load, args.sim)
    except NoReaders as error:
        raise Misuse(str(error)) from None
    except TagError as error:
        complain(error.text.in_(config.language))
    except (BusError, PinError) as error:
        complain(str(error))
    return FAILED

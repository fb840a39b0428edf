"""Does a broker cost the game anything? The same evening without one, with one that is not there,
with one that hangs and, where Mosquitto is installed, with one that listens.

Time is scaled, as it must be beside something real: a millisecond that the link took from the loop
would show as `PACE` of them, and so does one that another program took from this machine. What the
loop's own thread worked for a move is the steadier figure."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import msgspec

from firmware_host.bench import Case
from firmware_host.config import profile
from firmware_host.config_parts import MqttPart
from firmware_host.demo import Evening
from firmware_host.journal import Journal

PACE = 10.0
SEED = 7
MOVES = 40
PLACES = "/usr/sbin:/usr/local/sbin"  # where a server's program lies, off many people's PATH
Figure = Callable[[list[float]], float]
FIGURES: dict[str, Figure] = {"half": median, "19 in 20": lambda every: quantiles(every, n=20)[-1]}


def cases(moves: int = MOVES) -> Iterator[Case]:
    """From pieces at rest to the screen: half of the moves, and 19 in 20, are seen within this."""
    without, worked = _played(None, moves)
    with ExitStack() as stack:
        brokers = {"not there": f"mqtt://127.0.0.1:{_free_port()}"}
        brokers["hangs"] = stack.enter_context(_silent())
        if program := shutil.which("mosquitto") or shutil.which("mosquitto", path=PLACES):
            brokers["listens"] = stack.enter_context(_mosquitto(program))
        for broker, url in brokers.items():
            with_one, works = _played(url, moves)
            for name, figure in FIGURES.items():
                what = f"seen on the screen, {name}; broker {broker}, beside none"
                yield _case(what, figure(with_one), figure(without))
            yield _case(f"the loop works for a move; broker {broker}, beside none", works, worked)


def _case(what: str, ours: float, peer: float) -> Case:
    return Case(
        bench="mqtt",
        case=what,
        ours=round(ours, 1),
        peer=round(peer, 1),
        unit="ms",
        ratio=round(ours / peer, 3),
    )


def _played(url: str | None, moves: int) -> tuple[list[float], float]:
    """The first moves of one game: milliseconds of table time until each was seen, and of this
    thread's work for one."""
    config = msgspec.structs.replace(profile("wall"), mqtt=MqttPart(url) if url else None)
    with TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "bench.db")
        evening = Evening(config, "breakout", journal, seed=SEED, pace=PACE)
        began = time.thread_time()
        try:
            evening.run(lambda: evening.moves >= moves)
            worked = time.thread_time() - began
        finally:
            evening.close()
            journal.close()
        return [1000 * seconds for seconds in evening.latencies], 1000 * worked / evening.moves


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _silent() -> Iterator[str]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"mqtt://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def _mosquitto(program: str) -> Iterator[str]:
    port = _free_port()
    none = subprocess.DEVNULL
    process = subprocess.Popen([program, "-p", str(port)], stdout=none, stderr=none)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"mqtt://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()

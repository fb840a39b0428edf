"""The one way into the loop: every other thread puts what it wants here."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firmware_host.config_parts import Language, Luck
from game_logic.core import Act, State, Text

Reply = Callable[[Text | None], None]  # None: accepted; else why not


def _nobody(_: Text | None) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Intend:
    """Moves to be made, all or none. `seq` is the entry they answer, if that matters; `decision`
    is what the first of them answers (`Snapshot.decisions`), whatever others do meanwhile."""

    acts: tuple[Act, ...]
    seq: int | None = None
    reply: Reply = _nobody
    decision: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """An option of the question that is on the screen."""

    at: int
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Press:
    """A button: confirm, undo or next."""

    button: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo. Past a closed undo only when the table has agreed."""

    confirmed: bool = False
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game; one that is open is abandoned only if asked."""

    game: str
    seats: Sequence[str]
    options: Mapping[str, object] = field(default_factory=dict)
    abandon: bool = False
    reply: Reply = _nobody
    key: bytes | None = None  # of the journal's hashes; a demo fixes it, to be repeatable


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold the game, its timers too, until it is resumed or somebody presses confirm."""

    on: bool
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Close:
    """End the game that is open, as it stands."""

    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Correct:
    """The table disagrees with the state: this is how it is. Checked, journalled, undoable."""

    state: State
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Somebody leaves: another person, by this name, or the house (None) plays on for the seat."""

    seat: int
    name: str | None
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Set:
    """What the table itself is set to; None leaves it as it is."""

    language: Language | None = None
    mute: bool | None = None
    reply: Reply = _nobody
    luck: Luck | None = None


@dataclass(frozen=True, slots=True)
class Invite:
    """Show on the screen how a phone joins as this seat; None: as the host."""

    seat: int | None
    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Joined:
    """A phone has joined with this code: it need not be shown any more."""

    code: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Nothing but the table's yes or no: in `reply`, when it was proposed."""

    reply: Reply = _nobody


@dataclass(frozen=True, slots=True)
class Propose:
    """Asked for from afar: done once somebody at the table agrees."""

    text: Text
    wish: TakeBack | Begin | Close | Correct | TakeOver | Ask


@dataclass(frozen=True, slots=True)
class Do:
    """Anything that must happen on the loop's own thread: simulated hands, faults."""

    action: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Stop:
    pass


Order = Intend | Pick | TakeBack | Begin | Close | Correct | TakeOver  # what changes the game
Message = Order | Press | Pause | Set | Invite | Joined | Ask | Propose | Do | Stop


class Inbox:
    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._held: list[Message] = []

    def put(self, message: Message) -> None:
        self._queue.put(message)

    def wake(self) -> None:
        """Let a waiting loop look around, with nothing to tell it."""
        self._queue.put(None)

    def wait(self, seconds: float) -> None:
        """Until something comes, or the time is up."""
        try:
            message = self._queue.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return
        if message is not None:
            self._held.append(message)

    @property
    def waiting(self) -> bool:
        """Has something come, or somebody woken the loop?"""
        return bool(self._held) or not self._queue.empty()

    def take(self) -> list[Message]:
        """All that has come so far."""
        messages, self._held = self._held, []
        while not self._queue.empty():  # nobody else takes from it
            message = self._queue.get_nowait()
            if message is not None:
                messages.append(message)
        return messages

"""The table at one moment, and what has just happened: what everyone but the loop may look at."""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware_host.config import Language
from firmware_host.config_parts import Luck
from firmware_host.health import DeviceHealth
from firmware_host.journal import Record
from firmware_host.notices import Notice, Question
from game_logic.core import Act, Game, Text


class Invitation(NamedTuple):
    """How a phone joins the table as one of its seats, or (None) as its host."""

    seat: int | None
    code: str  # eight letters and digits
    url: str  # in capitals, so that its QR code is small


class Snapshot(NamedTuple):
    """The table at one moment, for all who only look. Give people `game.view`, not the state."""

    record: Record | None
    notice: Notice | None = None
    question: Question | None = None
    trouble: Text | None = None  # what ails the table itself: a chip, the disk
    flash: Text | None = None  # why the last thing asked for was refused
    language: Language = "en"
    seen: bool = False  # does any sensor see where pieces stand,
    signs: bool = False  # or what passes for a moment?
    paused: bool = False
    awaited: str | None = None  # whose dice or card the game waits for: "tower", "beam", "pad",
    # "box"; "confirm": the house's, once somebody says so
    health: tuple[DeviceHealth, ...] = ()  # the devices, as of the last news of them
    decisions: tuple[tuple[int, int], ...] = ()  # seat, and the entry since which it decides this
    deadline: float | None = None  # when the game's timer runs out, by the table's clock
    invitation: Invitation | None = None
    mute: bool = False
    address: str | None = None  # of the page, where there is one
    looked: bool = True  # has the board been looked at since the game was given?
    luck: Luck = "house"  # who rolls and draws what no sensor sees

    @property
    def game(self) -> Game[Any] | None:
        return self.record.game if self.record else None

    @property
    def asked(self) -> tuple[Text, ...]:
        """What a press of confirm would answer, or of undo drop."""
        return asked(self.question, self.notice)


def asked(question: Question | None, notice: Notice | None) -> tuple[Text, ...]:
    if question is not None:
        return (question.text, *question.options)
    if notice is not None and (notice.confirm or notice.kind == "provisional"):
        return (notice.said,)
    return ()


class Event(NamedTuple):
    """Something happened that the rest of the house may want to know."""

    kind: str  # "move", "undo", "correction", "begin", "over": entries of the journal; "notice",
    # "question", "refused", "trouble": what the table says; "set": language or sound
    at: float
    record: Record | None = None
    acts: tuple[Act, ...] = ()
    latency: float | None = None  # s from the piece at rest to the state on the screens
    text: Text | None = None

"""The prison as a value. Inside it places, like seats, are numbers from 0: tile 1 is place 0."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from game_logic.alcatraz.steps import AnyStep, Tiles
from game_logic.core import State, Value
from game_logic.pile import Pile

PLACES = 12
FULL = 4  # guards: no location ever holds more (R15), and none can be entered (R42)
NOBODY = -1
UNKNOWN = "?"  # a blackmail card that only its holder has seen (secrets = "table")
NO_GUARDS = (0,) * PLACES

Face = Literal["silver", "alternative"]
FACES: tuple[Face, Face] = ("silver", "alternative")


class Options(Value, frozen=True, gc=False):
    """The documented options; data/options.toml holds defaults and meanings."""

    secrets: Literal["house", "table"]
    layout: Literal["random"] | tuple[int, ...]
    faces: Literal["silver", "alternative", "random"] | tuple[Face, ...]
    trade_offers_per_turn: Annotated[int, Meta(ge=0)]
    talk_seconds: Annotated[int, Meta(ge=0)]
    stamina_max: Annotated[int, Meta(ge=1, le=9)]
    cash_max: Annotated[int, Meta(ge=1, le=9)]

    def __post_init__(self) -> None:
        if self.layout != "random" and sorted(self.layout) != list(range(1, PLACES + 1)):
            raise ValueError('layout is "random" or each of the numbers 1 to 12 once')
        if isinstance(self.faces, tuple) and len(self.faces) != PLACES:
            raise ValueError(f"faces names {len(self.faces)} tiles, and there are 12")


class Prisoner(Value, frozen=True, gc=False):
    """A pawn and its sheet."""

    place: int = NOBODY
    stamina: int = 0
    cash: int = 0
    objects: tuple[str, ...] = ()  # sorted
    parts: str = ""  # marked letters of the plan, sorted
    cards: tuple[str, ...] = ()  # blackmail, in the order they came


class Request(Value, frozen=True, gc=False):
    """The tokens somebody asked for to complete a task: who gives what, sorted (A33)."""

    task: str
    tokens: tuple[tuple[int, str], ...]


class Turn(Value, frozen=True, gc=False):
    """What one prisoner has done so far on his turn."""

    seat: int = NOBODY
    ap: int = 0
    used: tuple[int, ...] = ()  # locations (R30)
    stole: bool = False
    stamina: int = 0  # spent (R38)
    bribed: tuple[int, ...] = NO_GUARDS  # guards, by place (A7)
    offers: int = 0
    refused: tuple[Request, ...] = ()


IDLE = Turn()  # between the rounds, when it is nobody's turn


class Prison(State, frozen=True, gc=False):
    seats: tuple[str, ...]
    options: Options
    prisoners: tuple[Prisoner, ...]
    task_pile: Pile
    blackmail: Pile
    step: AnyStep = Tiles()  # what happens next
    layout: tuple[int, ...] = ()  # the places in reading order
    faces: tuple[int, ...] = ()  # 0 silver, 1 alternative, by place
    guards: tuple[int, ...] = NO_GUARDS
    lying: tuple[tuple[str, ...], ...] = ((),) * PLACES  # objects, sorted, by place
    tasks: tuple[str | None, ...] = (None,) * PLACES
    spent: tuple[str, ...] = ()  # tasks out of the game (R49)
    discards: tuple[str, ...] = ()  # blackmail cards, face up
    round: int = 0
    scapegoat: int = NOBODY
    bonus: int = 0
    votes: tuple[int, ...] = ()  # of the last election, by seat
    closed: tuple[int, ...] = ()  # nobody enters this round (X1)
    watched: tuple[int, ...] = ()  # actions cost more this round (X9)
    duty: tuple[int, ...] = ()  # seats with 1 AP less this round (X5)
    turn: Turn = IDLE

    @property
    def me(self) -> Prisoner:
        return self.prisoners[self.turn.seat]

    @property
    def here(self) -> int:
        return self.prisoners[self.turn.seat].place

    def others(self) -> tuple[int, ...]:
        """Every other seat, clockwise from the active one."""
        n, seat = len(self.seats), self.turn.seat
        return tuple((seat + k) % n for k in range(1, n))

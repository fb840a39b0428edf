"""What is under way: the state holds a stack of these, and the innermost one waits for somebody.

A racket, a sale or a deal in progress is plain data, so that it survives a restart. `asks` is who
has to act; tasks that wait for nobody are done at once (see steps.py).
"""

from __future__ import annotations

from typing import Literal

from game_logic.core import CHANCE, Value
from game_logic.pile import Bag


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Task(Value, frozen=True, gc=False, tag_field="task", tag=_snake):
    """Base of all tasks. `seat` is whom the task is about."""

    @property
    def asks(self) -> int:
        """Who has to act: the seat, unless a task says otherwise."""
        seat: int = self.seat  # type: ignore[attr-defined]
        return seat

    @property
    def topic(self) -> str:
        """What is asked: the key of its prompt, and the name of the phase in views."""
        return _snake(type(self).__name__)


class _ByChance(Task, frozen=True, gc=False):
    @property
    def asks(self) -> int:
        return CHANCE


# -- setting up and passing the turn ---------------------------------------------------------------


class PickFirst(_ByChance, frozen=True, gc=False):
    """R8, A11: who begins."""


class DealPassive(_ByChance, frozen=True, gc=False):
    seat: int


class Trim(Task, frozen=True, gc=False):
    """R13: the hand limit, the very last thing of a turn (A22)."""

    seat: int


class NextTurn(Task, frozen=True, gc=False):
    pass


# -- moving cards ----------------------------------------------------------------------------------


class Draw(_ByChance, frozen=True, gc=False):
    """Draw search cards."""

    seat: int
    left: int


class Shed(Task, frozen=True, gc=False):
    """Discard cards of one's own choice."""

    seat: int
    left: int


class Tidy(Task, frozen=True, gc=False):
    """A played card that is discarded once its effect is over (R21)."""

    card: str


class Lose(Task, frozen=True, gc=False):
    """Discard a card at random; where hands stay at the table its owner names it."""

    seat: int
    named: bool  # by the owner, not by chance

    @property
    def asks(self) -> int:
        return self.seat if self.named else CHANCE


class Take(Task, frozen=True, gc=False):
    """Take cards from another hand, at random or looking at it."""

    seat: int
    victim: int
    left: int
    choose: bool = False

    @property
    def asks(self) -> int:
        return self.seat if self.choose else CHANCE

    @property
    def topic(self) -> str:
        return "take_chosen" if self.choose else "take"


class Redeal(_ByChance, frozen=True, gc=False):
    """A42: the gathered hands are dealt out again; `seat` gets the next card."""

    seat: int
    pool: Bag


class Tribute(Task, frozen=True, gc=False):
    """R17: the accessories for joining a gang."""

    seat: int
    gang: str
    paid: tuple[str, ...] = ()


class DrawGang(_ByChance, frozen=True, gc=False):
    seat: int
    gang: str


class Sale(Task, frozen=True, gc=False):
    """R37; the first card opens it."""

    seat: int
    sold: bool = False


class Purchase(Task, frozen=True, gc=False):
    """The purchase for which the Smuggler was revealed."""

    seat: int
    percent: int


class DigAgain(Task, frozen=True, gc=False):
    seat: int


class Trade(Task, frozen=True, gc=False):
    """R57: first `seat` gives, then `partner`."""

    seat: int
    partner: int
    giver: int
    smoked: bool = False  # this giver has handed over his cigarettes

    @property
    def asks(self) -> int:
        return self.giver


# -- moving pawns ----------------------------------------------------------------------------------


class RollDie(_ByChance, frozen=True, gc=False):
    seat: int
    rerolls: int = 0
    michel: bool = False


class Steer(Task, frozen=True, gc=False):
    """The die lies: choose the place, or change the die first (A39)."""

    seat: int
    face: int
    rerolls: int = 0
    nudged: bool = False
    michel: bool = False
    fixing: bool = False  # the Card sharp chooses the face

    @property
    def topic(self) -> str:
        if self.fixing:
            return "fix_die"
        return "steer_michel" if self.michel else "steer"


class PickPlace(Task, frozen=True, gc=False):
    """Move to any place except solitary."""

    seat: int


# -- effects on others -----------------------------------------------------------------------------

Deed = Literal["beat", "rob", "send", "inform"]


class PickTarget(Task, frozen=True, gc=False):
    """Choose the player an effect is meant for."""

    seat: int
    deed: Deed
    amount: int = 0

    @property
    def topic(self) -> str:
        return f"pick_{self.deed}"


class Inform(Task, frozen=True, gc=False):
    """`seat` looks at the hand of `target` and returns a tool."""

    seat: int
    target: int


class Riot(Task, frozen=True, gc=False):
    """Discard a weapon or take a beating."""

    seat: int


class Blow(Task, frozen=True, gc=False):
    """A beating, or the way to solitary: the Lawyer may object."""

    seat: int
    solitary: bool = False

    @property
    def topic(self) -> str:
        return "exile" if self.solitary else "blow"


# -- rackets ---------------------------------------------------------------------------------------


class Extortion(Task, frozen=True, gc=False):
    """A racket by a player (A33), from the named tool to the last weapon."""

    seat: int  # the attacker
    target: int
    tool: str
    stage: Literal["weapon", "answer", "boxer", "fight"]
    asked: int
    played: tuple[str, ...] = ()
    helpers: tuple[int, ...] = ()
    ducks: tuple[int, int] = (0, 0)  # free passes left: attacker, defender
    opening: bool = True  # no weapon has been played in the combat

    @property
    def asks(self) -> int:
        return self.asked

    @property
    def topic(self) -> str:
        if self.stage == "fight" and self.asked not in (self.seat, self.target):
            return "racket_help"
        return f"racket_{self.stage}"


class Loot(Task, frozen=True, gc=False):
    """R27: the winner's card. `seat` lost; he hands over the named tool if he has it."""

    seat: int
    winner: int
    tool: str


class Won(Task, frozen=True, gc=False):
    """A won combat is the moment of the Kingpin."""

    seat: int
    loser: int


class Shakedown(Task, frozen=True, gc=False):
    """A racket by Michel(le) (R45 to R50)."""

    seat: int
    stage: Literal["reveal", "answer", "fight"] = "reveal"
    cards: tuple[str, ...] = ()  # revealed so far
    played: tuple[str, ...] = ()
    ducks: int = 0

    @property
    def asks(self) -> int:
        return CHANCE if self.stage == "reveal" else self.seat

    @property
    def topic(self) -> str:
        return f"michel_{self.stage}"


class Forfeit(Task, frozen=True, gc=False):
    """R48: discard a tool that Michel(le)'s first card shows."""

    seat: int
    card: str


AnyTask = (
    PickFirst
    | DealPassive
    | Trim
    | NextTurn
    | Draw
    | Shed
    | Tidy
    | Lose
    | Take
    | Redeal
    | Tribute
    | DrawGang
    | Sale
    | Purchase
    | DigAgain
    | Trade
    | RollDie
    | Steer
    | PickPlace
    | PickTarget
    | Inform
    | Riot
    | Blow
    | Extortion
    | Loot
    | Won
    | Shakedown
    | Forfeit
)

# Everything that can be asked, besides the turn itself.
TOPICS = (
    "pick_first",
    "deal_passive",
    "draw",
    "shed",
    "lose",
    "take",
    "take_chosen",
    "redeal",
    "tribute",
    "draw_gang",
    "sale",
    "purchase",
    "dig_again",
    "trade",
    "roll_die",
    "steer",
    "steer_michel",
    "fix_die",
    "pick_place",
    "pick_beat",
    "pick_rob",
    "pick_send",
    "pick_inform",
    "inform",
    "riot",
    "blow",
    "exile",
    "racket_weapon",
    "racket_answer",
    "racket_boxer",
    "racket_fight",
    "racket_help",
    "loot",
    "won",
    "michel_reveal",
    "michel_answer",
    "michel_fight",
    "forfeit",
)

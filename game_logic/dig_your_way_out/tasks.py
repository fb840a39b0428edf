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
    """Base of all tasks."""

    @property
    def asks(self) -> int:
        """Who has to act, if anybody."""
        return CHANCE

    @property
    def topic(self) -> str:
        """What is asked: the key of its prompt, and the name of the phase in views."""
        return _snake(type(self).__name__)


class Dealing(Task, frozen=True, gc=False):
    """Chance gives something to a seat."""

    seat: int


class Asking(Task, frozen=True, gc=False):
    """A seat has to choose."""

    seat: int

    @property
    def asks(self) -> int:
        return self.seat


# -- setting up and passing the turn ---------------------------------------------------------------


class PickFirst(Task, frozen=True, gc=False):
    """R8, A11: who begins."""


class DealPassive(Dealing, frozen=True, gc=False):
    """R6."""


class Trim(Asking, frozen=True, gc=False):
    """R13: the hand limit, the very last thing of a turn (A22)."""


class NextTurn(Task, frozen=True, gc=False):
    """Clockwise, unless the time is up (A49)."""


# -- moving cards ----------------------------------------------------------------------------------


class Draw(Dealing, frozen=True, gc=False):
    """Draw search cards."""

    left: int


class Shed(Asking, frozen=True, gc=False):
    """Discard cards of one's own choice."""

    left: int


class Tidy(Task, frozen=True, gc=False):
    """A played card that is discarded once its effect is over (R21)."""

    card: str


class Lose(Asking, frozen=True, gc=False):
    """Discard a card at random; where hands stay at the table its owner names it."""

    named: bool  # by the owner, not by chance

    @property
    def asks(self) -> int:
        return self.seat if self.named else CHANCE


class Take(Asking, frozen=True, gc=False):
    """Take cards from another hand, at random or looking at it."""

    victim: int
    left: int
    choose: bool = False

    @property
    def asks(self) -> int:
        return self.seat if self.choose else CHANCE

    @property
    def topic(self) -> str:
        return "take_chosen" if self.choose else "take"


class Redeal(Dealing, frozen=True, gc=False):
    """A42: the gathered hands are dealt out again; `seat` gets the next card."""

    pool: Bag


class Tribute(Asking, frozen=True, gc=False):
    """R17: the accessories for joining a gang."""

    gang: str
    paid: tuple[str, ...] = ()


class DrawGang(Dealing, frozen=True, gc=False):
    gang: str


class Sale(Asking, frozen=True, gc=False):
    """R37; the first card opens it."""

    sold: bool = False


class Purchase(Asking, frozen=True, gc=False):
    """The purchase for which the Smuggler was revealed."""

    percent: int


class DigAgain(Asking, frozen=True, gc=False):
    """Once more in the same action."""


class Trade(Asking, frozen=True, gc=False):
    """R57: first `seat` gives, then `partner`."""

    partner: int
    giver: int
    smoked: bool = False  # this giver has handed over his cigarettes

    @property
    def asks(self) -> int:
        return self.giver


# -- moving pawns ----------------------------------------------------------------------------------


class RollDie(Dealing, frozen=True, gc=False):
    rerolls: int = 0
    michel: bool = False


class Steer(Asking, frozen=True, gc=False):
    """The die lies: choose the place, or change the die first (A39)."""

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


class PickPlace(Asking, frozen=True, gc=False):
    """Move to any place except solitary."""


# -- effects on others -----------------------------------------------------------------------------

Deed = Literal["beat", "rob", "send", "inform"]


class PickTarget(Asking, frozen=True, gc=False):
    """Choose the player an effect is meant for."""

    deed: Deed
    amount: int = 0

    @property
    def topic(self) -> str:
        return f"pick_{self.deed}"


class Inform(Asking, frozen=True, gc=False):
    """`seat` looks at the hand of `target` and returns a tool."""

    target: int


class Riot(Asking, frozen=True, gc=False):
    """Discard a weapon or take a beating."""


class Blow(Asking, frozen=True, gc=False):
    """A beating, or the way to solitary: the Lawyer may object."""

    solitary: bool = False

    @property
    def topic(self) -> str:
        return "exile" if self.solitary else "blow"


# -- rackets ---------------------------------------------------------------------------------------


class Extortion(Asking, frozen=True, gc=False):
    """A racket by a player (A33), from the named tool to the last weapon; `seat` attacks."""

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


class Loot(Asking, frozen=True, gc=False):
    """R27: the winner's card. `seat` lost; he hands over the named tool if he has it."""

    winner: int
    tool: str


class Won(Asking, frozen=True, gc=False):
    """A won combat is the moment of the Kingpin."""

    loser: int


class Shakedown(Asking, frozen=True, gc=False):
    """A racket by Michel(le) (R45 to R50)."""

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


class Forfeit(Asking, frozen=True, gc=False):
    """R48: discard a tool that Michel(le)'s first card shows."""

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

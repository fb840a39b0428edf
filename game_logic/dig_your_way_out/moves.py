"""What a prisoner can do. Compound choices are several small moves, one after another."""

from __future__ import annotations

from game_logic.core import Drawn, Move, Rolled

# -- on one's turn ---------------------------------------------------------------------------------


class Search(Move, frozen=True, gc=False):
    """R14."""


class Walk(Move, frozen=True, gc=False):
    """R15, the simple move: roll, then Go to one of the places of the roll."""


class Go(Move, frozen=True, gc=False):
    """Where the pawn goes: one's own, or Michel(le)'s."""

    place: str


class Reroll(Move, frozen=True, gc=False):
    """A39."""


class SetDie(Move, frozen=True, gc=False):
    face: int


class Sneak(Move, frozen=True, gc=False):
    """R16, the careful move."""

    place: str


class Rejoin(Move, frozen=True, gc=False):
    """R58: to a teammate of the same gang, instead of rolling."""

    place: str


class Join(Move, frozen=True, gc=False):
    """R17; the accessories are then discarded one by one."""

    gang: str


class PlayCard(Move, frozen=True, gc=False):
    """R21."""

    card: str


class Racket(Move, frozen=True, gc=False):
    """R22, R23: whom, and for which tool."""

    target: int
    tool: str


class Craft(Move, frozen=True, gc=False):
    """R30."""

    recipe: str
    cards: tuple[str, ...]


class Dig(Move, frozen=True, gc=False):
    """R36."""

    tool: str


class Sell(Move, frozen=True, gc=False):
    """R37: a card of the sale; Done closes it."""

    card: str


class Buy(Move, frozen=True, gc=False):
    """R38."""

    purchase: str


class Heal(Move, frozen=True, gc=False):
    """R39."""


class Steal(Move, frozen=True, gc=False):
    """R40."""


class Exchange(Move, frozen=True, gc=False):
    """R57: with which teammate; each then gives what he gives."""

    partner: int


class MoveMichel(Move, frozen=True, gc=False):
    """R42: ends one's actions and rolls for Michel(le)."""


class EndTurn(Move, frozen=True, gc=False):
    """R10."""


# -- answers and choices ---------------------------------------------------------------------------


class Reveal(Move, frozen=True, gc=False):
    """R32; a member of the gang on the card may take its bonus too (R33)."""

    passive: str
    bonus: bool = False


class Choose(Move, frozen=True, gc=False):
    """The player a card is meant for."""

    target: int


class Discard(Move, frozen=True, gc=False):
    card: str


class PlayWeapon(Move, frozen=True, gc=False):
    card: str


class Cooperate(Move, frozen=True, gc=False):
    """Hand over the tool that was asked for."""

    tool: str


class Refuse(Move, frozen=True, gc=False):
    """R25."""


class PayOff(Move, frozen=True, gc=False):
    """Buy oneself out of a racket."""


class Duck(Move, frozen=True, gc=False):
    """The boxer's pass: counts as a weapon played (A34)."""


class Pass(Move, frozen=True, gc=False):
    """Do none of what could be done here: give up, take it, stay out of it."""


class Return(Move, frozen=True, gc=False):
    """The informer puts a tool of the shown hand back on its pile."""

    tool: str


class TakeCard(Move, frozen=True, gc=False):
    """A card chosen from a hand one may look at."""

    card: str


class Give(Move, frozen=True, gc=False):
    """A card of an exchange; unnamed where hands stay at the table."""

    card: str = ""


class GiveCigarettes(Move, frozen=True, gc=False):
    amount: int


class Done(Move, frozen=True, gc=False):
    """No more of what one was doing: selling, giving, looking."""


AnyMove = (
    Search
    | Walk
    | Go
    | Reroll
    | SetDie
    | Sneak
    | Rejoin
    | Join
    | PlayCard
    | Racket
    | Craft
    | Dig
    | Sell
    | Buy
    | Heal
    | Steal
    | Exchange
    | MoveMichel
    | EndTurn
    | Reveal
    | Choose
    | Discard
    | PlayWeapon
    | Cooperate
    | Refuse
    | PayOff
    | Duck
    | Pass
    | Return
    | TakeCard
    | Give
    | GiveCigarettes
    | Done
    | Rolled
    | Drawn
)

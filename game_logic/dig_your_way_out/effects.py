"""The named effects that action cards and passives are made of, as they stand in the TOML.

    effect = [{ do = "draw", cards = 3 }, { do = "cigarettes", amount = 3 }]

What each of them does to the state is in deeds.py.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Positive = Annotated[int, Meta(ge=1)]
When = Literal["turn", "search", "craft", "dig", "buy", "roll", "racketed", "combat", "won", "hurt"]


class Effect(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """Base of all effects; `do` is the class name in small letters, with its words apart."""


# -- on yourself -----------------------------------------------------------------------------------


class Draw(Effect, frozen=True):
    """Draw search cards."""

    cards: Positive


class Take(Effect, frozen=True):
    """Take cards from a face-up pile."""

    item: str
    cards: Positive


class Cigarettes(Effect, frozen=True):
    amount: Positive


class Heal(Effect, frozen=True):
    """Remove up to so many of your beatings."""

    beatings: Positive


class Go(Effect, frozen=True):
    """Move to any other place except solitary."""


class Actions(Effect, frozen=True):
    """More actions this turn."""

    more: Positive


class FreeWalk(Effect, frozen=True, tag="free_walk"):
    """Simple moves that cost no action this turn."""

    times: Positive


class Sell(Effect, frozen=True):
    """A sale, wherever you are."""


# -- on others -------------------------------------------------------------------------------------


class Beat(Effect, frozen=True):
    """A beating for a chosen player here, for all opponents here, or for who rackets you."""

    who: Literal["one", "all", "attacker"]


class Rob(Effect, frozen=True):
    """Take random cards from a chosen player here."""

    cards: Positive


class Send(Effect, frozen=True):
    """Put a chosen player's pawn in solitary."""


class Inform(Effect, frozen=True):
    """Look at a chosen hand and return one of its tools to the pile."""


class Riot(Effect, frozen=True):
    """Every opponent here discards a weapon or takes a beating."""


class Levy(Effect, frozen=True):
    """Every opponent, wherever he is, gives you so many cigarettes if he can."""

    amount: Positive


class Lose(Effect, frozen=True):
    """Every opponent here discards a random card."""


class Redeal(Effect, frozen=True):
    """All hands are gathered, shuffled and dealt out again."""


# -- at a certain moment only ----------------------------------------------------------------------


class DigAgain(Effect, frozen=True, tag="dig_again"):
    """Dig a second tool in the same action."""


class Score(Effect, frozen=True):
    """More points for the tool just dug."""

    points: Positive


class Discount(Effect, frozen=True):
    """Pay so many percent of the price, rounded up."""

    percent: Annotated[int, Meta(ge=0, le=99)]


class SetDie(Effect, frozen=True, tag="set_die"):
    """Choose the face of the die."""


class Cancel(Effect, frozen=True):
    """The racket is over; the attacker's weapon is discarded."""


class Duck(Effect, frozen=True):
    """So many times in this combat, decline to play a weapon without losing."""

    times: Positive


class Loot(Effect, frozen=True):
    """Take more cards from who lost, at random or looking at the hand."""

    cards: Positive
    choose: bool = False


class Spare(Effect, frozen=True):
    """The beating does not happen, nor the way to solitary."""


AnyEffect = (
    Draw
    | Take
    | Cigarettes
    | Heal
    | Go
    | Actions
    | FreeWalk
    | Sell
    | Beat
    | Rob
    | Send
    | Inform
    | Riot
    | Levy
    | Lose
    | Redeal
    | DigAgain
    | Score
    | Discount
    | SetDie
    | Cancel
    | Duck
    | Loot
    | Spare
)

# Effects that speak of one moment; a passive needs that `when`, an action card cannot have them.
ONLY_WHEN: dict[type[Effect], When] = {
    DigAgain: "dig",
    Score: "dig",
    Discount: "buy",
    SetDie: "roll",
    Cancel: "racketed",
    Duck: "combat",
    Loot: "won",
    Spare: "hurt",
}
# Effects that make sense at any moment, also on other players' turns.
ANY_TIME: tuple[type[Effect], ...] = (Draw, Take, Cigarettes, Heal)
# The moments of one's own turn at which nothing else is open.
OWN_TURN: tuple[When, ...] = ("turn", "search", "craft", "dig")


def misplaced(effect: Effect, when: When) -> str | None:
    """Why this effect cannot stand on a card that acts at that moment."""
    name = effect.__struct_config__.tag
    only = ONLY_WHEN.get(type(effect))
    if only is not None:
        return None if when == only else f"effect {name!r} works only with when = {only!r}"
    if isinstance(effect, Beat) and effect.who == "attacker":
        return None if when == "racketed" else "who = 'attacker' works only with when = 'racketed'"
    if when in OWN_TURN or isinstance(effect, ANY_TIME):
        return None
    if when == "roll" and isinstance(effect, FreeWalk | Actions):
        return None
    return f"effect {name!r} does not work with when = {when!r}"

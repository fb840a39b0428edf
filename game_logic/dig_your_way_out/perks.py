"""The named perks that gang cards give, as they stand in the TOML: `gives = { loot = 1 }`.

A card may give several. Every rule that a gang can bend asks the perks of the prisoner.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]


class Perks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    # combat and rackets
    loot: Count = 0  # more random cards for a combat won
    bare_hands: bool = False  # no weapon is played for the intimidation
    guarded: bool = False  # who beats you takes no card
    rackets: Count = 0  # more rackets per turn
    weapons: tuple[str, ...] = ()  # kinds of cards that count as weapons
    pay_off: Count = 0  # cigarettes that buy you out of a racket
    consolation: Count = 0  # search cards drawn after a racket against you
    # search, craft and dig
    searches: Count = 0  # more searches per turn
    search_more: Count = 0  # more cards per search
    search_discard: Count = 0  # and so many are then discarded
    more_shivs: Count = 0  # when you craft shivs
    craft_anywhere: bool = False  # also where the board forbids it
    craft_beatings: Count = 0  # beatings with which you can still craft
    tough: Count = 0  # beatings ignored for Craft and Dig
    heal_anywhere: bool = False
    hand_limit: Count = 0  # instead of the usual one
    # trade
    sell_bonus: Count = 0  # cigarettes per sale
    sell_anywhere: bool = False
    cheaper: Count = 0  # cigarettes off every price
    wages: Count = 0  # cigarettes at the start of your turn
    # moves
    rerolls: Count = 0  # of the die of a simple move
    nudge: Count = 0  # by how much that die may be changed
    careful_cost: Count = 0  # price of a careful move, once per turn
    greet: Count = 0  # search cards when another player arrives in your place


NONE = Perks()

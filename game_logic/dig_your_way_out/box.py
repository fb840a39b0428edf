"""What is in the box: boards, cards, recipes, gangs. Made once from the data by load.py."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from game_logic.core import Text
from game_logic.data import Texts
from game_logic.dig_your_way_out.effects import AnyEffect, When
from game_logic.dig_your_way_out.perks import Perks
from game_logic.pile import Bag

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]

TOOLS = ("spoon", "pickaxe", "shovel")
SHIV = "shiv"
STOCK = (*TOOLS, SHIV)  # the four face-up piles, in the order of the state's `stock`
FACES = range(1, 7)
MOST_BEATINGS = 2  # the token has two sides (R34)
TEAMS = ("A", "B")
# What any sentence of the texts may be filled with.
FIELDS = (
    "who",
    "other",
    "card",
    "place",
    "gang",
    "says",
    "face",
    "n",
    "price",
    "prompt",
    "points",
)


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of a data file: an id and its name in both languages."""

    id: str
    fr: str
    en: str

    @property
    def name(self) -> Text:
        return Text(self.fr, self.en)


class Place(Named, frozen=True, kw_only=True):
    search: Count
    faces: tuple[Annotated[int, Meta(ge=1, le=6)], ...]
    craft: bool
    actions: tuple[str, ...]


class SearchCard(Named, frozen=True, kw_only=True):
    kind: str
    copies: Positive
    cigarettes: Count
    weapon: bool = False


class StockCard(Named, frozen=True, kw_only=True):
    copies: Positive
    cigarettes: Count
    weapon: bool = False
    points: Count = 0


class Action(Named, frozen=True, kw_only=True):
    copies: Positive
    cigarettes: Count
    says_fr: str
    says_en: str
    effect: tuple[AnyEffect, ...]

    @property
    def says(self) -> Text:
        return Text(self.says_fr, self.says_en)


class Recipe(Named, frozen=True, kw_only=True):
    uses: tuple[str, ...]
    item: str
    cards: Positive


class Offer(Named, frozen=True, kw_only=True):
    """Something the Yard sells."""

    item: str
    cards: Positive
    price: Positive


class Gang(Named, frozen=True, kw_only=True):
    different: Positive
    accepts: tuple[str, ...]


class GangCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    gang: str
    gives: Perks
    says_fr: str
    says_en: str

    @property
    def says(self) -> Text:
        return Text(self.says_fr, self.says_en)


class Passive(Named, frozen=True, kw_only=True):
    when: When
    effect: tuple[AnyEffect, ...]
    gang: str
    bonus: tuple[AnyEffect, ...]
    instead: bool = False  # the bonus takes the place of the effect
    place: str = ""  # only there
    tool: str = ""  # only when this was dug
    says_fr: str
    says_en: str
    bonus_fr: str
    bonus_en: str

    @property
    def says(self) -> Text:
        return Text(self.says_fr, self.says_en)

    @property
    def bonus_says(self) -> Text:
        return Text(self.bonus_fr, self.bonus_en)


class MichelCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    shiv: bool
    tools: tuple[str, ...]


class Board(NamedTuple):
    """The board of one mode: the front, or the back with its two blocks."""

    places: tuple[str, ...]  # solitary last, if there is one
    open: tuple[str, ...]  # the goals of ordinary moves
    die: tuple[tuple[str, ...], ...]  # by face; nothing at 0
    search: dict[str, int]
    craft: frozenset[str]
    actions: dict[str, frozenset[str]]
    homes: tuple[str, str]  # where the seats of each team start and dig


class Box(NamedTuple):
    boards: dict[tuple[bool, bool], Board]  # by teams, use_solitary
    places: dict[str, Text]
    pawns: tuple[Named, ...]
    solitary: str
    michel_start: str
    target: dict[int, int]
    team_target: dict[int, int]
    names: dict[str, Text]  # of every hand card
    kind: dict[str, str]
    cigarettes: dict[str, int]
    points: dict[str, int]
    stock: tuple[int, ...]
    search: Bag
    accessories: frozenset[str]
    weapons: dict[str, frozenset[str]]  # by gang card
    actions: dict[str, Action]
    recipes: dict[str, Recipe]
    ways: dict[str, tuple[tuple[str, ...], ...]]  # recipe -> the cards that make it
    offers: dict[str, Offer]
    gangs: dict[str, Gang]
    gang_slot: dict[str, int]  # its place in the state's `gangs`
    gang_cards: dict[str, GangCard]
    gang_of: dict[str, str]
    perks: dict[str, Perks]  # by gang card; "" has none
    passives: dict[str, Passive]
    michel: dict[str, MichelCard]
    texts: Texts

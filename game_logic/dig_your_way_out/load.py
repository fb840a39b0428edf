"""From the data files, the house's or an owner's, to the box; whatever does not fit is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, TypeVar

import msgspec

from game_logic.data import Data, DataError, Texts
from game_logic.dig_your_way_out import box as b
from game_logic.dig_your_way_out.effects import AnyEffect, Take, When, misplaced
from game_logic.dig_your_way_out.perks import NONE
from game_logic.pile import bag

T = TypeVar("T")
PLACE_ACTIONS = ("dig", "steal", "sell", "buy", "heal")


class Contents(msgspec.Struct, forbid_unknown_fields=True):
    """box.toml: how many of everything there must be."""

    gangs: int
    gang_cards: int
    passives: int
    michel_cards: int
    search: dict[str, int]
    stock: dict[str, int]


class Rows:
    """One data file, read row by row so that an error names the card it is about."""

    def __init__(self, data: Data, name: str) -> None:
        self.file = f"dig_your_way_out/{name}"
        self.table = data.table(name)
        self._seen: set[tuple[str, str]] = set()

    def of(self, key: str, kind: type[T]) -> list[T]:
        rows = self.table.pop(key, None)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise DataError(self.file, f"there are no [[{key}]] entries")
        return [self._row(key, n, row, kind) for n, row in enumerate(rows, 1)]

    def value(self, key: str, kind: Any) -> Any:
        try:
            return msgspec.convert(self.table.pop(key, None), kind, strict=False)
        except msgspec.ValidationError as error:
            raise DataError(self.file, f"{key}: {error}") from None

    def done(self) -> None:
        for key in self.table:
            raise DataError(self.file, f"{key}: nothing here has that name")

    def check(self, id: str, holds: object, why: str) -> None:
        if not holds:
            raise DataError(self.file, f"{id}: {why}")

    def _row(self, key: str, n: int, row: dict[str, Any], kind: type[T]) -> T:
        id = row.get("id", f"{key} number {n}")
        try:
            read = msgspec.convert(row, kind)
        except msgspec.ValidationError as error:
            raise DataError(self.file, f"{id}: {error}") from None
        self.check(id, (key, id) not in self._seen, f"there are two [[{key}]] of this id")
        self._seen.add((key, id))
        return read


def count(rows: Rows, what: str, have: int, want: int) -> None:
    rows.check(what, have == want, f"the box holds {want}, here are {have}")


def load(data: Data) -> b.Box:
    contents = data.read("box.toml", Contents)
    board_file = Rows(data, "board.toml")
    places = board_file.of("place", b.Place)
    blocks = board_file.of("block", b.Named)
    boards = {
        (teams, solitary): _board(board_file, places, blocks, teams, solitary)
        for teams in (False, True)
        for solitary in (False, True)
    }
    pawns = tuple(board_file.of("pawn", b.Named))
    count(board_file, "pawn", len(pawns), 6)
    board_file.value("start", str)
    michel_start = board_file.value("michel_start", str)
    board_file.check("michel_start", michel_start in boards[True, False].places, "no such place")
    target = board_file.value("target", dict[int, int])
    team_target = board_file.value("team_target", dict[int, int])
    board_file.check("target", set(target) >= set(range(2, 7)), "needs 2 to 6 players")
    board_file.check("team_target", set(team_target) >= {4, 6}, "needs 4 and 6 players")
    board_file.done()

    cards = Rows(data, "cards.toml")
    search, stock = cards.of("search", b.SearchCard), cards.of("stock", b.StockCard)
    cards.done()
    action_file = Rows(data, "actions.toml")
    actions = action_file.of("action", b.Action)
    action_file.done()
    _count_cards(cards, action_file, contents, search, stock, actions)
    hand_cards: list[b.SearchCard | b.StockCard | b.Action] = [*search, *stock, *actions]
    kind = {c.id: c.kind for c in search} | {c.id: c.id for c in stock}
    kind |= {c.id: "action" for c in actions}
    for action in actions:
        _check_effects(action_file, action.id, "effect", action.effect, "turn")

    workshop = Rows(data, "workshop.toml")
    recipes, offers = workshop.of("recipe", b.Recipe), workshop.of("purchase", b.Offer)
    workshop.done()
    made: list[b.Recipe | b.Offer] = [*recipes, *offers]
    for row in made:
        workshop.check(row.id, row.item in b.STOCK, f"there is no pile of {row.item!r}")
    for recipe in recipes:
        for use in recipe.uses:
            workshop.check(recipe.id, use in kind.values(), f"no card is of kind {use!r}")

    gang_file = Rows(data, "gangs.toml")
    gangs, gang_cards = gang_file.of("gang", b.Gang), gang_file.of("card", b.GangCard)
    gang_file.done()
    accessories = frozenset(c.id for c in search if c.kind == "accessory")
    _check_gangs(gang_file, contents, gangs, gang_cards, accessories, set(kind.values()))

    passive_file = Rows(data, "passives.toml")
    passives = passive_file.of("passive", b.Passive)
    passive_file.done()
    _check_passives(passive_file, contents, passives, gangs, places)

    michel_file = Rows(data, "michel.toml")
    michel = michel_file.of("card", b.MichelCard)
    michel_file.done()
    count(michel_file, "card", len(michel), contents.michel_cards)
    michel_file.check("card", any(not c.shiv for c in michel), "all show a shiv: nobody could win")
    for shown in michel:
        for tool in shown.tools:
            michel_file.check(shown.id, tool in b.TOOLS, f"there is no tool {tool!r}")

    armed = frozenset(c.id for c in hand_cards if not isinstance(c, b.Action) and c.weapon)
    deck = [c for c in hand_cards if not isinstance(c, b.StockCard)]
    return b.Box(
        boards=boards,
        places={p.id: p.name for p in (*places, *blocks)},
        pawns=pawns,
        solitary=_solitary(places),
        michel_start=michel_start,
        target=target,
        team_target=team_target,
        names={c.id: c.name for c in hand_cards},
        kind=kind,
        cigarettes={c.id: c.cigarettes for c in hand_cards},
        points={c.id: c.points for c in stock},
        stock=tuple(contents.stock[id] for id in b.STOCK),
        search=bag(c.id for c in deck for _ in range(c.copies)),
        accessories=accessories,
        weapons={"": armed}
        | {c.id: armed | {w for w in kind if kind[w] in c.gives.weapons} for c in gang_cards},
        actions={a.id: a for a in actions},
        recipes={r.id: r for r in recipes},
        ways={r.id: _ways(r, kind) for r in recipes},
        offers={o.id: o for o in offers},
        gangs={g.id: g for g in gangs},
        gang_slot={g.id: n for n, g in enumerate(gangs)},
        gang_cards={c.id: c for c in gang_cards},
        gang_of={"": ""} | {c.id: c.gang for c in gang_cards},
        perks={"": NONE} | {c.id: c.gives for c in gang_cards},
        passives={p.id: p for p in passives},
        michel={c.id: c for c in michel},
        texts=_texts(data),
    )


def _solitary(places: list[b.Place]) -> str:
    """The one place that no face of the die leads to (A4)."""
    return next(p.id for p in places if not p.faces)


def _board(
    file: Rows, places: list[b.Place], blocks: list[b.Named], teams: bool, solitary: bool
) -> b.Board:
    start = file.table.get("start")
    file.check("start", start in {p.id for p in places}, f"there is no place {start!r}")
    count(file, "block", len(blocks), 2)
    closed = [p.id for p in places if not p.faces]
    file.check("place", len(closed) == 1, "just one place, solitary, has no faces of the die")
    rows: list[tuple[str, b.Place]] = []
    for place in places:
        for action in place.actions:
            file.check(place.id, action in PLACE_ACTIONS, f"there is no action {action!r}")
        split = teams and place.id == start
        if place.faces or solitary:
            rows += [(id, place) for id in ([x.id for x in blocks] if split else [place.id])]
    for face in b.FACES:
        count(file, f"places of face {face}", sum(face in p.faces for p in places), 2)
    rows.sort(key=lambda row: not row[1].faces)
    homes = (blocks[0].id, blocks[1].id) if teams else (str(start), str(start))
    return b.Board(
        places=tuple(id for id, _ in rows),
        open=tuple(id for id, p in rows if p.faces),
        die=((), *(tuple(id for id, p in rows if face in p.faces) for face in b.FACES)),
        search={id: p.search for id, p in rows},
        craft=frozenset(id for id, p in rows if p.craft),
        actions={id: frozenset(p.actions) for id, p in rows},
        homes=homes,
    )


def _count_cards(
    cards: Rows,
    action_file: Rows,
    contents: Contents,
    search: list[b.SearchCard],
    stock: list[b.StockCard],
    actions: list[b.Action],
) -> None:
    for card in search:
        cards.check(card.id, card.kind in contents.search, f"there is no kind {card.kind!r}")
        cards.check(card.id, card.kind != "action", "action cards belong in actions.toml")
    for kind, want in contents.search.items():
        if kind == "action":
            count(action_file, "action", sum(a.copies for a in actions), want)
        else:
            count(cards, kind, sum(c.copies for c in search if c.kind == kind), want)
    cards.check("stock", {c.id for c in stock} == set(b.STOCK), f"must be {', '.join(b.STOCK)}")
    for pile in stock:
        count(cards, pile.id, pile.copies, contents.stock[pile.id])
        is_tool = pile.id in b.TOOLS
        cards.check(pile.id, (pile.points > 0) == is_tool, "tools, and only tools, have points")
    ids = [c.id for c in (*search, *stock, *actions)]
    for id in ids:
        cards.check(id, ids.count(id) == 1, "two cards have this id")


def _check_gangs(
    file: Rows,
    contents: Contents,
    gangs: list[b.Gang],
    gang_cards: list[b.GangCard],
    accessories: frozenset[str],
    kinds: set[str],
) -> None:
    count(file, "gang", len(gangs), contents.gangs)
    for gang in gangs:
        for card in gang.accepts:
            file.check(gang.id, card in accessories, f"there is no accessory {card!r}")
        enough = len(set(gang.accepts)) >= gang.different
        file.check(gang.id, enough, f"accepts fewer than {gang.different} different accessories")
        have = sum(c.gang == gang.id for c in gang_cards)
        count(file, f"cards of {gang.id}", have, contents.gang_cards)
    for gang_card in gang_cards:
        known = gang_card.gang in {g.id for g in gangs}
        file.check(gang_card.id, known, f"there is no gang {gang_card.gang!r}")
        file.check(gang_card.id, gang_card.gives != NONE, "gives nothing")
        for kind in gang_card.gives.weapons:
            file.check(gang_card.id, kind in kinds, f"weapons: no card is of kind {kind!r}")


def _check_passives(
    file: Rows,
    contents: Contents,
    passives: list[b.Passive],
    gangs: list[b.Gang],
    places: list[b.Place],
) -> None:
    count(file, "passive", len(passives), contents.passives)
    for card in passives:
        file.check(card.id, card.gang in {g.id for g in gangs}, f"there is no gang {card.gang!r}")
        known = not card.place or card.place in {p.id for p in places}
        file.check(card.id, known, f"there is no place {card.place!r}")
        file.check(card.id, not card.tool or card.tool in b.TOOLS, f"no tool {card.tool!r}")
        file.check(card.id, not card.tool or card.when == "dig", "tool needs when = 'dig'")
        file.check(card.id, not card.place or card.when == "turn", "place needs when = 'turn'")
        _check_effects(file, card.id, "effect", card.effect, card.when)
        _check_effects(file, card.id, "bonus", card.bonus, card.when)


def _check_effects(file: Rows, id: str, key: str, effects: Iterable[AnyEffect], when: When) -> None:
    file.check(id, effects, f"{key} is empty")
    for effect in effects:
        wrong = misplaced(effect, when)
        file.check(id, wrong is None, f"{key}: {wrong}")
        if isinstance(effect, Take):
            file.check(id, effect.item in b.STOCK, f"{key}: there is no pile of {effect.item!r}")


def _ways(recipe: b.Recipe, kind: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    choices = [[card for card in kind if kind[card] == use] for use in recipe.uses]
    return tuple(sorted({tuple(sorted(way)) for way in product(*choices)}))


def _texts(data: Data) -> Texts:
    """All sentences can be filled in, so that none is found broken in mid-game."""
    texts, fields = data.texts(), dict.fromkeys(b.FIELDS, "")
    for key in data.table("texts.toml"):
        try:
            texts(key, **fields)
        except (KeyError, IndexError, ValueError) as error:
            known = ", ".join(b.FIELDS)
            why = f"{key}: cannot be filled in ({error!r}); it may use {known}"
            raise DataError("dig_your_way_out/texts.toml", why) from None
    return texts

"""What a seat holds, in words: cards, objects, a bet, a vote. Made from the seat's own view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from firmware_host.web.words import WORDS
from game_logic.core import Game, Text

Section = dict[str, Any]
_CARD = re.compile(r"^(?P<title>.*?)\s*(?:\((?P<detail>.*)\))?$", re.DOTALL)


def card(game: Game[Any], id: str) -> tuple[Text, Text]:
    """A card's name, and what it does where its name says so."""
    known = _cards(game)
    name = known[id] if id in known else _word(id)
    titles, details = zip(*(_split(said) for said in name), strict=True)
    return Text(*titles), Text(*details)


@lru_cache(maxsize=16)
def _cards(game: Game[Any]) -> dict[str, Text]:
    return {thing.sign.removeprefix("card:"): thing.text for thing in game.things() if thing.sign}


def _word(id: str) -> Text:
    key = f"thing_{id}"
    return WORDS(key) if key in WORDS else Text(id, id)


def _split(said: str) -> tuple[str, str]:
    """ "the card: a tie" is a tie; what stands in brackets is the small print."""
    head = said.partition("(")[0]
    if ": " in head:
        said = said.partition(": ")[2]
    found = _CARD.match(said)
    assert found is not None
    title, detail = found["title"].strip(' "«»“”\u00a0'), found["detail"] or ""
    return _upper(title), _upper(detail)


def _upper(said: str) -> str:
    return said[:1].upper() + said[1:]


def holds(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section]:
    """In sections, each with a title; what is not in the view is not there."""
    sections = _HOLDINGS.get(game.id, _plain)(game, view, language)
    return [section for section in sections if section is not None]


def _section(title: Text | str, items: Iterable[Mapping[str, Any]], language: str) -> Section:
    return {
        "title": title if isinstance(title, str) else title.in_(language),
        "items": list(items),
    }


def _items(game: Game[Any], ids: Iterable[str], language: str) -> list[dict[str, Any]]:
    """Equal cards are one entry, with how many there are."""
    items = []
    for id, count in Counter(ids).items():
        name, detail = card(game, id)
        item = {"id": id, "text": name.in_(language), "detail": detail.in_(language)}
        items.append(item | {"count": count})
    return items


def _voted(view: Mapping[str, Any], language: str) -> Section | None:
    if "vote" not in view:
        return None
    vote = view["vote"]
    text = WORDS("hand_not_voted").in_(language) if vote is None else view["seats"][vote]
    item = {"id": "vote", "text": text, "detail": "", "count": 1}
    return _section(WORDS("hand_vote"), [item], language)


def _plain(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section | None]:
    """A game that nobody has written anything for: its hand, if it calls it so."""
    hand = view.get("hand")
    if not isinstance(hand, list | tuple):
        return []
    return [_section(WORDS("hand_cards"), _items(game, hand, language), language)]


def _evasion(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section | None]:
    pawns = {thing.piece.id: thing.text for thing in game.things() if thing.piece}
    bet = view["bet"]
    items = [
        {
            "id": pawn,
            "text": _upper(pawns[pawn].in_(language)),
            "detail": WORDS("hand_place", n=n).in_(language),
            "count": 1,
        }
        for n, pawn in enumerate(bet, 1)
    ]
    return [_section(WORDS("hand_bet"), items, language)]


def _alcatraz(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section | None]:
    drawn = view.get("drawn")
    return [
        _voted(view, language),
        drawn and _section(WORDS("hand_drawn"), _items(game, drawn, language), language),
        _section(WORDS("hand_cards"), _items(game, view["hand"], language), language),
    ]


def _blackgate(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section | None]:
    looked = view.get("looked_at")
    passive = view["passive"]
    unknown = view["unknown"]
    hand = _items(game, view["hand"], language)
    if unknown:
        text = WORDS("hand_unknown").in_(language)
        hand.append({"id": "unknown", "text": text, "detail": "", "count": unknown})
    return [
        looked
        and _section(
            WORDS("hand_looked_at", name=view["seats"][looked["seat"]]),
            _items(game, looked["hand"], language),
            language,
        ),
        _section(WORDS("hand_cards"), hand, language),
        passive
        and _section(
            WORDS("hand_passive"),
            [
                {
                    "id": passive["id"],
                    "text": passive["name"][language],
                    "detail": passive["says"][language],
                    "count": 1,
                }
            ],
            language,
        ),
    ]


def _break(game: Game[Any], view: Mapping[str, Any], language: str) -> list[Section | None]:
    people = {
        thing.piece.id: thing.text
        for thing in game.things()
        if thing.piece and thing.piece.kind in ("pawn", "external")
    }
    sections: list[Section | None] = [_voted(view, language)]
    if view.get("drawn"):
        drawn = _items(game, view["drawn"], language)
        sections.append(_section(WORDS("hand_drawn"), drawn, language))
    if view["plan"]:
        id = view["plan"]["id"] if isinstance(view["plan"], Mapping) else view["plan"]
        plan = _items(game, [id], language)
        sections.append(_section(WORDS("hand_plan"), plan, language))
    for who, objects in view["hands"].items():
        held = _items(game, [*objects, *view["kept"].get(who, ())], language)
        if held or who in view["cast"]:
            name = people[who] if who in people else Text(who, who)
            sections.append(_section(_bare(name, language), held, language))
    return sections


def _bare(name: Text, language: str) -> str:
    """ "the pawn of Sucre" is Sucre."""
    return re.sub(r"^(the pawn of|le pion) ", "", name.in_(language))


_HOLDINGS: dict[str, Callable[[Game[Any], Mapping[str, Any], str], list[Section | None]]] = {
    "la_grande_evasion": _evasion,
    "alcatraz": _alcatraz,
    "dig_your_way_out": _blackgate,
    "prison_break": _break,
    "breakout": lambda game, view, language: [],
}

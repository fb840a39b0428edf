"""Owners' decks: cards are transcribed without touching Python, mistakes are refused by name."""

from __future__ import annotations

import json
import random
import re
import tomllib
from importlib.resources import files
from typing import get_args

import msgspec
import pytest

from game_logic import load
from game_logic.core import Drawn
from game_logic.data import DataError
from game_logic.dig_your_way_out.effects import AnyEffect, When, misplaced
from game_logic.dig_your_way_out.moves import Craft, PlayCard, Reveal
from hw_tests.conformance import play_through
from hw_tests.dig_your_way_out.prison import GAME, NAMES, keen, twin_of

DATA = files("game_logic.dig_your_way_out") / "data"


def text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def changed(name: str, *swaps: tuple[str, str]) -> dict[str, str]:
    """One of our files with something else in it, as an owner might hand it in."""
    whole = text(name)
    for old, new in swaps:
        assert whole.count(old) >= 1, old
        whole = whole.replace(old, new, 1)
    return {name: whole}


def test_the_box_holds_what_the_rulebook_lists():
    box = GAME.box
    kinds: dict[str, int] = {}
    for card, copies in box.search:
        kinds[box.kind[card]] = kinds.get(box.kind[card], 0) + copies
    assert kinds == {
        "container": 5,
        "spike": 6,
        "tie": 14,
        "blade": 10,
        "accessory": 18,
        "rare": 6,
        "action": 18,
    }
    assert sum(kinds.values()) == 77
    assert dict(zip(("spoon", "pickaxe", "shovel", "shiv"), box.stock, strict=True)) == {
        "spoon": 11,
        "pickaxe": 11,
        "shovel": 11,
        "shiv": 20,
    }
    assert (len(box.gang_cards), len(box.passives), len(box.michel)) == (24, 18, 8)


def test_a10_michels_cards():
    shown = {card.id: (card.shiv, card.tools) for card in GAME.box.michel.values()}
    assert shown == {
        "m1": (False, ()),
        "m2": (False, ()),
        "m3": (False, ()),
        "m4": (True, ("spoon",)),
        "m5": (True, ("spoon", "pickaxe")),
        "m6": (True, ("pickaxe",)),
        "m7": (True, ("pickaxe", "shovel")),
        "m8": (True, ("shovel",)),
    }


@pytest.mark.parametrize(
    ("name", "old", "new", "card", "reason"),
    [
        ("actions.toml", '"redeal" }', '"escape" }', "redeal", "escape"),
        ("actions.toml", "cards = 3", "cards = 0", "parcel", ">= 1"),
        ("actions.toml", 'do = "redeal"', 'do = "redeal", n = 1', "redeal", "unknown field"),
        ("actions.toml", "copies = 3", "copies = 2", "action", "the box holds 18, here are 17"),
        ("actions.toml", 'do = "redeal"', 'do = "cancel"', "redeal", "when = 'racketed'"),
        ("actions.toml", "says_fr", "say_fr", "ambush", "say_fr"),
        ("cards.toml", "copies = 14", "copies = 13", "tie", "the box holds 14, here are 13"),
        ("cards.toml", 'kind = "rare"', 'kind = "odd"', "rare_phone", "no kind 'odd'"),
        ("cards.toml", 'id = "cap"', 'id = "ring"', "ring", "two [[search]]"),
        ("cards.toml", 'id = "cap"', 'id = "duct"', "duct", "two cards have this id"),
        ("cards.toml", "copies = 20", "copies = 21", "shiv", "the box holds 20"),
        ("cards.toml", "points = 3", "points = 0", "shovel", "only tools"),
        ("gangs.toml", "loot = 1", "luck = 1", "bikers_1", "luck"),
        ("gangs.toml", "loot = 1", "loot = -1", "bikers_1", ">= 0"),
        ("gangs.toml", "{ loot = 1 }", "{}", "bikers_1", "gives nothing"),
        ("gangs.toml", '"spike"', '"pike"', "bratva_4", "pike"),
        ("gangs.toml", 'gang = "bikers"', 'gang = "cartel"', "cards of cartel", "holds 4"),
        ("gangs.toml", '"sunglasses", "chain"', '"glasses", "chain"', "cartel", "'glasses'"),
        ("gangs.toml", "different = 2", "different = 4", "cartel", "fewer than 4"),
        ("passives.toml", '"dig_again"', '"dig_thrice"', "p02", "dig_thrice"),
        ("passives.toml", 'when = "dig"', 'when = "turn"', "p02", "when = 'dig'"),
        ("passives.toml", 'when = "roll"', 'when = "hurt"', "p15", "set_die"),
        ("passives.toml", 'when = "dig"', 'when = "noon"', "p02", "noon"),
        ("passives.toml", 'item = "spoon"', 'item = "fork"', "p01", "'fork'"),
        ("passives.toml", 'gang = "crew"', 'gang = "crow"', "p01", "'crow'"),
        ("passives.toml", 'place = "refectory"', 'place = "bar"', "p01", "'bar'"),
        ("michel.toml", '["shovel"]', '["drill"]', "m8", "'drill'"),
        ("board.toml", "faces = [1, 4]", "faces = [1, 3]", "places of face 3", "holds 2"),
        ("board.toml", '["steal"]', '["sing"]', "refectory", "'sing'"),
        ("board.toml", 'start = "cells"', 'start = "cell"', "start", "'cell'"),
        ("workshop.toml", '"container", "tie"', '"pan", "tie"', "craft_shovel", "'pan'"),
        ("workshop.toml", 'item = "shiv"', 'item = "gun"', "craft_shivs", "'gun'"),
        ("texts.toml", "{who} fouille", "{qui} fouille", "log_search", "qui"),
    ],
)
def test_a_wrong_card_is_refused_with_file_card_and_reason(name, old, new, card, reason):
    with pytest.raises(DataError) as refusal:
        load("dig_your_way_out", changed(name, (old, new)))
    assert refusal.value.file == f"dig_your_way_out/{name}"
    assert refusal.value.why.startswith(card), refusal.value.why
    assert reason in refusal.value.why


def test_a_missing_passive_is_counted():
    whole = text("passives.toml")
    without = whole[: whole.index('[[passive]]\nid = "p18"')]
    with pytest.raises(DataError, match="passive: the box holds 18, here are 17"):
        load("dig_your_way_out", {"passives.toml": without})


def test_michel_can_always_be_beaten():
    deck = {"michel.toml": text("michel.toml").replace("shiv = false", "shiv = true")}
    with pytest.raises(DataError, match="all show a shiv"):
        load("dig_your_way_out", deck)


def test_an_owner_changes_effects_without_python():
    """Another passive, another action card, another perk, and two kinds of container."""
    deck = changed(
        "passives.toml",
        ('effect = [{ do = "cigarettes", amount = 4 }]', 'effect = [{ do = "draw", cards = 2 }]'),
    )
    deck |= changed("actions.toml", ('[{ do = "redeal" }]', '[{ do = "levy", amount = 2 }]'))
    deck |= changed("gangs.toml", ("{ loot = 1 }", "{ searches = 1, hand_limit = 20 }"))
    pan = (
        '[[search]]\nid = "pan"\nkind = "container"\ncopies = 2\ncigarettes = 3\n'
        'fr = "une poêle"\nen = "a pan"\n\n[[search]]\nid = "spike"'
    )
    deck |= changed("cards.toml", ("copies = 5", "copies = 3"), ('[[search]]\nid = "spike"', pan))
    game = load("dig_your_way_out", deck)
    assert game.digest != GAME.digest
    assert game.box.perks["bikers_1"].hand_limit == 20
    assert game.box.ways["craft_shovel"] == (("container", "tie"), ("pan", "tie"))
    state = game.new(NAMES[:2], {"start_hand": 3})
    for card in ("p06", "p01"):
        state = game.play(state, Drawn("passives", card))
    for card in ("redeal", "tie", "pan", "tie", "tie", "tie"):
        state = game.play(state, Drawn("search", card))
    state = game.play(state, Drawn("first", "0"))
    assert PlayCard("redeal") not in game.moves(state)  # nobody has a cigarette to give
    state = game.play(state, Reveal("p06"))
    state = game.play(state, Drawn("search", "cap"))
    state = game.play(state, Drawn("search", "cap"))
    assert "pan" in state.prisoners[0].hand
    assert game.problems(state) == ()
    assert all(not isinstance(move, Craft) for move in game.moves(state))


def test_unknown_files_and_broken_toml_are_refused():
    with pytest.raises(DataError, match="no such data file"):
        load("dig_your_way_out", {"card.toml": ""})
    with pytest.raises(DataError, match=r"cards\.toml: not valid TOML"):
        load("dig_your_way_out", {"cards.toml": "[[search"})
    with pytest.raises(DataError, match=r"there are no \[\[search\]\] entries"):
        load("dig_your_way_out", {"cards.toml": ""})
    with pytest.raises(DataError, match="joker: nothing here has that name"):
        load("dig_your_way_out", changed("michel.toml", ("[[card]]", "joker = 1\n[[card]]")))


# -- any deck that is accepted can be played -------------------------------------------------------

SAMPLES = (
    '{ do = "draw", cards = 2 }',
    '{ do = "take", item = "shiv", cards = 2 }',
    '{ do = "take", item = "shovel", cards = 1 }',
    '{ do = "cigarettes", amount = 3 }',
    '{ do = "heal", beatings = 1 }',
    '{ do = "go" }',
    '{ do = "actions", more = 2 }',
    '{ do = "free_walk", times = 2 }',
    '{ do = "sell" }',
    '{ do = "beat", who = "one" }',
    '{ do = "beat", who = "all" }',
    '{ do = "beat", who = "attacker" }',
    '{ do = "rob", cards = 2 }',
    '{ do = "send" }',
    '{ do = "inform" }',
    '{ do = "riot" }',
    '{ do = "levy", amount = 2 }',
    '{ do = "lose" }',
    '{ do = "redeal" }',
    '{ do = "dig_again" }',
    '{ do = "score", points = 1 }',
    '{ do = "discount", percent = 30 }',
    '{ do = "set_die" }',
    '{ do = "cancel" }',
    '{ do = "duck", times = 1 }',
    '{ do = "loot", cards = 1 }',
    '{ do = "loot", cards = 2, choose = true }',
    '{ do = "spare" }',
)
PERKS = {
    "loot": 2,
    "bare_hands": True,
    "guarded": True,
    "rackets": 2,
    "weapons": ["tie", "spoon"],
    "pay_off": 1,
    "consolation": 2,
    "searches": 2,
    "search_more": 2,
    "search_discard": 3,
    "more_shivs": 2,
    "craft_anywhere": True,
    "craft_beatings": 2,
    "tough": 2,
    "heal_anywhere": True,
    "hand_limit": 5,
    "sell_bonus": 1,
    "sell_anywhere": True,
    "cheaper": 9,
    "wages": 2,
    "rerolls": 3,
    "nudge": 2,
    "careful_cost": 1,
    "greet": 2,
}


def invented(rng: random.Random) -> dict[str, str]:
    """A deck of cards nobody has thought of, but each of them allowed."""
    effects = [
        (sample, msgspec.convert(tomllib.loads(f"x = {sample}")["x"], AnyEffect))
        for sample in SAMPLES
    ]

    def some(when):
        fit = [sample for sample, effect in effects if misplaced(effect, when) is None]
        return ", ".join(rng.sample(fit, rng.choice((1, 1, 2))))

    passives = text("passives.toml")
    for row in GAME.box.passives.values():
        when = rng.choice(get_args(When))
        start = passives.index(f'id = "{row.id}"')
        end = passives.find("[[passive]]", start)
        body = (
            f'id = "{row.id}"\nfr = "{row.fr}"\nen = "{row.en}"\nwhen = "{when}"\n'
            f'says_fr = "-"\nsays_en = "-"\neffect = [{some(when)}]\ngang = "{row.gang}"\n'
            f"bonus = [{some(when)}]\ninstead = {str(rng.random() < 0.5).lower()}\n"
            'bonus_fr = "-"\nbonus_en = "-"\n\n'
        )
        passives = passives[:start] + body + (passives[end:] if end > 0 else "")
    actions = re.sub(
        r"(?m)^effect = .*$", lambda _: f"effect = [{some('turn')}]", text("actions.toml")
    )

    def perks(_):
        some = {k: PERKS[k] for k in rng.sample(sorted(PERKS), 2)}
        return "gives = { " + ", ".join(f"{k} = {json.dumps(v)}" for k, v in some.items()) + " }"

    gangs = re.sub(r"(?m)^gives = .*$", perks, text("gangs.toml"))
    gangs = gangs.replace("different = 2", "different = 1")
    return {"passives.toml": passives, "actions.toml": actions, "gangs.toml": gangs}


def _invented_deck_plays(seed: int, **options: object) -> None:
    game = load("dig_your_way_out", invented(random.Random(seed)))
    options |= {"turn_limit": 25, "actions_per_turn": 5, "start_hand": 10, "michel": "michel"}
    play_through(
        game,
        seats=4,
        seed=seed,
        options=options,
        twin=twin_of(game),
        every=25,
        choose=keen(game),
    )


@pytest.mark.parametrize("seed", [0, 1, 195])
def test_any_accepted_deck_can_be_played(seed, secrets):
    _invented_deck_plays(seed, secrets=secrets, teams=bool(seed % 2))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_two_hundred_invented_decks(seed, secrets):
    _invented_deck_plays(seed, secrets=secrets, teams=bool(seed % 2))

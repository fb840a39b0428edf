"""Helpers for the tests at Blackgate: states laid out card by card, and states that look alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any

import pytest
from msgspec.structs import replace

from game_logic import load
from game_logic.core import CHANCE, Act, Drawn, Game, Illegal, Move, Rolled, pick
from game_logic.dig_your_way_out import tasks
from game_logic.dig_your_way_out.moves import (
    Buy,
    Cooperate,
    Craft,
    Dig,
    Discard,
    Pass,
    PlayWeapon,
    Racket,
    Refuse,
    Reveal,
    Steal,
)
from game_logic.dig_your_way_out.state import Blackgate
from game_logic.pile import bag, unpack

GAME = load("dig_your_way_out")
STOCK = ("spoon", "pickaxe", "shovel", "shiv")
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")
GANGS = ("cartel", "crew", "bikers", "bratva", "triad", "queers")
MODES = ("house", "table")


def _lively() -> Game[Any]:
    """An owner's deck for random play: passives that are all hard to come by with the house deck,
    and gangs that one accessory opens."""
    folder = files("game_logic.dig_your_way_out") / "data"
    gangs = (folder / "gangs.toml").read_text(encoding="utf-8")
    gangs = gangs.replace("different = 2", "different = 1").replace(
        "different = 3", "different = 1"
    )
    rare = (
        ("won", '{ do = "loot", cards = 2, choose = true }'),
        ("dig", '{ do = "dig_again" }'),
        ("buy", '{ do = "discount", percent = 0 }'),
        ("roll", '{ do = "set_die" }'),
        ("hurt", '{ do = "spare" }'),
        ("turn", '{ do = "inform" }, { do = "redeal" }'),
    )
    passives = []
    for n in range(18):
        when, effect = rare[n % 6]
        passives.append(
            f'[[passive]]\nid = "p{n + 1:02}"\nfr = "p"\nen = "p"\nwhen = "{when}"\n'
            f'says_fr = "-"\nsays_en = "-"\neffect = [{effect}]\ngang = "{GANGS[n // 3]}"\n'
            'bonus = [{ do = "draw", cards = 1 }]\nbonus_fr = "-"\nbonus_en = "-"\n'
        )
    return load("dig_your_way_out", {"gangs.toml": gangs, "passives.toml": "\n".join(passives)})


LIVELY = _lively()


def keen(game: Game[Any]) -> Callable[[Blackgate, random.Random], Act]:
    """A player who likes a fight and shows his cards: random, but seldom bored."""
    liked = (Racket, Refuse, PlayWeapon, Reveal, Dig, Buy, Craft, Steal, Cooperate)

    def choose(state: Blackgate, rng: random.Random) -> Act:
        (by,) = game.to_act(state)
        if by == CHANCE:
            return Act(by, pick(game.chance(state).parts[0], rng.randrange))
        moves = game.moves(state, by)
        good = [move for move in moves if isinstance(move, liked)]
        return Act(by, rng.choice(good if good and rng.random() < 0.7 else moves))

    return choose


def game_of(seats: int = 2, **options: object) -> Blackgate:
    """A new game whose deal is over: empty hands, seat 0 begins. Cards are given by `lay`."""
    options = {"start_hand": 0, **options}
    state = GAME.new(NAMES[:seats], options)
    for seat in range(seats if options.get("secrets", "house") == "house" else 0):
        state = GAME.play(state, Drawn("passives", f"p{18 - seat:02}"))
    return GAME.play(state, Drawn("first", "0"))


def lay(state: Blackgate, seat: int = 0, **board: Any) -> Blackgate:
    """The prisoner with these things on his board and in hand, all of them from where they lie.

    With hands at the table the house does not learn what `hand` holds: it only counts the cards.
    """
    me = state.prisoners[seat]
    if "hand" in board:
        cards = board.pop("hand")
        cards = tuple(cards.split()) if isinstance(cards, str) else tuple(cards)
        state = _deal(state, seat, cards)
        me = state.prisoners[seat]
    if "gang" in board:
        gangs = list(state.gangs)
        at = GANGS.index(board["gang"].split("_")[0])
        gangs[at] = gangs[at].take(board["gang"])
        state = replace(state, gangs=tuple(gangs))
    if "passive" in board:
        state = _swap_passive(state, seat, board.pop("passive"))
        me = state.prisoners[seat]
    if "dug" in board:
        state = _out_of_stock(state, board["dug"])
    prisoners = list(state.prisoners)
    prisoners[seat] = replace(me, **board)
    return legal(replace(state, prisoners=tuple(prisoners)))


def known(state: Blackgate, seat: int, cards: str) -> Blackgate:
    """Cards that everybody saw this seat take (hands at the table)."""
    state = _out_of_stock(state, tuple(cards.split()))
    me = state.prisoners[seat]
    prisoners = list(state.prisoners)
    prisoners[seat] = replace(me, hand=tuple(sorted((*me.hand, *cards.split()))))
    return legal(replace(state, prisoners=tuple(prisoners)))


def turn(state: Blackgate, **changes: Any) -> Blackgate:
    return legal(replace(state, turn=replace(state.turn, **changes)))


def stock(state: Blackgate, **left: int) -> Blackgate:
    """So many left on the piles; the last seat has the rest in hand."""
    for item, n in left.items():
        gone = state.stock[STOCK.index(item)] - n
        state = lay(state, len(state.seats) - 1, hand=(item,) * gone)
    return state


def legal(state: Blackgate) -> Blackgate:
    assert GAME.problems(state) == ()
    return state


def play(state: Blackgate, *moves: Move, by: int | None = None) -> Blackgate:
    for move in moves:
        state = legal(GAME.play(state, move, by))
    return state


def roll(face: int) -> Rolled:
    return Rolled("die", face)


def draw(card: str) -> Drawn:
    return Drawn("search", card)


def quietly(state: Blackgate) -> Blackgate:
    """Nobody who is asked for a passive reveals one."""
    while state.todo and state.todo[-1].topic in ("racket_boxer", "blow", "exile", "won"):
        state = play(state, Pass())
    return state


def drew(state: Blackgate, *cards: str) -> Blackgate:
    """These search cards are drawn; at the table nobody tells the house."""
    return play(state, *map(draw, cards)) if state.options.secrets == "house" else state


def took(state: Blackgate, victim: int, card: str) -> Blackgate:
    """This card is taken at random; at the table nobody tells the house."""
    if state.options.secrets == "table":
        return state
    return play(state, Drawn(f"hand_{victim}", card))


def lost(state: Blackgate, seat: int, card: str) -> Blackgate:
    """This card is discarded at random; at the table its owner says which."""
    if state.options.secrets == "table":
        return play(state, Discard(card), by=seat)
    return play(state, Drawn(f"hand_{seat}", card))


def why_not(state: Blackgate, move: Move, by: int | None = None) -> str:
    """The code of the refusal; the move is not listed either."""
    assert move not in GAME.moves(state, by)
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, move, by)
    return refusal.value.code


def can(state: Blackgate, move: Move, by: int | None = None) -> bool:
    """Is the move listed? Then it can be played as well."""
    if move not in GAME.moves(state, by):
        return False
    GAME.play(state, move, by)
    return True


def cards(state: Blackgate) -> tuple[int, ...]:
    return tuple(prisoner.cards for prisoner in state.prisoners)


def beatings(state: Blackgate) -> tuple[int, ...]:
    return tuple(prisoner.beatings for prisoner in state.prisoners)


def asks(state: Blackgate) -> tuple[str, int]:
    """What is asked, and of whom."""
    (who,) = GAME.to_act(state)
    return (state.todo[-1].topic if state.todo else "turn"), who


def has(state: Blackgate, seat: int, text: str) -> bool:
    """Are these the cards in hand? Where the house does not know them: as many?"""
    want = sorted(text.split())
    me = state.prisoners[seat]
    if me.unknown:
        return me.cards == len(want)
    return list(me.hand) == want


def _deal(state: Blackgate, seat: int, cards: tuple[str, ...]) -> Blackgate:
    me = state.prisoners[seat]
    search = [card for card in cards if card not in STOCK]
    state = _out_of_stock(state, tuple(card for card in cards if card in STOCK))
    prisoners = list(state.prisoners)
    if state.options.secrets == "table":
        loose = bag((*unpack(state.loose), *(card for card in cards if card in STOCK)))
        prisoners[seat] = replace(me, unknown=me.unknown + len(cards))
    else:
        rest = list(unpack(state.loose))
        for card in search:
            rest.remove(card)
        loose = bag(rest)
        prisoners[seat] = replace(me, hand=tuple(sorted((*me.hand, *cards))))
    pile = state.pile - len(search)
    return replace(state, loose=loose, pile=pile, prisoners=tuple(prisoners))


def _out_of_stock(state: Blackgate, cards: Iterable[str]) -> Blackgate:
    counts = list(state.stock)
    for card in cards:
        counts[STOCK.index(card)] -= 1
    return replace(state, stock=tuple(counts))


def _swap_passive(state: Blackgate, seat: int, card: str) -> Blackgate:
    """This passive instead of the one the seat was dealt."""
    prisoners = list(state.prisoners)
    mine = prisoners[seat].passive
    holder = next((s for s, p in enumerate(prisoners) if p.passive == card), None)
    rest = list(unpack(state.passives))
    if holder is not None:
        prisoners[holder] = replace(prisoners[holder], passive=mine)
    else:
        rest.remove(card)
        rest += [mine] if mine else []
    prisoners[seat] = replace(prisoners[seat], passive=card)
    return replace(state, passives=bag(rest), prisoners=tuple(prisoners))


# -- states that look alike ----------------------------------------------------------------------


def twin_of(game: Game[Any]) -> Callable[..., Blackgate]:
    """Another state that a seat cannot tell from `state`: all it may not know is dealt anew.

    With hands at the table the house itself knows no secret.
    """

    def twin(state: Blackgate, seat: int | None, below: Callable[[int], int]) -> Blackgate:
        for _ in range(8 if state.options.secrets == "house" else 0):
            other = _dealt_anew(state, seat, below)
            if game.problems(other) == ():
                return other
        return state

    return twin


def _shuffled(cards: Iterable[str], below: Callable[[int], int]) -> list[str]:
    rest, mixed = list(cards), []
    while rest:
        mixed.append(rest.pop(below(len(rest))))
    return mixed


def _dealt_anew(state: Blackgate, seat: int | None, below: Callable[[int], int]) -> Blackgate:
    top = state.todo[-1] if state.todo else None
    seen = {seat}
    if isinstance(top, tasks.Inform) and top.seat == seat:
        seen.add(top.target)
    if isinstance(top, tasks.Take) and top.choose and top.seat == seat:
        seen.add(top.victim)
    others = [s for s in range(len(state.seats)) if s not in seen]
    pool = unpack(top.pool) if isinstance(top, tasks.Redeal) else ()
    held = [card for s in others for card in state.prisoners[s].hand] + list(pool)
    piled = [card for card in held if card in STOCK]
    search = _shuffled([c for c in held if c not in STOCK] + list(unpack(state.loose)), below)
    mixed = _shuffled(piled + [search.pop() for _ in range(len(held) - len(piled))], below)
    prisoners = list(state.prisoners)
    for s in others:
        cards = [mixed.pop() for _ in prisoners[s].hand]
        prisoners[s] = replace(prisoners[s], hand=tuple(sorted(cards)))
    todo = state.todo
    if isinstance(top, tasks.Redeal):
        todo = (*todo[:-1], replace(top, pool=bag(mixed)))
    hidden = [s for s, p in enumerate(prisoners) if p.passive and not p.revealed and s != seat]
    passives = _shuffled([*unpack(state.passives), *(prisoners[s].passive for s in hidden)], below)
    for s in hidden:
        prisoners[s] = replace(prisoners[s], passive=passives.pop())
    return replace(
        state,
        prisoners=tuple(prisoners),
        loose=bag(search),
        passives=bag(passives),
        todo=todo,
    )

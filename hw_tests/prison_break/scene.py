"""Scenes for tests: a position in a few words, checked by the game's own `problems`."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from game_logic import load
from game_logic.core import CHANCE, Drawn, Illegal, Move, Rolled
from game_logic.pile import Pile, bag, unpack
from game_logic.prison_break import moves as m
from game_logic.prison_break.state import (
    EXTERNALS,
    LEADERS,
    NOWHERE,
    UNKNOWN,
    BellickTurn,
    Break,
    Turn,
)
from hw_tests.conformance import NAMES

GAME: Any = load("prison_break")
BOX = GAME.box
BOARD = BOX.board


def begun(
    seats: int = 4, plan: str = "e01", wish: int = 4, secrets: str = "house", **options: Any
) -> Break:
    """A game on Scofield's first turn, set up by play: seat 0 is Scofield, 1 Sucre, …"""
    state = GAME.new(NAMES[:seats], {"secrets": secrets} | options)
    for face in (6, 3, 2, 1)[:seats]:
        state = act(state, Rolled("die", face))
    for leader in BOX.people[:seats]:
        state = act(state, m.Choose(leader))
    if secrets == "house":
        cards = [plan] + [other for other in BOX.plans if other != plan]
        for card in cards[: state.options.escape_cards_drawn]:
            state = act(state, Drawn("escape", card))
        state = act(state, m.KeepPlan(plan))
    externals = tuple(BOX.people[who] for who in BOX.plans[plan].externals)
    return act(state, m.Announce(externals), Rolled("die", wish))


def scene(
    *,
    turn: str = "scofield",
    harm: bool = False,
    escapes: int = 1,
    phase: int = 1,
    team: tuple[str, ...] = (),
    where: dict[str, str] | None = None,
    hands: dict[str, tuple[str, ...]] | None = None,
    kept: dict[str, tuple[str, ...]] | None = None,
    ground: dict[str, str] | None = None,
    gone: tuple[str, ...] = (),
    guards: tuple[tuple[str, str], ...] = (),
    tools: dict[str, str] | None = None,
    broken: tuple[int, int] = (0, 0),
    lit: tuple[int, int] = (0, 0),
    by_card: tuple[bool, bool] = (False, False),
    active: str = "",
    discard: tuple[str, ...] = (),
    route: tuple[str, ...] = (),
    skips: dict[str, int] | None = None,
    day: int = 1,
    guilt: int = 0,
    **game: Any,
) -> Break:
    """A position: `turn` is to act. In phase 2 the last seat is Bellick. Held objects come from
    the last object spaces of the board; `team` names whom the leaders have recruited."""
    state = begun(**game)
    state = _people(state, phase, team, where or {}, skips or {})
    state = _tokens(state, hands or {}, ground or {}, gone)
    state = _cards(state, kept or {}, active, discard)
    logos = tuple(sorted((BOARD.index[at], BOX.kind[kind]) for kind, at in guards))
    spare = list(state.spare)
    for _, logo in logos:
        spare[logo] -= 1
    carriers = [BOX.person.get((tools or {}).get(tool.id, ""), -1) for tool in BOX.tools]
    if turn == "bellick":
        task: Any = BellickTurn()
        slot = state.bellick
    else:
        who = BOX.person[turn]
        task = Turn(who, harm=harm and who in LEADERS, escapes=escapes)
        slot = state.cast.index(who) if who in LEADERS else len(state.seats) + who - EXTERNALS[0]
    state = replace(
        state,
        todo=(task,),
        guards=logos,
        spare=tuple(spare),
        tools=tuple(carriers),
        broken=broken,
        lit=lit,
        by_card=by_card,
        route=tuple(sorted(BOARD.place_index[place] for place in route)),
        day=day,
        guilt=guilt,
        slot=slot,
    )
    assert GAME.problems(state) == ()
    return state


def _people(
    state: Break, phase: int, team: tuple[str, ...], where: dict[str, str], skips: dict[str, int]
) -> Break:
    members = {*state.team, *(BOX.person[id] for id in team)}
    at = list(state.where)
    bellick = -1
    if phase == 2:
        bellick = len(state.seats) - 1
        members |= set(state.wanted)
        members.discard(state.cast[bellick])
        for who in (state.cast[bellick], *EXTERNALS):
            if who not in members:
                at[who] = NOWHERE
    for id, square in where.items():
        at[BOX.person[id]] = BOARD.index[square]
    return replace(
        state,
        phase=phase,
        bellick=bellick,
        votes=(bellick,) * len(state.seats) if phase == 2 else (),
        team=tuple(sorted(members)),
        where=tuple(at),
        skips=tuple(skips.get(id, 0) for id in BOX.people),
    )


def _tokens(
    state: Break,
    hands: dict[str, tuple[str, ...]],
    ground: dict[str, str],
    gone: tuple[str, ...],
) -> Break:
    left = list(unpack(state.bag.rest))
    lying = list(state.ground)
    for square, token in ground.items():
        if state.house and token:
            left.remove(token)
        lying[BOX.space_at[BOARD.index[square]]] = token if state.house or not token else UNKNOWN
    held = [tuple(sorted(hands.get(id, ()))) for id in BOX.people]
    taken = [kind for hand in held for kind in hand]
    for _ in (*gone, *taken):
        lying[max(n for n, token in enumerate(lying) if token == UNKNOWN)] = ""
    for kind in (*gone, *taken) if state.house else gone:
        left.remove(kind)
    if not state.house:
        held = [(UNKNOWN,) * len(hand) for hand in held]
    missing = len(left) - lying.count(UNKNOWN) - sum(hand.count(UNKNOWN) for hand in held)
    assert missing >= 0
    lost = [left.pop(0) for _ in range(missing)]  # where `ground` is empty, something has gone
    return replace(
        state,
        hands=tuple(held),
        ground=tuple(lying),
        bag=Pile(bag(left)),
        gone=tuple(sorted((*gone, *lost))),
    )


def _cards(
    state: Break, kept: dict[str, tuple[str, ...]], active: str, discard: tuple[str, ...]
) -> Break:
    pile = state.pile
    held = [tuple(sorted(kept.get(id, ()))) for id in BOX.people]
    for card in (*discard, *([active] if active else [])):
        pile = pile.take(card)
    if state.house:
        for card in (card for cards in held for card in cards):
            pile = pile.take(card)
    else:
        held = [(UNKNOWN,) * len(cards) for cards in held]
    return replace(
        state, kept=tuple(held), active=active, pile=pile, discard=tuple(sorted(discard))
    )


# -- playing and looking -------------------------------------------------------------------------


def act(state: Break, *moves: Move) -> Break:
    """Each move by the first who may act; every state on the way is sound."""
    for move in moves:
        state = GAME.play(state, move)
        assert GAME.problems(state) == ()
    return state


def refused(state: Break, move: Move, seat: int | None = None) -> str:
    """The code with which the move is refused; it is not listed either."""
    if seat is None:
        assert move not in GAME.moves(state)
    with pytest.raises(Illegal) as refusal:
        GAME.play(state, move, seat)
    return refusal.value.code


def legal(state: Break, move: Move) -> bool:
    return move in GAME.moves(state)


def listed(state: Break, kind: type[Move]) -> list[Any]:
    return [move for move in GAME.moves(state) if isinstance(move, kind)]


def walks(state: Break) -> set[str]:
    return {move.to for move in listed(state, m.Walk)}


def at(state: Break, person: str) -> str:
    return BOARD.squares[state.where[BOX.person[person]]]


def in_team(state: Break, person: str) -> bool:
    return BOX.person[person] in state.team


def to_act(state: Break) -> str:
    """Who is to act, in a word: "chance", a leader, "bellick", or "" when it is over."""
    actors = GAME.to_act(state)
    if not actors:
        return ""
    if actors == (CHANCE,):
        return "chance"
    return "bellick" if actors[0] == state.bellick else BOX.people[state.cast[actors[0]]]


def task(state: Break) -> str:
    """What is awaited: "turn", "contact", …"""
    return str(state.todo[-1].__struct_config__.tag) if state.todo else ""


def turn_of(state: Break) -> str:
    """Whose turn it is: a person's id, or "bellick"."""
    below = state.todo[0]
    return "bellick" if isinstance(below, BellickTurn) else BOX.people[below.who]  # type: ignore[union-attr]


def draw(state: Break, card: str) -> Break:
    """Draw this card: a chance card is seen by the drawer only, and only where the house deals."""
    if card not in BOX.chances:
        return act(state, Drawn("cards", card))
    state = act(state, Drawn("cards", "chance"))
    return act(state, Drawn("chance", card)) if to_act(state) == "chance" else state


def rolled(state: Break, *faces: int) -> Break:
    return act(state, *(Rolled("die", face) for face in faces))

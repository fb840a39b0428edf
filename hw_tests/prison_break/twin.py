"""Another state that a seat cannot tell from the given one: what it may not know is dealt anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from game_logic.pile import Pile, bag, unpack
from game_logic.prison_break.state import (
    BLANK,
    EXTERNALS,
    LINCOLN,
    NOBODY,
    SCOFIELD,
    UNKNOWN,
    Break,
    ChanceCard,
    Planning,
    Warned,
)
from hw_tests.prison_break.scene import BOX

Below = Callable[[int], int]


def twin(state: Break, seat: int | None, below: Below) -> Break:
    if not state.house:
        return state  # the house knows nothing that the table does not
    own = _own(state, seat)
    state = _other_tokens(state, seat, own, below)
    state = _other_cards(state, own, below)
    state = _other_plan(state, seat, own, below)
    if NOBODY in state.votes:
        others = [s for s in range(len(state.seats)) if s != state.scofield]
        votes = tuple(
            vote if vote == NOBODY or s == seat else others[below(len(others))]
            for s, vote in enumerate(state.votes)
        )
        state = replace(state, votes=votes)
    return state


def _own(state: Break, seat: int | None) -> set[int]:
    """Whose hands this seat holds, told apart from the game's own reckoning."""
    if seat is None or seat == state.bellick:
        return set()
    own = {state.cast[seat]}
    return own | {*EXTERNALS, LINCOLN} if SCOFIELD in own else own


def _mixed(cards: list[str], below: Below) -> list[str]:
    mixed = []
    while cards:
        mixed.append(cards.pop(below(len(cards))))
    return mixed


def _other_tokens(state: Break, seat: int | None, own: set[int], below: Below) -> Break:
    known_hands = set(own)
    if state.todo and isinstance(state.todo[-1], Warned):  # what is about to be lost is on show
        known_hands.add(state.todo[-2].who)  # type: ignore[union-attr]
    seen = [seat is not None and bool(bits >> seat & 1) for bits in state.seen]
    spaces = [
        n for n, token in enumerate(state.ground) if token not in ("", UNKNOWN) and not seen[n]
    ]
    strangers = [who for who in range(len(state.hands)) if who not in known_hands]
    hidden = [*unpack(state.bag.rest), *(state.ground[n] for n in spaces)]
    hidden += [token for who in strangers for token in state.hands[who]]
    hidden = _mixed(hidden, below)
    hands = list(state.hands)
    hidden.sort(key=BLANK.__eq__)  # nobody keeps a blank: those are dealt last
    for who in strangers:
        hands[who] = tuple(sorted(hidden.pop(0) for _ in hands[who]))
    hidden = _mixed(hidden, below)
    ground = list(state.ground)
    for n in spaces:
        ground[n] = hidden.pop()
    return replace(
        state, hands=tuple(hands), ground=tuple(ground), bag=Pile(bag(hidden), state.bag.under)
    )


def _other_cards(state: Break, own: set[int], below: Below) -> Break:
    strangers = [who for who in range(len(state.kept)) if who not in own]
    pile = list(unpack(state.pile.rest))
    hidden = [card for card in pile if card in BOX.chances]
    hidden += [card for who in strangers for card in state.kept[who]]
    task: Any = state.todo[-1] if state.todo else None
    drawn = isinstance(task, ChanceCard) and bool(task.card) and task.who not in own
    if drawn:
        hidden.append(task.card)
    hidden = _mixed(hidden, below)
    kept = list(state.kept)
    for who in strangers:
        kept[who] = tuple(sorted(hidden.pop() for _ in kept[who]))
    if drawn:
        state = replace(state, todo=(*state.todo[:-1], ChanceCard(task.who, hidden.pop())))
    pile = [card for card in pile if card not in BOX.chances] + hidden
    return replace(state, kept=tuple(kept), pile=Pile(bag(pile)))


def _other_plan(state: Break, seat: int | None, own: set[int], below: Below) -> Break:
    prisoner = seat is not None and seat != state.bellick
    if SCOFIELD in own or (state.phase == 2 and prisoner) or state.over == "escaped":
        return state
    plans = list(BOX.plans)
    task: Any = state.todo[-1] if state.todo else None
    if isinstance(task, Planning):
        dealt = tuple(sorted(_mixed(plans, below)[: len(task.cards)]))
        return replace(state, todo=(*state.todo[:-1], Planning(dealt)))
    if not state.plan:
        return state
    if state.wanted:
        plans = [p for p in plans if BOX.plans[p].externals == state.wanted]
    return replace(state, plan=plans[below(len(plans))])

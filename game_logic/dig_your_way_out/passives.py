"""Passives: when one may be revealed (R32, A32), and what happens then.

Triggered reveals are offered to every seat whose passive is still hidden, whatever card it is, so
that waiting for an answer gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from game_logic.dig_your_way_out import deeds, hands
from game_logic.dig_your_way_out.box import Passive
from game_logic.dig_your_way_out.effects import Effect, When
from game_logic.dig_your_way_out.moves import Reveal
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, with_prisoner

_AFTER: tuple[When, ...] = ("search", "craft", "dig")  # right after having done it


def options(now: Now) -> Iterator[Reveal]:
    """The passives this seat may have: its own, or where it is not known any that is left."""
    if now.me.revealed:
        return
    mine = now.box.gang_of[now.me.gang]
    known = now.me.passive
    for card in (known,) if known else [card for card, _ in now.state.passives]:
        yield Reveal(card)
        if now.box.passives[card].gang == mine:
            yield Reveal(card, bonus=True)


def refusal(now: Now, move: Reveal, *moments: When) -> Code | None:
    """Why this passive is not revealed at these moments."""
    me = now.me
    if me.revealed:
        return "already_revealed"
    if me.passive != move.passive:
        left = any(card == move.passive for card, _ in now.state.passives)
        if me.passive or not left:
            return "not_your_passive"
    passive = now.box.passives[move.passive]
    if passive.when not in moments or not _in_place(now, passive):
        return "not_the_moment"
    if move.bonus and now.box.gang_of[me.gang] != passive.gang:
        return "not_a_member"
    for effects in _parts(passive, move.bonus):
        if not any(deeds.possible(now, effect, me.cards) for effect in effects):
            return "no_effect"
    return None


def reveal(now: Now, move: Reveal) -> Blackgate:
    """It lies open from now on, and acts."""
    state, passive = now.state, now.box.passives[move.passive]
    if not now.me.passive:
        left = hands.less(state.passives, passive.id)
        assert left is not None
        state = replace(state, passives=left)
    me = replace(now.me, passive=passive.id, revealed=True)
    after = Now(now.box, with_prisoner(state, now.seat, me), now.seat)
    return deeds.run(after, chain.from_iterable(_parts(passive, move.bonus)))


def _parts(passive: Passive, bonus: bool) -> tuple[tuple[Effect, ...], ...]:
    """What it does: its effect, its effect and the bonus, or the bonus in its stead."""
    if not bonus:
        return (passive.effect,)
    return (passive.bonus,) if passive.instead else (passive.effect, passive.bonus)


def at_turn(now: Now) -> tuple[When, ...]:
    """The moments that one's own turn is right now, when nothing else is open."""
    moments: list[When] = ["turn"]
    fresh = now.turn.fresh
    moments += [when for when in _AFTER if when == fresh]
    if now.turn.actions and "buy" in now.board.actions[now.me.place]:
        moments.append("buy")
    return tuple(moments)


def _in_place(now: Now, passive: Passive) -> bool:
    if passive.tool and now.me.dug[-1:] != (passive.tool,):
        return False
    return not passive.place or _stands_for(now, passive.place)


def _stands_for(now: Now, place: str) -> bool:
    """Either block counts as the Cells (R51)."""
    here = now.me.place
    return here == place or (here in now.board.homes and place not in now.board.places)


def hidden(state: Blackgate, seat: int) -> bool:
    """Has this seat a passive that nobody has seen?"""
    return not state.prisoners[seat].revealed

"""Passives: when one may be revealed (R32, A32), and what happens then.

Triggered reveals are offered to every seat whose passive is still hidden, whatever card it is, so
that waiting for an answer gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from game_logic.dig_your_way_out import deeds, hands
from game_logic.dig_your_way_out.box import Passive
from game_logic.dig_your_way_out.effects import When
from game_logic.dig_your_way_out.moves import Reveal
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, with_prisoner

_AFTER: tuple[When, ...] = ("search", "craft", "dig")  # right after having done it


def options(now: Now) -> Iterator[Reveal]:
    """The passives this seat may have: its own, or where it is not known any that is left."""
    if now.me.revealed:
        return
    if now.me.passive:
        yield Reveal(now.me.passive)
    elif now.state.options.secrets == "table":
        for card, _ in now.state.passives:
            yield Reveal(card)


def refusal(now: Now, move: Reveal, *moments: When) -> Code | None:
    """Why this passive is not revealed at these moments."""
    me = now.me
    if me.revealed:
        return "already_revealed"
    if me.passive != move.passive:
        left = any(card == move.passive for card, _ in now.state.passives)
        if me.passive or not left or now.state.options.secrets == "house":
            return "not_your_passive"
    passive = now.box.passives[move.passive]
    if passive.when not in moments or not _in_place(now, passive):
        return "not_the_moment"
    main = passive.bonus if passive.instead and _member(now, passive) else passive.effect
    if not any(deeds.possible(now, effect, me.cards) for effect in main):
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
    if not _member(now, passive):
        return deeds.run(after, passive.effect)
    if passive.instead:
        return deeds.run(after, passive.bonus)
    return deeds.run(after, passive.effect, passive.bonus)


def at_turn(now: Now) -> tuple[When, ...]:
    """The moments that one's own turn is right now, when nothing else is open."""
    moments: list[When] = ["turn"]
    fresh = now.turn.fresh
    moments += [when for when in _AFTER if when == fresh]
    if now.turn.actions and "buy" in now.board.actions[now.me.place]:
        moments.append("buy")
    return tuple(moments)


def _member(now: Now, passive: Passive) -> bool:
    return now.box.gang_of[now.me.gang] == passive.gang


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

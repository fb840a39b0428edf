"""Who may know what: views from allow-lists, secret moves, and what cannot be taken back."""

from __future__ import annotations

from typing import Any

from game_logic.core import Drawn, Move, Rolled
from game_logic.prison_break.board import DEVICES
from game_logic.prison_break.box import Box
from game_logic.prison_break.moves import (
    Announce,
    Bribe,
    Eliminate,
    Give,
    KeepPlan,
    LoseObject,
    NotYet,
    Peek,
    Recruit,
    Search,
    Show,
    ShowPlan,
    Take,
    ThrowAway,
    UseCard,
    Vote,
)
from game_logic.prison_break.state import (
    EXTERNALS,
    LINCOLN,
    NOBODY,
    NOWHERE,
    SCOFIELD,
    UNKNOWN,
    Break,
    ChanceCard,
    Planning,
    Warned,
)

# Moves that bring out what somebody did not know: an object or card that was in a hand, a token
# that is looked at, whom the plan names, who is eliminated (the others see the plan then, R41).
_TELLING = (
    Rolled
    | Drawn
    | Announce
    | Eliminate
    | Show
    | ShowPlan
    | NotYet
    | Search
    | Peek
    | LoseObject
    | Bribe
    | Recruit
    | ThrowAway
    | UseCard
    | Give
)


def closes_undo(state: Break, move: Move) -> bool:
    if isinstance(move, Vote):  # the last one brings all of them out
        return not state.house or state.votes.count(NOBODY) <= 1
    return isinstance(move, _TELLING)


def secret(state: Break, move: Move) -> bool:
    """At the table hands keep secrets; in the house these moves would tell them."""
    if isinstance(move, Take):
        return state.house and move.leaving is not None
    return state.house and isinstance(move, KeepPlan | Vote | Give)


def hidden(state: Break, move: Move) -> bool:
    """What may be done tells which objects and cards are in a hand, or what the plan is."""
    telling = (Bribe, LoseObject, UseCard, ThrowAway, Take, Announce, Recruit)
    return secret(state, move) or (state.house and isinstance(move, telling))


def people_of(state: Break, seat: int | None) -> list[int]:
    """Whose hands this seat sees: its leader's, and for Scofield the externals' and Lincoln's.
    Bellick has nobody's; what he learnt before is in his memory."""
    if seat is None or seat == state.bellick or state.cast[seat] == NOBODY:
        return []
    who = state.cast[seat]
    return [who, *EXTERNALS, LINCOLN] if who == SCOFIELD else [who]


def knows_plan(state: Break, seat: int | None) -> bool:
    """Scofield does, from phase 2 on his fellow prisoners too (R41), after the escape everybody."""
    if state.plan in ("", UNKNOWN):
        return False
    if state.over == "escaped":
        return True
    if seat is None or seat == state.bellick:
        return False
    return state.phase == 2 or state.cast[seat] == SCOFIELD


def knows_token(state: Break, seat: int | None, space: int) -> bool:
    return seat is not None and bool(state.seen[space] >> seat & 1)


def view(box: Box, state: Break, seat: int | None) -> dict[str, Any]:
    shown = _public(box, state)
    squares = box.board.squares
    shown["ground"] = {
        squares[box.spaces[n]]: token if knows_token(state, seat, n) else UNKNOWN
        for n, token in enumerate(state.ground)
        if token
    }
    mine = people_of(state, seat)
    shown["hands"] = {box.people[who]: list(state.hands[who]) for who in mine}
    shown["kept"] = {box.people[who]: list(state.kept[who]) for who in mine}
    shown["plan"] = _plan(box, state) if knows_plan(state, seat) else None
    task = state.todo[-1] if state.todo else None
    if isinstance(task, ChanceCard) and task.who in mine:
        shown["drawn"] = [task.card] if task.card else []
    if isinstance(task, Planning) and SCOFIELD in mine:
        shown["drawn"] = list(task.cards)
    if seat is not None and state.votes:
        shown["vote"] = _seat(state.votes[seat])
    return shown


def _public(box: Box, state: Break) -> dict[str, Any]:
    squares, ids = box.board.squares, box.people
    open_votes = not state.house or NOBODY not in state.votes
    return {
        "seats": list(state.seats),
        "cast": [ids[who] if who != NOBODY else None for who in state.cast],
        "bellick": _seat(state.bellick),
        "phase": state.phase,
        "day": state.day,
        "guilt": state.guilt,
        "over": state.over or None,
        "awaits": _awaits(box, state),
        "people": {
            ids[who]: {
                "at": squares[at],
                "team": who in state.team,
                "skips": state.skips[who],
                "objects": len(state.hands[who]),
                "cards": len(state.kept[who]),
            }
            for who, at in enumerate(state.where)
            if at != NOWHERE
        },
        "gone": list(state.gone),
        "guards": [{"at": squares[at], "guard": box.kinds[logo]} for at, logo in state.guards],
        "spare": dict(zip(box.kinds, state.spare, strict=True)),
        "tools": {tool.id: _tool(box, state, n) for n, tool in enumerate(box.tools)},
        "lit": {
            kind: {"number": state.lit[n], "by_card": state.by_card[n]} if state.lit[n] else None
            for n, kind in enumerate(DEVICES)
        },
        "active": state.active or None,
        "pile": len(state.pile) - state.hidden_cards(),
        "discard": list(state.discard),
        "wanted": [ids[who] for who in state.wanted],
        "wishes": {ids[e]: box.wants[e][state.wish - 1] for e in EXTERNALS if state.wish},
        "route": [box.board.places[place] for place in state.route],
        "escape_tokens": box.counts.escape_tokens - len(state.route),
        "voted": [vote != NOBODY for vote in state.votes],
        "votes": [_seat(vote) for vote in state.votes] if open_votes else None,
    }


def _awaits(box: Box, state: Break) -> dict[str, Any] | None:
    if not state.todo:
        return None
    task = state.todo[-1]
    who = getattr(task, "who", None)
    awaits: dict[str, Any] = {"task": task.__struct_config__.tag}
    if who is not None:
        awaits["who"] = box.people[who] if who != NOBODY else "bellick"
    if isinstance(task, Warned):
        awaits["move"] = task.move
    return awaits


def _tool(box: Box, state: Break, tool: int) -> dict[str, Any]:
    if state.broken[tool]:
        return {"broke": f"{DEVICES[tool]}_{state.broken[tool]}"}
    if state.tools[tool] != NOBODY:
        return {"carrier": box.people[state.tools[tool]]}
    return {"at": box.board.squares[box.tool_spaces[tool]]}


def _plan(box: Box, state: Break) -> dict[str, Any]:
    plan = box.plans[state.plan]
    return {
        "id": plan.id,
        "externals": [box.people[who] for who in plan.externals],
        "route": [box.board.places[place] for place in plan.route],
        "perimeter": f"{DEVICES[plan.device]}_{plan.number}",
    }


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat

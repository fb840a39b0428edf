"""What may be seen: the view of a seat, the screens' tracks, the pieces on the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from game_logic.core import Attempt, Drawn, Image, Move, Piece, Text, Track
from game_logic.dig_your_way_out import moves as m
from game_logic.dig_your_way_out import tasks
from game_logic.dig_your_way_out.box import STOCK, TEAMS, Box
from game_logic.dig_your_way_out.deeds import goal
from game_logic.dig_your_way_out.state import Blackgate, Prisoner, team, with_prisoner
from game_logic.dig_your_way_out.words import topic

A_SHOVEL_AWAY = 3  # points before the goal at which a tunnel alarms the others


def view(box: Box, state: Blackgate, seat: int | None) -> dict[str, Any]:
    """Built from an allow-list: hands and hidden passives are only in their owner's view."""
    turn = state.turn
    seen: dict[str, Any] = {
        "seats": state.seats,
        "options": state.options,
        "goal": goal(box, state),
        "turn": {
            "seat": turn.seat,
            "number": turn.number,
            "actions": turn.actions,
            "searches": turn.searches,
            "rackets": turn.rackets,
            "free_walks": turn.free_walks,
        },
        "awaits": topic(state),
        "prisoners": [_board_of(box, state, s, p) for s, p in enumerate(state.prisoners)],
        "stock": dict(zip(STOCK, state.stock, strict=True)),
        "pile": state.pile,
        "discard": state.discard,
        "gangs": {gang: len(pile) for gang, pile in zip(box.gangs, state.gangs, strict=True)},
        "open": [_open(task) for task in state.todo if isinstance(task, _SHOWN)],
    }
    if state.michel_place:
        seen["michel"] = {
            "place": state.michel_place,
            "pile": sum(copies for _, copies in state.michel_pile),
            "discard": state.michel_discard,
        }
    if state.end:
        seen["end"], seen["winners"] = state.end, state.winners
    if seat is not None:
        me = state.prisoners[seat]
        seen |= {"hand": me.hand, "unknown": me.unknown, "passive": _passive(box, me.passive)}
        looked_at = _looked_at(state, seat)
        if looked_at is not None:
            seen["looked_at"] = {"seat": looked_at, "hand": state.prisoners[looked_at].hand}
    return seen


def _board_of(box: Box, state: Blackgate, seat: int, prisoner: Prisoner) -> dict[str, Any]:
    """What lies in front of a player for all to see."""
    gang = box.gang_cards.get(prisoner.gang)
    return {
        "team": TEAMS[team(state, seat)] if state.options.teams else None,
        "place": prisoner.place,
        "cards": prisoner.cards,
        "cigarettes": prisoner.cigarettes,
        "beatings": prisoner.beatings,
        "gang": gang and {"id": gang.id, "gang": gang.gang, "says": gang.says._asdict()},
        "passive": _passive(box, prisoner.passive) if prisoner.revealed else None,
        "dug": prisoner.dug,
        "points": prisoner.points,
    }


def _passive(box: Box, card: str) -> dict[str, Any] | None:
    if not card:
        return None
    passive = box.passives[card]
    return {
        "id": card,
        "name": passive.name._asdict(),
        "says": passive.says._asdict(),
        "gang": passive.gang,
        "bonus": passive.bonus_says._asdict(),
    }


_SHOWN = (tasks.Extortion, tasks.Shakedown, tasks.Steer, tasks.Tribute, tasks.Trade, tasks.Draw)


def _open(task: tasks.AnyTask) -> dict[str, Any]:
    """What lies on the table of something under way; all of it is played openly."""
    match task:
        case tasks.Extortion():
            shown = {"seat": task.seat, "target": task.target, "tool": task.tool}
            return shown | {"played": task.played, "helpers": task.helpers, "ducks": task.ducks}
        case tasks.Shakedown():
            return {"seat": task.seat, "cards": task.cards, "played": task.played}
        case tasks.Steer():
            return {"seat": task.seat, "face": task.face}
        case tasks.Tribute():
            return {"seat": task.seat, "gang": task.gang, "paid": task.paid}
        case tasks.Trade():
            return {"seat": task.seat, "partner": task.partner, "giver": task.giver}
        case tasks.Draw():
            return {"seat": task.seat, "left": task.left}
    raise AssertionError(task)


def _looked_at(state: Blackgate, seat: int) -> int | None:
    """The other hand that this seat is looking at."""
    match state.todo[-1] if state.todo else None:
        case tasks.Inform(by, target) if by == seat:
            return target
        case tasks.Take(by, victim, choose=True) if by == seat:
            return victim
    return None


# -- tracks ----------------------------------------------------------------------------------------


def tracks(box: Box, state: Blackgate) -> tuple[Track, ...]:
    aim = goal(box, state)
    danger = max(1, aim - A_SHOVEL_AWAY)
    points = [prisoner.points for prisoner in state.prisoners]
    if state.options.teams:
        tunnels = [
            Track(
                f"tunnel_{name.lower()}",
                box.texts("track_team", who=name),
                min(aim, sum(points[side::2])),
                aim,
                danger,
            )
            for side, name in enumerate(TEAMS)
        ]
    else:
        tunnels = [
            Track(
                f"tunnel_{s}",
                box.texts("track_seat", who=name),
                min(aim, points[s]),
                aim,
                danger,
                s,
            )
            for s, name in enumerate(state.seats)
        ]
    left, most = state.turn.actions, state.options.actions_per_turn
    return (*tunnels, Track("actions", box.texts("track_actions"), left, max(left, most)))


# -- pieces ----------------------------------------------------------------------------------------


def image(box: Box, state: Blackgate) -> Image:
    pieces: dict[str, tuple[Piece, ...]] = {}
    for pawn, prisoner in zip(box.pawns, state.prisoners, strict=False):
        pieces[prisoner.place] = (*pieces.get(prisoner.place, ()), Piece("pawn", pawn.id))
    if state.michel_place:
        there = pieces.get(state.michel_place, ())
        pieces[state.michel_place] = (*there, Piece("michel", state.options.michel))
    return pieces


def standing(box: Box, state: Blackgate, image: Image) -> Blackgate:
    """Pawns and Michel as they stand."""
    at = {(piece.kind, piece.id): where for where, pieces in image.items() for piece in pieces}
    prisoners = tuple(
        replace(prisoner, place=at["pawn", pawn.id])
        for pawn, prisoner in zip(box.pawns, state.prisoners, strict=False)
    )
    michel = at.get(("michel", state.options.michel), "")
    return replace(state, prisoners=prisoners, michel_place=michel)


def piece(box: Box, piece: Piece) -> Text:
    if piece.kind == "michel":
        return box.texts("michelle" if piece.id == "michelle" else "michel")
    return next(pawn.name for pawn in box.pawns if pawn.id == piece.id)


def signs(move: Move) -> tuple[str, ...]:
    """The cards a move puts on the table for all to see, or a tagged one that is drawn."""
    match move:
        case m.PlayCard(card) | m.Discard(card) | m.PlayWeapon(card) | m.Sell(card):
            return (f"card:{card}",)
        case m.Dig(card) | m.Cooperate(card) | m.Return(card) | m.Reveal(card):
            return (f"card:{card}",)
        case m.Craft(_, cards):
            return tuple(f"card:{card}" for card in cards)
        case Drawn(pile, card) if pile != "first":
            return (f"card:{card}",)
    return ()


def attempts(box: Box, state: Blackgate, asked: int) -> Iterator[Attempt]:
    """A pawn carried off by hand: without a roll, or elsewhere than the die says."""
    if state.end or not 0 <= asked < len(state.seats):
        return
    task = state.todo[-1] if state.todo else None
    if task is not None and not isinstance(task, tasks.Steer | tasks.PickPlace):
        return
    board = box.boards[state.options.teams, state.options.use_solitary]
    for place in board.places:
        move: Move = m.Sneak(place) if task is None else m.Go(place)
        if isinstance(task, tasks.Steer) and task.michel:
            if place != state.michel_place:
                yield Attempt(asked, move, image(box, replace(state, michel_place=place)))
        elif place != state.prisoners[asked].place:
            moved = replace(state.prisoners[asked], place=place)
            yield Attempt(asked, move, image(box, with_prisoner(state, asked, moved)))

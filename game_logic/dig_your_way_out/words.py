"""What people read: the log, the menus, the questions and the refusals, in both languages.

Every sentence may use every one of box.FIELDS; what a reader may not know is left out of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game_logic.core import CHANCE, Drawn, Move, Outcome, Piece, Rolled, Text, Thing
from game_logic.dig_your_way_out import moves as m
from game_logic.dig_your_way_out import tasks
from game_logic.dig_your_way_out.box import FIELDS, MOST_BEATINGS, STOCK, TEAMS, Box
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.prices import price
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, team
from game_logic.dig_your_way_out.turn import sneak_cost


def topic(state: Blackgate) -> str:
    """What is being asked."""
    if state.end:
        return "over"
    return state.todo[-1].topic if state.todo else "turn"


# -- the log ---------------------------------------------------------------------------------------


def told(box: Box, state: Blackgate, move: Move, by: int, to: int | None) -> Text:
    if isinstance(move, Drawn):
        return _drawn(box, state, move, to)
    fields = _fields(box, state, move, by)
    key = _key(state, move)
    if isinstance(move, m.Give | m.TakeCard) and to not in (by, _other(state)):
        key, fields["card"] = f"{move.__struct_config__.tag}_unseen", ""
    return box.texts(f"log_{key}", **fields)


def _drawn(box: Box, state: Blackgate, move: Drawn, to: int | None) -> Text:
    """A card that chance gave, as far as `to` learns it."""
    task: Any = state.todo[-1] if state.todo else None
    if not hasattr(task, "seat"):
        return box.texts("log_first", **_fields(box, state, move, CHANCE))
    fields = _fields(box, state, move, task.seat)
    key = move.pile
    seers: tuple[int, ...] = (task.seat,)
    match task:
        case tasks.Draw():
            key = "drawn_search"
        case tasks.Take():
            key, seers = "taken", (task.seat, task.victim)
        case tasks.Lose():
            return box.texts("log_lost", **fields)
        case tasks.DrawGang():
            return box.texts("log_gang", **fields)
        case tasks.Shakedown():
            return box.texts("log_michel", **fields)
    if to not in seers:
        key, fields["card"] = f"{key}_unseen", ""
    return box.texts(f"log_{key}", **fields)


def _key(state: Blackgate, move: Move) -> str:
    if isinstance(move, m.Pass):
        return f"pass_{topic(state)}"
    if isinstance(move, m.Reveal) and move.bonus:
        return "reveal_bonus"
    if isinstance(move, m.Give) and not move.card:
        return "give_unseen"
    return str(move.__struct_config__.tag)


# -- questions, menus, refusals, the end -----------------------------------------------------------


def prompt(box: Box, state: Blackgate) -> Text:
    return box.texts(
        f"ask_{topic(state)}", **_fields(box, state, None, _asked(state), with_prompt=False)
    )


def offered(box: Box, state: Blackgate, move: Move, by: int) -> Text:
    return box.texts(f"menu_{_key(state, move)}", **_fields(box, state, move, by))


def refusal(box: Box, code: Code, state: Blackgate, move: Move, seat: int | None) -> Text:
    return box.texts(
        f"no_{code}", **_fields(box, state, move, _asked(state) if seat is None else seat)
    )


def outcome(box: Box, state: Blackgate) -> Outcome:
    names = [state.seats[seat] for seat in state.winners]
    points = [prisoner.points for prisoner in state.prisoners]
    sides = {team(state, seat) for seat in state.winners}
    winner = " & ".join(names)
    if state.options.teams and len(sides) == 1:
        winner = f"{TEAMS[sides.pop()]} ({winner})"
    best = sum(p for s, p in enumerate(points) if team(state, s) == team(state, state.winners[0]))
    text = box.texts(state.end, who=winner, points=best)
    return Outcome(state.winners, state.end, text, tuple(points))


# -- what sentences are filled with ----------------------------------------------------------------


def _asked(state: Blackgate) -> int:
    if not state.todo:
        return state.turn.seat
    task = state.todo[-1]
    seat: int = getattr(task, "seat", state.turn.seat)
    return seat if task.asks == CHANCE else task.asks


def _other(state: Blackgate) -> int | None:
    """The other player of what is open."""
    task = state.todo[-1] if state.todo else None
    match task:
        case tasks.Extortion(seat, target):
            return target if task.asked == seat else seat
        case tasks.Take(_, other) | tasks.Loot(_, other) | tasks.Won(_, other):
            return other
        case tasks.Inform(_, other):
            return other
        case tasks.Trade(seat, partner):
            return partner if task.giver == seat else seat
    return None


def _fields(
    box: Box, state: Blackgate, move: Any, by: int, with_prompt: bool = True
) -> dict[str, Any]:
    nobody = box.texts("nobody")
    here = 0 <= by < len(state.seats)
    fields: dict[str, Any] = dict.fromkeys(FIELDS, "")
    fields["who"] = state.seats[by] if here else nobody
    if with_prompt:
        fields["prompt"] = box.texts(
            "prompt_to", who=state.seats[_asked(state)], prompt=prompt(box, state)
        )
    other = _other(state)
    if other is not None:
        fields["other"] = state.seats[other]
    _task_fields(box, state, fields)
    if move is not None and here:
        _move_fields(box, Now(box, state, by), move, fields)
    elif isinstance(move, Drawn) and move.pile == "first":
        fields["who"] = _seat_name(state, int(move.card)) if move.card.isdigit() else nobody
    elif isinstance(move, Rolled):
        fields["face"], fields["who"] = move.face, state.seats[_asked(state)]
    return fields


def _task_fields(box: Box, state: Blackgate, fields: dict[str, Any]) -> None:
    task = state.todo[-1] if state.todo else None
    match task:
        case tasks.Extortion() | tasks.Loot():
            fields["card"] = box.names.get(task.tool, "")
        case tasks.Draw() | tasks.Take() | tasks.Shed():
            fields["n"] = task.left
        case tasks.Steer():
            fields["face"] = task.face
        case tasks.Tribute():
            fields["gang"] = box.gangs[task.gang].name
            fields["n"] = box.gangs[task.gang].different - len(task.paid)
        case tasks.DrawGang():
            fields["gang"] = box.gangs[task.gang].name
        case None:
            fields["n"] = state.turn.actions


def _seat_name(state: Blackgate, seat: int) -> str:
    return state.seats[seat] if 0 <= seat < len(state.seats) else str(seat)


def _card(box: Box, card: str) -> Text | str:
    return box.names.get(card, card)


def _move_fields(box: Box, now: Now, move: Any, fields: dict[str, Any]) -> None:
    state = now.state
    for name in ("card", "tool"):
        if hasattr(move, name):
            fields["card"] = _card(box, getattr(move, name))
    for name in ("target", "partner"):
        if hasattr(move, name):
            fields["other"] = _seat_name(state, getattr(move, name))
    match move:
        case m.Go(place) | m.Rejoin(place):
            fields["place"] = box.places.get(place, place)
        case m.Sneak(place):
            fields["place"], fields["n"] = box.places.get(place, place), sneak_cost(now)
        case m.Search():
            fields["n"] = now.board.search[now.me.place] + now.perks.search_more
        case m.SetDie(face) | Rolled(_, face):
            fields["face"] = face
        case m.Join(gang) if gang in box.gangs:
            fields["gang"], fields["n"] = box.gangs[gang].name, box.gangs[gang].different
        case m.PlayCard(card) if card in box.actions:
            fields["says"] = box.actions[card].says
        case m.Reveal(passive, bonus) if passive in box.passives:
            revealed = box.passives[passive]
            fields["card"] = revealed.name
            fields["says"] = revealed.bonus_says if bonus else revealed.says
        case m.Craft(recipe) if recipe in box.recipes:
            fields["card"] = box.recipes[recipe].name
        case m.Sell(card):
            fields["n"] = box.cigarettes.get(card, 0)
        case m.Buy(purchase) if purchase in box.offers:
            task = state.todo[-1] if state.todo else None
            percent = task.percent if isinstance(task, tasks.Purchase) else 100
            fields["card"] = box.offers[purchase].name
            fields["price"] = price(now, box.offers[purchase], percent)
        case m.Heal():
            fields["n"] = min(now.me.beatings, MOST_BEATINGS)
        case m.PayOff():
            fields["price"] = now.perks.pay_off
        case m.GiveCigarettes(amount):
            fields["n"] = amount
        case Drawn(pile, card) if pile in box.gangs:
            fields["gang"] = box.gangs[pile].name
            fields["says"] = box.gang_cards[card].says
        case Drawn("michel", card):
            fields["says"] = _michel_says(box, card)
        case Drawn("passives", card):
            fields["card"], fields["says"] = box.passives[card].name, box.passives[card].says


def _michel_says(box: Box, card: str) -> Text:
    """What lies on the table: a shiv with its tools, or nothing."""
    shown = box.michel[card]
    if not shown.shiv:
        return box.texts("michel_calm")
    tools = [box.names[tool] for tool in shown.tools]
    fr, en = ", ".join(t.fr for t in tools), ", ".join(t.en for t in tools)
    return box.texts("michel_shiv", card=Text(fr or "–", en or "–"))


# -- what may carry a tag -------------------------------------------------------------------------


def things(box: Box) -> Iterator[Thing]:
    """Pawns, Michel and Michelle, and every card: each is laid open or drawn at some time."""
    for pawn in box.pawns:
        yield Thing.of(Piece("pawn", pawn.id), pawn.name)
    for name in ("michel", "michelle"):
        yield Thing(name, box.texts(name), piece=Piece("michel", name))
    for card, copies in (*box.search, *zip(STOCK, box.stock, strict=True)):
        yield Thing.card(card, box.texts("thing_card", card=box.names[card]), copies)
    for id, passive in box.passives.items():
        yield Thing.card(id, box.texts("thing_passive", card=passive.name))
    for id, shown in box.gang_cards.items():
        gang = box.gangs[shown.gang].name
        yield Thing.card(id, box.texts("thing_gang", gang=gang, says=shown.says))
    for id in box.michel:
        yield Thing.card(id, box.texts("thing_michel", says=_michel_says(box, id)))

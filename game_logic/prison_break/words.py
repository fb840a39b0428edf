"""What people read: log, prompts, menu, names of places and pieces. Sentences: data/texts.toml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from game_logic.core import CHANCE, Drawn, Move, Piece, Rolled, Text, Thing
from game_logic.data import DataError
from game_logic.prison_break.board import DEVICES
from game_logic.prison_break.box import CHANCE_CARD, Box
from game_logic.prison_break.knowledge import knows_plan, knows_token, people_of
from game_logic.prison_break.moves import (
    Announce,
    AnyMove,
    Confirm,
    Give,
    KeepCard,
    KeepPlan,
    PlaceTool,
    Recruit,
    Take,
    UseCard,
    Vote,
)
from game_logic.prison_break.state import (
    BELLICK,
    LEADERS,
    NOBODY,
    SCOFIELD,
    UNKNOWN,
    AnyTask,
    Break,
    ChanceCard,
    Contact,
    FirstRoll,
    Looking,
    Marking,
    Planning,
    Task,
    TieBreak,
    Turn,
    Warned,
    Wrap,
)
from game_logic.prison_break.warning import final

_PLACES = ("to", "at", "origin")
_THINGS = ("leader", "object", "external", "tool", "card", "place", "person")


class Words:
    def __init__(self, box: Box) -> None:
        self._box = box
        self._texts = box.texts
        kinds = [kind for kind in get_args(AnyMove) if kind not in (Rolled, Drawn)]
        tasks = [t for t in get_args(AnyTask) if t not in (Wrap, Turn, Warned)]
        needed = [f"told_{tag(kind)}" for kind in kinds] + [f"offer_{tag(kind)}" for kind in kinds]
        needed += [f"prompt_{tag(task)}" for task in tasks]
        needed += [f"effect_{card.effect}" for card in box.cards.values()]
        for key in needed:
            if key not in self._texts:
                raise DataError("prison_break/texts.toml", f"there is no sentence {key!r}")

    # -- names ------------------------------------------------------------------------------------

    def place(self, space: str) -> Text:
        board = self._box.board
        kind, _, rest = space.partition("_")
        if space in board.index and (zone := board.zone_of[board.index[space]]):
            return self._texts("square", number=rest, zone=self._box.name(f"z{zone}"))
        if space in board.index:
            return self._box.name(space)
        if kind in ("tool", "route"):
            return self._texts(f"space_{kind}", thing=self._box.name(rest))
        return self.device(space)

    def device(self, id: str) -> Text:
        """ "camera_2" """
        kind, _, number = id.partition("_")
        return self._texts(kind, number=number)

    def piece(self, piece: Piece) -> Text:
        if piece.kind == "pawn" or piece.kind == "external":
            return self._texts("pawn", person=self._box.name(piece.id or ""))
        if piece.kind == "tool":
            return self._box.name(piece.id or "")
        if piece.kind in self._box.names:
            return self._box.name(piece.kind)
        return self._texts(piece.kind)

    def things(self) -> Iterator[Thing]:
        """Pawns, guards by logo, tools and tokens, and the cards that are laid open."""
        box = self._box
        pieces = [
            (Piece("pawn" if who in LEADERS else "external", id), 1)
            for who, id in enumerate(box.people)
        ]
        pieces += [(Piece(f"guard_{box.kinds[n]}"), many) for n, many in enumerate(box.guards)]
        pieces += [(Piece("tool", tool.id), 1) for tool in box.tools]
        pieces += [(Piece(f"{device}_on"), 1) for device in DEVICES]
        pieces += [(Piece("escape_token"), box.counts.escape_tokens)]
        yield from (Thing.of(piece, self.piece(piece), many) for piece, many in pieces if many)
        for id, card in box.cards.items():
            text = self._texts("thing_card", id=id, card=self._card(id))
            yield Thing.card(id, text, card.copies)
        for id in box.plans:
            yield Thing.card(id, self._texts("thing_plan", plan=self._plan(id)))

    def _person(self, who: int) -> Text:
        return self._box.name("bellick" if who == BELLICK else self._box.people[who])

    def _card(self, id: str) -> Text:
        """A card's name and what it does."""
        if id not in self._box.cards:
            return self._box.name(id)
        card = self._box.cards[id]
        does = self._texts(f"effect_{card.effect}", n=card.n)
        return self._texts("card", name=self._box.name(id), does=does)

    def _people(self, ids: tuple[str, ...]) -> Text:
        return self._joined([self._box.name(id) for id in ids])

    @staticmethod
    def _joined(names: list[Text], by: str = ", ") -> Text:
        return Text(by.join(n.fr for n in names), by.join(n.en for n in names))

    # -- who does it ------------------------------------------------------------------------------

    def _actor(self, state: Break, by: int) -> Text:
        """The person whose task it is, else the player at that seat."""
        task = state.todo[-1] if state.todo else None
        if isinstance(task, Warned):
            task = state.todo[-2]
        who = getattr(task, "who", BELLICK if 0 <= by == state.bellick else None)
        if who is not None:
            return self._person(who)
        if isinstance(task, FirstRoll):
            by = task.seats[len(task.faces)]
        return Text(state.seats[by], state.seats[by]) if by >= 0 else self._box.name("house")

    def _fields(self, state: Break, move: Move, by: int) -> dict[str, Any]:
        fields: dict[str, Any] = {"who": self._actor(state, by)}
        for field in move.__struct_fields__:
            value = getattr(move, field)
            if field in _PLACES and not isinstance(move, Give):
                fields[field] = self.place(value)
            elif field == "to" or field in _THINGS:
                fields[field] = self._box.name(value)
            elif field == "guard" and value is not None:
                fields[field] = self._box.name(f"guard_{value}")
            elif field == "seat":
                fields[field] = state.seats[value]
            elif field == "device":
                fields[field] = self.device(value)
            elif field == "plan":
                fields[field] = self._plan(value)
            elif field == "what":
                fields[field] = self._box.name(value)
        if isinstance(move, Announce):
            fields["externals"] = self._people(move.externals)
        if isinstance(move, Take) and move.leaving is not None:
            fields["object"] = self._box.name(move.leaving)
        return fields

    def _plan(self, id: str) -> Text:
        plan, box = self._box.plans[id], self._box
        kind = ("camera", "tower")[plan.device]
        return self._texts(
            "plan",
            id=id.upper(),
            externals=self._people(tuple(box.people[who] for who in plan.externals)),
            route=self._joined([box.name(box.board.places[place]) for place in plan.route]),
            device=self.device(f"{kind}_{plan.number}"),
        )

    # -- the log ----------------------------------------------------------------------------------

    def told(self, state: Break, move: Move, by: int, to: int | None) -> Text:
        task = state.todo[-1] if state.todo else None
        if isinstance(move, Confirm) and isinstance(task, Warned):
            return self._told(state, task.move, by, to)
        told = self._told(state, move, by, to)
        if final(move, self._box, state):  # it is asked again before it is done
            return self._texts("told_warned", told=told)
        return told

    def _told(self, state: Break, move: Move, by: int, to: int | None) -> Text:
        if isinstance(move, Rolled):
            return self._texts("told_rolled", who=self._actor(state, by), face=move.face)
        if isinstance(move, Drawn):
            return self._told_drawn(state, move, to)
        key = f"told_{tag(type(move))}"
        fields = self._fields(state, move, by)
        knows = to == by or not state.house
        match move:
            case Vote() if not knows and state.votes.count(NOBODY) > 1:
                key = "told_vote_hidden"
            case KeepPlan() if not knows:
                key = "told_keep_plan_hidden"
            case Give(object, mate):
                knows = knows or to == state.seat_of(self._box.person[mate])
                if not knows or object == UNKNOWN:
                    key = "told_give_hidden"
            case Take(leaving) if leaving is not None:
                key = "told_take_leaving" if knows and leaving != UNKNOWN else "told_take_swap"
            case UseCard(_, guard) if guard is not None:
                key = "told_use_card_on"
            case KeepCard():
                card = getattr(state.todo[-1], "card", UNKNOWN)
                seen = knows and card in self._box.cards
                fields["card"] = self._box.name(card if seen else CHANCE_CARD)
        return self._texts(key, **fields)

    def _told_drawn(self, state: Break, move: Drawn, to: int | None) -> Text:
        task = state.todo[-1]
        who = getattr(task, "who", SCOFIELD)
        seen = move.pile == "cards" or who == BELLICK or to == state.seat_of(who)
        if not seen:
            return self._texts(f"told_drawn_{move.pile}_hidden", who=self._person(who))
        card = self._plan(move.card) if move.pile == "escape" else self._card(move.card)
        return self._texts(f"told_drawn_{move.pile}", who=self._person(who), card=card)

    # -- what is awaited --------------------------------------------------------------------------

    def prompt(self, state: Break, actors: tuple[int, ...], to: int | None) -> Text:
        if not state.todo:
            return self.outcome(state)
        task = state.todo[-1]
        if isinstance(task, Warned):
            return self._warning(state, task, to)
        key = f"prompt_{tag(type(task))}"
        names = [state.seats[seat] for seat in actors if seat != CHANCE]
        fields: dict[str, Any] = {
            "who": self._actor(state, CHANCE),
            "name": ", ".join(names),
            "card": self._card(state.active) if state.active else "",
        }
        mine = people_of(state, to)
        match task:
            case FirstRoll(seats, faces):
                fields["name"] = state.seats[seats[len(faces)]]
            case Turn(_, harm, escapes):
                both = harm and escapes and state.options.order == "free"
                key = "prompt_any" if both else "prompt_harm" if harm else "prompt_escape"
            case Planning(cards) if SCOFIELD in mine and cards:
                fields["plans"] = self._joined([self._plan(card) for card in cards], " / ")
                key = "prompt_planning_mine"
            case Contact(_, guard):
                fields["guard"] = self._box.name(f"guard_{self._box.kinds[guard]}")
            case Looking(_, space) if knows_token(state, to, space):
                fields["object"] = self._box.name(state.ground[space])
                key = "prompt_looking_mine"
            case ChanceCard(who, card) if who in mine and card in self._box.cards:
                fields["card"] = self._card(card)
                key = "prompt_chance_card_mine"
            case Marking():
                fields["left"] = self._box.counts.escape_tokens - len(state.route)
            case TieBreak(seats):
                fields["tied"] = ", ".join(state.seats[seat] for seat in seats)
        return self._texts(key, **fields)

    def _warning(self, state: Break, task: Warned, to: int | None) -> Text:
        move = task.move
        if isinstance(move, PlaceTool):
            fields = self._fields(state, move, CHANCE)
            if not knows_plan(state, to):
                return self._texts("warn_tool", **fields)
            return self._texts(self._which_tool(state, move), **fields)
        kind = getattr(move, "object", None) or getattr(move, "guard", None)
        if isinstance(move, Recruit):
            kind = self._box.wants[self._box.person[move.external]][state.wish - 1]
        assert kind is not None
        who = self._actor(state, CHANCE)
        return self._texts("warn_object", who=who, object=self._box.name(kind))

    def _which_tool(self, state: Break, move: PlaceTool) -> str:
        """For those who know the plan: is this where the tool belongs?"""
        plan, board = self._box.plans[state.plan], self._box.board
        below = state.todo[-2]
        square = state.where[getattr(below, "who", SCOFIELD)]
        if self._box.tools[plan.device].id != move.tool:
            return "warn_tool_spare"
        right = board.sites[plan.device][plan.number] >> square & 1
        return "warn_tool_right" if right else "warn_tool_wrong"

    # -- the menu ---------------------------------------------------------------------------------

    def offered(self, state: Break, move: Move, by: int) -> Text:
        fields = self._fields(state, move, by)
        key = f"offer_{tag(type(move))}"
        if isinstance(move, Take) and move.leaving is not None:
            key = "offer_take_leaving"
        if isinstance(move, UseCard) and move.guard is not None:
            key = "offer_use_card_on"
        if "card" in fields:
            fields["card"] = self._card(getattr(move, "card", CHANCE_CARD))
        text = self._texts(key, **fields)
        if final(move, self._box, state) and not isinstance(move, PlaceTool):
            return self._texts("offer_final", text=text)
        return text

    def outcome(self, state: Break) -> Text:
        key = "over_escaped" if state.over == "escaped" else f"over_{state.over}_{state.phase}"
        bellick = state.seats[state.bellick] if state.bellick != NOBODY else ""
        return self._texts(key, bellick=bellick)


def tag(kind: type[Move] | type[Task]) -> str:
    """What the move or task is called in JSON."""
    return str(kind.__struct_config__.tag)

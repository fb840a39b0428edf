"""After a walk: marks on the way, and what may be done where it ended (R29–R33, R41, R42)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break import cards
from game_logic.prison_break.board import CAMERA, DEVICES, bits, largest
from game_logic.prison_break.box import Box
from game_logic.prison_break.crowd import dismiss, guards_at, spend
from game_logic.prison_break.moves import (
    Bribe,
    Done,
    Give,
    Leave,
    Mark,
    PickUp,
    PlaceTool,
    Recruit,
    Search,
    Take,
    ThrowAway,
    UseCard,
)
from game_logic.prison_break.rule import Rule
from game_logic.prison_break.state import (
    BLANK,
    EXTERNALS,
    NOBODY,
    SCOFIELD,
    UNKNOWN,
    Break,
    FollowUp,
    Looking,
    Marking,
    holds,
    push,
    put,
    swap,
    without,
)

_DONE, _SEARCH, _LEAVE, _THROW = Done(), Search(), Leave(), ThrowAway()
_TAKE = Take()


class MarkingRule(Rule[Marking]):
    """R41, A23: tokens on places that one and the same walk may have entered."""

    def skip(self, state: Break, task: Marking) -> Break | None:
        over = not task.ways or len(state.route) == self.box.counts.escape_tokens
        return swap(state) if over else None

    def moves(self, state: Break, task: Marking, seat: int) -> Sequence[Move]:
        places = 0
        for way in task.ways:
            places |= way
        return [*(Mark(self.board.places[n]) for n in bits(places)), _DONE]

    def play(self, state: Break, task: Marking, move: Move, seat: int) -> Break:
        if isinstance(move, Done):
            return swap(state)
        if not isinstance(move, Mark):
            raise self.no("mark_or_go_on")
        place = self.board.place_index.get(move.place)
        if place is None:
            raise self.no("no_such_place", place=move.place)
        if place in state.route:
            raise self.no("already_marked")
        bit = 1 << place
        if not any(way & bit for way in task.ways):
            raise self.no("not_on_the_way")
        ways = largest(way & ~bit for way in task.ways if way & bit)
        rest = Marking(task.who, tuple(way for way in ways if way))
        return swap(state, rest, route=tuple(sorted((*state.route, place))))


class FollowUpRule(Rule[FollowUp]):
    """A7: each thing once. The stage opens by what everybody sees, so that it betrays no hand."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._tool = {tool.id: n for n, tool in enumerate(box.tools)}
        self._picks = [PickUp(tool.id) for tool in box.tools]
        self._places = [PlaceTool(tool.id) for tool in box.tools]
        self._recruits = [Recruit(box.people[who]) for who in EXTERNALS]
        self._bribes = [Bribe(kind) for kind in box.kinds]
        self._acts: dict[
            type[Move], tuple[str, Callable[..., str | None], Callable[..., Break]]
        ] = {
            Search: ("search", self.why_not_search, self._search),
            PickUp: ("pick_up", self.why_not_pick_up, self._pick_up),
            PlaceTool: ("place_tool", self.why_not_place, self._place),
            Recruit: ("recruit", self.why_not_recruit, self._recruit),
            Bribe: ("bribe", self.why_not_bribe, self._bribe),
            Give: ("give", self.why_not_give, self._give),
        }

    def skip(self, state: Break, task: FollowUp) -> Break | None:
        moved = state.where[task.who] != task.at  # by a card: follow-ups lapse (A36)
        return swap(state) if moved or not self._open(state, task) else None

    def _open(self, state: Break, task: FollowUp) -> bool:
        who, at, done = task.who, task.at, task.done
        for move in (_SEARCH, *self._picks, *self._places):
            if self._why_not(state, task, move) is None:
                return True
        if not state.hands[who]:
            return False
        return (
            ("bribe" not in done and bool(guards_at(state, at)))
            or ("recruit" not in done and bool(self._recruitable(state, who, at)))
            or ("give" not in done and state.options.trade and bool(self._mates(state, task)))
        )

    def moves(self, state: Break, task: FollowUp, seat: int) -> Sequence[Move]:
        who = task.who
        every: list[Move] = [_SEARCH, *self._picks, *self._places]
        if state.hands[who]:
            every += self._recruits
            every += self._bribes
            if state.options.trade:
                held = dict.fromkeys(state.hands[who])
                mates = [self.box.people[mate] for mate in self._mates(state, task)]
                every += [Give(kind, mate) for kind in held for mate in mates]
        moves = [move for move in every if self._why_not(state, task, move) is None]
        if state.kept[who]:
            moves += cards.uses_kept(self.box, state, who)
        return [*moves, _DONE]

    def _why_not(self, state: Break, task: FollowUp, move: Move) -> str | None:
        name, why_not, _ = self._acts[type(move)]
        return "done_already" if name in task.done else why_not(state, task, move)

    def play(self, state: Break, task: FollowUp, move: Move, seat: int) -> Break:
        if isinstance(move, Done):
            return swap(state)
        if isinstance(move, UseCard):
            if code := cards.why_not_use(self.box, state, task.who, move):
                raise self.no(code)
            return cards.use(self.box, state, task.who, move)
        if isinstance(move, Mark):
            spent = len(state.route) == self.box.counts.escape_tokens
            raise self.no("no_escape_tokens" if spent else "not_on_the_way")
        if type(move) not in self._acts:
            raise self.no("follow_up_awaited")
        if code := self._why_not(state, task, move):
            raise self.no(code, **self._about(state, move))
        name, _, act = self._acts[type(move)]
        done = FollowUp(task.who, task.at, tuple(sorted((*task.done, name))))
        return act(swap(state, done), task, move)

    def _about(self, state: Break, move: Move) -> dict[str, Any]:
        """What a refusal speaks of."""
        if isinstance(move, Recruit) and self.box.person.get(move.external) in EXTERNALS:
            return {"object": self.box.name(self._wish(state, self.box.person[move.external]))}
        if isinstance(move, Bribe) and move.guard in self.box.kind:
            return {"object": self.box.name(move.guard)}
        return {}

    # -- search -----------------------------------------------------------------------------------

    def why_not_search(self, state: Break, task: FollowUp, move: Search) -> str | None:
        space = self.box.space_at.get(task.at)
        return "nothing_to_search" if space is None or not state.ground[space] else None

    def _search(self, state: Break, task: FollowUp, move: Search) -> Break:
        space = self.box.space_at[task.at]
        return cards.looked_at(push(state, Looking(task.who, space)), task.who, space)

    # -- tools ------------------------------------------------------------------------------------

    def why_not_pick_up(self, state: Break, task: FollowUp, move: PickUp) -> str | None:
        tool = self._tool.get(move.tool)
        if tool is None:
            return "no_such_tool"
        if state.tools[tool] != NOBODY or state.broken[tool]:
            return "tool_gone"
        if self.box.tool_spaces[tool] != task.at:
            return "tool_elsewhere"
        return "tools_phase_2" if state.phase == 1 and not state.options.tools_in_phase1 else None

    def _pick_up(self, state: Break, task: FollowUp, move: PickUp) -> Break:
        return replace(state, tools=put(state.tools, self._tool[move.tool], task.who))

    def why_not_place(self, state: Break, task: FollowUp, move: PlaceTool) -> str | None:
        tool = self._tool.get(move.tool)
        if tool is None:
            return "no_such_tool"
        if state.tools[tool] != task.who:
            return "tool_not_carried"
        if state.phase == 1:
            return "placing_phase_2"
        number = self._device(tool, task.at)
        if not number:
            other = self._device(1 - tool, task.at)
            return f"needs_{DEVICES[1 - tool]}_tool" if other else "no_device_here"
        return "device_on" if state.lit[tool] == number else None

    def _device(self, device: int, square: int) -> int:
        """The number of the camera or tower that is reached from this square, or 0."""
        sites = self.board.camera_of if device == CAMERA else self.board.tower_of
        return sites.get(square, 0)

    def _place(self, state: Break, task: FollowUp, move: PlaceTool) -> Break:
        tool = self._tool[move.tool]
        return replace(
            state,
            tools=put(state.tools, tool, NOBODY),
            broken=put(state.broken, tool, self._device(tool, task.at)),
        )

    # -- people -----------------------------------------------------------------------------------

    def _wish(self, state: Break, external: int) -> str:
        return self.box.wants[external][state.wish - 1]

    def _recruitable(self, state: Break, who: int, at: int) -> list[int]:
        """The externals here whom this member may recruit if he has what they want (A41)."""
        return [
            e
            for e in EXTERNALS
            if state.phase == 1
            and state.where[e] == at
            and e not in state.team
            and (e in state.wanted or who == SCOFIELD)
        ]

    def why_not_recruit(self, state: Break, task: FollowUp, move: Recruit) -> str | None:
        external = self.box.person.get(move.external)
        if external not in EXTERNALS:
            return "no_such_external"
        assert external is not None
        if state.phase == 2:
            return "recruit_phase_1"
        if external in state.team:
            return "already_recruited"
        if state.where[external] != task.at:
            return "external_elsewhere"
        if external not in self._recruitable(state, task.who, task.at):
            return "third_external"
        return None if state.has(task.who, self._wish(state, external)) else "external_wants"

    def _recruit(self, state: Break, task: FollowUp, move: Recruit) -> Break:
        external = self.box.person[move.external]
        state = spend(state, task.who, self._wish(state, external))
        return replace(state, team=tuple(sorted((*state.team, external))))

    def why_not_bribe(self, state: Break, task: FollowUp, move: Bribe) -> str | None:
        if self.box.kind.get(move.guard) not in guards_at(state, task.at):
            return "no_such_guard_here"
        return None if state.has(task.who, move.guard) else "bribe_wants"

    def _bribe(self, state: Break, task: FollowUp, move: Bribe) -> Break:
        return dismiss(spend(state, task.who, move.guard), task.at, self.box.kind[move.guard])

    def _mates(self, state: Break, task: FollowUp) -> list[int]:
        """Team members on the same square with room for another object."""
        most = state.options.objects_per_player
        here = [w for w in state.team if w != task.who and state.where[w] == task.at]
        return [mate for mate in here if len(state.hands[mate]) < most]

    def why_not_give(self, state: Break, task: FollowUp, move: Give) -> str | None:
        if not state.options.trade:
            return "no_trade"
        if self.box.person.get(move.to) not in self._mates(state, task):
            return "nobody_to_take_it"
        return None if move.object in state.hands[task.who] else "object_not_held"

    def _give(self, state: Break, task: FollowUp, move: Give) -> Break:
        to = self.box.person[move.to]
        hands = put(state.hands, task.who, without(state.hands[task.who], move.object))
        hands = put(hands, to, tuple(sorted((*hands[to], move.object))))
        return replace(state, hands=hands)


class LookingRule(Rule[Looking]):
    """R29–R31: keep the token, put it back, or throw a blank away."""

    def moves(self, state: Break, task: Looking, seat: int) -> Sequence[Move]:
        every: list[Move] = [_TAKE, _LEAVE, _THROW]
        every += [Take(kind) for kind in dict.fromkeys(state.hands[task.who])]
        return [move for move in every if self._why_not(state, task, move) is None]

    def _why_not(self, state: Break, task: Looking, move: Move) -> str | None:
        token = state.ground[task.space]
        if isinstance(move, ThrowAway):
            blank = holds(state.bag, BLANK) if token == UNKNOWN else token == BLANK
            return None if blank else "not_a_blank"
        if not isinstance(move, Take):
            return None
        if token == BLANK:
            return "blank_is_useless"
        hand = state.hands[task.who]
        if len(hand) < state.options.objects_per_player:
            return None if move.leaving is None else "hand_not_full"
        if move.leaving is None:
            return "hand_full"
        return None if move.leaving in hand else "object_not_held"

    def play(self, state: Break, task: Looking, move: Move, seat: int) -> Break:
        if not isinstance(move, Take | Leave | ThrowAway):
            raise self.no("take_or_leave")
        if code := self._why_not(state, task, move):
            raise self.no(code)
        if isinstance(move, Leave):
            return swap(state)
        who, space, token = task.who, task.space, state.ground[task.space]
        if isinstance(move, ThrowAway):
            state = swap(state, gone=tuple(sorted((*state.gone, BLANK))))
            if token == UNKNOWN:
                state = replace(state, bag=state.bag.take(BLANK))
            return self._lay(state, space, "", 0)
        hand = (*state.hands[who], token)
        if move.leaving is None:
            state = self._lay(swap(state), space, "", 0)
        else:
            hand = without(hand, move.leaving)
            knows = 1 << state.seat_of(who) if state.house else 0  # A33
            state = self._lay(swap(state), space, move.leaving, knows)
        return replace(state, hands=put(state.hands, who, tuple(sorted(hand))))

    @staticmethod
    def _lay(state: Break, space: int, token: str, seen: int) -> Break:
        return replace(
            state, ground=put(state.ground, space, token), seen=put(state.seen, space, seen)
        )

"""A turn of the prisoners: a harmful action and an escape action (R21–R28), and the days."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from game_logic.core import Illegal, Move
from game_logic.prison_break import cards
from game_logic.prison_break.board import TOWER, bits
from game_logic.prison_break.box import Box
from game_logic.prison_break.crowd import blame, full, move_to, spend, watched
from game_logic.prison_break.moves import (
    AddGuard,
    Bribe,
    Declare,
    DrawCard,
    Give,
    LoseObject,
    LowerGuilt,
    PickUp,
    PlaceTool,
    RaiseGuilt,
    Recruit,
    Search,
    UseCard,
    Walk,
)
from game_logic.prison_break.rule import Rule
from game_logic.prison_break.state import (
    EXTERNALS,
    LEADERS,
    LINCOLN,
    SCOFIELD,
    BellickTurn,
    Break,
    FollowUp,
    GuardRoll,
    Marking,
    Turn,
    Voting,
    Wrap,
    push,
    put,
    swap,
)

_DECLARE, _DRAW, _ADD_GUARD = Declare(), DrawCard(), AddGuard()
_RAISE, _LOWER = RaiseGuilt(), LowerGuilt()


def next_turn(state: Break) -> Break:
    """Whose turn it is now (A13); after the last of the day the countdown moves (R20, A6)."""
    seats = len(state.seats)
    slot, day, skips = state.slot, state.day, state.skips
    while True:
        slot += 1
        if slot > seats + len(EXTERNALS):
            if day == state.options.days:
                return replace(state, skips=skips, slot=slot, over="days")
            slot, day = 0, day + 1
        if slot < seats:
            seat = (state.scofield + slot) % seats
            if seat == state.bellick:
                return push(state, BellickTurn(), day=day, slot=slot, skips=skips)
            who = state.cast[seat]
        else:
            who = LINCOLN if slot == seats + len(EXTERNALS) else EXTERNALS[slot - seats]
            if who not in state.team:
                continue
        if not skips[who]:
            turn = Turn(who, harm=who in LEADERS)
            return push(state, turn, day=day, slot=slot, skips=skips)
        skips = put(skips, who, skips[who] - 1)  # A34


class TurnRule(Rule[Turn]):
    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._walks = lru_cache(maxsize=1 << 14)(self._list_walks)

    def skip(self, state: Break, task: Turn) -> Break | None:
        return None if task.harm or task.escapes else swap(state)

    def moves(self, state: Break, task: Turn, seat: int) -> Sequence[Move]:
        who = task.who
        moves: list[Move] = []
        if self._why_not_declare(state, task) is None:
            moves.append(_DECLARE)
        if task.harm:
            moves += (_DRAW, _RAISE)
            if any(state.spare):
                moves.append(_ADD_GUARD)
            if state.hands[who]:
                moves += [LoseObject(k) for k in self.box.kinds if state.has(who, k)]
        if self._why_not_escape(state, task) is None:
            moves.append(_LOWER)
            moves += self._stops(state, task)
        return moves + cards.uses_kept(self.box, state, who) if state.kept[who] else moves

    def play(self, state: Break, task: Turn, move: Move, seat: int) -> Break:
        who = task.who
        match move:
            case DrawCard() | AddGuard() | RaiseGuilt() | LoseObject():
                if not task.harm:
                    raise self.no("harm_done" if who in LEADERS else "externals_do_no_harm")
                after = replace(task, harm=False, fresh=False)
                return self._harm(swap(state, Wrap(who), after), who, move)
            case LowerGuilt() | Walk():
                if code := self._why_not_escape(state, task):
                    raise self.no(code)
                if isinstance(move, Walk):
                    return self._walk(state, task, move)
                after = replace(task, escapes=task.escapes - 1, fresh=False)
                return blame(swap(state, Wrap(who), after), -1)
            case UseCard():
                if code := cards.why_not_use(self.box, state, who, move):
                    raise self.no(code)
                state = swap(state, replace(task, fresh=False))
                return cards.use(self.box, state, who, move)
            case Declare():
                if code := self._why_not_declare(state, task):
                    raise self.no(code)
                votes = (-1,) * len(state.seats)
                return swap(state, Voting(), replace(task, fresh=False), votes=votes)
            case Search() | PickUp() | PlaceTool() | Recruit() | Bribe() | Give():
                raise self.no("walk_first")
        raise self.no("not_now")

    # -- the harmful action -----------------------------------------------------------------------

    def _harm(self, state: Break, who: int, move: Move) -> Break:
        match move:
            case DrawCard():
                return cards.draw(state, who)
            case RaiseGuilt():
                return blame(state, 1)
            case LoseObject(kind):
                if not state.has(who, kind):
                    raise self.no("object_not_held")
                return spend(state, who, kind)
        if not any(state.spare):
            raise self.no("no_guards_left")
        return push(state, GuardRoll(who))

    # -- the escape action ------------------------------------------------------------------------

    def _why_not_escape(self, state: Break, task: Turn) -> str | None:
        if task.harm and state.options.order == "harmful_first":
            return "harm_first"
        return None if task.escapes else "escape_done"

    def _closed(self, state: Break) -> int:
        """Where the team may not walk (R46, A40)."""
        closed = watched(self.box, state)
        return closed | self.board.white if self._active(state) == "riot" else closed

    def _active(self, state: Break) -> str:
        return self.box.cards[state.active].effect if state.active else ""

    def _most(self, state: Break, task: Turn) -> int:
        """How many squares he may go (R27, A40)."""
        most = max(state.options.max_move, task.short_cut)
        if self._active(state) == "lockdown":
            most = min(most, self.box.cards[state.active].n)
        return most

    def _reach(self, state: Break, task: Turn) -> tuple[int, int, int, int]:
        """The walk's start, the closed squares, the fewest and the most steps."""
        start = state.where[task.who]
        return start, self._closed(state), state.options.min_move, self._most(state, task)

    def _gates(self, state: Break, start: int) -> tuple[int, ...]:
        """A22: locked in by the light, one may be let out through the zone's nearest gate."""
        lit = state.lit[TOWER]
        if state.options.lit_exit != "zone_gate" or not lit or self.board.zone_of[start]:
            return ()
        return self.board.way_out(start, lit)

    def _list_walks(
        self, start: int, closed: int, least: int, most: int
    ) -> tuple[tuple[int, Walk], ...]:
        squares = bits(self.board.reach(start, closed, least, most))
        return tuple((1 << to, Walk(self.board.squares[to])) for to in squares)

    def _stops(self, state: Break, task: Turn) -> list[Walk]:
        taken = full(state, but=task.who)
        reach = self._reach(state, task)
        walks = [walk for bit, walk in self._walks(*reach) if not bit & taken]
        gates = [to for to in self._gates(state, reach[0]) if not taken >> to & 1]
        return walks + [Walk(self.board.squares[to]) for to in gates]

    def _walk(self, state: Break, task: Turn, move: Walk) -> Break:
        who, to = task.who, self.board.index.get(move.to)
        if to is None:
            raise self.no("no_such_square", square=move.to)
        reach = self._reach(state, task)
        by_gate = to in self._gates(state, reach[0])
        if not by_gate and not self.board.reach(*reach) >> to & 1:
            raise self._why_no_walk(state, task, to)
        if full(state, but=who) >> to & 1:
            raise self.no("square_full")
        after = replace(task, escapes=task.escapes - 1, fresh=False, short_cut=0)
        marking = () if by_gate else self._marking(state, who, to, reach)
        state = move_to(swap(state, FollowUp(who, to), Wrap(who, to), after), who, to)
        return push(state, *marking)

    def _marking(
        self, state: Break, who: int, to: int, reach: tuple[int, int, int, int]
    ) -> tuple[Marking, ...]:
        """Route tokens are laid while walking, before anything happens at the end of it."""
        if state.phase == 1 or len(state.route) >= self.box.counts.escape_tokens:
            return ()
        start, closed, least, most = reach
        open = (1 << len(self.board.places)) - 1
        for place in state.route:
            open &= ~(1 << place)
        ways = self.board.ways(start, to, closed, least, most, open)
        return (Marking(who, ways),) if ways else ()

    def _why_no_walk(self, state: Break, task: Turn, to: int) -> Illegal:
        """What keeps him from a square that is out of his reach."""
        start, closed, least, most = self._reach(state, task)
        if watched(self.box, state) >> to & 1:
            return self.no("watched")
        if closed >> to & 1:
            return self.no("riot")
        if not self.board.reach(start, closed, 1, 1):
            return self.no("locked_in")
        if most < state.options.max_move:
            return self.no("lockdown", most=most)
        if self.board.reach(start, 0, least, most) >> to & 1:
            return self.no("way_watched")
        return self.no("too_far", most=most)

    def _why_not_declare(self, state: Break, task: Turn) -> str | None:
        if task.who != SCOFIELD:
            return "only_scofield_declares"
        if state.phase != 1:
            return "already_declared"
        if any(who not in state.team for who in state.wanted):
            return "team_incomplete"
        return None if task.fresh else "declare_at_start"

"""Guards: where they come, whom they meet, and Sergeant Bellick who moves them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break import cards
from game_logic.prison_break.board import DEVICES, Board, bits
from game_logic.prison_break.box import Box
from game_logic.prison_break.crowd import blame, dismiss, full, guarded, met, spend
from game_logic.prison_break.moves import (
    Bribe,
    DrawCard,
    LoseObject,
    LoseTurn,
    Patrol,
    PlaceGuard,
    RaiseGuilt,
    SwitchOn,
    UseCard,
)
from game_logic.prison_break.rule import Roll, Rule
from game_logic.prison_break.state import (
    BELLICK,
    BellickTurn,
    Break,
    Contact,
    GuardPlacing,
    GuardRoll,
    push,
    put,
    swap,
    without,
)
from game_logic.prison_break.watch import switch_on, why_not_lit

_PENALTIES = (DrawCard(), RaiseGuilt(), LoseTurn())
_WHITE_ROOMS = 6  # the face of the die


def area(board: Board, face: int) -> int:
    """Where this face of the die sends a guard (R23)."""
    return board.white if face == _WHITE_ROOMS else board.zones[face]


def free(state: Break) -> int:
    """Where a guard may be put or stop (R28, A35)."""
    return ~(full(state) | guarded(state))


class GuardRollRule(Roll[GuardRoll]):
    def skip(self, state: Break, task: GuardRoll) -> Break | None:
        room = (self.board.outdoors | self.board.white) & free(state)
        return None if room and any(state.spare) else swap(state)

    def rolled(self, state: Break, task: GuardRoll, face: int) -> Break:
        if not area(self.board, face) & free(state):  # A12
            return swap(state, GuardRoll(task.who, task.tries + 1))
        return swap(state, GuardPlacing(task.who, face))


class GuardPlacingRule(Rule[GuardPlacing]):
    def moves(self, state: Break, task: GuardPlacing, seat: int) -> Sequence[Move]:
        squares = [self.board.squares[n] for n in bits(area(self.board, task.face) & free(state))]
        kinds = [kind for kind, left in zip(self.box.kinds, state.spare, strict=True) if left]
        return [PlaceGuard(kind, square) for kind in kinds for square in squares]

    def play(self, state: Break, task: GuardPlacing, move: Move, seat: int) -> Break:
        if not isinstance(move, PlaceGuard):
            raise self.no("place_the_guard")
        logo, at = self.box.kind.get(move.guard), self.board.index.get(move.at)
        if logo is None:
            raise self.no("no_such_guard", guard=move.guard)
        if at is None:
            raise self.no("no_such_square", square=move.at)
        if not state.spare[logo]:
            raise self.no("no_such_guard_left", guard=self.box.name(f"guard_{move.guard}"))
        if not (area(self.board, task.face) & free(state)) >> at & 1:
            raise self.no(self._why_not_there(state, task.face, at))
        state = swap(
            state,
            guards=tuple(sorted((*state.guards, (at, logo)))),
            spare=put(state.spare, logo, state.spare[logo] - 1),
        )
        if state.options.contact != "always":
            return state
        return push(state, *met(state, at, logo))

    def _why_not_there(self, state: Break, face: int, at: int) -> str:
        if self.board.strategic >> at & 1:
            return "strategic_building"
        if not area(self.board, face) >> at & 1:
            return "not_where_the_die_says"
        return "guard_there" if guarded(state) >> at & 1 else "square_full"


class ContactRule(Rule[Contact]):
    """R45: the member chooses what the meeting costs him."""

    def skip(self, state: Break, task: Contact) -> Break | None:
        return None if (state.where[task.who], task.guard) in state.guards else swap(state)

    def moves(self, state: Break, task: Contact, seat: int) -> Sequence[Move]:
        who, kind = task.who, self.box.kinds[task.guard]
        moves: list[Move] = [*_PENALTIES]
        if state.hands[who]:
            moves += [LoseObject(k) for k in self.box.kinds if state.has(who, k)]
            if state.has(who, kind):
                moves.append(Bribe(kind))
        if state.kept[who]:
            moves += [u for u in self._uses(kind) if self._why_not_use(state, task, u) is None]
        return moves

    def _uses(self, kind: str) -> list[UseCard]:
        by_effect = {"favour": kind, "diversion": None}
        return [
            UseCard(card, by_effect[effect])
            for card in self.box.chances
            if (effect := self.box.cards[card].effect) in by_effect
        ]

    def _why_not_use(self, state: Break, task: Contact, move: UseCard) -> str | None:
        if move not in self._uses(self.box.kinds[task.guard]):
            return "not_on_contact"
        return None if state.keeps(task.who, move.card) else "card_not_kept"

    def play(self, state: Break, task: Contact, move: Move, seat: int) -> Break:
        who = task.who
        match move:
            case DrawCard():
                return cards.draw(swap(state), who)
            case RaiseGuilt():
                return blame(swap(state), 1)
            case LoseTurn():
                return swap(state, skips=put(state.skips, who, state.skips[who] + 1))
            case LoseObject(kind):
                if not state.has(who, kind):
                    raise self.no("object_not_held")
                return spend(swap(state), who, kind)
            case Bribe(kind):
                if kind != self.box.kinds[task.guard]:
                    raise self.no("no_such_guard_here")
                if not state.has(who, kind):
                    raise self.no("bribe_wants", object=self.box.name(kind))
                return dismiss(spend(swap(state), who, kind), state.where[who], task.guard)
            case UseCard():
                if code := self._why_not_use(state, task, move):
                    raise self.no(code)
                state = cards.laid_down(swap(state), who, move.card)
                if move.guard is None:
                    return state
                return dismiss(state, state.where[who], task.guard)
        raise self.no("contact_first")


class BellickRule(Rule[BellickTurn]):
    """R44: a card, a guard, or a light."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._patrols = lru_cache(maxsize=1 << 13)(self._list_patrols)
        self._lights = {
            SwitchOn(f"{kind}_{n}"): (device, n)
            for device, kind in enumerate(DEVICES)
            for n in range(1, len(box.board.watched[device]))
        }

    def actors(self, state: Break, task: BellickTurn) -> tuple[int, ...]:
        return (state.bellick,)

    def moves(self, state: Break, task: BellickTurn, seat: int) -> Sequence[Move]:
        closed, most = self._closed(state), state.options.guard_move
        room = free(state)
        moves: list[Move] = [_PENALTIES[0]]
        moves += [
            move for move, light in self._lights.items() if why_not_lit(state, *light) is None
        ]
        for at, logo in dict.fromkeys(state.guards):
            moves += [p for bit, p in self._patrols(at, logo, closed, most) if bit & room]
        return moves

    def _closed(self, state: Break) -> int:
        return 0 if state.options.guards_in_strategic else self.board.strategic

    def _reach(self, at: int, closed: int, most: int) -> int:
        """A guard must move (A45): going round and back to his own square is no move."""
        return self.board.reach(at, closed, 1, most) & ~(1 << at)

    def _list_patrols(
        self, at: int, logo: int, closed: int, most: int
    ) -> tuple[tuple[int, Patrol], ...]:
        kind, squares = self.box.kinds[logo], self.board.squares
        return tuple(
            (1 << to, Patrol(kind, squares[at], squares[to]))
            for to in bits(self._reach(at, closed, most))
        )

    def play(self, state: Break, task: BellickTurn, move: Move, seat: int) -> Break:
        if isinstance(move, Patrol):
            return self._patrol(state, move)
        if isinstance(move, SwitchOn):
            light = self._lights.get(move)
            if light is None:
                raise self.no("no_such_device", device=move.device)
            if code := why_not_lit(state, *light):
                raise self.no(code)
            return switch_on(self.box, swap(state), *light, by_card=False)
        if isinstance(move, DrawCard):
            return cards.draw(swap(state), BELLICK)
        raise self.no("bellick_turn")

    def _patrol(self, state: Break, move: Patrol) -> Break:
        logo = self.box.kind.get(move.guard)
        origin, to = self.board.index.get(move.origin), self.board.index.get(move.to)
        if origin is None or to is None:
            raise self.no("no_such_square", square=move.to if to is None else move.origin)
        if logo is None or (origin, logo) not in state.guards:
            raise self.no("no_such_guard_there")
        bit, closed = 1 << to, self._closed(state)
        if closed & bit:
            raise self.no("guards_stay_out")
        if not self._reach(origin, closed, state.options.guard_move) & bit:
            raise self.no("guard_too_far", most=state.options.guard_move)
        if guarded(state) & bit:
            raise self.no("guard_there")
        if full(state) & bit:
            raise self.no("square_full")
        guards = (*without(state.guards, (origin, logo)), (to, logo))
        state = swap(replace(state, guards=tuple(sorted(guards))))
        return push(state, *met(state, to, logo))

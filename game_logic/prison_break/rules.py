"""The rules of Prison Break. R and A numbers are those of docs/rules/prison_break.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.core import (
    CHANCE,
    Attempt,
    Chance,
    Game,
    Image,
    Malformed,
    Move,
    Outcome,
    Piece,
    Text,
    Thing,
    Track,
)
from game_logic.data import Data, DataError, chosen
from game_logic.prison_break import (
    cards,
    guards,
    knowledge,
    plan,
    problems,
    setup,
    stop,
    turn,
    watch,
)
from game_logic.prison_break import table as shown
from game_logic.prison_break.box import Box
from game_logic.prison_break.moves import AnyMove
from game_logic.prison_break.rule import Rule
from game_logic.prison_break.state import (
    Announcing,
    BellickTurn,
    Break,
    CardDraw,
    Casting,
    ChanceCard,
    Claim,
    Contact,
    Expulsion,
    FirstRoll,
    FollowUp,
    GuardPlacing,
    GuardRoll,
    Looking,
    Losing,
    Lot,
    Marking,
    Naming,
    Options,
    Planning,
    Refuge,
    Surrender,
    TieBreak,
    Tip,
    Turn,
    Voting,
    Warned,
    WishRoll,
    Wrap,
    push,
)
from game_logic.prison_break.warning import WarnedRule, final
from game_logic.prison_break.words import Words

_RULES: dict[type[Any], type[Rule[Any]]] = {
    FirstRoll: setup.FirstRollRule,
    Casting: setup.CastingRule,
    Planning: setup.PlanningRule,
    Announcing: setup.AnnouncingRule,
    WishRoll: setup.WishRollRule,
    Turn: turn.TurnRule,
    Marking: stop.MarkingRule,
    FollowUp: stop.FollowUpRule,
    Looking: stop.LookingRule,
    Wrap: plan.WrapRule,
    Claim: plan.ClaimRule,
    Voting: plan.VotingRule,
    TieBreak: plan.TieBreakRule,
    Surrender: plan.SurrenderRule,
    CardDraw: cards.CardDrawRule,
    ChanceCard: cards.ChanceCardRule,
    Naming: cards.NamingRule,
    Losing: cards.LosingRule,
    Tip: cards.TipRule,
    Lot: cards.LotRule,
    GuardRoll: guards.GuardRollRule,
    GuardPlacing: guards.GuardPlacingRule,
    Contact: guards.ContactRule,
    BellickTurn: guards.BellickRule,
    Expulsion: watch.ExpulsionRule,
    Refuge: watch.RefugeRule,
}


_REASONS = {"escaped": "escaped", "guilt": "culpability", "days": "days"}


class PrisonBreak(Game[Break]):
    id = "prison_break"
    seats = (3, 4)
    version = 1
    state_type = Break
    move_type = AnyMove

    def __init__(self, deck: Mapping[str, str]) -> None:
        data = Data(self.id, deck)
        self.digest = data.digest
        self.options = data.options()
        self.box = Box(data)
        self._words = Words(self.box)
        self.title = self.box.texts("title")
        self._rules: dict[type[Any], Rule[Any]] = {
            task: rule(self.box) for task, rule in _RULES.items()
        }
        self._rules[Warned] = WarnedRule(self.box, self._rules)
        try:
            chosen(self.options, None, Options)
        except Malformed as error:
            raise DataError("prison_break/options.toml", str(error)) from None

    # -- play -------------------------------------------------------------------------------------

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Break:
        if not 3 <= len(seats) <= 4:
            raise Malformed(f"Prison Break is for 3 or 4 players, not {len(seats)}")
        return setup.start(self.box, tuple(seats), chosen(self.options, options, Options))

    def to_act(self, state: Break) -> tuple[int, ...]:
        if not state.todo:
            return ()
        task = state.todo[-1]
        return self._rules[type(task)].actors(state, task)

    def moves(self, state: Break, seat: int | None = None) -> tuple[Move, ...]:
        actors = self.to_act(state)
        if not actors or (seat is not None and seat not in actors):
            return ()
        task = state.todo[-1]
        rule = self._rules[type(task)]
        return tuple(rule.moves(state, task, actors[0] if seat is None else seat))

    def play(self, state: Break, move: Move, seat: int | None = None) -> Break:
        actors = self.to_act(state)
        if not actors:
            raise self.box.no("over")
        if seat is None:
            seat = actors[0]
        elif seat not in actors:
            raise self.box.no("not_your_turn")
        task = state.todo[-1]
        after = self._rules[type(task)].play(state, task, move, seat)
        if final(move, self.box, state):
            return push(state, Warned(move))
        return self._settle(after)

    def _settle(self, state: Break) -> Break:
        """Do what needs nobody, until somebody is to act or the game is over."""
        while not state.over:
            if state.todo:
                task = state.todo[-1]
                after = self._rules[type(task)].skip(state, task)
                if after is None:
                    return state
                state = after
            else:
                state = turn.next_turn(state)
        return replace(state, todo=())

    def outcome(self, state: Break) -> Outcome | None:
        if not state.over:
            return None
        winners: tuple[int, ...] = ()
        if state.over == "escaped":
            winners = tuple(s for s in range(len(state.seats)) if s != state.bellick)
        elif state.phase == 2:
            winners = (state.bellick,)
        reason = _REASONS[state.over]
        if state.over != "escaped":  # nobody escapes before the second phase
            reason = f"{reason}_phase_{state.phase}"
        return Outcome(winners, reason, self._words.outcome(state))

    def chance(self, state: Break) -> Chance | None:
        if not state.todo:
            return None
        task = state.todo[-1]
        rule = self._rules[type(task)]
        return rule.chance(state, task) if rule.actors(state, task) == (CHANCE,) else None

    def closes_undo(self, state: Break, move: Move) -> bool:
        return knowledge.closes_undo(state, move)

    def problems(self, state: Break) -> tuple[str, ...]:
        return tuple(problems.found(self.box, state))

    # -- what people may know ---------------------------------------------------------------------

    def view(self, state: Break, seat: int | None) -> dict[str, Any]:
        return knowledge.view(self.box, state, seat)

    def told(self, state: Break, move: Move, by: int, to: int | None) -> Text:
        return self._words.told(state, move, by, to)

    def prompt(self, state: Break, to: int | None) -> Text:
        return self._words.prompt(state, self.to_act(state), to)

    def offered(self, state: Break, move: Move, by: int) -> Text:
        return self._words.offered(state, move, by)

    def secret(self, state: Break, move: Move, by: int) -> bool:
        return knowledge.secret(state, move)

    def hidden(self, state: Break, move: Move, by: int) -> bool:
        return knowledge.hidden(state, move)

    # -- what the table shows ---------------------------------------------------------------------

    def tracks(self, state: Break) -> tuple[Track, ...]:
        return shown.tracks(self.box, state)

    def image(self, state: Break) -> Image:
        return shown.image(self.box, state)

    def spaces(self, state: Break) -> tuple[str, ...]:
        return shown.spaces(self.box)

    def place(self, space: str) -> Text:
        return self._words.place(space)

    def piece(self, piece: Piece) -> Text:
        return self._words.piece(piece)

    def standing(self, state: Break, image: Image) -> Break:
        return shown.standing(self.box, state, image)

    def things(self) -> tuple[Thing, ...]:
        return tuple(self._words.things())

    def signs(self, state: Break, move: Move) -> tuple[str, ...]:
        return shown.signs(self.box, move)

    def attempts(self, state: Break) -> Iterator[Attempt]:
        return shown.attempts(self.box, self, state)

"""The rules of Alcatraz. R, A and X numbers are those of docs/rules/alcatraz.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.alcatraz import blackmail, ending, hands, places, rounds, setup, steps, tasks, trade
from game_logic.alcatraz.box import Box
from game_logic.alcatraz.handling import Handler, changed, moved_guard
from game_logic.alcatraz.moves import CALL_VOTE, AnyMove, Blackmail, Shed, Vote
from game_logic.alcatraz.problems import found
from game_logic.alcatraz.state import Options, Prison
from game_logic.alcatraz.turn import ActingHandler
from game_logic.alcatraz.view import image, seen, spaces, standing, tracks
from game_logic.alcatraz.words import Words
from game_logic.core import (
    CHANCE,
    HOUSE,
    Attempt,
    Chance,
    Deadline,
    Drawn,
    Game,
    Illegal,
    Image,
    Malformed,
    Move,
    Outcome,
    Piece,
    Text,
    Thing,
    Track,
)
from game_logic.data import Data, chosen

_HANDLERS: Mapping[type[steps.Step], type[Handler[Any]]] = {
    steps.Tiles: setup.TilesHandler,
    steps.Faces: setup.FacesHandler,
    steps.Posts: setup.PostsHandler,
    steps.Cells: setup.CellsHandler,
    steps.Lot: setup.LotHandler,
    steps.Card: setup.CardHandler,
    steps.Spot: setup.SpotHandler,
    steps.Guard: setup.GuardHandler,
    steps.Talk: rounds.TalkHandler,
    steps.Ballot: rounds.BallotHandler,
    steps.Tie: rounds.TieHandler,
    steps.Acting: ActingHandler,
    steps.Paying: places.PayingHandler,
    steps.Taking: places.TakingHandler,
    steps.Lifting: places.LiftingHandler,
    steps.Posting: places.PostingHandler,
    steps.Robbing: hands.RobbingHandler,
    steps.Plucking: hands.PluckingHandler,
    steps.Drawing: hands.DrawingHandler,
    steps.Sorting: hands.SortingHandler,
    steps.Shedding: hands.SheddingHandler,
    steps.Naming: tasks.NamingHandler,
    steps.Consent: tasks.ConsentHandler,
    steps.Reward: tasks.RewardHandler,
    steps.Bargain: trade.BargainHandler,
    steps.Answer: trade.AnswerHandler,
    steps.Aiming: blackmail.AimingHandler,
    steps.Seizing: blackmail.SeizingHandler,
    steps.Surrendering: blackmail.SurrenderingHandler,
    steps.Bringing: blackmail.BringingHandler,
    steps.Fate: ending.FateHandler,
}


class Alcatraz(Game[Prison]):
    id = "alcatraz"
    version = 1
    state_type = Prison
    move_type = AnyMove

    def __init__(self, deck: Mapping[str, str]) -> None:
        data = Data(self.id, deck)
        self.box = Box(data)
        self.digest = data.digest
        self.options = data.options()
        self.title = self.box.texts("title")
        self.seats = self.box.settings.players_min, self.box.settings.players_max
        self._steps = {kind: handler(self.box) for kind, handler in _HANDLERS.items()}
        self._acting = ActingHandler(self.box)
        self._words = Words(self.box, self._acting)

    # -- play -----------------------------------------------------------------------------------

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Prison:
        fewest, most = self.seats
        if not fewest <= len(seats) <= most:
            raise Malformed(f"alcatraz is for {fewest} to {most} players, not {len(seats)}")
        return setup.start(self.box, seats, chosen(self.options, options, Options))

    def to_act(self, state: Prison) -> tuple[int, ...]:
        step = state.step
        if isinstance(step, steps.Over):
            return ()
        return self._steps[type(step)].who(state, step)

    def moves(self, state: Prison, seat: int | None = None) -> tuple[Move, ...]:
        actors = self.to_act(state)
        if seat is None and actors:
            seat = actors[0]
        if seat is None or seat not in actors:
            return ()
        step = state.step
        return tuple(self._steps[type(step)].moves(state, step, seat))

    def play(self, state: Prison, move: Move, seat: int | None = None) -> Prison:
        step = state.step
        if isinstance(step, steps.Over):
            raise self._refused(state, move, "game_over")
        handler = self._steps[type(step)]
        actors = handler.who(state, step)
        if seat is None:
            seat = actors[0]
        elif seat == HOUSE and self.deadline(state) is not None:
            seat = state.scapegoat  # the two minutes are over (R18)
        elif seat not in actors:
            raise self._refused(state, move, "not_your_turn")
        if not handler.legal(state, step, move, seat):
            raise self._refused(state, move, handler.explain(state, step, move, seat))
        return handler.after(state, step, move, seat)

    def _refused(self, state: Prison, move: Move, code: str) -> Illegal:
        return Illegal(code, self._words.refusal(state, move, code))

    def outcome(self, state: Prison) -> Outcome | None:
        step = state.step
        if not isinstance(step, steps.Over):
            return None
        scores = tuple(len(prisoner.parts) for prisoner in state.prisoners)
        text = self._words.outcome(state, step)
        if step.stays is None:
            return Outcome((), "last_guard", text, scores)
        winners = tuple(seat for seat in range(len(state.seats)) if seat != step.stays)
        return Outcome(winners, "escaped", text, scores)

    def chance(self, state: Prison) -> Chance | None:
        step = state.step
        if isinstance(step, steps.Over):
            return None
        return self._steps[type(step)].chance(state, step)

    def deadline(self, state: Prison) -> Deadline | None:
        seconds = state.options.talk_seconds
        if not seconds or not isinstance(state.step, steps.Talk):
            return None
        return Deadline(f"talk_{state.round}", float(seconds), CALL_VOTE)

    def closes_undo(self, state: Prison, move: Move) -> bool:
        """Cards laid open and votes; at the table also cards that only one player looked at."""
        step, table = state.step, state.options.secrets == "table"
        if isinstance(move, Vote) and isinstance(step, steps.Ballot):
            cast = sum(vote is not None for vote in step.votes)
            # At the table all fists have opened before the first cube is entered.
            return cast == 0 if table else cast >= len(self.to_act(state)) - 1
        if isinstance(move, Drawn | Blackmail | Shed):
            return True
        return table and _held(self.play(state, move)) != _held(state)

    def problems(self, state: Prison) -> tuple[str, ...]:
        return tuple(found(self.box, state))

    # -- what people may know -------------------------------------------------------------------

    def view(self, state: Prison, seat: int | None) -> dict[str, Any]:
        return seen(self.box, state, seat)

    def told(self, state: Prison, move: Move, by: int, to: int | None) -> Text:
        after = self.play(state, move, by)
        return self._words.told(state, move, by, after, self._knows(state, move, by, to))

    def _knows(self, state: Prison, move: Move, by: int, to: int | None) -> bool:
        """May `to` read what the move says?"""
        if by == CHANCE:
            chance = self.chance(state)
            return chance is None or chance.sees is None or to in chance.sees
        return to == by or not (isinstance(move, Vote) and self.secret(state, move, by))

    def prompt(self, state: Prison, to: int | None) -> Text:
        return self._words.prompt(state, self.to_act(state))

    def offered(self, state: Prison, move: Move, by: int) -> Text:
        return self._words.offered(state, move)

    def secret(self, state: Prison, move: Move, by: int) -> bool:
        """Votes, private draws, and menu entries that name a card of the hand."""
        if state.options.secrets == "table":
            return False
        if by == CHANCE:
            chance = self.chance(state)
            return chance is not None and chance.sees is not None
        return isinstance(move, Vote | Blackmail | Shed)

    # -- what the table shows -------------------------------------------------------------------

    def tracks(self, state: Prison) -> tuple[Track, ...]:
        return tracks(self.box, state)

    def image(self, state: Prison) -> Image:
        return image(self.box, state)

    def spaces(self, state: Prison) -> tuple[str, ...]:
        return spaces(self.box, state)

    def place(self, space: str) -> Text:
        return self._words.place(space)

    def piece(self, piece: Piece) -> Text:
        return self._words.piece(piece)

    def seat_name(self, seat: int) -> Text:
        return self._words.seat_name(seat)

    def standing(self, state: Prison, image: Image) -> Prison:
        return standing(self.box, state, image)

    def things(self) -> tuple[Thing, ...]:
        return tuple(self._words.things())

    def signs(self, state: Prison, move: Move) -> tuple[str, ...]:
        if isinstance(move, Drawn):
            chance = self.chance(state)
            open_ = chance is not None and chance.kind == "draw" and chance.sees is None
            return (f"card:{move.card}",) if open_ else ()
        return (f"card:{move.card}",) if isinstance(move, Blackmail | Shed) else ()

    def attempts(self, state: Prison) -> Iterator[Attempt]:
        """A pawn set where it may not go, a guard fetched that may not come."""
        if not isinstance(state.step, steps.Acting):
            return
        seat, here, ready = state.turn.seat, state.here, self.box.ready
        legal = set(self.moves(state, seat))
        for place in range(len(self.box.places)):
            walk, riot = ready.walk[place], ready.riot[place]
            if place != here and walk not in legal:
                yield Attempt(seat, walk, image(self.box, changed(state, seat, place=place)))
            if place != here and riot not in legal and state.guards[place]:
                fetched = replace(state, guards=moved_guard(state.guards, place, here))
                yield Attempt(seat, riot, image(self.box, fetched))


def _held(state: Prison) -> tuple[int, ...]:
    """How many blackmail cards lie where."""
    return len(state.blackmail), *(len(prisoner.cards) for prisoner in state.prisoners)

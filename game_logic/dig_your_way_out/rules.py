"""Dig Your Way Out: the game, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from game_logic.core import (
    CHANCE,
    Attempt,
    Chance,
    Drawn,
    Game,
    Illegal,
    Image,
    Malformed,
    Move,
    Outcome,
    Piece,
    Rolled,
    Text,
    Thing,
    Track,
)
from game_logic.data import Data, chosen
from game_logic.dig_your_way_out import (
    errands,
    michel,
    moves,
    people,
    racket,
    setup,
    tasks,
    team,
    turn,
    views,
    walking,
    words,
)
from game_logic.dig_your_way_out.check import problems
from game_logic.dig_your_way_out.load import load
from game_logic.dig_your_way_out.now import Now
from game_logic.dig_your_way_out.refusals import Code
from game_logic.dig_your_way_out.state import Blackgate, Options
from game_logic.dig_your_way_out.steps import Steps, settled

STEPS: Steps = {
    tasks.PickFirst: setup.PickFirstStep(),
    tasks.DealPassive: setup.DealPassiveStep(),
    tasks.Trim: setup.TrimStep(),
    tasks.NextTurn: setup.NextTurnStep(),
    tasks.Draw: errands.DrawStep(),
    tasks.Shed: errands.ShedStep(),
    tasks.Tidy: errands.TidyStep(),
    tasks.Lose: errands.LoseStep(),
    tasks.Take: people.TakeStep(),
    tasks.Redeal: errands.RedealStep(),
    tasks.Tribute: errands.TributeStep(),
    tasks.DrawGang: errands.DrawGangStep(),
    tasks.Sale: errands.SaleStep(),
    tasks.Purchase: errands.PurchaseStep(),
    tasks.DigAgain: errands.DigAgainStep(),
    tasks.Trade: team.TradeStep(),
    tasks.RollDie: walking.RollDieStep(),
    tasks.Steer: walking.SteerStep(),
    tasks.PickPlace: walking.PickPlaceStep(),
    tasks.PickTarget: people.PickTargetStep(),
    tasks.Inform: people.InformStep(),
    tasks.Riot: people.RiotStep(),
    tasks.Blow: people.BlowStep(),
    tasks.Extortion: racket.ExtortionStep(),
    tasks.Loot: racket.LootStep(),
    tasks.Won: racket.WonStep(),
    tasks.Shakedown: michel.ShakedownStep(),
    tasks.Forfeit: michel.ForfeitStep(),
}

_ALONE = {seat: (seat,) for seat in (CHANCE, *range(6))}


def asked(state: Blackgate) -> int:
    """Who has to act while the game goes on."""
    return state.todo[-1].asks if state.todo else state.turn.seat


_FROM_THE_HAND = (
    *(moves.Reveal, moves.PlayCard, moves.Craft, moves.Join, moves.Sell, moves.Racket),
    *(moves.Discard, moves.Dig, moves.PlayWeapon, moves.Cooperate, moves.Return),
    *(moves.TakeCard, moves.Give),
)


class DigYourWayOut(Game[Blackgate]):
    id = "dig_your_way_out"
    title = Text("Dig Your Way Out", "Dig Your Way Out")
    seats = (2, 6)
    version = 1
    state_type = Blackgate
    move_type = moves.AnyMove

    def __init__(self, deck: Mapping[str, str]) -> None:
        data = Data(self.id, deck)
        self.digest = data.digest
        self.options = data.options()
        self.box = load(data)

    # -- play -----------------------------------------------------------------------------------

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Blackgate:
        fewest, most = self.seats
        if not fewest <= len(seats) <= most:
            raise Malformed(f"{self.id} is for {fewest} to {most} players, not {len(seats)}")
        state = setup.start(self.box, seats, chosen(self.options, options, Options))
        return settled(STEPS, self.box, state)

    def to_act(self, state: Blackgate) -> tuple[int, ...]:
        return () if state.end else _ALONE[asked(state)]

    def moves(self, state: Blackgate, seat: int | None = None) -> tuple[Move, ...]:
        if state.end:
            return ()
        actor = asked(state)
        if seat is not None and seat != actor:
            return ()
        if actor == CHANCE:
            return tuple(move for part in self._chance(state).parts for move, _ in part.odds)
        now = Now(self.box, state, actor)
        if not state.todo:
            return tuple(turn.legal(now))
        task = state.todo[-1]
        step = STEPS[type(task)]
        return tuple([m for m in step.options(now, task) if step.refusal(now, task, m) is None])

    def play(self, state: Blackgate, move: Move, seat: int | None = None) -> Blackgate:
        actor = asked(state)
        if state.end:
            raise self._illegal("game_over", state, move, seat)
        if seat is not None and seat != actor:
            raise self._illegal("not_your_turn", state, move, seat)
        if actor == CHANCE:
            task = state.todo[-1]
            after = None
            if isinstance(move, Rolled | Drawn):
                after = STEPS[type(task)].luck(self.box, state, task, move)
            if after is None:
                raise self._illegal("no_such_card", state, move, seat)
        else:
            now = Now(self.box, state, actor)
            if state.todo:
                task = state.todo[-1]
                step = STEPS[type(task)]
                takes = type(move) in step.takes
                why: Code | None = step.refusal(now, task, move) if takes else "not_now"
                if why is not None:
                    raise self._illegal(why, state, move, seat)
                after = step.do(now, task, move)
            else:
                why = turn.refusal(now, move)
                if why is not None:
                    raise self._illegal(why, state, move, seat)
                after = turn.do(now, move)
        return settled(STEPS, self.box, after)

    def outcome(self, state: Blackgate) -> Outcome | None:
        return words.outcome(self.box, state) if state.end else None

    def chance(self, state: Blackgate) -> Chance | None:
        return self._chance(state) if not state.end and asked(state) == CHANCE else None

    def _chance(self, state: Blackgate) -> Chance:
        task = state.todo[-1]
        return STEPS[type(task)].chance(self.box, state, task)

    def _illegal(self, code: Code, state: Blackgate, move: Move, seat: int | None) -> Illegal:
        return Illegal(code, words.refusal(self.box, code, state, move, seat))

    def closes_undo(self, state: Blackgate, move: Move) -> bool:
        """Chance, revealed passives, and hands that somebody else gets to see. Who plays a card of
        his own shows no more than he wants to."""
        match move:
            case moves.Choose():
                return words.topic(state) == "pick_inform"
            case Rolled() | Drawn() | moves.Reveal() | moves.TakeCard() | moves.Give():
                return True
        return False

    def problems(self, state: Blackgate) -> tuple[str, ...]:
        return problems(self.box, STEPS, state)

    # -- what people may know -------------------------------------------------------------------

    def view(self, state: Blackgate, seat: int | None) -> dict[str, Any]:
        return views.view(self.box, state, seat)

    def told(self, state: Blackgate, move: Move, by: int, to: int | None) -> Text:
        return words.told(self.box, state, move, by, to)

    def prompt(self, state: Blackgate, to: int | None) -> Text:
        return words.prompt(self.box, state)

    def offered(self, state: Blackgate, move: Move, by: int) -> Text:
        return words.offered(self.box, state, move, by)

    def secret(self, state: Blackgate, move: Move, by: int) -> bool:
        return isinstance(move, moves.TakeCard | moves.Give)

    def hidden(self, state: Blackgate, move: Move, by: int) -> bool:
        """What needs a card of the hand, a gang or a passive that only its owner knows."""
        return isinstance(move, _FROM_THE_HAND) and state.options.secrets == "house"

    # -- what the table shows -------------------------------------------------------------------

    def tracks(self, state: Blackgate) -> tuple[Track, ...]:
        return views.tracks(self.box, state)

    def image(self, state: Blackgate) -> Image:
        return views.image(self.box, state)

    def spaces(self, state: Blackgate) -> tuple[str, ...]:
        return self.box.boards[state.options.teams, state.options.use_solitary].places

    def place(self, space: str) -> Text:
        return self.box.places[space]

    def piece(self, piece: Piece) -> Text:
        return views.piece(self.box, piece)

    def seat_name(self, seat: int) -> Text:
        return self.box.pawns[seat].name.capital()

    def standing(self, state: Blackgate, image: Image) -> Blackgate:
        return views.standing(self.box, state, image)

    def things(self) -> tuple[Thing, ...]:
        return tuple(words.things(self.box))

    def signs(self, state: Blackgate, move: Move) -> tuple[str, ...]:
        return views.signs(move)

    def attempts(self, state: Blackgate) -> Iterable[Attempt]:
        legal = self.moves(state)
        carried = views.attempts(self.box, state, asked(state))
        return (attempt for attempt in carried if attempt.move not in legal)

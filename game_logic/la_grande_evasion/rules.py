"""The rules of La grande évasion. R and A numbers are those of docs/rules/la_grande_evasion.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from game_logic.core import (
    CHANCE,
    Attempt,
    Chance,
    Drawn,
    Game,
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
from game_logic.data import Data, DataError, chosen
from game_logic.la_grande_evasion import bets, board, problems, turn
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.moves import (
    Advance,
    AnyMove,
    Back,
    Bet,
    Done,
    Erase,
    Leave,
    Lock,
    Take,
    Throw,
)
from game_logic.la_grande_evasion.path import ahead, behind, position, put
from game_logic.la_grande_evasion.state import WINDOW, Evasion, Options
from game_logic.la_grande_evasion.words import Words

_Check = Callable[[Box, Evasion, Any, int], str | None]
_Step = Callable[[Box, Evasion, Any, int], Evasion]

_BETTING = ("bets", "scoring")

# Each kind of move: when it is made, why it may be refused, and what it does.
_RULES: dict[type[Move], tuple[tuple[str, ...], _Check, _Step]] = {
    Bet: (_BETTING, bets.why_not_bet, bets.bet),
    Erase: (_BETTING, bets.why_not_erase, bets.erase),
    Lock: (_BETTING, bets.why_not_lock, bets.lock),
    Drawn: (("lot",), bets.why_not_draw, bets.draw),
    Take: (("choose", "move"), turn.why_not_take, turn.take),
    Throw: (("choose",), turn.why_not_throw, turn.throw),
    Rolled: (("roll",), turn.why_not_roll, turn.roll),
    Advance: (("move",), turn.why_not_advance, turn.advance),
    Leave: (("move",), turn.why_not_leave, turn.leave),
    Back: (("move",), turn.why_not_back, turn.back),
    Done: (("move",), turn.why_not_done, turn.done),
}

# What must be done before anything else.
_FIRST = {
    "bets": "bets_open",
    "lot": "lot_first",
    "choose": "choose_first",
    "roll": "roll_first",
    "move": "moves_first",
    "scoring": "scoring_now",
    "over": "game_over",
}

_CHANCE = (CHANCE,)


class LaGrandeEvasion(Game[Evasion]):
    id = "la_grande_evasion"
    version = 1
    state_type = Evasion
    move_type = AnyMove

    def __init__(self, deck: Mapping[str, str]) -> None:
        data = Data(self.id, deck)
        self.digest = data.digest
        self.options = data.options()
        self._box = Box(data)
        self.seats = self._box.seats
        self._words = Words(self._box, data.texts())
        self.title = self._words.label("title")
        self._one = tuple((seat,) for seat in range(self.seats[1]))
        try:
            chosen(self.options, None, Options)
        except Malformed as error:
            raise DataError(f"{self.id}/options.toml", str(error)) from None

    # -- play -------------------------------------------------------------------------------------

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Evasion:
        fewest, most = self.seats
        if not fewest <= len(seats) <= most:
            raise Malformed(
                f"La grande évasion is for {fewest} to {most} players, not {len(seats)}"
            )
        pawns = len(self._box.pawns)
        return Evasion(
            seats=tuple(seats),
            options=chosen(self.options, options, Options),
            squares=(WINDOW,) * pawns,
            above=(None,) * pawns,
            bets=((),) * len(seats),
            locked=(False,) * len(seats),
        )

    def to_act(self, state: Evasion) -> tuple[int, ...]:
        phase = state.phase
        if phase in ("choose", "move"):
            return self._one[state.player]
        if phase in ("roll", "lot"):
            return _CHANCE
        return () if phase == "over" else bets.open_seats(state)

    def moves(self, state: Evasion, seat: int | None = None) -> tuple[Move, ...]:
        actors = self.to_act(state)
        if seat is None and actors:
            seat = actors[0]
        if seat is None or seat not in actors:
            return ()
        box, phase = self._box, state.phase
        if phase == "choose":
            return turn.choices(box, state, seat)
        if phase == "roll":
            return tuple(fall for die in turn.falling(state) for fall in box.falls[die])
        if phase == "move":
            return turn.steps(box, state, seat)
        if phase == "lot":
            return tuple(move for move, _ in bets.lot(state).odds)
        return bets.moves(box, state, seat)

    def play(self, state: Evasion, move: Move, seat: int | None = None) -> Evasion:
        actors = self.to_act(state)
        if seat is None and actors:
            seat = actors[0]
        phases, why_not, step = _RULES[type(move)]
        if seat is None or seat not in actors or state.phase not in phases:
            raise self._words.refusal(_untimely(state, move, seat, actors), state, move, actors)
        code = why_not(self._box, state, move, seat)
        if code is not None:
            raise self._words.refusal(code, state, move, actors)
        return step(self._box, state, move, seat)

    def outcome(self, state: Evasion) -> Outcome | None:
        if state.phase != "over":
            return None
        scores = bets.scores(self._box, state)
        best = max(scores)
        winners = tuple(seat for seat, points in enumerate(scores) if points == best)
        reason = "most_points" if len(winners) == 1 else "shared_victory"
        return Outcome(winners, reason, self._words.won(state, winners, best), scores)

    def chance(self, state: Evasion) -> Chance | None:
        if state.phase == "roll":
            return Chance("dice", tuple(self._box.parts[die] for die in turn.falling(state)))
        return Chance("lot", (bets.lot(state),)) if state.phase == "lot" else None

    def closes_undo(self, state: Evasion, move: Move) -> bool:
        """Chance does, and the reveal of the bets. A locked bet (R3) and a moved pawn (R9) are
        final by the rules."""
        if isinstance(move, Rolled | Drawn | Lock | Advance | Back):
            return True
        return state.phase == "move" and self.play(state, move).phase == "over"

    def problems(self, state: Evasion) -> tuple[str, ...]:
        return problems.found(self._box, state)

    # -- what people may know ---------------------------------------------------------------------

    def view(self, state: Evasion, seat: int | None) -> dict[str, Any]:
        box, options = self._box, state.options
        shown: dict[str, Any] = {
            "seats": list(state.seats),
            "secrets": options.secrets,
            "phase": state.phase,
            "turn": state.turn,
            "turn_limit": options.turn_limit,
            "player": state.player if state.turn and state.phase not in _BETTING else None,
            "path_length": options.path_length,
            "home": board.space(options, options.home),
            "pawns": [{"id": p.id, "number": p.number, "hex": p.hex} for p in box.pawns],
            "board": {
                space: [piece.id for piece in pieces] for space, pieces in self.image(state).items()
            },
            "arrivals": [box.pawns[pawn].id for pawn in state.arrivals],
            "dice": [box.dice[die] for die in state.dice],
            "faces": list(state.faces),
            "locked": list(state.locked),
            "bets": [self._named(bet) if _open(state) else None for bet in state.bets],
            "scores": list(bets.scores(box, state)) if state.phase == "over" else None,
        }
        if seat is not None:
            shown["bet"] = self._named(state.bets[seat])
        return shown

    def _named(self, bet: tuple[int, ...]) -> list[str]:
        return [self._box.pawns[pawn].id for pawn in bet]

    def told(self, state: Evasion, move: Move, by: int, to: int | None) -> Text:
        open_bet = to == by or _open(state)
        return self._words.told(state, move, by, self.play(state, move, by), open_bet)

    def prompt(self, state: Evasion, to: int | None) -> Text:
        over = self.outcome(state)
        return over.text if over else self._words.prompt(state, to)

    def offered(self, state: Evasion, move: Move, by: int) -> Text:
        return self._words.offered(state, move, by)

    def secret(self, state: Evasion, move: Move, by: int) -> bool:
        return isinstance(move, Bet | Erase) and not _open(state)

    def hidden(self, state: Evasion, move: Move, by: int) -> bool:
        """Only who has bet on every pawn can lock the bet."""
        telling = isinstance(move, Bet | Erase | Lock) and not _open(state)
        return telling and state.options.secrets == "house"

    # -- what the table shows ---------------------------------------------------------------------

    def tracks(self, state: Evasion) -> tuple[Track, ...]:
        label, options, last = self._words.label, state.options, state.options.path_length
        on_the_way = [position(state, n) for n, at in enumerate(state.squares) if at != last]
        arrived, limit = len(state.arrivals), options.turn_limit
        tracks = (
            Track("boats", label("track_boats"), arrived, len(self._box.pawns)),
            Track("furthest", label("track_furthest"), max(on_the_way, default=last), last),
        )
        if not limit:
            return tracks
        # Turns gone, not turns left, so that the track is alarming from `danger` upwards.
        gone = max(0, state.turn - 1) if state.phase in ("choose", "roll", "move") else state.turn
        danger = max(1, limit - len(state.seats))
        return (*tracks, Track("turns", label("track_turns"), gone, limit, danger))

    def image(self, state: Evasion) -> Image:
        return board.image(self._box, state)

    def by_hand(self, state: Evasion, move: Move, after: Evasion) -> Image:
        """The hand moves one pawn; those that then go straight to the boats follow (R21, A11)."""
        box = self._box
        if isinstance(move, Advance):
            pawn = box.number[move.pawn]
            state = put(state, pawn, ahead(state, pawn, turn.face_of(state, pawn) or 0))
        elif isinstance(move, Back):
            pawn = box.number[move.pawn]
            state = put(state, pawn, behind(state, pawn, turn.face_of(state, box.white) or 0))
        return board.image(box, state)

    def spaces(self, state: Evasion) -> tuple[str, ...]:
        return board.spaces(self._box, state.options)

    def place(self, space: str) -> Text:
        return self._words.place(space)

    def piece(self, piece: Piece) -> Text:
        return self._words.piece(piece)

    def standing(self, state: Evasion, image: Image) -> Evasion:
        return board.standing(self._box, state, image)

    def things(self) -> tuple[Thing, ...]:
        pawns = (Piece("pawn", pawn.id) for pawn in self._box.pawns)
        return tuple(Thing.of(pawn, self.piece(pawn)) for pawn in pawns)

    def die(self, id: str) -> Text:
        """The name of a die, with its article, as dice.rolled wants it."""
        return self._words.die(id)

    def attempts(self, state: Evasion) -> Iterator[Attempt]:
        return board.attempts(self._box, state)


def _open(state: Evasion) -> bool:
    """Are the bets on the table for all to see?"""
    return state.phase in ("scoring", "over")


def _untimely(state: Evasion, move: Move, seat: int | None, actors: tuple[int, ...]) -> str:
    """Why this move is not for this seat, or not for now."""
    if isinstance(move, Bet | Erase | Lock):
        if state.phase not in _BETTING:
            on_paper = state.options.secrets == "table" and state.phase != "over"
            return "bet_on_paper" if on_paper else "bet_locked"
        if seat is not None and 0 <= seat < len(state.seats) and state.locked[seat]:
            return "bet_locked"
    elif state.phase not in _RULES[type(move)][0]:
        return _FIRST[state.phase]
    return _FIRST[state.phase] if actors in (_CHANCE, ()) else "not_your_turn"

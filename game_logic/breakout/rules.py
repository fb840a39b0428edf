"""The rules of Breakout. R and A numbers are those of docs/rules/breakout.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.breakout import problems
from game_logic.breakout.links import escapes, spans
from game_logic.breakout.moves import LOTS, PUSHES, PUSHES_BUT, Escape, Push
from game_logic.breakout.state import BLUE, COLOURS, FIGURES, RED, Exits, Match, Options
from game_logic.breakout.wall import FULL, PUSHER, RIVAL, ROWS, SIZE, WAYS, drawn, pushed
from game_logic.breakout.words import Words
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
    Part,
    Piece,
    Text,
    Thing,
    Track,
)
from game_logic.data import Data, DataError, chosen

_TO_ACT: dict[int | None, tuple[int, ...]] = {
    None: (),
    CHANCE: (CHANCE,),
    RED: (RED,),
    BLUE: (BLUE,),
}
_STARTER = Chance("lot", (Part("starter", tuple((lot, 1) for lot in LOTS)),))

_EXITS = tuple(f"exit_{c}" for c in range(1, SIZE + 1))
_CELLS = tuple(f"r{r}c{c}" for r in range(1, SIZE + 1) for c in range(1, SIZE + 1))
_KNOTS = tuple((Piece(f"knot_{colour}"),) for colour in COLOURS)
_FIGURES = tuple((Piece(f"figure_{colour}"),) for colour in COLOURS)
_GATES = {push: f"gate:{push.row}_{push.side}" for push in PUSHES}


class Breakout(Game[Match]):
    id = "breakout"
    seats = (2, 2)
    version = 1
    state_type = Match
    move_type = Push | Escape | Drawn

    def __init__(self, deck: Mapping[str, str]) -> None:
        data = Data(self.id, deck)
        self.digest = data.digest
        self.options = data.options()
        self._words = Words(data.texts())
        self.title = self._words.label("title")
        try:
            chosen(self.options, None, Options)
        except Malformed as error:
            raise DataError("breakout/options.toml", str(error)) from None

    # -- play -----------------------------------------------------------------------------------

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Match:
        if len(seats) != 2:
            raise Malformed(f"Breakout is for 2 players, not {len(seats)}")
        return Match((seats[0], seats[1]), chosen(self.options, options, Options))

    def to_act(self, state: Match) -> tuple[int, ...]:
        return _TO_ACT[state.turn]

    def moves(self, state: Match, seat: int | None = None) -> tuple[Move, ...]:
        turn = state.turn
        if turn is None or (seat is not None and seat != turn):
            return ()
        if turn == CHANCE:
            return LOTS
        return state.choices or PUSHES_BUT[state.bans[turn]]

    def play(self, state: Match, move: Move, seat: int | None = None) -> Match:
        turn = state.turn
        if turn is None or move not in self.moves(state, seat):
            raise self._words.refusal(state, move, turn if seat is None else seat)
        if isinstance(move, Push):
            return _push(state, turn, move)
        if isinstance(move, Escape):
            return _escape(state, turn, move)
        starter = LOTS.index(move)
        return replace(state, turn=starter, starter=starter)

    def outcome(self, state: Match) -> Outcome | None:
        if state.turn is not None:
            return None
        scores = (state.figures(RED), state.figures(BLUE))
        winner = scores.index(max(scores))
        return Outcome((winner,), "three_figures", self._words.outcome(state, winner), scores)

    def chance(self, state: Match) -> Chance | None:
        return _STARTER if state.turn == CHANCE else None

    def problems(self, state: Match) -> tuple[str, ...]:
        return tuple(problems.found(state))

    # -- what people may know: everything, there are no secrets ----------------------------------

    def view(self, state: Match, seat: int | None) -> dict[str, Any]:
        return {
            "seats": list(state.names),
            "wall": drawn(state.red, state.blue),
            "stocks": [state.stock(RED), state.stock(BLUE)],
            "figures": [state.figures(RED), state.figures(BLUE)],
            "exits": list(state.exits),
            "turn": state.turn if state.turn in (RED, BLUE) else None,
            "bans": [ban and {"row": ban.row, "side": ban.side} for ban in state.bans],
            "choices": [list(choice.exits) for choice in state.choices],
            "round": state.round,
            "starter": state.starter if state.starter in (RED, BLUE) else None,
            "insertions": state.insertions,
            "countdown": {
                "running": state.red | state.blue == FULL,
                "turns": state.stalled,
                "of": state.options.stalemate_limit,
            },
        }

    def told(self, state: Match, move: Move, by: int, to: int | None) -> Text:
        return self._words.told(state, move, by, self.play(state, move, by))

    def prompt(self, state: Match, to: int | None) -> Text:
        return self._words.prompt(state)

    def offered(self, state: Match, move: Move, by: int) -> Text:
        return self._words.offered(state, move, by)

    # -- what the table shows -------------------------------------------------------------------

    def tracks(self, state: Match) -> tuple[Track, ...]:
        limit, need = state.options.stalemate_limit, state.options.figures_to_win
        label = self._words.label
        return (
            # Turns gone, not turns left, so that the track is alarming from `danger` upwards.
            Track("countdown", label("countdown"), state.stalled, limit, max(1, limit - 2)),
            *(
                Track(id := f"figures_{COLOURS[seat]}", label(id), figures, need, seat=seat)
                for seat, figures in ((RED, state.figures(RED)), (BLUE, state.figures(BLUE)))
            ),
        )

    def image(self, state: Match) -> Image:
        return _image(state.red, state.blue, state.exits)

    def by_hand(self, state: Match, move: Move, after: Match) -> Image:
        """The wall still stands when the round has ended, until people clear it (R23)."""
        if isinstance(move, Push):
            seat = BLUE if state.turn == BLUE else RED
            return _image(*_walls(state, seat, move), state.exits)
        return _image(state.red, state.blue, after.exits)

    def spaces(self, state: Match) -> tuple[str, ...]:
        return _EXITS + _CELLS

    def place(self, space: str) -> Text:
        return self._words.place(space)

    def piece(self, piece: Piece) -> Text:
        return self._words.piece(piece)

    def things(self) -> tuple[Thing, ...]:
        """Of knots as many as the wall holds: how many a player has is an option (A1)."""
        knots = (Thing.of(p, self.piece(p), SIZE * SIZE) for (p,) in _KNOTS)
        figures = (Thing.of(p, self.piece(p), FIGURES) for (p,) in _FIGURES)
        return (*knots, *figures)

    def seat_name(self, seat: int) -> Text:
        return self._words.label(COLOURS[seat]).capital()

    def renamed(self, state: Match, seat: int, name: str) -> Match:
        red, blue = state.names
        return replace(state, names=(red, name) if seat == BLUE else (name, blue))

    def standing(self, state: Match, image: Image) -> Match:
        red, blue = (
            sum(1 << n for n, space in enumerate(_CELLS) if image.get(space) == knot)
            for knot in _KNOTS
        )
        a, b, c, d, e = (
            next((seat for seat in (RED, BLUE) if image.get(space) == _FIGURES[seat]), None)
            for space in _EXITS
        )
        return _recounted(state, red, blue, (a, b, c, d, e))

    def signs(self, state: Match, move: Move) -> tuple[str, ...]:
        """The opening's switch, and perhaps the one opposite, where a knot falls out."""
        if not isinstance(move, Push) or state.turn not in (RED, BLUE):
            return ()
        return _signs(state, state.turn, move)

    def attempts(self, state: Match) -> Iterator[Attempt]:
        """Every push of either colour that is refused now: the wrong knot, the banned opening."""
        for seat in (RED, BLUE):
            allowed = self.moves(state, seat)
            for push in PUSHES:
                if push not in allowed:
                    image = _image(*_walls(state, seat, push), state.exits)
                    yield Attempt(seat, push, image, _signs(state, seat, push))


def _image(red: int, blue: int, exits: Exits) -> Image:
    image = {
        space: _FIGURES[seat] for space, seat in zip(_EXITS, exits, strict=True) if seat is not None
    }
    for seat, wall in ((RED, red), (BLUE, blue)):
        image |= {space: _KNOTS[seat] for i, space in enumerate(_CELLS) if wall >> i & 1}
    return image


def _recounted(state: Match, red: int, blue: int, exits: Exits) -> Match:
    """What nobody can see follows the wall; whose turn it is stays."""
    wall = red | blue
    fallen = state.insertions - (state.red | state.blue).bit_count()
    full = [row for row, cells in enumerate(ROWS, 1) if wall & cells == cells]
    insertions = wall.bit_count() + (fallen if full else 0)
    own, theirs = (ban if fallen and ban and ban.row in full else None for ban in state.bans)
    odd = (insertions - state.insertions) % 2 and state.starter in (RED, BLUE)
    return replace(
        state,
        red=red,
        blue=blue,
        exits=exits,
        insertions=insertions,
        bans=(own, theirs),
        stalled=state.stalled if wall == FULL else 0,
        starter=1 - state.starter if odd else state.starter,
    )


def _walls(state: Match, seat: int, push: Push) -> tuple[int, int]:
    """Red's wall and blue's when this seat has pushed a knot in, allowed or not."""
    own, theirs, _ = pushed(state.wall(seat), state.wall(1 - seat), push)
    return (theirs, own) if seat else (own, theirs)


def _signs(state: Match, seat: int, push: Push) -> tuple[str, ...]:
    _, _, lost = pushed(state.wall(seat), state.wall(1 - seat), push)
    return (_GATES[push], f"{_GATES[WAYS[push].far]}?") if lost else (_GATES[push],)


def _push(state: Match, turn: int, push: Push) -> Match:
    """In the order of A14: push and ejection, own link, the rival's link, the count of R22."""
    rival = 1 - turn
    options, bans = state.options, state.bans
    if turn == RED:
        own, theirs, lost = pushed(state.red, state.blue, push)
        red, blue, untouched = own, theirs, theirs == state.blue
    else:
        own, theirs, lost = pushed(state.blue, state.red, push)
        red, blue, untouched = theirs, own, theirs == state.red

    if spans(own) and (choices := escapes(state, own, turn, double=True)):
        return _link(state, turn, choices, red, blue)
    # Knots that did not move cannot have become a rope.
    if not untouched and spans(theirs) and (choices := escapes(state, theirs, rival, double=False)):
        return _link(state, rival, choices, red, blue)  # A5, A6

    stalled, insertions = state.stalled, state.insertions + 1
    full = red | blue == FULL
    if full and lost:  # the insertion that fills the wall throws nothing off, and is not counted
        stalled += 1
    # R13: a forced pass is no move; the turn comes straight back.
    passes = theirs.bit_count() == options.knots_per_player
    if full and passes and options.stalemate_unit == "round":
        stalled += 1
    if stalled >= options.stalemate_limit or insertions == options.round_limit:
        return _next_round(state, 1 - state.starter, state.exits)  # A9

    own_ban, their_ban = None, bans[rival]
    if lost:  # A2: the newer ban replaces the older
        far = WAYS[push].far
        if lost == PUSHER or options.ko_scope == "both":
            own_ban = far
        if lost == RIVAL or options.ko_scope == "both":
            their_ban = far
    return Match(
        names=state.names,
        options=options,
        turn=turn if passes else rival,
        red=red,
        blue=blue,
        bans=(their_ban, own_ban) if turn else (own_ban, their_ban),
        insertions=insertions,
        stalled=stalled,
        choices=(),
        round=state.round,
        starter=state.starter,
        exits=state.exits,
    )


def _link(state: Match, winner: int, choices: tuple[Escape, ...], red: int, blue: int) -> Match:
    """The round is won: one way over the wall is taken at once, among several he chooses (A4)."""
    if len(choices) == 1:
        return _escape(state, winner, choices[0])
    return replace(
        state,
        turn=winner,
        red=red,
        blue=blue,
        bans=(None, None),
        insertions=state.insertions + 1,
        choices=choices,
    )


def _escape(state: Match, winner: int, escape: Escape) -> Match:
    """R19, R21: the figures go up, and the loser starts the next round (R5)."""
    a, b, c, d, e = (
        winner if exit in escape.exits else figure for exit, figure in enumerate(state.exits, 1)
    )
    return _next_round(state, 1 - winner, (a, b, c, d, e))


def _next_round(state: Match, starter: int, exits: Exits) -> Match:
    """R3, R23: every knot goes home and no ban stays. With all figures up it is over (R25)."""
    blank = Match(state.names, state.options, exits=exits)
    if any(blank.figures(seat) == state.options.figures_to_win for seat in (RED, BLUE)):
        return replace(blank, turn=None, round=state.round, starter=state.starter)
    return replace(blank, turn=starter, round=state.round + 1, starter=starter)

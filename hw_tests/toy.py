"""A toy game with one of each hard thing, so that the contract is proved before the large games.

Two or three prisoners creep along six squares. All bet in secret at once how many guards will be
met (a timer closes the bets). On a turn chance deals a card to one hand (a private draw); the
player chooses a pace that no sensor sees, then moves a pawn that one does; then shifts one of two
guards nobody can tell apart, puts a card under the pile, or peeks into another hand. Pawns stack,
so that some are covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from game_logic.core import (
    CHANCE,
    HOUSE,
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
    State,
    Text,
    Thing,
    Track,
)
from game_logic.pile import Pile, bag

LAST = 6
DECK = ("file", "file", "rope", "rope", "rope", "soap", "soap", "spoon")
GAP = Text("…", "…")


class Bet(Move, frozen=True):
    guards: int


class CloseBets(Move, frozen=True):
    pass


class Pace(Move, frozen=True):
    squares: int


class Creep(Move, frozen=True):
    to: int


class Shift(Move, frozen=True):
    origin: int
    to: int


class PutUnder(Move, frozen=True):
    card: str


class Peek(Move, frozen=True):
    at: int


class Toy(State, frozen=True):
    names: tuple[str, ...]
    phase: str = "bets"  # bets, draw, pace, creep, after, over
    turn: int = 0
    bets: tuple[int | None, ...] = ()
    pile: Pile = Pile(bag(DECK))
    hands: tuple[tuple[str, ...], ...] = ()
    path: tuple[tuple[int, ...], ...] = ()  # seats on squares 0 … LAST, the lowest first
    guards: tuple[int, ...] = (2, 4)
    pace: int = 0
    peeked: tuple[int, int, tuple[str, ...]] | None = None  # by, at, what was seen


def _put(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


class ToyGame(Game[Toy]):
    id = "toy"
    title = Text("Le jouet", "The toy")
    seats = (2, 3)
    version = 1
    digest = "toy"
    options: Mapping[str, Any] = {}
    state_type = Toy
    move_type = Bet | CloseBets | Pace | Creep | Shift | PutUnder | Peek | Drawn

    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> Toy:
        if not 2 <= len(seats) <= 3 or options:
            raise Malformed("the toy is for two or three, and has no options")
        n = len(seats)
        path = (tuple(range(n)),) + ((),) * LAST
        return Toy(tuple(seats), bets=(None,) * n, hands=((),) * n, path=path)

    def to_act(self, state: Toy) -> tuple[int, ...]:
        if state.phase == "bets":
            return tuple(range(len(state.names)))
        if state.phase == "over":
            return ()
        return (CHANCE,) if state.phase == "draw" else (state.turn,)

    def moves(self, state: Toy, seat: int | None = None) -> tuple[Move, ...]:
        actors = self.to_act(state)
        seat = (actors[0] if actors else None) if seat is None else seat
        if seat not in actors:
            return ()
        if state.phase == "bets":
            return tuple(Bet(n) for n in range(3) if state.bets[seat] != n)
        if state.phase == "draw":
            return tuple(move for move, _ in state.pile.part("deck").odds)
        if state.phase == "pace":
            return (Pace(1), Pace(2))
        here = self._square(state, state.turn)
        if state.phase == "creep":
            return (Creep(min(here + state.pace, LAST)),)
        shifts = {(g, to) for g in state.guards for to in (g - 1, g + 1) if 1 <= to < LAST}
        return (
            *(Shift(g, to) for g, to in sorted(shifts) if to not in state.guards),
            *(PutUnder(card) for card in sorted(set(state.hands[seat]))),
            *(Peek(at) for at, hand in enumerate(state.hands) if at != seat and hand),
        )

    def play(self, state: Toy, move: Move, seat: int | None = None) -> Toy:
        actors = self.to_act(state)
        seat = actors[0] if seat is None and actors else seat
        if seat == HOUSE and state.phase == "bets" and move == CloseBets():
            return replace(state, phase="draw", bets=tuple(b or 0 for b in state.bets))
        if move not in self.moves(state, seat):
            why = Text("Ce coup n'est pas permis (T1).", "That move is not allowed (T1).")
            raise Illegal("not_now", why)
        match move:
            case Bet(guards):
                bets = _put(state.bets, seat, guards)
                return replace(state, bets=bets, phase="bets" if None in bets else "draw")
            case Drawn(_, card):
                hand = (*state.hands[state.turn], card)
                hands = _put(state.hands, state.turn, hand)
                return replace(state, pile=state.pile.take(card), hands=hands, phase="pace")
            case Pace(squares):
                return replace(state, pace=squares, phase="creep")
            case Creep(to):
                here = self._square(state, seat)
                path = _put(state.path, here, tuple(s for s in state.path[here] if s != seat))
                path = _put(path, to, (*path[to], seat))
                return replace(state, path=path, phase="over" if to == LAST else "after")
            case Shift(origin, to):
                guards = list(state.guards)
                guards[guards.index(origin)] = to
                return self._next(replace(state, guards=tuple(sorted(guards))))
            case PutUnder(card):
                hand = list(state.hands[seat])
                hand.remove(card)
                hands = _put(state.hands, seat, tuple(hand))
                return self._next(replace(state, pile=state.pile.put_under(card), hands=hands))
            case Peek(at):
                return self._next(replace(state, peeked=(seat, at, state.hands[at])))
        raise AssertionError(move)

    def outcome(self, state: Toy) -> Outcome | None:
        if state.phase != "over":
            return None
        winner = self._square_of_last(state)
        return Outcome((winner,), "crept_out", Text("Dehors !", "Out!"))

    def chance(self, state: Toy) -> Chance | None:
        if state.phase != "draw":
            return None
        return Chance("draw", (state.pile.part("deck"),), sees=(state.turn,))

    def deadline(self, state: Toy) -> Deadline | None:
        return Deadline("bets", 30.0, CloseBets()) if state.phase == "bets" else None

    def closes_undo(self, state: Toy, move: Move) -> bool:
        if isinstance(move, Bet):  # the last bet in brings all of them out
            return sum(bet is None for bet in state.bets) <= 1
        return isinstance(move, Drawn | Peek | CloseBets)

    def problems(self, state: Toy) -> tuple[str, ...]:
        cards = [*state.pile.under, *(card for hand in state.hands for card in hand)]
        for card, copies in state.pile.rest:
            cards += [card] * copies
        wrong = []
        if sorted(cards) != sorted(DECK):
            wrong.append("cards are lost or made up")
        if sorted(s for square in state.path for s in square) != list(range(len(state.names))):
            wrong.append("a pawn is lost")
        return tuple(wrong)

    def view(self, state: Toy, seat: int | None) -> dict[str, Any]:
        shown = {
            "seats": state.names,
            "phase": state.phase,
            "turn": state.turn,
            "bets": [state.phase != "bets" and bet for bet in state.bets],
            "bet_made": [bet is not None for bet in state.bets],
            "path": state.path,
            "guards": state.guards,
            "hands": [len(hand) for hand in state.hands],
            "pile": len(state.pile),
        }
        if seat is not None:
            shown |= {"hand": state.hands[seat], "bet": state.bets[seat]}
            if state.peeked and state.peeked[0] == seat:
                shown["peeked"] = state.peeked[1:]
        return shown

    def told(self, state: Toy, move: Move, by: int, to: int | None) -> Text:
        if isinstance(move, Drawn):
            by = state.turn
        name = state.names[by] if by >= 0 else "Cavale"
        what = type(move).__name__
        if isinstance(move, Bet | PutUnder | Drawn) and to != by:
            return Text(f"{name} : {what}", f"{name}: {what}")
        if isinstance(move, Peek):
            seen = state.hands[move.at] if to == by else move.at
            return Text(f"{name} regarde {seen}", f"{name} peeks at {seen}")
        return Text(f"{name} : {move}", f"{name}: {move}")

    def prompt(self, state: Toy, to: int | None) -> Text:
        return Text(f"À vous : {state.phase}", f"Your turn: {state.phase}")

    def offered(self, state: Toy, move: Move, by: int) -> Text:
        return Text(str(move), str(move))

    def secret(self, state: Toy, move: Move, by: int) -> bool:
        return isinstance(move, Bet | PutUnder)

    def tracks(self, state: Toy) -> tuple[Track, ...]:
        furthest = max(n for n, square in enumerate(state.path) if square)
        return (Track("furthest", Text("Tête", "Lead"), furthest, LAST, danger=5),)

    def image(self, state: Toy) -> Image:
        image: dict[str, tuple[Piece, ...]] = {}
        for n, square in enumerate(state.path):
            pawns = tuple(
                Piece("pawn", f"pawn_{seat}", covered=n > 0 and seat != square[-1])
                for seat in square
            )
            guards = tuple(Piece("guard") for g in state.guards if g == n)
            if pawns:
                image[f"s{n}"] = pawns
            if guards:
                image[f"g{n}"] = guards
        return image

    def spaces(self, state: Toy) -> tuple[str, ...]:
        return tuple(f"{kind}{n}" for n in range(LAST + 1) for kind in "sg")

    def place(self, space: str) -> Text:
        return Text(f"la case {space[1:]}", f"square {space[1:]}")

    def piece(self, piece: Piece) -> Text:
        return (
            Text(f"le pion {piece.id}", f"pawn {piece.id}")
            if piece.id
            else Text("un gardien", "a guard")
        )

    def renamed(self, state: Toy, seat: int, name: str) -> Toy:
        return replace(state, names=(*state.names[:seat], name, *state.names[seat + 1 :]))

    def standing(self, state: Toy, image: Image) -> Toy:
        path = tuple(
            tuple(int((piece.id or "")[-1]) for piece in image.get(f"s{n}", ()))
            for n in range(LAST + 1)
        )
        guards = [n for n in range(LAST + 1) for _ in image.get(f"g{n}", ())]
        return replace(state, path=path, guards=tuple(guards))

    def things(self) -> tuple[Thing, ...]:
        pawns = [Piece("pawn", f"pawn_{seat}") for seat in range(self.seats[1])]
        return (
            *(Thing.of(pawn, self.piece(pawn)) for pawn in pawns),
            Thing.of(Piece("guard"), self.piece(Piece("guard")), 2),
            *(Thing.card(card, Text(card, card), n) for card, n in bag(DECK)),
        )

    def signs(self, state: Toy, move: Move) -> tuple[str, ...]:
        return (f"card:{move.card}",) if isinstance(move, PutUnder) else ()

    @staticmethod
    def _square(state: Toy, seat: int) -> int:
        return next(n for n, square in enumerate(state.path) if seat in square)

    @staticmethod
    def _square_of_last(state: Toy) -> int:
        return state.path[LAST][-1]

    @staticmethod
    def _next(state: Toy) -> Toy:
        turn = (state.turn + 1) % len(state.names)
        phase = "draw" if len(state.pile) else "pace"
        return replace(state, turn=turn, phase=phase, pace=0)


def twin(state: Toy, seat: int | None, below: Any) -> Toy:
    """Another state that this seat cannot tell from `state`: what others hold is dealt anew."""
    others = [s for s in range(len(state.names)) if s != seat]
    saw = state.peeked if state.peeked and state.peeked[0] == seat else None
    if saw:  # what it saw, it knows, as long as that hand has not changed
        others = [s for s in others if s != saw[1]]
    hidden = [c for s in others for c in state.hands[s]]
    hidden += [card for card, copies in state.pile.rest for _ in range(copies)]
    mixed = []
    while hidden:
        mixed.append(hidden.pop(below(len(hidden))))
    hands = list(state.hands)
    for s in others:
        hands[s] = tuple(mixed.pop() for _ in state.hands[s])
    bets = state.bets
    if state.phase == "bets":
        bets = tuple(b if b is None or s == seat else below(3) for s, b in enumerate(state.bets))
    peeked = state.peeked
    if peeked and not saw:
        peeked = (peeked[0], peeked[1], tuple(reversed(peeked[2])))
    return replace(
        state, hands=tuple(hands), pile=Pile(bag(mixed), state.pile.under), bets=bets, peeked=peeked
    )

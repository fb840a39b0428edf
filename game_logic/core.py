"""What a game is.

A state is an immutable value, a move is an immutable value, and a game is a set of pure
functions over them. Nothing here touches a clock, a file, a network or a random generator:
dice and draws come in as moves, so that a log of moves replays to the same bytes.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

# Who acts: a seat (0, 1, …), the dice and piles of cards, or the house, whose timers run out.
CHANCE = -1
HOUSE = -2


class Text(NamedTuple):
    """A sentence for people, in every language the table speaks."""

    fr: str
    en: str

    def in_(self, language: str) -> str:
        return self.fr if language == "fr" else self.en

    def capital(self) -> Text:
        """As at the beginning of a sentence."""
        return Text(*(words[:1].upper() + words[1:] for words in self))


class Illegal(Exception):
    """A move the rules refuse: a stable code for programs, a sentence with its rule for players."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return f"{self.code}: {self.text.en}"


class Malformed(ValueError):
    """Data that is no move, state or option at all: the message says which field, and why."""


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Value(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base of everything that is stored: compares and hashes by content, holds no cycles.

    Fields are numbers, strings, None, tuples and other Values; never sets or dicts, so that equal
    values encode to equal bytes.
    """


class State(Value, frozen=True, gc=False):
    """Base of every game's state."""


class Move(Value, frozen=True, gc=False, tag_field="type", tag=_snake):
    """Base of every move; the class name in snake_case is its `type` in JSON."""


class Rolled(Move, frozen=True, gc=False):
    """Chance: one die shows a face. A roll of four dice is four of these in one intent."""

    die: str
    face: int


class Drawn(Move, frozen=True, gc=False):
    """Chance: one card, token or lot comes out of a pile."""

    pile: str
    card: str


class Act(Value, frozen=True, gc=False):
    """A move and who made it. An intent is a tuple of acts: all are accepted, or none."""

    by: int
    move: Any


class Part(Value, frozen=True, gc=False):
    """One die to roll or one card to draw: each move it may give, with its weight."""

    id: str
    odds: tuple[tuple[Move, int], ...]


class Chance(Value, frozen=True, gc=False):
    """What chance is asked for. Parts are independent and may come in any order.

    `kind` says which part of the table may supply it: "dice" (the tower), "draw" (a card shown at
    the pad) or "lot" (nothing: the house draws). `sees` are the seats that learn the result; None
    means everybody does. What everybody sees drawn comes from where everybody may know what else
    there is: out of a hand that the house keeps, it is a lot.
    """

    kind: str
    parts: tuple[Part, ...]
    sees: tuple[int, ...] | None = None


def pick(part: Part, below: Callable[[int], int]) -> Move:
    """One of the part's moves by weight; `below(n)` is the house's die, a number in 0 … n-1."""
    at = below(sum(weight for _, weight in part.odds))
    for move, weight in part.odds:
        at -= weight
        if at < 0:
            return move
    raise AssertionError("weights are positive")


class Outcome(Value, frozen=True, gc=False):
    """How the game ended: the winning seats (none: all lost), a stable reason, a sentence."""

    winners: tuple[int, ...]
    reason: str
    text: Text
    scores: tuple[int, ...] = ()


class Track(Value, frozen=True, gc=False):
    """A number that people watch. From `danger` on it is alarming; None: it never is."""

    id: str
    label: Text
    value: int
    maximum: int
    danger: int | None = None
    seat: int | None = None


class Piece(Value, frozen=True, gc=False):
    """What stands on a space. `id` is None where pieces of a kind are interchangeable.

    A covered piece lies under others: a sensor may fail to read it, and that is no mismatch.
    """

    kind: str
    id: str | None = None
    covered: bool = False


class Thing(Value, frozen=True, gc=False):
    """Something in the box that may carry a tag: a piece that stands in images, or a card that
    moves show as a sign. Of interchangeable ones there are `count`, each with a tag of its own."""

    name: str
    text: Text
    count: int = 1
    piece: Piece | None = None
    sign: str | None = None

    @classmethod
    def of(cls, piece: Piece, text: Text, count: int = 1) -> Thing:
        return cls("_".join(filter(None, (piece.kind, piece.id))), text, count, piece=piece)

    @classmethod
    def card(cls, card: str, text: Text, count: int = 1) -> Thing:
        return cls(f"card_{card}", text, count, sign=f"card:{card}")


# Space -> the pieces that stand there, the lowest first. Empty spaces may be left out.
Image = Mapping[str, tuple[Piece, ...]]


class Deadline(Value, frozen=True, gc=False):
    """A timer: when it runs out HOUSE plays `move`. It restarts only when `id` changes."""

    id: str
    seconds: float
    move: Move


class Attempt(NamedTuple):
    """Something a hand may do although the rules refuse it, and what the table would show then."""

    by: int
    move: Move
    image: Image
    signs: tuple[str, ...] = ()


class Option(Value, frozen=True, gc=False):
    """A documented option of a game and its default."""

    default: Any
    text: Text


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """The rules of one game. Every method is a pure function of its arguments."""

    id: str
    title: Text
    seats: tuple[int, int]  # fewest and most
    version: int  # raised whenever an old log could replay differently
    digest: str  # of the data the game was made from, an owner's deck included
    options: Mapping[str, Option]
    state_type: type[S]
    move_type: Any  # the union of the game's moves

    # -- play -----------------------------------------------------------------------------------

    @abstractmethod
    def new(self, seats: Sequence[str], options: Mapping[str, object] | None = None) -> S:
        """The start of a game. Raises Malformed for a wrong number of seats or a bad option."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """Who may act: a seat, several while bets or votes are open, (CHANCE,), () when over."""

    @abstractmethod
    def moves(self, state: S, seat: int | None = None) -> tuple[Move, ...]:
        """Every legal move of the seat (default: the first to act); empty if it may not act."""

    @abstractmethod
    def play(self, state: S, move: Move, seat: int | None = None) -> S:
        """The next state. Accepts just what `moves` lists (and HOUSE's deadline), else Illegal."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None: ...

    def chance(self, state: S) -> Chance | None:
        """What is to be rolled or drawn, when CHANCE is to act."""
        return None

    def deadline(self, state: S) -> Deadline | None:
        return None

    def closes_undo(self, state: S, move: Move) -> bool:
        """Does the move bring out anything that someone did not know?"""
        return isinstance(move, Rolled | Drawn)

    @abstractmethod
    def problems(self, state: S) -> tuple[str, ...]:
        """Every broken invariant: of loaded saves, of corrections by hand, and in tests."""

    # -- what people may know -------------------------------------------------------------------

    @abstractmethod
    def view(self, state: S, seat: int | None) -> dict[str, Any]:
        """What this seat may see, as JSON; None is the public table. Built from allow-lists."""

    @abstractmethod
    def told(self, state: S, move: Move, by: int, to: int | None) -> Text:
        """The log entry of a move about to be made in `state`, as `to` may read it."""

    @abstractmethod
    def prompt(self, state: S, to: int | None) -> Text:
        """What the table is waiting for, as `to` may read it."""

    @abstractmethod
    def offered(self, state: S, move: Move, by: int) -> Text:
        """A legal move as an entry of its owner's menu, with its price."""

    def secret(self, state: S, move: Move, by: int) -> bool:
        """Must this move be kept off shared screens and MQTT?"""
        return False

    def hidden(self, state: S, move: Move, by: int) -> bool:
        """Would it tell a secret that this move may be made: a card of the hand, a full bet? Then
        no shared screen offers it; its owner's page does, or the card itself at a pad."""
        return self.secret(state, move, by)

    # -- what the table shows -------------------------------------------------------------------

    @abstractmethod
    def tracks(self, state: S) -> tuple[Track, ...]:
        """The tracks the screens show, the most important first."""

    @abstractmethod
    def image(self, state: S) -> Image:
        """Where every piece stands."""

    def by_hand(self, state: S, move: Move, after: S) -> Image:
        """The board as the hand leaves it, before people tidy up as the rules say (a wall that is
        cleared after a won round). `after` is the state that the move leads to."""
        return self.image(after)

    @abstractmethod
    def spaces(self, state: S) -> tuple[str, ...]:
        """Every space of this game's board, in reading order."""

    @abstractmethod
    def place(self, space: str) -> Text:
        """The name of a space, as in "put the red pawn back on …"."""

    @abstractmethod
    def piece(self, piece: Piece) -> Text:
        """The name of a piece, with its article, as in "put … back on 14"."""

    @abstractmethod
    def things(self) -> tuple[Thing, ...]:
        """All that may carry a tag, as the box holds it: every piece that any image shows (and
        not as covered) and every card that moves show by `signs`."""

    def seat_name(self, seat: int) -> Text:
        """What a seat is called when nobody gives it a name: by its pieces, where it has any."""
        return Text(f"Joueur {seat + 1}", f"Player {seat + 1}")

    def renamed(self, state: S, seat: int, name: str) -> S:
        """The same moment, with somebody else on this seat."""
        names = list(state.seats)  # type: ignore[attr-defined]
        names[seat] = name
        return replace(state, seats=tuple(names))

    def placed(self, state: S, image: Image) -> S:
        """The same moment, with the pieces standing so: the table disagrees with the state, and a
        hand corrects it. Raises Illegal where the game cannot have them stand like that; whether
        it is a legal state is `problems`' to say."""
        try:
            state = self.standing(state, image)
        except (LookupError, ValueError):
            raise Illegal("cannot_stand", _CANNOT_STAND) from None
        if not same_board(self.image(state), image):
            raise Illegal("cannot_stand", _CANNOT_STAND)
        return state

    @abstractmethod
    def standing(self, state: S, image: Image) -> S:
        """`placed`, unchecked: what is in the image and has no place in a state may be left out,
        or raise LookupError or ValueError."""

    def die(self, id: str) -> Text:
        """The name of a die, as in "roll … again"."""
        return Text("le dé", "the die")

    def signs(self, state: S, move: Move) -> tuple[str, ...]:
        """What the move shows for a moment only: "gate:3_left" (an opening passed), "card:tie".

        A sign that may show or not, as luck and carpentry have it, ends in a question mark.
        """
        return ()

    def attempts(self, state: S) -> Iterable[Attempt]:
        """Refused things that hands commonly do, so that the table can say why not."""
        return ()


_CANNOT_STAND = Text(
    "Dans ce jeu, les pièces ne peuvent pas se trouver ainsi.",
    "In this game the pieces cannot stand like that.",
)


def same_board(one: Image, other: Image) -> bool:
    """Do the same pieces stand on the same spaces? What lies under what is not asked."""
    return _counted(one) == _counted(other)


def _counted(image: Image) -> dict[str, Counter[tuple[str, str | None]]]:
    return {s: Counter((p.kind, p.id) for p in pieces) for s, pieces in image.items() if pieces}


def play_all(game: Game[S], state: S, intent: Iterable[Act]) -> S:
    """The state after a whole intent. Raises Illegal at the first refused move; states are values,
    so nothing has happened then."""
    for act in intent:
        state = game.play(state, act.move, act.by)
    return state


_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Compact JSON; equal values give equal bytes."""
    return _encoder.encode(value)


def _decode(data: Any, kind: Any, what: str) -> Any:
    try:
        if isinstance(data, bytes | str):
            return msgspec.json.decode(data, type=kind)
        return msgspec.convert(data, kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"not a {what}: {error}") from None


def decode_move(game: Game[Any], data: Any) -> Move:
    """A move from JSON bytes or from already parsed JSON."""
    move: Move = _decode(data, game.move_type, f"move of {game.id}")
    return move


def decode_act(game: Game[Any], data: Any) -> Act:
    raw: Act = _decode(data, Act, f"move of {game.id} with its seat")
    return Act(raw.by, decode_move(game, raw.move))


def decode_state(game: Game[S], data: Any) -> S:
    """A state from JSON. Well-formed is not yet legal: ask `game.problems` before using it."""
    state: S = _decode(data, game.state_type, f"state of {game.id}")
    return state

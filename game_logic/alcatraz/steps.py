"""What the game waits for. A step holds what is under way, so that it survives a restart."""

from __future__ import annotations

from game_logic.core import Value

Token = tuple[int, str]  # whose, what


class Step(Value, frozen=True, gc=False, tag_field="step", tag=str.lower):
    pass


# -- set-up (R3–R11) ----------------------------------------------------------------------------


class Tiles(Step, frozen=True, gc=False):
    """The next tile of the grid."""


class Faces(Step, frozen=True, gc=False):
    """Which face of the next tile is up."""


class Posts(Step, frozen=True, gc=False):
    """The first guards; `revealed` are the location cards lying open."""

    passes: int = 0
    revealed: tuple[int, ...] = ()


class Cells(Step, frozen=True, gc=False):
    """Where the next pawn starts."""


class Lot(Step, frozen=True, gc=False):
    """The first Scapegoat."""


# -- tasks --------------------------------------------------------------------------------------


class Card(Step, frozen=True, gc=False):
    """A new task is turned up; after `tries` cards the pile has gone round (A12)."""

    tries: int


class Spot(Step, frozen=True, gc=False):
    """The location that comes with a task card; `was` is where X7 took it from."""

    card: str
    was: int | None = None


class Naming(Step, frozen=True, gc=False):
    """Which tokens pay for the task, in the order of its objects (A33)."""

    tokens: tuple[Token, ...] = ()


class Consent(Step, frozen=True, gc=False):
    """Their owners are asked, one after the other (A9)."""

    tokens: tuple[Token, ...]
    asked: tuple[int, ...]


class Reward(Step, frozen=True, gc=False):
    """The card whose part the others mark (R48)."""


# -- the round ----------------------------------------------------------------------------------


class Guard(Step, frozen=True, gc=False):
    """Phase 1."""


class Talk(Step, frozen=True, gc=False):
    """Phase 2, until the vote is called."""


class Ballot(Step, frozen=True, gc=False):
    """Votes so far, by seat; with `tied`, on who stays in prison (R65), else on the Scapegoat."""

    votes: tuple[int | None, ...]
    tied: tuple[int, ...] = ()


class Tie(Step, frozen=True, gc=False):
    """The previous Scapegoat picks (R20)."""

    tied: tuple[int, ...]


class Fate(Step, frozen=True, gc=False):
    """Chance picks who stays (A26)."""

    tied: tuple[int, ...]


class Acting(Step, frozen=True, gc=False):
    """Phase 3: the active player chooses an action."""


class Over(Step, frozen=True, gc=False):
    """Who stays in prison; None: the 21st guard came, and everybody does."""

    stays: int | None


# -- functions of the locations -----------------------------------------------------------------


class Paying(Step, frozen=True, gc=False):
    """1 object or 1 Cash (R57)."""


class Taking(Step, frozen=True, gc=False):
    """`left` more objects of those on the `shelf` before the payment (A32)."""

    shelf: tuple[str, ...]
    left: int


class Lifting(Step, frozen=True, gc=False):
    """Another guard to move; the first is a must (A22)."""

    left: int
    first: bool = True


class Posting(Step, frozen=True, gc=False):
    """A guard in hand."""

    origin: int
    left: int


class Robbing(Step, frozen=True, gc=False):
    """Whose blackmail card (chapel)."""


class Plucking(Step, frozen=True, gc=False):
    """One of his cards, unseen."""

    victim: int


class Drawing(Step, frozen=True, gc=False):
    """Blackmail cards come from the pile, seen by one player."""

    left: int
    drawn: tuple[str, ...] = ()


class Sorting(Step, frozen=True, gc=False):
    """Of the drawn cards some are kept."""

    drawn: tuple[str, ...]


class Shedding(Step, frozen=True, gc=False):
    """Too many cards in hand (R59)."""


# -- trades (R36) -------------------------------------------------------------------------------


class Bargain(Step, frozen=True, gc=False):
    """An offer in the making."""

    seat: int
    gives: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


class Answer(Step, frozen=True, gc=False):
    """The other side agrees or refuses."""

    seat: int
    gives: tuple[str, ...]
    asks: tuple[str, ...]


# -- blackmail (R35) ----------------------------------------------------------------------------


class Aiming(Step, frozen=True, gc=False):
    """Whom or where the card hits."""

    card: str


class Seizing(Step, frozen=True, gc=False):
    """The Scapegoat picks an object of the searched player (X2)."""

    seat: int


class Surrendering(Step, frozen=True, gc=False):
    """Each of these players gives something up: to the Scapegoat (X6) or to the board (X10)."""

    card: str
    seats: tuple[int, ...]


class Bringing(Step, frozen=True, gc=False):
    """Guards come to one place (X3); the first is a must."""

    place: int
    left: int
    first: bool = True


AnyStep = (
    Tiles | Faces | Posts | Cells | Lot | Card | Spot | Naming | Consent | Reward | Guard | Talk
    | Ballot | Tie | Fate | Acting | Over | Paying | Taking | Lifting | Posting | Robbing
    | Plucking | Drawing | Sorting | Shedding | Bargain | Answer | Aiming | Seizing
    | Surrendering | Bringing
)  # fmt: skip

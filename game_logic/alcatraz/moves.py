"""What a prisoner can say or do. Places, objects and cards go by their ids; seats count from 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from game_logic.core import Drawn, Move

CASH = "cash"  # beside the ids of objects, wherever "1 object or 1 Cash" is meant


# -- the election (R17–R20), and the last choice of all (R65) -----------------------------------


class CallVote(Move, frozen=True, gc=False):
    """The Scapegoat ends the talks; so does the clock (R18)."""


class Vote(Move, frozen=True, gc=False):
    """For whom: as Scapegoat, or at the very end to stay behind."""

    seat: int


class Choose(Move, frozen=True, gc=False):
    """The previous Scapegoat breaks a tie (R20)."""

    seat: int


# -- actions (R29–R38) --------------------------------------------------------------------------


class Walk(Move, frozen=True, gc=False):
    to: str


class Use(Move, frozen=True, gc=False):
    """The function of the location one is in."""


class Steal(Move, frozen=True, gc=False):
    seat: int
    what: str


class Riot(Move, frozen=True, gc=False):
    origin: str


class Complete(Move, frozen=True, gc=False):
    """The task that lies here."""


class Discard(Move, frozen=True, gc=False):
    what: str


class Blackmail(Move, frozen=True, gc=False):
    card: str


class Offer(Move, frozen=True, gc=False):
    """Begins a trade with a player in the same location."""

    seat: int


class Bribe(Move, frozen=True, gc=False):
    pass


class UseStamina(Move, frozen=True, gc=False):
    pass


class EndTurn(Move, frozen=True, gc=False):
    pass


# -- what an action goes on to ask --------------------------------------------------------------


class Pay(Move, frozen=True, gc=False):
    what: str


class Take(Move, frozen=True, gc=False):
    what: str


class Lift(Move, frozen=True, gc=False):
    """A guard is taken in hand …"""

    origin: str


class Post(Move, frozen=True, gc=False):
    """… and set down."""

    to: str


class Stop(Move, frozen=True, gc=False):
    """No second guard (A22, X3)."""


class Target(Move, frozen=True, gc=False):
    seat: int


class At(Move, frozen=True, gc=False):
    place: str


class Seize(Move, frozen=True, gc=False):
    """The object that a searched player discards (X2)."""

    what: str


class Surrender(Move, frozen=True, gc=False):
    """What a blackmailed player gives up himself (X6, X10)."""

    what: str


class Bring(Move, frozen=True, gc=False):
    """A guard comes to the location of the tip-off (X3)."""

    origin: str


class Shed(Move, frozen=True, gc=False):
    """A blackmail card goes to the discards, face up."""

    card: str


class Spend(Move, frozen=True, gc=False):
    """The next object of a task: whose token (A33)."""

    seat: int
    what: str


class Agree(Move, frozen=True, gc=False):
    pass


class Refuse(Move, frozen=True, gc=False):
    pass


class Give(Move, frozen=True, gc=False):
    what: str


class Ask(Move, frozen=True, gc=False):
    what: str


class Propose(Move, frozen=True, gc=False):
    pass


class Withdraw(Move, frozen=True, gc=False):
    pass


AnyMove = (
    CallVote | Vote | Choose | Walk | Use | Steal | Riot | Complete | Discard | Blackmail | Offer
    | Bribe | UseStamina | EndTurn | Pay | Take | Lift | Post | Stop | Target | At | Seize
    | Surrender | Bring | Shed | Spend | Agree | Refuse | Give | Ask | Propose | Withdraw | Drawn
)  # fmt: skip

CALL_VOTE, USE, COMPLETE, BRIBE, STAMINA, END = (
    CallVote(), Use(), Complete(), Bribe(), UseStamina(), EndTurn()
)  # fmt: skip
STOP, AGREE, REFUSE, PROPOSE, WITHDRAW = Stop(), Agree(), Refuse(), Propose(), Withdraw()


class Ready:
    """Every move that names something of the box, made once: `moves` only hands them out."""

    def __init__(
        self, places: Iterable[str], objects: Iterable[str], cards: Iterable[str], seats: int
    ) -> None:
        places, objects = tuple(places), tuple(objects)
        goods = (*objects, CASH)
        self.walk = tuple(map(Walk, places))
        self.riot = tuple(map(Riot, places))
        self.lift = tuple(map(Lift, places))
        self.post = tuple(map(Post, places))
        self.bring = tuple(map(Bring, places))
        self.at = tuple(map(At, places))
        self.location = tuple(Drawn("location", place) for place in places)
        self.vote = tuple(map(Vote, range(seats)))
        self.choose = tuple(map(Choose, range(seats)))
        self.offer = tuple(map(Offer, range(seats)))
        self.target = tuple(map(Target, range(seats)))
        self.steal = [{what: Steal(seat, what) for what in goods} for seat in range(seats)]
        self.spend = [{what: Spend(seat, what) for what in objects} for seat in range(seats)]
        self.discard: Mapping[str, Move] = {what: Discard(what) for what in objects}
        self.take: Mapping[str, Move] = {what: Take(what) for what in objects}
        self.seize: Mapping[str, Move] = {what: Seize(what) for what in objects}
        self.pay: Mapping[str, Move] = {what: Pay(what) for what in goods}
        self.surrender: Mapping[str, Move] = {what: Surrender(what) for what in goods}
        self.give: Mapping[str, Move] = {what: Give(what) for what in goods}
        self.ask: Mapping[str, Move] = {what: Ask(what) for what in goods}
        self.blackmail: Mapping[str, Move] = {card: Blackmail(card) for card in cards}
        self.shed: Mapping[str, Move] = {card: Shed(card) for card in self.blackmail}

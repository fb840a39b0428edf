"""Everything that somebody at the table may do. Squares, people, cards and kinds are ids."""

from __future__ import annotations

from game_logic.core import Drawn, Move, Rolled

# -- set-up, and the change to phase 2 ------------------------------------------------------------


class Choose(Move, frozen=True, gc=False):
    """Play this leader (R15)."""

    leader: str


class KeepPlan(Move, frozen=True, gc=False):
    """Scofield keeps one of the escape cards he drew (R16)."""

    plan: str


class Announce(Move, frozen=True, gc=False):
    """Scofield tells which externals are to be recruited (R18)."""

    externals: tuple[str, ...]


class Declare(Move, frozen=True, gc=False):
    """Scofield declares the team complete (R36)."""


class Vote(Move, frozen=True, gc=False):
    """For the player at `seat` to be eliminated (A15)."""

    seat: int


class Eliminate(Move, frozen=True, gc=False):
    """Scofield decides a tie (A15)."""

    seat: int


class Show(Move, frozen=True, gc=False):
    """An eliminated player lays down an object or a card that only he knew (A17)."""

    what: str


class ShowPlan(Move, frozen=True, gc=False):
    """Scofield lays the escape card open: the escape has succeeded."""

    plan: str


class NotYet(Move, frozen=True, gc=False):
    """Scofield's escape card is none of those that are fulfilled."""


# -- the two actions of a turn -------------------------------------------------------------------


class DrawCard(Move, frozen=True, gc=False):
    """R22, R44, R45."""


class AddGuard(Move, frozen=True, gc=False):
    """R23: the die says where."""


class RaiseGuilt(Move, frozen=True, gc=False):
    """R24, R45."""


class LoseObject(Move, frozen=True, gc=False):
    """R25, R45."""

    object: str


class LowerGuilt(Move, frozen=True, gc=False):
    """R26."""


class Walk(Move, frozen=True, gc=False):
    """R27: the squares between are named only as far as they matter, by Mark."""

    to: str


class Mark(Move, frozen=True, gc=False):
    """Put an escape token on a place that the walk has passed (R41, A43)."""

    place: str


class Done(Move, frozen=True, gc=False):
    """No more marks, or nothing more to do here."""


# -- after a walk --------------------------------------------------------------------------------


class Search(Move, frozen=True, gc=False):
    """R29: look at the object token here."""


class Take(Move, frozen=True, gc=False):
    """R29, R30: keep it; with full hands leave one of one's own there."""

    leaving: str | None = None


class Leave(Move, frozen=True, gc=False):
    """R29: put it back, face down."""


class ThrowAway(Move, frozen=True, gc=False):
    """R31: it is a blank."""


class PickUp(Move, frozen=True, gc=False):
    """A18."""

    tool: str


class PlaceTool(Move, frozen=True, gc=False):
    """Put the camera or tower here out of order (R42)."""

    tool: str


class Recruit(Move, frozen=True, gc=False):
    """R32."""

    external: str


class Bribe(Move, frozen=True, gc=False):
    """R33, R45: give the object of the guard's logo; the guard goes."""

    guard: str


class Give(Move, frozen=True, gc=False):
    """Option `trade` (A26)."""

    object: str
    to: str


# -- cards ---------------------------------------------------------------------------------------


class KeepCard(Move, frozen=True, gc=False):
    """R8."""


class UseCard(Move, frozen=True, gc=False):
    """R8, A29. The card that sends a guard away names which."""

    card: str
    guard: str | None = None


class Peek(Move, frozen=True, gc=False):
    """Card c08: look at the object token on that square."""

    at: str


# -- guards, cameras, towers ---------------------------------------------------------------------


class PlaceGuard(Move, frozen=True, gc=False):
    """R23: a guard with this logo, there."""

    guard: str
    at: str


class LoseTurn(Move, frozen=True, gc=False):
    """R45."""


class Flee(Move, frozen=True, gc=False):
    """R48: an expelled member chooses among the squares the die leaves him."""

    to: str


class Patrol(Move, frozen=True, gc=False):
    """R44: Bellick moves a guard."""

    guard: str
    origin: str
    to: str


class SwitchOn(Move, frozen=True, gc=False):
    """R44: Bellick lights "camera_1" … "tower_5"."""

    device: str


class NameDrawer(Move, frozen=True, gc=False):
    """A25: Bellick drew a card that hits "the drawer"."""

    person: str


# -- second thoughts -----------------------------------------------------------------------------


class Confirm(Move, frozen=True, gc=False):
    """Do what cannot be made good again (A27, A42)."""


class Reconsider(Move, frozen=True, gc=False):
    """Do not."""


Final = LoseObject | Bribe | Recruit | PlaceTool

AnyMove = (
    Choose
    | KeepPlan
    | Announce
    | Declare
    | Vote
    | Eliminate
    | Show
    | ShowPlan
    | NotYet
    | DrawCard
    | AddGuard
    | RaiseGuilt
    | LoseObject
    | LowerGuilt
    | Walk
    | Mark
    | Done
    | Search
    | Take
    | Leave
    | ThrowAway
    | PickUp
    | PlaceTool
    | Recruit
    | Bribe
    | Give
    | KeepCard
    | UseCard
    | Peek
    | PlaceGuard
    | LoseTurn
    | Flee
    | Patrol
    | SwitchOn
    | NameDrawer
    | Confirm
    | Reconsider
    | Rolled
    | Drawn
)

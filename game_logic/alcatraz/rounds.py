"""The round: a new guard, the election of the Scapegoat, and one turn for everybody (R13)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz.box import Box, swap
from game_logic.alcatraz.handling import ACTING, Handler
from game_logic.alcatraz.moves import CALL_VOTE, Vote
from game_logic.alcatraz.moves import Choose as ChooseMove
from game_logic.alcatraz.state import IDLE, Prison, Turn
from game_logic.alcatraz.steps import Ballot, Fate, Guard, Over, Talk, Tie
from game_logic.core import Move


def begin_turn(box: Box, s: Prison, seat: int) -> Prison:
    """R26; X5 takes 1 AP off, but never the last one."""
    points = box.settings.ap
    ap = points.p3 if len(s.seats) == 3 else points.p4
    if seat == s.scapegoat:
        ap += s.bonus
    if seat in s.duty:
        ap = max(1, ap - 1)
    return replace(s, turn=Turn(seat, ap), step=ACTING)


def end_turn(box: Box, s: Prison) -> Prison:
    """The next one clockwise (R25), or a new round (R28)."""
    seat = (s.turn.seat + 1) % len(s.seats)
    if seat != s.scapegoat:
        return begin_turn(box, s, seat)
    over = sum(s.guards) + 1 >= box.settings.guards_total  # R2
    return replace(
        s,
        step=Over(None) if over else Guard(),
        round=s.round + 1,
        turn=IDLE,
        closed=(),
        watched=(),
        duty=(),
    )


class TalkHandler(Handler[Talk]):
    def who(self, s: Prison, step: Talk) -> tuple[int, ...]:
        return (s.scapegoat,)

    def moves(self, s: Prison, step: Talk, seat: int) -> Sequence[Move]:
        return (CALL_VOTE,)

    def explain(self, s: Prison, step: Talk, move: Move, seat: int) -> str:
        return "vote_not_called" if isinstance(move, Vote) else "not_now"

    def after(self, s: Prison, step: Talk, move: Move, seat: int) -> Prison:
        return replace(s, step=Ballot((None,) * len(s.seats)))


class BallotHandler(Handler[Ballot]):
    """R19: in any order, and a vote may be changed until the last one is in."""

    def who(self, s: Prison, step: Ballot) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(s.seats)) if seat not in step.tied)

    def moves(self, s: Prison, step: Ballot, seat: int) -> Sequence[Move]:
        given = step.votes[seat]
        votes = self.box.ready.vote
        return [votes[to] for to in step.tied or range(len(s.seats)) if to != given]

    def explain(self, s: Prison, step: Ballot, move: Move, seat: int) -> str:
        if not isinstance(move, Vote):
            return "vote_first"
        if move.seat == step.votes[seat]:
            return "same_vote"
        return "not_tied" if step.tied and 0 <= move.seat < len(s.seats) else "no_such_player"

    def after(self, s: Prison, step: Ballot, move: Move, seat: int) -> Prison:
        assert isinstance(move, Vote)
        votes = swap(step.votes, seat, move.seat)
        cast = [vote for vote in votes if vote is not None]
        if len(cast) < len(self.who(s, step)):
            return replace(s, step=Ballot(votes, step.tied))
        if step.tied:
            return self._stays(s, most_named(cast))
        s = replace(s, votes=tuple(cast))
        ahead = most_named(cast)
        return elected(self.box, s, ahead[0]) if len(ahead) == 1 else replace(s, step=Tie(ahead))

    def _stays(self, s: Prison, ahead: tuple[int, ...]) -> Prison:
        """A26."""
        return replace(s, step=Over(ahead[0]) if len(ahead) == 1 else Fate(ahead))


def most_named(votes: Sequence[int]) -> tuple[int, ...]:
    most = max(map(votes.count, votes))
    return tuple(sorted({seat for seat in votes if votes.count(seat) == most}))


class TieHandler(Handler[Tie]):
    def who(self, s: Prison, step: Tie) -> tuple[int, ...]:
        return (s.scapegoat,)

    def moves(self, s: Prison, step: Tie, seat: int) -> Sequence[Move]:
        return [self.box.ready.choose[tied] for tied in step.tied]

    def explain(self, s: Prison, step: Tie, move: Move, seat: int) -> str:
        return "not_tied" if isinstance(move, ChooseMove) else "not_now"

    def after(self, s: Prison, step: Tie, move: Move, seat: int) -> Prison:
        assert isinstance(move, ChooseMove)
        return elected(self.box, s, move.seat)


def elected(box: Box, s: Prison, seat: int) -> Prison:
    """R21: the bonus grows while the same player stays Scapegoat."""
    bonuses = box.settings.scapegoat_bonus
    if seat == s.scapegoat:
        bonus = bonuses[min(bonuses.index(s.bonus) + 1, len(bonuses) - 1)]
    else:
        bonus = bonuses[0]
    return begin_turn(box, replace(s, scapegoat=seat, bonus=bonus), seat)

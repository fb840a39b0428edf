"""Mistakes that people make at a table, each a way to begin a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from firmware_host.people.mistakes import attempt_shows, lifted, misplaced, two_show
from firmware_host.sighting import changed, seen_change
from game_logic.core import CHANCE, Act, Game, Image, Piece

if TYPE_CHECKING:
    from firmware_host.people.hands import Hands

SLIDE = 0.15  # s that the pieces of one move take to their places
HOVER = 0.08  # s that a piece is put down in passing
HOLD = (1.0, 5.0)  # s that a slow hand keeps a piece, at least and at most
BETWEEN = 0.1  # s between two moves made in one go


class Carried(NamedTuple):
    """A move of pieces that sensors see: the board before and after it, what has a name in it."""

    act: Act
    before: Image
    after: Image
    named: list[Piece]


Mistake = Callable[["Hands", Game[Any]], bool]  # False: it does not fit this moment


def refused(hands: Hands, game: Game[Any]) -> bool:
    """Something that people commonly try, and may not."""
    attempts = list(game.attempts(hands.truth))
    if not attempts:
        return False
    attempt = attempts[hands.below(len(attempts))]
    if not attempt_shows(game, hands.truth, attempt, hands.past, hands.like):
        return False
    hands.show(attempt.signs, attempt.image, 0.0)
    hands.go_astray("a refused move")
    return True


def together(hands: Hands, game: Game[Any]) -> bool:
    """Two moves in one go."""
    first = hands.choose(game, hands.truth)
    after = game.play(hands.truth, first.move, first.by)
    if game.to_act(after) in ((), (CHANCE,)) or hands.unseen(game, hands.truth, first):
        return False
    second = hands.choose(game, after)
    tidy = game.by_hand(hands.truth, first.move, after) == game.image(after)
    if not tidy or not two_show(game, hands.truth, first, second, hands.like):
        return False
    hands.play(game, first, 0.0)
    hands.play(game, second, SLIDE + BETWEEN)
    return True


def taken_back(hands: Hands, game: Game[Any]) -> bool:
    """The last move was not meant: the pieces are put back."""
    if not hands.past or hands.past[0] != hands.before:
        return False
    now = game.image(hands.record.state)
    hands.put_back(game, board := game.image(hands.before))
    if not seen_change(board, now, hands.like):
        hands.press("undo")  # there is nothing to see of it
    hands.think(1.5)
    return True


def hesitant(hands: Hands, game: Game[Any]) -> bool:
    """A piece is put down in passing on another space, and goes on to where it is meant."""
    carried = _carried(hands, game)
    if carried is None:
        return False
    empty = [s for s in hands.like.spaces if s not in carried.before and s not in carried.after]
    if not carried.named or not empty:
        return False
    there, world = empty[hands.below(len(empty))], hands.sim.world
    world.put(there, (carried.named[0],))
    hands.sim.agenda.after(HOVER, lambda: world.put(there, ()))
    hands.play(game, carried.act, HOVER)
    return True


def slow(hands: Hands, game: Game[Any]) -> bool:
    """A piece is lifted, and lands only when its owner has thought again."""
    carried = _carried(hands, game)
    if carried is None:
        return False
    air = lifted(carried.before, carried.after)
    if not seen_change(carried.before, air, hands.like):
        return False
    hands.sim.world.arrange(air)
    low, high = HOLD
    hands.play(game, carried.act, low + (high - low) * hands.below(1000) / 1000)
    return True


def wrong_square(hands: Hands, game: Game[Any]) -> bool:
    """The piece that is meant to move lands where it may not."""
    carried = _carried(hands, game)
    if carried is None or not carried.named:
        return False
    piece = carried.named[0]
    boards = misplaced(game, hands.truth, piece, hands.past, hands.like)
    if not boards:
        return False
    hands.go_astray(f"{piece.id} on a wrong square")
    hands.sim.world.slide(boards[hands.below(len(boards))], SLIDE)
    return True


def _carried(hands: Hands, game: Game[Any]) -> Carried | None:
    """What somebody is about to do, if it is done with pieces alone."""
    act = hands.choose(game, hands.truth)
    if hands.unseen(game, hands.truth, act) or game.signs(hands.truth, act.move):
        return None
    before = game.image(hands.truth)
    after = game.by_hand(hands.truth, act.move, game.play(hands.truth, act.move, act.by))
    named = [p for s in sorted(changed(before, after)) for p in after.get(s, ()) if p.id]
    return Carried(act, before, after, named)


MISTAKES: dict[str, Mistake] = {
    "refused": refused,
    "together": together,
    "taken back": taken_back,
    "hesitant": hesitant,
    "slow": slow,
    "wrong square": wrong_square,
}

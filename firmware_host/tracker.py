"""What the sensors saw -> which move was made.

The board is the truth about what happened, the rules about what may happen. When the board does
not look as the state says, `explain` searches the legal moves, and short sequences of them, for
what makes it look so. It knows no game: all it asks comes through the Game protocol.

The search is a generator that pauses every few nodes, so that a crowded board never stalls the
loop that drives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from firmware_host.mending import Instruction, instructions, surplus
from firmware_host.search import Node, search, unexplained
from firmware_host.sighting import Sightings, all_seen, changed, fit, seen_change, unfit
from game_logic.core import Act, Game, Illegal, Image, Move, Text

NEAR = 3  # intents that hands take back without a word; a look of long ago is more likely chance


class Still(NamedTuple):
    """The board is as the state says."""


class Found(NamedTuple):
    """One explanation. Provisional: the hand may still go on to another space. Aloft: all that is
    seen of it, or of one of several moves, is that a piece is gone, which may be in the hand."""

    acts: tuple[Act, ...]
    provisional: bool = False
    aloft: bool = False


class TakenBack(NamedTuple):
    """The pieces stand as they did so many intents ago. Aloft: all there is to see of it is that
    one is gone, and it may be in the hand, or its sensor lie."""

    intents: int
    aloft: bool = False


class Asked(NamedTuple):
    """Several explanations: people must say which."""

    options: tuple[Found | TakenBack, ...]


class Ahead(NamedTuple):
    """The pieces are ahead of a choice that no sensor sees: one of these acts comes first."""

    choices: tuple[Act, ...]


class Begun(NamedTuple):
    """Cards were shown that are a part of something: the rest may follow."""


class Past(NamedTuple):
    """A state that may be gone back to, and what was done from it to the one after it."""

    state: Any
    acts: tuple[Act, ...] = ()


class Mend(NamedTuple):
    """Nothing legal explains the board: what to put right, nearest first, and why if we know.

    No steps: the sensors see only what passed (`signs`), and cannot tell how it is mended. `back`:
    it may also be meant as a takeback, which the undo button says. `aloft`: pieces that may be
    moved have been lifted, and that is all.
    """

    steps: tuple[Instruction, ...]
    why: Text | None = None
    signs: tuple[str, ...] = ()
    back: TakenBack | None = None
    aloft: bool = False


Verdict = Still | Found | TakenBack | Asked | Ahead | Begun | Mend


def explain(
    game: Game[Any],
    state: Any,
    sightings: Sightings,
    past: Sequence[Past] = (),
    *,
    mending: bool = False,
) -> Generator[None, None, Verdict]:
    """The verdict on what the sensors say; `past` is what may be taken back to, the newest first
    (the state before the last intent is past[0]).

    `mending`: something was already found wrong. Pieces then pass openings on their way back, so
    a board that is right again is right, and nothing is inferred from pieces alone.
    """
    image = game.image(state)
    signs = tuple(s for s in sightings.signs if s in sightings.sensed)
    off = unfit(image, sightings)
    if not off and (mending or not signs):
        return Still()
    start = Node(state, image, (), signs, 0)
    candidates = yield from search(game, start, off, sightings)
    come = any(surplus(image, space, sightings.at(space)) for space in off)
    if come and all(node.hidden for node in candidates):  # or there is none
        through = yield from search(game, start, off, sightings, depth=2, through=True)
        states = {node.state for node in through}
        candidates = [n for n in candidates if n.state not in states] + through
    # One thing that the rules refuse is likelier than two moves made in one go.
    one_move = any(len(node.acts) == 1 for node in candidates)
    why, passes = (None, False) if one_move else _why(game, state, sightings)
    back = _taken_back(game, off, sightings, past)
    near = back is not None and back.intents <= NEAR
    if why is not None and (passes or not near):
        # People take a move back by putting the pieces back. But a knot that goes in where one was
        # just ejected is forbidden, though the wall then looks as before; and the switch of the
        # opening may have missed it.
        return Mend(instructions(game, state, sightings), why, signs, back)
    if not candidates and not off and _begins(game, state, signs, sightings):
        return Begun()
    if not candidates and not off:
        # Something passed, and every piece is where it was: a sleeve, where sensors watch pieces.
        return Still() if sightings.spaces else Mend((), None, signs)
    if sightings.shaken and signs and off:  # of these, some may have been missed or seen twice
        states = {node.state for node in candidates}
        alone = yield from _by_pieces_alone(game, start, off, sightings)
        candidates += [node for node in alone if node.state not in states]
    if not candidates and not near and not mending:
        candidates = yield from _by_pieces_alone(game, start, off, sightings)
        if candidates and not signs:  # nothing passed: it may as well be a sensor that lies
            found = tuple(Found(node.acts) for node in candidates)
            return Asked(found if back is None else (*found, back))
    options: list[Found | TakenBack] = [Found(c.acts) for c in candidates]
    if back is not None:
        options.append(back)
    aloft = not signs and not come and _aloft(game, state, image, off)
    if not options:
        return Mend(instructions(game, state, sightings), None, signs, aloft=aloft)
    if len(options) > 1:
        firsts = tuple(dict.fromkeys(c.acts[0] for c in candidates))
        if back is None and all(c.hidden for c in candidates):
            return Ahead(firsts)
        return Asked(tuple(options))
    if back is not None:
        sure = near and not aloft and not sightings.shaken and not sightings.lost
        passed = signs if not mending else ()
        undone = past[: back.intents]
        if not sure or not _came_out(game, undone, passed, sightings):
            return Asked((back,))
        images = [image, *(game.image(before) for before, _ in undone)]
        gone = any(_only_gone(*pair, sightings) for pair in pairwise(images))
        return back._replace(aloft=gone and not passed)
    (only,) = candidates
    if only.hidden:
        return Ahead(only.acts[:1])
    if _doubtful(image, only.board, sightings):
        return Asked((Found(only.acts),))
    # Whether more cards are in the hand is nobody's business, so after each there is time for one.
    aloft = aloft or (len(only.acts) > 1 and _half_seen(game, state, only.acts, sightings))
    goes_on = aloft or not sightings.cards.isdisjoint(signs)
    return Found(only.acts, goes_on or _may_go_on(game, state, only.acts), aloft)


def _doubtful(before: Image, after: Image, sightings: Sightings) -> bool:
    """Is what would have told it from something else out? A tag that is read beside a reader which
    does not answer may lie on that one still."""
    return sightings.shaken or not sightings.lost.isdisjoint(changed(before, after))


def _begins(game: Game[Any], state: Any, signs: tuple[str, ...], sightings: Sightings) -> bool:
    """Are these cards some of those that a legal move shows?"""
    cards = Counter(signs)
    return sightings.cards.issuperset(signs) and any(
        cards < Counter(game.signs(state, move))
        for by in game.to_act(state)
        for move in (game.moves(state, by) if by >= 0 else ())
    )


def _by_pieces_alone(
    game: Game[Any], start: Node, off: frozenset[str], sightings: Sightings
) -> Generator[None, None, list[Node]]:
    """A switch may miss a knot, be closed twice by one, or another be brushed by a sleeve: one move
    that the pieces show may be meant, unless what the switches saw contradicts it."""
    alone = start._replace(signs=())
    found = yield from search(game, alone, off, Sightings(sightings.spaces), depth=1)
    if not start.signs:
        return found
    return [n for n in found if set(_sure(game, start.state, n.acts[0])) <= set(start.signs)]


def _sure(game: Game[Any], state: Any, act: Act) -> tuple[str, ...]:
    return tuple(s for s in game.signs(state, act.move) if not s.endswith("?"))


def _taken_back(
    game: Game[Any], off: frozenset[str], sightings: Sightings, past: Sequence[Past]
) -> TakenBack | None:
    if not off:
        return None
    for n, (state, _) in enumerate(past):
        if fit(game.image(state), sightings):
            return TakenBack(n + 1)
    return None


def _came_out(
    game: Game[Any], undone: Sequence[Past], passed: Sequence[str], sightings: Sightings
) -> bool:
    """What went in through an opening comes out through it: has all of it passed?"""
    went = sum((passed_by(game, *past, sightings) for past in undone), Counter[str]())
    return went <= Counter(passed) and (bool(passed) or sightings.sensed <= sightings.cards)


def passed_by(
    game: Game[Any], state: Any, acts: Sequence[Act], sightings: Sightings
) -> Counter[str]:
    """The openings with a switch that these moves have passed for sure."""
    passed = Counter[str]()
    for act in acts:
        passed.update(s for s in _sure(game, state, act) if s in sightings.sensed)
        state = game.play(state, act.move, act.by)
    for card in sightings.cards:
        del passed[card]
    return passed


def _may_go_on(game: Game[Any], state: Any, acts: tuple[Act, ...]) -> bool:
    """Could the piece moved last be on its way to another space?"""
    for act in acts[:-1]:
        state = game.play(state, act.move, act.by)
    last = acts[-1]
    before = game.image(state)

    def lifted(move: Move) -> tuple[tuple[str, str, str | None], ...]:
        after = game.play(state, move, last.by)
        return _lifted(before, game.by_hand(state, move, after))

    moved = lifted(last.move)
    return bool(moved) and any(
        move != last.move and lifted(move) == moved for move in game.moves(state, last.by)
    )


def _aloft(game: Game[Any], state: Any, image: Image, off: frozenset[str]) -> bool:
    """Could the pieces that are gone be on their way by a legal move? A switch cannot tell a pawn
    in the hand from one that joined another on its square."""
    for by in game.to_act(state):
        for move in game.moves(state, by) if by >= 0 else ():
            if game.secret(state, move, by):
                continue
            board = game.by_hand(state, move, game.play(state, move, by))
            if off and off <= {space for space, _, _ in _lifted(image, board)}:
                return True
    return False


def _half_seen(game: Game[Any], state: Any, acts: tuple[Act, ...], sightings: Sightings) -> bool:
    """Is one of these moves seen only where it left from? Its switch may lie, or it is in the hand,
    while another hand has moved."""
    for act in acts:
        after = game.play(state, act.move, act.by)
        if _only_gone(game.image(state), game.by_hand(state, act.move, after), sightings):
            return True
        state = after
    return False


def _only_gone(before: Image, after: Image, sightings: Sightings) -> bool:
    """Between these boards, is all there is to see that something has gone?"""
    seen = {space: sightings.at(space) for space in seen_change(before, after, sightings)}
    there = all_seen(after, seen)
    return bool(seen) and not any(surplus(before, space, there[space]) for space in seen)


def _lifted(before: Image, after: Image) -> tuple[tuple[str, str, str | None], ...]:
    """The pieces that leave a space between two images, and nothing comes in their place."""
    gone = []
    for space in changed(before, after):
        there, left = before.get(space, ()), after.get(space, ())
        if len(left) < len(there):
            stay = [(p.kind, p.id) for p in left]
            gone += [(space, p.kind, p.id) for p in there if (p.kind, p.id) not in stay]
    return tuple(sorted(gone, key=str))


def refusals(game: Game[Any], state: Any) -> tuple[Text, ...]:
    """Why what hands commonly try may not be done now, each reason once."""
    reasons = {}
    for attempt in game.attempts(state):
        try:
            game.play(state, attempt.move, attempt.by)
        except Illegal as refusal:
            reasons[refusal.text] = refusal.code
    return tuple(reasons)


def _why(game: Game[Any], state: Any, sightings: Sightings) -> tuple[Text | None, bool]:
    """The rule that refuses what the hands did, if it is something that hands commonly do; and
    whether that would pass a switch, which may have missed it."""
    signs = tuple(s for s in sightings.signs if s in sightings.sensed)
    for attempt in game.attempts(state):
        sure = {s for s in attempt.signs if s in sightings.sensed}
        passes = bool(sure) and (not signs or sure <= set(signs))  # missed, or seen twice
        if not passes and () not in unexplained(attempt.signs, signs, sightings):
            continue
        if fit(attempt.image, sightings):
            try:
                game.play(state, attempt.move, attempt.by)
            except Illegal as refusal:
                return refusal.text, passes
    return None, False

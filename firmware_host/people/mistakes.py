"""What people do wrong at a table, and whether its sensors could tell it from something right.

A wrong board that looks to the sensors just like a right one is nobody's mistake to find: simulated
people leave those out, and every other must be noticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from firmware_host.sighting import Sightings, all_seen, changed
from game_logic.core import CHANCE, Act, Attempt, Game, Image, Piece

REACHED = 400  # boards that people think of before they call a piece misplaced


def looks(image: Image, like: Sightings) -> tuple[tuple[str, object], ...]:
    """The board as this table's sensors would see it, nothing covered."""
    return tuple(sorted(all_seen(image, like.spaces).items()))


def single_moves(game: Game[Any], state: Any) -> Iterable[tuple[Image, Image, tuple[str, ...]]]:
    """For every legal move made openly: the board as the hand leaves it, tidied up, and signs."""
    for by in game.to_act(state):
        for move in game.moves(state, by) if by != CHANCE else ():
            after = game.play(state, move, by)
            yield game.by_hand(state, move, after), game.image(after), game.signs(state, move)


def attempt_shows(
    game: Game[Any], state: Any, attempt: Attempt, past: Iterable[Any], like: Sightings
) -> bool:
    """Does the refused attempt look like nothing legal, and like nothing taken back?"""
    signs = tuple(s for s in attempt.signs if s.rstrip("?") in like.sensed)
    board = looks(attempt.image, like)
    if not signs:
        if board == looks(game.image(state), like):
            return False  # there is nothing to see of it
        if any(looks(game.image(before), like) == board for before in past):
            return False
    first = tuple(s for s in signs if not s.endswith("?"))[:1]
    for left, tidy, shown in single_moves(game, state):
        same_signs = tuple(s for s in shown if s in like.sensed)[:1] == first
        if same_signs and board in (looks(left, like), looks(tidy, like)):
            return False
    return True


def two_show(game: Game[Any], before: Any, first: Act, second: Act, like: Sightings) -> bool:
    """Can two moves made in one go be told from one, from none, and from a refused attempt?"""
    middle = game.play(before, first.move, first.by)
    after = game.play(middle, second.move, second.by)
    boards = [
        looks(game.image(before), like),
        looks(game.by_hand(before, first.move, middle), like),
        looks(game.by_hand(middle, second.move, after), like),
    ]
    signs = [_sure(game, state, act, like) for state, act in ((before, first), (middle, second))]
    if all(signs):  # each passes an opening; where cells are blind, one must not look like a fall
        falls = game.signs(before, first.move)
        cards = Counter(signs[0] + signs[1])
        if like.cards.issuperset(cards):  # shown together they may be one thing
            return all(Counter(shown) != cards for _, _, shown in single_moves(game, before))
        return bool(like.spaces) or f"{signs[1][0]}?" not in falls
    if any(signs) or len(set(boards)) < 3:
        return False
    reached = {look for one in single_moves(game, before) for look in _both(one, like)}
    tried = {looks(attempt.image, like) for attempt in game.attempts(before)}
    return boards[2] not in reached | tried


def lifted(before: Image, after: Image) -> Image:
    """The board while whatever moves between the two is in the hand."""
    board = dict(before)
    for space in sorted(changed(before, after)):
        stay = [(p.kind, p.id) for p in after.get(space, ())]
        board[space] = tuple(p for p in before.get(space, ()) if (p.kind, p.id) in stay)
    return board


def misplaced(
    game: Game[Any], state: Any, piece: Piece, past: Iterable[Any], like: Sightings
) -> list[Image]:
    """Boards with this piece on a wrong space, that look like nothing legal: not like a move, not
    like two in a row, and not like a takeback."""
    here = game.image(state)
    bare = {s: tuple(p for p in ps if (p.kind, p.id) != piece_key(piece)) for s, ps in here.items()}
    right = {looks(image, like) for image in (here, bare, *(game.image(s) for s in past))}
    level = [state]
    for _ in range(2):
        level = [after for before in level for after in _after(game, before)][:REACHED]
        right |= {looks(game.image(after), like) for after in level}
        right |= {looks(lifted(here, game.image(after)), like) for after in level}
    boards = [{**bare, s: (piece,)} for s in like.spaces if not here.get(s)]
    return [board for board in boards if looks(board, like) not in right]


def piece_key(piece: Piece) -> tuple[str, str | None]:
    return piece.kind, piece.id


def _after(game: Game[Any], state: Any) -> Iterable[Any]:
    for by in game.to_act(state):
        for move in game.moves(state, by) if by >= 0 else ():
            yield game.play(state, move, by)


def _both(move: tuple[Image, Image, tuple[str, ...]], like: Sightings) -> tuple[object, object]:
    return looks(move[0], like), looks(move[1], like)


def _sure(game: Game[Any], state: Any, act: Act, like: Sightings) -> tuple[str, ...]:
    return tuple(s for s in game.signs(state, act.move) if s in like.sensed)

"""Short sequences of legal moves that make the board look as it does.

The search pauses every few moves, so that a crowded board never stalls the loop that drives it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, NamedTuple

from firmware_host.sighting import Sightings, fit, fits, seen_change
from game_logic.core import CHANCE, Act, Game, Image

DEPTH = 5  # the longest sequence one hand makes in one go
PAUSE = 40  # moves tried between two pauses: a few milliseconds, and some ten on the smallest Pi
MOST = 20_000  # moves tried until the search gives up


class Node(NamedTuple):
    state: Any
    board: Image  # as the last hand left it
    acts: tuple[Act, ...]
    signs: tuple[str, ...]  # not yet explained
    hidden: int  # how many acts no sensor sees
    rests: frozenset[str] = frozenset()  # where a piece stood on its way, and does no more


def search(
    game: Game[Any],
    start: Node,
    off: frozenset[str],
    sightings: Sightings,
    depth: int = DEPTH,
    through: bool = False,
) -> Generator[None, None, list[Node]]:
    """The shortest sequences of legal moves that make the board look as it does, one for each
    state they lead to. `through`: of one piece that moves twice, and rests where nothing is left to
    see of it."""
    level = [start]
    visited = {(start.state, start.signs)}
    nodes = 0
    for _ in range(depth):
        found: dict[Any, Node] = {}
        following: list[Node] = []
        for node in level:
            for child in _children(game, node, off, sightings, through):
                nodes += 1
                if nodes % PAUSE == 0:
                    yield
                if nodes > MOST:
                    return []
                if child is None:
                    continue
                if not child.signs and _looks_like(game, child, sightings):
                    found.setdefault(child.state, child)
                elif (child.state, child.signs) not in visited:
                    visited.add((child.state, child.signs))
                    following.append(child)
        # An act no sensor sees explains nothing by itself, so it may only come first.
        if found:
            plain = [n for n in found.values() if not n.hidden]
            return plain or list(found.values())
        level = following
    return []


def _looks_like(game: Game[Any], node: Node, sightings: Sightings) -> bool:
    """Is this the board before us, as the hand left it or already tidied up?"""
    return fit(node.board, sightings) or fit(game.image(node.state), sightings)


def _children(
    game: Game[Any], node: Node, off: frozenset[str], sightings: Sightings, through: bool
) -> Iterable[Node | None]:
    """What each legal move leads to; None where it explains nothing."""
    before = game.image(node.state)
    for by in game.to_act(node.state):
        for move in game.moves(node.state, by):
            if by >= 0 and game.secret(node.state, move, by):
                continue
            shown = game.signs(node.state, move)
            left = unexplained(shown, node.signs, sightings)
            if not left:
                yield None
                continue
            told = any(len(rest) < len(node.signs) for rest in left)
            if by == CHANCE and not told:
                continue  # dice and draws are never guessed from where pieces stand
            state = game.play(node.state, move, by)
            board = game.by_hand(node.state, move, state)
            seen = seen_change(before, board, sightings)
            # Only what is wrong on the board may change, or what looks the same after it.
            outside = frozenset(
                s for s in seen if s not in off and not fits(board.get(s, ()), sightings.at(s))
            )
            if not told and outside and not (through and _rests(before, board, outside, node)):
                yield None
                continue
            if node.rests and not all(fits(board.get(s, ()), sightings.at(s)) for s in node.rests):
                yield None
                continue  # it stands there still, and would be seen
            unseen = not told and not seen
            if unseen and (node.hidden > 1 or node.hidden != len(node.acts)):
                yield None
                continue  # choices are made before the pieces move
            for rest in left:
                acts = (*node.acts, Act(by, move))
                rests = frozenset() if told else outside
                yield Node(state, board, acts, rest, node.hidden + unseen, rests)


def _rests(before: Image, board: Image, outside: frozenset[str], node: Node) -> bool:
    """Has one piece that has a name of its own come to the one space outside what is wrong, as the
    first thing that happened?"""
    if node.acts or len(outside) != 1:
        return False
    (space,) = outside
    stood = before.get(space, ())
    came = [piece for piece in board.get(space, ()) if piece not in stood]
    return len(came) == 1 and came[0].id is not None


def unexplained(
    shown: tuple[str, ...], signs: tuple[str, ...], sightings: Sightings
) -> list[tuple[str, ...]]:
    """What is left of the signs seen when a move shows these: nothing (an empty list) if they
    contradict, several ways where a sign may show or not ("gate:3_right?")."""
    left = [signs]
    for sign in shown:
        maybe = sign.endswith("?")
        sign = sign.rstrip("?")
        if sign in sightings.sensed:
            anywhere = sign in sightings.cards
            used = [
                rest[: (at := rest.index(sign))] + rest[at + 1 :]
                for rest in left
                if (sign in rest if anywhere else rest[:1] == (sign,))
            ]
            left = used + left if maybe else used
    return left

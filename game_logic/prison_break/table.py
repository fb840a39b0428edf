"""What the table shows: tracks, pieces on spaces, and signs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from game_logic.core import Attempt, Drawn, Game, Image, Move, Piece, Track
from game_logic.prison_break.board import DEVICES
from game_logic.prison_break.box import Box
from game_logic.prison_break.moves import Show, ShowPlan, UseCard, Walk
from game_logic.prison_break.state import LEADERS, NOBODY, NOWHERE, Break, Turn

_ALARM = 5  # so many steps before the end of a scale it becomes alarming
_ON = tuple((Piece(f"{device}_on"),) for device in DEVICES)
_ESCAPE_TOKEN = (Piece("escape_token"),)


def tracks(box: Box, state: Break) -> tuple[Track, ...]:
    days, limit = state.options.days, state.options.guilt_limit
    return (
        Track("countdown", box.texts("countdown"), state.day, days, max(1, days - _ALARM)),
        Track("culpability", box.texts("culpability"), state.guilt, limit, max(1, limit - _ALARM)),
    )


def spaces(box: Box) -> tuple[str, ...]:
    """The squares; then the spaces of cameras, towers, tools and route tokens."""
    board = box.board
    devices = (f"{d}_{n}" for i, d in enumerate(DEVICES) for n in range(1, len(board.watched[i])))
    tools = (f"tool_{tool.id}" for tool in box.tools)
    return (*board.squares, *devices, *tools, *(f"route_{place}" for place in board.places))


def image(box: Box, state: Break) -> Image:
    image: dict[str, tuple[Piece, ...]] = {}
    squares = box.board.squares
    for who, at in enumerate(state.where):
        if at != NOWHERE:
            pawn = Piece("pawn" if who in LEADERS else "external", box.people[who])
            image[squares[at]] = (*image.get(squares[at], ()), pawn)
    for at, logo in state.guards:
        guard = Piece(f"guard_{box.kinds[logo]}")
        image[squares[at]] = (*image.get(squares[at], ()), guard)
    for n, device in enumerate(DEVICES):
        tool = (Piece("tool", box.tools[n].id),)
        if state.lit[n]:
            image[f"{device}_{state.lit[n]}"] = _ON[n]
        if state.broken[n]:
            image[f"{device}_{state.broken[n]}"] = tool
        elif state.tools[n] == NOBODY:
            image[f"tool_{box.tools[n].id}"] = tool
    for place in state.route:
        image[f"route_{box.board.places[place]}"] = _ESCAPE_TOKEN
    return image


def standing(box: Box, state: Break, image: Image) -> Break:
    """People, guards, tools and tokens as they stand. Guards come from those at the side."""
    squares = {square: n for n, square in enumerate(box.board.squares)}
    on = {piece: space for space, pieces in image.items() for piece in pieces}
    where, guards = [NOWHERE] * len(state.where), []
    for space, pieces in image.items():
        for piece in pieces if space in squares else ():
            if piece.kind.startswith("guard_"):
                guards.append((squares[space], box.kinds.index(piece.kind.removeprefix("guard_"))))
            else:
                where[box.people.index(piece.id or "")] = squares[space]
    spare = list(state.spare)
    for _, logo in state.guards:
        spare[logo] += 1
    for _, logo in guards:
        spare[logo] -= 1
    lit, broken, tools = [0, 0], [0, 0], list(state.tools)
    for n, device in enumerate(DEVICES):
        lit[n] = _number(on.get(_ON[n][0]), device)
        lies = on.get(Piece("tool", box.tools[n].id))
        broken[n] = _number(lies, device)
        if lies is not None and not broken[n]:
            tools[n] = NOBODY
    route = [n for n, place in enumerate(box.board.places) if image.get(f"route_{place}")]
    kept = [place for place in state.route if place in route]
    return replace(
        state,
        where=tuple(where),
        guards=tuple(sorted(guards)),
        spare=tuple(spare),
        lit=(lit[0], lit[1]),
        broken=(broken[0], broken[1]),
        tools=(tools[0], tools[1]),
        route=(*kept, *(place for place in route if place not in kept)),
    )


def _number(space: str | None, device: str) -> int:
    """ "camera_3" -> 3; 0 where it is not at one of them."""
    _, found, number = (space or "").rpartition(f"{device}_")
    return int(number) if found else 0


def signs(box: Box, move: Move) -> tuple[str, ...]:
    """A card that is laid open."""
    match move:
        case Drawn(_, card) | UseCard(card) | Show(card) if card in box.cards:
            return (f"card:{card}",)
        case ShowPlan(plan):
            return (f"card:{plan}",)
    return ()


def attempts(box: Box, game: Game[Break], state: Break) -> Iterator[Attempt]:
    """Pawns that hands put on a watched, full or distant square."""
    task = state.todo[-1] if state.todo else None
    if not isinstance(task, Turn):
        return
    seat = state.seat_of(task.who)
    allowed = set(game.moves(state, seat))
    shown = game.image(state)
    here = box.board.squares[state.where[task.who]]
    pawn = next(piece for piece in shown[here] if piece.id == box.people[task.who])
    for square in box.board.squares:
        if square != here and Walk(square) not in allowed:
            image = dict(shown)
            image[here] = tuple(piece for piece in shown[here] if piece != pawn)
            image[square] = (*shown.get(square, ()), pawn)
            yield Attempt(seat, Walk(square), image)

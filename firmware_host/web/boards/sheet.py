"""What a board is drawn on: it knows the names and pieces, and which spaces are drawn already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from firmware_host.web.boards.drawing import (
    NOTHING,
    Box,
    Markup,
    bare,
    group,
    initial,
    rect,
    text,
    title,
)
from firmware_host.web.boards.layout import Layout, Look, words
from firmware_host.web.boards.pieces import spread, stacked, standing
from game_logic.core import Game, Image, Malformed, Piece

SPILL = Box(0, 0, 150, 120)  # a place in the row of spaces that no layout knows


class Drawing(NamedTuple):
    width: float
    height: float
    layers: list[Markup]


class Sheet:
    def __init__(
        self,
        game: Game[Any],
        view: Mapping[str, Any],
        image: Image,
        language: str,
        spaces: Sequence[str],
        layout: Layout,
    ) -> None:
        self.game = game
        self.view = view
        self.image = image
        self.language = language
        # A hand may have put a piece where the game has no space.
        self.spaces = tuple(dict.fromkeys((*spaces, *image)))
        self.layout = layout
        self.labels: dict[str, str] = {}  # written on the piece of that id
        self.fills: dict[str, str] = {}
        self._left = dict.fromkeys(self.spaces)

    # -- words ----------------------------------------------------------------------------------

    def say(self, key: str, **fields: object) -> str:
        return words()(key, **fields).in_(self.language)

    def place(self, space: str) -> str:
        try:
            return self.game.place(space).in_(self.language)
        except (Malformed, KeyError):
            return space

    def short(self, space: str) -> str:
        return bare(self.place(space))

    def piece(self, piece: Piece) -> str:
        try:
            return self.game.piece(piece).in_(self.language)
        except (Malformed, KeyError, StopIteration):
            return piece.id or piece.kind

    def in_words(self) -> str:
        """The whole board for those who cannot see it."""
        standing = (
            f"{self.place(space)}: {', '.join(self.piece(p) for p in self.image[space])}"
            for space in self.spaces
            if self.image.get(space)
        )
        head = self.say("board", game=self.game.title)
        return f"{head}. {'; '.join(standing) or self.say('empty')}."

    # -- pieces and spaces ----------------------------------------------------------------------

    def look(self, piece: Piece) -> Look:
        looks = self.layout.pieces
        look = looks.get(f"{piece.kind}:{piece.id}") or looks.get(piece.kind)
        if look is None:
            look = Look(label=initial(self.piece(piece)))
        label = self.labels.get(piece.id or "", look.label)
        fill = self.fills.get(piece.id or "", look.fill)
        return msgspec.structs.replace(look, label=label, fill=fill)

    def has(self, space: str) -> bool:
        return space in self._left

    def space(
        self,
        id: str,
        drop: Markup,
        stand: Box,
        most: float,
        *decor: Markup,
        name: str | None = None,
    ) -> Markup:
        """A space: what to drop on, what is printed there, and who stands in `stand`, no larger
        than `most`. Nothing if this game's board has no such space."""
        if id not in self._left:
            return NOTHING
        del self._left[id]
        pieces = self.image.get(id, ())
        arranged = stacked if any(piece.covered for piece in pieces) else spread
        size, spots = arranged(len(pieces), stand, most)
        here = [
            standing(piece, n, self.piece(piece), self.look(piece), x, y, size)
            for n, (piece, (x, y)) in enumerate(zip(pieces, spots, strict=True))
        ]
        return group(
            [title(name or self.place(id)), drop, *decor, *here],
            class_="space" if pieces else "space free",
            data_space=id,
        )

    def spill(self, width: float, top: float) -> tuple[float, list[Markup]]:
        """The spaces that are still to be drawn, in rows below the board, and how high they are."""
        left = tuple(self._left)
        if not left:
            return 0.0, []
        columns = max(1, int(width // SPILL.width))
        drawn = [text(20, top + 22, self.say("elsewhere"), 22, "name", "start")]
        for n, id in enumerate(left):
            x, y = n % columns * SPILL.width, top + 44 + n // columns * SPILL.height
            box = Box(x, y, SPILL.width, SPILL.height).within(6)
            label = text(box.middle[0], box.y + 16, self.short(id), 18, "name", room=box.width - 8)
            stand = Box(box.x + 6, box.y + 30, box.width - 12, box.height - 34)
            drawn.append(self.space(id, rect(box, "drop room", 12), stand, 70, label))
        return 44 + -(-len(left) // columns) * SPILL.height, drawn

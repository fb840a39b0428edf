"""A second, slow Breakout, written from docs/rules/breakout.md alone.

It shares no line with game_logic: the wall is a list of lists, ropes are found by walking every
path, and nothing is clever. Tests play it beside the real one.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

DEFAULTS: dict[str, Any] = {
    "knots_per_player": 13,
    "figures_to_win": 3,
    "stalemate_turns": 5,
    "stalemate_unit": "insertion",
    "ko_scope": "owner",
    "angle_rule": "any_bend",
    "closed_cells_usable": True,
    "double_requires_disjoint": True,
    "round_limit": 0,
}
PLAYERS = "XO"

Rope = tuple[int, frozenset[tuple[int, int]]]  # the exit where it ends, and its cells


class Referee:
    """One match. Players are "X" and "O"; openings are (row, "left" | "right")."""

    def __init__(self, starter: str, **options: Any) -> None:
        self.options = DEFAULTS | options
        self.exits: dict[int, str | None] = dict.fromkeys(range(1, 6))
        self.round = 0
        self.winner: str | None = None
        self.happened: list[str] = []
        self.begin_round(starter)

    def begin_round(self, starter: str) -> None:
        self.round += 1
        self.starter = self.turn = starter
        self.wall = [["."] * 5 for _ in range(5)]
        self.stock = dict.fromkeys(PLAYERS, self.options["knots_per_player"])
        self.ban: dict[str, tuple[int, str] | None] = dict.fromkeys(PLAYERS)
        self.insertions = 0
        self.turns_since_full = 0
        self.choices: list[tuple[int, ...]] = []

    def rows(self) -> list[str]:
        return ["".join(row) for row in self.wall]

    def figures(self, player: str) -> int:
        return list(self.exits.values()).count(player)

    def legal(self) -> list[Any]:
        """Openings to push into, or exits to choose."""
        if self.winner:
            return []
        if self.choices:
            return list(self.choices)
        openings = [(row, side) for row in range(1, 6) for side in ("left", "right")]
        return [opening for opening in openings if opening != self.ban[self.turn]]

    def play(self, move: Any) -> None:
        assert move in self.legal()
        self.happened = []
        if self.choices:
            self.finish_round(self.turn, move)
        else:
            self.push(*move)

    def push(self, row: int, side: str) -> None:
        player, other = self.turn, self.other(self.turn)
        was_full = self.is_full()
        self.insertions += 1
        self.stock[player] -= 1
        self.ban[player] = None
        ejected = self.insert(player, row, side)
        if ejected:
            self.happened.append("ejected")
            self.stock[ejected] += 1
            gate = (row, "right" if side == "left" else "left")
            for banned in PLAYERS if self.options["ko_scope"] == "both" else ejected:
                self.ban[banned] = gate

        for claimant in (player, other):
            exits = self.figures_due(claimant, inserted=claimant == player)
            if exits:
                if claimant == player and self.figures_due(other, inserted=False):
                    self.happened.append("both linked")
                if claimant == other:
                    self.happened.append("gave it away")
                if len(exits) > 1:
                    self.happened.append("choice")
                    self.choices, self.turn = exits, claimant
                    self.ban = dict.fromkeys(PLAYERS)
                else:
                    self.finish_round(claimant, exits[0])
                return

        if was_full:
            self.turns_since_full += 1
        passing = self.stock[other] == 0
        if passing:
            self.happened.append("pass")
            if self.is_full() and self.options["stalemate_unit"] == "round":
                self.turns_since_full += 1
        limit = self.options["stalemate_turns"]
        if self.options["stalemate_unit"] == "round":
            limit *= 2
        if self.turns_since_full >= limit:
            self.happened.append("stalemate")
            self.begin_round(self.other(self.starter))
        elif self.insertions == self.options["round_limit"]:
            self.happened.append("limit")
            self.begin_round(self.other(self.starter))
        elif not passing:
            self.turn = other

    def insert(self, player: str, row: int, side: str) -> str | None:
        """Push one knot in; the colour of the knot that falls off, if one does."""
        line = self.wall[row - 1]
        columns = list(range(5)) if side == "left" else list(range(4, -1, -1))
        hand: str = player
        for column in columns:
            hand, line[column] = line[column], hand
            if hand == ".":
                return None
        return hand

    def finish_round(self, player: str, exits: tuple[int, ...]) -> None:
        self.happened.append("double" if len(exits) == 2 else "single")
        for exit in exits:
            assert self.exits[exit] is None
            self.exits[exit] = player
        if self.figures(player) == self.options["figures_to_win"]:
            self.winner = player
        else:
            self.begin_round(self.other(player))

    def figures_due(self, player: str, *, inserted: bool) -> list[tuple[int, ...]]:
        """The exits, or pairs of exits, where this player's figures may go; none without a link."""
        links = self.links(player)
        reached = sorted({exit for exit, _ in links})
        needed = self.options["figures_to_win"] - self.figures(player)
        if inserted and needed >= 2:
            apart = self.options["double_requires_disjoint"]
            doubles = {
                (first, second)
                for first, second in combinations(reached, 2)
                if not apart
                or any(
                    not one & two
                    for exit, one in links
                    if exit == first
                    for other, two in links
                    if other == second
                )
            }
            if doubles:
                return sorted(doubles)
        return [(exit,) for exit in reached]

    def links(self, player: str, *, closed_too: bool = False) -> set[Rope]:
        """Every valid rope; `closed_too`: also those that end under a closed exit."""
        cells = {
            (r, c) for r in range(1, 6) for c in range(1, 6) if self.wall[r - 1][c - 1] == player
        }
        if not self.options["closed_cells_usable"]:
            cells -= {(1, exit) for exit, figure in self.exits.items() if figure}
        found = set()

        def walk(path: list[tuple[int, int]]) -> None:
            r, c = path[-1]
            if r == 5 and self.has_angle(path):
                found.add((path[0][1], frozenset(path)))
            for step in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if step in cells and step not in path:
                    walk([*path, step])

        for exit, figure in self.exits.items():
            if (figure is None or closed_too) and (1, exit) in cells:
                walk([(1, exit)])
        return found

    def has_angle(self, path: list[tuple[int, int]]) -> bool:
        rows = (2, 3, 4) if self.options["angle_rule"] == "interior_bend" else (1, 2, 3, 4, 5)
        return any(a[0] == b[0] and a[0] in rows for a, b in pairwise(path))

    def is_full(self) -> bool:
        return all("." not in row for row in self.wall)

    @staticmethod
    def other(player: str) -> str:
        return "O" if player == "X" else "X"

"""A seat at a moment: the state with what its rules keep asking for, looked up once."""

from __future__ import annotations

from game_logic.dig_your_way_out.box import Board, Box
from game_logic.dig_your_way_out.perks import Perks
from game_logic.dig_your_way_out.state import Blackgate, Prisoner, Turn


class Now:
    __slots__ = ("board", "box", "me", "perks", "seat", "state", "turn")

    box: Box
    state: Blackgate
    seat: int
    me: Prisoner
    perks: Perks
    board: Board
    turn: Turn

    def __init__(self, box: Box, state: Blackgate, seat: int) -> None:
        self.box = box
        self.state = state
        self.seat = seat
        self.me = me = state.prisoners[seat]
        self.perks = box.perks[me.gang]
        options = state.options
        self.board = box.boards[options.teams, options.use_solitary]
        self.turn = state.turn

"""Cameras and towers: switched on by Bellick or a card, and those who must leave (R43–R48)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.core import Move
from game_logic.prison_break.board import CAMERA, TOWER, bits
from game_logic.prison_break.box import Box
from game_logic.prison_break.crowd import full, in_order, move_to, watched
from game_logic.prison_break.moves import Flee
from game_logic.prison_break.rule import Roll, Rule
from game_logic.prison_break.state import Break, Expulsion, Refuge, push, put, swap


def why_not_lit(state: Break, device: int, number: int) -> str | None:
    if state.broken[device] == number:
        return "out_of_order"
    return "already_on" if state.lit[device] == number else None


def switch_on(box: Box, state: Break, device: int, number: int, by_card: bool) -> Break:
    """The ON token goes there, wherever it was; who stands in the area must leave (R48)."""
    state = replace(
        state,
        lit=put(state.lit, device, number),
        by_card=put(state.by_card, device, by_card),
    )
    area = box.board.watched[device][number]
    inside = [who for who in in_order(state) if area >> state.where[who] & 1]
    return push(state, *(Expulsion(who) for who in inside))


def switch_off(state: Break, device: int) -> Break:
    """The ON token is taken off the board."""
    return replace(state, lit=put(state.lit, device, 0), by_card=put(state.by_card, device, False))


def card_ends(state: Break) -> Break:
    """What the active card had switched on goes off with it (A4)."""
    if state.options.card_surveillance == "while_active":
        for device in (CAMERA, TOWER):
            if state.by_card[device]:
                state = switch_off(state, device)
    return state


def refuges(box: Box, state: Break, who: int) -> list[int]:
    """The squares that each face of the die leaves to an expelled member (R48, A21)."""
    device = TOWER if box.board.zone_of[state.where[who]] else CAMERA
    shut = watched(box, state) | full(state)
    return [squares & ~shut for squares in box.board.refuges[device]]


class ExpulsionRule(Roll[Expulsion]):
    """R48: the die sends him away; a watched or full place means another roll."""

    def skip(self, state: Break, task: Expulsion) -> Break | None:
        inside = watched(self.box, state) >> state.where[task.who] & 1
        if inside and any(refuges(self.box, state, task.who)):
            return None
        return swap(state)  # the light has gone off meanwhile, or there is no room at all (A37)

    def rolled(self, state: Break, task: Expulsion, face: int) -> Break:
        squares = bits(refuges(self.box, state, task.who)[face])
        if not squares:
            return swap(state, Expulsion(task.who, task.tries + 1))
        if len(squares) == 1:
            return move_to(swap(state), task.who, squares[0])
        return swap(state, Refuge(task.who, face))


class RefugeRule(Rule[Refuge]):
    def moves(self, state: Break, task: Refuge, seat: int) -> Sequence[Move]:
        squares = self.board.squares
        return [Flee(squares[n]) for n in bits(refuges(self.box, state, task.who)[task.face])]

    def play(self, state: Break, task: Refuge, move: Move, seat: int) -> Break:
        if not isinstance(move, Flee):
            raise self.no("flee_first")
        to = self.board.index.get(move.to)
        if to is None:
            raise self.no("no_such_square", square=move.to)
        if not refuges(self.box, state, task.who)[task.face] >> to & 1:
            raise self.no("no_refuge")
        return move_to(swap(state), task.who, to)

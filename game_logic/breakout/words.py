"""What Breakout says to people, in French and English; the sentences are in data/texts.toml."""

from __future__ import annotations

import re
from functools import reduce

from game_logic.breakout.moves import LOTS, PUSHES, Escape, Push
from game_logic.breakout.state import BLUE, COLOURS, RED, Match
from game_logic.breakout.wall import NOBODY, PUSHER, pushed
from game_logic.core import CHANCE, Drawn, Illegal, Malformed, Move, Piece, Text
from game_logic.data import Texts


class Words:
    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def label(self, key: str) -> Text:
        return self._texts(key)

    def place(self, space: str) -> Text:
        if cell := re.fullmatch(r"r([1-5])c([1-5])", space):
            return self._texts("cell", row=cell[1], column=cell[2])
        if exit := re.fullmatch(r"exit_([1-5])", space):
            return self._texts("exit", exits=exit[1])
        raise Malformed(f"Breakout has no space {space!r}; it has r1c1 … r5c5, exit_1 … exit_5")

    def piece(self, piece: Piece) -> Text:
        if piece.kind not in {
            f"{kind}_{colour}" for kind in ("knot", "figure") for colour in COLOURS
        }:
            raise Malformed(f"Breakout has no piece {piece.kind!r}")
        return self._texts(piece.kind)

    def outcome(self, state: Match, winner: int) -> Text:
        score = f"{state.figures(winner)}–{state.figures(1 - winner)}"
        return self._of("three_figures", state, winner, score=score)

    def prompt(self, state: Match) -> Text:
        turn = state.turn
        if turn is None:
            return self.outcome(state, int(state.figures(BLUE) > state.figures(RED)))
        if turn == CHANCE:
            return self._texts("await_lot")
        if state.choices:
            return self._of("await_exit", state, turn, choices=self._choices(state))
        if ban := state.bans[turn]:
            return self._of("await_push_banned", state, turn, opening=self._opening(ban))
        return self._of("await_push", state, turn)

    def offered(self, state: Match, move: Move, by: int) -> Text:
        if isinstance(move, Push):
            _, _, lost = pushed(state.wall(by), state.wall(1 - by), move)
            if lost == NOBODY:
                return self._texts("offer_push", row=move.row, side=self._texts(move.side))
            knot = self._knot(by if lost == PUSHER else 1 - by)
            side = self._texts(move.side)
            return self._texts("offer_push_out", row=move.row, side=side, knot=knot)
        if isinstance(move, Escape):
            key = "offer_exit" if len(move.exits) == 1 else "offer_exits"
            return self._texts(key, exits=self._joined(move.exits))
        return self._texts("offer_lot", name=state.names[_lot(move)])

    def told(self, state: Match, move: Move, by: int, after: Match) -> Text:
        """What happened, and all that came of it."""
        if isinstance(move, Drawn):
            return self._of("told_lot", state, _lot(move))
        said = []
        if isinstance(move, Push):
            said.append(self._of("told_push", state, by, row=move.row, side=self._texts(move.side)))
            _, _, lost = pushed(state.wall(by), state.wall(1 - by), move)
            if lost != NOBODY:
                said.append(self._of("told_out", state, by if lost == PUSHER else 1 - by))
        placed = [
            (exit, seat)
            for exit, (was, seat) in enumerate(zip(state.exits, after.exits, strict=True), 1)
            if was != seat and seat is not None
        ]
        if after.choices and after.turn is not None:
            said.append(self._of("told_link", state, after.turn))
        elif placed:
            exits = self._exits(tuple(exit for exit, _ in placed))
            said.append(self._of("told_escape", state, placed[0][1], exits=exits))
            if after.turn is None:
                said.append(self.outcome(after, placed[0][1]))
        elif after.round > state.round:
            limit = state.options.round_limit
            key = "told_limit" if state.insertions + 1 == limit else "told_stalemate"
            said.append(self._texts(key, limit=limit))
        elif after.turn == by:
            said.append(self._of("told_pass", state, 1 - by))
        return Text(" ".join(text.fr for text in said), " ".join(text.en for text in said))

    def refusal(self, state: Match, move: Move, by: int | None) -> Illegal:
        """Why a move that `moves` does not list is refused."""
        code, fields = self._reason(state, move, by)
        return Illegal(code, self._texts(code, **fields))

    def _reason(self, state: Match, move: Move, by: int | None) -> tuple[str, dict[str, object]]:
        turn = state.turn
        if turn is None:
            return "game_over", {}
        if turn == CHANCE:
            wrong_lot = by == CHANCE and isinstance(move, Drawn)
            return "no_such_lot" if wrong_lot else "starter_not_drawn", {}
        if isinstance(move, Drawn):
            return "nothing_to_draw", {}
        if not isinstance(move, Push | Escape):
            return "not_a_move", {}
        if isinstance(move, Push) and move not in PUSHES:
            return "no_such_opening", {}
        if state.choices and (by != turn or isinstance(move, Push)):
            return "choose_exit_first", self._player(state, turn)
        if by != turn:
            stuck = by in (RED, BLUE) and state.stock(by) == 0
            return "stock_empty" if stuck else "not_your_turn", self._player(state, turn)
        if isinstance(move, Push):
            return "slot_just_ejected", {"opening": self._opening(move)}
        if not state.choices:
            return "no_link", {}
        return self._wrong_exit(state, move)

    def _wrong_exit(self, state: Match, move: Escape) -> tuple[str, dict[str, object]]:
        choices: dict[str, object] = {"choices": self._choices(state)}
        for exit in move.exits:
            if 1 <= exit <= len(state.exits) and state.exits[exit - 1] is not None:
                return "exit_closed", choices | {"exit": exit}
        due = len(state.choices[0].exits)
        if len(move.exits) != due:
            return "double_due" if due == 2 else "one_figure_due", choices
        return "no_rope_there", choices

    # -- phrases --------------------------------------------------------------------------------

    def _player(self, state: Match, seat: int) -> dict[str, object]:
        colour = self._texts(COLOURS[seat])
        return {"name": state.names[seat], "colour": colour, "knot": self._knot(seat)}

    def _of(self, key: str, state: Match, seat: int, **fields: object) -> Text:
        return self._texts(key, **self._player(state, seat), **fields)

    def _knot(self, seat: int) -> Text:
        return self._texts(f"knot_{COLOURS[seat]}")

    def _opening(self, push: Push) -> Text:
        return self._texts("opening", row=push.row, side=self._texts(push.side))

    def _joined(self, exits: tuple[int, ...]) -> Text:
        one = Text(str(exits[0]), str(exits[0]))
        return one if len(exits) == 1 else self._texts("and", one=one, two=exits[1])

    def _exits(self, exits: tuple[int, ...]) -> Text:
        key = "exit" if len(exits) == 1 else "exits"
        return self._texts(key, exits=self._joined(exits))

    def _choices(self, state: Match) -> Text:
        phrases = [self._exits(choice.exits) for choice in state.choices]
        return reduce(lambda one, two: self._texts("or", one=one, two=two), phrases)


def _lot(move: Move) -> int:
    """The seat that a lot names."""
    return next(seat for seat, lot in enumerate(LOTS) if lot == move)

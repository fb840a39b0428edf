"""What people read: the log, prompts, menus and refusals, filled from data/texts.toml."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from game_logic.core import Drawn, Illegal, Malformed, Move, Piece, Rolled, Text
from game_logic.data import Texts
from game_logic.la_grande_evasion import bets, board, turn
from game_logic.la_grande_evasion.box import Box
from game_logic.la_grande_evasion.moves import (
    Advance,
    Back,
    Bet,
    Done,
    Erase,
    Leave,
    Lock,
    Take,
    Throw,
)
from game_logic.la_grande_evasion.path import ahead, behind, put, stack
from game_logic.la_grande_evasion.state import Evasion


def listed(names: Iterable[Text | str]) -> Text:
    """Several names as one: with commas, and a word before the last."""
    both = [name if isinstance(name, Text) else Text(name, name) for name in names]
    return Text(_joined([n.fr for n in both], " et "), _joined([n.en for n in both], " and "))


def _joined(names: list[str], link: str) -> str:
    return ", ".join([*names[:-2], link.join(names[-2:])])


def _sentence(text: Text) -> Text:
    return Text(text.fr[:1].upper() + text.fr[1:], text.en[:1].upper() + text.en[1:])


class Words:
    def __init__(self, box: Box, texts: Texts) -> None:
        self._box = box
        self._texts = texts
        self._pawns = tuple(texts("pawn", colour=pawn.colour) for pawn in box.pawns)
        self._colours = (*(pawn.colour for pawn in box.pawns), texts("white"))

    def label(self, key: str) -> Text:
        return self._texts(key)

    # -- pieces and places ------------------------------------------------------------------------

    def piece(self, piece: Piece) -> Text:
        if piece.kind != "pawn" or piece.id not in self._box.number:
            raise Malformed(f"La grande évasion has no piece {piece.kind!r} {piece.id!r}")
        return self._pawns[self._box.number[piece.id]]

    def die(self, id: str) -> Text:
        """Also names a die that is none of this game's, for whatever a tower may have read."""
        number = self._box.die_number.get(id)
        if number is None:
            return self._texts("die_unknown", die=id)
        return self._texts("die", colour=self._colours[number])

    def place(self, space: str) -> Text:
        kind, _, n = space.partition("_")
        if (kind == "start") == bool(n) or kind not in ("window", "start", "square", "boat"):
            raise Malformed(f"La grande évasion has no space {space!r}")
        return self._texts(kind, n=n)

    def _by_colour(self, dice: Iterable[int]) -> Text:
        return listed(self._colours[die] for die in dice)

    # -- the log ----------------------------------------------------------------------------------

    def told(self, state: Evasion, move: Move, by: int, after: Evasion, open_bet: bool) -> Text:
        """`open_bet`: may the reader know what the mover's bet says?"""
        text = self._told(state, move, by, open_bet)
        if state.phase in ("roll", "move"):
            if after.phase in ("scoring", "over"):
                text = self._texts("also_aboard", told=text, boarded=self._boarded(state, after))
            elif lost := self._lost(state, move, after):
                text = self._texts("also_lost", told=text, pawns=listed(lost))
        return _sentence(text)

    def _told(self, state: Evasion, move: Move, by: int, open_bet: bool) -> Text:
        name = state.seats[by] if by >= 0 else ""
        match move:
            case Bet() | Erase() if not open_bet:
                return self._texts("told_betting", name=name)
            case Lock():
                key = "told_written" if bets.on_paper(state) else "told_lock"
                return self._texts(key, name=name)
            case Drawn():
                return self._texts("told_first", name=state.seats[bets.drawn_seat(move)])
            case Rolled(die, face):
                return self._texts("told_rolled", die=self.die(die), face=face)
        return self._filled("told", state, move, name, by)

    def _filled(self, verb: str, state: Evasion, move: Move, name: str, by: int) -> Text:
        """The sentence for a player's move: `told_take`, `offer_take`, …"""
        box = self._box
        match move:
            case Bet(pawn):
                pawn_name, place = self._pawns[box.number[pawn]], len(state.bets[by]) + 1
                return self._texts(f"{verb}_bet", name=name, pawn=pawn_name, place=place)
            case Erase():
                return self._texts(f"{verb}_erase", name=name, pawn=self._pawns[state.bets[by][-1]])
            case Take(die):
                return self._texts(f"{verb}_take", name=name, die=self.die(die))
            case Throw():
                return self._texts(f"{verb}_throw", name=name, dice=self._by_colour(state.dice))
            case Advance(pawn):
                number = box.number[pawn]
                pips = turn.face_of(state, number) or 0
                to = ahead(state, number, pips)
                return self._moved(f"{verb}_advance", state, name, number, pips, to)
            case Back(pawn):
                number = box.number[pawn]
                pips = turn.face_of(state, box.white) or 0
                to = behind(state, number, pips)
                return self._moved(f"{verb}_back", state, name, number, pips, to)
            case Leave(pawn):
                return self._texts(f"{verb}_leave", name=name, pawn=self._pawns[box.number[pawn]])
            case Done():
                return self._texts(f"{verb}_done", name=name)
        raise Malformed(f"La grande évasion has no move {move!r}")

    def _moved(self, key: str, state: Evasion, name: str, pawn: int, pips: int, to: int) -> Text:
        fields = {"name": name, "pawn": self._pawns[pawn], "face": pips}
        if to == state.options.path_length:
            return self._texts(key, place=self._boat(len(state.arrivals)), **fields)
        place = self.place(board.space(state.options, to))
        below = stack(put(state, pawn, to), to)[:-1]
        if below and to != state.options.home:
            return self._texts(f"{key}_on", place=place, under=self._pawns[below[-1]], **fields)
        return self._texts(key, place=place, **fields)

    def _boat(self, arrival: int) -> Text:
        return self.place(board.boat(self._box, arrival))

    def _boarded(self, state: Evasion, after: Evasion) -> Text:
        places = range(len(state.arrivals), len(after.arrivals))
        return listed(
            self._texts("boarded", pawn=self._pawns[after.arrivals[n]], place=self._boat(n))
            for n in places
        )

    def _lost(self, state: Evasion, move: Move, after: Evasion) -> list[Text]:
        """The blocked pawns whose rolls the move leaves no use for."""
        spent = getattr(move, "pawn", None)
        return [
            self._pawns[die]
            for die, face in zip(state.dice, state.faces, strict=True)
            if face != 0
            and die != self._box.white
            and self._box.pawns[die].id != spent
            and not isinstance(move, Done)
            and (after.turn != state.turn or turn.face_of(after, die) == 0)
        ]

    # -- what is awaited --------------------------------------------------------------------------

    def prompt(self, state: Evasion, to: int | None) -> Text:
        if state.phase in ("bets", "scoring"):
            return self._bet_prompt(state, to)
        if state.phase == "lot":
            return self._texts("prompt_lot")
        name = state.seats[state.player]
        if state.phase == "choose":
            return self._choose_prompt(state, name)
        if state.phase == "roll":
            return self._texts("prompt_roll", dice=self._by_colour(turn.falling(state)))
        dice = [
            self._texts("showing", die=self._colours[die], face=face)
            for die, face in zip(state.dice, state.faces, strict=True)
            if face
        ]
        if not dice:
            return self._texts("prompt_late_white", name=name)
        return self._texts("prompt_move", name=name, dice=listed(dice))

    def _bet_prompt(self, state: Evasion, to: int | None) -> Text:
        if to is None or state.locked[to]:
            names = listed(state.seats[seat] for seat in bets.open_seats(state))
            key = "prompt_bets" if state.phase == "bets" else "prompt_scoring"
            return self._texts(key, names=names)
        if bets.on_paper(state):
            return self._texts("prompt_write")
        place = len(state.bets[to]) + 1
        if place > len(self._box.pawns):
            return self._texts("prompt_lock" if state.phase == "bets" else "prompt_check")
        return self._texts("prompt_bet" if state.phase == "bets" else "prompt_enter", place=place)

    def _choose_prompt(self, state: Evasion, name: str) -> Text:
        box, seat = self._box, state.player
        more = self._more(state)
        if more:
            return self._texts("prompt_take", name=name, more=more)
        white = turn.why_not_take(box, state, box.takes[box.white], seat) is None
        key = "prompt_throw_or_white" if white else "prompt_throw"
        return self._texts(key, name=name, dice=self._by_colour(state.dice))

    def _wanted(self, state: Evasion) -> int:
        return turn.coloured_wanted(self._box, state, self._box.white in state.dice)

    def _more(self, state: Evasion) -> int:
        return self._wanted(state) - turn.coloured_taken(self._box, state)

    def offered(self, state: Evasion, move: Move, by: int) -> Text:
        if isinstance(move, Lock):
            return self._texts("offer_written" if bets.on_paper(state) else "offer_lock")
        return self._filled("offer", state, move, state.seats[by], by)

    def won(self, state: Evasion, winners: Sequence[int], points: int) -> Text:
        names = listed(state.seats[seat] for seat in winners)
        return self._texts("won" if len(winners) == 1 else "shared", names=names, points=points)

    # -- refusals ---------------------------------------------------------------------------------

    def refusal(self, code: str, state: Evasion, move: Move, actors: tuple[int, ...]) -> Illegal:
        box = self._box
        fields: dict[str, object] = {
            "actors": listed(state.seats[seat] for seat in actors if seat >= 0),
            "player": state.seats[state.player],
            "pawns": len(box.pawns),
            "face": getattr(move, "face", None),
        }
        if state.phase == "choose":
            fields |= {"wanted": self._wanted(state), "more": self._more(state)}
        if state.phase == "roll":
            fields["falling"] = self._by_colour(turn.falling(state))
        if state.phase == "move":
            free = turn.free_to_advance(box, state)
            fields["free"] = listed(self._pawns[pawn] for pawn in free)
        what = getattr(move, "pawn", None) or getattr(move, "die", None)
        fields["what"] = what
        if what in box.die_number:
            fields["die"] = self.die(what)
        if what in box.number:
            number = box.number[what]
            fields["pawn"] = self._pawns[number]
            upper = state.above[number]
            fields["above"] = "" if upper is None else self._pawns[upper]
        return Illegal(code, _sentence(self._texts(code, **fields)))

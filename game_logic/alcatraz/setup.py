"""Everything that location and task cards decide: the set-up, new tasks, the new guard."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from game_logic.alcatraz.box import Box, swap
from game_logic.alcatraz.handling import ACTING, Draw, changed, evenly
from game_logic.alcatraz.rounds import begin_turn
from game_logic.alcatraz.state import (
    FACES,
    FULL,
    NOBODY,
    PLACES,
    UNKNOWN,
    Options,
    Prison,
    Prisoner,
)
from game_logic.alcatraz.steps import Card, Cells, Faces, Guard, Lot, Posts, Spot, Talk, Tiles
from game_logic.core import Drawn, Move, Part
from game_logic.pile import Pile, bag

LAID = tuple(range(PLACES))


def start(box: Box, seats: Sequence[str], options: Options) -> Prison:
    """A prison before its tiles are laid."""
    stamina = min(box.settings.stamina_start, options.stamina_max)
    sheet = Prisoner(stamina=stamina, cash=min(box.settings.cash_start, options.cash_max))
    hidden = options.secrets == "table"
    s = Prison(
        tuple(seats),
        options,
        prisoners=(sheet,) * len(seats),
        task_pile=Pile(bag(box.tasks)),
        blackmail=unseen_pile(len(box.cards)) if hidden else Pile(bag(box.cards)),
    )
    if options.layout != "random":
        return _faces(box, replace(s, layout=tuple(number - 1 for number in options.layout)))
    return s


def unseen_pile(cards: int) -> Pile:
    """A pile on the table, of which only the size is known."""
    return Pile(((UNKNOWN, cards),) if cards else ())


def _faces(box: Box, s: Prison) -> Prison:
    faces = s.options.faces
    if faces == "random":
        return replace(s, step=Faces())
    by_place = (faces,) * PLACES if isinstance(faces, str) else faces
    return _furnished(box, replace(s, faces=tuple(FACES.index(face) for face in by_place)))


def _furnished(box: Box, s: Prison) -> Prison:
    return replace(s, lying=box.laid_out(s.faces), step=Posts())


class TilesHandler(Draw[Tiles]):
    def kind(self, s: Prison) -> str:
        return "lot"

    def odds(self, s: Prison, step: Tiles) -> Part:
        left = [self.box.places[place] for place in LAID if place not in s.layout]
        return evenly("tile", [Drawn("tile", id) for id in left])

    def after(self, s: Prison, step: Tiles, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        s = replace(s, layout=(*s.layout, self.box.index[move.card]))
        return _faces(self.box, s) if len(s.layout) == PLACES else s


class FacesHandler(Draw[Faces]):
    def kind(self, s: Prison) -> str:
        return "lot"

    def odds(self, s: Prison, step: Faces) -> Part:
        return evenly("face", [Drawn("face", face) for face in FACES])

    def after(self, s: Prison, step: Faces, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        s = replace(s, faces=(*s.faces, 0 if move.card == FACES[0] else 1))
        return _furnished(self.box, s) if len(s.faces) == PLACES else s


class PostsHandler(Draw[Posts]):
    """R5: in each pass every card comes at most once."""

    def odds(self, s: Prison, step: Posts) -> Part:
        cards = self.box.ready.location
        return evenly("location", [cards[p] for p in LAID if p not in step.revealed])

    def explain(self, s: Prison, step: Posts, move: Move, seat: int) -> str:
        return "revealed_already" if _is_place(self.box, move) else "not_drawn"

    def after(self, s: Prison, step: Posts, move: Move, seat: int) -> Prison:
        place = _place(self.box, move)
        s = replace(s, guards=swap(s.guards, place, s.guards[place] + 1))
        passes = self.box.settings.guard_passes
        revealed = (*step.revealed, place)
        if len(revealed) < passes[step.passes]:
            return replace(s, step=Posts(step.passes, revealed))
        if step.passes + 1 < len(passes):
            return replace(s, step=Posts(step.passes + 1))
        return replace(s, step=Cells())


class CellsHandler(Draw[Cells]):
    """R6, A13: a location card for each player, none put back."""

    def odds(self, s: Prison, step: Cells) -> Part:
        taken = {prisoner.place for prisoner in s.prisoners}
        cards = self.box.ready.location
        return evenly("location", [cards[p] for p in LAID if p not in taken])

    def explain(self, s: Prison, step: Cells, move: Move, seat: int) -> str:
        return "revealed_already" if _is_place(self.box, move) else "not_drawn"

    def after(self, s: Prison, step: Cells, move: Move, seat: int) -> Prison:
        free = next(n for n, prisoner in enumerate(s.prisoners) if prisoner.place == NOBODY)
        s = changed(s, free, place=_place(self.box, move))
        return s if free + 1 < len(s.seats) else new_task(s)


class LotHandler(Draw[Lot]):
    """R11."""

    def kind(self, s: Prison) -> str:
        return "lot"

    def odds(self, s: Prison, step: Lot) -> Part:
        pawns = self.box.settings.pawns[: len(s.seats)]
        return evenly("scapegoat", [Drawn("scapegoat", pawn) for pawn in pawns])

    def after(self, s: Prison, step: Lot, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        first = self.box.settings.pawns.index(move.card)
        bonus = self.box.settings.scapegoat_bonus[0]  # A24
        return begin_turn(self.box, replace(s, scapegoat=first, bonus=bonus, round=1), first)


# -- tasks (R8–R10, R50) ------------------------------------------------------------------------


def new_task(s: Prison) -> Prison:
    """A task-location pair is to be revealed, if the pile can give one (A12)."""
    if not len(s.task_pile):
        return replace(s, step=ACTING)
    return replace(s, step=Card(len(s.task_pile)))


class CardHandler(Draw[Card]):
    def odds(self, s: Prison, step: Card) -> Part:
        return s.task_pile.part("task")

    def after(self, s: Prison, step: Card, move: Move, seat: int) -> Prison:
        assert isinstance(move, Drawn)
        part = self.box.tasks[move.card].part
        pile = s.task_pile.take(move.card)
        if all(task is None or self.box.tasks[task].part != part for task in s.tasks):
            return replace(s, task_pile=pile, step=Spot(move.card))
        s = replace(s, task_pile=pile.put_under(move.card), step=Card(step.tries - 1))
        return s if step.tries > 1 else replace(s, step=ACTING)


class SpotHandler(Draw[Spot]):
    def odds(self, s: Prison, step: Spot) -> Part:
        cards = self.box.ready.location
        free = [cards[p] for p in LAID if s.tasks[p] is None and p != step.was]
        return evenly("location", free)

    def explain(self, s: Prison, step: Spot, move: Move, seat: int) -> str:
        return "place_has_task" if _is_place(self.box, move) else "not_drawn"

    def after(self, s: Prison, step: Spot, move: Move, seat: int) -> Prison:
        s = replace(s, tasks=swap(s.tasks, _place(self.box, move), step.card), step=ACTING)
        if s.scapegoat != NOBODY:
            return s
        set_up = sum(task is not None for task in s.tasks) == self.box.settings.tasks_in_play
        return replace(s, step=Lot()) if set_up else new_task(s)


# -- phase 1 ------------------------------------------------------------------------------------


class GuardHandler(Draw[Guard]):
    """R14, R15: uniform over the locations that have room (A30)."""

    def odds(self, s: Prison, step: Guard) -> Part:
        cards = self.box.ready.location
        return evenly("location", [cards[p] for p in LAID if s.guards[p] < FULL])

    def explain(self, s: Prison, step: Guard, move: Move, seat: int) -> str:
        return "place_is_full" if _is_place(self.box, move) else "not_drawn"

    def after(self, s: Prison, step: Guard, move: Move, seat: int) -> Prison:
        place = _place(self.box, move)
        return replace(s, guards=swap(s.guards, place, s.guards[place] + 1), step=Talk())


def _place(box: Box, move: Move) -> int:
    assert isinstance(move, Drawn)
    return box.index[move.card]


def _is_place(box: Box, move: Move) -> bool:
    return isinstance(move, Drawn) and move.pile == "location" and move.card in box.index

"""Prisons for the tests: a finished set-up in which a scenario says only what matters to it.

The tiles lie in the order of their numbers, so that the grid reads

    chapel      control_post   canteen      infirmary
    yard        visiting_room  workshop     recreation_room
    cell_block  laundry        guards_room  wardens_office
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from random import Random
from typing import Any

from msgspec.structs import replace

from game_logic import load
from game_logic.alcatraz.box import swap, without
from game_logic.alcatraz.moves import (
    Agree,
    Complete,
    Discard,
    EndTurn,
    Offer,
    Propose,
    Riot,
    Use,
    Walk,
)
from game_logic.alcatraz.state import FACES, IDLE, UNKNOWN, Prison, Prisoner, Turn
from game_logic.alcatraz.steps import Acting, Ballot, Drawing, Guard, Sorting, Talk
from game_logic.core import CHANCE, Act, Drawn, Game, Illegal, Move, pick, play_all
from game_logic.pile import Pile, bag, unpack

GAME = load("alcatraz")
BOX = GAME.box
NAMES = ("Ana", "Bo", "Cy", "Dee")
FIRST_GUARDS = 8
# Far from each other, so that a scenario's own tasks rarely meet them.
TASKS = {"wardens_office": "task_f5", "recreation_room": "task_e5", "guards_room": "task_d5"}


def data(name: str) -> str:
    """A data file as it comes with the game."""
    return (files("game_logic.alcatraz") / "data" / name).read_text("utf-8")


def lively() -> dict[str, str]:
    """An owner's deck with which even random play gets somewhere: many AP, few guards, easy tasks.

    Games played with the house deck nearly always end by the 21st guard.
    """
    settings = data("settings.toml")
    for key, value in (
        ("ap", "{ p3 = 9, p4 = 9 }"),
        ("guard_passes", "[1, 1]"),
        ("guards_total", "24"),
        ("cash_start", "2"),
        ("stamina_start", "2"),
    ):
        settings = re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", settings)
    tasks = data("tasks.toml")
    tasks = re.sub(r'objects = \[("\w+"), "\w+", "\w+"\]', r"objects = [\1]", tasks)
    tasks = re.sub(r"(?m)^prisoners = .$", "prisoners = 1", tasks)
    tasks = re.sub(r"(?m)^guards = .$", "guards = 3", tasks)
    return {"settings.toml": settings, "tasks.toml": tasks}


LIVELY = load("alcatraz", lively())


def index(place: str) -> int:
    return BOX.index[place]


def prison(
    seats: int = 3,
    *,
    scapegoat: int = 2,
    turn: int | None = 0,
    ap: int = 3,
    at: Mapping[int, str] | Sequence[str] = (),
    guards: Mapping[str, int] | None = None,
    holds: Mapping[int, Sequence[str]] | None = None,
    main_first: bool = False,
    cash: Mapping[int, int] | None = None,
    stamina: Mapping[int, int] | None = None,
    parts: Mapping[int, str] | None = None,
    cards: Mapping[int, Sequence[str]] | None = None,
    discards: Sequence[str] = (),
    tasks: Mapping[str, str] | None = None,
    spent: Sequence[str] = (),
    under: Sequence[str] = (),
    bonus: int = 1,
    step: Any = None,
    **options: object,
) -> Prison:
    """`holds` are taken from the board, from the last place of R52 first unless `main_first`."""
    given = {"layout": list(range(1, 13)), **options}
    s = GAME.new(NAMES[:seats], given)
    faces = s.faces or tuple(FACES.index(face) for face in s.options.faces)
    lying = BOX.laid_out(faces)
    where = dict(enumerate(at)) if isinstance(at, Sequence) else dict(at)
    prisoners = []
    for seat in range(seats):
        objects = tuple(sorted((holds or {}).get(seat, ())))
        for what in objects:
            lying = _off_the_board(lying, what, main_first)
        hand = tuple((cards or {}).get(seat, ()))
        prisoners.append(
            Prisoner(
                index(where.get(seat, "chapel")),
                stamina=(stamina or {}).get(seat, 0),
                cash=(cash or {}).get(seat, 0),
                objects=objects,
                parts=(parts or {}).get(seat, ""),
                cards=hand,
            )
        )
    laid = TASKS if tasks is None else tasks
    gone = {*laid.values(), *spent, *under}
    held = [card for prisoner in prisoners for card in prisoner.cards]
    posted = _posted(guards or {})
    if turn is None and step is None:
        step = Talk()
    s = replace(
        s,
        prisoners=tuple(prisoners),
        faces=faces,
        lying=lying,
        guards=posted,
        tasks=tuple(laid.get(place) for place in BOX.places),
        task_pile=Pile(bag(task for task in BOX.tasks if task not in gone), tuple(under)),
        spent=tuple(spent),
        blackmail=_blackmail(s, held, discards),
        discards=tuple(discards),
        round=sum(posted) - FIRST_GUARDS + 1 + isinstance(step, Guard),
        scapegoat=scapegoat,
        bonus=bonus,
        turn=IDLE if turn is None else Turn(turn, ap),
        step=step or Acting(),
    )
    assert GAME.problems(s) == ()
    return s


def _off_the_board(
    lying: tuple[tuple[str, ...], ...], what: str, main_first: bool
) -> tuple[tuple[str, ...], ...]:
    order = BOX.returns[what] if main_first else tuple(reversed(BOX.returns[what]))
    place = next(place for place in order if what in lying[place])
    return swap(lying, place, without(lying[place], what))


def _posted(guards: Mapping[str, int]) -> tuple[int, ...]:
    """The guards asked for, and what eight are short of, in places not mentioned."""
    posted = [guards.get(place, 0) for place in BOX.places]
    for place in reversed(BOX.places):
        if place not in guards:
            posted[index(place)] = max(0, min(3, FIRST_GUARDS - sum(posted)))
    return tuple(posted)


def _blackmail(s: Prison, held: Sequence[str], discards: Sequence[str]) -> Pile:
    if s.options.secrets == "table":
        left = len(BOX.cards) - len(held) - len(discards)
        return Pile(((UNKNOWN, left),) if left else ())
    return Pile(bag(card for card in BOX.cards if card not in {*held, *discards}))


def play(s: Prison, *moves: Move | tuple[int, Move]) -> Prison:
    """Each move by whoever is to act, or by the seat named with it; the state stays sound."""
    for item in moves:
        by, move = item if isinstance(item, tuple) else (GAME.to_act(s)[0], item)
        assert move in GAME.moves(s, by), f"{move} is not listed"
        s = play_all(GAME, s, [Act(by, move)])
        assert GAME.problems(s) == ()
    return s


def why_not(s: Prison, move: Move, by: int | None = None) -> str:
    """The code of the refusal."""
    seat = GAME.to_act(s)[0] if by is None else by
    assert move not in GAME.moves(s, seat)
    try:
        GAME.play(s, move, seat)
    except Illegal as refusal:
        return refusal.code
    raise AssertionError(f"{move} was accepted")


def legal(s: Prison, kind: type[Move]) -> list[Any]:
    return [move for move in GAME.moves(s) if isinstance(move, kind)]


def at(s: Prison, place: str) -> Any:
    """What the public sees of a location."""
    return GAME.view(s, None)["locations"][index(place)]


def location(place: str) -> Drawn:
    return Drawn("location", place)


def task(card: str) -> Drawn:
    return Drawn("task", card)


WEIGHTS: Mapping[type[Move], int] = {
    Complete: 90, Use: 12, Agree: 6, Propose: 6, Walk: 4, EndTurn: 1, Riot: 1, Discard: 1, Offer: 1
}  # fmt: skip


def keen(game: Game[Prison], state: Prison, rng: Random) -> Act:
    """A player who is out for escape, so that games get further than blind chance takes them."""
    by = rng.choice(game.to_act(state))
    if by == CHANCE:
        chance = game.chance(state)
        assert chance is not None
        return Act(CHANCE, pick(rng.choice(chance.parts), rng.randrange))
    moves = game.moves(state, by)
    weights = [WEIGHTS.get(type(move), 3) for move in moves]
    return Act(by, rng.choices(moves, weights)[0])


def twin(s: Prison, seat: int | None, below: Any) -> Prison:
    """A prison that the seat cannot tell from this one: others' cards and votes are dealt anew.

    At the table the house itself knows no more than what was laid open.
    """
    if s.options.secrets == "table":
        return s
    step = s.step
    if isinstance(step, Ballot):
        choice = step.tied or tuple(range(len(s.seats)))
        votes = tuple(
            vote if vote is None or voter == seat else choice[below(len(choice))]
            for voter, vote in enumerate(step.votes)
        )
        step = replace(step, votes=votes)
    others = [n for n in range(len(s.seats)) if n != seat]
    hidden = [card for n in others for card in s.prisoners[n].cards] + [*unpack(s.blackmail.rest)]
    mine = isinstance(step, Drawing | Sorting) and seat == s.turn.seat
    if isinstance(step, Drawing | Sorting) and not mine:
        hidden += step.drawn
    mixed = []
    while hidden:
        mixed.append(hidden.pop(below(len(hidden))))
    prisoners = s.prisoners
    for n in others:
        dealt = tuple(mixed.pop() for _ in prisoners[n].cards)
        prisoners = swap(prisoners, n, replace(prisoners[n], cards=dealt))
    if isinstance(step, Drawing | Sorting) and not mine:
        step = replace(step, drawn=tuple(mixed.pop() for _ in step.drawn))
    return replace(s, prisoners=prisoners, step=step, blackmail=Pile(bag(mixed)))

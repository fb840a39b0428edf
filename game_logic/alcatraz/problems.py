"""What cannot be true of a prison: for loaded saves, corrections by hand, and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from game_logic.alcatraz import steps
from game_logic.alcatraz.box import PARTS, Box
from game_logic.alcatraz.ending import left_behind
from game_logic.alcatraz.moves import CASH
from game_logic.alcatraz.state import FULL, IDLE, NOBODY, PLACES, UNKNOWN, Prison
from game_logic.alcatraz.view import in_prison
from game_logic.pile import unpack

# Nobody's turn: the set-up, and the phases before the execution of the plan.
_BEFORE = (steps.Tiles, steps.Faces, steps.Posts, steps.Cells, steps.Lot)
_BETWEEN = (steps.Guard, steps.Talk, steps.Tie)


def found(box: Box, s: Prison) -> Iterator[str]:
    """Every broken invariant. Shapes come first: on a broken shape nothing else can be asked."""
    shapes = tuple(_shapes(box, s))
    yield from shapes
    if shapes:
        return
    yield from _sheets(box, s)
    yield from _guards(box, s)
    yield from _tokens(box, s)
    yield from _tasks(box, s)
    yield from _cards(box, s)
    yield from _turn(box, s)
    yield from _step(box, s)


def _set_up(s: Prison) -> bool:
    """Is the first Scapegoat known?"""
    return s.scapegoat != NOBODY


def _shapes(box: Box, s: Prison) -> Iterator[str]:
    n = len(s.seats)
    if not box.settings.players_min <= n <= box.settings.players_max:
        yield f"{n} players"
    if len(s.prisoners) != n:
        yield f"{len(s.prisoners)} sheets for {n} players"
    for name, values in (("guards", s.guards), ("lying", s.lying), ("tasks", s.tasks)):
        if len(values) != PLACES:
            yield f"{name} is not given for 12 locations"
    if len(s.turn.bribed) != PLACES:
        yield "bribed guards are not given for 12 locations"
    places = (*s.layout, *s.closed, *s.watched, *s.turn.used)
    if any(not 0 <= place < PLACES for place in places):
        yield "there is no such location"
    if any(not NOBODY <= prisoner.place < PLACES for prisoner in s.prisoners):
        yield "a pawn stands nowhere"
    if any(not NOBODY <= seat < n for seat in (s.scapegoat, s.turn.seat)):
        yield "there is no such player"
    if any(not 0 <= seat < n for seat in (*s.duty, *s.votes)):
        yield "there is no such player"
    if any(kind not in box.kinds for kind in _all_objects(s)):
        yield "there is no such object"
    if any(task is not None and task not in box.tasks for task in s.tasks):
        yield "there is no such task"
    if len(set(s.layout)) != len(s.layout):
        yield "a tile is laid twice"
    if any(face not in (0, 1) for face in s.faces):
        yield "a tile has two faces"
    if not isinstance(s.step, steps.Tiles) and len(s.layout) != PLACES:
        yield "tiles are missing"
    if not isinstance(s.step, steps.Tiles | steps.Faces) and len(s.faces) != PLACES:
        yield "a tile has no visible face"
    yield from _under_way(box, s)


def _under_way(box: Box, s: Prison) -> Iterator[str]:
    """What the step names is there."""
    what = type(s.step).__name__
    for key, value in msgspec.structs.asdict(s.step).items():
        match key:
            case "seat" | "victim":
                known = 0 <= value < len(s.seats) and value != s.turn.seat
            case "seats" | "asked":
                known = bool(value) and all(0 <= seat < len(s.seats) for seat in value)
            case "tied":
                known = all(0 <= seat < len(s.seats) for seat in value)
            case "place" | "origin":
                known = 0 <= value < PLACES
            case "was":
                known = value is None or 0 <= value < PLACES
            case "card":
                known = value in (box.tasks if isinstance(s.step, steps.Spot) else box.cards)
            case "left" | "tries":
                known = value >= (0 if isinstance(s.step, steps.Posting) else 1)
            case _:
                known = True
        if not known:
            yield f"{what} is under way with {key} = {value}, which is not there"


def _all_objects(s: Prison) -> list[str]:
    held = [kind for prisoner in s.prisoners for kind in prisoner.objects]
    return held + [kind for there in s.lying for kind in there]


def _sheets(box: Box, s: Prison) -> Iterator[str]:
    """R12, R59."""
    sorting = isinstance(s.step, steps.Shedding)
    for seat, prisoner in enumerate(s.prisoners):
        name = s.seats[seat]
        if not 0 <= prisoner.stamina <= s.options.stamina_max:
            yield f"{name} has {prisoner.stamina} Stamina"
        if not 0 <= prisoner.cash <= s.options.cash_max:
            yield f"{name} has {prisoner.cash} Cash"
        if len(prisoner.objects) > box.settings.object_slots:
            yield f"{name} has {len(prisoner.objects)} objects"
        if prisoner.objects != tuple(sorted(prisoner.objects)):
            yield f"{name}'s objects are not in order"
        if "".join(sorted(set(prisoner.parts) & set(PARTS))) != prisoner.parts:
            yield f"{name} has marked {prisoner.parts}"
        spare = sorting and seat == s.turn.seat
        if len(prisoner.cards) > box.settings.blackmail_hand_max + spare:
            yield f"{name} holds {len(prisoner.cards)} blackmail cards"
    placed = sum(prisoner.place != NOBODY for prisoner in s.prisoners)
    if isinstance(s.step, steps.Tiles | steps.Faces | steps.Posts):
        if placed:
            yield "pawns stand in the prison before its guards"
    elif (placed < len(s.seats)) != isinstance(s.step, steps.Cells):
        yield f"{placed} of {len(s.seats)} pawns stand in the prison"


def _guards(box: Box, s: Prison) -> Iterator[str]:
    """R5, R15, R2: eight at the start, then one a round."""
    if any(not 0 <= guards <= FULL for guards in s.guards):
        yield "a location holds more than four guards, or less than none"
    first = sum(box.settings.guard_passes)
    present = in_prison(s)
    if not _set_up(s):
        if isinstance(s.step, steps.Posts):
            passes = box.settings.guard_passes[: s.step.passes]
            first = sum(passes) + len(s.step.revealed)
        elif isinstance(s.step, steps.Tiles | steps.Faces):
            first = 0
        if present != first:
            yield f"{present} guards at the set-up, and there should be {first}"
        return
    last = isinstance(s.step, steps.Over) and s.step.stays is None
    due = first + s.round - 1 - (isinstance(s.step, steps.Guard) or last)
    if present != due:
        yield f"{present} guards in round {s.round}, and there should be {due}"
    if present >= box.settings.guards_total:
        yield f"{present} guards, yet the game goes on"


def _tokens(box: Box, s: Prison) -> Iterator[str]:
    """R4, A2: every token in play lies on a space of its own or on a sheet."""
    if len(s.faces) < PLACES:
        return
    printed = box.laid_out(s.faces)
    if Counter(_all_objects(s)) != Counter(kind for there in printed for kind in there):
        yield "object tokens are lost or made up"
    for place, there in enumerate(s.lying):
        if Counter(there) - Counter(printed[place]) or there != tuple(sorted(there)):
            yield f"objects lie where they have no space: {box.places[place]}"


def _tasks(box: Box, s: Prison) -> Iterator[str]:
    """R9, R10, R43, R49."""
    on_board = [task for task in s.tasks if task is not None]
    turned = [s.step.card] if isinstance(s.step, steps.Spot) else []
    cards = [*unpack(s.task_pile.rest), *s.task_pile.under, *s.spent, *on_board, *turned]
    if sorted(cards) != sorted(box.tasks):
        yield "task cards are lost or made up"
        return
    parts = [box.tasks[task].part for task in (*on_board, *turned)]
    if len(set(parts)) != len(parts):
        yield "a part of the plan is in play twice"
    if len(parts) > box.settings.tasks_in_play:
        yield f"{len(parts)} tasks are in play"
    if isinstance(s.step, steps.Card) and not 0 < s.step.tries <= len(s.task_pile):
        yield "the task pile has gone round already"
    if isinstance(s.step, steps.Reward) and not len(s.task_pile):
        yield "there is no task card for the reward"


def _cards(box: Box, s: Prison) -> Iterator[str]:
    """Blackmail: every card is in one place; at the table those not laid open are only counted."""
    drawn = s.step.drawn if isinstance(s.step, steps.Drawing | steps.Sorting) else ()
    hidden = [*unpack(s.blackmail.rest), *s.blackmail.under, *drawn]
    hidden += [card for prisoner in s.prisoners for card in prisoner.cards]
    if len(hidden) + len(s.discards) != len(box.cards) or len(set(s.discards)) != len(s.discards):
        yield "blackmail cards are lost or made up"
    elif s.options.secrets == "table":
        if set(hidden) - {UNKNOWN} or set(s.discards) - set(box.cards):
            yield "a blackmail card is known that nobody has shown"
    elif sorted((*hidden, *s.discards)) != sorted(box.cards):
        yield "blackmail cards are lost or made up"


def _turn(box: Box, s: Prison) -> Iterator[str]:
    turn, step = s.turn, s.step
    if _set_up(s):
        if s.bonus not in box.settings.scapegoat_bonus or s.round < 1:
            yield f"the Scapegoat's bonus is {s.bonus} in round {s.round}"
    elif s.bonus or s.round or turn != IDLE:
        yield "there is no Scapegoat yet, but the game has begun"
    early = isinstance(step, _BEFORE)
    if early if _set_up(s) else not (early or isinstance(step, steps.Card | steps.Spot)):
        yield f"{type(step).__name__} does not come at this time of the game"
    last = isinstance(step, steps.Over) and step.stays is None
    election = isinstance(step, steps.Ballot) and not step.tied
    if (turn.seat == NOBODY) != (isinstance(step, _BETWEEN) or election or last or not _set_up(s)):
        yield "it is somebody's turn when it cannot be, or nobody's when it must be"
    if turn.seat == NOBODY and (turn != IDLE or s.closed or s.watched or s.duty):
        yield "something is left of a turn or a round that is over"
    if turn.ap < 0 or any(bribed < 0 for bribed in turn.bribed):
        yield "somebody has spent more than he had"
    limit = s.options.trade_offers_per_turn
    if limit and turn.offers > limit:
        yield f"{turn.offers} trade offers on one turn"
    if turn.stamina > box.settings.stamina_per_turn:
        yield f"{turn.stamina} Stamina spent on one turn"


def _step(box: Box, s: Prison) -> Iterator[str]:
    """What is under way fits the rest."""
    n, step = len(s.seats), s.step
    behind = left_behind(s.prisoners, s.scapegoat) if _set_up(s) else ()
    match step:
        case steps.Ballot(votes, tied):
            voters = [seat for seat in range(n) if seat not in tied]
            cast = [votes[seat] for seat in voters if len(votes) == n]
            if len(votes) != n or any(votes[seat] is not None for seat in tied):
                yield "the votes are not those of the voters"
            elif None not in cast or any(v not in (None, *(tied or range(n))) for v in cast):
                yield "the votes are for nobody, or all in and not counted"
            if tied and tied != behind:
                yield "the vote on who stays is not about those who are tied"
        case steps.Tie(tied) | steps.Fate(tied):
            if len(tied) < 2:
                yield "there is no tie"
        case steps.Over(stays):
            if stays is not None and stays not in behind:
                yield "somebody stays in prison who should not"
        case steps.Bargain(seat, gives, asks) | steps.Answer(seat, gives, asks):
            if s.prisoners[seat].place != s.here:
                yield "a trade between two locations"
            elif not (_has(s, s.turn.seat, gives) and _has(s, seat, asks)):
                yield "a trade with goods that are not there"
        case steps.Naming(tokens) | steps.Consent(tokens, _):
            if s.tasks[s.here] is None or s.turn.seat == s.scapegoat:
                yield "tokens are named for no task"
            if any(not 0 <= seat < n or not _has(s, seat, (what,)) for seat, what in tokens):
                yield "tokens are named that nobody has"
        case steps.Taking(shelf, left):
            room = box.settings.object_slots - len(s.me.objects)
            if left > min(len(shelf), room) or Counter(shelf) - Counter(s.lying[s.here]):
                yield "objects are to be taken that are not there or do not fit"
        case steps.Posting(origin, _):
            if s.guards[origin] >= FULL:
                yield "a guard was lifted from nowhere"
    if behind and not isinstance(step, steps.Over | steps.Ballot | steps.Fate | steps.Reward):
        yield "enough parts of the plan are marked, yet the game goes on"


def _has(s: Prison, seat: int, goods: tuple[str, ...]) -> bool:
    prisoner = s.prisoners[seat]
    held = Counter((*prisoner.objects, *(CASH,) * prisoner.cash))
    return not Counter(goods) - held

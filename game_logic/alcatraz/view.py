"""What can be seen of a prison: by a seat, by the sensors, on the screens."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from game_logic.alcatraz import guards
from game_logic.alcatraz.box import PARTS, Box
from game_logic.alcatraz.state import FACES, NOBODY, PLACES, Prison
from game_logic.alcatraz.steps import (
    Aiming,
    Answer,
    Ballot,
    Bargain,
    Bringing,
    Consent,
    Drawing,
    Lifting,
    Naming,
    Over,
    Plucking,
    Posting,
    Seizing,
    Sorting,
    Spot,
    Step,
    Surrendering,
    Taking,
    Tie,
)
from game_logic.core import Image, Piece, Track


def seen(box: Box, s: Prison, seat: int | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "seats": s.seats,
        "step": _tag(s.step),
        "round": s.round,
        "scapegoat": _seat(s.scapegoat),
        "bonus": s.bonus,
        "votes": s.votes,
        "grid": [box.places[place] for place in s.layout],
        "locations": [_location(box, s, place) for place in range(PLACES)],
        "prisoners": [_prisoner(box, s, n) for n in range(len(s.seats))],
        "duty": s.duty,
        "task_pile": len(s.task_pile),
        "tasks_spent": s.spent,
        "blackmail_pile": len(s.blackmail),
        "blackmail_discards": s.discards,
        "under_way": _under_way(box, s),
    }
    if s.turn.seat != NOBODY:
        turn = s.turn
        shown["turn"] = {
            "seat": turn.seat,
            "ap": turn.ap,
            "guards_counted": guards.counted(s),
            "used": [box.places[place] for place in turn.used],
            "stole": turn.stole,
            "stamina_used": turn.stamina,
            "offers": turn.offers,
        }
    if seat is not None:
        shown["hand"] = s.prisoners[seat].cards
        if isinstance(s.step, Ballot):
            shown["vote"] = s.step.votes[seat]
        if isinstance(s.step, Sorting | Drawing) and seat == s.turn.seat:
            shown["drawn"] = s.step.drawn
    return shown


def _tag(step: Step) -> str:
    return type(step).__name__.lower()


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _location(box: Box, s: Prison, place: int) -> dict[str, Any]:
    return {
        "id": box.places[place],
        "face": FACES[s.faces[place]] if place < len(s.faces) else None,
        "guards": s.guards[place],
        "bribed": s.turn.bribed[place],
        "objects": s.lying[place],
        "task": s.tasks[place],
        "closed": place in s.closed,
        "watched": place in s.watched,
    }


def _prisoner(box: Box, s: Prison, seat: int) -> dict[str, Any]:
    prisoner = s.prisoners[seat]
    return {
        "pawn": box.settings.pawns[seat],
        "place": None if prisoner.place == NOBODY else box.places[prisoner.place],
        "stamina": prisoner.stamina,
        "cash": prisoner.cash,
        "objects": prisoner.objects,
        "parts": prisoner.parts,
        "cards": len(prisoner.cards),
    }


def _under_way(box: Box, s: Prison) -> dict[str, Any]:
    """What of the step everybody at the table can see."""
    match s.step:
        case Ballot(votes, tied):
            open_ = s.options.secrets == "table"
            voted = {"voted": [vote is not None for vote in votes], "tied": tied}
            return voted | {"votes": votes} if open_ else voted
        case Tie(tied):
            return {"tied": tied}
        case Bargain(seat, gives, asks) | Answer(seat, gives, asks):
            return {"with": seat, "gives": gives, "asks": asks}
        case Naming(tokens):
            return {"tokens": tokens}
        case Consent(tokens, asked):
            return {"tokens": tokens, "asked": asked}
        case Spot(card):
            return {"task": card}
        case Taking(shelf, left):
            return {"shelf": shelf, "left": left}
        case Lifting(left) | Drawing(left):
            return {"left": left}
        case Posting(origin):
            return {"origin": box.places[origin]}
        case Plucking(victim) | Seizing(victim):
            return {"seat": victim}
        case Sorting(drawn):
            return {"cards": len(drawn)}
        case Aiming(card):
            return {"card": card}
        case Surrendering(card, seats):
            return {"card": card, "seats": seats}
        case Bringing(place, left):
            return {"place": box.places[place], "left": left}
        case Over(stays):
            return {"stays": stays}
    return {}


def spaces(box: Box, s: Prison) -> tuple[str, ...]:
    """Row by row once the tiles are laid, before that by number."""
    return tuple(box.places[p] for p in (s.layout if len(s.layout) == PLACES else range(PLACES)))


def image(box: Box, s: Prison) -> Image:
    """Pawns and guard cubes. A guard in somebody's hand stands nowhere."""
    stand: dict[str, list[Piece]] = {}
    for seat, prisoner in enumerate(s.prisoners):
        if prisoner.place != NOBODY:
            pawn = Piece("pawn", box.settings.pawns[seat])
            stand.setdefault(box.places[prisoner.place], []).append(pawn)
    for place, posted in enumerate(s.guards):
        if posted:
            stand.setdefault(box.places[place], []).extend([Piece("guard")] * posted)
    return {place: tuple(pieces) for place, pieces in stand.items()}


def standing(box: Box, s: Prison, image: Image) -> Prison:
    """Pawns and guards as they stand."""
    places, guards = [NOBODY] * len(s.prisoners), [0] * PLACES
    for where, pieces in image.items():
        place = box.places.index(where)
        guards[place] = sum(piece.kind == "guard" for piece in pieces)
        for piece in pieces:
            if piece.kind == "pawn":
                places[box.settings.pawns.index(piece.id or "")] = place
    prisoners = tuple(
        replace(prisoner, place=place) for prisoner, place in zip(s.prisoners, places, strict=True)
    )
    return replace(s, prisoners=prisoners, guards=tuple(guards))


def in_prison(s: Prison) -> int:
    """The guards that have come, one in hand included."""
    return sum(s.guards) + isinstance(s.step, Posting)


def tracks(box: Box, s: Prison) -> tuple[Track, ...]:
    settings, texts = box.settings, box.texts
    lost = isinstance(s.step, Over) and s.step.stays is None  # the 21st is at the door
    together = set().union(*(prisoner.parts for prisoner in s.prisoners))
    return (
        Track(
            "guards",
            texts("track_guards"),
            in_prison(s) + lost,
            settings.guards_total,
            settings.guards_danger,
        ),
        Track("plan", texts("track_plan"), len(together), len(PARTS)),
        Track("bonus", texts("track_bonus"), s.bonus, settings.scapegoat_bonus[-1]),
        *(
            Track(
                f"parts_{settings.pawns[seat]}",
                texts("track_parts", name=name),
                len(s.prisoners[seat].parts),
                len(PARTS),
                seat=seat,
            )
            for seat, name in enumerate(s.seats)
        ),
    )

"""The questions about a game: what was done, what to do, how to mend. Each is made of a record."""

from __future__ import annotations

from firmware_host.journal import Record
from firmware_host.mending import corrected
from firmware_host.notices import (
    Accept,
    Anew,
    Aside,
    Back,
    Decision,
    Keep,
    Nothing,
    Question,
    Why,
)
from firmware_host.offers import left_by, moving, unseen
from firmware_host.sighting import Sightings, seen_change, unfit
from firmware_host.texts import TEXTS
from firmware_host.tracker import Found, TakenBack, refusals
from firmware_host.words import in_one
from game_logic.core import Act, Piece, Text

Options = list[tuple[Text, Decision]]


def what_happened(
    record: Record, options: tuple[Found | TakenBack, ...], sightings: Sightings
) -> Question:
    """The sensors leave it open."""
    labelled = [_option(record, option) for option in options]
    if stands_at_the_start(record, sightings):
        labelled.append((TEXTS("option_anew"), Anew()))
    labelled.append((TEXTS("option_none"), Nothing()))
    return _question("asked", TEXTS("what_happened"), labelled)


def how_to_mend(record: Record, sightings: Sightings, mend: Text) -> Question:
    """The board and the state disagree: is it the board that is right?"""
    options: Options = [(mend, Nothing())]
    if stands_at_the_start(record, sightings):
        options.insert(0, (TEXTS("option_anew"), Anew()))
    kept = corrected(record.game, record.state, sightings)
    if kept is not None:
        options.append((TEXTS("option_keep"), Keep(kept)))
    options.append((TEXTS("menu_aside"), Aside()))
    return _question("mend", TEXTS("mend_how"), options)


def which_first(record: Record, choices: tuple[Act, ...]) -> Question | None:
    """The dice, or the pieces, are ahead of a choice that no sensor sees. None: nobody may be
    asked openly."""
    game, state = record.game, record.state
    open_ = [act for act in choices if not game.hidden(state, act.move, act.by)]
    return _question("ahead", TEXTS("first_choose"), _offered(record, open_)) if open_ else None


def why_not(record: Record) -> Question:
    """What hands commonly try now, and the rule that is against it."""
    reasons = refusals(record.game, record.state)
    return _question("why", TEXTS("menu_why"), [(reason, Nothing()) for reason in reasons])


def what_it_does(record: Record, piece: Piece) -> Question | None:
    """Where a piece that is held to a pad may go."""
    acts = moving(piece, record.game, record.state)
    text = TEXTS("held_piece", piece=record.game.piece(piece))
    return _question("menu", text, _offered(record, acts)) if acts else None


def what_next(record: Record, sightings: Sightings, *, always: bool) -> Question | None:
    """The moves that no sensor sees; unless `always`, where there are no others."""
    game, state = record.game, record.state
    acts, others = unseen(game, state, sightings)
    if not acts or (others and not always):
        return None
    options = _offered(record, acts)
    if next(iter(game.attempts(state)), None) is not None:
        options.append((TEXTS("menu_why"), Why()))
    return _question("menu", prompt(record), [*options, (TEXTS("menu_aside"), Aside())])


def prompt(record: Record) -> Text:
    return record.game.prompt(record.state, None)


def stands_at_the_start(record: Record, sightings: Sightings) -> bool:
    """Players start a new game by simply setting the board up for it."""
    start, now = (record.game.image(state) for state in (record.line[0].state, record.state))
    return not unfit(start, sightings) and bool(seen_change(start, now, sightings))


def accept(record: Record, acts: tuple[Act, ...]) -> Accept:
    return Accept(acts, left_by(record.game, record.state, acts))


def _option(record: Record, option: Found | TakenBack) -> tuple[Text, Decision]:
    if isinstance(option, TakenBack):
        return TEXTS("option_taken_back"), Back(option.intents)
    return in_one(record.game, record.state, option.acts), accept(record, option.acts)


def _offered(record: Record, acts: list[Act]) -> Options:
    game, state = record.game, record.state
    return [(game.offered(state, act.move, act.by), Accept((act,))) for act in acts]


def _question(kind: str, text: Text, options: Options) -> Question:
    return Question(
        kind, text, tuple(label for label, _ in options), tuple(answer for _, answer in options)
    )

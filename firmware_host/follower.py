"""Keeps the state beside the board: judges what has settled, and holds what the table then says.

It owns no hardware and no journal. It is handed sightings and answers, and gives back what to
accept; until then it holds one notice (what is wrong, what to arrange) or one question.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

from msgspec.structs import replace

from firmware_host import questions
from firmware_host.journal import Intent, Record, Step, Undo
from firmware_host.mending import instructions, progress
from firmware_host.notices import (
    Accept,
    Back,
    Decision,
    Nothing,
    Notice,
    Question,
)
from firmware_host.questions import stands_at_the_start, what_happened
from firmware_host.sighting import Sightings, changed, seen_change, unfit
from firmware_host.texts import TEXTS
from firmware_host.tracker import (
    Ahead,
    Asked,
    Begun,
    Found,
    Mend,
    Past,
    Still,
    TakenBack,
    Verdict,
    explain,
    passed_by,
)
from firmware_host.words import in_one
from game_logic.core import Act, Image, Piece, Text

HELD = 3.0  # s that a piece is held in the hand before anybody is told to put it back
LINGER = 1.5  # s that a move which could still go on is left to itself


class Follower:
    def __init__(self) -> None:
        self.notice: Notice | None = None
        self.question: Question | None = None
        # Sensors may have it asked anew under a finger that is about to confirm: it stays put.
        self._dropped: Question | None = None
        self._record: Record | None = None
        self._search: Generator[None, None, Verdict] | None = None
        self._judged: Sightings | None = None  # what the search, or the last verdict, is about
        self._arranging = False
        self._owed: frozenset[str] = frozenset()  # spaces that changed while nobody saw them
        self.mending = False
        self.keeps_signs = False  # until the board is right again, or more cards may have come
        self._lingering: tuple[float, Accept | Back] | None = None
        self._held: tuple[float, Notice | None] | None = None  # to be said if nothing changes

    @property
    def busy(self) -> bool:
        """Is a search under way, to be gone on with at once?"""
        return self._search is not None

    @property
    def at_ease(self) -> bool:
        """Is the board as the state has it, and nothing under way on it?"""
        waiting = self._lingering or self._held
        return not (self._arranging or self.mending or self._search or waiting)

    @property
    def due(self) -> float | None:
        waiting = self._lingering or self._held
        return waiting[0] if waiting else None

    def follow(self, record: Record | None, board: Image | None, sightings: Sightings) -> None:
        """From now on this is the state. `board` is how the pieces stand as far as we know: as a
        hand left them, or as the state before had them; None when we cannot know (a start)."""
        arranging, before = self._arranging, self._record
        self._record = record
        self._forget()
        self._dropped = None
        self._arranging = False
        if record is None:
            return
        image = record.game.image(record.state)
        if before is None or before.game is not record.game:
            self._owed = frozenset()
        else:
            self._owed |= changed(before.game.image(before.state), image) & sightings.lost
        moved = board is None or (
            seen_change(board, image, sightings) if sightings.spaces else board != image
        )
        self._arranging = (arranging or bool(moved)) and (
            bool(unfit(image, sightings)) or _sees_only_signs(sightings)
        )
        if self._arranging and board is None and _sees_only_signs(sightings) and not image:
            self._arranging = False  # an empty board at the start: nothing to put up
        if self._arranging:
            self._show_arranging(sightings)
        elif before is not None and not moved and _went_through(before, record, sightings):
            # What is undone comes out the way it went in, and nothing else shows when it has.
            self._arranging = True
            self.notice = Notice("arrange", TEXTS("mend_and_confirm"), confirm=True)
        else:
            self._offer_menu(sightings)

    def look(self, sightings: Sightings, now: float) -> Decision | None:
        """Judge a board that has settled. Signs in it are used up by this."""
        record = self._record
        if record is None or record.ended:
            return None
        if self._owed:
            self._call_in(sightings)
        if self._arranging:
            self._arrange(sightings)
            return None
        if sightings == self._judged and self._search is None:
            return self._linger(now)
        if sightings != self._judged or self._search is None:
            self._judged = sightings
            past = [
                Past(before.state, _acts(step))
                for before, step in zip(record.takebacks, reversed(record.line), strict=False)
            ]
            self._search = explain(record.game, record.state, sightings, past, mending=self.mending)
        try:
            next(self._search)
        except StopIteration as end:
            self._search = None
            return self._ruled(end.value, sightings, now)
        return None

    def answer(self, at: int) -> Decision | None:
        """People picked this option of the question."""
        question = self.question
        if question is None or not 0 <= at < len(question.answers):
            return None
        self.question = None
        answer = question.answers[at]
        if question.kind == "why" and self._judged is not None:
            self._offer_menu(self._judged, always=True)  # now that they know
        elif question.kind == "asked" and isinstance(answer, Nothing):
            self._mend_all()
        return answer

    def next(self) -> bool:
        """The next option, or, where nothing is asked, what there is to choose. False: nothing."""
        if self.question is not None:
            if self.question.kind == "asked":
                self._lingering = None  # somebody is about to say what it was
            at = (self.question.at + 1) % len(self.question.options)
            self.question = self.question._replace(at=at)
        elif self._lingering is not None:
            return True  # first that: it is about to be accepted
        elif self.mending:
            assert self._judged is not None
            self._ask_how(self._judged)
        elif self._record is not None and not self._arranging and self._judged is not None:
            self._offer_menu(self._judged, always=True)
        return self.question is not None

    def confirm(self) -> Decision | None:
        """The confirm button: picks the option shown, ends a lingering move, or says "done"."""
        if self.question is not None:
            return self.answer(self.question.at)
        if self._lingering is not None:
            accept, self._lingering = self._lingering[1], None
            return accept
        if self.notice is not None and self.notice.confirm:
            self._arranging = False
            self.notice = None
            if self._judged is not None:
                self._offer_menu(self._judged)
        return None

    def withdraw(self) -> bool:
        """Undo, where a move stands that does not count yet: it was not meant. False: none does."""
        if self._lingering is None or not isinstance(self._lingering[1], Accept):
            return False
        assert self._judged is not None
        self._forget(judged=used_up(self._judged))
        self._mend_all()
        if not self.mending:
            self._offer_menu(self._judged)
        return True

    def ask_first(self, choices: tuple[Act, ...]) -> None:
        """The dice, or the pieces, are ahead of a choice that no sensor sees: which?"""
        assert self._record is not None
        question = questions.which_first(self._record, choices)
        if question is None:
            self.notice = Notice("ahead", TEXTS("first_choose_hidden"))
        elif self.question is None or self.question.kind != "ahead":
            self._ask(question)

    def ask_why(self) -> None:
        assert self._record is not None
        self._ask(questions.why_not(self._record))

    def hold_up(self, piece: Piece) -> Text | None:
        """A piece is held to a pad: what does it do? None, or why there is nothing to choose."""
        record = self._record
        if record is None or record.ended or self._arranging or self.mending:
            return None
        question = questions.what_it_does(record, piece)
        if question is None:
            return TEXTS("held_nothing", piece=record.game.piece(piece))
        self._ask(question)
        return None

    # -- verdicts -------------------------------------------------------------------------------

    def _ruled(self, verdict: Verdict, sightings: Sightings, now: float) -> Decision | None:
        record = self._record
        assert record is not None
        # What passed is used up by the verdict, except while something waits to be put right, or
        # for another card.
        wrong = isinstance(verdict, Mend) and bool(verdict.steps)
        cards = not sightings.cards.isdisjoint(sightings.signs)
        open_ = isinstance(verdict, Found) and verdict.provisional and bool(sightings.signs)
        keeps = (
            wrong or open_ or isinstance(verdict, Begun) or (isinstance(verdict, Asked) and cards)
        )
        mending = self.mending
        self._forget(judged=sightings if keeps else used_up(sightings))
        self.keeps_signs = keeps
        match verdict:
            case Still():
                self._reopen_menu(sightings)
            case Found(acts, provisional, aloft):
                accept = questions.accept(record, acts)
                if not provisional:
                    return accept
                # Time does not tell a piece in the hand from one put where no sensor sees it.
                until = float("inf") if aloft else now + LINGER
                self._lingering = (until, accept._replace(lingered=True))
                told = in_one(record.game, record.state, acts)
                then = TEXTS("confirm_or_go_on" if aloft else "undo_drops")
                self.notice = Notice("provisional", told, confirm=aloft, then=then)
            case TakenBack(intents, aloft):
                if not aloft:
                    return Back(intents)
                self._lingering = (now + HELD, Back(intents, lingered=True))
                self._ask(what_happened(record, (verdict,), sightings))
            case Asked(options):
                self._ask(what_happened(record, options, sightings))
            case Ahead(choices):
                self.ask_first(choices)
            case Begun():
                self._held = (now + HELD, None)
            case Mend(steps, why, signs, back, aloft):
                self.mending = bool(steps)
                if steps:
                    text = steps[0].text(record.game)
                else:  # the sensors saw it pass and will not see it mended
                    text = TEXTS("mend_and_confirm")
                    self._arranging = True
                assert steps or signs
                undo = TEXTS("undo_takes_back") if steps and back else None
                notice = Notice("mend", text, why, 0, len(steps), confirm=not steps, then=undo)
                if aloft and not mending:
                    self._held, self.mending = (now + HELD, notice), False
                    return None
                self.notice = notice
                if why is None and stands_at_the_start(record, sightings):
                    self._ask_how(sightings)
        return None

    def _mend_all(self) -> None:
        """Nothing that was offered has happened: then the board is to be put right."""
        assert self._record is not None
        self._lingering = None
        if self._judged is None:
            return
        steps = instructions(self._record.game, self._record.state, self._judged)
        if steps:
            self.mending = True
            text = steps[0].text(self._record.game)
            self.notice = Notice("mend", text, None, 0, len(steps))

    def _linger(self, now: float) -> Decision | None:
        """What has stood there for long enough is meant, whatever else people look at."""
        if self._lingering is not None and now >= self._lingering[0]:
            accept, self._lingering = self._lingering[1], None
            return accept  # whatever question people have opened meanwhile
        if self._held is not None and now >= self._held[0]:
            (_, notice), self._held = self._held, None
            if notice is not None:
                self.notice, self.mending = notice, True
            elif self._judged is not None:
                self._judged, self.keeps_signs = used_up(self._judged), False
        return None

    # -- arranging ------------------------------------------------------------------------------

    def _call_in(self, sightings: Sightings) -> None:
        """Where a sensor is back, what was told meanwhile may not have been done yet: that is no
        takeback, and nothing else that could be read from it."""
        assert self._record is not None
        seen = self._owed & sightings.spaces.keys()
        self._owed -= seen
        if seen & unfit(self._record.game.image(self._record.state), sightings):
            self._forget()
            self._arranging = True

    def _arrange(self, sightings: Sightings) -> None:
        assert self._record is not None
        image = self._record.game.image(self._record.state)
        self._judged = used_up(sightings)
        if self.notice is not None and self.notice.confirm:
            return
        if unfit(image, sightings):
            self._show_arranging(sightings)
            return
        self._arranging = False
        self._forget(judged=self._judged)
        self._offer_menu(sightings)

    def _show_arranging(self, sightings: Sightings) -> None:
        assert self._record is not None
        game, state = self._record.game, self._record.state
        self._judged = sightings
        if _sees_only_signs(sightings):
            key = "arrange_and_confirm" if game.image(state) else "clear_and_confirm"
            self.notice = Notice("arrange", TEXTS(key), confirm=True)
            return
        steps = instructions(game, state, sightings)
        if len(steps) == 1:
            self.notice = Notice("arrange", steps[0].text(game))
            return
        right, wanted = progress(game, state, sightings)
        if wanted:
            text, done, of = TEXTS("arrange"), right, wanted
        else:
            text, done, of = TEXTS("clear", left=len(steps)), 0, len(steps)
        self.notice = Notice("arrange", text, steps[0].text(game) if wanted else None, done, of)

    # -- questions ------------------------------------------------------------------------------

    def _offer_menu(self, sightings: Sightings, *, always: bool = False) -> None:
        """Ask at once where every move that may be made openly is one that no sensor sees."""
        assert self._record is not None
        question = questions.what_next(self._record, sightings, always=always)
        if question is not None:
            self._ask(question)

    def _reopen_menu(self, sightings: Sightings) -> None:
        """Whatever sensors come and go meanwhile, what people have opened stays there."""
        assert self._record is not None
        open_ = self._dropped if self._dropped and self._dropped.kind == "menu" else None
        if open_ is not None and open_.text != questions.prompt(self._record):
            self._ask(open_)  # what a piece held to the pad may do
        else:
            self._offer_menu(sightings, always=open_ is not None)

    def _ask_how(self, sightings: Sightings) -> None:
        assert self._record is not None
        assert self.notice is not None
        self._ask(questions.how_to_mend(self._record, sightings, self.notice.text))

    def _ask(self, question: Question) -> None:
        last, self._dropped = self._dropped, None
        if last is not None and last.text == question.text:
            stood = last.options[last.at]
            if stood in question.options:
                question = question._replace(at=question.options.index(stood))
        self.question = question

    def _forget(self, judged: Sightings | None = None) -> None:
        self._dropped = self.question
        self.notice = self.question = self._search = self._lingering = self._held = None
        self.keeps_signs = self.mending = False
        self._judged = judged


def used_up(sightings: Sightings) -> Sightings:
    """The same board once what passed has been judged."""
    return replace(sightings, signs=(), shaken=False)


def _went_through(before: Record, record: Record, sightings: Sightings) -> bool:
    """Has a move been undone that passed an opening?"""
    if not isinstance(record.last, Undo) or before.game is not record.game:
        return False
    return any(
        passed_by(record.game, earlier.state, _acts(step), sightings)
        for earlier, step in pairwise(before.line)
        if earlier.stands >= record.steps[-1].stands
    )


def _acts(step: Step) -> tuple[Act, ...]:
    """The moves that it is of; none, if it is a correction or the like."""
    return step.entry.acts if isinstance(step.entry, Intent) else ()


def _sees_only_signs(sightings: Sightings) -> bool:
    """Ten opening switches and no cell: pieces taken off the board look like pieces put on it."""
    return bool(sightings.sensed) and not sightings.spaces

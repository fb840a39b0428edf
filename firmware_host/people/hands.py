"""Simulated people: they move pieces on the simulated board, press its buttons, and make mistakes.

They choose legal moves at random and make them as hands do: a knot passes an opening, pieces
slide, the table gets time to answer. They keep their own record of what they did, so that at the
end it can be held against the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from firmware_host.inbox import Intend
from firmware_host.journal import Record
from firmware_host.notices import Accept, Notice
from firmware_host.offers import left_by
from firmware_host.people.answers import Answers, along, in_the_menu, is_meant
from firmware_host.people.clumsy import MISTAKES, SLIDE
from firmware_host.people.throws import UNSEEN, Throws
from firmware_host.sighting import Sightings, seen_change
from firmware_host.simulated import SimulatedTable
from firmware_host.snapshot import Event, Snapshot
from firmware_host.table import Table
from game_logic.bots import Bot, keen_bot
from game_logic.core import CHANCE, HOUSE, Act, Chance, Game, Image, Move, Text, pick, play_all

AGAIN = 9.0  # s until people hold the card to the pad once more
UNREAD = 3.0  # s until people hold a card to the pad once more of themselves
READ = 0.3  # s until people have read what the table asks
LOOK = 0.6  # s until people have read what the table makes of a card
LEFT = 1.2  # s that cards are kept away from the pad, so that it sees them come once more
TOLD = 0.3  # s after which people do what they have told the table
PATIENCE = 20.0  # s until people would call it broken
CROSSED = 1.0  # s within which the table may take a move that hands have begun to take off again


class Hands:
    def __init__(
        self,
        table: Table,
        sim: SimulatedTable,
        now: Callable[[], float],
        below: Callable[[int], int],
        mistakes: float = 0.0,
        bot: Bot = keen_bot.choose,
    ) -> None:
        self.mistakes = mistakes  # how many turns in 1.0 begin with one
        self.made: dict[str, int] = {}  # mistakes by kind
        self.truth: Any = None  # the state, by what the hands did
        self.wrong: list[str] = []  # moves taken otherwise than they were made
        self.lost: list[str] = []  # moves and mistakes that nobody noticed
        self.phoned = 0  # secrets told by phone
        self.again = 0  # dice, cards and moves that were asked for once more
        self.table = table
        self.sim = sim
        self._now = now
        self.below = below
        self._bot = bot
        self._due = 0.0
        self._acts: tuple[Act, ...] = ()  # done by hand, not yet accepted
        self._since = 0.0
        self._shown_at = 0.0  # when cards were last held to the pad
        self.before: Any = None  # the truth before the last move by hand,
        self._last: Move | None = None  # which was this
        self._shown: int | None = None  # the last entry that was on the screens
        self._answers = Answers(self.choose, below)
        self._withdrawn: tuple[float, tuple[Act, ...]] = (float("-inf"), ())  # when, and what
        self._throws = Throws(sim, now, below)
        self._reading: tuple[Text, ...] = ()  # what the table asks
        self._astray: str | None = None  # what is wrong on the board, until the table says so

    @property
    def disagreements(self) -> list[str]:
        return [*self.wrong, *self.lost]

    def heard(self, event: Event) -> None:
        """Follow what people did not do themselves, and compare the rest."""
        record = event.record
        if record is None:
            return
        if event.kind in ("begin", "move", "undo", "correction", "over"):
            self._shown = record.seq
        if event.kind == "begin":
            self.truth = record.state
        elif event.kind == "move":
            self._throws.spoilt = None
            if not self._acts and all(act.by in (CHANCE, HOUSE) for act in event.acts):
                self.truth = play_all(record.game, self.truth, event.acts)
            left = self._acts[len(event.acts) :]  # of two made in one go, the first may come alone
            if left and self.truth in along(record.game, record.state, left):
                self._acts = left
                return
            if self._throws.told_late(event.acts):
                self.truth, self._acts = record.state, ()
                return
            if self.truth in along(record.game, record.state, self._acts):
                return  # it stood before, and what was made since is still to come
            since, withdrawn = self._withdrawn
            if withdrawn and event.acts == withdrawn and self._now() < since + CROSSED:
                self._since = self._now()  # it was made, and now it is a takeback
                return
            if record.state != self.truth:
                wrong = f"entry {record.seq}: {event.acts} instead of {self._acts}"
                self.wrong.append(wrong)
                self.truth = record.state
            self._acts = ()
        elif event.kind == "undo" and self.truth not in (
            record.state,
            *along(record.game, record.state, self._acts),
        ):
            self.wrong.append(f"entry {record.seq}: taken back, which nobody did")

    def step(self) -> float:
        now = self._now()
        shot = self.table.snapshot
        if now < self._due:
            return self._due
        self._due = now + 0.05
        if shot.record is None or shot.record.ended or self.truth is None:
            return self._due
        if self._shown not in (None, shot.record.seq):
            return self._due  # people look at the screens: the last move is not there yet
        if shot.asked != self._reading:
            self._reading = shot.asked
            self._due = now + (READ if shot.asked else 0.05)
            return self._due
        self._act(shot, now)
        return self._due

    def _act(self, shot: Snapshot, now: float) -> None:
        record = shot.record
        assert record is not None
        if self._astray is not None:
            self._wait_for_help(shot, now)
        elif shot.question is not None:
            self._answer(shot)
        elif shot.notice is not None and shot.notice.kind in ("mend", "arrange"):
            self._put_right(shot)
        elif self._acts and shot.notice is not None and is_meant(shot.notice, record, self._acts):
            self.press("confirm")
        elif self._acts and shot.notice is not None and self._is_less(shot.notice, record, now):
            self.press("undo")  # and once more
            self._shown_at, self._due = now - UNREAD, now + LEFT
        elif record.state == self.truth and not self._acts:
            actors = record.game.to_act(self.truth)
            if not actors:
                self.press("confirm")  # that was the game
            elif actors != (CHANCE,):
                self._turn(record.game)
            elif shot.awaited is not None:
                self._throw(record.game, shot.awaited)
        elif shot.awaited is not None and now > self._since + (
            UNSEEN if shot.awaited == "tower" else AGAIN
        ):
            self._once_more(record.state)  # it was not seen
        elif shot.awaited == "tower":
            pass  # the dice lie in the tray
        elif self._acts and _will_be_taken(shot.notice):
            pass  # it has been seen at last
        elif now > self._since + PATIENCE:
            self.lost.append(f"nobody noticed {self._acts or 'a takeback'}")
            self.truth, self._acts = record.state, ()
        elif self._cards_unseen(record) and shot.notice is None:
            self._hold_again(record)
        elif self._acts and now > self._since + 2.0:
            self.press("next")  # the sensors cannot see it: tell the table by its menu
        elif not self._acts and now > self._since + 2.0 and self._taken_back_unseen(record):
            self.press("undo")

    def _taken_back_unseen(self, record: Record) -> bool:
        """Are the sensors that would tell of it silent for now?"""
        then, now = record.game.image(self.truth), record.game.image(record.state)
        return self.truth in self.past[:1] and not seen_change(then, now, self.like)

    # -- moves ----------------------------------------------------------------------------------

    def _turn(self, game: Game[Any]) -> None:
        if self.mistakes and self.below(1000) < self.mistakes * 1000:
            kinds = tuple(MISTAKES)
            first = self.below(len(kinds))
            for kind in (*kinds[first:], *kinds[:first]):  # the first that fits
                if MISTAKES[kind](self, game):
                    self._note(kind)
                    return
        act = self.choose(game, self.truth)
        if act.by >= 0 and self._private(game, self.truth, act):
            self._send(game, act)
        else:
            self.play(game, act, 0.0)

    def _send(self, game: Game[Any], act: Act) -> None:
        """What nobody else may see comes from the player's own phone."""
        self.truth = game.play(self.truth, act.move, act.by)
        self._acts = (act,)
        self._since = self._now()
        self._due = self._now() + 0.4
        self.table.inbox.put(Intend((act,)))
        self.phoned += 1

    def choose(self, game: Game[Any], state: Any) -> Act:
        seats = game.to_act(state)
        by = seats[self.below(len(seats))]
        return Act(by, self._bot(game, state, by, self.below))

    def _private(self, game: Game[Any], state: Any, act: Act) -> bool:
        """Is it made from the player's own phone: what nobody may see, or may know is possible?"""
        return game.secret(state, act.move, act.by) or (
            game.hidden(state, act.move, act.by) and self.unseen(game, state, act)
        )

    def unseen(self, game: Game[Any], state: Any, act: Act) -> bool:
        """Is it made from a phone, or from the menu?"""
        after = game.play(state, act.move, act.by)
        board = game.by_hand(state, act.move, after)
        return game.secret(state, act.move, act.by) or not (
            seen_change(game.image(state), board, self.like)
            or set(game.signs(state, act.move)) & self.like.sensed
        )

    @property
    def record(self) -> Record:
        record = self.table.snapshot.record
        assert record is not None
        return record

    @property
    def past(self) -> list[Any]:
        """The states that may be taken back to, the newest first."""
        return [step.state for step in self.record.takebacks]

    def put_back(self, game: Game[Any], board: Image) -> None:
        """The pieces stand as before the last move, which then was none. What came through an
        opening may leave through it, or be picked off the front."""
        assert self._last is not None
        openings = [s for s in game.signs(self.before, self._last) if s not in self.like.cards]
        if openings and self.like.spaces and self.below(2):
            self.sim.world.pass_by(openings[0])
        self.truth, self._since = self.before, self._now()
        self.sim.world.slide(board, SLIDE)

    def think(self, seconds: float) -> None:
        self._due = self._now() + seconds

    def go_astray(self, what: str) -> None:
        self._astray, self._since = what, self._now()
        self.think(1.5)

    def _wait_for_help(self, shot: Snapshot, now: float) -> None:
        """The board is wrong, and the table is to say so; then it is put right as told."""
        asked = shot.question is not None and shot.question.kind in ("asked", "ahead", "mend")
        told = shot.notice is not None and shot.notice.kind in ("mend", "arrange")
        if not asked and not told and now <= self._since + PATIENCE:
            return
        if not asked and not told:
            self.lost.append(f"nobody noticed {self._astray}")
        self._astray = None
        if not told:
            assert shot.record is not None
            self.sim.world.slide(shot.record.game.image(shot.record.state), SLIDE * 2)
            self._due = now + 1.5

    def _is_less(self, notice: Notice, record: Record, now: float) -> bool:
        """Has the table seen only some of the cards, and takes them for something else?"""
        game, state, act = record.game, record.state, self._acts[0]
        if notice.kind != "provisional" or now < self._shown_at + LOOK or act.by < 0:
            return False
        told = game.told(state, act.move, act.by, None)
        return told.en not in notice.text.en and bool(self._cards(record))

    def _cards_unseen(self, record: Record) -> bool:
        """Have cards been held to the pad for long, and nothing has come of it?"""
        return bool(self._cards(record)) and self._now() > self._shown_at + UNREAD

    def _cards(self, record: Record) -> frozenset[str]:
        """Those that show what was done."""
        if not self._acts:
            return frozenset()
        return self.like.cards.intersection(record.game.signs(record.state, self._acts[0].move))

    def _hold_again(self, record: Record) -> None:
        """All the cards of the move, once more."""
        self.again += 1
        self._shown_at = self._now()
        for n, card in enumerate(sorted(self._cards(record))):
            self.sim.agenda.after(0.05 * n, partial(self.sim.world.pass_by, card, again=True))
        self._due = self._now() + LOOK

    def _once_more(self, state: Any) -> None:
        self._throws.unseen(self._acts)
        self.truth, self._acts = state, ()
        self.again += 1

    def play(self, game: Game[Any], act: Act, delay: float) -> Image:
        """Make a move by hand, and hold it true. Gives the board as it then stands."""
        signs = game.signs(self.truth, act.move)
        after = game.play(self.truth, act.move, act.by)
        board = game.by_hand(self.truth, act.move, after)
        self.show(signs, board, delay)
        self.before, self._last, self.truth = self.truth, act.move, after
        self._acts = (*self._acts, act)
        self._since = self._shown_at = self._now()
        self._due = self._now() + delay + SLIDE + 0.3 + self.below(600) / 1000
        return board

    def show(self, signs: tuple[str, ...], board: Image, delay: float) -> None:
        world, agenda = self.sim.world, self.sim.agenda
        for n, sign in enumerate(signs):
            if not sign.endswith("?") or self.below(2):
                agenda.after(delay + 0.05 * n, partial(world.pass_by, sign.rstrip("?")))
        agenda.after(delay + 0.02, lambda: world.slide(board, SLIDE))

    def _throw(self, game: Game[Any], awaited: str) -> None:
        """Roll the dice that are asked for, or draw the card and hold it to the pad."""
        chance = game.chance(self.truth)
        assert chance is not None
        if awaited == "tower":
            told = self.table.snapshot.notice is not None  # that the last throw was no good
            if self._throws.due(told):
                self._roll(game, chance)
        elif awaited == "pad":
            move = pick(chance.parts[0], self.below)
            for sign in game.signs(self.truth, move):
                self.sim.world.pass_by(sign)
            self._made(game, (Act(CHANCE, move),))
        elif awaited == "beam":
            self.sim.break_beam()
            self._due = self._now() + 1.0
        else:
            self.press("confirm")

    def _roll(self, game: Game[Any], chance: Chance) -> None:
        thrown = self._throws.roll(game, chance, self.mistakes)
        if isinstance(thrown, str):
            self._note(thrown)
        else:
            self._made(game, thrown)
        self._due = self._now() + 2.5

    def _made(self, game: Game[Any], acts: tuple[Act, ...]) -> None:
        self.truth = play_all(game, self.truth, acts)
        self._acts = acts
        self._since = self._now()
        self._due = self._now() + 1.0

    def _note(self, mistake: str) -> None:
        self.made[mistake] = self.made.get(mistake, 0) + 1

    @property
    def like(self) -> Sightings:
        return self.sim.parts.senses.sightings()

    # -- answers --------------------------------------------------------------------------------

    def _answer(self, shot: Snapshot) -> None:
        """With the buttons: next until the right option stands there, then confirm."""
        question, record = shot.question, shot.record
        assert question is not None
        assert record is not None
        if question.kind == "table":
            self.press(in_the_menu(question, record, self._acts))
            return
        if question.kind == "proposal":
            self.press("confirm" if question.at else "next")
            return
        if self._acts and record.state == self.truth:
            return  # taken, and about to be told
        wanted = self._answers.wanted(question, record, self._acts, self.truth)
        if wanted is None and self._cards_unseen(record):
            self._hold_again(record)
            self._due = self._now() + 1.5
        elif wanted is None and self._now() > self._since + 3 * PATIENCE:
            self.lost.append(f"{self._acts} is not among {[o.en for o in question.options]}")
            self.sim.world.slide(record.game.image(record.state), SLIDE * 2)
            self.truth, self._acts = record.state, ()
        elif wanted is None:
            self.press("next")
        elif question.at == wanted:
            answer = question.answers[wanted]
            if isinstance(answer, Accept) and not self._acts:
                self.truth = play_all(record.game, record.state, answer.acts)
                self._acts, self._since = answer.acts, self._now()
                done = left_by(record.game, record.state, answer.acts)
                self.sim.agenda.after(TOLD, lambda: self.sim.world.slide(done, SLIDE))
            self.press("confirm")
        else:
            self.press("next")

    def _put_right(self, shot: Snapshot) -> None:
        assert shot.record is not None
        assert shot.notice is not None
        board = shot.record.game.image(shot.record.state)
        if any(
            self.sim.world.pieces.get(s, ()) != board.get(s, ())
            for s in {*self.sim.world.pieces, *board}
        ):
            self.sim.world.slide(board, SLIDE * 2)
            thrown = bool(self._acts) and self._acts[0].by == CHANCE  # that lies elsewhere
            if shot.record.state != self.truth and not thrown:
                # Whatever was made is taken off, and made again.
                self._withdrawn = (self._now(), self._acts)
                self._once_more(shot.record.state)
            self._due = self._now() + 0.8
        elif shot.notice.confirm:
            self.press("confirm")

    def press(self, button: str) -> None:
        self.sim.press(button)
        self._due = self._now() + (0.25 if button == "next" else 0.4)


def _will_be_taken(notice: Notice | None) -> bool:
    return notice is not None and notice.kind == "provisional" and not notice.confirm

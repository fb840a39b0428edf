"""The game as it goes on: hands are followed, dice taken, timers run out, the house plays; what is
accepted goes to the journal, and is the state once it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drivers.tower_protocol import Mark, Roll
from firmware_host.clerk import Clerk, Draft
from firmware_host.dealer import Awaited, Dealer, Dealt
from firmware_host.decisions import Decisions
from firmware_host.decks import Decks
from firmware_host.follower import Follower
from firmware_host.house import House
from firmware_host.inbox import Begin, Correct, Intend, Order, Pick, TakeBack
from firmware_host.journal import InlineWriter, Record, Writer
from firmware_host.notices import Accept, Anew, Aside, Back, Decision, Keep, Nothing, Notice, Why
from firmware_host.offers import left_by
from firmware_host.orders import Change, begun, changed
from firmware_host.parts import Parts
from firmware_host.texts import TEXTS
from firmware_host.words import in_one
from game_logic.core import CHANCE, HOUSE, Act, Game, Illegal, Image, Piece, Text

CLOSING = 30.0  # s after its end that a game is closed by itself
HOUSE_MAY = ("confirm", "box")  # what the house gives, where it is awaited and somebody confirms


class Play:
    """`refuse` tells people why not; `aside` is for what is not about this game."""

    def __init__(
        self,
        parts: Parts,
        writer: Writer | InlineWriter,
        below: Callable[[int], int],
        decks: Decks,
        record: Record | None,
        now: Callable[[], float],
        *,
        refuse: Callable[[Text], Text],
        aside: Callable[[Anew | Aside], None],
    ) -> None:
        self.record = record
        self.follower = Follower()
        self.decisions = Decisions()
        self.clerk = Clerk(writer, now)
        self.awaited: Awaited | None = None
        self.paused: float | None = None  # since when
        self.known = False  # has the board been looked at since the record was given?
        self._parts = parts
        self._decks = decks
        self._dealer = Dealer(parts, below)
        self._house = House(below)
        self._refuse = refuse
        self._aside = aside
        self._slow: Draft | None = None  # on the screens already, as provisional
        self._deadline: tuple[str, float] | None = None
        self._close_at: float | None = None
        self.decisions.follow(record, ())
        self._house.follow(record, now())
        if record is not None:
            parts.senses.play(record)

    @property
    def open(self) -> bool:
        """Is a game under way?"""
        return self.record is not None and not self.record.ended

    @property
    def deadline(self) -> float | None:
        """When the game's timer runs out."""
        return self._deadline[1] if self._deadline else None

    @property
    def notice(self) -> Notice | None:
        if self.paused is not None:
            return Notice("paused", TEXTS("paused"), confirm=True)
        if self._slow is not None and self.record is not None:
            game, state = self.record.game, self.record.state
            done = in_one(game, state, self._slow.acts) if self._slow.acts else TEXTS("undone")
            return Notice("provisional", done, then=TEXTS("being_written"))
        source, text, why = self.awaited or (None, None, None)
        if self.follower.notice is None and text is not None:
            return Notice("chance", text, why, confirm=source in HOUSE_MAY)
        return self.follower.notice

    @property
    def rest(self) -> float | None:
        """When the pieces came to rest that a provisional notice is about; dice are not pieces."""
        if self._slow is not None and self._slow.roll is not None:
            return None
        return self._parts.senses.last_change

    def from_box(self, on: bool) -> None:
        """What no sensor sees is rolled and drawn by people, who say it; else by the house."""
        self._dealer.box = on

    # -- what people ask for --------------------------------------------------------------------

    def order(self, order: Order) -> Text | None:
        """Do what changes the game; else why not."""
        match order:
            case Intend() if self.paused is not None:
                return self._refuse(TEXTS("paused"))
            case Intend() if self._stale(order):
                return self._refuse(TEXTS("stale"))
            case Pick(at):
                decision = self.follower.answer(at)
                return self._decide(decision) if decision else self._refuse(TEXTS("stale"))
            case Begin() if self.open:
                return self._refuse(TEXTS("game_open"))
            case Begin():
                return self._try(lambda: begun(order, self._decks))
        refusal = self._try(lambda: changed(self.record, order))
        if refusal is None and isinstance(order, TakeBack):
            self._parts.senses.forget_signs()  # it left by the way it came
        return refusal

    def confirm(self, now: float) -> None:
        """The button: what is asked, awaited or over."""
        asked = self.follower.question is not None  # that is what people have before their eyes
        if self.awaited and self.awaited.source in HOUSE_MAY and not asked:
            self._dealer.let_house_roll()
            return
        decision = self.follower.confirm()
        if decision is not None:
            self._decide(decision)
        elif self._close_at is not None:
            self._close_at = now

    def withdraw(self) -> bool:
        """Is there a move that does not count yet, to be dropped rather than one taken back?"""
        withdrawn = self.follower.withdraw()
        if withdrawn:
            self._parts.senses.forget_signs()
        return withdrawn

    def pause(self, on: bool, now: float) -> None:
        if not on and self.paused is not None and self._deadline is not None:
            id, until = self._deadline
            self._deadline = (id, until + now - self.paused)
        self.paused = (self.paused or now) if on else None

    def hold_up(self, piece: Piece) -> None:
        """A piece is held to a pad."""
        why_not = self.follower.hold_up(piece)
        if why_not is not None:
            self._refuse(why_not)

    def _stale(self, intend: Intend) -> bool:
        """Does it answer what is not asked any more?"""
        if intend.decision is not None and intend.acts:
            return self.decisions.since(intend.acts[0].by) != intend.decision
        return intend.seq is not None and (self.record is None or self.record.seq != intend.seq)

    # -- what is accepted -----------------------------------------------------------------------

    def _decide(self, decision: Decision, rest: float | None = None) -> Text | None:
        match decision:
            case Accept(acts, board, lingered):
                return self._intend(acts, board, None if lingered else rest)
            case Back(intents, lingered):
                assert self.record is not None
                back = self.record.undo, self.record.takebacks[intents - 1].entry.seq
                rest = None if lingered else rest
                return self._try(lambda: Change(back[0](back[1]), "undo"), rest=rest)
            case Keep(state):
                assert self.record is not None
                board = self.record.game.image(state)
                return self._try(lambda: changed(self.record, Correct(state)), board)
            case Anew() | Aside():
                self._aside(decision)
            case Why():
                self.follower.ask_why()
            case Nothing():
                pass
        return None

    def _intend(
        self,
        acts: tuple[Act, ...],
        board: Image | None = None,
        rest: float | None = None,
        roll: Mark | None = None,
    ) -> Text | None:
        """Moves that sensors, dice or timers made."""
        record = self.record
        assert record is not None
        return self._try(lambda: Change(record.intent(acts, roll), "move", acts), board, rest, roll)

    def _try(
        self,
        change: Callable[[], Change],
        board: Image | None = None,
        rest: float | None = None,
        roll: Mark | None = None,
    ) -> Text | None:
        """Make a change if the rules allow it; else why not."""
        try:
            record, kind, acts = change()
        except Illegal as refusal:
            return self._refuse(refusal.text)
        if board is None and self.record is not None:
            board = self._untouched(self.record, acts)
        if self.follower.keeps_signs:  # they were of the state before
            self._parts.senses.forget_signs(taken=True)
        self.clerk.submit(record, kind, acts, board, rest, roll)
        return None

    def _untouched(self, record: Record, acts: tuple[Act, ...]) -> Image:
        """How the pieces stand after what no sensor saw: as before, where sensors watch them; else
        hands have done what they said."""
        if acts and not self._parts.senses.sightings().spaces:
            return left_by(record.game, record.state, acts)
        return record.game.image(record.state)

    def finish(self, now: float) -> Draft | None:
        """What has reached the disk: from now on that is the state."""
        draft = self.clerk.finish(now)
        if draft is None:
            self._slow = self.clerk.slow(now)
            return None
        if self._slow is not None and draft.roll is None:
            draft = draft._replace(rest=None)  # it was seen before
        self._slow = None
        self._close_at = self.awaited = None
        self.record = draft.ticket.record
        self.decisions.follow(self.record, draft.acts)
        self._house.follow(self.record, now)
        if draft.roll is not None:
            self._dealer.taken(draft.roll, now)
        if self.record is not None:
            self._parts.senses.play(self.record)
        self.follower.follow(self.record, draft.board, self._parts.senses.sightings())
        return draft

    # -- what the game does next ----------------------------------------------------------------

    def go_on(self, now: float) -> None:
        record = self.record
        if record is None or record.ended or self.paused is not None:
            return
        if not self.known:
            if not self._parts.senses.settled(now):
                return
            self.known = True
            self.follower.follow(record, None, self._parts.senses.sightings())
        game, state = record.game, record.state
        if game.outcome(state) is not None:
            self._over(record, now)
        elif game.to_act(state) == (CHANCE,):
            self._chance(record, now)
        elif not (
            self._timer(game, state, now) or self._early(record) or self._house_plays(record, now)
        ):
            self._follow(now)

    def _over(self, record: Record, now: float) -> None:
        """The last move may still be taken back for a while, or until somebody confirms."""
        if self._close_at is None:
            self._close_at = now + CLOSING
        if now >= self._close_at:
            self.clerk.submit(record.end(), "over", board=record.game.image(record.state))
        else:
            self._follow(now)

    def _chance(self, record: Record, now: float) -> None:
        sightings = self._parts.senses.sightings()
        dealt = self._dealer.deal(record.game, record.state, record.seq, sightings, now)
        if isinstance(dealt, Dealt):
            self._take(dealt)
            return
        self.awaited = dealt
        self._follow(now)

    def _early(self, record: Record) -> bool:
        """Dice may be thrown before the choice that asks for them is made: they name it."""
        if not isinstance(self._parts.dice, Roll):
            return False
        overtaken = self._dealer.overtaken
        ways = () if overtaken else self._dealer.early(record.game, record.state)
        if len(ways) == 1:
            self._take(Dealt(ways[0], self._parts.dice.mark, self._parts.dice.at))
        elif not ways:
            self._refuse(self._dealer.unasked(record.game))
        else:
            self.follower.ask_first(tuple(acts[0] for acts in ways))
        return len(ways) == 1

    def _take(self, dealt: Dealt) -> None:
        acts, roll, rest = dealt
        self._intend(acts, rest=rest, roll=roll)

    def _house_plays(self, record: Record, now: float) -> bool:
        """For a seat where nobody sits, once the board is as its last move left it."""
        act = self._house.act(record, now) if self.follower.at_ease else None
        if act is None:
            return False
        self._intend((act,))
        return True

    def _timer(self, game: Game[Any], state: Any, now: float) -> bool:
        """Has a timer of the game run out, so that the house plays?"""
        deadline = game.deadline(state)
        if deadline is None:
            self._deadline = None
            return False
        if self._deadline is None or self._deadline[0] != deadline.id:
            self._deadline = (deadline.id, now + deadline.seconds)
        if now < self._deadline[1]:
            return False
        self._deadline = None
        self._intend((Act(HOUSE, deadline.move),))
        return True

    def _follow(self, now: float) -> None:
        senses = self._parts.senses
        if not senses.settled(now):
            return
        decision = self.follower.look(senses.sightings(), now)
        if not self.follower.busy and not self.follower.keeps_signs:
            senses.forget_signs()
        if isinstance(decision, Accept | Back):
            self._decide(decision, senses.last_change)

    def due(self, now: float) -> float:
        """When something is to be done though the parts see nothing new."""
        times = [self.clerk.due(now)]
        if not self.clerk.busy and self.paused is None:
            settled = self._parts.senses.settled_at()
            if self.follower.busy and self._parts.senses.settled(now):
                return now
            times += [settled] if now < settled else []
            times += [max(now, self._house.due(self.record))] if self.follower.at_ease else []
            times += [self._close_at] if self._close_at is not None else []
            times += [self._deadline[1]] if self._deadline is not None else []
            if self.follower.due is not None:
                times.append(max(self.follower.due, settled))
        return min(times)

"""The loop that owns the table: it alone touches the buses, the tracker and the game.

`step` does what is due and says when it is next needed. Everything else reads `snapshot` and puts
messages in the inbox.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from drivers.clock import Clock
from drivers.tower_protocol import Mark, Roll
from firmware_host.config import Language
from firmware_host.dealer import Awaited, Dealer, Dealt
from firmware_host.decisions import Decisions
from firmware_host.decks import Decks
from firmware_host.display import Display
from firmware_host.follower import Accept, Back, Decision, Follower, Notice
from firmware_host.health import HealthWatch
from firmware_host.inbox import (
    Ask,
    Begin,
    Close,
    Correct,
    Do,
    Inbox,
    Intend,
    Invite,
    Joined,
    Message,
    Pause,
    Pick,
    Press,
    Propose,
    Set,
    Stop,
    TakeBack,
    TakeOver,
)
from firmware_host.journal import InlineWriter, JournalError, Record, Ticket, Writer
from firmware_host.parts import Parts
from firmware_host.proposal import PATIENCE, YES, Proposal
from firmware_host.snapshot import Event, Invitation, Snapshot
from firmware_host.texts import TEXTS
from game_logic import load
from game_logic.core import CHANCE, HOUSE, Act, Game, Illegal, Image, Malformed, Text

RETRY = 2.0  # s between two attempts to write what the disk would not take
FLASH = 4.0  # s that a refusal stays on the screen
CLOSING = 30.0  # s after its end that a game is closed by itself


class _Pending(NamedTuple):
    """A draft on its way to the disk. Nothing new is accepted meanwhile."""

    ticket: Ticket
    kind: str
    acts: tuple[Act, ...] = ()
    board: Image | None = None
    rest: float | None = None  # when the pieces came to rest, if sensors saw it
    roll: Mark | None = None  # the tower's report, which it may then forget


class Table:
    def __init__(
        self,
        parts: Parts,
        writer: Writer | InlineWriter,
        clock: Clock,
        *,
        below: Callable[[int], int],
        language: Language = "en",
        listen: Callable[[Event], None] = lambda event: None,
        record: Record | None = None,
        inbox: Inbox | None = None,
        decks: Decks | None = None,
        door: Callable[[int | None], Invitation | None] = lambda seat: None,
        address: str | None = None,
    ) -> None:
        """`door` invites a phone as a seat, or (None) as the host, where there is a page, whose
        `address` the screens show."""
        self.inbox = inbox or Inbox()
        self.stopped = False
        self.snapshot = Snapshot(record, language=language)
        self._parts = parts
        self._writer = writer
        self._clock = clock
        self._dealer = Dealer(parts, below)
        self._awaited: Awaited | None = None
        self._language = language
        self._decks = decks or Decks()
        self._listen = listen
        self._record = record
        self._follower = Follower()
        self._display = Display(parts)
        self._health = HealthWatch(parts.healths)
        self._pending: _Pending | None = None
        self._next: list[Callable[[], None]] = []  # what waits for the pending draft
        self._retry_at: float | None = None
        self._trouble: Text | None = None
        self._flash: tuple[float, Text] | None = None
        self._deadline: tuple[str, float] | None = None
        self._close_at: float | None = None
        self._to_show: list[_Pending] = []  # accepted, and told once the screens show it
        self._to_say: list[tuple[str, Text, float | None]] = []  # and when pieces came to rest
        self._proposal: Proposal | None = None
        self._paused: float | None = None  # since when
        self._door = door
        self._invitation: Invitation | None = None
        self._mute = False
        self._address = address
        self._decisions = Decisions()
        self._decisions.follow(record, ())
        self._known = False  # has the board been looked at since the record was given?

    @property
    def now(self) -> float:
        return self._clock.now()

    def step(self) -> float:
        """Do what is due; when the next step is needed at the latest."""
        for message in self.inbox.take():
            self._handle(message)
        self._sense()
        self._finish()
        if self._pending is None:
            self._go_on()
        self._show()
        return self._due()

    # -- what comes in --------------------------------------------------------------------------

    def _handle(self, message: Message) -> None:
        match message:
            case Do(action):
                action()
            case Stop():
                self.stopped = True
            case Press(button):
                self._press(button)
            case Pause(on, reply):
                self._pause(on)
                reply(None)
            case Ask(reply):
                reply(None)
            case Set(language, mute, reply):
                self._language = self._language if language is None else language
                self._mute = self._mute if mute is None else mute
                reply(None)
            case Invite(seat, reply):
                self._invitation = self._door(seat)
                reply(None if self._invitation else self._refuse(TEXTS("no_page")))
            case Joined(code):
                if self._invitation is not None and self._invitation.code == code:
                    self._invitation = None
            case Propose(_, wish) if self._proposal is not None:
                wish.reply(TEXTS("proposal_waits"))
            case Propose():
                self._proposal = Proposal(message, self._clock.now() + PATIENCE)
            case Pick(at) if self._proposal is not None:
                self._answer(at == YES)
                message.reply(None)
            case _ if self._pending is not None:
                self._next.append(lambda: self._handle(message))
            case Intend(_, _, reply) if self._paused is not None:
                reply(self._refuse(TEXTS("paused")))
            case Intend(acts, _, reply):
                if self._stale(message):
                    reply(self._refuse(TEXTS("stale")))
                else:
                    reply(self._try(lambda r: r.intent(acts), "move", acts))
            case Close(reply):
                reply(self._try(lambda r: r.end(), "over"))
            case Correct(state, reply):
                reply(self._try(lambda r: r.correct(state), "correction"))
            case Pick(at, reply):
                decision = self._follower.answer(at)
                reply(self._decide(decision) if decision else self._refuse(TEXTS("stale")))
            case TakeBack(confirmed, reply):
                reply(self._try(lambda r: r.undo(confirmed=confirmed), "undo"))
            case Begin(abandon=True) if self._record is not None and not self._record.ended:
                self._submit(self._record.end(), "over")
                self._next.insert(0, lambda: self._handle(message))
            case Begin():
                message.reply(self._begin(message))
            case TakeOver(reply=reply):
                reply(self._refuse(TEXTS("no_game")))

    def _stale(self, intend: Intend) -> bool:
        """Does it answer what is not asked any more?"""
        if intend.decision is not None:
            return self._decisions.since(intend.acts[0].by) != intend.decision
        return intend.seq is not None and (self._record is None or self._record.seq != intend.seq)

    def _press(self, button: str) -> None:
        self._flash = None
        if self._invitation is not None:
            self._invitation = None  # seen, or not wanted
            return
        if self._proposal is not None:
            if button == "confirm":
                self._answer(self._proposal.at == YES)
            else:
                self._proposal = self._proposal.next()
        elif self._paused is not None and button == "confirm":
            self._pause(False)
        elif button == "next":
            self._follower.next()
        elif self._pending is not None:
            self._next.append(lambda: self._press(button))
        elif button == "undo":
            self._try(lambda r: r.undo(), "undo")
        elif button == "confirm" and self._awaited and self._awaited.source == "confirm":
            self._dealer.let_house_roll()
        elif button == "confirm":
            decision = self._follower.confirm()
            if decision is not None:
                self._decide(decision)
            elif self._close_at is not None:
                self._close_at = self._clock.now()

    def _answer(self, agreed: bool) -> None:
        """To what was asked for from afar."""
        proposal, self._proposal = self._proposal, None
        assert proposal is not None
        if agreed:
            self._handle(proposal.asked.wish)
        else:
            proposal.asked.wish.reply(TEXTS("proposal_declined"))

    def _pause(self, on: bool) -> None:
        now = self._clock.now()
        if not on and self._paused is not None and self._deadline is not None:
            id, until = self._deadline
            self._deadline = (id, until + now - self._paused)
        self._paused = (self._paused or now) if on else None

    def _begin(self, order: Begin) -> Text | None:
        if self._record is not None and not self._record.ended:
            return self._refuse(TEXTS("game_open"))
        try:
            deck = self._decks.files(order.game)
            game = load(order.game, deck)
            draft = Record.begin(game, order.seats, order.options, deck, key=order.key)
        except Malformed as error:
            return self._refuse(Text(str(error), str(error)))
        self._submit(draft, "begin")
        return None

    def _sense(self) -> None:
        for button in self._parts.step(self._clock.now()):
            if not self._display.dark:  # else it only wakes the screens: nobody presses blindly
                self._press(button)
        trouble = self._parts.trouble(self._clock.now())
        if trouble != self._trouble and self._retry_at is None:
            self._trouble = trouble
            if trouble is not None:
                self._tell("trouble", text=trouble)

    # -- what is accepted -----------------------------------------------------------------------

    def _decide(self, decision: Decision, rest: float | None = None) -> Text | None:
        if isinstance(decision, Accept):
            acts, board, lingered = decision
            rest = None if lingered else rest
            return self._try(lambda r: r.intent(acts), "move", acts, board, rest)
        assert self._record is not None
        to = self._record.takebacks[decision.intents - 1].entry.seq
        return self._try(lambda r: r.undo(to), "undo", rest=rest)

    def _try(
        self,
        change: Callable[[Record], Record],
        kind: str,
        acts: tuple[Act, ...] = (),
        board: Image | None = None,
        rest: float | None = None,
        roll: Mark | None = None,
    ) -> Text | None:
        """Make a change if the rules allow it; else why not."""
        if self._record is None:
            return self._refuse(TEXTS("no_game"))
        try:
            draft = change(self._record)
        except Illegal as refusal:
            return self._refuse(refusal.text)
        if board is None:  # nobody touched the pieces: they stand as the state before had them
            board = self._record.game.image(self._record.state)
        self._submit(draft, kind, acts, board, rest, roll)
        return None

    def _refuse(self, text: Text) -> Text:
        self._flash = (self._clock.now() + FLASH, text)
        self._tell("refused", text=text)
        return text

    def _submit(
        self,
        draft: Record,
        kind: str,
        acts: tuple[Act, ...] = (),
        board: Image | None = None,
        rest: float | None = None,
        roll: Mark | None = None,
    ) -> None:
        self._pending = _Pending(self._writer.submit(draft), kind, acts, board, rest, roll)

    def _finish(self) -> None:
        """Take over what has reached the disk; try again what it refused."""
        pending = self._pending
        if pending is None or not pending.ticket.done:
            return
        now = self._clock.now()
        error = pending.ticket.error
        if error is not None:
            self._storage_trouble(error, pending, now)
            return
        self._retry_at = self._pending = self._close_at = None
        self._record = pending.ticket.record
        self._awaited = None
        self._decisions.follow(self._record, pending.acts)
        if pending.roll is not None:
            self._dealer.done(pending.roll)
        if self._record is not None:
            self._parts.senses.play(self._record)
        self._follower.follow(self._record, pending.board, self._parts.senses.sightings())
        self._to_show.append(pending)
        if self._next:
            self._next.pop(0)()

    def _storage_trouble(self, error: JournalError, pending: _Pending, now: float) -> None:
        if self._retry_at is None:
            self._trouble = error.text
            self._tell("trouble", text=error.text)
            self._retry_at = now + RETRY
        elif now >= self._retry_at:
            self._retry_at = now + RETRY
            again = self._writer.submit(pending.ticket.draft)
            self._pending = pending._replace(ticket=again)

    # -- what the game does next ----------------------------------------------------------------

    def _go_on(self) -> None:
        record, now = self._record, self._clock.now()
        if record is None or record.ended or self._paused is not None:
            return
        if not self._known:
            if now < self._parts.senses.settled_at():
                return
            self._known = True
            self._follower.follow(record, None, self._parts.senses.sightings())
        game, state = record.game, record.state
        if game.outcome(state) is not None:
            self._over(record, now)
        elif game.to_act(state) == (CHANCE,):
            self._chance(record, now)
        elif not self._timer(game, state, now) and not self._early(record):
            self._follow(now)

    def _over(self, record: Record, now: float) -> None:
        """The last move may still be taken back for a while, or until somebody confirms."""
        if self._close_at is None:
            self._close_at = now + CLOSING
        if now >= self._close_at:
            self._submit(record.end(), "over", board=record.game.image(record.state))
        else:
            self._follow(now)

    def _chance(self, record: Record, now: float) -> None:
        sightings = self._parts.senses.sightings()
        dealt = self._dealer.deal(record.game, record.state, record.seq, sightings, now)
        if isinstance(dealt, Dealt):
            self._take(dealt)
            return
        self._awaited = dealt
        self._follow(now)

    def _early(self, record: Record) -> bool:
        """Dice may be thrown before the choice that asks for them is made: they name it."""
        if not isinstance(self._parts.dice, Roll):
            return False
        ways = self._dealer.early(record.game, record.state)
        if len(ways) == 1:
            self._take(Dealt(ways[0], self._parts.dice.mark, self._parts.dice.at))
        elif not ways:
            self._refuse(self._dealer.unasked(record.game))
        else:
            self._follower.ask_first(tuple(acts[0] for acts in ways))
        return len(ways) == 1

    def _take(self, dealt: Dealt) -> None:
        acts, roll, rest = dealt
        self._try(lambda r: r.intent(acts, roll), "move", acts, rest=rest, roll=roll)

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
        acts = (Act(HOUSE, deadline.move),)
        self._try(lambda r: r.intent(acts), "move", acts)
        return True

    def _follow(self, now: float) -> None:
        senses = self._parts.senses
        if now < senses.settled_at():
            return
        decision = self._follower.look(senses.sightings(), now)
        if not self._follower.busy and not self._follower.mending:
            senses.forget_signs()
        if isinstance(decision, Accept | Back):
            self._decide(decision, senses.last_change)

    # -- what people see ------------------------------------------------------------------------

    def _show(self) -> None:
        now = self._clock.now()
        if self._flash is not None and now >= self._flash[0]:
            self._flash = None
        if self._proposal is not None and now >= self._proposal.until:
            self._answer(False)
        sightings = self._parts.senses.sightings()
        shot = Snapshot(
            self._record,
            self._notice,
            self._proposal.question if self._proposal else self._follower.question,
            self._trouble,
            self._flash[1] if self._flash else None,
            self._language,
            bool(sightings.spaces),
            bool(sightings.sensed),
            self._paused is not None,
            self._awaited.source if self._awaited else None,
            self._health.look(),
            self._decisions.all(),
            self._deadline[1] if self._deadline else None,
            self._invitation,
            self._mute,
            self._address,
        )
        before, self.snapshot = self.snapshot, shot
        if shot.notice is not None and shot.notice != before.notice:
            provisional = shot.notice.kind == "provisional"
            rest = self._parts.senses.last_change if provisional else None
            self._to_say.append(("notice", shot.notice.text, rest))
        if shot.question is not None and before.question is None:
            self._to_say.append(("question", shot.question.text, None))
        self._display.show(shot, now, self._parts.noticed)
        if (self._to_show or self._to_say) and self._display.settled:
            shown, self._to_show = self._to_show, []
            said, self._to_say = self._to_say, []
            at = self._clock.now()
            for done in shown:
                latency = None if done.rest is None else at - done.rest
                self._tell(done.kind, done.ticket.record, done.acts, latency)
            for kind, text, rest in said:
                self._tell(kind, text=text, latency=None if rest is None else at - rest)

    @property
    def _notice(self) -> Notice | None:
        if self._paused is not None:
            return Notice("paused", TEXTS("paused"), confirm=True)
        if self._follower.notice is None and self._awaited and self._awaited.text:
            return Notice("dice", self._awaited.text, confirm=self._awaited.source == "confirm")
        return self._follower.notice

    def _tell(
        self,
        kind: str,
        record: Record | None = None,
        acts: tuple[Act, ...] = (),
        latency: float | None = None,
        text: Text | None = None,
    ) -> None:
        self._listen(Event(kind, self._clock.now(), record or self._record, acts, latency, text))

    def _due(self) -> float:
        now = self._clock.now()
        senses = self._parts.senses
        times = [self._parts.next_due, self._display.due(now)]
        if self._flash is not None:
            times.append(self._flash[0])
        if self._retry_at is not None:
            times.append(self._retry_at)
        if self._proposal is not None:
            times.append(self._proposal.until)
        if self._pending is not None:
            if self._pending.ticket.done and self._retry_at is None:
                return now
            if self._pending.ticket.due is not None and not self._pending.ticket.done:
                times.append(self._pending.ticket.due)
        elif self._paused is None:
            if self._follower.busy:
                return now
            if self._close_at is not None:
                times.append(self._close_at)
            if self._deadline is not None:
                times.append(self._deadline[1])
            if self._follower.due is not None:
                times.append(self._follower.due)
            if now < senses.settled_at():
                times.append(senses.settled_at())
        return min(times)

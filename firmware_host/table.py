"""The loop that owns the table: it alone touches the buses, the tracker and the game.

`step` does what is due and says when it is next needed. Everything else reads `snapshot` and puts
messages in the inbox.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from drivers.clock import Clock
from drivers.tower_protocol import Mark, Roll
from firmware_host import house, menu
from firmware_host.clerk import Clerk, Draft
from firmware_host.config import Language
from firmware_host.dealer import Awaited, Dealer, Dealt
from firmware_host.decisions import Decisions
from firmware_host.decks import Decks
from firmware_host.display import Display
from firmware_host.follower import (
    Accept,
    Anew,
    Aside,
    Back,
    Decision,
    Follower,
    Keep,
    Nothing,
    Notice,
    Why,
    left_by,
)
from firmware_host.front import Door, Front
from firmware_host.health import HealthWatch
from firmware_host.herald import Herald
from firmware_host.inbox import (
    Ask,
    Begin,
    Correct,
    Do,
    Inbox,
    Intend,
    Invite,
    Joined,
    Message,
    Order,
    Pause,
    Pick,
    Press,
    Propose,
    Set,
    Stop,
    TakeBack,
)
from firmware_host.journal import InlineWriter, Record, Writer
from firmware_host.orders import Change, begun, changed
from firmware_host.parts import Parts
from firmware_host.snapshot import Event, Snapshot
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE, HOUSE, Act, Game, Illegal, Image, Text

FLASH = 4.0  # s that a refusal stays on the screen
CLOSING = 30.0  # s after its end that a game is closed by itself


class Table:
    def __init__(
        self,
        parts: Parts,
        writer: Writer | InlineWriter,
        clock: Clock,
        *,
        below: Callable[[int], int],
        language: Language = "en",
        mute: bool = False,
        first: str = "breakout",
        listen: Callable[[Event], None] = lambda event: None,
        record: Record | None = None,
        inbox: Inbox | None = None,
        decks: Decks | None = None,
        door: Door | None = None,
        address: str | None = None,
    ) -> None:
        """`first`: the game that the menu offers first. `door` lets phones in, to the page whose
        `address` the screens show."""
        self.inbox = inbox or Inbox()
        self.stopped = False
        self.snapshot = Snapshot(record, language=language, mute=mute)
        self._parts = parts
        self._clock = clock
        self._clerk = Clerk(writer)
        self._front = Front(language, mute, door)
        self._first = first
        self._address = address
        self._decks = decks or Decks()
        self._game = cache(self._decks.load)
        self._dealer = Dealer(parts, below)
        self._house = house.House(below)
        self._awaited: Awaited | None = None
        self._herald = Herald(listen, clock.now)
        self._record = record
        self._follower = Follower()
        self._display = Display(parts)
        self._health = HealthWatch(parts.healths)
        self._decisions = Decisions()
        self._next: list[Callable[[], None]] = []  # what waits for the draft under way
        self._trouble: Text | None = None
        self._flash: tuple[float, Text] | None = None
        self._deadline: tuple[str, float] | None = None
        self._close_at: float | None = None
        self._paused: float | None = None  # since when
        self._quiet_until = float("-inf")
        self._known = False  # has the board been looked at since the record was given?
        self._decisions.follow(record, ())
        self._house.follow(record, clock.now())
        if record is not None:
            parts.senses.play(record)

    @property
    def now(self) -> float:
        return self._clock.now()

    def step(self) -> float:
        """Do what is due; when the next step is needed at the latest."""
        messages = self.inbox.take()
        for message in messages:
            self._handle(message)
        if not self._sense() and not messages and self._clock.now() < self._quiet_until:
            return min(self._quiet_until, self._parts.next_due)
        accepted = self._clerk.finish(self._clock.now())
        if accepted is not None:
            self._accepted(accepted)
        if not self._clerk.busy:
            self._go_on()
        self._front.step(self._clock.now())
        self._show()
        self._quiet_until = self._due()
        return min(self._quiet_until, self._parts.next_due)

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
            case Set(reply=reply):
                self._front.set(message)
                reply(None)
            case Invite(seat, reply):
                reply(None if self._front.invite(seat) else self._refuse(TEXTS("no_page")))
            case Joined(code):
                self._front.joined(code)
            case Propose():
                self._front.propose(message, self._clock.now())
            case Pick(at, reply) if self._front.question is not None:
                orders = self._front.pick(at)
                reply(self._refuse(TEXTS("stale")) if orders is None else None)
                self._handle_all(orders)
            case _ if self._clerk.busy:
                self._next.append(lambda: self._handle(message))
            case Begin(abandon=True) if self._playing:
                assert self._record is not None
                self._clerk.submit(self._record.end(), "over")
                self._next.insert(0, lambda: self._handle(message))
            case _:
                message.reply(self._ordered(message))

    def _handle_all(self, orders: list[Message] | None) -> None:
        for order in orders or ():
            self._handle(order)

    def _ordered(self, order: Order) -> Text | None:
        """Do what changes the game; else why not."""
        match order:
            case Intend() if self._paused is not None:
                return self._refuse(TEXTS("paused"))
            case Intend() if self._stale(order):
                return self._refuse(TEXTS("stale"))
            case Pick(at):
                decision = self._follower.answer(at)
                return self._decide(decision) if decision else self._refuse(TEXTS("stale"))
            case Begin() if self._playing:
                return self._refuse(TEXTS("game_open"))
            case Begin():
                return self._try(lambda: begun(order, self._decks))
        return self._try(lambda: changed(self._record, order))

    @property
    def _playing(self) -> bool:
        return self._record is not None and not self._record.ended

    def _stale(self, intend: Intend) -> bool:
        """Does it answer what is not asked any more?"""
        if intend.decision is not None and intend.acts:
            return self._decisions.since(intend.acts[0].by) != intend.decision
        return intend.seq is not None and (self._record is None or self._record.seq != intend.seq)

    def _press(self, button: str) -> None:
        self._flash = None
        orders = self._front.press(button)
        if orders is not None:
            self._handle_all(orders)
        elif self._paused is not None and button == "confirm":
            self._pause(False)
        elif self._clerk.busy:
            self._next.append(lambda: self._press(button))
        elif not self._playing:
            self._front.open(menu.menu(self._evening))
        elif button == "undo":
            self._undo()
        elif button == "next":
            if not self._follower.next():
                self._front.open(menu.menu(self._evening))
        elif self._awaited and self._awaited.source == "confirm":
            self._dealer.let_house_roll()
        else:
            decision = self._follower.confirm()
            if decision is not None:
                self._decide(decision)
            elif self._close_at is not None:
                self._close_at = self._clock.now()

    def _undo(self) -> None:
        """What has come to light is taken back only if somebody says so once more."""
        try:
            if self._record is not None:
                self._record.undo()
        except Illegal as refusal:
            if refusal.code == "undo_closed":
                asked = Propose(TEXTS("undo_closed"), TakeBack(confirmed=True))
                self._front.propose(asked, self._clock.now())
                return
        self._handle(TakeBack())

    @property
    def _evening(self) -> menu.Evening:
        front = self._front
        return menu.Evening(
            self._record, front.language, front.mute, front.has_page, self._first, self._game
        )

    def _pause(self, on: bool) -> None:
        now = self._clock.now()
        if not on and self._paused is not None and self._deadline is not None:
            id, until = self._deadline
            self._deadline = (id, until + now - self._paused)
        self._paused = (self._paused or now) if on else None

    def _sense(self) -> bool:
        """Let the parts look. Is there anything new, or something that a writer may have done?"""
        before = self._parts.news
        pressed = self._parts.step(self._clock.now())
        for button in pressed:
            if not self._display.dark:  # else it only wakes the screens: nobody presses blindly
                self._press(button)
        senses = self._parts.senses
        if not self._clerk.busy and self._paused is None:
            for piece in senses.shown:
                why_not = self._follower.hold_up(piece)
                if why_not is not None:
                    self._refuse(why_not)
            senses.shown.clear()
        for id in senses.games:
            page = menu.chosen(self._evening, id)
            if isinstance(page, Begin):
                self._handle(page)
            else:
                self._front.open(page)
        senses.games.clear()
        trouble = self._clerk.trouble or self._parts.trouble(self._clock.now())
        other = trouble != self._trouble
        if other:
            self._trouble = trouble
            if trouble is not None:
                self._herald.tell("trouble", self._record, text=trouble)
        ill = self._health.look() is not self.snapshot.health
        return bool(pressed) or other or ill or self._parts.news != before or self._clerk.busy

    # -- what is accepted -----------------------------------------------------------------------

    def _decide(self, decision: Decision, rest: float | None = None) -> Text | None:
        match decision:
            case Accept(acts, board, lingered):
                return self._intend(acts, board, None if lingered else rest)
            case Back(intents):
                assert self._record is not None
                back = self._record.undo, self._record.takebacks[intents - 1].entry.seq
                return self._try(lambda: Change(back[0](back[1]), "undo"), rest=rest)
            case Keep(state):
                assert self._record is not None
                board = self._record.game.image(state)
                return self._try(lambda: changed(self._record, Correct(state)), board)
            case Anew():
                assert self._record is not None
                self._handle(menu.anew(self._record))
            case Aside():
                self._front.open(menu.menu(self._evening))
            case Why():
                self._follower.ask_why()
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
        record = self._record
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
        if board is None and self._record is not None:
            board = self._untouched(self._record, acts)
        self._front.open(None)
        self._clerk.submit(record, kind, acts, board, rest, roll)
        return None

    def _untouched(self, record: Record, acts: tuple[Act, ...]) -> Image:
        """How the pieces stand after what no sensor saw: as before, where sensors watch them; else
        hands have done what they said."""
        if acts and not self._parts.senses.sightings().spaces:
            return left_by(record.game, record.state, acts)
        return record.game.image(record.state)

    def _refuse(self, text: Text) -> Text:
        self._flash = (self._clock.now() + FLASH, text)
        self._herald.tell("refused", self._record, text=text)
        return text

    def _accepted(self, draft: Draft) -> None:
        """It is on the disk: from now on this is the state."""
        self._close_at = self._awaited = None
        self._record = draft.ticket.record
        self._decisions.follow(self._record, draft.acts)
        self._house.follow(self._record, self._clock.now())
        if draft.roll is not None:
            self._dealer.done(draft.roll)
        if self._record is not None:
            self._parts.senses.play(self._record)
        self._follower.follow(self._record, draft.board, self._parts.senses.sightings())
        self._herald.accepted(draft)
        if self._next:
            self._next.pop(0)()

    # -- what the game does next ----------------------------------------------------------------

    def _go_on(self) -> None:
        record, now = self._record, self._clock.now()
        if record is None and self._parts.has_buttons and self._front.question is None:
            self._front.open(menu.menu(self._evening))
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
        elif not (
            self._timer(game, state, now) or self._early(record) or self._house_plays(record, now)
        ):
            self._follow(now)

    def _over(self, record: Record, now: float) -> None:
        """The last move may still be taken back for a while, or until somebody confirms."""
        if self._close_at is None:
            self._close_at = now + CLOSING
        if now >= self._close_at:
            self._clerk.submit(record.end(), "over", board=record.game.image(record.state))
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
        self._intend(acts, rest=rest, roll=roll)

    def _house_plays(self, record: Record, now: float) -> bool:
        """For a seat where nobody sits, once the board is as its last move left it."""
        act = self._house.act(record, now) if self._follower.at_ease else None
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
        sightings = self._parts.senses.sightings()
        shot = Snapshot(
            self._record,
            self._notice,
            self._front.question or self._follower.question,
            self._trouble,
            self._flash[1] if self._flash else None,
            self._front.language,
            bool(sightings.spaces),
            bool(sightings.sensed),
            self._paused is not None,
            self._awaited.source if self._awaited else None,
            self._health.look(),
            self._decisions.all(),
            self._deadline[1] if self._deadline else None,
            self._front.invitation,
            self._front.mute,
            self._address,
            self._known or self._record is None,
        )
        if shot != self.snapshot:  # else it stays the same one, and nobody compares it in full
            before, self.snapshot = self.snapshot, shot
            self._herald.compare(before, shot, self._parts.senses.last_change)
        shot = self.snapshot
        self._display.show(shot, now, self._parts.noticed)
        if self._display.settled:
            self._herald.shown(self._record)

    @property
    def _notice(self) -> Notice | None:
        if self._paused is not None:
            return Notice("paused", TEXTS("paused"), confirm=True)
        if self._follower.notice is None and self._awaited and self._awaited.text:
            return Notice("dice", self._awaited.text, confirm=self._awaited.source == "confirm")
        return self._follower.notice

    def _due(self) -> float:
        """When something is to be done though the parts see nothing new."""
        now = self._clock.now()
        senses = self._parts.senses
        times = [
            self._display.due(now),
            self._front.due,
            self._clerk.due(now),
        ]
        if self._flash is not None:
            times.append(self._flash[0])
        if not self._clerk.busy and self._paused is None:
            if self._follower.busy:
                return now
            if self._follower.at_ease:
                times.append(max(now, self._house.due(self._record)))
            if self._close_at is not None:
                times.append(self._close_at)
            if self._deadline is not None:
                times.append(self._deadline[1])
            if self._follower.due is not None:
                times.append(max(self._follower.due, senses.settled_at()))
            if now < senses.settled_at():
                times.append(senses.settled_at())
        return min(times)

"""The loop that owns the table: it alone touches the buses, the tracker and the game.

`step` does what is due and says when it is next needed. Everything else reads `snapshot` and puts
messages in the inbox.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from drivers.clock import Clock
from firmware_host import menu
from firmware_host.config import Language
from firmware_host.config_parts import Luck
from firmware_host.decks import Decks
from firmware_host.display import Display
from firmware_host.front import Door, Front
from firmware_host.health import HealthWatch
from firmware_host.herald import Herald
from firmware_host.inbox import (
    Ask,
    Begin,
    Close,
    Do,
    Inbox,
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
)
from firmware_host.journal import InlineWriter, Record, Writer
from firmware_host.notices import Anew, Aside, Question
from firmware_host.parts import Parts
from firmware_host.play import Play
from firmware_host.snapshot import Event, Snapshot, asked
from firmware_host.texts import TEXTS
from game_logic.core import Illegal, Text

FLASH = 4.0  # s that a refusal stays on the screen
GLANCE = 0.2  # s within which nobody has read what has just come up, let alone answered it


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
        luck: Luck = "house",
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
        self.snapshot = Snapshot(record, language=language, mute=mute, luck=luck)
        self._parts = parts
        self._clock = clock
        self._front = Front(language, mute, door, luck)
        self._first = first
        self._address = address
        decks = decks or Decks()
        self._game = cache(decks.load)
        self._herald = Herald(listen, clock.now)
        self._display = Display(parts)
        self._health = HealthWatch(parts.healths)
        self._play = Play(
            parts,
            writer,
            below,
            decks,
            record,
            clock.now,
            refuse=self._refuse,
            aside=self._turn_aside,
        )
        self._play.from_box(self._front.from_box)
        self._next: list[Callable[[], None]] = []  # what waits for the draft under way
        self._trouble: Text | None = None
        self._flash: tuple[float, Text] | None = None
        self._quiet_until = float("-inf")
        self._pressed = False  # in this step: what comes up now is what somebody asked for
        self._legible = float("-inf")  # from when on what is asked has been read

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
        accepted = self._play.finish(self._clock.now())
        if accepted is not None:
            self._front.open(None)
            self._herald.accepted(accepted)
            if self._next:
                self._next.pop(0)()
        if not self._play.clerk.busy:
            if self._play.record is None and self._parts.has_buttons and not self._front.question:
                self._open_menu()
            self._play.go_on(self._clock.now())
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
                self._play.pause(on, self._clock.now())
                reply(None)
            case Ask(reply):
                reply(None)
            case Set(reply=reply):
                self._front.set(message)
                self._play.from_box(self._front.from_box)
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
            case _ if self._play.clerk.busy:
                self._next.append(lambda: self._handle(message))
            case Begin(abandon=True) if self._play.open:
                self._play.order(Close())
                self._next.insert(0, lambda: self._handle(message))
            case _:
                message.reply(self._play.order(message))

    def _handle_all(self, orders: list[Message] | None) -> None:
        for order in orders or ():
            self._handle(order)

    def _press(self, button: str) -> None:
        self._flash = None
        if button != "next" and not self._read:
            return
        self._pressed = True
        orders, play = self._front.press(button), self._play
        if orders is not None:
            self._handle_all(orders)
        elif play.paused is not None and button == "confirm":
            play.pause(False, self._clock.now())
        elif play.clerk.busy:
            self._next.append(self._undo if button == "undo" else lambda: self._press(button))
        elif not play.open:
            self._open_menu()
        elif button == "undo":
            self._undo()
        elif button == "confirm":
            play.confirm(self._clock.now())
        elif not play.follower.next():
            self._open_menu()

    @property
    def _question(self) -> Question | None:
        return self._front.question or self._play.follower.question

    @property
    def _read(self) -> bool:
        """Does what can be answered stand on the screens, and long enough? A finger that was about
        to answer something else does not answer this."""
        shown = asked(self._question, self._play.notice) == self.snapshot.asked
        return self._pressed or (shown and self._clock.now() >= self._legible)

    def _undo(self) -> None:
        """What has come to light is taken back only if somebody says so once more."""
        if self._play.withdraw():
            return
        try:
            if self._play.record is not None:
                self._play.record.undo()
        except Illegal as refusal:
            if refusal.code == "undo_closed":
                asked = Propose(TEXTS("undo_closed"), TakeBack(confirmed=True))
                self._front.propose(asked, self._clock.now())
                return
        self._handle(TakeBack())

    def _open_menu(self) -> None:
        self._front.open(menu.menu(self._evening))

    def _turn_aside(self, decision: Anew | Aside) -> None:
        if isinstance(decision, Aside):
            self._open_menu()
        elif self._play.record is not None:
            self._handle(menu.anew(self._play.record))

    @property
    def _evening(self) -> menu.Evening:
        front = self._front
        return menu.Evening(
            self._play.record,
            front.language,
            front.mute,
            front.has_page,
            self._first,
            self._game,
            front.luck,
        )

    def _sense(self) -> bool:
        """Let the parts look. Is there anything new, or something that a writer may have done?"""
        before = self._parts.news
        pressed = self._parts.step(self._clock.now())
        for button in pressed:
            if not self._display.dark:  # else it only wakes the screens: nobody presses blindly
                self._press(button)
        self._look_at_pads()
        trouble = self._play.clerk.trouble or self._parts.trouble(self._clock.now())
        other = trouble != self._trouble
        if other:
            self._trouble = trouble
            if trouble is not None:
                self._herald.tell("trouble", self._play.record, text=trouble)
        ill = self._health.look() is not self.snapshot.health
        new = self._parts.news != before or self._play.clerk.busy
        return bool(pressed) or other or ill or new

    def _look_at_pads(self) -> None:
        senses = self._parts.senses
        if not self._play.clerk.busy and self._play.paused is None:
            for piece in senses.shown:
                self._play.hold_up(piece)
            senses.shown.clear()
        for id in senses.games:
            page = menu.chosen(self._evening, id)
            if isinstance(page, Begin):
                self._handle(page)
            else:
                self._front.open(page)
        senses.games.clear()

    # -- what people see ------------------------------------------------------------------------

    def _refuse(self, text: Text) -> Text:
        self._flash = (self._clock.now() + FLASH, text)
        self._herald.tell("refused", self._play.record, text=text)
        return text

    def _show(self) -> None:
        now, play = self._clock.now(), self._play
        if self._flash is not None and now >= self._flash[0]:
            self._flash = None
        sightings = self._parts.senses.sightings()
        shot = Snapshot(
            play.record,
            play.notice,
            self._question,
            self._trouble,
            self._flash[1] if self._flash else None,
            self._front.language,
            bool(sightings.spaces),
            bool(sightings.sensed),
            play.paused is not None,
            play.awaited.source if play.awaited else None,
            self._health.look(),
            play.decisions.all(),
            play.deadline,
            self._front.invitation,
            self._front.mute,
            self._address,
            play.known or play.record is None,
            self._front.luck,
        )
        if shot != self.snapshot:  # else it stays the same one, and nobody compares it in full
            before, self.snapshot = self.snapshot, shot
            if shot.asked != before.asked and not self._pressed:
                self._legible = now + GLANCE
            self._herald.compare(before, shot, play.rest)
        self._pressed = False
        shot = self.snapshot
        self._display.show(shot, now, self._parts.noticed)
        if self._display.settled:
            self._herald.shown(play.record)

    def _due(self) -> float:
        """When something is to be done though the parts see nothing new."""
        now = self._clock.now()
        times = [self._display.due(now), self._front.due, self._play.due(now)]
        if self._flash is not None:
            times.append(self._flash[0])
        return min(times)

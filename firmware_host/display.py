"""What people see and hear of a snapshot: on the screens, by the light and the buzzer.

All that goes on by itself goes on by the table's clock, through `show` and `due`: pages that take
turns, the seconds of a timer, what blinks or rolls by, and the screens' rest.
"""

from __future__ import annotations

from math import ceil

from firmware_host.beat import Beat
from firmware_host.canvas import Canvas
from firmware_host.lights import Lights
from firmware_host.night import Night
from firmware_host.parts import Parts
from firmware_host.screens import Moment, canvases, glass, pages
from firmware_host.snapshot import Snapshot

BLINK = 0.5  # s that a sign is there, and gone
ROLL = 2.5  # s to read what stands of a text that rolls by
WELCOME = 5.0  # s that version and address stand before anything else


class Display:
    def __init__(self, parts: Parts) -> None:
        self._screens = parts.screens
        self._lights = Lights(parts.panel)
        self._night = Night(parts.display)
        self._page = Beat(parts.display.page_every)
        self._blink, self._roll = Beat(BLINK), Beat(ROLL)
        self._blinks = self._rolls = False  # does anything of what is drawn?
        self._told: tuple[object, ...] = ()
        self._trouble: object = None
        self._active = float("-inf")
        self._welcome = float("-inf")  # until when
        self._now = float("-inf")
        self._shown: Snapshot | None = None
        self._drawn: tuple[Snapshot, Moment, tuple[int, int]] | None = None
        self._board: Canvas | None = None  # while there is nothing new on it

    def show(self, shot: Snapshot, now: float, noticed: float = float("-inf")) -> None:
        """At every step: draw what has changed; blinks, tunes, pages and windows go on. `noticed`:
        when a hand was last noticed, whether or not anything came of it."""
        self._follow(shot, now, noticed)
        self._night.step(now, self._active, paused=shot.paused)
        if not self.dark:
            self._draw(shot, now)
        for screen in self._screens:
            screen.contrast(self._night.level)
            (screen.off if self.dark else screen.on)()
        self._lights.show(shot, now, dark=self._night.look == "dark")
        for screen in self._screens:
            screen.step(now)

    @property
    def dark(self) -> bool:
        """Are there screens, and do they rest?"""
        return bool(self._screens) and self._night.look == "dark"

    @property
    def _awake(self) -> bool:
        """Nothing blinks for people who have long gone."""
        return self._night.look == "bright"

    @property
    def settled(self) -> bool:
        """Has all of it reached the screens that work?"""
        return not any(s.pending for s in self._screens if s.health.state != "failed")

    def due(self, now: float) -> float:
        times = [self._lights.due(now)]
        times += [self._night.due] if self._screens else []
        times += [screen.next_due for screen in self._screens]
        shot = self._shown
        if shot is not None and not self.dark:
            if pages(shot, len(self._screens)) > 1:
                times.append(self._page.due)
            if shot.deadline is not None and (seconds := self._seconds(shot)):
                times.append(shot.deadline - seconds + 1)
            times += [self._blink.due] if self._blinks and self._awake else []
            times += [self._roll.due] if self._rolls else []
            times += [self._welcome] if self._welcome > now else []
        return min(times)

    def _follow(self, shot: Snapshot, now: float, noticed: float) -> None:
        """What has been done or said since: it wakes the screens, and is shown first."""
        told = (shot.record, shot.notice, shot.question, shot.flash, shot.invitation, shot.paused)
        first, said = self._shown is None, told != self._told
        if first or said or shot.trouble != self._trouble:
            self._roll.start(now)
        if first or said:
            self._page.start(now)
            self._blink.start(now)
        if first and (shot.record is None or shot.address is not None):
            self._welcome = now + WELCOME
        elif (said and not self._opens(shot)) or noticed > self._active:
            self._welcome = float("-inf")
        if first or said or (shot.deadline is not None and not shot.paused):
            self._active = now
        self._active = max(self._active, noticed)
        self._told, self._trouble, self._shown, self._now = told, shot.trouble, shot, now

    def _opens(self, shot: Snapshot) -> bool:
        """Is it only that the table, having come up, offers its menu by itself?"""
        before = self._shown
        return (
            before is not None
            and before.question is None
            and shot.record is before.record
            and shot.question is not None
            and shot.question.kind == "table"
        )

    def _draw(self, shot: Snapshot, now: float) -> None:
        count = len(self._screens)
        page, beat, line = (b.count(now) for b in (self._page, self._blink, self._roll))
        moment = Moment(
            page % pages(shot, count),
            self._seconds(shot),
            beat % 2 == 0 or not self._blinks or not self._awake,
            line if self._rolls else 0,
            now < self._welcome,
        )
        wanted = (shot, moment, self._night.place)
        if wanted == self._drawn:
            return
        before = self._drawn[0] if self._drawn is not None else None
        self._drawn = wanted
        if before is None or before.record is not shot.record or before.language != shot.language:
            self._board = None
        drawn = canvases(shot, count, moment, self._board)
        self._board = drawn[1] if count > 1 else None
        for screen, canvas in zip(self._screens, drawn, strict=True):
            screen.show(glass(canvas, self._night.place))
        self._blinks = any(canvas.blinks for canvas in drawn)
        self._rolls = any(canvas.rolls for canvas in drawn)

    def _seconds(self, shot: Snapshot) -> int | None:
        """What is left of the game's timer, as people count down."""
        if shot.deadline is None or shot.paused:
            return None
        return max(0, ceil(round(shot.deadline - self._now, 6)))

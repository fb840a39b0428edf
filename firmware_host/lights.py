"""The status light and the buzzer, from the table in `data/lights.toml`.

Colour is never the only sign: whatever lights up or sounds here also stands on the screens. All of
it is timed by the table's clock, through `show` and `due`.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from drivers.panel import Panel

if TYPE_CHECKING:
    from firmware_host.snapshot import Snapshot

Colour = tuple[float, float, float]
NEVER = float("inf")


class Sign(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How something looks and sounds, as the table has it."""

    colour: Colour
    blink: tuple[float, float] | None = None
    lasting: float = 0.0
    tune: tuple[float, ...] = ()


_raw = tomllib.loads((files("firmware_host") / "data" / "lights.toml").read_text("utf-8"))
SIGNS = msgspec.convert(_raw, dict[str, Sign])
DARK = Sign((0, 0, 0))


class _Scene(NamedTuple):
    """Of a snapshot, what light and sound are about."""

    matter: str = ""
    seq: int = -1
    turn: tuple[int, ...] = ()
    danger: frozenset[str] = frozenset()
    refused: object = None
    fault: object = None


class Lights:
    """A mute table lights up all the same; a dark one does neither."""

    def __init__(self, panel: Panel | None) -> None:
        self._panel = panel
        self._shot: Snapshot | None = None
        self._scene = self._before = _Scene()
        self._sign = DARK
        self._brief: tuple[float, Sign] = (NEVER, DARK)  # what has just happened, and until when
        self._lit = False
        self._blink_at = NEVER
        self._sounding = False
        self._tune: list[float] = []  # when sound and silence change, the next first

    def show(self, shot: Snapshot, now: float, *, dark: bool = False) -> None:
        if self._panel is None:
            return
        if shot is not self._shot:
            self._shot, self._scene = shot, _scene(shot)
        scene = self._scene._replace(matter="dark") if dark else self._scene
        if scene != self._before:
            before, self._before = self._before, scene
            happened = _happened(before, scene)
            told = [sign for name, sign in SIGNS.items() if name in happened and not dark]
            self._brief = next(
                ((now + sign.lasting, sign) for sign in told if sign.lasting), self._brief
            )
            if told and not shot.mute:
                tune = told[0].tune
                self._tune = [now + sum(tune[:n]) for n in range(1, len(tune) + 1)]
                self._sound(True)
        if shot.mute and self._sounding:
            self._tune.clear()
            self._sound(False)
        self._light_up(scene.matter, now)
        while self._tune and now >= self._tune[0]:
            self._tune.pop(0)
            self._sound(not self._sounding)

    def due(self, now: float) -> float:
        return min((self._blink_at, self._brief[0], *self._tune[:1]))

    def _light_up(self, matter: str, now: float) -> None:
        """The matter's own light, or for a moment that of what has just happened."""
        if now >= self._brief[0] or matter == "dark":
            self._brief = (NEVER, DARK)
        sign = SIGNS.get(matter, DARK) if self._brief[0] == NEVER else self._brief[1]
        if sign is not self._sign:
            self._sign = sign
            self._light(True)
            self._blink_at = now + sign.blink[0] if sign.blink else NEVER
        while sign.blink and now >= self._blink_at:
            self._light(not self._lit)
            self._blink_at += sign.blink[not self._lit]

    def _light(self, on: bool) -> None:
        assert self._panel is not None
        self._lit = on
        self._panel.light(*(self._sign if on else DARK).colour)

    def _sound(self, on: bool) -> None:
        assert self._panel is not None
        self._sounding = on
        self._panel.sound(on)


def _scene(shot: Snapshot) -> _Scene:
    record = shot.record
    if record is None:
        return _Scene(_matter(shot, alarming=False), refused=shot.flash, fault=shot.trouble)
    game, state = record.game, record.state
    danger = frozenset(
        track.id
        for track in game.tracks(state)
        if track.danger is not None and track.value >= track.danger
    )
    matter = _matter(shot, alarming=bool(danger))
    return _Scene(matter, record.seq, game.to_act(state), danger, shot.flash, shot.trouble)


def _matter(shot: Snapshot, *, alarming: bool) -> str:
    """What lights up, the most pressing first."""
    notice, record = shot.notice, shot.record
    outcome = record.game.outcome(record.state) if record else None
    matters = {
        "paused": shot.paused,
        "mend": notice is not None and notice.kind == "mend",
        "refused": shot.flash is not None,
        "fault": shot.trouble is not None,
        "won": outcome is not None and bool(outcome.winners),
        "over": outcome is not None or (record is not None and record.ended),
        "idle": record is None,
        "ask": shot.question is not None,
        "arrange": notice is not None and notice.kind == "arrange",
        "danger": alarming,
    }
    return next((matter for matter, so in matters.items() if so), "turn")


def _happened(before: _Scene, now: _Scene) -> set[str]:
    """By the names in the table."""
    happened = {now.matter} & {"mend", "ask"} if now.matter != before.matter else set()
    if now.fault is not None and now.fault != before.fault:
        happened.add("fault")
    if now.refused is not None and now.refused != before.refused:
        happened.add("refused")
    if before.seq >= 0 and now.seq > before.seq:
        happened.add("accepted")
        if now.matter in ("won", "over") and before.matter not in ("won", "over"):
            happened.add(now.matter)
        if now.danger - before.danger:
            happened.add("danger")
        if now.turn and now.turn != before.turn and min(now.turn) >= 0:
            happened.add("turn")
    return happened

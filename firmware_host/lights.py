"""The status light and the buzzer, from the tables in `data/lights.toml`.

Colour is never the only sign: whatever lights up or sounds here also stands on the screens. All of
it is timed by the table's clock, through `show` and `due`.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from drivers.panel import Panel

if TYPE_CHECKING:
    from firmware_host.snapshot import Snapshot

Colour = tuple[float, float, float]

_raw = tomllib.loads((files("firmware_host") / "data" / "lights.toml").read_text("utf-8"))
LIGHTS: dict[str, Colour] = {key: tuple(entry["colour"]) for key, entry in _raw["light"].items()}
BLINKS: dict[str, tuple[float, float]] = {
    key: tuple(entry["blink"]) for key, entry in _raw["light"].items() if "blink" in entry
}
TUNES: dict[str, tuple[float, ...]] = {key: tuple(tune) for key, tune in _raw["tune"].items()}
DARK: Colour = (0, 0, 0)


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
        self._before = _Scene()
        self._scene = self._before
        self._seen: tuple[Snapshot, bool] | None = None
        self._lit = False
        self._blink_at = float("inf")
        self._sounding = False
        self._tune: list[float] = []  # when sound and silence change, the next first

    def show(self, shot: Snapshot, now: float, *, dark: bool = False) -> None:
        if self._panel is None:
            return
        if (shot, dark) != self._seen:
            self._seen = (shot, dark)
            self._scene = _scene(shot)._replace(matter="dark") if dark else _scene(shot)
        scene = self._scene
        if scene != self._before:
            before, self._before = self._before, scene
            if scene.matter != before.matter:
                self._light(True)
                self._blink_at = now + BLINKS.get(scene.matter, (float("inf"),))[0]
            happened = _happened(before, scene)
            tune = next((TUNES[name] for name in TUNES if name in happened), ())
            if tune and not shot.mute and not dark:
                self._tune = [now + sum(tune[:n]) for n in range(1, len(tune) + 1)]
                self._sound(True)
        if shot.mute and self._sounding:
            self._tune.clear()
            self._sound(False)
        while now >= self._blink_at:
            self._light(not self._lit)
            self._blink_at += BLINKS[scene.matter][not self._lit]
        while self._tune and now >= self._tune[0]:
            self._tune.pop(0)
            self._sound(not self._sounding)

    def due(self, now: float) -> float:
        return min((self._blink_at, *self._tune[:1]))

    def _light(self, on: bool) -> None:
        assert self._panel is not None
        self._lit = on
        self._panel.light(*(LIGHTS.get(self._before.matter, DARK) if on else DARK))

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
    if shot.paused:
        return "paused"
    if shot.notice is not None and shot.notice.kind == "mend":
        return "mend"
    if shot.trouble is not None:
        return "trouble"
    if shot.record is None:
        return "idle"
    if shot.record.game.outcome(shot.record.state) is not None or shot.record.ended:
        return "over"
    if shot.question is not None:
        return "ask"
    if shot.notice is not None and shot.notice.kind == "arrange":
        return "arrange"
    return "danger" if alarming else "play"


def _happened(before: _Scene, now: _Scene) -> set[str]:
    """By the names in the table of tunes."""
    happened = {now.matter} & {"mend", "ask"} if now.matter != before.matter else set()
    if now.fault is not None and now.fault != before.fault:
        happened.add("fault")
    if now.refused is not None and now.refused != before.refused:
        happened.add("refused")
    if before.seq >= 0 and now.seq > before.seq:
        happened.add("accepted")
        if now.matter == "over" and before.matter != "over":
            happened.add("won")
        if now.danger - before.danger:
            happened.add("danger")
        if now.turn and now.turn != before.turn and min(now.turn) >= 0:
            happened.add("turn")
    return happened

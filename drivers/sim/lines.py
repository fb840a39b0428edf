"""A single wire with a pull-up, as interrupt outputs share: anyone may hold it low."""

from __future__ import annotations

from collections.abc import Callable


class Line:
    def __init__(self) -> None:
        self._driven: dict[int, bool] = {}
        self._watchers: list[Callable[[bool], None]] = []

    @property
    def level(self) -> bool:
        return all(self._driven.values())

    def asserted(self) -> bool:
        return not self.level

    def watch(self, watcher: Callable[[bool], None]) -> None:
        """Tell `watcher` the level now, and whenever it changes."""
        self._watchers.append(watcher)
        watcher(self.level)

    def drive(self, owner: object, level: bool | None) -> None:
        """`owner` drives the line, or lets go of it (None)."""
        if self._driven.get(id(owner)) is level:
            return
        before = self.level
        if level is None:
            self._driven.pop(id(owner), None)
        else:
            self._driven[id(owner)] = level
        if self.level != before:
            for watcher in self._watchers:
                watcher(self.level)

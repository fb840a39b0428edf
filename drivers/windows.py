"""Which windows of a screen to send, so that few bytes go over the wire.

A screen is pages (8 pixels high) of columns, a byte each. Sending a window costs its bytes and the
setting up before them; a few unchanged bytes inside are often cheaper than a second window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

CROWD = 12  # so many windows are looked at pair by pair; more are first joined along the pages


class Window(NamedTuple):
    """Columns and pages, both ends included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def area(self) -> int:
        return self.width * (self.bottom - self.top + 1)

    def joined(self, other: Window) -> Window:
        return Window(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


def flat(shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]], gap: int) -> list[Window]:
    """Windows one page high; runs of changes with at most `gap` columns between are one."""
    return [
        Window(left, right, page, page)
        for page, (old, new) in enumerate(zip(shown, wanted, strict=True))
        if old != new
        for left, right in _runs(old, new, gap)
    ]


def tall(
    shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]], setup: int
) -> list[Window]:
    """Windows of any height, where setting one up costs `setup` bytes."""
    gap = 0
    windows = flat(shown, wanted, gap)
    while len(windows) > CROWD and gap < setup:
        gap = 2 * gap + 1
        windows = flat(shown, wanted, gap)

    def saving(one: Window, other: Window) -> int:
        return setup + one.area + other.area - one.joined(other).area

    savings = {
        (one, other): saving(one, other) for n, one in enumerate(windows) for other in windows[:n]
    }
    while savings:
        best = max(savings, key=lambda pair: savings[pair])
        if savings[best] < 0:
            break
        union = best[0].joined(best[1])
        windows = [window for window in windows if window.joined(union) != union]
        savings = {
            pair: saved
            for pair, saved in savings.items()
            if pair[0].joined(union) != union and pair[1].joined(union) != union
        }
        savings |= {(union, window): saving(union, window) for window in windows}
        windows.append(union)
    return windows


def _runs(old: Sequence[int], new: Sequence[int], gap: int) -> Iterator[tuple[int, int]]:
    changed = [
        column for column, (was, will) in enumerate(zip(old, new, strict=True)) if was != will
    ]
    left = right = changed[0]
    for column in changed[1:]:
        if column - right > gap + 1:
            yield left, right
            left = column
        right = column
    yield left, right

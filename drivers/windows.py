"""Which windows of a screen to send, so that few bytes go over the wire.

A screen is pages (8 pixels high) of columns, a byte each. Sending a window costs its bytes and the
setting up before them; a few unchanged bytes inside are often cheaper than a second window.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import ne
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

    def spared(self, other: Window) -> int:
        """How many bytes one window around both is smaller than the two, or (below 0) larger."""
        # In plain arithmetic: every pair of windows of every picture is asked.
        left, right, top, bottom = self
        left2, right2, top2, bottom2 = other
        apart = (right - left + 1) * (bottom - top + 1)
        apart += (right2 - left2 + 1) * (bottom2 - top2 + 1)
        left, right = (left if left < left2 else left2), (right if right > right2 else right2)
        top, bottom = (top if top < top2 else top2), (bottom if bottom > bottom2 else bottom2)
        return apart - (right - left + 1) * (bottom - top + 1)

    def holds(self, other: Window) -> bool:
        """Is the other within this one?"""
        return (
            self[0] <= other[0]
            and other[1] <= self[1]
            and self[2] <= other[2]
            and other[3] <= self[3]
        )

    def joined(self, other: Window) -> Window:
        return Window(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


def flat(shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]], gap: int) -> list[Window]:
    """Windows one page high; runs of changes with at most `gap` columns between are one."""
    return _flat(_changes(shown, wanted), gap)


def tall(
    shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]], setup: int
) -> list[Window]:
    """Windows of any height, where setting one up costs `setup` bytes."""
    gap = 0
    changes = _changes(shown, wanted)
    windows = _flat(changes, gap)
    while len(windows) > CROWD and gap < setup:
        gap = 2 * gap + 1
        windows = _flat(changes, gap)
    savings = {
        (one, other): setup + one.spared(other)
        for n, one in enumerate(windows)
        for other in windows[:n]
    }
    while savings:
        best = max(savings, key=savings.__getitem__)
        if savings[best] < 0:
            break
        union = best[0].joined(best[1])
        windows = [window for window in windows if not union.holds(window)]
        savings = {
            pair: saved
            for pair, saved in savings.items()
            if not union.holds(pair[0]) and not union.holds(pair[1])
        }
        savings |= {(union, window): setup + union.spared(window) for window in windows}
        windows.append(union)
    return windows


def _changes(
    shown: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]
) -> list[tuple[int, list[int]]]:
    """Pages with changes, and the columns of each."""
    return [
        (page, [column for column, differs in enumerate(map(ne, old, new)) if differs])
        for page, (old, new) in enumerate(zip(shown, wanted, strict=True))
        if old != new
    ]


def _flat(changes: list[tuple[int, list[int]]], gap: int) -> list[Window]:
    windows = []
    for page, columns in changes:
        left = right = columns[0]
        for column in columns:
            if column - right > gap + 1:
                windows.append(Window(left, right, page, page))
                left = column
            right = column
        windows.append(Window(left, right, page, page))
    return windows

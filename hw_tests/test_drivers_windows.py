"""Which windows of a screen are sent when its picture changes."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import windows
from drivers.windows import Window


def _cost(plan: list[Window]) -> int:
    return sum(10 + window.area for window in plan)


def _best(runs: list[Window]) -> int:
    """The cheapest way to cover the runs with windows, by trying all groupings."""
    if not runs:
        return 0
    first, rest = runs[0], runs[1:]
    best = 10**6
    for size in range(len(rest) + 1):
        for company in combinations(rest, size):
            window = first
            for other in company:
                window = window.joined(other)
            others = [run for run in rest if run not in company]
            best = min(best, 10 + window.area + _best(others))
    return best


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(1, 12), st.integers(0, 3)),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=60)
def test_the_windows_cover_the_changes_and_are_close_to_the_cheapest(spans):
    old = [[0] * 128 for _ in range(8)]
    new = [[0] * 128 for _ in range(8)]
    for left, width, page in spans:
        new[page][left : left + width] = [1] * width
    plan = windows.tall(old, new, setup=10)
    sent = {
        (page, column)
        for window in plan
        for page in range(window.top, window.bottom + 1)
        for column in range(window.left, window.right + 1)
    }
    assert all((p, c) in sent for p in range(8) for c in range(128) if new[p][c])
    assert _cost(plan) <= 1.25 * _best(windows.flat(old, new, gap=0))


@pytest.mark.parametrize(
    ("dots", "plan"),
    [
        ([(10, 0), (14, 0)], [Window(10, 14, 0, 0)]),  # a few bytes between are cheaper
        ([(10, 0), (30, 0)], [Window(10, 10, 0, 0), Window(30, 30, 0, 0)]),
        ([(10, 0), (10, 1), (10, 2)], [Window(10, 10, 0, 2)]),
        ([(10, 0), (12, 1), (11, 3)], [Window(10, 12, 0, 3)]),
        ([(10, 0), (11, 7)], [Window(10, 10, 0, 0), Window(11, 11, 7, 7)]),
    ],
)
def test_windows_are_joined_where_that_is_cheaper(dots, plan):
    old = [[0] * 128 for _ in range(8)]
    new = [[int((column, page) in dots) for column in range(128)] for page in range(8)]
    assert sorted(windows.tall(old, new, setup=10)) == plan


def test_choosing_windows_is_quick_however_wild_the_change():
    old = [[0] * 128 for _ in range(8)]
    new = [[column % 2 for column in range(128)] for _ in range(8)]
    assert _cost(windows.tall(old, new, setup=10)) <= 10 + 1024

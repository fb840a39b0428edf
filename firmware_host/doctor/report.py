"""Findings as a table for people, or as JSON lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text as Styled

from firmware_host.doctor.findings import Finding, State
from firmware_host.health import as_json
from firmware_host.texts import TEXTS
from game_logic.core import encode

MARKS = {
    State.OK: ("✓", "green"),
    State.ODD: ("!", "yellow"),
    State.SICK: ("✗", "bold red"),
    State.UNKNOWN: ("?", "dim"),
}


def report(findings: Iterable[Finding], language: str, *, json: bool) -> list[Finding]:
    """Tell them all, as they come; and give them back."""
    counts: Counter[State] = Counter()
    told: list[Finding] = []
    grid = _grid(language)
    for each in findings:
        told.append(each)
        counts[each.state] += 1
        if json:
            print(encode(plain(each, language)).decode(), flush=True)
        else:
            _add(grid, each, language)
    healthy = not counts[State.SICK]
    if json:
        numbers = {state.value: counts[state] for state in State}
        print(encode({"healthy": healthy, **numbers}).decode(), flush=True)
        return told
    console = Console()
    console.print(grid)
    key = "doctor_healthy" if healthy else "doctor_unhealthy"
    said = TEXTS(key, sick=counts[State.SICK], odd=counts[State.ODD]).in_(language)
    console.print(Styled(said, style="bold"))
    return told


def _grid(language: str) -> Grid:
    grid = Grid("", box=None, pad_edge=False)
    for key in ("what", "where", "found", "remedy"):
        grid.add_column(TEXTS(f"doctor_{key}").in_(language), overflow="fold")
    return grid


def _add(grid: Grid, each: Finding, language: str) -> None:
    mark, style = MARKS[each.state]
    remedy = each.remedy.in_(language) if each.remedy else ""
    words = (each.what, each.where, each.found.in_(language), remedy)
    grid.add_row(Styled(mark, style=style), *map(Styled, words))  # [tower] is no markup


def plain(each: Finding, language: str) -> dict[str, object]:
    """The one JSON form."""
    return {
        "what": each.what,
        "where": each.where,
        "state": each.state.value,
        "code": each.code,
        "found": each.found.in_(language),
        "remedy": each.remedy.in_(language) if each.remedy else None,
        "detail": each.detail,
        "health": each.health and as_json(each.health),
    }

"""The bench: the whole simulated table by mouse or touch."""

from __future__ import annotations

from starlette.routing import BaseRoute

from firmware_host.simulated import SimulatedTable
from firmware_host.web.house import House


def routes(house: House, sim: SimulatedTable) -> list[BaseRoute]:
    return []

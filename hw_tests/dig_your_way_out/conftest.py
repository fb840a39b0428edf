"""Both homes of the secrets, for every test that asks."""

from __future__ import annotations

import pytest

from hw_tests.dig_your_way_out.prison import MODES


@pytest.fixture(params=MODES)
def secrets(request: pytest.FixtureRequest) -> str:
    return request.param

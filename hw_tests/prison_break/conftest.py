from __future__ import annotations

from functools import partial

import pytest

from hw_tests.prison_break.scene import scene


@pytest.fixture(params=["house", "table"])
def stage(request):
    """`scene`, with the secrets on the seats' pages and in the players' hands."""
    return partial(scene, secrets=request.param)

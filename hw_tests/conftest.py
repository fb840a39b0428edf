"""What tests share. No test fails for want of time: a loaded machine is no bug."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("cavale", deadline=None)
settings.load_profile("cavale")


@pytest.fixture
def serve(tmp_path):
    """Tables with a page on loopback, as many as are asked for."""
    from hw_tests.served import Served

    opened = []

    def make(*asked, **how):
        opened.append(Served(tmp_path, *asked, **how))
        return opened[-1]

    yield make
    for served in opened:
        served.close()


@pytest.fixture
def linked(tmp_path):
    """Tables on a broker, as many as are asked for."""
    from hw_tests.linked import Linked, config

    opened = []

    def make(url, name="wall", begin="breakout", **more):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        opened.append(Linked(folder, config(url, name, **more), begin=begin))
        return opened[-1]

    yield make
    for rig in opened:
        rig.link.close()

"""No test fails for want of time: a loaded machine is no bug."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("cavale", deadline=None)
settings.load_profile("cavale")

"""Contacts bounce. The first change counts at once; then the contact is left to come to rest."""

from __future__ import annotations


class Debounce:
    """One contact. A pulse shorter than `lockout` still gives both its edges."""

    def __init__(self, lockout: float, level: bool = True) -> None:
        self.lockout = lockout
        self.level = level  # as reported
        self._seen = level  # as last sampled
        self._locked_until = float("-inf")

    @property
    def due(self) -> float | None:
        """When what was seen since the last edge will count; None if there is nothing."""
        return self._locked_until if self._seen != self.level else None

    def sample(self, level: bool, at: float, since: float | None = None) -> bool:
        """Take a level seen at `at`, or at some time between `since` and `at`; True if the reported
        level has changed."""
        self._seen = level
        if level == self.level or (at if since is None else since) < self._locked_until:
            return False
        self.level = level
        self._locked_until = at + self.lockout
        return True

    def settle(self, now: float) -> bool:
        """Let time pass; True if the reported level has changed."""
        return self.sample(self._seen, now)

"""What is asked for from afar, until somebody at the table agrees to it."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.inbox import Propose
from firmware_host.notices import Question
from firmware_host.texts import TEXTS

PATIENCE = 60.0  # s that the table is given to answer
NO, YES = 0, 1  # the buttons stand on "no" first: a reflex on confirm agrees to nothing


class Proposal(NamedTuple):
    asked: Propose
    until: float
    at: int = NO

    @property
    def question(self) -> Question:
        return Question(
            "proposal", self.asked.text, (TEXTS("proposal_no"), TEXTS("proposal_yes")), (), self.at
        )

    def next(self) -> Proposal:
        return self._replace(at=NO if self.at == YES else YES)

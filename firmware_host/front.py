"""What people ask of the table itself, and what it asks them: its menu, what was asked for from
afar, how a phone joins, language and sound. One of these at a time stands above the game."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config_parts import Language, Luck
from firmware_host.inbox import Message, Propose, Set
from firmware_host.menu import Menu
from firmware_host.notices import Question
from firmware_host.proposal import PATIENCE, YES, Proposal
from firmware_host.snapshot import Invitation
from firmware_host.texts import TEXTS

Door = Callable[[int | None], Invitation | None]


class Front:
    """`door` invites a phone as a seat, or (None) as the host; it gives None where nobody can."""

    def __init__(
        self, language: Language, mute: bool, door: Door | None, luck: Luck = "house"
    ) -> None:
        self.language = language
        self.mute = mute
        self.luck = luck
        self.invitation: Invitation | None = None
        self._door = door
        self._menu: Menu | None = None
        self._proposal: Proposal | None = None

    @property
    def has_page(self) -> bool:
        return self._door is not None

    @property
    def from_box(self) -> bool:
        """Do people roll and draw? Not where there is no page to say it on."""
        return self.luck == "box" and self.has_page

    @property
    def question(self) -> Question | None:
        if self._proposal is not None:
            return self._proposal.question
        return self._menu.question if self._menu else None

    @property
    def due(self) -> float:
        return self._proposal.until if self._proposal else float("inf")

    def step(self, now: float) -> None:
        """What nobody has agreed to for so long is declined."""
        if self._proposal is not None and now >= self._proposal.until:
            self._agree(False)

    def open(self, menu: Menu | None) -> None:
        """Show this page of the menu; None: none."""
        self._menu = menu

    def propose(self, asked: Propose, now: float) -> None:
        if self._proposal is not None:
            asked.wish.reply(TEXTS("proposal_waits"))
        else:
            self._proposal = Proposal(asked, now + PATIENCE)

    def invite(self, seat: int | None) -> bool:
        """Is there a door to come in by?"""
        self.invitation = self._door(seat) if self._door else None
        return self.invitation is not None

    def joined(self, code: str) -> None:
        if self.invitation is not None and self.invitation.code == code:
            self.invitation = None

    def set(self, to: Set) -> None:
        if to.language is not None:
            self.language = to.language
        if to.mute is not None:
            self.mute = to.mute
        if to.luck is not None:
            self.luck = to.luck

    def press(self, button: str) -> list[Message] | None:
        """What the button orders; None if it is not meant for us but for the game."""
        if self.invitation is not None:
            self.invitation = None  # seen, or not wanted
            return []
        if self._proposal is not None and button == "confirm":
            return self._agree(self._proposal.at == YES)
        if self._proposal is not None:
            self._proposal = self._proposal.next()
            return []
        if self._menu is None:
            return None
        if button == "confirm":
            return self._choose(self._menu, self._menu.at)
        self._menu = self._menu.next() if button == "next" else None
        return []

    def pick(self, at: int) -> list[Message] | None:
        """The same from a page: this option of the question that stands there."""
        if self._proposal is not None:
            return self._agree(at == YES)
        if self._menu is None or not 0 <= at < len(self._menu.items):
            return None
        return self._choose(self._menu, at)

    def _choose(self, menu: Menu, at: int) -> list[Message]:
        does = menu.items[at].does
        self._menu = does if isinstance(does, Menu) else None
        return [] if does is None or isinstance(does, Menu) else [does]

    def _agree(self, agreed: bool) -> list[Message]:
        """To what was asked for from afar."""
        proposal, self._proposal = self._proposal, None
        assert proposal is not None
        if agreed:
            return [proposal.asked.wish]
        proposal.asked.wish.reply(TEXTS("proposal_declined"))
        return []

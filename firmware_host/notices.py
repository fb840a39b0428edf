"""What the table says and asks, and what people can answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware_host.texts import in_a_row
from game_logic.core import Act, Image, Text


class Accept(NamedTuple):
    """Play these acts. `board`: as the hand left it, if the sensors saw it."""

    acts: tuple[Act, ...]
    board: Image | None = None
    lingered: bool = False  # it has been on the screen already, as provisional


class Back(NamedTuple):
    """Go back by so many intents."""

    intents: int
    lingered: bool = False  # as above


class Keep(NamedTuple):
    """The pieces are right and the state is wrong: this is how it stands."""

    state: Any


class Anew(NamedTuple):
    """The same game again, from the beginning."""


class Aside(NamedTuple):
    """Not a move: the table's own menu."""


class Why(NamedTuple):
    """Why something else may not be done."""


class Nothing(NamedTuple):
    """The question is dropped."""


Decision = Accept | Back | Keep | Anew | Aside | Why | Nothing


class Notice(NamedTuple):
    """What the table tells people: what is wrong, what to arrange, what is not yet final."""

    kind: str  # "mend", "arrange", "provisional", "ahead"; "chance", "paused"
    text: Text
    why: Text | None = None
    done: int = 0
    of: int = 0
    confirm: bool = False  # no sensor sees it: people say when it is done
    then: Text | None = None  # what becomes of it, and by which button

    @property
    def said(self) -> Text:
        """What is told, where there is room for all of it."""
        return self.text if self.then is None else in_a_row((self.text, self.then))


class Question(NamedTuple):
    """A choice that no sensor can make for people."""

    kind: str  # "asked", "ahead", "menu", "why", "mend"; "table", "proposal": not about the game
    text: Text
    options: tuple[Text, ...]
    answers: tuple[Decision, ...]
    at: int = 0  # the option that the buttons stand on

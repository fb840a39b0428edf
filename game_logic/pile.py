"""Piles of cards whose order nobody knows, except where somebody put a card under them."""

from __future__ import annotations

from collections.abc import Iterable

from game_logic.core import Drawn, Part, Value

Bag = tuple[tuple[str, int], ...]  # card -> copies, sorted by card, no zeros


def bag(cards: Iterable[str]) -> Bag:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return tuple(sorted(counts.items()))


def unpack(cards: Bag) -> tuple[str, ...]:
    return tuple(card for card, copies in cards for _ in range(copies))


class Pile(Value, frozen=True, gc=False):
    """An unordered rest on top, and below it the cards known to lie at the bottom, upper first."""

    rest: Bag = ()
    under: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(copies for _, copies in self.rest) + len(self.under)

    def part(self, id: str) -> Part:
        """The chance of the next draw: by weight from the rest, else the first known card."""
        odds = self.rest or tuple((card, 1) for card in self.under[:1])
        return Part(id, tuple((Drawn(id, card), copies) for card, copies in odds))

    def take(self, card: str) -> Pile:
        """The pile without the card just drawn. ValueError if it cannot have come from here."""
        for at, (name, copies) in enumerate(self.rest):
            if name == card:
                left = ((name, copies - 1),) if copies > 1 else ()
                return Pile(self.rest[:at] + left + self.rest[at + 1 :], self.under)
        if not self.rest and self.under[:1] == (card,):
            return Pile((), self.under[1:])
        raise ValueError(f"{card} is not on the pile")

    def put_under(self, card: str) -> Pile:
        return Pile(self.rest, (*self.under, card))

    def shuffled_in(self, cards: Iterable[str]) -> Pile:
        """Everything in the pile and these cards, shuffled: nothing is known any more."""
        return Pile(bag((*unpack(self.rest), *self.under, *cards)))

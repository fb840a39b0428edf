"""Where dice and draws come from: the tower, a beam in its chute, a card at a pad, the dice and
cards of the box as people say them, or the house.

Chance is a move like any other. This says who makes it at this table, and turns the tower's
reports into it. What the tower says is dealt with once: taken and journalled, or refused aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from drivers.tower_protocol import Mark, Roll
from firmware_host.parts import Parts
from firmware_host.sighting import Sightings
from firmware_host.texts import TEXTS
from game_logic.core import CHANCE, Act, Chance, Game, Illegal, Move, Text, pick
from game_logic.dice import rolled


class Dealt(NamedTuple):
    """What chance gave. `rest`: when the dice lay still, where a tower saw it."""

    acts: tuple[Act, ...]
    roll: Mark | None = None
    rest: float | None = None


class Awaited(NamedTuple):
    """Chance waits for people's hands. `text`: what is wrong with what they did last, or what to do
    about what is asked for (`why`)."""

    source: str  # "tower", "beam", "pad", "box"; "confirm" where tower or pads do not answer
    text: Text | None = None
    why: Text | None = None


class Dealer:
    def __init__(self, parts: Parts, below: Callable[[int], int]) -> None:
        self._parts = parts
        self._below = below
        self._asked: tuple[int, float] = (-1, 0.0)  # the entry after which chance acts; since when
        self._complaint: Text | None = None
        self._house = False  # people have told the house to roll
        self._rolled_at = float("-inf")  # when a roll was last taken, or the house's in its place
        self.box = False  # what no sensor sees people take from the box and say, not the house

    def deal(
        self, game: Game[Any], state: Any, seq: int, sightings: Sightings, now: float
    ) -> Dealt | Awaited:
        """What chance gives in this state, or who is to give it."""
        chance = game.chance(state)
        assert chance is not None
        if self._asked[0] != seq:
            self._asked = (seq, now)
            self._complaint, self._house = None, False
        match self._source(game, state, chance, sightings):
            case "tower" if not self._house:
                return self._from_tower(game, chance)
            case "tower":
                self._rolled_at = now
            case "beam" if (self._parts.thrown or 0.0) < self._asked[1]:
                return Awaited("beam")
            case "pad" if not self._house:
                return Awaited("pad") if self._parts.senses.pads_answer else self._gone("pad_gone")
            case "box" if not self._house:
                return Awaited("box", TEXTS("from_the_box"), game.prompt(state, None))
        return Dealt(self._by_house(game, state, sightings))

    def _source(self, game: Game[Any], state: Any, chance: Chance, sightings: Sightings) -> str:
        """Dice that the tower does not know, and cards without a tag, are the house's, or people's
        to say; what may not be said is always the house's."""
        other = "box" if self.box and sayable(chance) else "house"
        if chance.kind == "dice":
            if self._parts.tower is not None and all(
                part.id in self._parts.tower_dice for part in chance.parts
            ):
                return "tower"
            return "beam" if self._has("beam") and other == "house" else other
        seen = sayable(chance) and _shown(game, state, chance) <= sightings.sensed
        return "pad" if seen else other

    def let_house_roll(self) -> None:
        """Confirmed by people, while it is their turn to give what no sensor gives."""
        self._house = True

    def early(self, game: Game[Any], state: Any) -> tuple[tuple[Act, ...], ...]:
        """Dice were thrown before the choice that asks for them: the choices that do."""
        report = self._parts.dice
        assert isinstance(report, Roll)
        ways = []
        for by in game.to_act(state):
            for move in game.moves(state, by):
                if by < 0 or game.secret(state, move, by):
                    continue
                after = game.play(state, move, by)
                try:
                    falls = rolled(game.chance(after), report.dice, game.die)
                except Illegal:
                    continue
                ways.append((Act(by, move), *(Act(CHANCE, fall) for fall in falls)))
        return tuple(ways)

    def unasked(self, game: Game[Any]) -> Text:
        """Nobody waits for these dice: why, and they are done with."""
        report = self._parts.dice
        assert report is not None
        overtaken = self.overtaken
        self.done(report.mark)
        if overtaken:
            return TEXTS("dice_overtaken")
        try:
            rolled(None, report.dice, game.die)
        except Illegal as refusal:
            return refusal.text
        return TEXTS("no_dice")

    @property
    def overtaken(self) -> bool:
        """Were these dice thrown before a roll was taken that is not theirs? A tower that comes
        back tells late of what people have long thrown again, or left to the house."""
        report = self._parts.dice
        return report is not None and report.at <= self._rolled_at

    def taken(self, mark: Mark, now: float) -> None:
        """This report is journalled."""
        self._rolled_at = now
        self.done(mark)

    def done(self, mark: Mark) -> None:
        """This report is dealt with, for good: the tower may forget it."""
        if self._parts.tower is not None:
            self._parts.tower.ack(mark)
        if self._parts.dice is not None and self._parts.dice.mark == mark:
            self._parts.dice = None

    def _from_tower(self, game: Game[Any], chance: Chance) -> Dealt | Awaited:
        report = self._parts.dice
        if report is not None and self.overtaken:
            self._complaint = TEXTS("dice_overtaken")
            self.done(report.mark)
        elif report is not None:
            try:
                moves = rolled(chance, report.dice, game.die)
            except Illegal as refusal:
                self._complaint = refusal.text
                self.done(report.mark)
            else:
                acts = tuple(Act(CHANCE, move) for move in moves)
                return Dealt(acts, report.mark, report.at)
        tower = self._parts.tower
        if tower is not None and tower.health.state == "failed":
            return self._gone("tower_gone")
        return Awaited("tower", self._complaint)

    def _gone(self, text: str) -> Awaited:
        """Where people cannot say so either, the house goes on by itself."""
        if not self._has("confirm"):
            self._house = True
        return Awaited("confirm", TEXTS(text))

    def _has(self, pin: str) -> bool:
        return self._parts.panel is not None and self._parts.panel.has(pin)

    def _by_house(self, game: Game[Any], state: Any, sightings: Sightings) -> tuple[Act, ...]:
        """All that is asked for in a row, up to what is somebody else's to give."""
        acts: list[Act] = []
        dice = 0  # of the roll that people have asked the house for
        while (chance := game.chance(state)) is not None:
            dice = dice or len(chance.parts)
            if len(acts) >= dice and self._source(game, state, chance, sightings) != "house":
                break
            act = Act(CHANCE, pick(chance.parts[0], self._below))
            state = game.play(state, act.move, CHANCE)
            acts.append(act)
        return tuple(acts)


def sayable(chance: Chance) -> bool:
    """May people say what it gave? Only where everybody sees it, and may know what else could have
    come: of a secret draw, the refusal of one card would tell in whose hand it is."""
    return chance.kind in ("dice", "draw") and chance.sees is None


def answers(chance: Chance, moves: Sequence[Move]) -> bool:
    """Is this what was asked for, each part once, and nothing of what may be asked for next?"""
    of = {move: part.id for part in chance.parts for move, _ in part.odds}
    return len({of[move] for move in moves if move in of}) == len(moves)


def _shown(game: Game[Any], state: Any, chance: Chance) -> set[str]:
    """The signs of all the cards that may be drawn; a card without one is the house's to draw."""
    signs = set()
    for part in chance.parts:
        for move, _ in part.odds:
            signs |= set(game.signs(state, move)) or {""}
    return signs

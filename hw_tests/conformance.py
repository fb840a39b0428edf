"""One kit that every game passes: `play_through(game, …)` plays a random game and checks at each
step everything that the contract in game_logic/core.py promises.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from game_logic.core import (
    CHANCE,
    HOUSE,
    Act,
    Game,
    Illegal,
    Move,
    Piece,
    Text,
    decode_act,
    decode_move,
    decode_state,
    encode,
    pick,
    play_all,
)

# (state, rng) -> the next act
Choose = Callable[[Any, random.Random], Act]

# (state, seat or None, below) -> a state which that seat cannot tell from the given one
Twin = Callable[[Any, int | None, Callable[[int], int]], Any]


NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo")


class Played:
    """A random game: its acts, and the states between them."""

    def __init__(self, acts: list[Act], states: list[Any]) -> None:
        self.acts = acts
        self.states = states

    @property
    def final(self) -> Any:
        return self.states[-1]


def play_through(
    game: Game[Any],
    *,
    seats: int,
    seed: int,
    options: Mapping[str, object] | None = None,
    twin: Twin | None = None,
    most: int = 20_000,
    every: int = 1,
    choose: Choose | None = None,
) -> Played:
    """A whole random game with every check of the kit, the costly ones at each `every`th step.

    `choose` plays in place of blind chance, where that hardly ever reaches the end of a game.
    """
    rng = random.Random(seed)
    names = NAMES[:seats]
    state = game.new(names, options)
    kit = _Kit(game, rng, twin, seats)
    played = Played([], [state])
    prints = [encode(state)]
    while game.outcome(state) is None:
        assert len(played.acts) < most, f"no end after {most} moves"
        act = kit.choose(state) if choose is None else choose(state, rng)
        if len(played.acts) % every == 0:
            kit.check(state)
        after = game.play(state, act.move, act.by)
        kit.pool[act.move] = act.by
        state = after
        played.acts.append(act)
        played.states.append(state)
        prints.append(encode(state))
    kit.check(state)
    assert [encode(s) for s in played.states] == prints, "a past state has changed"
    again = game.new(names, options)
    for n, act in enumerate(played.acts):
        again = play_all(game, again, [decode_act(game, encode(act))])
        assert encode(again) == prints[n + 1], f"replay differs at move {n}: {act}"
    return played


class _Kit:
    def __init__(self, game: Game[Any], rng: random.Random, twin: Twin | None, seats: int) -> None:
        self.people = (None, *range(seats))
        self.names = NAMES[:seats]
        self.game = game
        self.rng = rng
        self.twin = twin
        self.pool: dict[Move, int] = {}  # moves that were legal at some time
        things = game.things()
        self.count = {thing.piece or thing.sign: thing.count for thing in things}
        assert len(self.count) == len(things) == len({thing.name for thing in things})
        for thing in things:
            assert (thing.piece is None) != (thing.sign is None), thing
            assert re.fullmatch(r"[a-z][a-z0-9_]*", thing.name), thing
            assert thing.count >= 1, thing
            assert thing.piece is None or not thing.piece.covered, thing
            self.words(thing.text)

    def choose(self, state: Any) -> Act:
        game, rng = self.game, self.rng
        deadline = game.deadline(state)
        if deadline is not None and rng.random() < 0.02:
            return Act(HOUSE, deadline.move)
        by = rng.choice(game.to_act(state))
        if by == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            return Act(CHANCE, pick(rng.choice(chance.parts), rng.randrange))
        return Act(by, rng.choice(game.moves(state, by)))

    def check(self, state: Any) -> None:
        self.value(state)
        self.actors(state)
        self.table(state)
        for by in self.game.to_act(state):
            self.legal(state, by)
        self.refused(state)
        if self.rng.random() < 0.2:
            self.corrected(state)
        for to in self.people:
            self.words(self.game.prompt(state, to))
            if self.twin is not None:
                self.blind_to(state, to)

    def value(self, state: Any) -> None:
        game = self.game
        assert game.problems(state) == ()
        data = encode(state)
        again = decode_state(game, data)
        assert again == state
        assert hash(again) == hash(state)
        assert encode(again) == data
        assert type(again) is type(state)

    def actors(self, state: Any) -> None:
        game = self.game
        actors, over = game.to_act(state), game.outcome(state)
        assert (over is None) == bool(actors)
        assert len(set(actors)) == len(actors)
        assert CHANCE not in actors or actors == (CHANCE,)
        assert (game.chance(state) is not None) == (actors == (CHANCE,))
        if actors:
            assert game.moves(state) == game.moves(state, actors[0])
        if over is not None:
            self.words(over.text)
            assert game.deadline(state) is None
        deadline = game.deadline(state)
        if deadline is not None:
            assert game.play(state, deadline.move, HOUSE) != state
            assert decode_move(game, encode(deadline.move)) == deadline.move

    def table(self, state: Any) -> None:
        game = self.game
        assert list(game.view(state, None)["seats"]) == list(self.names)
        spaces = game.spaces(state)
        assert len(set(spaces)) == len(spaces)
        for space, pieces in game.image(state).items():
            assert space in spaces
            self.words(game.place(space))
            for piece in pieces:
                self.words(game.piece(piece))
        pieces_shown = [piece for pieces in game.image(state).values() for piece in pieces]
        self.in_the_box(replace(piece, covered=False) for piece in pieces_shown)
        ids = [track.id for track in game.tracks(state)]
        assert len(set(ids)) == len(ids)
        for track in game.tracks(state):
            assert 0 <= track.value <= track.maximum, track
            self.words(track.label)

    def corrected(self, state: Any) -> None:
        """Somebody else on a seat; and pieces that stand otherwise: refused, or playable."""
        game, rng = self.game, self.rng
        image = game.image(state)
        assert game.placed(state, image) == state
        for seat, _ in enumerate(self.names):
            other = game.renamed(state, seat, "Zoé")
            assert game.problems(other) == ()
            assert game.view(other, None)["seats"][seat] == "Zoé"
            assert game.renamed(other, seat, self.names[seat]) == state
            self.words(game.seat_name(seat))
        origins = sorted(space for space, pieces in image.items() if pieces)
        if not origins:
            return
        origin, to = rng.choice(origins), rng.choice(game.spaces(state))
        *stay, carried = image[origin]
        wrong = {**image, origin: tuple(stay)}
        wrong[to] = (*wrong.get(to, ()), carried)
        try:
            state = game.placed(state, wrong)
        except Illegal:
            return
        for _ in range(8 if game.problems(state) == () else 0):
            if game.outcome(state) is not None:
                break
            act = self.choose(state)
            state = game.play(state, act.move, act.by)
            assert game.problems(state) == ()

    def in_the_box(self, shown: Iterable[Piece | str]) -> None:
        """What shows on the table is among the things that may carry a tag, and not too often."""
        for what, times in Counter(shown).items():
            assert what in self.count, f"{what} is none of the game's things"
            assert times <= self.count[what], f"{times} of {what}, the box has {self.count[what]}"

    def legal(self, state: Any, by: int) -> None:
        game = self.game
        moves = game.moves(state, by)
        assert moves, f"{by} is to act and can do nothing"
        assert len(set(moves)) == len(moves), "a move is listed twice"
        if by == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            parts = [move for part in chance.parts for move, _ in part.odds]
            assert set(parts) == set(moves)
            assert all(weight > 0 for part in chance.parts for _, weight in part.odds)
        before = encode(state)
        hidden: dict[Any, list[bytes]] = {}
        for move in self.some(moves):
            assert decode_move(game, encode(move)) == move
            after = game.play(state, move, by)
            assert after != state, f"{move} changes nothing"
            assert game.problems(after) == ()
            game.closes_undo(state, move)
            signs = [sign.rstrip("?") for sign in game.signs(state, move)]
            assert all(signs)
            self.in_the_box(sign for sign in signs if sign.startswith("card:"))
            if by >= 0:
                self.words(game.offered(state, move, by))
            told = [self.words(game.told(state, move, by, to)) for to in self.people]
            for to, text in zip(self.people, told, strict=True):
                if self.kept_from(state, move, by, to):
                    after_view = encode((text, game.view(after, to), game.prompt(after, to)))
                    pile = getattr(move, "pile", None)
                    hidden.setdefault((type(move), pile, to), []).append(after_view)
        assert encode(state) == before, "playing a move has changed the state before it"
        for (kind, _, to), seen in hidden.items():
            assert len(set(seen)) == 1, f"{to} can tell one secret {kind.__name__} from another"

    def kept_from(self, state: Any, move: Move, by: int, to: int | None) -> bool:
        """Is what this move says hidden from `to`, also after it was played?"""
        if by == CHANCE:
            chance = self.game.chance(state)
            return chance is not None and chance.sees is not None and to not in chance.sees
        return (
            to != by
            and self.game.secret(state, move, by)
            and not self.game.closes_undo(state, move)
        )

    def refused(self, state: Any) -> None:
        """What is not listed is refused, with a code and a sentence, whoever tries it."""
        game = self.game
        actors = game.to_act(state)
        for move in self.some(tuple(self.pool)):
            for by in {self.pool[move], CHANCE, *actors}:
                listed = by in actors and move in game.moves(state, by)
                deadline = game.deadline(state)
                if listed or (by == HOUSE and deadline and deadline.move == move):
                    continue
                with pytest.raises(Illegal) as refusal:
                    game.play(state, move, by)
                assert re.fullmatch(r"[a-z][a-z0-9_]*", refusal.value.code)
                self.words(refusal.value.text)

    def blind_to(self, state: Any, seat: int | None) -> None:
        assert self.twin is not None
        other = self.twin(state, seat, self.rng.randrange)
        assert self.game.problems(other) == (), "the twin is not a legal state"
        ours, theirs = self.all_shown(state, seat), self.all_shown(other, seat)
        for what in ours:
            assert ours[what] == theirs[what], f"{what} gives a secret away to {seat}"
        game = self.game
        for by in game.to_act(state):
            if seat is None and by >= 0:
                menus = [self.shared_menu(each, by) for each in (state, other)]
                told = [m for m in menus[0] + menus[1] if (m in menus[0]) != (m in menus[1])]
                assert not told, f"a menu for everybody tells a secret: {told}"
            for move in set(game.moves(state, by)) & set(game.moves(other, by)):
                if not game.closes_undo(state, move):
                    log = game.told(state, move, by, seat), game.told(other, move, by, seat)
                    assert log[0] == log[1], f"the log gives a secret away to {seat}"

    def shared_menu(self, state: Any, by: int) -> list[Any]:
        game = self.game
        moves = [move for move in game.moves(state, by) if not game.hidden(state, move, by)]
        return [(move, game.offered(state, move, by)) for move in moves]

    def all_shown(self, state: Any, seat: int | None) -> dict[str, bytes]:
        """Everything that a seat gets to see of a state, as bytes."""
        game = self.game
        chance = game.chance(state)
        shown = {
            "view": game.view(state, seat),
            "prompt": game.prompt(state, seat),
            "to_act": game.to_act(state),
            "tracks": game.tracks(state),
            "image": game.image(state),
            "outcome": game.outcome(state),
            "deadline": game.deadline(state),
            "chance": chance and (chance.kind, [part.id for part in chance.parts], chance.sees),
            "what may come": chance and chance.kind != "lot" and not chance.sees and chance.parts,
        }
        if seat is not None:
            moves = game.moves(state, seat)
            shown["moves"] = moves
            shown["menu"] = [game.offered(state, move, seat) for move in moves]
            shown["refusals"] = [self.why_not(state, m, seat) for m in sorted(self.pool, key=str)]
        return {what: encode(value) for what, value in shown.items()}

    def why_not(self, state: Any, move: Move, seat: int) -> Any:
        try:
            self.game.play(state, move, seat)
        except Illegal as refusal:
            return refusal.code, refusal.text
        return None

    def some(self, moves: tuple[Move, ...], most: int = 16) -> tuple[Move, ...]:
        return moves if len(moves) <= most else tuple(self.rng.sample(moves, most))

    @staticmethod
    def words(text: Text) -> Text:
        assert isinstance(text, Text)
        assert text.fr.strip()
        assert text.en.strip()
        assert not re.search(r"[{}]", text.fr + text.en), f"unfilled: {text}"
        return text

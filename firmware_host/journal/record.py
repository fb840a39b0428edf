"""A game as it stands: a fold of its entries. Pure, so the loop holds it while a commit runs."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from firmware_host.journal.entries import (
    Correction,
    End,
    Entry,
    Intent,
    Resumed,
    Start,
    Undo,
    raw,
    seal,
)
from game_logic.core import (
    Act,
    Game,
    Illegal,
    Malformed,
    State,
    Text,
    decode_move,
    decode_state,
    encode,
)


class Step(NamedTuple):
    """An entry and the state after it.

    `stands` is the entry that made this state: this one, or the one an undo went back to. `after`
    is what stood before it. So entries form a tree, and the game is the line from its root to what
    stands now. `closes`: it brought out what someone did not know, so undoing it is to be agreed.
    """

    entry: Entry
    state: State
    stands: int
    after: int | None = None
    closes: bool = False


def follow(game: Game[Any], steps: Sequence[Step], entry: Entry) -> Step:
    """The step that an entry makes after those before it. Raises Illegal if it may not be made."""
    seq = entry.seq
    match entry:
        case Start():
            return Step(entry, game.new(entry.seats, entry.options), seq)
        case Resumed():
            return Step(entry, _checked(game, entry.state), seq)
    last = steps[-1]
    if isinstance(last.entry, End):
        raise Illegal("game_closed", _CLOSED)
    match entry:
        case Intent():
            acts = tuple(_read(game, act) for act in entry.acts)
            entry = Intent(seq, entry.version, acts, entry.roll)
            state, closes = last.state, False
            for act in entry.acts:
                closes = closes or game.closes_undo(state, act.move)
                state = game.play(state, act.move, act.by)
            return Step(entry, state, seq, last.stands, closes)
        case Undo():
            back = _restored(steps, entry)
            return Step(entry, back.state, back.stands)
        case Correction():
            return Step(entry, _checked(game, entry.state), seq, last.stands)
        case End():
            return Step(entry, last.state, last.stands)
    raise AssertionError(entry)


class Differs(Exception):
    """The log does not fold as it was written, from this entry on."""

    def __init__(self, seq: int, why: Text) -> None:
        super().__init__(seq, why)
        self.seq = seq
        self.why = why


def fold(
    game: Game[Any], entries: Iterable[Entry], same: Callable[[Entry, State], bool]
) -> Iterator[Step]:
    """Every step in turn. `same` compares a state with what was noted of it. Raises Differs."""
    steps: list[Step] = []
    for entry in entries:
        if steps and entry.seq != steps[-1].entry.seq + 1:
            raise Differs(entry.seq, _GAP)
        if entry.version != game.version:
            raise Differs(entry.seq, _other_rules(entry.version, game.version))
        try:
            step = follow(game, steps, entry)
        except Exception as error:  # whatever the rules make of a tampered entry, it is this one
            raise Differs(entry.seq, _refused(error)) from error
        if not same(entry, step.state):
            raise Differs(entry.seq, _OTHER_STATE)
        steps.append(step)
        yield step


@dataclass(frozen=True, eq=False)
class Record:
    """The game as it stands, and the next one for each thing that can happen to it.

    `id` is None until the journal has given one. `steps` are all entries since the start, or since
    the last update. The key is the journal's: it is shown nowhere.
    """

    id: int | None
    game: Game[Any]
    key: bytes = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)

    @classmethod
    def begin(
        cls,
        game: Game[Any],
        seats: Sequence[str],
        options: Mapping[str, object] | None = None,
        deck: Mapping[str, str] | None = None,
        *,
        key: bytes | None = None,
    ) -> Record:
        """A new game. Malformed for wrong seats or options. `deck`: what `game` was loaded with."""
        start = Start(
            seq=0,
            version=game.version,
            game=game.id,
            digest=game.digest,
            seats=tuple(seats),
            options=dict(options or {}),
            deck=dict(deck or {}),
        )
        return cls(None, game, key or secrets.token_bytes(32), (follow(game, (), start),))

    # -- as it stands ---------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    @property
    def last(self) -> Entry:
        return self.steps[-1].entry

    @property
    def seq(self) -> int:
        return self.last.seq

    @property
    def ended(self) -> End | None:
        return self.last if isinstance(self.last, End) else None

    @property
    def options(self) -> Mapping[str, Any]:
        """As the game was begun; the defaults, where it goes on after an update."""
        first = self.steps[0].entry
        return first.options if isinstance(first, Start) else {}

    @property
    def line(self) -> tuple[Step, ...]:
        """What led here and was not undone, the oldest first."""
        return tuple(reversed(list(_line(self.steps, self.steps[-1].stands))))

    @property
    def takebacks(self) -> tuple[Step, ...]:
        """What can be gone back to freely, the nearest first: back to the last closed undo."""
        free = []
        line = self.line
        for before, step in zip(line[-2::-1], line[:0:-1], strict=True):
            if step.closes:
                break
            free.append(before)
        return tuple(free)

    @property
    def roll(self) -> tuple[str, int] | None:
        """The last report of the tower that was taken, undone or not."""
        entries = (step.entry for step in reversed(self.steps))
        return next((e.roll for e in entries if isinstance(e, Intent) and e.roll), None)

    @property
    def hash(self) -> str:
        """The keyed hash of the last entry and the state after it: gives no secret away."""
        return seal(self.key, encode(self.last), encode(self.state)).hex()

    # -- what can happen to it: each gives the next record, a draft until it is written ------------

    def intent(self, acts: Sequence[Act], roll: tuple[str, int] | None = None) -> Record:
        """Moves made together: all of them, or Illegal and none. `roll`: the tower's report."""
        return self._then(Intent(self.seq + 1, self.game.version, tuple(acts), roll))

    def undo(self, to: int | None = None, *, confirmed: bool = False) -> Record:
        """Back to the state after entry `to` (default: before the last thing that stands).

        Illegal("undo_closed") if that takes back what has come to light, unless it is confirmed.
        Any entry since the start or the last update will do, so an undo can be undone.
        """
        if to is None:
            line = self.line
            if len(line) < 2:
                raise Illegal("nothing_to_undo", _NOTHING)
            to = line[-2].entry.seq
        return self._then(Undo(self.seq + 1, self.game.version, to, confirmed))

    def correct(self, state: State) -> Record:
        """A state given by hand; Illegal("impossible") if it breaks an invariant."""
        return self._then(Correction(self.seq + 1, self.game.version, raw(state)))

    def end(self) -> Record:
        """The game is closed, with its outcome; without one it is abandoned."""
        return self._then(End(self.seq + 1, self.game.version, self.game.outcome(self.state)))

    def _then(self, entry: Entry) -> Record:
        return replace(self, steps=(*self.steps, follow(self.game, self.steps, entry)))


def resumed(id: int, game: Game[Any], key: bytes, seq: int, state: State, why: Text) -> Record:
    """The record of a game that goes on from a state alone."""
    entry = Resumed(seq, game.version, game.digest, raw(state), why)
    return Record(id, game, key, (follow(game, (), entry),))


def _line(steps: Sequence[Step], seq: int | None) -> Iterator[Step]:
    """What stood at that entry and all it came from, the newest first."""
    first = steps[0].entry.seq
    while seq is not None:
        step = steps[seq - first]
        yield step
        seq = step.after


def _restored(steps: Sequence[Step], undo: Undo) -> Step:
    first, last = steps[0].entry.seq, steps[-1]
    if not first <= undo.to < undo.seq:
        raise Illegal("no_such_entry", _no_such_entry(undo.to, first))
    back = steps[undo.to - first]
    if back.stands == last.stands:
        raise Illegal("nothing_to_undo", _NOTHING)
    kept = {step.entry.seq for step in _line(steps, back.stands)}
    undone = [step for step in _line(steps, last.stands) if step.entry.seq not in kept]
    if any(step.closes for step in undone) and not undo.confirmed:
        raise Illegal("undo_closed", _UNDO_CLOSED)
    return back


def _read(game: Game[Any], act: Act) -> Act:
    return Act(act.by, decode_move(game, act.move)) if isinstance(act.move, dict) else act


def _checked(game: Game[Any], data: Any) -> State:
    state: State = decode_state(game, bytes(data))
    problems = game.problems(state)
    if problems:
        raise Illegal("impossible", _impossible(problems))
    return state


_CLOSED = Text(
    "La partie est close. Commencez-en une autre.", "The game is closed. Begin another one."
)
_NOTHING = Text("Il n'y a rien à reprendre.", "There is nothing to take back.")
_UNDO_CLOSED = Text(
    "Ce coup a montré quelque chose (dé, carte, annonce) : le reprendre demande l'accord de la "
    "table. Confirmez.",
    "That move brought something out (a die, a card, a bet): taking it back needs the table's "
    "agreement. Confirm.",
)
_GAP = Text("il manque des entrées avant celle-ci", "entries are missing before this one")
_OTHER_STATE = Text(
    "l'état n'est pas celui qui avait été noté", "the state is not the one that was noted"
)


def _no_such_entry(to: int, first: int) -> Text:
    return Text(
        f"On ne peut pas revenir à l'entrée {to} : la première possible est {first}.",
        f"There is no going back to entry {to}: the first possible is {first}.",
    )


def _impossible(problems: Sequence[str]) -> Text:
    listed = "; ".join(problems)
    return Text(f"Cette position est impossible : {listed}.", f"Impossible position: {listed}.")


def _other_rules(was: int, is_: int) -> Text:
    return Text(
        f"jouée avec les règles version {was}, celles-ci sont la version {is_}",
        f"played with rules version {was}, these are version {is_}",
    )


def _refused(error: Exception) -> Text:
    if isinstance(error, Illegal):
        fr, en = error.text
        return Text(f"les règles la refusent : {fr}", f"the rules refuse it: {en}")
    what = str(error) if isinstance(error, Malformed) else f"{type(error).__name__}: {error}"
    return Text(f"elle ne se lit pas : {what}", f"it cannot be read: {what}")

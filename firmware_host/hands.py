"""Simulated people: they move pieces on the simulated board, press its buttons, and make mistakes.

They choose legal moves at random and make them as hands do: a knot passes an opening, pieces
slide, the table gets time to answer. They keep their own record of what they did, so that at the
end it can be held against the table's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from firmware_host.follower import Accept
from firmware_host.inbox import Intend
from firmware_host.simulated import SimulatedTable
from firmware_host.table import Event, Snapshot, Table
from game_logic.core import CHANCE, HOUSE, Act, Attempt, Game, Image, play_all

SLIDE = 0.15  # s that the pieces of one move take to their places
BETWEEN = 0.1  # s between two moves made in one go
PATIENCE = 20.0  # s until people would call it broken


class Hands:
    def __init__(
        self,
        table: Table,
        sim: SimulatedTable,
        now: Callable[[], float],
        below: Callable[[int], int],
        mistakes: float = 0.0,
    ) -> None:
        self.mistakes = mistakes  # how many turns in 1.0 begin with one
        self.made: dict[str, int] = {}  # mistakes by kind
        self.truth: Any = None  # the state, by what the hands did
        self.disagreements: list[str] = []
        self._table = table
        self._sim = sim
        self._now = now
        self._below = below
        self._due = 0.0
        self._acts: tuple[Act, ...] = ()  # done by hand, not yet accepted
        self._since = 0.0
        self._before: Any = None  # the truth before the last intent

    def heard(self, event: Event) -> None:
        """Follow what people did not do themselves, and compare the rest."""
        record = event.record
        if record is None:
            return
        if event.kind == "begin":
            self.truth = record.state
        elif event.kind == "move":
            if all(act.by in (CHANCE, HOUSE) for act in event.acts):
                self.truth = play_all(record.game, self.truth, event.acts)
            left = self._acts[len(event.acts) :]  # of two made in one go, the first may come alone
            if left and play_all(record.game, record.state, left) == self.truth:
                self._acts = left
                return
            if record.state != self.truth:
                wrong = f"entry {record.seq}: {event.acts} instead of {self._acts}"
                self.disagreements.append(wrong)
                self.truth = record.state
            self._acts = ()

    def step(self) -> float:
        now = self._now()
        shot = self._table.snapshot
        if now < self._due:
            return self._due
        self._due = now + 0.05
        if shot.record is None or shot.record.ended or self.truth is None:
            return self._due
        if self._sim.agenda.next_due is None:
            self._act(shot, now)
        return self._due

    def _act(self, shot: Snapshot, now: float) -> None:
        record = shot.record
        assert record is not None
        if shot.question is not None:
            self._answer(shot)
        elif shot.notice is not None and shot.notice.kind in ("mend", "arrange"):
            self._put_right(shot)
        elif record.state == self.truth and not self._acts:
            actors = record.game.to_act(self.truth)
            if not actors:
                self._press("confirm")  # that was the game
            elif actors != (CHANCE,):
                self._turn(record.game)
        elif now > self._since + PATIENCE:
            self.disagreements.append(f"nobody noticed {self._acts or 'a takeback'}")
            self.truth, self._acts = record.state, ()
        elif self._acts and now > self._since + 2.0:
            self._press("next")  # the sensors cannot see it: tell the table by its menu

    # -- moves ----------------------------------------------------------------------------------

    def _turn(self, game: Game[Any]) -> None:
        if self.mistakes and self._below(1000) < self.mistakes * 1000:
            kind = ("refused", "together", "taken back")[self._below(3)]
            if self._mistake(game, kind):
                self.made[kind] = self.made.get(kind, 0) + 1
                return
        act = self._choose(game, self.truth)
        if act.by >= 0 and game.secret(self.truth, act.move, act.by):
            self._send(game, act)
        else:
            self._play(game, act, 0.0)

    def _send(self, game: Game[Any], act: Act) -> None:
        """What nobody else may see comes from the player's own phone."""
        self.truth = game.play(self.truth, act.move, act.by)
        self._acts = (act,)
        self._since = self._now()
        self._due = self._now() + 0.4
        self._table.inbox.put(Intend((act,)))

    def _choose(self, game: Game[Any], state: Any) -> Act:
        seats = game.to_act(state)
        by = seats[self._below(len(seats))]
        moves = game.moves(state, by)
        return Act(by, moves[self._below(len(moves))])

    def _play(self, game: Game[Any], act: Act, delay: float) -> Image:
        """Make a move by hand, and hold it true. Gives the board as it then stands."""
        signs = game.signs(self.truth, act.move)
        after = game.play(self.truth, act.move, act.by)
        board = game.by_hand(self.truth, act.move, after)
        self._show(signs, board, delay)
        self._before, self.truth = self.truth, after
        self._acts = (*self._acts, act)
        self._since = self._now()
        self._due = self._now() + delay + SLIDE + 0.3 + self._below(600) / 1000
        return board

    def _show(self, signs: tuple[str, ...], board: Image, delay: float) -> None:
        world, agenda = self._sim.world, self._sim.agenda
        for n, sign in enumerate(signs):
            if not sign.endswith("?") or self._below(2):
                agenda.after(delay + 0.05 * n, partial(world.pass_by, sign.rstrip("?")))
        agenda.after(delay + 0.02, lambda: world.slide(board, SLIDE))

    def _mistake(self, game: Game[Any], kind: str) -> bool:
        if kind == "refused":
            attempts = [a for a in game.attempts(self.truth) if self._can_be_told(game, a)]
            if not attempts:
                return False
            attempt = attempts[self._below(len(attempts))]
            self._show(attempt.signs, attempt.image, 0.0)
            self._due = self._now() + 1.5
            return True
        if kind == "together":
            board = self._play(game, self._choose(game, self.truth), 0.0)
            if board == game.image(self.truth) and game.to_act(self.truth) not in ((), (CHANCE,)):
                second = self._choose(game, self.truth)
                if self._two_can_be_told(game, second):
                    self._play(game, second, SLIDE + BETWEEN)
            return True
        record = self._table.snapshot.record
        assert record is not None
        if not record.takebacks or record.takebacks[0].state != self._before:
            return False
        board = game.image(self._before)
        self.truth, self._since = self._before, self._now()
        if self._table.snapshot.seen and board != game.image(record.state):
            self._sim.world.slide(board, SLIDE)
        else:  # there is nothing to see of it
            self._press("undo")
        self._due = self._now() + 1.5
        return True

    def _can_be_told(self, game: Game[Any], attempt: Attempt) -> bool:
        """Where only openings are watched, a knot of the wrong colour looks like a right one;
        where they are not, one put back where it was ejected looks like a takeback."""
        shot = self._table.snapshot
        if shot.seen and shot.signs:
            return True
        if shot.seen:
            assert shot.record is not None
            past = (step.state for step in shot.record.takebacks)
            return all(game.image(state) != attempt.image for state in past)
        (by, *_) = game.to_act(self.truth)
        legal = {game.signs(self.truth, move)[:1] for move in game.moves(self.truth, by)}
        return attempt.signs[:1] not in legal

    def _two_can_be_told(self, game: Game[Any], second: Act) -> bool:
        """With fewer sensors, two pushes made at once can look just like one."""
        signs = game.signs(self.truth, second.move)
        if not signs:
            return False
        if not self._table.snapshot.seen:  # a knot that falls out shows like one that goes in
            return f"{signs[0]}?" not in game.signs(self._before, self._acts[-1].move)
        if self._table.snapshot.signs:
            return True
        after = game.play(self.truth, second.move, second.by)
        board = game.by_hand(self.truth, second.move, after)
        (by, *_) = game.to_act(self._before)
        return board != game.image(self._before) and all(
            game.by_hand(self._before, move, game.play(self._before, move, by)) != board
            for move in game.moves(self._before, by)
        )

    # -- answers --------------------------------------------------------------------------------

    def _answer(self, shot: Snapshot) -> None:
        """With the buttons: next until the right option stands there, then confirm."""
        question, record = shot.question, shot.record
        assert question is not None
        assert record is not None
        if question.kind == "proposal":
            self._press("confirm" if question.at else "next")
            return
        if self._acts and record.state == self.truth:
            return  # taken, and about to be told
        wanted = self._wanted(shot)
        if wanted is None:
            self._press("next")
        elif question.at == wanted:
            answer = question.answers[wanted]
            if isinstance(answer, Accept) and not self._acts:
                self.truth = play_all(record.game, record.state, answer.acts)
            self._press("confirm")
        else:
            self._press("next")

    def _wanted(self, shot: Snapshot) -> int | None:
        """The option that says what was done; any, where the question is what to do."""
        question, record = shot.question, shot.record
        assert question is not None
        assert record is not None
        done = [record.state, self.truth]
        for act in self._acts:  # of several moves, the table may ask for the first
            done.append(play_all(record.game, done[-1] if len(done) > 2 else done[0], [act]))
        for n, answer in enumerate(question.answers):
            if isinstance(answer, Accept):
                after = play_all(record.game, record.state, answer.acts)
            else:
                after = record.takebacks[answer.intents - 1].state
            if after in done[1:]:
                return n
        if self._acts:
            return None
        return question.at or self._below(len(question.answers))

    def _put_right(self, shot: Snapshot) -> None:
        assert shot.record is not None
        assert shot.notice is not None
        board = shot.record.game.image(shot.record.state)
        if any(
            self._sim.world.pieces.get(s, ()) != board.get(s, ())
            for s in {*self._sim.world.pieces, *board}
        ):
            self._sim.world.slide(board, SLIDE * 2)
            if shot.record.state != self.truth:  # whatever was made is taken off, and made again
                self.truth, self._acts = shot.record.state, ()
            self._due = self._now() + 0.8
        elif shot.notice.confirm:
            self._press("confirm")

    def _press(self, button: str) -> None:
        self._sim.press(button)
        self._due = self._now() + 0.4

"""Work spread over processes: whatever befalls one of them costs what it was doing, and no more."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

# A new interpreter each: a fork would take this one's threads with it half, and the pipes of its
# brothers whole, so that none would notice when the first of them all is gone.
_PROCESSES = multiprocessing.get_context("spawn")


def cores() -> int:
    """How many processes can work here at once."""
    return len(os.sched_getaffinity(0))


def spread(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int,
    died: Callable[[Task, str], Result],
) -> Generator[tuple[int, Result], None, None]:
    """The number of each task and what came of it, as they are done; begun with in their order.

    `died` gives the result of a task whose process ended under it. With one job it is all done
    here. To close the iterator, as Ctrl-C does, ends the processes.
    """
    if min(jobs, len(tasks)) <= 1:
        yield from enumerate(map(work, tasks))
        return
    crew: list[_Worker[Task, Result]] = []
    left = iter(enumerate(tasks))
    try:
        for number, task in left:
            crew.append(_Worker(work))
            crew[-1].give(number, task)
            if len(crew) == min(jobs, len(tasks)):
                break
        while busy := {worker.pipe: worker for worker in crew if worker.busy}:
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]  # no sockets, nor numbers, among them
                number, done = worker.number, worker.taken(died)
                if (following := next(left, None)) is not None:
                    if not worker.alive:
                        crew.remove(worker)
                        worker = _Worker(work)
                        crew.append(worker)
                    worker.give(*following)
                yield number, done
    finally:
        for worker in crew:
            worker.end()


class _Worker(Generic[Task, Result]):
    """One process, and the task that it has."""

    def __init__(self, work: Callable[[Task], Result]) -> None:
        self.pipe, theirs = _PROCESSES.Pipe()
        self.alive = True
        self.busy = False
        self.number = -1
        self._process = _PROCESSES.Process(target=_serve, args=(theirs, work), daemon=True)
        # Ctrl-C is for the first process to act upon. What is blocked here stays so there; but
        # whoever starts the tracker unblocks it again.
        ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()  # so that the pipe ends with the process

    def give(self, number: int, task: Task) -> None:
        self.number, self._task, self.busy = number, task, True
        with contextlib.suppress(BrokenPipeError):  # it is dead already: `taken` finds that out
            self.pipe.send(task)

    def taken(self, died: Callable[[Task, str], Result]) -> Result:
        self.busy = False
        try:
            return self.pipe.recv()  # type: ignore[no-any-return]
        except (EOFError, ConnectionResetError):
            self.alive = False
            self._process.join()
            return died(self._task, f"its process ended with {self._process.exitcode}")

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join()


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    # The first process is gone, or does not want the rest.
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            pipe.send(work(pipe.recv()))

"""The pool of worker processes: hands specs to them and yields rows as they come.

A slow episode holds up nobody: whoever is free takes the next spec. Episodes that take milliseconds are handed out some
at a time; those that wait behind one that turns out long are taken back. A worker that dies is replaced; its spec is
tried once more and then recorded as ``infra_error``, so one poisonous episode cannot stop a run.

Work may come in bits: where the assignments to run hold a ``None``, there is nothing now and perhaps more later; free
workers ask again when ``wakeup`` is woken or a moment has passed.
"""

from __future__ import annotations

import contextlib
import logging
import mmap
import os
import select
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from proctor.core import EnvSpec, PolicySpec, ProctorError, start_python
from proctor.results import Episode, make_row

from ._episode import ENV, POLICY, RunOptions
from ._worker import BEATS, RUNNING, Assignment, Done, Job, Lease, Ready, Recall, Refused, Report, Returned, main

# Wakes a loop that waits on file descriptors from another thread.


class WakeupPipe:
    """A pipe that is readable from `wake` until `clear`; any number of calls in between count once."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def fileno(self) -> int:
        return self._out

    def wake(self) -> None:
        """Make the pipe readable; a full one is already."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._in, b"!")

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._out, 4096)


# The parent's side of one worker process.

# One physics step is far too small to share between threads; without this each worker would start one thread per core.
_SINGLE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "LP_NUM_THREADS",
)


class WorkerProcess:
    """A running worker and the assignments it holds, by number."""

    def __init__(self, job: Job, log: Path) -> None:
        self.log = log
        self.ready = False
        self.held: dict[int, Assignment] = {}
        # The number of an episode beside which the worker is handed no other; see `Work`.
        self.alone = 0
        self.heard_at = time.monotonic()
        self.slots = job.slots
        self._recalled = False
        with tempfile.TemporaryFile() as file:
            size = job.slots * BEATS * 8
            file.truncate(size)
            self._map = mmap.mmap(file.fileno(), size)
            self._beat = memoryview(self._map).cast("d")
            environ = {**dict.fromkeys(_SINGLE_THREAD, "1"), **os.environ}
            self._child = start_python(main, file.fileno(), pass_fds=[file.fileno()], log=log, environ=environ)
        self.connection = self._child.connection
        self.connection.send(job)

    @property
    def pid(self) -> int:
        return self._child.pid

    def assign(self, items: tuple[tuple[int, Assignment], ...]) -> None:
        self.held.update(items)
        self._recalled = False
        self._send(Lease(items))

    def recall(self) -> None:
        """Ask for the episodes back that the worker has not begun; once, until it is handed others."""
        if not self._recalled:
            self._recalled = True
            self._send(Recall())

    def _send(self, message: Lease | Recall) -> None:
        # A worker that has just died is noticed by the closed connection, with its assignments still in its name.
        with contextlib.suppress(OSError):
            self.connection.send(message)

    def has_news(self) -> bool:
        """Return whether `receive` would return at once."""
        return bool(select.select([self.connection], [], [], 0.0)[0])

    def receive(self) -> Report | None:
        """Return the worker's next report, None if the worker has died."""
        try:
            report: Report = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.heard_at = time.monotonic()
        return report

    def settle(self, report: Done | Returned) -> list[Assignment]:
        """Take what a report is about out of what the worker holds, and return it."""
        numbers = report.numbers if isinstance(report, Returned) else (report.number,)
        return [self.held.pop(number) for number in numbers]

    def running(self) -> list[int]:
        """Return the numbers of the episodes that the worker is at; those it has reported are no longer held."""
        beats = (int(self._beat[slot * BEATS + RUNNING]) for slot in range(self.slots))
        return [number for number in beats if number in self.held]

    def stuck(self, policy_limit_s: float, env_limit_s: float) -> tuple[str, int] | None:
        """Return the side (``policy`` or ``env``) and the episode of a call that has run for longer than its limit."""
        now = time.monotonic()
        for slot in range(self.slots):
            number = int(self._beat[slot * BEATS + RUNNING])
            for index, side, limit in ((POLICY, "policy", policy_limit_s), (ENV, "env", env_limit_s)):
                began = self._beat[slot * BEATS + index]
                if began and now - began > limit and number in self.held:
                    return side, number
        return None

    def end(self, *, patience_s: float = 0.0) -> str:
        """End the worker and all it started; return how it died (``signal SIGSEGV``, ``exit code 3``).

        With ``patience_s`` the worker may close its environment first.
        """
        how = self._child.end(patience_s=patience_s)
        with contextlib.suppress(OSError):
            if self.log.stat().st_size == 0:
                self.log.unlink()
        return how

    def last_words(self) -> str:
        """Return the last line of the worker's log."""
        return self._child.last_words()


# What is left to do, and how much of it a worker is handed at once.

# A worker holds about so much work; more would only wait there while another worker is free.
LEASE_S = 0.05
MAX_LEASE = 64
# How fast the mean forgets, per episode.
_FORGET = 0.1


class Pace:
    """How long episodes take, and so how many make a lease: one, until they are known to be short."""

    def __init__(self) -> None:
        self._mean_s: float | None = None

    def note(self, wall_s: float) -> None:
        self._mean_s = wall_s if self._mean_s is None else self._mean_s + _FORGET * (wall_s - self._mean_s)

    def stumble(self) -> None:
        """A lease took far too long: hand out single episodes until the mean is back."""
        self._mean_s = None

    def room(self, slots: int, held: int) -> int:
        """Return how many more episodes a worker of ``slots`` slots should get that holds ``held``.

        A lease is renewed when half of it is done, so that the worker need not wait for the next.
        """
        each = 1 if not self._mean_s else max(1, min(MAX_LEASE, int(LEASE_S / self._mean_s)))
        return slots * each - held if each == 1 or 2 * held <= slots * each else 0


class Work:
    """The assignments that no worker holds: those given back first, then the plan's.

    An episode that was running when its worker died is tried again with nobody beside it, so that no other is blamed.
    """

    def __init__(self, todo: Iterator[Assignment | None]) -> None:
        self._todo = todo
        self._back: deque[Assignment] = deque()
        self._suspects: deque[Assignment] = deque()
        self._number = 0
        self.pace = Pace()

    def give_back(self, assignments: list[Assignment]) -> None:
        self._back.extend(assignments)

    def suspect(self, assignment: Assignment) -> None:
        """Take back what may have killed its worker."""
        self._suspects.append(Assignment(assignment.spec, assignment.attempt + 1))

    def feed(self, worker: WorkerProcess) -> None:
        """Hand ``worker`` what it has room for."""
        if not worker.ready or worker.alone in worker.held:
            return
        if self._suspects:
            # Whoever is asked next is let run empty, and then gets it.
            if not worker.held:
                worker.alone = self._assign(worker, [self._suspects.popleft()])
            return
        items: list[Assignment] = []
        for _ in range(self.pace.room(worker.slots, len(worker.held))):
            assignment = self._back.popleft() if self._back else next(self._todo, None)
            if assignment is None:
                break
            items.append(assignment)
        if items:
            self._assign(worker, items)

    def _assign(self, worker: WorkerProcess, items: list[Assignment]) -> int:
        first = self._number + 1
        self._number += len(items)
        worker.assign(tuple(enumerate(items, start=first)))
        return self._number


_LOG = logging.getLogger(__name__)
MAX_CRASHES = 2
_POLL_S = 0.2
# At most so many rows are taken from one worker before those of the next are looked at.
_GROUP = 256


class WorkerError(ProctorError):
    """Workers cannot be started."""


class Pool:
    """Runs assignments on ``options.workers`` processes. Use as a context manager."""

    def __init__(
        self,
        job: Job,
        options: RunOptions,
        logs: Path,
        on_ready: Callable[[PolicySpec, EnvSpec], None],
        *,
        wakeup: WakeupPipe | None = None,
    ) -> None:
        self._job, self._options, self._logs, self._on_ready = job, options, logs, on_ready
        self._wakeup = wakeup
        self._workers: list[WorkerProcess] = []
        self._work = Work(iter(()))
        self._crashes: dict[str, int] = {}
        self._bad_starts = 0
        self._specs: tuple[PolicySpec, EnvSpec] | None = None
        self._orderly = False

    def __enter__(self) -> Pool:
        self._logs.mkdir(exist_ok=True)
        return self

    def __exit__(self, *_: Any) -> None:
        for worker in self._workers:
            worker.end(patience_s=3.0 if self._orderly and worker.ready else 0.0)
        with contextlib.suppress(OSError):
            self._logs.rmdir()

    def run(self, todo: Iterator[Assignment | None], count: int, stop: Callable[[], bool]) -> Iterator[list[Episode]]:
        """Yield a row for each of the ``count`` assignments, in groups that ended together, until ``stop()``."""
        self._work = Work(todo)
        self._workers = [self._start(i) for i in range(min(self._options.workers, count))]
        left = count
        while left and not stop():
            waiting = {worker.connection: worker for worker in self._workers}
            rows: list[Episode] = []
            more = [self._wakeup.fileno()] if self._wakeup else []
            for source in wait([*waiting, *more], timeout=_POLL_S):
                if source in waiting:
                    rows += self._hear(waiting[source])
                elif self._wakeup:
                    self._wakeup.clear()
            for worker in list(self._workers):
                rows += self._watch(worker)
            # More work goes out before the rows are written: the disk is slower than the workers.
            for worker in self._workers:
                self._work.feed(worker)
            left -= len(rows)
            if rows:
                yield rows
        self._orderly = not any(worker.held for worker in self._workers)

    def _start(self, number: int) -> WorkerProcess:
        return WorkerProcess(self._job, self._logs / f"worker-{number}.log")

    def _replace(self, worker: WorkerProcess, *, patience_s: float = 0.0) -> str:
        number = self._workers.index(worker)
        how = worker.end(patience_s=patience_s)
        _LOG.info("worker %d ended (%s) and is replaced; see %s", number, how, worker.log)
        self._workers[number] = self._start(number)
        return how

    def _hear(self, worker: WorkerProcess) -> list[Episode]:
        rows: list[Episode] = []
        while len(rows) < _GROUP and worker.has_news():
            report = worker.receive()
            if report is None:
                return rows + self._bury(worker)
            if isinstance(report, Refused):
                raise WorkerError(report.message)
            if isinstance(report, Ready):
                self._welcome(worker, report)
                continue
            settled = worker.settle(report)
            if isinstance(report, Returned):
                self._work.give_back(settled)
                continue
            rows.append(report.row)
            self._work.pace.note(report.row.timing.wall_s)
            if report.retire:
                self._work.give_back(list(worker.held.values()))
                self._replace(worker, patience_s=1.0)
                break
        return rows

    def _welcome(self, worker: WorkerProcess, report: Ready) -> None:
        worker.ready = True
        self._bad_starts = 0
        _LOG.info("worker %d is ready (process %d)", self._workers.index(worker), worker.pid)
        if self._specs is None:
            self._specs = (report.policy, report.env)
            self._on_ready(report.policy, report.env)
        elif self._specs != (report.policy, report.env):
            raise WorkerError("policy or environment changed while the run went on: start again with another --out")

    def _bury(self, worker: WorkerProcess) -> list[Episode]:
        """Replace a worker that has died. What it was running is under suspicion, the rest of what it held is not."""
        words, ready, running = worker.last_words(), worker.ready, worker.running() or list(worker.held)[:1]
        how = self._replace(worker, patience_s=1.0)
        if not ready:
            self._bad_starts += 1
            if self._bad_starts >= MAX_CRASHES:
                raise WorkerError(f"a worker died while starting ({how}): {words or 'it said nothing'}")
        suspects = [worker.held.pop(number) for number in running]
        self._work.give_back(list(worker.held.values()))
        rows = []
        for assignment in suspects:
            identity = assignment.spec.episode_id
            # Of several that ran together one is guilty: it will be found when each is tried alone.
            self._crashes[identity] = self._crashes.get(identity, 0) + 1
            if self._crashes[identity] < MAX_CRASHES:
                _LOG.info("%s episode %d is tried again, alone", assignment.spec.task, assignment.spec.episode)
                self._work.suspect(assignment)
            else:
                text = f"the worker died ({how}) {MAX_CRASHES} times; see {worker.log}"
                rows.append(self._failed(assignment, "infra_error", text))
        return rows

    def _watch(self, worker: WorkerProcess) -> list[Episode]:
        """Stop a worker in which a call never returns; take back what waits behind a long episode."""
        limit = self._options.episode.policy_timeout_s
        stuck = worker.stuck(limit + self._options.grace_s, self._options.env_timeout_s)
        if stuck is None:
            if len(worker.held) > worker.slots and time.monotonic() - worker.heard_at > _POLL_S:
                self._work.pace.stumble()
                worker.recall()
            return []
        side, number = stuck
        assignment = worker.held.pop(number)
        self._work.give_back(list(worker.held.values()))
        self._replace(worker)
        if side == "policy":
            text = f"the policy gave nothing within {limit:g} s and could not be interrupted: its worker was stopped"
            return [self._failed(assignment, "policy_error", text)]
        text = f"the environment did not return within {self._options.env_timeout_s:g} s: its worker was stopped"
        return [self._failed(assignment, "infra_error", text)]

    def _failed(self, assignment: Assignment, status: Any, error: str) -> Episode:
        assert self._specs is not None, "no episode can fail before a worker was ready"
        policy, env = self._specs
        return make_row(assignment.spec, policy, env, status=status, error=error, attempt=assignment.attempt)

"""Hands specs to worker processes and yields rows as they come.

A slow episode holds up nobody: whoever is free takes the next spec. Episodes that take milliseconds are handed out some
at a time; those that wait behind one that turns out long are taken back. A worker that dies is replaced; its spec is
tried once more and then recorded as ``infra_error``, so one poisonous episode cannot stop a run.

Work may come in bits: where the assignments to run hold a ``None``, there is nothing now and perhaps more later; free
workers ask again when ``wakeup`` is woken or a moment has passed.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from proctor.core import EnvSpec, PolicySpec, ProctorError
from proctor.results import Episode, make_row

from ._options import RunOptions
from ._process import WorkerProcess
from ._wakeup import WakeupPipe
from ._work import Work
from ._worker import Assignment, Job, Ready, Refused, Returned

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

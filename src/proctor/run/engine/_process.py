"""The parent's side of one worker process."""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import tempfile
import time
from pathlib import Path

from proctor.core import start_python

from ._guard import ENV, POLICY
from ._slots import BEATS, RUNNING, main
from ._worker import Assignment, Done, Job, Lease, Recall, Report, Returned

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
        """Its process id."""
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

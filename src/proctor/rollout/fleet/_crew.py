"""An agent's workers: the local pool, run by a thread of its own so that signs of life never wait for it."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from proctor.core import EnvSpec, PolicySpec, ProctorError
from proctor.policies import describe_exception
from proctor.record import Episode

from .._bell import Bell
from .._options import RunOptions
from .._pool import Pool
from .._worker import Assignment, Job
from ._messages import MAX_ROW

# Rows that may wait to be recorded before no more episodes are started.
_BACKLOG = 256


class Crew:
    """Runs what `add` brings. Whoever waits on ``bell`` learns of rows, of ``specs`` and of ``failure``."""

    def __init__(self, job: Job, options: RunOptions, logs: Path) -> None:
        self.bell = Bell()
        self.specs: tuple[PolicySpec, EnvSpec] | None = None
        self.failure = ""
        self.backlog = 0
        self._work = Bell()
        self._lock = threading.Lock()
        self._waiting: dict[str, Assignment] = {}
        self._rows: deque[Episode] = deque()
        self._stopping = threading.Event()
        self._pool = Pool(job, options, logs, self._note_specs, bell=self._work)
        self._thread = threading.Thread(target=self._main, name="crew", daemon=True)
        self._thread.start()

    def add(self, assignments: Iterable[Assignment]) -> None:
        """Queue episodes."""
        with self._lock:
            self._waiting.update((assignment.spec.episode_id, assignment) for assignment in assignments)
        self._work.ring()

    def drop(self, identities: Iterable[str]) -> None:
        """Forget episodes that have not begun."""
        with self._lock:
            for identity in identities:
                self._waiting.pop(identity, None)

    def forget(self) -> None:
        """Forget every episode that has not begun."""
        with self._lock:
            self._waiting.clear()

    def rows(self) -> list[Episode]:
        """Return the rows that have come since the last call."""
        self.bell.still()
        return [self._rows.popleft() for _ in range(len(self._rows))]

    def stop(self) -> None:
        """End the workers; episodes that run are lost."""
        self._stopping.set()
        self._work.ring()
        self._thread.join()
        self._work.close()
        self.bell.close()

    def _main(self) -> None:
        try:
            with self._pool as pool:
                for rows in pool.run(self._todo(), sys.maxsize, self._stopping.is_set):
                    self._rows.extend(map(_fit, rows))
                    self.bell.ring()
        except ProctorError as error:
            self.failure = str(error)
        except Exception as error:
            self.failure = f"the agent failed: {describe_exception(error)}"
        if not self._stopping.is_set():
            self.bell.ring()

    def _todo(self) -> Iterator[Assignment | None]:
        while True:
            with self._lock:
                full = self.backlog + len(self._rows) > _BACKLOG
                first = None if full else next(iter(self._waiting), None)
                assignment = None if first is None else self._waiting.pop(first)
            yield assignment

    def _note_specs(self, policy: PolicySpec, env: EnvSpec) -> None:
        self.specs = (policy, env)
        self.bell.ring()


def _fit(row: Episode) -> Episode:
    """Return the row, or an error in its place if it is too large to travel."""
    size = len(row.to_json().encode())
    if size <= MAX_ROW:
        return row
    error = f"its row has {size} bytes, and {MAX_ROW} may travel between hosts"
    return replace(
        row, status="infra_error", error=error, success=None, success_time_s=None, costs=(), events=(), objects="{}"
    )

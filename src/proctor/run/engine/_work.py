"""What is left to do, and how much of it a worker is handed at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ._process import WorkerProcess
from ._worker import Assignment

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

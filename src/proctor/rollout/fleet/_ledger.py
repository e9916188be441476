"""Which episode is where: leased, waiting to be leased again, or settled. No sockets, no clocks.

Only what is out is remembered: an episode enters when it is first leased and leaves when its row is accepted, so memory
follows the leases and not the plan. A row is accepted if its episode is still out, whoever sends it; a second one finds
nothing and is dropped. An error is believed only from whoever holds the episode now.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from .._worker import Assignment

MAX_LOSSES = 3
MAX_RESERVE = 48


@dataclass(slots=True)
class _Out:
    assignment: Assignment
    holder: bytes | None
    lost_with: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Settled:
    """An accepted row: whether it counts, and who else is still at the episode."""

    accepted: bool
    other: bytes | None = None


@dataclass(frozen=True, slots=True)
class GivenUp:
    """An episode that was lost with too many hosts."""

    assignment: Assignment
    hosts: tuple[str, ...]


class Ledger:
    """Hands out the ``count`` assignments of ``todo``; ``left`` says how many have no row yet."""

    def __init__(self, todo: Iterator[Assignment], count: int) -> None:
        self.left = count
        self._todo, self._fresh = todo, count
        self._out: dict[str, _Out] = {}
        self._again: deque[str] = deque()
        self._held: dict[bytes, dict[str, None]] = {}

    @property
    def waiting(self) -> int:
        """How many episodes nobody holds, at most (one that was settled late may still be counted)."""
        return self._fresh + len(self._again)

    @property
    def out(self) -> int:
        """How many episodes are remembered."""
        return len(self._out)

    def held(self, agent: bytes) -> int:
        """Return how many episodes ``agent`` holds."""
        return len(self._held.get(agent, ()))

    def wanted(self, agent: bytes, capacity: int, fleet: int) -> int:
        """Return how many episodes to lease to an agent with ``capacity`` of the fleet's workers, 0 if it has enough.

        It gets one per worker and a reserve of a third of its share of what waits, so that blocks are large at the
        start and shrink to single episodes at the end, when nobody may sit on work that another could do.
        """
        reserve = min(MAX_RESERVE, self.waiting * capacity // (3 * max(fleet, 1)))
        held = self.held(agent)
        return min(self.waiting, capacity + reserve - held) if held < capacity + reserve / 2 else 0

    def take(self, agent: bytes) -> Assignment | None:
        """Lease one more episode to ``agent``; None if there is none."""
        while self._again:
            entry = self._out.get(self._again.popleft())
            if entry is not None and entry.holder is None:
                return self._give(entry, agent)
        assignment = next(self._todo, None)
        if assignment is None:
            self._fresh = 0
            return None
        self._fresh -= 1
        entry = self._out[assignment.spec.episode_id] = _Out(assignment, None)
        return self._give(entry, agent)

    def give_back(self, agent: bytes, identity: str) -> None:
        """Undo `take` for an episode that never reached ``agent``."""
        if self._held.get(agent, {}).pop(identity, 0) is None:
            self._out[identity].holder = None
            self._again.appendleft(identity)

    def is_out(self, identity: str) -> bool:
        """Return whether a row for this episode would still be accepted."""
        return identity in self._out

    def settle(self, agent: bytes, identity: str, *, completed: bool) -> Settled:
        """Take a row for ``identity`` from ``agent``."""
        entry = self._out.get(identity)
        if entry is None or not (completed or entry.holder == agent):
            return Settled(False)
        del self._out[identity]
        self.left -= 1
        holder = entry.holder
        if holder is not None:
            self._held[holder].pop(identity, None)
        return Settled(True, holder if holder != agent else None)

    def lose(self, agent: bytes, host: str, *, running: int) -> list[GivenUp]:
        """Take back what ``agent`` held; return what was lost too often.

        A pool starts episodes in the order of the lease, so its oldest ``running`` are those that it may have begun:
        only they may be what brought it down.
        """
        given_up = []
        for position, identity in enumerate(self._held.pop(agent, {})):
            entry = self._out[identity]
            entry.holder = None
            if position < running:
                entry.lost_with.append(host)
                entry.assignment = Assignment(entry.assignment.spec, entry.assignment.attempt + 1)
            if len(entry.lost_with) >= MAX_LOSSES:
                del self._out[identity]
                self.left -= 1
                # The attempt that was just announced will not be made.
                last = Assignment(entry.assignment.spec, entry.assignment.attempt - 1)
                given_up.append(GivenUp(last, tuple(entry.lost_with)))
            else:
                self._again.append(identity)
        return given_up

    def _give(self, entry: _Out, agent: bytes) -> Assignment:
        entry.holder = agent
        self._held.setdefault(agent, {})[entry.assignment.spec.episode_id] = None
        return entry.assignment

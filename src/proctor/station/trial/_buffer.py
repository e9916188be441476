"""The actions still to come: chunks laid on the clock, the newest in place of the older one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.core import PolicySpec


class BadActionError(ValueError):
    """A policy's answer is no action; the text says what it is, without naming the policy."""


@dataclass(frozen=True, slots=True)
class Due:
    """An action, when it is due, and its place in the trial at the policy's rate."""

    time_s: float
    step: int
    action: NDArray[np.float64]


def checked(value: Any, spec: PolicySpec) -> NDArray[np.float64]:
    """Return an answer as actions [H, D]; whatever is not finite numbers of that shape is refused."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadActionError(f"the policy returned {type(value).__name__}, not numbers") from None
    chunk = array.reshape(1, -1) if array.ndim == 1 else array
    if chunk.ndim != 2 or chunk.shape[1] != spec.action_dim or not 1 <= len(chunk) <= spec.chunk:
        raise BadActionError(
            f"the policy returned actions of shape {array.shape}, its spec says (1..{spec.chunk}, {spec.action_dim})"
        )
    if not np.isfinite(chunk).all():
        raise BadActionError("the policy returned NaN or infinity")
    return chunk


class ChunkBuffer:
    """Holds one chunk at a time, at ``hz`` actions per second.

    A chunk starts at the action for the present: as many are left out at its front as periods have passed since its
    observation, because they were meant for the past; its last one is always kept. Actions that were due while nobody
    looked are passed over.
    """

    def __init__(self, hz: float) -> None:
        self.hz = hz
        self._due: deque[Due] = deque()

    def put(self, chunk: NDArray[np.float64], step: int, observed_s: float, now_s: float) -> None:
        """Lay a chunk out from now on; ``step`` is that of its observation."""
        late = min(max(int((now_s - observed_s) * self.hz + 1e-9), 0), len(chunk) - 1)
        self._due = deque(
            Due(now_s + number / self.hz, step + late + number, action) for number, action in enumerate(chunk[late:])
        )

    def take(self, now_s: float) -> Due | None:
        """Return the latest action that is due, once; None when there is none."""
        found = None
        while self._due and self._due[0].time_s <= now_s:
            found = self._due.popleft()
        return found

    def left_s(self, now_s: float) -> float:
        """For how long actions are still to come."""
        return max(0.0, self._due[-1].time_s + 1 / self.hz - now_s) if self._due else 0.0

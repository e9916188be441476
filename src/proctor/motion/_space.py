"""Joint space: limits, what is free in it, and straight motions looked at in small steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from ._slerp import Array

JointPath: TypeAlias = list[Array]
COARSE_RAD, FINE_RAD = 0.08, 0.02


@dataclass(frozen=True)
class JointSpace:
    """Joint angles between ``low`` and ``high`` [rad]; ``free`` says whether nothing is touched at them."""

    low: Array
    high: Array
    free: Callable[[Array], bool]

    def inside(self, q: Array) -> bool:
        """Whether all joints are within their limits."""
        return bool(np.all(q >= self.low) and np.all(q <= self.high))

    def valid(self, q: Array) -> bool:
        """Whether ``q`` is within the limits and free."""
        return self.inside(q) and self.free(q)

    def open_way(self, first: Array, last: Array, step_rad: float = FINE_RAD) -> bool:
        """Whether the straight way between two postures is valid at every step, both ends included.

        From the middle outwards, where a way that is not is found out soonest.
        """
        count = max(1, math.ceil(float(np.abs(last - first).max()) / step_rad))
        order = sorted(range(count + 1), key=lambda i: abs(i - count / 2))
        return all(self.valid(first + (last - first) * (i / count)) for i in order)


def length(path: Sequence[Array]) -> float:
    """Return the length [rad] of a joint path."""
    return float(sum(np.linalg.norm(b - a) for a, b in pairwise(path)))


def resampled(path: Sequence[Array], step_rad: float) -> JointPath:
    """Return the path with further postures on it, so that no joint turns by more than ``step_rad`` between two."""
    found = [path[0]]
    for first, last in pairwise(path):
        count = max(1, math.ceil(float(np.abs(last - first).max()) / step_rad))
        found += [first + (last - first) * (i / count) for i in range(1, count + 1)]
    return found

"""Joint space: limits, what is free in it, and straight motions looked at in small steps.

A step is measured by how far a point of the arm can move in it: at most the sum of each joint's turn times the longest
lever about its axis. Where obstacles have a margin m, and no point moves by more than 2 m from one look to the next,
every point is at all times within m of where it was looked at: what is free at all looks is free between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from ._slerp import Array

JointPath: TypeAlias = list[Array]


@dataclass(frozen=True)
class JointSpace:
    """Joint angles between ``low`` and ``high`` [rad]; ``free`` says whether nothing is touched at them.

    ``lever_m`` is how far from each axis a point of the arm can be; looks at a motion are ``step_m`` apart.
    """

    low: Array
    high: Array
    free: Callable[[Array], bool]
    lever_m: Array
    step_m: float

    def inside(self, q: Array) -> bool:
        return bool(np.all(q >= self.low) and np.all(q <= self.high))

    def valid(self, q: Array) -> bool:
        """Whether ``q`` is within the limits and free."""
        return self.inside(q) and bool(self.free(q))

    def open_way(self, first: Array, last: Array) -> bool:
        """Whether the straight way between two postures is valid at every look, both ends included.

        From the middle outwards, where a way that is not is found out soonest.
        """
        count = max(1, math.ceil(float(np.abs(last - first) @ self.lever_m) / self.step_m))
        order = sorted(range(count + 1), key=lambda i: abs(i - count / 2))
        return all(self.valid(first + (last - first) * (i / count)) for i in order)


def length(path: Sequence[Array]) -> float:
    return float(sum(np.linalg.norm(b - a) for a, b in pairwise(path)))


def resampled(path: Sequence[Array], step_rad: float) -> JointPath:
    """Return the path with further postures on it, so that no joint turns by more than ``step_rad`` between two."""
    found = [path[0]]
    for first, last in pairwise(path):
        count = max(1, math.ceil(float(np.abs(last - first).max()) / step_rad))
        found += [first + (last - first) * (i / count) for i in range(1, count + 1)]
    return found

"""Shorter and smoother: random shortcuts, then corners cut, each only where the way stays free."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ._slerp import Array
from ._space import JointPath, JointSpace, length


def shorten(path: Sequence[Array], space: JointSpace, rng: np.random.Generator, tries: int = 60) -> JointPath:
    """Return a path with the same ends that is no longer.

    Two random points of the path are joined by a straight way wherever that is open (Geraerts and Overmars 2007).
    """
    found = list(path)
    for _ in range(tries):
        if len(found) < 3:
            break
        first, last = sorted(rng.uniform(0.0, len(found) - 1.0, 2))
        i, k = int(first), int(last)
        if k <= i:
            continue
        a, b = _at(found, first), _at(found, last)
        shorter = [*found[: i + 1], a, b, *found[k + 1 :]]
        if length(shorter) < length(found) - 1e-9 and space.open_way(a, b):
            found = _without_doubles(shorter)
    return found


def smooth(path: Sequence[Array], space: JointSpace, rounds: int = 2) -> JointPath:
    """Return a path whose corners are cut (Chaikin 1974): at a quarter of the legs beside each, where that is free."""
    found = list(path)
    for _ in range(rounds):
        cut = [found[0]]
        for before, corner, after in zip(found, found[1:], found[2:], strict=False):
            entry, leave = corner + 0.25 * (before - corner), corner + 0.25 * (after - corner)
            cut += [entry, leave] if space.open_way(entry, leave) else [corner]
        found = [*cut, found[-1]]
    return found


def _at(path: Sequence[Array], place: float) -> Array:
    leg = min(int(place), len(path) - 2)
    return path[leg] + (place - leg) * (path[leg + 1] - path[leg])


def _without_doubles(path: Sequence[Array]) -> JointPath:
    return [path[0], *(b for a, b in pairwise(path) if np.abs(b - a).max() > 1e-9)]

"""The shortest turn from one direction to another."""

from __future__ import annotations

import math

import numpy as np

from .._arm import Array


def shortest(start: Array, stop: Array) -> Array:
    """Return the rotation vector of the shortest turn from one direction to another; zero between opposite ones."""
    axis = np.cross(start, stop)
    size = float(np.linalg.norm(axis))
    if size < 1e-9:
        return np.zeros(3)
    out: Array = axis / size * math.atan2(size, float(start @ stop))
    return out

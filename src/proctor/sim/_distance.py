"""Smallest distance between two sets of geoms, cheap when they are far apart.

Bounding spheres cull; the rest is sorted by its lower bound and measured with a shrinking limit, so the loop ends at
the first pair that cannot improve. Negative values mean penetration.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray


class DistanceProbe:
    """Distance [m] between ``a`` and ``b``, never more than ``limit``."""

    def __init__(self, model: mujoco.MjModel, a: NDArray[np.intp], b: NDArray[np.intp], limit: float) -> None:
        self._model = model
        self._a, self._b = a, b
        self._limit = limit
        self._reach = model.geom_rbound[a][:, None] + model.geom_rbound[b][None, :]
        self._segment = np.zeros(6)

    def __call__(self, data: mujoco.MjData) -> float:
        """Measure now."""
        between = data.geom_xpos[self._a][:, None] - data.geom_xpos[self._b][None]
        bound = (np.sqrt(np.einsum("ijk,ijk->ij", between, between)) - self._reach).ravel()
        best = self._limit
        near = np.flatnonzero(bound < best)
        columns = len(self._b)
        for pair in near[np.argsort(bound[near])].tolist():
            if bound[pair] >= best:
                break
            row, column = divmod(pair, columns)
            distance = mujoco.mj_geomDistance(
                self._model, data, int(self._a[row]), int(self._b[column]), best, self._segment
            )
            best = min(best, distance)
        return float(best)

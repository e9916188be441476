"""The inside of a vessel: what a mug or a bowl holds loose things with.

A hollow is a body of revolution about the vessel's own z axis, given as a profile from its floor to its rim. Filling
(how much fits), spilling (what has left) and grasping (what a finger would dip into) all read this one description.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PACKING = 0.55
"""Share of a hollow's volume that balls take which fill it to the rim; measured on mugs and bowls of this package."""


@dataclass(frozen=True, slots=True)
class Hollow:
    """Profile of an inside: points (z, inner radius, outer radius), floor first, rim last; metres, object frame."""

    profile: tuple[tuple[float, float, float], ...]

    @property
    def floor_m(self) -> float:
        return self.profile[0][0]

    @property
    def rim_m(self) -> float:
        return self.profile[-1][0]

    def inner(self, z: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Inner radius at height ``z``, that of the nearest end beyond the profile."""
        return np.asarray(np.interp(np.asarray(z), *self._columns(1)))

    def outer(self, z: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Outer radius at height ``z``, that of the nearest end beyond the profile."""
        return np.asarray(np.interp(np.asarray(z), *self._columns(2)))

    def _columns(self, which: int) -> tuple[list[float], list[float]]:
        return [point[0] for point in self.profile], [point[which] for point in self.profile]

    def volume_m3(self) -> float:
        """Volume between floor and rim: the sum of the profile's truncated cones."""
        total = 0.0
        for (z0, r0, _), (z1, r1, _) in zip(self.profile, self.profile[1:], strict=False):
            total += math.pi * (z1 - z0) * (r0 * r0 + r0 * r1 + r1 * r1) / 3
        return total

    def balls(self, radius_m: float) -> int:
        """Return about how many balls fill it to the rim."""
        return max(1, round(PACKING * self.volume_m3() / (4 / 3 * math.pi * radius_m**3)))

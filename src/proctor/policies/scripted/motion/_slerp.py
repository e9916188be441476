"""Poses between poses: straight lines of the tool, turning about one axis at constant angular speed.

Shoemake's spherical interpolation (SIGGRAPH 1985) on rotation matrices::

    R(s) = exp(s · log(R₁ R₀ᵀ)) R₀,   0 ≤ s ≤ 1

which turns by s times the whole angle about the one axis that leads from R₀ to R₁, the short way round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from proctor.sim import matrix, rotvec

Array: TypeAlias = NDArray[np.float64]
Pose: TypeAlias = tuple[Array, Array]


def slerp(first: Array, last: Array, share: float) -> Array:
    """Return the rotation matrix at ``share`` of the way from ``first`` to ``last``."""
    turned: Array = matrix(share * rotvec(last @ first.T)) @ first
    return turned


def between(first: Pose, last: Pose, share: float) -> Pose:
    """Return the pose at ``share`` of the way between two."""
    return first[0] + share * (last[0] - first[0]), slerp(first[1], last[1], share)


def angle(first: Array, last: Array) -> float:
    """Return the angle [rad] between two rotations."""
    return float(np.linalg.norm(rotvec(last @ first.T)))


class Track:
    """A polyline of poses, run through with limits on speed [m/s], turning [rad/s] and acceleration [m/s²].

    A leg takes as long as the slower of moving and turning; the whole speeds up and brakes at an even rate.
    """

    def __init__(self, poses: Sequence[Pose], *, speed: float, turn_speed: float, acceleration: float) -> None:
        self._poses = list(poses)
        legs = [
            max(float(np.linalg.norm(b[0] - a[0])) / speed, angle(a[1], b[1]) / turn_speed)
            for a, b in zip(self._poses, self._poses[1:], strict=False)
        ]
        self._times = np.concatenate([[0.0], np.cumsum(legs)])
        # At full speed the clock of the legs runs as fast as time does; it comes to that within this time.
        self._ramp_s = speed / acceleration
        even = float(self._times[-1])
        self.duration_s = even + self._ramp_s if even > self._ramp_s else 2.0 * math.sqrt(even * self._ramp_s)

    def at(self, time_s: float) -> Pose:
        """Return the pose at a time; before the start and after the end, those."""
        clock = self._clock(min(max(time_s, 0.0), self.duration_s))
        leg = int(np.clip(np.searchsorted(self._times, clock, side="right") - 1, 0, max(len(self._poses) - 2, 0)))
        if len(self._poses) == 1:
            return self._poses[0]
        span = float(self._times[leg + 1] - self._times[leg])
        share = 1.0 if span <= 0.0 else min((clock - float(self._times[leg])) / span, 1.0)
        return between(self._poses[leg], self._poses[leg + 1], share)

    def _clock(self, time_s: float) -> float:
        """How far the clock of the legs has come: rising, even, falling."""
        even, left = float(self._times[-1]), self.duration_s - time_s
        half = self.duration_s / 2.0
        ramp = min(self._ramp_s, half)
        if time_s < ramp:
            return time_s**2 / (2.0 * self._ramp_s)
        if left < ramp:
            return even - left**2 / (2.0 * self._ramp_s)
        return time_s - ramp + ramp**2 / (2.0 * self._ramp_s)

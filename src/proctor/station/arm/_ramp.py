"""Moves from pose to pose with a smooth start and end."""

from __future__ import annotations

from collections.abc import Mapping

from ._joints import DEGREES_PER_TICK, JOINTS
from ._limits import Limits

# The steepest slope of the minimum-jerk curve s(u) = 10u^3 - 15u^4 + 6u^5, at u = 1/2.
PEAK_SLOPE = 1.875


def ramp_seconds(start: Mapping[str, int], goal: Mapping[str, int], limits: Limits, share: float = 0.8) -> float:
    """Return the time in which all joints arrive together, the fastest at ``share`` of its speed limit at most."""
    return max(
        PEAK_SLOPE * abs(goal[joint] - start[joint]) * DEGREES_PER_TICK / (share * limits.velocity_deg_s[joint])
        for joint in JOINTS
    )


def ramp(start: Mapping[str, int], goal: Mapping[str, int], fraction: float) -> dict[str, int]:
    """Return the pose at ``fraction`` of the time, 0 to 1, along the minimum-jerk curve."""
    u = min(max(fraction, 0.0), 1.0)
    s = u**3 * (10 - 15 * u + 6 * u * u)
    return {joint: round(start[joint] + s * (goal[joint] - start[joint])) for joint in JOINTS}

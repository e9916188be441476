"""Limits of the arm's commands: joint ranges, speed, torque."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ._calibration import DEGREES_PER_TICK, GRIPPER, JOINTS, Calibration
from ._errors import ArmError

# A joint turns at 280 degrees per second without load; a policy rarely needs a third of that next to a person.
_VELOCITY: Final = {**dict.fromkeys(JOINTS, 120.0), GRIPPER: 180.0}
# Full torque is 1000. The gripper squeezes for minutes: at half torque it survives (LeRobot does the same).
_TORQUE: Final = {**dict.fromkeys(JOINTS, 1000), GRIPPER: 500}
_LEASH: Final = {**dict.fromkeys(JOINTS, 25.0), GRIPPER: 120.0}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per joint.

    ``velocity_deg_s``: how fast the commanded position may change. ``torque``: the servo's own limit, 0..1000.
    ``leash_deg``: how far the command may run ahead of the measured position. A blocked joint is then pushed with a
    bounded force, and does not leap when it comes free. The gripper's is long, because squeezing is running ahead.
    ``margin_deg``: distance kept from both ends of the sweep.
    """

    velocity_deg_s: Mapping[str, float] = field(default_factory=lambda: dict(_VELOCITY))
    torque: Mapping[str, int] = field(default_factory=lambda: dict(_TORQUE))
    leash_deg: Mapping[str, float] = field(default_factory=lambda: dict(_LEASH))
    margin_deg: float = 0.0

    def __post_init__(self) -> None:
        for name in ("velocity_deg_s", "torque", "leash_deg"):
            values = getattr(self, name)
            if set(values) != set(JOINTS):
                raise ArmError(f"limits: {name} needs exactly the joints {', '.join(JOINTS)}")
            for joint, value in values.items():
                if not (math.isfinite(value) and value > 0):
                    raise ArmError(f"limits: {name} of {joint} is {value}; it must be above 0")
        if any(value > 1000 for value in self.torque.values()):
            raise ArmError("limits: torque goes up to 1000, the servo's full torque")

    @classmethod
    def uniform(cls, velocity_deg_s: float) -> Limits:
        return cls(velocity_deg_s=dict.fromkeys(JOINTS, velocity_deg_s))


class Limiter:
    """Turns any goal into the next command in whole ticks that keeps the limits.

    The law: between two commands that are ``dt`` apart no joint's command changes by more than ``velocity * dt``. The
    step is rounded down to whole ticks, so the law holds for what goes over the wire, not only before rounding. A dt
    beyond ``longest_s`` counts as that much: after a stall the arm goes on at its speed instead of catching up.
    """

    def __init__(self, calibration: Calibration, limits: Limits, period_s: float) -> None:
        self.limits = limits
        self.longest_s = 1.5 * period_s
        self._ticks_per_s = {joint: limits.velocity_deg_s[joint] / DEGREES_PER_TICK for joint in JOINTS}
        self._leash = {joint: math.floor(limits.leash_deg[joint] / DEGREES_PER_TICK) for joint in JOINTS}
        margin = math.ceil(limits.margin_deg / DEGREES_PER_TICK)
        self.range = {
            joint: (values.range_min + margin, values.range_max - margin) for joint, values in calibration.items()
        }
        for joint, speed in self._ticks_per_s.items():
            if speed * period_s < 1:
                raise ArmError(
                    f"limits: {limits.velocity_deg_s[joint]:g} deg/s of {joint} is less than one encoder tick per "
                    f"{period_s * 1000:.0f} ms cycle: allow at least {DEGREES_PER_TICK / period_s:.1f} deg/s"
                )
            if self.range[joint][0] >= self.range[joint][1]:
                raise ArmError(f"limits: margin_deg leaves nothing of the range of {joint}")

    def next(
        self,
        command: Mapping[str, int],
        goal: Mapping[str, int],
        measured: Mapping[str, int],
        dt_s: float,
    ) -> dict[str, int]:
        """Return the command that follows ``command`` on the way to ``goal``, ``dt_s`` after it."""
        return {joint: self._joint(joint, command[joint], goal[joint], measured[joint], dt_s) for joint in JOINTS}

    def _joint(self, joint: str, command: int, goal: int, measured: int, dt_s: float) -> int:
        low, high = self.range[joint]
        leash = self._leash[joint]
        wanted = min(max(goal, low), high)
        wanted = min(max(wanted, measured - leash), measured + leash)
        step = math.floor(self._ticks_per_s[joint] * min(max(dt_s, 0.0), self.longest_s))
        return command + min(max(wanted - command, -step), step)

"""Teleoperation by a leader arm or the keyboard, as a policy: demonstrations are trials like any other.

The same runner drives the follower, with the same limits, watchdog and record. Both say the follower's joints at 30 Hz,
in true degrees if not told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.station.arm import GRIPPER, JOINTS, Calibration, JointVector, So101Arm, Unit, convert

from ._types import DIM, control_mode

_HZ: Final = 30.0
_STEP_DEG: Final = 3.0
# Two rows of keys, a joint to each column: the upper one raises it, the lower one lowers it.
KEYS: Final = {key: (index, sign) for keys, sign in (("qwerty", 1), ("asdfgh", -1)) for index, key in enumerate(keys)}


def _spec(name: str, unit: Unit = Unit.TRUE_DEGREES) -> PolicySpec:
    return PolicySpec(
        name=name,
        state_dim=DIM,
        action_dim=DIM,
        control_mode=control_mode(unit),
        control_hz=_HZ,
        fingerprint=name,
    )


class LeaderArm:
    """A second arm, limp, moved by hand.

    Body joints mean the same angle on both arms. Trigger and jaw open by different angles, so the gripper goes by its
    share of the sweep, as LeRobot does it. ``unit`` is that of the station.
    """

    def __init__(self, leader: So101Arm, follower: Calibration, unit: Unit = Unit.TRUE_DEGREES) -> None:
        self._leader, self._follower, self._unit = leader, follower, unit
        leader.torque_off()

    def spec(self) -> PolicySpec:
        return _spec("leader_arm", self._unit)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Nothing to remember."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        return np.array(convert(self.pose(), self._follower, self._unit).values)

    def pose(self) -> JointVector:
        """Return the follower's pose that corresponds to the leader's, in true degrees."""
        held = self._leader.position(Unit.TRUE_DEGREES)
        share = convert(held, self._leader.calibration, Unit.LEROBOT_RANGE).named()[GRIPPER]
        ranges = JointVector.of({**dict.fromkeys(JOINTS, 0.0), GRIPPER: share}, Unit.LEROBOT_RANGE)
        gripper = convert(ranges, self._follower, Unit.TRUE_DEGREES).named()[GRIPPER]
        return JointVector.of({**held.named(), GRIPPER: gripper}, Unit.TRUE_DEGREES)


class Keyboard:
    """Moves the goal by 3 degrees per key; ``pending`` returns the keys typed since it was last asked."""

    def __init__(self, pending: Callable[[], str]) -> None:
        self._pending = pending
        self._goal: NDArray[np.float64] | None = None

    def spec(self) -> PolicySpec:
        return _spec("keyboard")

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        """Start from where the arm is."""
        self._goal = None
        self._pending()

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Return the goal after the keys typed."""
        if self._goal is None:
            self._goal = observation.state.copy()
        for key in self._pending():
            if key in KEYS:
                index, sign = KEYS[key]
                self._goal[index] += sign * _STEP_DEG
        return self._goal.copy()

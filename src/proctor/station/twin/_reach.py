"""Inverse kinematics of the SO-101, for scripted policies."""

from __future__ import annotations

import math
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from proctor.core import ProctorError
from proctor.station.arm import BODY_JOINTS, JointVector, Unit

from ._station import station_spec

# From the tip of the fixed jaw towards the moving one: the middle of a block of 25 mm that touches the fixed jaw.
_BETWEEN_M: Final = 0.016
_FURTHEST_M: Final = 0.004
_START_DEG: Final = (0.0, 40.0, -60.0, 90.0, 0.0)


class Reach:
    """Solves for a gripper that points down with the middle between its jaws at a point of the box frame."""

    def __init__(self) -> None:
        self._model = station_spec().compile()
        self._data = mujoco.MjData(self._model)
        self._qpos = np.array([self._model.joint(joint).qposadr[0] for joint in BODY_JOINTS])
        self._range = np.array([self._model.joint(joint).range for joint in BODY_JOINTS])

    def point(self, pose: JointVector) -> NDArray[np.float64]:
        """Return the middle between the jaws for a pose in true degrees."""
        return self._forward(np.radians(pose.array(Unit.TRUE_DEGREES)[:5]))[0]

    def joints(self, point: tuple[float, float, float], gripper_deg: float, roll_deg: float = 0.0) -> JointVector:
        """Return the pose, pointing down as well as the arm can; a point out of reach is refused."""
        goal = np.array(point)
        roll = math.radians(roll_deg)

        def misfit(angles: NDArray[np.float64]) -> NDArray[np.float64]:
            at, approach = self._forward(angles)
            return np.concatenate([200 * (at - goal), approach - (0, 0, -1), [angles[4] - roll]])

        low, high = self._range[:, 0] + 0.01, self._range[:, 1] - 0.01
        found = least_squares(misfit, np.clip(np.radians(_START_DEG), low, high), bounds=(low, high)).x
        miss = float(np.linalg.norm(self._forward(found)[0] - goal))
        if miss > _FURTHEST_M:
            x, y, z = point
            raise ProctorError(
                f"({x:g}, {y:g}, {z:g}) m is out of the arm's reach: it comes within {100 * miss:.1f} cm"
            )
        return JointVector((*map(float, np.degrees(found)), gripper_deg), Unit.TRUE_DEGREES)

    def _forward(self, angles: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        self._data.qpos[self._qpos] = angles
        mujoco.mj_kinematics(self._model, self._data)
        tip = self._data.site("gripperframe")
        across = self._data.body("gripper").xmat.reshape(3, 3)[:, 0]
        return tip.xpos + _BETWEEN_M * across, tip.xmat.reshape(3, 3)[:, 0].copy()

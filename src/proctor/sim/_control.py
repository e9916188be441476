"""From a 7-D action to joint targets: damped least-squares inverse kinematics on a robot-only model.

Action: [dx, dy, dz] * 0.05 m and [rx, ry, rz] * 0.5 rad per unit, in world axes, relative to the *commanded* tool pose
(integrating the measured pose would let gravity and contact drag the command along); gripper -1 opens, +1 closes at
6 mm per finger and step, 0 holds the width.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from ._panda import (
    BASE_POS,
    FINGER_OPEN_M,
    FINGER_SQUEEZE_M,
    HOME_Q,
    JOINT_SPEED_LIMIT,
    PREFIX,
    robot_spec,
    set_physics,
)
from ._rotation import Array, matrix, rotvec

CONTROL_HZ = 20.0
CONTROL_DT = 1.0 / CONTROL_HZ
POSITION_SCALE_M = 0.05
ROTATION_SCALE_RAD = 0.5
FINGER_SPEED_M = 0.006
# A command further than this from the measured pose is pulled back: no wind-up while the arm is blocked.
MAX_LEAD_M = 0.06

_ik_model: mujoco.MjModel | None = None


def _shared_ik_model() -> mujoco.MjModel:
    global _ik_model
    if _ik_model is None:
        spec = mujoco.MjSpec()
        set_physics(spec)
        spec.attach(robot_spec(visuals=False), prefix=PREFIX, frame=spec.worldbody.add_frame(pos=BASE_POS))
        _ik_model = spec.compile()
    return _ik_model


class InverseKinematics:
    """Levenberg-damped least squares with a null-space pull towards the home posture.

    A step that does not reduce the error is undone and damped more, so the arm never flails at the workspace's edge.
    """

    def __init__(self) -> None:
        self._model = _shared_ik_model()
        self._data = mujoco.MjData(self._model)
        self._site = self._model.site(PREFIX + "tcp").id
        self._limits = self._model.jnt_range[:7] + np.array([0.02, -0.02])
        self._jac = np.zeros((6, self._model.nv))

    @property
    def limits(self) -> Array:
        """The joint angles [7, 2] between which solutions lie."""
        limits: Array = self._limits.copy()
        return limits

    def forward(self, q: Array) -> tuple[Array, Array]:
        """Return tool position and rotation matrix at joint angles ``q``."""
        self._data.qpos[:7] = q
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        return self._data.site_xpos[self._site].copy(), self._data.site_xmat[self._site].reshape(3, 3).copy()

    def solve(
        self, position: Array, rotation: Array, q: Array, iterations: int = 4, tolerance: float = 1e-5
    ) -> tuple[Array, float]:
        """Return joint angles for a tool pose, starting at ``q``, and the remaining error (m + 0.1 rad)."""
        best_error, best_q, damping = np.inf, q, 1e-5
        q = q.copy()
        for _ in range(iterations + 1):
            twist = self._error(position, rotation, q)
            error = float(np.linalg.norm(twist[:3]) + 0.1 * np.linalg.norm(twist[3:]))
            if error < best_error:
                best_error, best_q, damping = error, q, max(damping * 0.1, 1e-5)
            else:
                damping *= 10
                twist = self._error(position, rotation, best_q)
                q = best_q
            if best_error < tolerance:
                break
            size = float(np.linalg.norm(twist))
            twist *= min(1.0, 0.3 / size)
            mujoco.mj_jacSite(self._model, self._data, self._jac[:3], self._jac[3:], self._site)
            jac = self._jac[:, :7]
            pinv = jac.T @ np.linalg.inv(jac @ jac.T + damping * np.eye(6))
            posture = min(0.05, 2 * size) * (HOME_Q - q)
            q = np.clip(q + pinv @ twist + posture - pinv @ (jac @ posture), self._limits[:, 0], self._limits[:, 1])
        return best_q, best_error

    def _error(self, position: Array, rotation: Array, q: Array) -> Array:
        x, r = self.forward(q)
        return np.concatenate([position - x, rotvec(rotation @ r.T)])


@dataclass(frozen=True, slots=True)
class Command:
    """Joint targets over one control period: start, change, and the finger's target."""

    q: Array
    dq: Array
    finger_m: float


class Controller:
    """Holds the commanded tool pose, joint posture and finger width."""

    def __init__(self) -> None:
        self.ik = InverseKinematics()
        self.reset()

    def reset(self) -> None:
        """Return to the home posture with an open hand."""
        self.q: Array = HOME_Q.copy()
        self.position, self.rotation = self.ik.forward(self.q)
        self.finger_m = FINGER_OPEN_M

    def command(self, action: NDArray[np.float64], measured_position: Array) -> Command:
        """Advance the commanded pose by ``action`` and return the joint targets for this period."""
        position = self.position + POSITION_SCALE_M * action[:3]
        rotation = matrix(ROTATION_SCALE_RAD * action[3:6]) @ self.rotation
        lead = position - measured_position
        distance = float(np.linalg.norm(lead))
        if distance > MAX_LEAD_M:
            position = measured_position + lead * (MAX_LEAD_M / distance)
        q, _ = self.ik.solve(position, rotation, self.q)
        step = JOINT_SPEED_LIMIT * CONTROL_DT
        dq = np.clip(q - self.q, -step, step)
        self.finger_m = float(np.clip(self.finger_m - FINGER_SPEED_M * action[6], FINGER_SQUEEZE_M, FINGER_OPEN_M))
        command = Command(self.q, dq, self.finger_m)
        self.q = self.q + dq
        reached, reached_rotation = self.ik.forward(self.q)
        close = (
            np.linalg.norm(position - reached) < 0.003 and np.linalg.norm(rotvec(rotation @ reached_rotation.T)) < 0.02
        )
        # Out of reach: command what the joints can do, or the error would pile up.
        self.position, self.rotation = (position, rotation) if close else (reached, reached_rotation)
        return command

    def state(self) -> tuple[Array, Array, Array, float]:
        """Return a copy of the state, for exact restore."""
        return self.q.copy(), self.position.copy(), self.rotation.copy(), self.finger_m

    def restore(self, state: tuple[Array, Array, Array, float]) -> None:
        q, position, rotation, self.finger_m = state
        self.q, self.position, self.rotation = q.copy(), position.copy(), rotation.copy()

"""X-VLA with its end-effector actions, through LeRobot.

Conventions, from LeRobot's ``processor_xvla.py``: a pose is x, y, z, the first two columns of the rotation matrix and a
gripper (above 0.5 closes); state and action hold two of them, the second for an arm that is not there. The state has 0
for the gripper. LIBERO's ``agentview`` was turned like everyone's, the wrist picture was not: it stays upside down.
LeRobot's evaluator normalises pictures before the checkpoint's own steps, which therefore may leave it out.

Its poses are the controller's, not those of LIBERO's state vector: the same tool point, but the axes of the gripper's
site, which lie a quarter turn about the tool's z axis from the hand's (`benchmarks/robosuite_conventions.py`). The tool
point is LIBERO's, 7 mm nearer to the palm than ours.

Actions are absolute, ours are steps of 0.05 m and 0.5 rad per unit from the pose last commanded. The session keeps that
pose: a target within reach of one step is met exactly, another is approached at full speed. ``motion_scale`` has no
meaning here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._adapter import TOOL_OFFSET_M
from ._images import orient
from ._lerobot import LeRobotAdapter

STEP_M = 0.05
STEP_RAD = 0.5
# The axes of the gripper's site in those of the hand: turned by -90 degrees about z.
SITE_IN_HAND = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


class XVLA(LeRobotAdapter):
    """A checkpoint of kind ``xvla``; arguments as in `LeRobotAdapter`."""

    kind = "xvla"
    widths = (20, 20)

    def __init__(self, checkpoint: str = "", **options: Any) -> None:
        """Load, and see to it that pictures are normalised once."""
        super().__init__(checkpoint, **options)
        self._site = SITE_IN_HAND if options.get("trained_on", "libero") == "libero" else np.eye(3)
        self._offset_m = TOOL_OFFSET_M if self.libero_state else 0.0
        from lerobot.policies.xvla.processor_xvla import XVLAImageNetNormalizeProcessorStep as Normalize

        if not any(isinstance(step, Normalize) for step in self._pre.steps):
            self._pre.steps = [Normalize(), *self._pre.steps]

    def image(self, observation: Any, camera: str) -> Any:
        """Return the picture; of the wrist, as LIBERO's renderer left it."""
        upside_down = self.mirror and camera == "wrist"
        rotate = (self.rotate + 180) % 360 if upside_down else self.rotate
        return orient(np.asarray(observation.images[camera]), self.mirror, rotate)

    def state(self, observation: Any) -> Any:
        """Return position, two columns of the rotation, and zeros."""
        rotation = rotation_matrix(observation.state[3:6])
        position = observation.state[:3] - self._offset_m * rotation[:, 2]
        axes = rotation @ self._site
        return np.concatenate([position, axes[:, 0], axes[:, 1], np.zeros(11)])

    def to_steps(self, memory: Any, observation: Any, actions: Any) -> Any:
        """Return steps that lead to the poses in ``actions`` [T, 20], one after the other."""
        from lerobot.policies.xvla.utils import rotate6d_to_axis_angle
        from lerobot.utils.rotation import Rotation

        position, rotation = commanded_pose(memory, observation)
        memory.asked_at, memory.poses = observation.step, [(position, rotation)]
        steps = np.empty((len(actions), 7))
        for row, target in enumerate(actions):
            wanted = rotation_matrix(rotate6d_to_axis_angle(target[3:9])) @ self._site.T
            turn = wanted @ rotation.T
            steps[row, :3] = np.clip((target[:3] + self._offset_m * wanted[:, 2] - position) / STEP_M, -1.0, 1.0)
            steps[row, 3:6] = np.clip(Rotation.from_matrix(turn).as_rotvec() / STEP_RAD, -1.0, 1.0)
            steps[row, 6] = 1.0 if target[9] > 0.5 else -1.0
            position = position + STEP_M * steps[row, :3]
            rotation = rotation_matrix(STEP_RAD * steps[row, 3:6]) @ rotation
            memory.poses.append((position, rotation))
        return steps


def commanded_pose(memory: Any, observation: Any) -> tuple[Any, Any]:
    """Return position and rotation last commanded: of the chunk before, as far as it was executed, else as measured."""
    poses = getattr(memory, "poses", [])
    done = min(observation.step - getattr(memory, "asked_at", 0), len(poses) - 1)
    if done > 0:
        pose: tuple[Any, Any] = poses[done]
        return pose
    state = np.asarray(observation.state, dtype=np.float64)
    return state[:3], rotation_matrix(state[3:6])


def rotation_matrix(vector: Any) -> Any:
    """Return the matrix of axis times angle."""
    from lerobot.utils.rotation import Rotation

    return Rotation.from_rotvec(vector).as_matrix()

"""The station in motion: one MuJoCo model, the servos that drive its joints, and the things on its floor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError, did_you_mean
from proctor.station.arm import JOINTS, registers

from ._objects import SceneObject
from ._servo import Servo
from ._shapes import quat_yaw_pitch
from ._station import TIMESTEP_S, station_spec

# Folded back, out of the top camera's view of the floor.
REST_DEG: Final = {
    "shoulder_pan": 0.0,
    "shoulder_lift": -95.0,
    "elbow_flex": 90.0,
    "wrist_flex": 65.0,
    "wrist_roll": -90.0,
    "gripper": 5.0,
}
# What an overloaded servo still gives, as a share of its torque.
_OVERLOADED: Final = 0.2


@dataclass(frozen=True, slots=True)
class ObjectPose:
    """Where a thing really is: position in metres in the box frame, and its turn about the vertical."""

    name: str
    kind: str
    colour: str
    x: float
    y: float
    z: float
    yaw_deg: float


class Physics:
    """Model and state. Not thread-safe: the twin holds its lock around every call."""

    def __init__(self, servos: Sequence[Servo], objects: Sequence[SceneObject] = ()) -> None:
        self._servos = servos
        self._build(objects)
        self.set_joints({joint: math.radians(angle) for joint, angle in REST_DEG.items()})

    def _build(self, objects: Sequence[SceneObject]) -> None:
        self.objects = tuple(objects)
        self.model = station_spec(objects).compile()
        self.data = mujoco.MjData(self.model)
        self._qpos = np.array([self.model.joint(joint).qposadr[0] for joint in JOINTS])
        self._qvel = np.array([self.model.joint(joint).dofadr[0] for joint in JOINTS])
        self._actuator = np.array([self.model.actuator(joint).id for joint in JOINTS])
        self._force = self.model.actuator_forcerange[self._actuator, 1].copy()
        self._limp_at = np.zeros(len(JOINTS))

    def place(self, objects: Sequence[SceneObject]) -> None:
        """Clear the floor and put these things on it; the arm stays as it is."""
        joints, speeds = self.data.qpos[self._qpos].copy(), self.data.qvel[self._qvel].copy()
        held, before = self._limp_at, self.model
        self._build(objects)
        self._limp_at = held
        # A camera that was pushed stays pushed, and the light as it was.
        self.model.cam_pos[:], self.model.cam_quat[:] = before.cam_pos, before.cam_quat
        self.model.light_diffuse[:] = before.light_diffuse
        self.model.vis.headlight.ambient[:] = before.vis.headlight.ambient
        self.data.qpos[self._qpos], self.data.qvel[self._qvel] = joints, speeds
        mujoco.mj_forward(self.model, self.data)

    def move_object(self, name: str, x: float, y: float, yaw_deg: float) -> None:
        """Put one thing elsewhere on the floor, at rest."""
        joint = self._object_joint(name)
        start, speed = joint.qposadr[0], joint.dofadr[0]
        self.data.qpos[start : start + 7] = (x, y, 0.0005, *quat_yaw_pitch(math.radians(yaw_deg)))
        self.data.qvel[speed : speed + 6] = 0
        mujoco.mj_forward(self.model, self.data)

    def poses(self) -> list[ObjectPose]:
        """Return where everything on the floor is."""
        found = []
        for item in self.objects:
            start = self._object_joint(item.name).qposadr[0]
            x, y, z, qw, qx, qy, qz = self.data.qpos[start : start + 7]
            yaw = math.degrees(math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz)))
            found.append(ObjectPose(item.name, item.kind, item.colour, float(x), float(y), float(z), yaw))
        return found

    def _object_joint(self, name: str) -> Any:
        names = [item.name for item in self.objects]
        if name not in names:
            raise ProctorError(f"nothing is called {name!r}{did_you_mean(name, names)}")
        return self.model.joint(name)

    def joints(self) -> dict[str, float]:
        return {joint: float(angle) for joint, angle in zip(JOINTS, self.data.qpos[self._qpos], strict=True)}

    def joint_range(self, joint: str) -> tuple[float, float]:
        """Return a joint's mechanical stops in radians."""
        low, high = self.model.joint(joint).range
        return float(low), float(high)

    def set_joints(self, angles: Mapping[str, float]) -> None:
        """Put joints at angles in radians, at rest, between their stops."""
        for joint, angle in angles.items():
            index = JOINTS.index(joint)
            low, high = self.joint_range(joint)
            self.data.qpos[self._qpos[index]] = self._limp_at[index] = min(max(angle, low), high)
            self.data.qvel[self._qvel[index]] = 0
        mujoco.mj_forward(self.model, self.data)

    def tool_position(self) -> NDArray[np.float64]:
        """Return the tip of the fixed jaw, in metres in the box frame."""
        position: NDArray[np.float64] = self.data.site("gripperframe").xpos.copy()
        return position

    def step(self, seconds: float) -> None:
        """Advance by whole time steps, at least one; servo goals are those of this moment."""
        self._drive()
        limp = np.array([not servo.torque_on for servo in self._servos])
        for _ in range(max(1, round(seconds / TIMESTEP_S))):
            mujoco.mj_step(self.model, self.data)
            if limp.any():
                # Gears and a hand keep a limp joint where it was left; the twin's arm does not fall.
                self.data.qpos[self._qpos[limp]] = self._limp_at[limp]
                self.data.qvel[self._qvel[limp]] = 0

    def _drive(self) -> None:
        for index, servo in enumerate(self._servos):
            actuator = self._actuator[index]
            share = min(servo.get(registers.TORQUE_LIMIT), servo.get(registers.MAX_TORQUE)) / 1000
            if servo.error:
                share *= _OVERLOADED
            if servo.torque_on:
                self._limp_at[index] = self.data.qpos[self._qpos[index]]
                self.data.ctrl[actuator] = servo.goal_rad()
            else:
                share = 1.0
                self.data.ctrl[actuator] = self._limp_at[index]
            self.model.actuator_forcerange[actuator] = (-share * self._force[index], share * self._force[index])

    def report(self) -> None:
        """Let every servo see its joint."""
        for index, servo in enumerate(self._servos):
            torque = float(self.data.actuator_force[self._actuator[index]]) / self._force[index]
            servo.observe(
                float(self.data.qpos[self._qpos[index]]),
                float(self.data.qvel[self._qvel[index]]),
                torque if servo.torque_on else 0.0,
            )

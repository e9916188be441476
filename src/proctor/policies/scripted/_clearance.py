"""Would the arm, the hand and what it holds touch anything? Asked of a copy of the model, before moving.

The copy keeps a margin around every object, so that "free" means free by a centimetre. Arm postures come from the same
inverse kinematics as the controller's, so the answer is about the posture the arm will really have. The distances
that the task's cost asks for (`Caution`) are kept as well. What moves by itself is left out: where it is now says
nothing of where it will be (`_timing` looks at that).
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import mujoco
import numpy as np

from proctor.sim import FINGER_OPEN_M, HOME_Q, JOINT_SPEED_LIMIT, InverseKinematics, Scene, matrix, rotvec

from ._arm import Array
from ._carry import contents_in
from ._caution import Caution

MARGIN_M = 0.012
TIGHT_M = 0.003
_ROBOT = "robot/"
# An elbow straighter than this jumps where the hand should glide: nothing for what can be spilled.
ELBOW, STRETCHED_RAD = 3, -0.6
# Stands in the place of an obstacle's name where the arm itself ends: "... is in the way".
REACH = "the end of the arm's reach"
# Time [s] in which an arm that glides takes one stride, and how far it turns in it.
LEAP_S, GLIDE_RAD = 0.06, 0.1

# Joint 3 beyond this with a pitched hand: close to the base the arm reaches such poses only wound about itself, and
# cannot go on from there.
SHOULDER, WOUND_RAD, PITCHED = 2, 1.3, -0.9


def is_wound(q: Array, rotation: Array) -> bool:
    """Whether an arm holds its pitched hand in a posture that leads nowhere."""
    return bool(rotation[2, 2] > PITCHED and abs(q[SHOULDER]) > WOUND_RAD)


@dataclass(frozen=True, slots=True)
class Held:
    """An object in the hand: its pose in the tool frame."""

    name: str
    position: Array
    rotation: Array


def held_now(scene: Scene, name: str) -> Held:
    """Measure how an object lies in the hand."""
    position, rotation = scene.tcp()
    return Held(name, rotation.T @ (scene.origin(name) - position), rotation.T @ scene.rotation(name))


class Clearance:
    """Collision checks for one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._model = copy.copy(scene.model)
        self._data = mujoco.MjData(self._model)
        self._ik = InverseKinematics()
        self.caution = Caution(scene, self._model)
        self.may_stretch = False
        for name in scene.moving:
            geoms = scene.geoms(name)
            self._model.geom_contype[geoms] = self._model.geom_conaffinity[geoms] = 0
        self._owner = [scene.owner(geom) for geom in range(scene.model.ngeom)]

    def solve(self, position: Array, rotation: Array, q: Array, iterations: int = 60) -> tuple[Array, float]:
        """Inverse kinematics with enough iterations to tell reachable from not."""
        return self._ik.solve(position, rotation, q, iterations)

    def forward(self, q: Array) -> tuple[Array, Array]:
        """Return the tool pose at joint angles ``q``."""
        return self._ik.forward(q)

    def home_pose(self) -> tuple[Array, Array]:
        return self._ik.forward(HOME_Q)

    def hit(
        self,
        q: Array,
        *,
        held: Held | None = None,
        ignore: frozenset[str] = frozenset(),
        near: frozenset[str] = frozenset(),
        margin_m: float = MARGIN_M,
        finger_m: float = FINGER_OPEN_M,
        particles: bool = False,
    ) -> str | None:
        """Return the first entity that robot or held object would touch at joint angles ``q``, or None.

        What they would come too near to, by the task's rules, counts as well. What is named in ``ignore`` may be
        touched; to what is named in ``near`` (an object's support) no margin is kept. Particles are no obstacles unless
        asked for: they lie in vessels and go where those go.
        """
        scene, model, data = self._scene, self._model, self._data
        self._margins(margin_m, near)
        model.body_pos[:], model.body_quat[:] = scene.model.body_pos, scene.model.body_quat
        data.qpos[:] = scene.data.qpos
        data.qpos[scene.arm_qpos] = q
        data.qpos[scene.finger_qpos] = finger_m
        if held is not None:
            position, rotation = self._ik.forward(q)
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation @ held.rotation).ravel())
            data.joint(f"{held.name}/free").qpos[:] = (*(position + rotation @ held.position), *quat)
        mujoco.mj_fwdPosition(model, data)
        moving = {_ROBOT} | ({held.name} if held is not None else set())
        for g, h in data.contact.geom.tolist():
            a, b = self._owner[g], self._owner[h]
            if (a in moving) == (b in moving):
                continue
            other: str = b if a in moving else a
            if other not in ignore and (particles or other not in scene.particles):
                return other
        return self.caution.broken(data, held.name if held is not None else None, margin_m)

    def _margins(self, margin_m: float, near: frozenset[str]) -> None:
        """Give every object and fixture a margin; table and ``near`` keep none, or no low grasp would be allowed."""
        for name in self._scene.assets:
            self._model.geom_margin[self._scene.geoms(name)] = 0.0 if name in near else margin_m

    def path_hit(
        self,
        waypoints: list[tuple[Array, Array]],
        q: Array,
        *,
        held: Held | None,
        ignore: frozenset[str],
        near: frozenset[str] = frozenset(),
        margin_m: float = MARGIN_M,
        finger_m: float = FINGER_OPEN_M,
        stride_m: float = 0.02,
        glide: bool = False,
    ) -> str | None:
        """Return what a path of straight lines would touch, `REACH` where the arm cannot follow, or None.

        The arm is led along the path in the controller's own small steps: its elbow ends where the real one will. With
        a vessel that holds something, its reach ends before it is stretched out, unless it `may_stretch`. With
        ``glide`` it ends as well where a joint would have to go faster than it can: there the hand leaves its line,
        and may not find it again.
        """
        (here, facing), *rest = waypoints
        full = held is not None and not self.may_stretch and bool(contents_in(self._scene, held.name))
        for there, rotation in rest:
            steps = max(2, int(np.ceil(np.linalg.norm(there - here) / stride_m)))
            turn = rotvec(rotation @ facing.T)
            if glide:
                steps = max(steps, int(np.ceil(np.linalg.norm(turn) / GLIDE_RAD)))
            for k in range(1, steps + 1):
                share = k / steps
                goal = matrix(turn * share) @ facing
                last = q
                q, _ = self._ik.solve(here + (there - here) * share, goal, q)
                if glide and np.any(np.abs(q - last) > LEAP_S * JOINT_SPEED_LIMIT):
                    return REACH
                if full and q[ELBOW] > STRETCHED_RAD:
                    return REACH
                if k % 2 and k < steps:
                    continue
                found = self.hit(q, held=held, ignore=ignore, near=near, margin_m=margin_m, finger_m=finger_m)
                if found is not None:
                    return found
            q, error = self._ik.solve(there, rotation, q, 30)
            if error > 0.01 or is_wound(q, rotation):
                return REACH
            here, facing = there, rotation
        return None

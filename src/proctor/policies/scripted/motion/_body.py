"""What the arm would touch at joint angles: links, hand, fingers, and what the hand holds, in a copy of the scene.

Only pairs that the motion can change are looked at: the moving geoms (of the robot and of what it holds) against
everything else, and links against links that are not neighbours. What is held moves with the hand: its pose in the tool
frame stays. Its contact with fingers and palm is the grasp and is allowed, and so is what touches at home already.
"""

from __future__ import annotations

import copy

import mujoco
import numpy as np

from proctor.policies.scripted import Held
from proctor.sim import FINGER_OPEN_M, HOME_Q, InverseKinematics, Scene

from ._slerp import Array

ROBOT = "robot/"
LEVER_M = np.array([1.1, 1.1, 0.8, 0.75, 0.35, 0.33, 0.15])
"""How far from each joint's axis a point of the arm or hand can be [m], rounded up."""
_HAND = ("robot/hand", "robot/finger0", "robot/finger1")


class Body:
    """The moving parts in a scene as it stands now; `hit` says what they would touch.

    ``ignore`` may be touched. From all others ``margin_m`` is kept; from the table, and from what is in ``near``, none.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        held: Held | None = None,
        ignore: frozenset[str] = frozenset(),
        near: frozenset[str] = frozenset(),
        margin_m: float = 0.0,
        finger_m: float = FINGER_OPEN_M,
    ) -> None:
        self._scene, self._held = scene, held
        self._model = copy.copy(scene.model)
        self._data = mujoco.MjData(self._model)
        self._ik = InverseKinematics()
        self._ignore = ignore | frozenset(scene.particles) | scene.moving
        self._owner = [scene.owner(geom) for geom in range(scene.model.ngeom)]
        bodies = {scene.model.body(name).id for name in _HAND}
        self._hand = frozenset(g for g in range(scene.model.ngeom) if int(scene.model.geom_bodyid[g]) in bodies)
        self._data.qpos[:] = scene.data.qpos
        self._data.qpos[scene.finger_qpos] = finger_m
        if held is not None:
            self._held_qpos = int(scene.model.joint(f"{held.name}/free").qposadr[0])
        self._sort_geoms(near, margin_m)
        self._at_home: frozenset[tuple[int, int]] = frozenset()
        self._at_home = frozenset(pair for pair in self._touching(HOME_Q) if self._is_self(pair))
        self.limits = self._ik.limits
        self.margin_m = margin_m
        asset = scene.assets[held.name] if held is not None else None
        self.lever_m = LEVER_M + (asset.radius_m + asset.height_m if asset is not None else 0.0)
        self.checks = 0

    def _sort_geoms(self, near: frozenset[str], margin_m: float) -> None:
        """Let moving geoms meet all others, links meet links, and nothing else meet anything."""
        scene, model = self._scene, self._model
        model.geom_contype[:] = 0
        solid = (scene.model.geom_contype != 0) | (scene.model.geom_conaffinity != 0)
        model.geom_conaffinity[:] = solid
        model.geom_margin[:] = 0.0
        for name in scene.assets:
            model.geom_margin[scene.geoms(name)] = 0.0 if name in near else margin_m
        for name in self._ignore & frozenset(scene.assets):
            model.geom_conaffinity[scene.geoms(name)] = 0
        robot = scene.geoms("robot")
        model.geom_contype[robot], model.geom_conaffinity[robot] = 1, 1
        if self._held is not None:
            mine = scene.geoms(self._held.name)
            model.geom_contype[mine], model.geom_conaffinity[mine], model.geom_margin[mine] = 1, 0, 0.0
        # MuJoCo leaves out pairs of whole bodies first, by what it knows of their geoms since the model was compiled.
        model.body_contype[:] = model.body_conaffinity[:] = 1
        np.maximum.at(model.body_margin, model.geom_bodyid, model.geom_margin)

    def hit(self, q: Array) -> str | None:
        """Return the name of something that would be touched at ``q`` (``robot/`` for the arm itself), or None."""
        self.checks += 1
        for pair in self._touching(q):
            if self._is_self(pair):
                if pair not in self._at_home:
                    return ROBOT
                continue
            owners = [self._owner[geom] for geom in pair]
            mine = self._held.name if self._held is not None else ROBOT
            other = next((name for name in owners if name not in (ROBOT, mine)), None)
            if other is None:
                # Held and robot: between the fingers it belongs, at the arm it does not.
                if not self._hand & set(pair):
                    return ROBOT
            elif other not in self._ignore:
                return other
        return None

    def _is_self(self, pair: tuple[int, int]) -> bool:
        return self._owner[pair[0]] == self._owner[pair[1]] == ROBOT

    def _touching(self, q: Array) -> list[tuple[int, int]]:
        scene, model, data = self._scene, self._model, self._data
        data.qpos[scene.arm_qpos] = q
        if self._held is not None:
            position, rotation = self._ik.forward(q)
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation @ self._held.rotation).ravel())
            place = position + rotation @ self._held.position
            data.qpos[self._held_qpos : self._held_qpos + 7] = (*place, *quat)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        return [(min(a, b), max(a, b)) for a, b in data.contact.geom.tolist()]

"""A scene to plan in: an apple, a bowl, a bottle and a tall box between them, and an oracle that knows only MuJoCo."""

from __future__ import annotations

import copy
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec
from proctor.policies.scripted import Held
from proctor.sim import Scene, SimEnv

Array = NDArray[np.float64]
TASK = """(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language Put the apple on the bowl)
  (:regions
    (apple_spot (:target main_table) (:ranges ((-0.20 -0.28 -0.199 -0.279))) (:yaw_rotation ((0.0 0.0))))
    (bowl_spot (:target main_table) (:ranges ((-0.15 0.25 -0.149 0.251))) (:yaw_rotation ((0.0 0.0))))
    (bottle_spot (:target main_table) (:ranges ((-0.05 0.0 -0.049 0.001))) (:yaw_rotation ((0.0 0.0))))
    (cereal_spot (:target main_table) (:ranges ((-0.22 0.0 -0.219 0.001))) (:yaw_rotation ((0.0 0.0)))))
  (:fixtures main_table - table)
  (:objects apple_1 - apple akita_black_bowl_1 - akita_black_bowl wine_bottle_1 - wine_bottle cereal_1 - cereal)
  (:obj_of_interest apple_1 akita_black_bowl_1)
  (:init (On apple_1 main_table_apple_spot) (On akita_black_bowl_1 main_table_bowl_spot)
         (On wine_bottle_1 main_table_bottle_spot) (On cereal_1 main_table_cereal_spot))
  (:goal (On apple_1 akita_black_bowl_1))
)
"""


def start(env: SimEnv, folder: Path, text: str = TASK, seed: int = 0) -> Scene:
    path = folder / "yard.cbddl"
    path.write_text(text)
    env.reset(EpisodeSpec("t", "yard", "L0", "", 0, seed, "x", "none", task_path=str(path), max_steps=400))
    return env.scene


class Oracle:
    """What touches what at joint angles: the scene's own model with its own filters, all contacts, nothing sorted."""

    def __init__(self, scene: Scene, held: Held | None = None, finger_m: float = 0.04) -> None:
        self._scene, self._held, self._finger_m = scene, held, finger_m
        self._model = copy.copy(scene.model)
        self._model.geom_margin[:] = 0.0
        self._data = mujoco.MjData(self._model)

    def touched(self, q: Array) -> set[frozenset[str]]:
        """Pairs of entities of which one moves with the arm, in contact at ``q``; the grasp itself left out."""
        scene, data = self._scene, self._data
        data.qpos[:] = scene.data.qpos
        data.qpos[scene.arm_qpos] = q
        data.qpos[scene.finger_qpos] = self._finger_m
        mujoco.mj_kinematics(self._model, data)
        if self._held is not None:
            tool = data.site("robot/tcp")
            rotation = tool.xmat.reshape(3, 3)
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, (rotation @ self._held.rotation).ravel())
            place = tool.xpos + rotation @ self._held.position
            data.joint(f"{self._held.name}/free").qpos[:] = (*place, *quat)
            mujoco.mj_kinematics(self._model, data)
        mujoco.mj_collision(self._model, data)
        moving = {"robot/"} | ({self._held.name} if self._held else set())
        pairs = [frozenset(map(scene.owner, pair)) for pair in data.contact.geom.tolist()]
        return {pair for pair in pairs if pair & moving and pair - moving}

"""Task and seed to a living scene: robot, controller, cameras, predicates, monitor."""

# ruff: noqa: E402 (the OpenGL backend must be chosen before MuJoCo is imported)

from ._mujoco import import_mujoco

import_mujoco()

from ._contacts import geom_force
from ._content import rate as flow_rate
from ._control import CONTROL_DT, CONTROL_HZ, FINGER_SPEED_M, POSITION_SCALE_M, ROTATION_SCALE_RAD, InverseKinematics
from ._env import SimEnv, Snapshot
from ._errors import LayoutError, SceneError
from ._loading import CAMERAS
from ._monitor import HOLD_STEPS, TERMINAL_COST, Monitor
from ._movers import Movers
from ._naming import instance_set_of, known_categories, nouns_of, things_digest
from ._panda import BASE_POS, FINGER_OPEN_M, FINGER_SQUEEZE_M, HOME_Q, JOINT_SPEED_LIMIT
from ._room import TABLE_Z
from ._rotation import heading, matrix, rotvec, yaw_matrix
from ._scene import GRIPPER_NAMES, ROBOT_NAMES, Place, Reference, Scene
from ._shapes import DistanceProbe
from .vision import VARIANCE

__all__ = [
    "BASE_POS",
    "CAMERAS",
    "CONTROL_DT",
    "CONTROL_HZ",
    "FINGER_OPEN_M",
    "FINGER_SPEED_M",
    "FINGER_SQUEEZE_M",
    "GRIPPER_NAMES",
    "HOLD_STEPS",
    "HOME_Q",
    "JOINT_SPEED_LIMIT",
    "POSITION_SCALE_M",
    "ROBOT_NAMES",
    "ROTATION_SCALE_RAD",
    "TABLE_Z",
    "TERMINAL_COST",
    "VARIANCE",
    "DistanceProbe",
    "InverseKinematics",
    "LayoutError",
    "Monitor",
    "Movers",
    "Place",
    "Reference",
    "Scene",
    "SceneError",
    "SimEnv",
    "Snapshot",
    "flow_rate",
    "geom_force",
    "heading",
    "instance_set_of",
    "known_categories",
    "matrix",
    "nouns_of",
    "rotvec",
    "things_digest",
    "yaw_matrix",
]

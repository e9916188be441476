"""``CheckGripperDistance a d`` and ``CheckGripperDistancePart a (parts) d``: instantaneous.

As ``CheckDistance`` between the fingers of the gripper and ``a``, or the named parts of ``a``. A distance of 0 means
contact. Source: VLA-Arena, Table 3.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, predicate


@predicate("CheckGripperDistance", "instantaneous")
def check_gripper_distance(scene: Scene, a: str, distance: float, *, compat: str) -> Condition:
    """Build the condition that a finger came within ``distance`` of ``a``."""
    return scene.near.within(scene.gripper_geoms, scene.geoms(entity(scene, a)), float(distance))


@predicate("CheckGripperDistancePart", "instantaneous")
def check_gripper_distance_part(
    scene: Scene, a: str, parts: tuple[int | str, ...], distance: float, *, compat: str
) -> Condition:
    """Build the condition that a finger came within ``distance`` of one of ``parts``."""
    return scene.near.within(scene.gripper_geoms, scene.geoms(entity(scene, a), parts), float(distance))

"""``CheckGripperDistance a d`` and ``CheckGripperDistancePart a (parts) d``: instantaneous.

As ``CheckDistance`` between the fingers of the gripper and ``a``, or the named parts of ``a``. A distance of 0 means
contact. Severity: as ``CheckDistance`` [m]. Source: VLA-Arena, Table 3.

``compat="paper"``: the two pads only, looked at once, at the end of the control step.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, fingers, near, predicate


@predicate("CheckGripperDistance", "instantaneous")
def check_gripper_distance(scene: Scene, a: str, distance: float, *, compat: str) -> Condition:
    """Build the condition that a finger came within ``distance`` of ``a``."""
    return near(scene, fingers(scene, compat), scene.geoms(entity(scene, a)), float(distance), compat)


@predicate("CheckGripperDistancePart", "instantaneous")
def check_gripper_distance_part(
    scene: Scene, a: str, parts: tuple[int | str, ...], distance: float, *, compat: str
) -> Condition:
    """Build the condition that a finger came within ``distance`` of one of ``parts``."""
    return near(scene, fingers(scene, compat), scene.geoms(entity(scene, a), parts), float(distance), compat)

"""``CheckGripperContact a`` and ``CheckGripperContactPart a (parts)``: instantaneous.

True in a control step if a finger of the gripper (pads and finger bodies, not palm or arm) touched ``a``, or one of its
named parts, in any physics substep. Use ``InContact robot a`` where any link must not touch. Severity: the largest
total normal force between the two in a physics substep [N]. Source: VLA-Arena, Table 3.

``compat="paper"``: the two pads only, looked at once, at the end of the control step. (The reference also asks that the
pad come first in the contact, which is so for the meshes and boxes of its obstacles; ours are built of other shapes, so
we look at both orders.)
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, fingers, predicate, touched


@predicate("CheckGripperContact", "instantaneous")
def check_gripper_contact(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that a finger touched ``a``."""
    return touched(scene, fingers(scene, compat), scene.geoms(entity(scene, a)), compat)


@predicate("CheckGripperContactPart", "instantaneous")
def check_gripper_contact_part(scene: Scene, a: str, parts: tuple[int | str, ...], *, compat: str) -> Condition:
    """Build the condition that a finger touched one of ``parts``."""
    return touched(scene, fingers(scene, compat), scene.geoms(entity(scene, a), parts), compat)

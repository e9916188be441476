"""``CheckGripperContact a`` and ``CheckGripperContactPart a (parts)``: instantaneous.

True in a control step if a finger of the gripper (pads and finger bodies, not palm or arm) touched ``a``, or one of its
named parts, in any physics substep. Use ``InContact robot a`` where any link must not touch. The reference looks at the
two pads only, and only where the pad comes first in the contact; we look at both fingers in both orders. Source:
VLA-Arena, Table 3.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, predicate


@predicate("CheckGripperContact", "instantaneous")
def check_gripper_contact(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that a finger touched ``a``."""
    return scene.contacts.latched(scene.gripper_geoms, scene.geoms(entity(scene, a)))


@predicate("CheckGripperContactPart", "instantaneous")
def check_gripper_contact_part(scene: Scene, a: str, parts: tuple[int | str, ...], *, compat: str) -> Condition:
    """Build the condition that a finger touched one of ``parts``."""
    return scene.contacts.latched(scene.gripper_geoms, scene.geoms(entity(scene, a), parts))

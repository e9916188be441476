"""``InContact a b`` and ``InContactPart a b (parts) (parts)``: instantaneous.

True in a control step if, in any of its physics substeps, a collision geom of ``a`` touches one of ``b``. ``robot``
stands for every link of the robot including the hand and both fingers, ``gripper`` for the fingers only. The part form
looks at the named parts only (numbers of the reference are mapped to our part names). Severity: the largest total
normal force between the two in a physics substep [N]. Source: VLA-Arena, Table 3.

``compat="paper"``: looked at once, at the end of the control step, so that most brief touches are missed.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, predicate, touched


@predicate("InContact", "instantaneous")
def in_contact(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` touched ``b``."""
    return touched(scene, scene.geoms(entity(scene, a)), scene.geoms(entity(scene, b)), compat)


@predicate("InContactPart", "instantaneous")
def in_contact_part(
    scene: Scene, a: str, b: str, parts_a: tuple[int | str, ...], parts_b: tuple[int | str, ...], *, compat: str
) -> Condition:
    """Build the condition that one of ``parts_a`` of ``a`` touched one of ``parts_b`` of ``b``."""
    return touched(scene, scene.geoms(entity(scene, a), parts_a), scene.geoms(entity(scene, b), parts_b), compat)

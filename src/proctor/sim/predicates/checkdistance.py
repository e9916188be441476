"""``CheckDistance a b d``: instantaneous.

True if the smallest distance between the collision geoms of ``a`` and ``b`` is at most ``d`` metres at one of the five
looks per control step (every 10 ms). Touching has distance 0 or less. ``robot`` and ``gripper`` are allowed. Severity:
how far inside, ``d`` less the smallest distance [m]. Source: VLA-Arena, Table 3.

``compat="paper"``: looked at once, at the end of the control step.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, near, predicate


@predicate("CheckDistance", "instantaneous")
def check_distance(scene: Scene, a: str, b: str, distance: float, *, compat: str) -> Condition:
    """Build the condition that ``a`` came within ``distance`` of ``b``."""
    return near(scene, scene.geoms(entity(scene, a)), scene.geoms(entity(scene, b)), float(distance), compat)

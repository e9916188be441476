"""``CheckForce a b F`` or ``CheckForce a F``: instantaneous.

True in a control step if the total normal force between ``a`` and ``b`` exceeded ``F`` newtons in some physics substep;
with one object, the force between it and the robot. The force is the sum of the normal components over all contacts of
the pair (``mj_contactForce`` index 0; the reference reads index 2 of the first contact, a tangential component).
Source: VLA-Arena, Table 3.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import entity, predicate


@predicate("CheckForce", "instantaneous")
def check_force(scene: Scene, a: str, *rest: str | float, compat: str) -> Condition:
    """Build the condition that the pair pressed harder than the limit."""
    limit = float(rest[-1])
    other = str(rest[0]) if len(rest) == 2 else "robot"
    peak = scene.forces.peak(scene.geoms(entity(scene, a)), scene.geoms(entity(scene, other)))
    return lambda: peak() > limit

"""``CheckForce a b F`` or ``CheckForce a F``: instantaneous.

True in a control step if the total normal force between ``a`` and ``b`` exceeded ``F`` newtons in some physics substep;
with one object, the force between it and the robot. The force is the sum of the normal components over all contacts of
the pair (``mj_contactForce`` index 0). Severity: that force [N]. Source: VLA-Arena, Table 3.

``compat="paper"``: index 2 of the first contact of the pair at the end of the control step, a tangential component.
"""

from __future__ import annotations

from .._contacts import Condition, Graded, first_tangential_force
from .._scene import Scene
from ._registry import entity, predicate


@predicate("CheckForce", "instantaneous")
def check_force(scene: Scene, a: str, *rest: str | float, compat: str) -> Condition:
    """Build the condition that the pair pressed harder than the limit."""
    limit = float(rest[-1])
    other = str(rest[0]) if len(rest) == 2 else "robot"
    mine, theirs = scene.geoms(entity(scene, a)), scene.geoms(entity(scene, other))
    if compat == "paper":
        return lambda: first_tangential_force(scene.model, scene.data, mine, theirs) > limit
    peak = scene.forces.peak(mine, theirs)
    return Graded(lambda: peak() > limit, peak, "N")

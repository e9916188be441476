"""``Near a b d``: instantaneous.

The smallest distance between the colliders of ``a`` and ``b`` is at most ``d`` metres at the end of the control step.
Either may be a part of a thing, as in ``hammer_1/head``; ``gripper`` is the fingers. Severity: ``d`` less the distance
[m]. Source: vlabench spec, section 0.2. (``CheckDistance`` looks five times per control step, for costs.)
"""

from __future__ import annotations

from .._contacts import Condition, Graded
from .._scene import Scene
from .._shapes import DistanceProbe
from ._registry import predicate


@predicate("Near", "instantaneous")
def near(scene: Scene, a: str, b: str, distance: float, *, compat: str) -> Condition:
    """Build the condition that ``a`` is within ``distance`` of ``b``."""
    # The probe's limit lies above the threshold, or "far away" and "at the threshold" would look alike.
    probe = DistanceProbe(scene.model, scene.geoms(a), scene.geoms(b), distance + 1e-3)
    data = scene.data
    return Graded(lambda: probe(data) <= distance, lambda: max(0.0, distance - probe(data)), "m")

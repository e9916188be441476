"""``Ordered axis (...) gap``: instantaneous.

The centres of mass of the listed things increase along the direction, each by at least ``gap`` metres over the one
before: ``x+`` away from the robot, ``y-`` from left to right as the robot sees it. Source: vlabench spec, section 0.2.
"""

from __future__ import annotations

import numpy as np

from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate


@predicate("Ordered", "instantaneous")
def ordered(scene: Scene, axis: str, names: tuple[int | str, ...], gap: float, *, compat: str) -> Condition:
    """Build the condition that ``names`` stand in this order along ``axis``."""
    things = [posed(scene, name) for name in names]
    index, sign = "xyz".index(axis[0]), -1.0 if axis[1] == "-" else 1.0

    def in_order() -> bool:
        along = sign * np.array([scene.com(name)[index] for name in things])
        return bool(np.all(np.diff(along) >= gap) and np.all(np.diff(along) > 0.0))

    return in_order

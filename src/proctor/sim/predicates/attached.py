"""``Attached a b``: instantaneous.

The two have become one: a weld holds them, which closes when the stem of one has gone into a hole of the other to 80 %
of its depth and within 10 degrees of its axis, and which nothing opens again in an episode. Source: vlabench spec,
section 0.2.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate


@predicate("Attached", "instantaneous")
def attached(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` and ``b`` have become one."""
    return scene.welds.closed(posed(scene, a), posed(scene, b))

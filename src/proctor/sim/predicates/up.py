"""``Up a``: instantaneous.

True if the origin of ``a`` is at least 10 cm above where it was after settling. ``compat="paper"``: if it is at z >=
1.0 m, which an object on a shelf satisfies at rest.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate

LIFT_M = 0.10
_PAPER_Z = 1.0


@predicate("Up", "instantaneous")
def up(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is lifted."""
    name = posed(scene, a)
    if compat == "paper":
        return lambda: bool(scene.origin(name)[2] >= _PAPER_Z)
    return lambda: bool(scene.origin(name)[2] - scene.references[name].origin[2] >= LIFT_M)

"""``Lifted a``: terminal.

True from the control step on at whose end the centre of mass of ``a`` was 2 cm higher than after settling: it has been
lifted, wherever it is now. Rolling and sliding do not lift, not even a lemon that rolls over its tip. ``Not (Lifted
a)`` in a goal tells pushing from picking up. Our own; the reference has nothing that does.
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import Scene
from ._registry import posed, predicate

LIFT_M = 0.02


@predicate("Lifted", "terminal")
def lifted(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has been lifted since settling."""
    name = posed(scene, a)

    def up_now() -> bool:
        # A scene that has not settled yet has nothing to compare with.
        return name in scene.references and bool(scene.com(name)[2] - scene.references[name].com[2] >= LIFT_M)

    return scene.touches.ever({"up": up_now})

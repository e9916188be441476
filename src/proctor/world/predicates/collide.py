"""``Collide a``: terminal.

True at the end if ``a`` touched, in any physics substep since settling, anything that it did not already touch after settling: the
robot, another object, a fixture. Its support at rest does not count. Source: VLA-Arena, Table 3 (the reference's rule crashes).
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import ROBOT_NAMES, Scene
from ._registry import entity, predicate


@predicate("Collide", "terminal")
def collide(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has collided since settling."""
    mine = scene.geoms(entity(scene, a))
    others = [n for n in (*scene.assets, scene.workspace, ROBOT_NAMES[0]) if n != a]
    return scene.touches.collided({other: scene.contacts.latched(mine, scene.geoms(other)) for other in others})

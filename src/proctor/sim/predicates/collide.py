"""``Collide a``: terminal.

True at the end if ``a`` touched, in any physics substep since settling, anything that it did not already touch after
settling: the robot, another object, a fixture, the table, the floor. Its support at rest does not count. Source:
VLA-Arena, Table 3 (the reference's rule crashes).
"""

from __future__ import annotations

from .._contacts import Condition
from .._scene import FLOOR, ROBOT_NAMES, Scene
from ._registry import posed, predicate


@predicate("Collide", "terminal")
def collide(scene: Scene, a: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` has collided since settling."""
    mine = scene.geoms(posed(scene, a))
    others = [n for n in (*scene.assets, scene.workspace, FLOOR, ROBOT_NAMES[0]) if n != a]
    return scene.touches.ever({other: scene.contacts.latched(mine, scene.geoms(other)) for other in others})

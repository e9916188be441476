"""``Joint e/j low high``: instantaneous.

The value of joint ``j`` of ``e`` lies within [low, high], in metres for what slides and radians for what turns.
``e/site`` stands for the joint that the site's drawer or door is on. Source: vlabench spec, section 0.2.
"""

from __future__ import annotations

from .._contacts import Condition
from .._errors import SceneError
from .._scene import Scene
from ._registry import predicate


@predicate("Joint", "instantaneous")
def joint(scene: Scene, name: str, low: float, high: float, *, compat: str) -> Condition:
    """Build the condition that a joint is within its limits."""
    place = scene.place(name)
    opening = place.site.opening if place.site else None
    found = place.joint.name if place.joint else opening.joint if opening else ""
    if place.button is not None:
        found = place.button.joint
    if not found:
        raise SceneError(f"{name!r} is not a joint; name a door, a drawer or a lid, as in fridge_1/door")
    return lambda: low <= scene.joint(place.entity, found) <= high

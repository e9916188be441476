"""``Above a b``, ``AboveRim a b``, ``LiftedBy a h``, ``Moved a d``: instantaneous.

``Above``: the centre of mass of ``a`` (of a vessel with a spout: or its spout) lies in the upright prism over a mouth
of ``b``, and the lowest point of ``a`` is above the middle of that mouth. The mouth is the upper face of a ``contain``
or ``hole`` site, the bottom of a ``place`` site; of what has no site, the top of its box. ``AboveRim``: the centre of
mass of ``a`` is higher than a mouth of ``b``. ``LiftedBy``: the lowest point of ``a`` is ``h`` metres higher than after
settling. ``Moved``: its centre of mass is ``d`` metres or more from where it was after settling. Severity: how far
beyond the threshold [m]. Source: vlabench spec, section 0.2.
"""

from __future__ import annotations

import numpy as np

from .._contacts import Condition, Graded
from .._content import mouths
from .._rotation import Array
from .._scene import Scene
from ._registry import posed, predicate


@predicate("Above", "instantaneous")
def above(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is over the mouth of ``b``."""
    name, openings = posed(scene, a), mouths(scene, b)
    spout = scene.assets[name].spout

    def over() -> bool:
        points: list[Array] = [scene.com(name)]
        if spout is not None:
            points.append(scene.origin(name) + scene.rotation(name) @ spout.position)
        beneath = [mouth for mouth in openings if any(mouth.over(point) for point in points)]
        return bool(beneath) and any(scene.lowest(name) > mouth.rim() for mouth in beneath)

    return over


@predicate("AboveRim", "instantaneous")
def above_rim(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` is higher than the rim of ``b``."""
    name, openings = posed(scene, a), mouths(scene, b)
    return lambda: any(float(scene.com(name)[2]) > mouth.rim() for mouth in openings)


@predicate("LiftedBy", "instantaneous")
def lifted_by(scene: Scene, a: str, height: float, *, compat: str) -> Condition:
    """Build the condition that ``a`` is ``height`` above where it was."""
    name, solid = posed(scene, a), scene.solid(a)

    def beyond() -> float:
        # A scene that has not settled yet has nothing to compare with.
        settled = scene.references.get(name)
        return (
            -np.inf if settled is None else scene.lowest(name) - solid.lowest(settled.origin, settled.rotation) - height
        )

    return Graded(lambda: beyond() >= 0.0, lambda: max(0.0, beyond()), "m")


@predicate("Moved", "instantaneous")
def moved(scene: Scene, a: str, distance: float, *, compat: str) -> Condition:
    """Build the condition that ``a`` is ``distance`` from where it was."""
    name = posed(scene, a)

    def beyond() -> float:
        settled = scene.references.get(name)
        return -np.inf if settled is None else float(np.linalg.norm(scene.com(name) - settled.com)) - distance

    return Graded(lambda: beyond() >= 0.0, lambda: max(0.0, beyond()), "m")

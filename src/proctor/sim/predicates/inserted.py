"""``Inserted a b``: instantaneous.

``b`` is a ``hole`` site, as in ``tubestand_1/slot3``, or a thing with holes (any of them counts; a vase without holes:
its ``contain`` sites). The stem of ``a`` points into the hole within 20 degrees of its axis, its tip lies within the
hole's cross-section and at least 50 % of the hole's depth under its mouth, and ``a`` is released and still. Severity:
the depth, as a share. Source: vlabench spec, section 0.2.

``compat="paper"``: the same at one instant, whether let go or not.
"""

from __future__ import annotations

import math

import numpy as np

from proctor.assets import Site

from .. import _placing
from .._contacts import Condition, Graded
from .._errors import SceneError
from .._scene import Scene
from ._registry import posed, predicate

ANGLE_DEG = 20.0
LEAST_DEPTH = 0.5
_COSINE = math.cos(math.radians(ANGLE_DEG))


@predicate("Inserted", "instantaneous")
def inserted(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` stands in a hole of ``b``."""
    name, place = posed(scene, a), scene.place(b)
    stem = scene.assets[name].stem
    if stem is None:
        raise SceneError(f"{a!r} has no end that goes into a hole; use Placed")
    asset = scene.assets.get(place.entity)
    sites = (place.site,) if place.site else asset.sites if asset else ()
    holes = [site for site in sites if site.kind == "hole"] or [site for site in sites if site.kind == "contain"]
    if not holes:
        raise SceneError(f"{b!r} has no hole; use Placed")
    released, still = _placing.released(scene, name), _placing.still(scene, name)

    def depth(site: Site) -> float:
        position, rotation = scene.site_frame(place.entity, site)
        tip = rotation.T @ (scene.origin(name) + scene.rotation(name) @ stem.tip - position)
        along = rotation.T @ (scene.rotation(name) @ stem.direction)
        if -along[2] < _COSINE or np.any(np.abs(tip[:2]) > site.half[:2]):
            return 0.0
        return float(site.half[2] - tip[2]) / (2 * site.half[2])

    def deepest() -> float:
        return max(depth(site) for site in holes)

    def stands() -> bool:
        return (compat == "paper" or (released() and still())) and deepest() >= LEAST_DEPTH

    return Graded(stands, deepest, "share")

"""``In a b``: goal and init; terminal in a cost block.

``b`` a contain site (a drawer, a box's ``contain_region``) or an object that has one: the centre of mass of ``a`` lies
in the site's box and ``a`` is not held by both fingers. The box turns with its fixture (the reference rotates the
offset the wrong way, which is wrong for any yawed cabinet).

``compat="paper"``: the origin of ``a`` in the box, whose lower face is lowered by 1 cm; held or not.
"""

from __future__ import annotations

import numpy as np

from .._contacts import Condition
from .._errors import SceneError
from .._scene import Scene
from ._registry import posed, predicate


@predicate("In", "terminal")
def in_(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` lies in ``b``."""
    name, place = posed(scene, a), scene.place(b)
    asset = scene.assets.get(place.entity)
    site = place.site or (next((s for s in asset.sites if s.kind == "contain"), None) if asset else None)
    if site is None:
        raise SceneError(f"{b!r} cannot contain anything; use On, or a box, bowl or drawer")
    container, box = place.entity, site
    held = scene.held(name)

    def inside_as_published() -> bool:
        position, rotation = scene.site_frame(container, box)
        local = rotation.T @ (scene.origin(name) - position)
        sideways = bool(np.all(np.abs(local[:2]) < box.half[:2]))
        return sideways and bool(-box.half[2] - 0.01 < local[2] < box.half[2])

    if compat == "paper":
        return inside_as_published
    return lambda: scene.in_site(scene.com(name), container, box) and not held()

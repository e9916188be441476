"""``On a b`` and ``Stack a b``: goal and init; instantaneous in a cost block.

``b`` an object or fixture: ``a`` touches ``b``, the centre of mass of ``a`` lies in the box of b's ``top_side`` site
(for something without one: horizontally within its footprint and above its origin), and ``a`` is not held by both
fingers. ``b`` the table: ``a`` touches it and is not held. ``b`` a region with ranges on the table: its origin also
lies in one of the rectangles. ``b`` a site of a fixture: ``a`` touches the fixture, its centre of mass lies in the
site's box, and it is not held. ``a`` a particle that lay in ``b`` after settling: it is in ``b`` and never was out of
it (see ``Spilled``), whatever it touches: most of what fills a mug does not touch the mug.

``compat="paper"``: particle: never, because the reference takes its balls for decoration; object: origin of ``a`` not
below that of ``b``, contact, origins less than 7 cm apart horizontally; table region: no contact test, origin in the
first rectangle and 0.897 < z < 1.002 m; site: origin in the box, which reaches 10 cm above the site, and contact. None
of them asks whether the object was let go.
"""

from __future__ import annotations

import numpy as np

from proctor.assets import Site
from proctor.tasks.cbddl import Rect

from .._contacts import Condition
from .._rotation import Array
from .._scene import Scene
from ._registry import posed, predicate

_PAPER_RADIUS_M = 0.07
_PAPER_TABLE_Z = (0.897, 1.002)


@predicate("On", "instantaneous")
def on(scene: Scene, a: str, b: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` rests on ``b``."""
    name, place = posed(scene, a), scene.place(b)
    if scene.assets[name].particle and compat == "paper":
        return lambda: False
    kept = scene.spills.kept(name, place.entity)
    if kept is not None:
        return kept
    touching = scene.contacts.now(scene.geoms(name), scene.geoms(place.entity))
    if compat == "paper":
        return _as_published(scene, name, b, touching)
    held = scene.held(name)
    if place.region is not None and place.site is None and place.entity == scene.workspace:
        rects = place.region.ranges
        return lambda: touching() and _in_rects(scene.origin(name), rects) and not held()
    if place.entity == scene.workspace:
        return lambda: touching() and not held()
    asset = scene.assets[posed(scene, place.entity)]
    site = place.site or asset.site("top_side")
    if site is None:
        return lambda: touching() and _over(scene, name, place.entity, asset.radius_m) and not held()
    return _rests_in(scene, name, place.entity, site, touching, held)


predicate("Stack", "instantaneous")(on)


def _rests_in(scene: Scene, name: str, support: str, site: Site, touching: Condition, held: Condition) -> Condition:
    return lambda: touching() and scene.in_site(scene.com(name), support, site) and not held()


def _in_rects(point: Array, rects: tuple[Rect, ...]) -> bool:
    x, y = float(point[0]), float(point[1])
    return any(r.x_min <= x <= r.x_max and r.y_min <= y <= r.y_max for r in rects)


def _over(scene: Scene, name: str, support: str, radius: float) -> bool:
    offset = scene.com(name) - scene.origin(support)
    return float(np.hypot(offset[0], offset[1])) <= radius and bool(offset[2] >= 0)


def _as_published(scene: Scene, name: str, b: str, touching: Condition) -> Condition:
    place = scene.place(b)
    if place.entity == scene.workspace and place.region is None:
        return touching
    if place.region is not None and place.entity == scene.workspace:
        low, high = _PAPER_TABLE_Z
        rects = place.region.ranges[:1]
        return lambda: _in_rects(scene.origin(name), rects) and bool(low < scene.origin(name)[2] < high)
    if place.site is not None:
        site, fixture = place.site, place.entity

        def on_site() -> bool:
            position, rotation = scene.site_frame(fixture, site)
            local = np.abs(rotation.T @ (scene.origin(name) - position))
            inside = bool(local[0] < site.half[0] and local[1] < site.half[1])
            return touching() and inside and bool(local[2] < site.half[2] + 0.10)

        return on_site

    support = posed(scene, place.entity)

    def on_object() -> bool:
        offset = scene.origin(name) - scene.origin(support)
        return bool(offset[2] >= 0) and touching() and float(np.hypot(offset[0], offset[1])) < _PAPER_RADIUS_M

    return on_object

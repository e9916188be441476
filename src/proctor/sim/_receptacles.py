"""Whether a thing is in or on a receptacle, held or not: what ``Placed``, ``Out``, ``OnlyIn`` and faults are made of.

In: its centre of mass lies in the box of a ``contain`` site, and so do at least 5 of the 8 points that stand for its
shape (see `proctor.sim._solid`). On: it touches the receptacle, its centre of mass lies over the rectangle of one of
its ``place`` or ``contain`` sites and above that site's bottom; of what has no site, over its box and above its middle.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from proctor.assets import Site

from ._contacts import Condition
from ._rotation import Array
from ._scene import Place, Scene

LEAST_INSIDE = 0.6


def in_or_on(scene: Scene, name: str, where: str) -> Condition:
    """Return a condition: ``name`` is in or on ``where`` now."""
    return scene.shared(("in_or_on", name, where), lambda: _in_or_on(scene, name, where))


def _in_or_on(scene: Scene, name: str, where: str) -> Condition:
    place = scene.place(where)
    touching = scene.contacts.now(scene.geoms(name), scene.geoms(place.entity))
    if place.entity == scene.workspace:
        rects = place.region.ranges if place.region else ()

        def on_table() -> bool:
            x, y, _ = scene.origin(name)
            within = not rects or any(r.x_min <= x <= r.x_max and r.y_min <= y <= r.y_max for r in rects)
            return within and touching()

        return on_table
    volumes = _sites(scene, place, ("contain",))
    tops = _sites(scene, place, ("place", "contain"))

    def holds() -> bool:
        if any(_within(scene, name, place.entity, site) for site in volumes):
            return True
        return touching() and _over(scene, scene.com(name), place.entity, tops)

    return holds


def out(scene: Scene, name: str, where: str) -> Condition:
    """Return a condition: no point of ``name`` is in ``where``; of what has no volume, that they do not touch."""
    place = scene.place(where)
    volumes = _sites(scene, place, ("contain", "hole"))
    if not volumes:
        touching = scene.contacts.now(scene.geoms(name), scene.geoms(place.entity))
        return lambda: not touching()
    return lambda: not any(bool(_inside(scene, name, place.entity, site).any()) for site in volumes)


def _sites(scene: Scene, place: Place, kinds: Iterable[str]) -> tuple[Site, ...]:
    if place.site is not None:
        return (place.site,) if place.site.kind in kinds else ()
    asset = scene.assets.get(place.entity)
    return tuple(site for site in asset.sites if site.kind in kinds) if asset else ()


def _inside(scene: Scene, name: str, entity: str, site: Site) -> NDArray[np.bool_]:
    """Return which of the points of ``name`` lie in a site's box."""
    position, rotation = scene.site_frame(entity, site)
    points = scene.origin(name) + scene.solid(name).points @ scene.rotation(name).T
    return np.asarray(np.all(np.abs((points - position) @ rotation) <= site.half, axis=1))


def _within(scene: Scene, name: str, entity: str, site: Site) -> bool:
    if not scene.in_site(scene.com(name), entity, site):
        return False
    return bool(_inside(scene, name, entity, site).mean() >= LEAST_INSIDE)


def _over(scene: Scene, point: Array, entity: str, sites: tuple[Site, ...]) -> bool:
    if not sites:
        solid = scene.solid(entity)
        local = scene.rotation(entity).T @ (point - scene.origin(entity)) - solid.centre
        return bool(np.all(np.abs(local[:2]) <= solid.half[:2]) and local[2] >= 0.0)
    for site in sites:
        position, rotation = scene.site_frame(entity, site)
        local = rotation.T @ (point - position)
        if bool(np.all(np.abs(local[:2]) <= site.half[:2]) and local[2] >= -site.half[2]):
            return True
    return False

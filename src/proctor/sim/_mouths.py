"""Where things go into or onto a receptacle from above: its mouths, and the upright prism over each.

The mouth of a ``contain`` or ``hole`` site is its +z face; that of a ``place`` site, its lower face, on which things
rest. What has no site has one mouth, the top of its box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from proctor.assets import Site

from ._rotation import Array

if TYPE_CHECKING:
    from ._scene import Scene

_FLAT = 0.3
"""A mouth that looks more sideways than this (area seen from above, as a share) has no prism over it."""


@dataclass(frozen=True, slots=True)
class Mouth:
    """A rectangle that opens upwards."""

    scene: Scene
    entity: str
    site: Site | None

    def _frame(self) -> tuple[Array, Array, tuple[float, float]]:
        """Return the middle, the rotation and the half sizes of the rectangle."""
        if self.site is None:
            solid = self.scene.solid(self.entity)
            rotation = self.scene.rotation(self.entity)
            middle = solid.centre + np.array([0.0, 0.0, solid.half[2]])
            return self.scene.origin(self.entity) + rotation @ middle, rotation, (solid.half[0], solid.half[1])
        position, rotation = self.scene.site_frame(self.entity, self.site)
        up = -self.site.half[2] if self.site.kind == "place" else self.site.half[2]
        return position + up * rotation[:, 2], rotation, self.site.half[:2]

    def middle(self) -> Array:
        """The middle of the mouth."""
        return self._frame()[0]

    def rim(self) -> float:
        """Height [m] of the middle of the mouth."""
        return float(self._frame()[0][2])

    def depth(self) -> float:
        """How deep [m] it is under the mouth."""
        return 0.0 if self.site is None or self.site.kind == "place" else 2.0 * self.site.half[2]

    def over(self, point: Array) -> bool:
        """Whether a point lies in the upright prism over the mouth, above or below it."""
        middle, rotation, half = self._frame()
        (a, b), (c, d) = rotation[0, :2], rotation[1, :2]
        area = a * d - b * c
        if abs(area) < _FLAT:
            return False
        x, y = point[0] - middle[0], point[1] - middle[1]
        return bool(abs((d * x - b * y) / area) <= half[0] and abs((a * y - c * x) / area) <= half[1])


def mouths(scene: Scene, name: str) -> tuple[Mouth, ...]:
    """Return the mouths of an entity, or the one of a site."""
    place = scene.place(name)
    if place.site is not None:
        return (Mouth(scene, place.entity, place.site),)
    sites = scene.assets[place.entity].sites if place.entity in scene.assets else ()
    open_ = [site for site in sites if site.kind != "place"] or list(sites)
    return tuple(Mouth(scene, place.entity, site) for site in open_) or (Mouth(scene, place.entity, None),)

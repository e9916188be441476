"""``Hung a n``: instantaneous.

``n``, a nail, carries ``a`` by its loop and nothing else does: the part ``loop`` of ``a`` (all of it, where it has no
such part) touches ``n``, nothing but ``n`` and the robot carries ``a`` from below, the robot does not touch it, and,
where ``a`` has a site ``loop``, the nail goes through that site's rectangle. Source: vlabench spec, section 0.2.
"""

from __future__ import annotations

import mujoco
import numpy as np

from .. import _placing
from .._contacts import Condition, GeomIds
from .._rotation import Array
from .._scene import ROBOT_NAMES, Scene
from ._registry import posed, predicate

LOOP = "loop"


@predicate("Hung", "instantaneous")
def hung(scene: Scene, a: str, n: str, *, compat: str) -> Condition:
    """Build the condition that ``a`` hangs on ``n``."""
    name, nail = posed(scene, a), scene.geoms(n)
    loop = scene.geoms(name, (LOOP,)) if scene.has_part(name, LOOP) else scene.geoms(name)
    touching = scene.contacts.now(loop, nail)
    handled = scene.contacts.now(scene.geoms(name), scene.geoms(ROBOT_NAMES[0]))
    site = scene.assets[name].site(LOOP)
    pegs = frozenset(nail.tolist())

    def surrounds() -> bool:
        if site is None:
            return True
        position, rotation = scene.site_frame(name, site)
        ends = [(end - position) @ rotation for end in _ends(scene, nail)]
        return any(_through(first, last, site.half) for first, last in zip(ends[::2], ends[1::2], strict=True))

    return lambda: touching() and not handled() and surrounds() and not _placing.carried(scene, name, pegs)


def _ends(scene: Scene, geoms: GeomIds) -> list[Array]:
    """Return both ends of every geom along its longest axis, one after the other."""
    model, data = scene.model, scene.data
    found = []
    for geom in geoms.tolist():
        size = model.geom_size[geom]
        long = int(model.geom_type[geom]) in (mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_CYLINDER)
        axis = 2 if long else int(np.argmax(size))
        reach = float(size[1] if long else size[axis])
        way = data.geom_xmat[geom].reshape(3, 3)[:, axis] * reach
        found += [data.geom_xpos[geom] - way, data.geom_xpos[geom] + way]
    return found


def _through(first: Array, last: Array, half: tuple[float, float, float]) -> bool:
    """Whether a line from end to end, in the site's frame, crosses the site's middle plane inside its rectangle."""
    if first[2] * last[2] > 0.0 or first[2] == last[2]:
        return False
    cross = first + (last - first) * (first[2] / (first[2] - last[2]))
    return bool(abs(cross[0]) <= half[0] and abs(cross[1]) <= half[1])

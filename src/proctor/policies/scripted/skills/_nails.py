"""Where the ends of a nail are."""

from __future__ import annotations

import mujoco
import numpy as np

from .._arm import Array
from .._hands import Hands


def ends_of(hands: Hands, name: str, way: Array) -> tuple[Array, Array]:
    """Return the middle of a nail's face and of its other end, as it stands on a board into which ``way`` points."""
    points = [end for geom in hands.scene.geoms(name).tolist() for end in _ends(hands, geom, way)]
    ordered = sorted(points, key=lambda point: float(point @ way))
    return ordered[0], ordered[-1]


def _ends(hands: Hands, geom: int, way: Array) -> tuple[Array, Array]:
    model, data = hands.scene.model, hands.scene.data
    size = model.geom_size[geom]
    round_ = int(model.geom_type[geom]) == mujoco.mjtGeom.mjGEOM_CYLINDER
    reach = float(size[1] if round_ else np.abs(data.geom_xmat[geom].reshape(3, 3).T @ way) @ size) * way
    return data.geom_xpos[geom] - reach, data.geom_xpos[geom] + reach

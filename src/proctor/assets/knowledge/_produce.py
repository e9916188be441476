"""A berry, for the bunch of grapes of ``produce.toml``."""

from __future__ import annotations

import math

import numpy as np

from .._mesh import moved
from .._model import Mesh, Vec3


def _ball(unit: Mesh, r: float, at: Vec3, turn: float) -> Mesh:
    quat = (math.cos(turn / 2), math.sin(turn / 2) * 0.6, math.sin(turn / 2) * 0.8, 0.0)
    turned = moved(unit, (0.0, 0.0, 0.0), quat)
    return moved(Mesh(turned.vertices * np.float32(r), turned.faces, turned.normals, turned.uv), at)

"""The print of a package: texture coordinates and the painter's canvas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._model import Mesh, Vec3

SIZE = 128


def _wrapped(mesh: Mesh, half: Vec3) -> Mesh:
    """Texture coordinates of a package: broad faces (±y) show the left half of the image, sides the right half."""
    x, y, z = (mesh.vertices[:, k].astype(float) for k in range(3))
    broad = np.abs(mesh.normals[:, 1]) > 0.5
    u = np.where(broad, 0.25 - 0.25 * np.sign(mesh.normals[:, 1]) * x / half[0], 0.75 + 0.25 * y / half[1])
    v = np.clip(z / (2 * half[2]), 0.0, 1.0)
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, np.stack([np.clip(u, 0.004, 0.996), v], 1).astype(np.float32))


def _canvas() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """U across the broad face in [-1, 1] (beyond 1 on the sides), v up, and a mask of the broad face."""
    v, u = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) / SIZE
    return 4 * u - 1, v, (u < 0.5).astype(float)

"""Where a point of the world is in a picture."""

from __future__ import annotations

import math

import numpy as np

from proctor.sim import CAMERAS, Scene


def pixel_of(
    scene: Scene, camera: str, point: tuple[float, float, float], size: tuple[int, int]
) -> tuple[int, int] | None:
    """Return (row, column) of ``point`` in a picture of ``size`` (height, width), None where it is outside.

    Pinhole with the camera looking along its -z: u = f x / -z, f = (height / 2) / tan(fovy / 2).
    """
    model, data = scene.model, scene.data
    index = model.camera(CAMERAS[camera]).id
    local = data.cam_xmat[index].reshape(3, 3).T @ (np.asarray(point) - data.cam_xpos[index])
    if local[2] >= -1e-6:
        return None
    height, width = size
    focal = 0.5 * height / math.tan(0.5 * math.radians(float(model.cam_fovy[index])))
    column = 0.5 * width + focal * local[0] / -local[2]
    row = 0.5 * height - focal * local[1] / -local[2]
    inside = 0 <= row < height and 0 <= column < width
    return (int(row), int(column)) if inside else None

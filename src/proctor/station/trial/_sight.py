"""Where coloured things stand, seen by the top camera: for scripted policies, which look as every other policy does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from proctor.core import ProctorError
from proctor.station.camera import view_matrix
from proctor.station.geometry import HALF, TOP_INTRINSICS, top_camera_pose

_ALIKE = 0.13
_LEAST_AREA_M2 = 1e-4


def find_coloured(
    picture: NDArray[np.uint8], colour: tuple[float, float, float], height_m: float
) -> list[tuple[float, float]]:
    """Return x, y in the box frame of the middles of things of this colour, the largest first.

    ``height_m`` is where the middle of what is seen lies above the floor. ``picture`` is the whole view of the top
    camera (16:9), or the policy's view of it (4:3), at any size.
    """
    from scipy import ndimage

    rgb = picture.astype(np.float64)
    total = rgb.sum(axis=2)
    share = rgb / np.maximum(total, 1.0)[..., None]
    wanted = np.array(colour) / max(sum(colour), 1e-9)
    alike = (np.abs(share - wanted).sum(axis=2) < _ALIKE) & (total > 60) & (np.ptp(rgb, axis=2) > 40)
    labels, count = ndimage.label(ndimage.binary_opening(alike))
    found = []
    for number in range(1, count + 1):
        rows, columns = np.nonzero(labels == number)
        middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
        x, y = to_floor(middle, picture.shape[1], picture.shape[0], height_m)[0]
        area = len(rows) * _pixel_m(picture.shape[1], picture.shape[0]) ** 2
        if area >= _LEAST_AREA_M2 and abs(x) < HALF and -HALF - 0.02 < y < HALF:
            found.append((area, float(x), float(y)))
    return [(x, y) for _, x, y in sorted(found, reverse=True)]


def to_floor(pixels: NDArray[np.float64], width: int, height: int, z: float) -> NDArray[np.float64]:
    """Return x, y [N, 2] of pixels [N, 2] on the plane at ``z`` above the floor."""
    full = _to_full(pixels, width, height)
    rotation, position = top_camera_pose()
    rays = np.column_stack([full, np.ones(len(full))]) @ np.linalg.inv(TOP_INTRINSICS.matrix()).T @ rotation.T
    along = (z - position[2]) / rays[:, 2]
    out: NDArray[np.float64] = (position + along[:, None] * rays)[:, :2]
    return out


def _to_full(pixels: NDArray[np.float64], width: int, height: int) -> NDArray[np.float64]:
    """Return pixels of the camera's 1280 x 720 picture."""
    k = TOP_INTRINSICS
    if abs(width * k.height - height * k.width) <= k.width:
        return pixels * (k.width / width)
    if abs(width * 3 - height * 4) > 4:
        raise ProctorError(f"the top camera's picture is {width} x {height}: neither 16:9 nor the 4:3 policy's view")
    matrix = np.linalg.inv(view_matrix(k.width, k.height))
    view = np.column_stack([pixels * (640 / width), np.ones(len(pixels))]) @ matrix.T
    out: NDArray[np.float64] = view[:, :2] / view[:, 2:]
    return out


def _pixel_m(width: int, height: int) -> float:
    """Return about how many metres of floor a pixel in the middle of the picture covers."""
    middle = np.array([[width / 2, height / 2], [width / 2 + 1, height / 2]])
    a, b = to_floor(middle, width, height, 0.0)
    return float(np.linalg.norm(a - b))

"""The floor of the box in the policy's view: which pixels it covers, and how many millimetres lie between two of them.

Floor coordinates are millimetres as the picture shows them: ``right`` to the right in the picture, ``robot`` towards
the robot, which is up in the picture. The origin is the middle of the floor. The camera looks back at the arm, so both
axes run against those of the box frame (`proctor.station.geometry`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import VIEW_SIZE, view_matrix
from proctor.station.geometry import ARM_X, HALF, TOP_INTRINSICS, floor_to_pixel

# The pipe in front and those at the sides hide the floor's edge.
_FRONT_EDGE: Final = 0.035
_SIDE_EDGE: Final = 0.035
# The arm comes over the floor's front edge within this distance of its base.
_ARM_REACH: Final = 0.17


@dataclass(frozen=True, eq=False)
class Floor:
    """``to_mm``: 3 x 3 from pixels of the view to floor millimetres; ``outline``: the visible floor [N, 2] in pixels.

    ``arm_edge``: the two ends of the piece of the floor's edge over which the arm reaches.
    """

    to_mm: NDArray[np.float64]
    outline: NDArray[np.float64]
    arm_edge: NDArray[np.float64]

    def mm(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return floor millimetres (right, robot) of pixels [N, 2]."""
        return _apply(self.to_mm, pixels)

    def pixels(self, mm: NDArray[np.float64]) -> NDArray[np.float64]:
        return _apply(np.linalg.inv(self.to_mm).astype(np.float64), mm)

    def mask(self) -> NDArray[np.uint8]:
        """Return 255 where the view shows the floor."""
        import cv2

        across, down = VIEW_SIZE
        mask = np.zeros((down, across), np.uint8)
        cv2.fillPoly(mask, [np.round(self.outline).astype(np.int32)], 255)
        return mask


@functools.cache
def station_floor() -> Floor:
    """Return the floor as a top camera sees it that hangs where it should."""
    view = view_matrix(TOP_INTRINSICS.width, TOP_INTRINSICS.height)
    corners = np.array([[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]])
    seen = _apply(view, floor_to_pixel(corners))
    # Right and towards the robot are -x and -y of the box.
    to_mm = _homography(seen, -1000.0 * corners)
    side, front = HALF - _SIDE_EDGE, -HALF + _FRONT_EDGE
    inner = np.array([[side, front], [-side, front], [-side, HALF], [side, HALF]])
    edge = np.array([[ARM_X + _ARM_REACH, front], [ARM_X - _ARM_REACH, front]])
    return Floor(to_mm, _apply(view, floor_to_pixel(inner)), _apply(view, floor_to_pixel(edge)))


def _apply(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return out[:, :2] / out[:, 2:]


def _homography(source: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 3 x 3 matrix that takes four points to four others."""
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), target.ravel())
    return np.append(solved, 1.0).reshape(3, 3)

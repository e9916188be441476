"""Where things are on the station of VLA-REPLICA (Appendix A), in metres.

World frame = the paper's box frame (Fig. A.3) with its origin in the middle of the floor: +y into the box, away
from its open face; +z up; +x to the right of somebody who stands behind the arm. Lengths are the paper's, in inches
there. The top camera's pose is not Table A.2: those numbers come from intrinsics that were fitted to a single picture
and put the camera 14 cm off. The pose used here sees the tag at the same pixels with the intrinsics refitted to 28
pictures of the authors' board.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

INCH: Final = 0.0254
BOX: Final = 32 * INCH
HALF: Final = BOX / 2

# Extent of the base of so101_new_calib.xml along its reach and to each side, from its meshes.
BASE_FRONT: Final = 0.0646
BASE_REAR: Final = 0.0310
BASE_HALF_WIDTH: Final = 0.0555
BASE_BOTTOM: Final = 0.0024

# Section A.4: the centre of the base is 16.5 in from the -x face, its front edge touches the pipe of the open face.
ARM_X: Final = -HALF + 16.5 * INCH
PIPE_RADIUS: Final = 0.010
ARM_Y: Final = -HALF - PIPE_RADIUS - BASE_FRONT
# Section A.3: the white sheet reaches 3.5 in beyond the open face.
SHEET_FRONT: Final = -HALF - 3.5 * INCH

TAG_SIZE: Final = 0.04


@dataclass(frozen=True, slots=True)
class Intrinsics:
    """A pinhole camera: focal lengths and principal point in pixels, for pictures of this size."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    def matrix(self) -> NDArray[np.float64]:
        """Return K."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]])

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels of points [N, 3] in the camera's frame (x right, y down, z forward)."""
        image = points @ self.matrix().T
        return image[:, :2] / image[:, 2:]


# The authors' board in 28 of their 30 pictures: reprojection error 0.084 px. Lens distortion (k1 -0.05) is left out.
TOP_INTRINSICS: Final = Intrinsics(1280, 720, 645.86, 645.50, 640.92, 369.09)
# The wrist camera has no published calibration; its field of view is the model's.
WRIST_INTRINSICS: Final = Intrinsics(640, 480, 312.8, 312.8, 320.0, 240.0)

# The tag in the top camera's frame: centre in metres, and roll, pitch, yaw in degrees with R = Rz Ry Rx.
TAG_IN_CAMERA_M: Final = (-0.0810, -0.2512, 1.114)
TAG_IN_CAMERA_RPY_DEG: Final = (-34.4, 0.8, 1.6)


def rotation_rpy(rpy_deg: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return Rz Ry Rx of roll, pitch and yaw in degrees."""
    (sx, cx), (sy, cy), (sz, cz) = ((math.sin(math.radians(a)), math.cos(math.radians(a))) for a in rpy_deg)
    rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    out: NDArray[np.float64] = rz @ ry @ rx
    return out


def tag_pose() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the tag's rotation and position: flat beside the base, on its right, upright for the top camera.

    Axes as AprilTag has them: x to the right and y down in the print, z into the paper. The corner nearest to box and
    base touches the base's side; the black border begins a cell (5 mm) inside the paper's edge.
    """
    rotation = np.array([[-1.0, 0, 0], [0, 1.0, 0], [0, 0, -1.0]])
    beside = ARM_X + BASE_HALF_WIDTH + TAG_SIZE / 2 + TAG_SIZE / 8
    return rotation, np.array([beside, ARM_Y - BASE_REAR + TAG_SIZE / 2, 0.001])


def top_camera_pose() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the top camera's rotation (columns: right, down, forward) and position."""
    tag_rotation, tag_position = tag_pose()
    seen = rotation_rpy(TAG_IN_CAMERA_RPY_DEG)
    rotation = tag_rotation @ seen.T
    return rotation, tag_position - rotation @ np.array(TAG_IN_CAMERA_M)


def tag_corners() -> NDArray[np.float64]:
    """Return the four corners of the tag's black square in the world, in AprilTag's order (from bottom left)."""
    rotation, position = tag_pose()
    half = TAG_SIZE / 2
    corners = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    return position + corners @ rotation.T


def to_camera(
    points: NDArray[np.float64], rotation: NDArray[np.float64], position: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return world points [N, 3] in a camera's frame."""
    out: NDArray[np.float64] = (points - position) @ rotation
    return out


def floor_to_pixel(xy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the pixels at 1280 x 720 of points [N, 2] on the floor, seen by the top camera."""
    points = np.column_stack([xy, np.zeros(len(xy))])
    return TOP_INTRINSICS.project(to_camera(points, *top_camera_pose()))

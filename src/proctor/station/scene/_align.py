"""Where the camera looks, against the reference: a similarity from features of what never moves.

SIFT features of the static band (pipe, cover, base, tag), matched with Lowe's ratio test, fitted by RANSAC at 2 px. A
homography would fit the band and go astray on the bare floor below it, so shift, turn and scale are all that is asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

from ._floor import Floor

FEWEST_MATCHES: Final = 12
_RATIO: Final = 0.75
_RANSAC_PX: Final = 2.0
_FEATURES: Final = 2000
# The band reaches this far above and below the floor's front edge.
_ABOVE_PX: Final = 130
_BELOW_PX: Final = 5


@dataclass(frozen=True, eq=False)
class CameraShift:
    """How the live picture lies against the reference: ``matrix`` [2, 3] takes reference pixels to live pixels.

    ``dx_px`` and ``dy_px`` (right, down) are the shift in the middle of the static band, ``turn_deg`` is clockwise.
    """

    matrix: NDArray[np.float64]
    dx_px: float
    dy_px: float
    turn_deg: float
    scale: float
    matches: int

    @property
    def shift_px(self) -> float:
        return math.hypot(self.dx_px, self.dy_px)


def camera_shift(reference: Picture, live: Picture, floor: Floor) -> CameraShift | None:
    """Return the camera's shift, or None when too little of the static band was recognised."""
    import cv2

    middle, mask = _band(floor, reference.shape[0], reference.shape[1])
    ours, theirs = (_features(picture, mask) for picture in (reference, live))
    pairs = _matched(ours, theirs)
    if len(pairs) < FEWEST_MATCHES:
        return None
    source, target = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    # The generator inside OpenCV is global: the same pictures shall give the same answer.
    cv2.setRNGSeed(0)
    matrix, kept = cv2.estimateAffinePartial2D(source, target, method=cv2.RANSAC, ransacReprojThreshold=_RANSAC_PX)
    if matrix is None or int(kept.sum()) < FEWEST_MATCHES:
        return None
    dx, dy = matrix @ np.append(middle, 1.0) - middle
    turn, scale = math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])), math.hypot(matrix[0, 0], matrix[1, 0])
    return CameraShift(matrix, float(dx), float(dy), turn, scale, int(kept.sum()))


def _band(floor: Floor, height: int, width: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Return the middle of the static band and its mask."""
    edge = floor.outline[:2, 1].mean()
    top, bottom = max(0, int(edge) - _ABOVE_PX), min(height, int(edge) + _BELOW_PX)
    mask = np.zeros((height, width), np.uint8)
    mask[top:bottom] = 255
    return np.array([width / 2, (top + bottom) / 2]), mask


def _features(picture: Picture, mask: NDArray[np.uint8]) -> tuple[Any, Any]:
    import cv2

    points, descriptors = cv2.SIFT_create(_FEATURES).detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), mask)
    # OpenCV counts from the middle of a pixel, we from its corner.
    return np.array([point.pt for point in points]) + 0.5, descriptors


def _matched(ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> list[tuple[Any, Any]]:
    import cv2

    if ours[1] is None or theirs[1] is None or len(theirs[1]) < 2:
        return []
    pairs = []
    for best in cv2.BFMatcher().knnMatch(ours[1], theirs[1], k=2):
        if len(best) == 2 and best[0].distance < _RATIO * best[1].distance:
            pairs.append((ours[0][best[0].queryIdx], theirs[0][best[0].trainIdx]))
    return pairs

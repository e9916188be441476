"""The AprilTag beside the arm: where its corners are in the picture, and where that puts the camera.

The detector is AprilTag's own (pupil-apriltags); OpenCV's loses a 4 cm tag at a metre or turns it over. It counts
pixels from the corner of the first one, OpenCV's lenses from the middle: half a pixel, a millimetre here. A flat tag
has two poses that look almost alike: the one nearer to the expected pose is taken.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.geometry import TAG_IN_CAMERA_RPY_DEG, TAG_SIZE, rotation_rpy

from ._lens import Lens
from ._types import CameraError, Picture

FEWEST_FRAMES: Final = 30
_SURE: Final = 10.0


@dataclass(frozen=True, eq=False)
class TagPose:
    """The tag in the camera's frame (x right, y down, z forward): position in metres, rotation, reprojection error."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    error_px: float

    @property
    def rpy_deg(self) -> tuple[float, float, float]:
        """Roll, pitch, yaw in degrees with R = Rz Ry Rx, as Table A.2 has them."""
        r = self.rotation
        flat = float(np.hypot(r[0, 0], r[1, 0]))
        roll, pitch, yaw = np.arctan2(r[2, 1], r[2, 2]), np.arctan2(-r[2, 0], flat), np.arctan2(r[1, 0], r[0, 0])
        return float(np.degrees(roll)), float(np.degrees(pitch)), float(np.degrees(yaw))


@functools.cache
def _detector() -> Any:
    try:
        import pupil_apriltags
    except ImportError as error:
        raise CameraError("pupil-apriltags is not installed: pip install 'proctor[station]'") from error
    detector = pupil_apriltags.Detector(
        "tag36h11", nthreads=1, quad_decimate=1.0, quad_sigma=0.0, refine_edges=1, decode_sharpening=0.25
    )
    # Its destructor frees the family and then a detector that still points to it: a crash when Python ends, at times.
    atexit.register(setattr, detector, "tag_detector_ptr", None)
    return detector


def detect_tag(picture: Picture, number: int | None = None) -> NDArray[np.float64] | None:
    """Return the corners [4, 2] of a tag's black square, or None: from bottom left against the clock, as printed.

    Pixels count from the corner of the first one. Without ``number`` the tag that was read most surely is taken.
    """
    import cv2

    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    found = [
        tag
        for tag in _detector().detect(np.ascontiguousarray(grey))
        if tag.decision_margin > _SURE and tag.hamming == 0 and number in (None, tag.tag_id)
    ]
    if not found:
        return None
    return np.asarray(max(found, key=lambda tag: float(tag.decision_margin)).corners, np.float64)


def median_corners(sightings: Sequence[NDArray[np.float64]], fewest: int = FEWEST_FRAMES) -> NDArray[np.float64]:
    """Return the median of each corner over the frames in which the tag was seen; too few are refused."""
    if len(sightings) < fewest:
        raise CameraError(
            f"the tag was seen in {len(sightings)} pictures; {fewest} are needed: is it lit, flat, whole in the "
            "picture, of the family 36h11?"
        )
    out: NDArray[np.float64] = np.median(np.stack(sightings), axis=0)
    return out


def tag_pose(
    corners: NDArray[np.float64],
    lens: Lens,
    *,
    size_m: float = TAG_SIZE,
    near: NDArray[np.float64] | None = None,
    from_middle: bool = True,
) -> TagPose:
    """Return the tag's pose from its corners as `detect_tag` gives them.

    ``near`` is a rotation: of the two candidates the nearer one is taken; without it, the station's. ``from_middle``
    says that the lens counts pixels from the middle of the first, as OpenCV does; VLA-REPLICA ignores the difference.
    """
    import cv2

    half = size_m / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    pixels = np.ascontiguousarray(corners - 0.5 if from_middle else corners)
    bends = np.array(lens.distortion)
    count, turns, places, _ = cv2.solvePnPGeneric(square, pixels, lens.matrix(), bends, flags=cv2.SOLVEPNP_IPPE)
    if not count:
        raise CameraError("the tag's corners make no square: is the picture distorted, the tag bent?")
    expected = rotation_rpy(TAG_IN_CAMERA_RPY_DEG) if near is None else near
    candidates = []
    for turn, place in zip(turns, places, strict=True):
        turn, place = cv2.solvePnPRefineLM(square, pixels, lens.matrix(), bends, turn.copy(), place.copy())
        rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
        again = cv2.projectPoints(square, turn, place, lens.matrix(), bends)[0].reshape(4, 2)
        error = float(np.sqrt(((again - pixels) ** 2).sum(axis=1).mean()))
        candidates.append(TagPose(np.asarray(place, np.float64).ravel(), rotation, error))
    return min(candidates, key=lambda pose: angle_deg(pose.rotation, expected))


def angle_deg(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the angle between two rotations in degrees."""
    return float(np.degrees(np.arccos(np.clip((np.trace(one.T @ other) - 1) / 2, -1, 1))))

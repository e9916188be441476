"""Does the top camera hang where it should: by the tag's pixels, and by two conventions of its pose.

The verdict is by pixels, which need no intrinsics. Table A.2 of VLA-REPLICA was computed with intrinsics from a single
picture; it is comparable with other labs only through those same intrinsics ("paper K"). What is true in metres takes
a lens of one's own ("own K") and the target that the same pixels then mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from proctor.station.geometry import TAG_IN_CAMERA_M, TAG_IN_CAMERA_RPY_DEG, rotation_rpy

from ._lens import Lens
from ._tag import TagPose, tag_pose
from ._types import CameraError, Picture

AIM_SIZE: Final = (1280, 720)
# Corners of the tag at 1280 x 720, from bottom left against the clock: Table A.2 through the authors' own intrinsics.
TARGET_PIXELS: Final = np.array([(581.6, 231.3), (604.8, 231.8), (606.3, 215.8), (583.4, 215.3)])
PAPER_LENS: Final = Lens(1280, 720, 724.693, 591.333, 628.787, 408.007)
PAPER_M: Final = (-0.06, -0.39, 1.25)
PAPER_RPY_DEG: Final = (-18.5, 3.0, 2.5)
NEAR_PX: Final = 2.0
NEAR_M: Final = 0.01
NEAR_DEG: Final = 1.0


@dataclass(frozen=True, eq=False)
class PoseCheck:
    """A pose in one convention against its target; ``ok`` when within 1 cm and 1 degree on every axis."""

    convention: Literal["paper K", "own K"]
    pose: TagPose
    target_m: tuple[float, float, float]
    target_rpy_deg: tuple[float, float, float]

    @property
    def off_m(self) -> NDArray[np.float64]:
        """Measured less target, x y z in metres."""
        out: NDArray[np.float64] = self.pose.position - np.array(self.target_m)
        return out

    @property
    def off_deg(self) -> NDArray[np.float64]:
        """Measured less target, roll pitch yaw in degrees."""
        out: NDArray[np.float64] = (np.array(self.pose.rpy_deg) - np.array(self.target_rpy_deg) + 180) % 360 - 180
        return out

    @property
    def ok(self) -> bool:
        return bool((np.abs(self.off_m) <= NEAR_M).all() and (np.abs(self.off_deg) <= NEAR_DEG).all())


@dataclass(frozen=True, eq=False)
class AimCheck:
    """The verdict (``ok``: each corner within 2 px of its target) and both conventions of the pose."""

    corners: NDArray[np.float64]
    poses: tuple[PoseCheck, ...]

    @property
    def off_px(self) -> NDArray[np.float64]:
        """Measured less target for each corner [4, 2]: right, down."""
        out: NDArray[np.float64] = self.corners - TARGET_PIXELS
        return out

    @property
    def worst_px(self) -> float:
        """Distance of the worst corner from its target."""
        return float(np.linalg.norm(self.off_px, axis=1).max())

    @property
    def ok(self) -> bool:
        """Whether every corner is near its target."""
        return self.worst_px <= NEAR_PX

    @property
    def advice(self) -> str:
        """What to do about it, in one line."""
        if self.ok:
            return "the camera is aimed; tighten it, then compare with a scene: proctor station scene check"
        dx, dy = self.off_px.mean(axis=0)
        moves = [f"{abs(dx):.0f} px {'left' if dx > 0 else 'right'}"] if abs(dx) >= 1 else []
        moves += [f"{abs(dy):.0f} px {'up' if dy > 0 else 'down'}"] if abs(dy) >= 1 else []
        size = _edge(self.corners) / _edge(TARGET_PIXELS) - 1
        if abs(size) > 0.05:
            moves.append(f"{abs(size):.0%} {'smaller: camera farther away' if size > 0 else 'larger: camera nearer'}")
        return f"aim the camera until the tag appears {', '.join(moves) or 'turned as its target is'}"


def check_aim(corners: NDArray[np.float64], size: tuple[int, int], lens: Lens | None = None) -> AimCheck:
    """Judge the corners that were seen in pictures of ``size`` (width, height); with a ``lens`` also in metres."""
    if size != AIM_SIZE:
        raise CameraError(f"the targets are for 1280x720, the camera gives {size[0]}x{size[1]}: ask it for 1280x720")
    paper = tag_pose(corners, PAPER_LENS, near=rotation_rpy(PAPER_RPY_DEG), from_middle=False)
    poses = [PoseCheck("paper K", paper, PAPER_M, PAPER_RPY_DEG)]
    if lens is not None:
        if (lens.width, lens.height) != size:
            raise CameraError(
                f"the lens was calibrated at {lens.width}x{lens.height}, the pictures are {size[0]}x{size[1]}"
            )
        poses.append(PoseCheck("own K", tag_pose(corners, lens), TAG_IN_CAMERA_M, TAG_IN_CAMERA_RPY_DEG))
    return AimCheck(corners, tuple(poses))


def _edge(corners: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


# The tag as the camera sees it, magnified, with where its corners should be: to look at while one turns the camera.

_GREEN: Final = (30, 170, 60)
_RED: Final = (225, 40, 40)
_BLUE: Final = (30, 110, 230)
# The inset shows this much of the picture around the target, magnified.
_AROUND: Final = (64, 36)
_LARGER: Final = 10


def aim_picture(picture: Picture, check: AimCheck) -> Picture:
    """Return the picture with the seen (green or red) and wanted (blue) corners, and a magnified inset below."""
    import cv2

    out = picture.copy()
    colour = _GREEN if check.ok else _RED
    for corners, shade in ((TARGET_PIXELS, _BLUE), (check.corners, colour)):
        cv2.polylines(out, [np.round(corners - 0.5).astype(np.int32)], True, shade, 1, cv2.LINE_AA)
    inset = _inset(picture, check, colour)
    height, width = inset.shape[:2]
    top, left = out.shape[0] - height - 12, (out.shape[1] - width) // 2
    out[top : top + height, left : left + width] = inset
    cv2.rectangle(out, (left - 2, top - 2), (left + width + 1, top + height + 1), colour, 2)
    return out


def _inset(picture: Picture, check: AimCheck, colour: tuple[int, int, int]) -> Picture:
    import cv2

    middle = np.round(TARGET_PIXELS.mean(axis=0)).astype(int)
    x, y = middle[0] - _AROUND[0] // 2, middle[1] - _AROUND[1] // 2
    cut = picture[y : y + _AROUND[1], x : x + _AROUND[0]]
    large: Picture = cv2.resize(cut, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_NEAREST)

    def at(point: NDArray[np.float64]) -> tuple[int, int]:
        u, v = (point - (x, y)) * _LARGER
        return round(float(u)), round(float(v))

    for target, seen in zip(TARGET_PIXELS, check.corners, strict=True):
        cv2.circle(large, at(target), round(NEAR_PX * _LARGER), _BLUE, 2, cv2.LINE_AA)
        cv2.drawMarker(large, at(seen), colour, cv2.MARKER_CROSS, 16, 2, cv2.LINE_AA)
    return large

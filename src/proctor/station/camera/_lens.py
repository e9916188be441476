"""The lens: focal lengths, principal point and distortion from pictures of a board, and when not to believe them.

VLA-REPLICA's published intrinsics come from one picture: residual 2.59 px, a focal length known to 220 px. So few
views, a large residual or an uncertain focal length are refused here, not printed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.geometry import Intrinsics

from ._board import BoardView
from ._types import CameraError

FEWEST_VIEWS: Final = 8
LARGEST_RMS_PX: Final = 0.3
# Share of the focal length that its standard error may be: 0.5 % is 6 mm of 1.1 m.
_UNSURE: Final = 0.005
# Share by which the focal lengths from every other view may differ.
_HALVES_APART: Final = 0.03
_FORMAT: Final = "proctor-lens/1"


@dataclass(frozen=True, slots=True)
class Lens:
    """A calibrated lens for pictures of ``width`` x ``height``; pixels as in OpenCV, from the middle of the first.

    ``distortion`` is k1, k2, p1, p2, k3. ``rms_px`` is the residual over ``views`` pictures, ``focal_error_px`` the
    larger standard error of fx and fy; all three are 0 for a lens that was made, not measured.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rms_px: float = 0.0
    views: int = 0
    focal_error_px: float = 0.0

    @classmethod
    def of(cls, intrinsics: Intrinsics) -> Lens:
        """Return a pinhole of the station's geometry, which counts pixels from the corner of the first, as a lens."""
        k = intrinsics
        return cls(k.width, k.height, k.fx, k.fy, k.cx - 0.5, k.cy - 0.5)

    def matrix(self) -> NDArray[np.float64]:
        """Return K."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]])


def calibrate_lens(views: Sequence[BoardView], size: tuple[int, int]) -> Lens:
    """Return the lens that explains the views of pictures of ``size`` (width, height), or refuse with the reason."""
    import cv2

    if len(views) < FEWEST_VIEWS:
        raise CameraError(
            f"the board was found in {len(views)} pictures; at least {FEWEST_VIEWS} are needed: take more, near and "
            "far, tilted each way, into every corner of the picture"
        )
    on_board, in_picture = [view.on_board for view in views], [view.in_picture for view in views]
    guess = np.eye(3), np.zeros(5)
    rms, matrix, distortion, _, _, errors, _, per_view = cv2.calibrateCameraExtended(on_board, in_picture, size, *guess)
    if rms > LARGEST_RMS_PX:
        worst = int(np.argmax(per_view))
        raise CameraError(
            f"residual {rms:.2f} px is above {LARGEST_RMS_PX} px: is the board flat, the picture sharp, the board "
            f"the right one? worst is view {worst + 1} with {float(per_view[worst].item()):.2f} px"
        )
    unsure = float(np.asarray(errors).ravel()[:2].max())
    halves = [_focal(views[start::2], size) for start in (0, 1)]
    # Without tilt the fit is singular and its own standard error worthless; two halves of the views then disagree.
    apart = abs(halves[0] - halves[1]) / float(matrix[0, 0])
    if unsure > _UNSURE * float(matrix[0, 0]) or apart > _HALVES_APART:
        raise CameraError(
            f"the focal length is uncertain (± {unsure:.1f} px; {halves[0]:.0f} or {halves[1]:.0f} px from half of the "
            "views): tilt the board more, to every side"
        )
    fx, fy, cx, cy = (float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (0, 2), (1, 2)))
    bends = tuple(float(value) for value in np.asarray(distortion).ravel()[:5])
    return Lens(*size, fx, fy, cx, cy, bends, float(rms), len(views), unsure)


def _focal(views: Sequence[BoardView], size: tuple[int, int]) -> float:
    import cv2

    points = [view.on_board for view in views], [view.in_picture for view in views]
    return float(cv2.calibrateCamera(*points, size, np.eye(3), np.zeros(5))[1][0, 0])


def save_lens(lens: Lens, path: Path) -> None:
    content = {"format": _FORMAT, **asdict(lens)}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def load_lens(path: Path) -> Lens:
    """Read a lens; one with too large a residual is refused here too."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != _FORMAT:
            raise ValueError("unknown format")
        lens = Lens(**{**content, "distortion": tuple(float(value) for value in content["distortion"])})
        numbers = np.array([lens.fx, lens.fy, lens.cx, lens.cy, lens.rms_px, *lens.distortion], float)
        if not np.isfinite(numbers).all() or min(lens.fx, lens.fy, lens.width, lens.height) <= 0:
            raise ValueError("numbers that no lens has")
    except FileNotFoundError as error:
        raise CameraError(f"{path}: no such file; 'proctor station camera intrinsics' makes one") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CameraError(f"{path}: not a lens ({error}); 'proctor station camera intrinsics' makes one") from error
    if lens.rms_px > LARGEST_RMS_PX:
        raise CameraError(f"{path}: residual {lens.rms_px:.2f} px is above {LARGEST_RMS_PX} px: calibrate again")
    return lens

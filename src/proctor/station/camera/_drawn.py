"""Drawn pictures of a tag or a board at a known pose: the truth that detection and calibration are measured against.

The print is warped at several times the resolution, averaged down, blurred and made noisy, as a camera would.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ._board import Board, charuco_board
from ._lens import Lens
from ._types import Picture

_FINER: Final = 6
_CELL_PX: Final = 40
_GROUND: Final = 170
_MARGIN_PX: Final = 14


def drawn_tag(
    rotation: NDArray[np.float64],
    position: NDArray[np.float64],
    lens: Lens,
    *,
    size_m: float = 0.04,
    number: int = 0,
    noise: float = 2.0,
    rng: np.random.Generator | None = None,
) -> Picture:
    """Return a picture of a 36h11 tag at a pose in the camera's frame (x right, y down, z forward; metres)."""
    import cv2

    # OpenCV draws these markers turned by half a turn against AprilTag's own definition.
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    marker = cv2.rotate(cv2.aruco.generateImageMarker(family, number, 8 * _CELL_PX), cv2.ROTATE_180)
    printed = cv2.copyMakeBorder(marker, *(_CELL_PX,) * 4, cv2.BORDER_CONSTANT, value=255)
    half = size_m / 8 * 10 / 2
    return _photograph(printed, (half, half), (rotation, position), lens, noise, rng or np.random.default_rng(0))


def drawn_board(
    board: Board,
    rotation: NDArray[np.float64],
    position: NDArray[np.float64],
    lens: Lens,
    *,
    square_m: float = 0.025,
    noise: float = 2.0,
    rng: np.random.Generator | None = None,
) -> Picture:
    """Return a picture of a calibration board whose middle is at ``position`` (camera's frame, metres)."""
    import cv2

    if board.charuco:
        across, down = board.columns, board.rows
        printed = charuco_board(board).generateImage((across * _CELL_PX, down * _CELL_PX))
    else:
        across, down = board.columns + 1, board.rows + 1
        cells = (np.add.outer(np.arange(down), np.arange(across)) % 2 * 255).astype(np.uint8)
        printed = np.kron(cells, np.ones((_CELL_PX, _CELL_PX), np.uint8))
    printed = cv2.copyMakeBorder(printed, *(_CELL_PX,) * 4, cv2.BORDER_CONSTANT, value=255)
    half = ((across + 2) * square_m / 2, (down + 2) * square_m / 2)
    return _photograph(printed, half, (rotation, position), lens, noise, rng or np.random.default_rng(0))


def _photograph(
    printed: Any,
    half_m: tuple[float, float],
    pose: tuple[NDArray[np.float64], NDArray[np.float64]],
    lens: Lens,
    noise: float,
    rng: np.random.Generator,
) -> Picture:
    import cv2

    height, width = printed.shape
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    x, y = half_m
    corners = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]]) @ pose[0].T + pose[1]
    seen = corners @ lens.matrix().T
    seen = seen[:, :2] / seen[:, 2:]
    low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - _MARGIN_PX, 0)
    high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + _MARGIN_PX, (lens.width, lens.height))
    target = ((seen - low + 0.5) * _FINER - 0.5).astype(np.float32)
    fine = tuple(int(value) for value in (high - low) * _FINER)
    warp = cv2.getPerspectiveTransform(source, target)
    # The print is finer than the fine picture: average it there too.
    shrink = max(1, round(width / max(1.0, float(np.ptp(target[:, 0])))))
    if shrink > 1:
        printed = cv2.blur(printed, (shrink, shrink))
    large = cv2.warpPerspective(printed, warp, fine, flags=cv2.INTER_LINEAR, borderValue=_GROUND)
    picture = np.full((lens.height, lens.width), _GROUND, np.float32)
    small = cv2.resize(large, tuple(int(value) for value in high - low), interpolation=cv2.INTER_AREA)
    picture[low[1] : high[1], low[0] : high[0]] = small
    picture = cv2.GaussianBlur(picture, (0, 0), 0.6) * 0.8 + 20
    picture += rng.normal(0, noise, picture.shape)
    grey = np.clip(picture, 0, 255).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)

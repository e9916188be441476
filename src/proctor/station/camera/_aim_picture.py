"""The tag as the camera sees it, magnified, with where its corners should be: to look at while one turns the camera."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._aim import NEAR_PX, TARGET_PIXELS, AimCheck
from ._types import Picture

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

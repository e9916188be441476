"""By how much an object is turned about the vertical: the turn at which its outline on the floor fits best."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._floor import Floor
from ._match import overlap

_STEPS_DEG: Final = np.arange(-90, 90, 3)
# Outlines are compared at 1 mm per pixel in a square of this size.
_SIDE_MM: Final = 260
# A round thing fits at every turn: unless the best fits better than the worst by this, there is no turn to speak of.
_ROUND: Final = 0.08


def turn_deg(
    expected: NDArray[np.bool_], seen: NDArray[np.bool_], middles: tuple[NDArray[np.float64], ...], floor: Floor
) -> float | None:
    """Return the turn from the expected to the seen mask in degrees (-90 to 90, clockwise from above positive).

    ``middles`` are their centroids in pixels. None for what looks the same at every turn. Outlines do not tell front
    from back, so a half turn reads as none, and a quarter turn of a square too.
    """
    import cv2

    one, other = (_on_floor(mask, middle, floor) for mask, middle in zip((expected, seen), middles, strict=True))
    fits = []
    for angle in _STEPS_DEG:
        # OpenCV's positive angle is anticlockwise in the picture.
        turn = cv2.getRotationMatrix2D((_SIDE_MM / 2 - 0.5, _SIDE_MM / 2 - 0.5), -float(angle), 1.0)
        fits.append(overlap(cv2.warpAffine(one, turn, (_SIDE_MM, _SIDE_MM)) > 127, other > 127))
    if max(fits) - min(fits) < _ROUND:
        return None
    # Among equal fits the smallest turn: a square fits four times.
    good = [i for i, fit in enumerate(fits) if fit >= max(fits) - 0.01]
    best = min(good, key=lambda i: abs(_STEPS_DEG[i]))
    return float(_STEPS_DEG[best]) + _between(fits, best)


def _between(fits: list[float], best: int) -> float:
    """Return the top of the parabola through three neighbouring fits, in degrees from the middle one."""
    before, here, after = fits[best - 1], fits[best], fits[(best + 1) % len(fits)]
    bend = before - 2 * here + after
    step = float(_STEPS_DEG[1] - _STEPS_DEG[0])
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) * step if bend < 0 else 0.0


def _on_floor(mask: NDArray[np.bool_], middle: NDArray[np.float64], floor: Floor) -> NDArray[np.uint8]:
    """Return a mask as seen from above, 1 mm per pixel, its centroid in the middle, the robot at the top."""
    import cv2

    right, robot = floor.mm(middle[None])[0]
    half = _SIDE_MM / 2
    shift = np.array([[1, 0, half - right], [0, -1, half + robot], [0, 0, 1.0]])
    pixel = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    warp = np.linalg.inv(pixel) @ shift @ floor.to_mm @ pixel
    out: NDArray[np.uint8] = cv2.warpPerspective(mask.astype(np.uint8) * 255, warp, (_SIDE_MM, _SIDE_MM))
    return out

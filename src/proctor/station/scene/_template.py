"""Finding an object by its looks, where colour does not part it from the floor: forks, or what touches another.

The reference's own pixels, inside the outline that somebody has drawn and a little beyond, are slid and turned over the
live picture; the best correlation says where the object lies. Correlation ignores brightness and contrast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

_TURNS_DEG: Final = (0, -6, 6, -12, 12, -20, 20, -30, 30)
_FARTHEST_PX: Final = 70
_MARGIN_PX: Final = 4
_ALIKE: Final = 0.75


@dataclass(frozen=True, eq=False)
class Sighting:
    """Where a template was found: shift in pixels, turn in degrees (clockwise positive), correlation."""

    shift_px: NDArray[np.float64]
    turn_deg: float
    correlation: float


def find_template(reference: Picture, mask: NDArray[np.bool_], live: Picture) -> Sighting | None:
    """Return where the masked part of the reference lies in the live picture, or None when nothing looks like it."""
    import cv2

    wide = cv2.dilate(mask.astype(np.uint8), np.ones((2 * _MARGIN_PX + 1,) * 2, np.uint8))
    grey, now = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (reference, live))
    rows, columns = np.nonzero(wide)
    middle = (float(columns.mean()), float(rows.mean()))
    best: Sighting | None = None
    for turn in _TURNS_DEG:
        warp = cv2.getRotationMatrix2D(middle, -turn, 1.0)
        size = (grey.shape[1], grey.shape[0])
        turned = cv2.warpAffine(wide, warp, size), cv2.warpAffine(grey, warp, size, borderMode=cv2.BORDER_REPLICATE)
        found = _slide(*turned, now)
        # A turn must earn itself: shapes that look alike at every turn count as not turned.
        if best is None or found[1] > best.correlation + 0.01:
            best = Sighting(found[0], float(turn), found[1])
    return best if best is not None and best.correlation >= _ALIKE else None


def _slide(mask: Any, grey: Any, live: Any) -> tuple[NDArray[np.float64], float]:
    """Return the best shift of a masked template within reach, to a part of a pixel, and its correlation."""
    import cv2

    rows, columns = np.nonzero(mask)
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    y0, x0 = max(0, top - _FARTHEST_PX), max(0, left - _FARTHEST_PX)
    window = live[y0 : bottom + _FARTHEST_PX, x0 : right + _FARTHEST_PX]
    template, weight = grey[top:bottom, left:right], mask[top:bottom, left:right]
    scores = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED, mask=weight)
    scores = np.where(np.isfinite(scores), scores, -1.0)
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    sub = np.array([_peak(scores[row], int(column)), _peak(scores[:, column], int(row))])
    shift = np.array([column + x0 - left, row + y0 - top]) + sub
    return shift, float(scores[row, column])


def _peak(line: NDArray[np.floating], at: int) -> float:
    """Return how far the top of the parabola through three neighbours lies from the middle one."""
    if not 0 < at < len(line) - 1:
        return 0.0
    before, here, after = (float(value) for value in line[at - 1 : at + 2])
    bend = before - 2 * here + after
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0 else 0.0

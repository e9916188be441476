"""Things that touch: one piece of the picture with two colours, each in one place, is two things."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Two colours are those of two things when they lie this far apart in a and b, ...
_TWO_COLOURS: Final = 40.0
# ... each covers this share of the piece and this many pixels, ...
_SHARE: Final = 0.12
_FEWEST_PX: Final = 150
# ... and this share of each is connected.
_IN_ONE_PLACE: Final = 0.85
_MOST_CUTS: Final = 3


def split_by_colour(
    piece: NDArray[np.uint8], lab: NDArray[np.float32], cuts: int = _MOST_CUTS
) -> list[NDArray[np.uint8]]:
    """Return a piece (1 inside) as the things that it consists of; most pieces are one thing."""
    import cv2

    inside = piece > 0
    if cuts == 0 or int(inside.sum()) < 2 * _FEWEST_PX:
        return [piece]
    colours = np.ascontiguousarray(lab[inside][:, 1:])
    until = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    # The generator inside OpenCV is global: the same picture shall give the same things.
    cv2.setRNGSeed(0)
    _, labels, centres = cv2.kmeans(colours, 2, None, until, 2, cv2.KMEANS_PP_CENTERS)
    if np.linalg.norm(centres[0] - centres[1]) < _TWO_COLOURS:
        return [piece]
    parts = []
    for which in (0, 1):
        part = np.zeros_like(piece)
        part[inside] = labels.ravel() == which
        whole = int(part.sum())
        largest = _largest(part)
        connected = int(largest.sum())
        if whole < max(_FEWEST_PX, _SHARE * int(inside.sum())) or connected < _IN_ONE_PLACE * whole:
            return [piece]
        parts.append(largest)
    return [thing for part in parts for thing in split_by_colour(part, lab, cuts - 1)]


def _largest(part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the largest connected region of a mask, smoothed."""
    import cv2

    smooth = cv2.morphologyEx(part, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(smooth)
    if len(sizes) < 2:
        return np.zeros_like(part)
    out: NDArray[np.uint8] = (labels == 1 + int(sizes[1:, cv2.CC_STAT_AREA].argmax())).astype(np.uint8)
    return out

"""How far each object stands from where the reference has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

from ._expected import Expected
from ._floor import Floor
from ._match import match_blobs, overlap
from ._objects import Blob, find_blobs

# Finding an object by its looks, where colour does not part it from the floor: forks, or what touches another.
#
# The reference's own pixels, inside the outline that somebody has drawn and a little beyond, are slid and turned over
# the live picture; the best correlation says where the object lies. Correlation ignores brightness and contrast.

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


# By how much an object is turned about the vertical: the turn at which its outline on the floor fits best.

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


@dataclass(frozen=True, slots=True)
class Placement:
    """One object: where it should be and where it is, in pixels of the reference, and the difference on the floor.

    ``right_mm`` and ``robot_mm`` say how far it stands too far right (in the picture) and too near to the robot.
    ``turn_deg`` is how far it is turned clockwise, None for what looks the same at every turn. ``seen_px`` is None for
    an object that was not found.
    """

    name: str
    expected_px: tuple[float, float]
    seen_px: tuple[float, float] | None = None
    right_mm: float = math.nan
    robot_mm: float = math.nan
    turn_deg: float | None = None
    iou: float = 0.0

    @property
    def found(self) -> bool:
        return self.seen_px is not None

    @property
    def distance_mm(self) -> float:
        """How far it stands from its place."""
        return math.hypot(self.right_mm, self.robot_mm)

    @property
    def offset_px(self) -> tuple[float, float]:
        """Right and down, in pixels of the picture."""
        if self.seen_px is None:
            return math.nan, math.nan
        return self.seen_px[0] - self.expected_px[0], self.seen_px[1] - self.expected_px[1]


def place_objects(
    reference: Picture, expected: Sequence[Expected], live: Picture, floor: Floor
) -> tuple[list[Placement], list[Blob]]:
    """Return where the expected objects are in ``live``, which lies over the reference, and what else is there."""
    seen = find_blobs(live, floor)
    by_colour = [i for i, item in enumerate(expected) if not item.by_looks]
    partner = match_blobs([expected[i].blob for i in by_colour], seen)
    matched = {by_colour[i]: j for i, j in partner.items()}
    placements, covered = [], np.zeros(live.shape[:2], bool)
    for i, item in enumerate(expected):
        if i in matched:
            blob = seen[matched[i]]
            turn = turn_deg(item.blob.mask, blob.mask, (item.blob.centre, blob.centre), floor)
            placements.append(_placed(item, blob.centre, turn, overlap(item.blob.mask, blob.mask), floor))
        else:
            placement, mask = _by_looks(reference, item, live, floor)
            placements.append(placement)
            covered |= mask
    extra = [
        blob
        for j, blob in enumerate(seen)
        if j not in matched.values() and int((blob.mask & covered).sum()) < blob.area / 3
    ]
    return placements, extra


def _by_looks(reference: Picture, item: Expected, live: Picture, floor: Floor) -> tuple[Placement, NDArray[np.bool_]]:
    """Return where an object's own pixels are found again, and the pixels that they cover."""
    sighting = find_template(reference, item.blob.mask, live)
    if sighting is None:
        return Placement(item.name, _pair(item.blob.centre)), np.zeros_like(item.blob.mask)
    mask = _moved(item.blob, sighting.shift_px, sighting.turn_deg)
    turn = sighting.turn_deg if item.by_looks else None
    placement = _placed(item, item.blob.centre + sighting.shift_px, turn, overlap(item.blob.mask, mask), floor)
    return placement, mask


def _placed(item: Expected, centre: NDArray[np.float64], turn: float | None, iou: float, floor: Floor) -> Placement:
    right, robot = floor.mm(centre[None])[0] - floor.mm(item.blob.centre[None])[0]
    return Placement(item.name, _pair(item.blob.centre), _pair(centre), float(right), float(robot), turn, iou)


def _moved(blob: Blob, shift: NDArray[np.float64], turn: float) -> NDArray[np.bool_]:
    import cv2

    warp: Any = cv2.getRotationMatrix2D((blob.centre[0] - 0.5, blob.centre[1] - 0.5), -turn, 1.0)
    warp[:, 2] += shift
    height, width = blob.mask.shape
    out: NDArray[np.bool_] = cv2.warpAffine(blob.mask.astype(np.uint8), warp, (width, height)) > 0
    return out


def _pair(point: NDArray[np.float64]) -> tuple[float, float]:
    return float(point[0]), float(point[1])

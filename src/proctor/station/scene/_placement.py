"""How far each object stands from where the reference has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

from ._expected import Expected
from ._floor import Floor
from ._match import match_blobs, overlap
from ._objects import Blob, find_blobs
from ._template import find_template
from ._turn import turn_deg


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

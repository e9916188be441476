"""Objects on a white floor: what differs from a smooth floor in Lab, in connected pieces, less the arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

from ._colours import to_lab
from ._floor import Floor
from ._split import split_by_colour

# Lightness counts half as much again as a and b: 17 steps of lightness or 26 of colour make an object. Shadows stay
# below.
_WEIGHTS: Final = np.array([1.53, 1.0, 1.0], np.float32)
_DIFFERENT: Final = 26.0
_SMALLEST_PX: Final = 90
# Half the gap that is closed inside an object, and up to which colour two pieces are one object.
_GAP_PX: Final = 2
_ONE_COLOUR: Final = 22.0
# What comes this near to the floor's edge in front of the arm belongs to the arm.
_EDGE_PX: Final = 6
# The floor model is computed on a picture this many times smaller, blurred over a tenth of its width.
_SHRINK: Final = 4
_BLUR: Final = 15.0
_GREY_CHROMA: Final = 12.0


@dataclass(frozen=True, eq=False)
class Blob:
    """A piece that is not floor: its filled mask [H, W], centroid in pixels, mean Lab."""

    mask: NDArray[np.bool_]
    centre: NDArray[np.float64]
    lab: NDArray[np.float64]

    @property
    def area(self) -> int:
        return int(self.mask.sum())


def blob_of(mask: NDArray[np.bool_], lab: NDArray[np.float32]) -> Blob:
    rows, columns = np.nonzero(mask)
    return Blob(mask, np.array([columns.mean() + 0.5, rows.mean() + 0.5]), lab[mask].mean(axis=0).astype(np.float64))


def find_blobs(picture: Picture, floor: Floor) -> list[Blob]:
    """Return the objects in a picture of the policy's view, largest first, without the arm.

    What reaches over the robot's edge of the floor is the arm.
    """
    import cv2

    lab = to_lab(picture)
    within = cv2.erode(floor.mask(), np.ones((5, 5), np.uint8)) > 0
    different = (_distance_from_floor(lab, within) > _DIFFERENT) & within
    mask = cv2.morphologyEx(different.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found = []
    pieces = [piece for piece in _pieces(mask, lab) if not _is_arm(piece, floor)]
    for piece in (thing for joined in pieces for thing in split_by_colour(joined, lab)):
        closed = cv2.morphologyEx(piece, cv2.MORPH_CLOSE, np.ones((2 * _GAP_PX + 1,) * 2, np.uint8))
        contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros_like(mask)
        cv2.drawContours(filled, contours, -1, 1, -1)
        if filled.sum() >= _SMALLEST_PX:
            found.append(blob_of(filled > 0, lab))
    return sorted(found, key=lambda blob: -blob.area)


def _pieces(mask: NDArray[np.uint8], lab: NDArray[np.float32]) -> list[NDArray[np.uint8]]:
    """Return the connected pieces of a mask; pieces of one colour with a gap of a few pixels between them are one."""
    import cv2

    count, labels = cv2.connectedComponents(mask)
    group = list(range(count))
    means = [lab[labels == i].mean(axis=0) for i in range(count)]
    for i in range(1, count):
        near = cv2.dilate((labels == i).astype(np.uint8), np.ones((4 * _GAP_PX + 1,) * 2, np.uint8)) > 0
        for j in np.unique(labels[near]):
            if j > 0 and np.linalg.norm(means[i] - means[j]) < _ONE_COLOUR:
                old, new = group[j], group[i]
                group = [new if value == old else value for value in group]
    joined = np.array(group)[labels]
    return [(joined == value).astype(np.uint8) for value in sorted(set(group[1:]))]


def floor_pixels(picture: Picture, floor: Floor) -> NDArray[np.bool_]:
    """Return the pixels of the floor that nothing stands on, with a margin for shadows."""
    import cv2

    lab = to_lab(picture)
    within = cv2.erode(floor.mask(), np.ones((15, 15), np.uint8)) > 0
    covered = (_distance_from_floor(lab, within) > _DIFFERENT / 2).astype(np.uint8)
    out: NDArray[np.bool_] = within & (cv2.dilate(covered, np.ones((13, 13), np.uint8)) == 0)
    return out


def _distance_from_floor(lab: NDArray[np.float32], within: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return how far each pixel's colour is from the floor's there, in weighted steps of Lab.

    The floor is what is grey and light among its neighbours; a second pass leaves out what the first one found.
    """
    grey = within & (np.hypot(lab[..., 1], lab[..., 2]) < _GREY_CHROMA)
    distance = _from_model(lab, grey)
    return _from_model(lab, grey & (distance < _DIFFERENT / 2))


def _from_model(lab: NDArray[np.float32], sample: NDArray[np.bool_]) -> NDArray[np.float32]:
    import cv2

    height, width = sample.shape
    small = (width // _SHRINK, height // _SHRINK)
    weight = sample.astype(np.float32)
    total = _blurred(cv2.resize(weight, small, interpolation=cv2.INTER_AREA)) + 1e-6
    sums = _blurred(cv2.resize(lab * weight[..., None], small, interpolation=cv2.INTER_AREA))
    model = cv2.resize(sums / total[..., None], (width, height), interpolation=cv2.INTER_LINEAR)
    out: NDArray[np.float32] = (np.abs(lab - model) * _WEIGHTS).sum(axis=2)
    return out


def _blurred(picture: Any) -> Any:
    import cv2

    return cv2.GaussianBlur(picture, (0, 0), _BLUR)


def _is_arm(piece: NDArray[np.uint8], floor: Floor) -> bool:
    (left, top), (right, other) = floor.arm_edge
    rows, columns = np.nonzero(piece)
    line = top + (columns - left) / (right - left) * (other - top)
    return bool(((columns >= left) & (columns <= right) & (rows <= line + _EDGE_PX)).any())

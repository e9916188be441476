"""Objects on a white floor: what differs from a smooth floor in Lab, in connected pieces, less the arm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from proctor.station.camera import Picture

from ._floor import Floor

# Colour as people name it, and as distances are measured in (CIE Lab, D65).

# Hue angle in Lab (degrees) up to which a colour has this name.
_HUES = ((15, "pink"), (48, "red"), (72, "orange"), (105, "yellow"), (185, "green"), (250, "light blue"))
_HUES_ON = ((312, "blue"), (345, "purple"), (360, "pink"))


def to_lab(picture: Picture) -> NDArray[np.float32]:
    """Return Lab [H, W, 3]: lightness 0 to 100, a and b about -128 to 127."""
    import cv2

    out: NDArray[np.float32] = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    return out


def colour_name(lab: NDArray[np.floating]) -> str:
    """Return the name of a mean colour, for an object that nobody has named."""
    light, a, b = (float(value) for value in lab)
    if math.hypot(a, b) < 11:
        return "black" if light < 30 else "white" if light > 80 else "grey"
    hue = math.degrees(math.atan2(b, a)) % 360
    name = next(name for end, name in (*_HUES, *_HUES_ON) if hue <= end)
    if name in {"orange", "yellow"} and light < 55:
        return "brown"
    return name


# Things that touch: one piece of the picture with two colours, each in one place, is two things.

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
